// Package redacttest draws secrets as people keep them: a name, a value and the syntax in which
// one is written beside the other.
//
// Invariant: a seed decides everything, and no value is in this package.
package redacttest

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// passwords are names of what people choose, tokens of what programs make.
var (
	passwords = []string{"db password", "database password", "mysql root password", "postgres password", "smtp pass", "mail password", "redis password", "admin password", "root pw", "user pwd", "sa password",
		"ldap bind password", "keystore password", "passphrase", "password", "ftp passwd", "ssh key passphrase", "rabbitmq default pass", "grafana admin password", "proxy password", "wifi psk", "pg password", "login pass", "encryption passphrase"}
	tokens = []string{"jwt secret", "session secret", "client secret", "app secret", "webhook secret", "cookie secret", "api token", "auth token", "access token", "refresh token", "bot token", "github token", "deploy token",
		"api key", "secret key", "encryption key", "signing key", "sendgrid api key", "stripe secret key", "aws secret access key", "master key", "private token", "oauth client secret", "shared secret", "hmac secret", "signing secret",
		"vault token", "consul token", "npm auth token", "secret key base", "access key", "service token", "session token", "x api key", "account key", "token", "secret", "django secret key", "rails master key", "personal access token"}
)

// A Secret is a value in a text, in which it is written beside its name.
type Secret struct {
	Kind, Name, Value, Text string
}

// All draws a secret of each syntax.
func All(seed uint64) []Secret {
	r := rand.New(rand.NewPCG(seed, 51))
	var out []Secret
	for _, kind := range slices.Sorted(maps.Keys(Syntaxes)) {
		out = append(out, draw(r, kind))
	}
	return out
}

func draw(r *rand.Rand, kind string) Secret {
	list, value := tokens, generated(r)
	if r.IntN(2) == 0 {
		list = passwords
		if r.IntN(3) > 0 {
			value = chosen(r, kind)
		}
	}
	name := list[r.IntN(len(list))]
	return Secret{kind, name, value, strings.ReplaceAll(named(Syntaxes[kind], name), "§", value)}
}

// named puts a name into a syntax.
func named(syntax, name string) string {
	words := strings.Fields(name)
	title := make([]string, len(words))
	for i, w := range words {
		title[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	pascal := strings.Join(title, "")
	return strings.NewReplacer("@U", strings.ToUpper(strings.Join(words, "_")), "@S", strings.Join(words, "_"), "@C", strings.ToLower(pascal[:1])+pascal[1:], "@P", pascal,
		"@K", strings.Join(words, "-"), "@D", strings.Join(words, "."), "@B", name, "@H", strings.Join(title, "-")).Replace(syntax)
}

func of(r *rand.Rand, chars string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = chars[r.IntN(len(chars))]
	}
	return string(out)
}

const (
	lower = "abcdefghijklmnopqrstuvwxyz"
	digit = "0123456789"
	alnum = lower + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + digit
)

// generated is what a program makes.
func generated(r *rand.Rand) string {
	raw := make([]byte, 16+r.IntN(17))
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	switch r.IntN(5) {
	case 0:
		return hex.EncodeToString(raw)
	case 1:
		return base64.RawURLEncoding.EncodeToString(raw)
	case 2:
		return fmt.Sprintf("%x-%x-%x-%x-%x", raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:16])
	case 3:
		return of(r, lower+digit, 20+r.IntN(20))
	}
	return of(r, alnum, 20+r.IntN(20))
}

// chosen is what a person makes. The signs that would end a value of a syntax are left out.
func chosen(r *rand.Rand, kind string) string {
	words := []string{"Winter", "dragon", "Correct", "falcon", "Blue", "panther", "Summer", "kitten", "Rainbow", "coffee"}
	signs := "!_.-"
	w := words[r.IntN(len(words))]
	switch r.IntN(4) {
	case 0:
		return w + of(r, digit, 4) + of(r, signs, 1)
	case 1:
		return w + of(r, signs, 1) + words[r.IntN(len(words))] + of(r, digit, 2)
	case 2:
		return strings.NewReplacer("a", "4", "e", "3", "i", "1", "o", "0").Replace(w) + of(r, digit+lower, 4)
	}
	return of(r, alnum+signs, 10+r.IntN(8))
}
