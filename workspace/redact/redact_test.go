package redact

import (
	"encoding/base64"
	"fmt"
	"go/build"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A maker makes secrets of one format from a random source.
type maker struct {
	name string
	make func(r *rand.Rand) string
}

func of(chars string, n int) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		var b strings.Builder
		for range n {
			b.WriteByte(chars[r.IntN(len(chars))])
		}
		return b.String()
	}
}

// parts joins literals and generators.
func parts(list ...any) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		var b strings.Builder
		for _, p := range list {
			switch p := p.(type) {
			case string:
				b.WriteString(p)
			case func(*rand.Rand) string:
				b.WriteString(p(r))
			}
		}
		return b.String()
	}
}

const (
	an  = letters + digits
	hex = digits + "abcdef"
	dsh = an + "_-"
)

// makers follow what the issuers document, not the table under test.
var makers = []maker{
	{"github classic", parts("ghp_", of(an, 36))}, {"github oauth", parts("gho_", of(an, 36))}, {"github app", parts("ghs_", of(an, 36))},
	{"github fine-grained", parts("github_pat_", of(an, 22), "_", of(an, 59))},
	{"gitlab", parts("glpat-", of(dsh, 20))}, {"gitlab runner", parts("glrt-", of(dsh, 20))},
	{"aws id", parts("AKIA", of(uppers+"234567", 16))}, {"aws session", parts("ASIA", of(uppers+"234567", 16))},
	{"aws secret", parts("aws_secret_access_key = ", of(an+"+/", 40))},
	{"google api", parts("AIza", of(dsh, 35))}, {"google oauth", parts("ya29.", of(dsh, 80))}, {"google client", parts("GOCSPX-", of(dsh, 28))},
	{"azure client", parts(of(an, 3), "8Q~", of(an+"_-.~", 34))}, {"azure storage", parts("AccountKey=", of(an+"+/", 86), "==")},
	{"openai project", parts("sk-proj-", of(dsh, 74), "T3BlbkFJ", of(dsh, 74))}, {"openai", parts("sk-", of(an, 20), "T3BlbkFJ", of(an, 20))},
	{"anthropic", parts("sk-ant-api03-", of(dsh, 93), "AA")}, {"openrouter", parts("sk-or-v1-", of(hex, 64))},
	{"cerebras", parts("csk-", of(lowers+digits, 48))}, {"groq", parts("gsk_", of(an, 52))}, {"xai", parts("xai-", of(an, 80))},
	{"hugging face", parts("hf_", of(an, 34))}, {"replicate", parts("r8_", of(an, 37))}, {"perplexity", parts("pplx-", of(an, 48))},
	{"slack bot", parts("xoxb-", of(digits, 12), "-", of(digits, 12), "-", of(an, 24))}, {"slack app", parts("xapp-1-A", of(uppers+digits, 10), "-", of(digits, 13), "-", of(hex, 64))},
	{"slack hook", parts("https://hooks.slack.com/services/T", of(uppers+digits, 8), "/B", of(uppers+digits, 8), "/", of(an, 24))},
	{"stripe", parts("sk_live_", of(an, 24))}, {"stripe restricted", parts("rk_live_", of(an, 24))}, {"stripe hook", parts("whsec_", of(an, 32))},
	{"twilio", parts("SK", of(hex, 32))}, {"sendgrid", parts("SG.", of(dsh, 22), ".", of(dsh, 43))}, {"mailgun", parts("key-", of(hex, 32))}, {"mailchimp", parts(of(hex, 32), "-us14")},
	{"npm", parts("npm_", of(an, 36))}, {"pypi", parts("pypi-AgEIcHlwaS5vcmc", of(dsh, 100))}, {"rubygems", parts("rubygems_", of(hex, 48))}, {"docker", parts("dckr_pat_", of(dsh, 27))},
	{"digitalocean", parts("dop_v1_", of(hex, 64))}, {"databricks", parts("dapi", of(hex, 32))}, {"vault", parts("hvs.", of(dsh, 90))}, {"terraform", parts(of(an, 14), ".atlasv1.", of(dsh, 67))},
	{"shopify", parts("shpat_", of(hex, 32))}, {"square", parts("sq0atp-", of(dsh, 22))}, {"linear", parts("lin_api_", of(an, 40))}, {"notion", parts("ntn_", of(an, 46))},
	{"figma", parts("figd_", of(dsh, 40))}, {"postman", parts("PMAK-", of(hex, 24), "-", of(hex, 34))}, {"airtable", parts("pat", of(an, 14), ".", of(hex, 64))},
	{"telegram", parts(of("123456789", 9), ":AA", of(dsh, 33))}, {"new relic", parts("NRAK-", of(uppers+digits, 27))}, {"grafana", parts("glsa_", of(an, 32), "_", of(hex, 8))},
	{"openshift", parts("sha256~", of(dsh, 43))}, {"fireworks", parts("fw_", of(an, 24))}, {"eleven labs", parts("sk_", of(hex, 48))}, {"trello", parts("ATTA", of(an, 72))}, {"artifactory", parts("AKCp", of(an, 69))},
	{"neon", parts("napi_", of(lowers+digits, 64))}, {"honeycomb", parts("hcaik_", of(lowers+digits, 58))}, {"wakatime", parts("waka_", of(hex, 8), "-", of(hex, 4), "-", of(hex, 4), "-", of(hex, 4), "-", of(hex, 12))}, {"google refresh", parts("1//0", of(dsh, 60))},
	{"doppler", parts("dp.pt.", of(an, 43))}, {"web token", parts("eyJ", of(an, 33), ".eyJ", of(an, 60), ".", of(dsh, 43))},
	{"database address", parts("postgres://app:", of(an, 16), "@db.internal:5432/app")}, {"amqp address", parts("amqps://user:", of(an+"!$_", 12), "@mq.internal/vhost")},
	{"source name", parts("app:", of(an+"!#%&*", 14), "@tcp(db:3306)/app")}, {"socket", parts("app:", of(lowers, 14), "@unix(/run/db.sock)/app")}, {"oracle", parts("scott/", of(lowers, 12), "@//db:1521/app")},
	{"key beside its id", parts("id: AKIA", of(uppers+"234567", 16), "\nvalue: ", of(an+"+/", 40))}, {"libpq", parts("host=db user=app password=", of(lowers, 12), " sslmode=disable")}, {"ado", parts("Server=db;User Id=sa;Password=", of(letters, 12), ";")},
	{"yaml, alone", parts("\ndatabase:\n  # rotated yearly\n\n  password: ", of(lowers, 12), "\n")}, {"yaml", parts("\ndb:\n  user: app\n  password: ", of(lowers, 12), "\n  port: 5432\n")}, {"compose", parts("\n    MYSQL_PASSWORD: ", of(lowers, 10), "\n    MYSQL_USER: app\n")},
	{"password", parts(`password = "`, of(an+"!#%&*", 14), `"`)}, {"json password", parts(`{"db_password": "`, of(an, 12), `"}`)},
	{"environment", parts("DATABASE_PASSWORD=", of(an, 16))}, {"api key", parts(`apiKey: '`, of(an, 32), `'`)}, {"bearer", parts("Authorization: Bearer ", of(an, 40))},
	{"basic", func(r *rand.Rand) string {
		return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("admin:"+of(an, 12)(r)))
	}},
	{"private key", func(r *rand.Rand) string {
		var b strings.Builder
		b.WriteString("-----BEGIN RSA PRIVATE KEY-----\n")
		for range 6 {
			b.WriteString(of(an+"+/", 64)(r) + "\n")
		}
		return b.String() + "-----END RSA PRIVATE KEY-----"
	}},
}

// core is the part of a generated text that must not be visible: its longest part
// without separators.
func core(s string) string {
	longest := ""
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \n\"'=:/@{}", r) }) {
		if len(f) > len(longest) && !strings.Contains(f, "KEY") && !strings.Contains(f, "PASSWORD") && !strings.Contains(f, "secret_access") {
			longest = f
		}
	}
	return longest
}

var wrappings = []string{
	"package main\n\nvar x = \"%s\"\n", "const client = connect('%s');\n", "# see the manual\nvalue: %s\n", "x = [`%s`, 1]\n",
	"curl -H 'X-Auth: %s' https://example.com/\n", "// TODO(bob): remove %s\nfunc main() {}\n", "export THING=%s\n", "\"line one\\n%s\\n\"",
}

// TestSecretsAreRedacted hides at least 98 of 100 made-up secrets in code.
func TestSecretsAreRedacted(t *testing.T) {
	t.Parallel()
	seed := uint64(os.Getpid())
	random := rand.New(rand.NewPCG(seed, 1))
	total, hidden := 0, 0
	for range 20 {
		for _, m := range makers {
			secret := m.make(random)
			text := fmt.Sprintf(wrappings[random.IntN(len(wrappings))], secret)
			clean, secrets := redacted(text)
			if total++; !strings.Contains(clean, core(secret)) {
				hidden++
			} else {
				t.Logf("seed %d: %s is shown: %s", seed, m.name, clean)
			}
			if back := secrets.Restore(clean); back != text {
				t.Fatalf("%s: restored to %q, want %q", m.name, back, text)
			}
		}
	}
	if hidden*100 < total*98 {
		t.Errorf("seed %d: %d of %d secrets hidden, want 98 of 100", seed, hidden, total)
	}
}

// TestFewFalseFindings searches the standard library, which holds no secrets
// except the keys of its tests.
func TestFewFalseFindings(t *testing.T) {
	t.Parallel()
	found, size := 0, 0
	eachSource(t, func(path, text string) {
		size += len(text)
		if strings.Contains(text, "PRIVATE KEY-----") || strings.Contains(text, "TESTING KEY") {
			return // keys of tests: real ones
		}
		for _, sp := range Find(text) {
			found++
			t.Logf("%s: %q", path, text[max(0, sp.Start-30):sp.End])
		}
	})
	if found > size>>20 {
		t.Errorf("%d findings in %d MB, want at most one a megabyte", found, size>>20)
	}
	t.Logf("%d findings in %d MB", found, size>>20)
}

func eachSource(t testing.TB, visit func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(build.Default.GOROOT, "src"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		visit(path, string(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// redacted is a text without its secrets, and what restores them.
func redacted(text string) (string, *Redactor) {
	r := &Redactor{}
	return r.Redact(text).String(), r
}

func TestRedactTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"no secrets here", "no secrets here"},
		{`password := os.Getenv("DB_PASSWORD")`, `password := os.Getenv("DB_PASSWORD")`},
		{`if password == "hunter22x" {`, `if password == "hunter22x" {`},
		{`password = "hunter22x"`, `password = "⟦redacted-1⟧"`},
		{`const password string = "hunter22x"`, `const password string = "⟦redacted-1⟧"`},
		{`"password": "hunter22x", "again": {"passwd": "hunter22x"}`, `"password": "⟦redacted-1⟧", "again": {"passwd": "⟦redacted-1⟧"}`},
		{`<password>hunter22x</password>`, `<password>⟦redacted-1⟧</password>`},
		{`password: "Password"`, `password: "Password"`},
		{`password = "${DB_PASSWORD}"`, `password = "${DB_PASSWORD}"`},
		{`token := lexer.Next()`, `token := lexer.Next()`},
		{`"token": "string"`, `"token": "string"`},
		{`postgres://user:s3cretpw@host/db`, `postgres://user:⟦redacted-1⟧@host/db`},
		{`app:hunter@tcp(db:3306)/app`, `app:⟦redacted-1⟧@tcp(db:3306)/app`},
		{"  user: app\n  password: hunter\n", "  user: app\n  password: ⟦redacted-1⟧\n"},
		{"  port: 1\n  password: # hunter\n", "  port: 1\n  password: # hunter\n"},
		{"interface A {\n  username: string\n  password: string\n}", "interface A {\n  username: string\n  password: string\n}"},
		{"class A:\n  user: Name\n  password: Secret\n", "class A:\n  user: Name\n  password: Secret\n"},
		{"fields:\n  title: login\n  password: hunter\n", "fields:\n  title: login\n  password: hunter\n"},
		{"connect(host=host, user=user, password=secretly)", "connect(host=host, user=user, password=secretly)"},
		{"host=db user=app password=hunter", "host=db user=app password=⟦redacted-1⟧"},
		{"AKIAIOSFODNN7QWERTYU 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12", "⟦redacted-1⟧ 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"},
		{`https://host/path?user=a:b@c`, `https://host/path?user=a:b@c`},
		{`literal ⟦redacted-1⟧ here`, `literal ⟦redacted-1⟧ here`},
		{`literal ⟦redacted-7⟧ here`, `literal ⟦redacted-1⟧ here`},
	} {
		clean, secrets := redacted(c.text)
		if clean != c.want {
			t.Errorf("Redact(%q)\n got %q\nwant %q", c.text, clean, c.want)
		}
		if back := secrets.Restore(clean); back != c.text {
			t.Errorf("%q came back as %q", c.text, back)
		}
	}
}

// TestSecretKeepsItsPlaceholder is about several texts of one window.
func TestSecretKeepsItsPlaceholder(t *testing.T) {
	t.Parallel()
	var r Redactor
	first := r.Redact(`password = "hunter22x"`).String()
	second := r.Redact(`password = "otherpw99"; passwd = "hunter22x"`).String()
	if first != `password = "⟦redacted-1⟧"` || second != `password = "⟦redacted-2⟧"; passwd = "⟦redacted-1⟧"` {
		t.Errorf("got %s and %s", first, second)
	}
}

// TestHiddenOnceIsHiddenAgain: what a conversation has hidden stays hidden where it stands
// alone and looks like no secret.
func TestHiddenOnceIsHiddenAgain(t *testing.T) {
	t.Parallel()
	const secret = "hunter22xyz9ab"
	var r Redactor
	if first := r.Redact(`password = "` + secret + `"`).String(); strings.Contains(first, secret) {
		t.Fatalf("%s: the test shows nothing", first)
	}
	alone := "unexpected '" + secret + "' at line 3"
	if clean := new(Redactor).Redact(alone).String(); clean != alone {
		t.Fatalf("%s: the test shows nothing", clean)
	}
	if got := r.Redact(alone).String(); got != "unexpected '⟦redacted-1⟧' at line 3" {
		t.Errorf("%s", got)
	}
}

// TestCutKeys shows only a part of a private key, as a fragment may.
func TestCutKeys(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("MIIEpAIBAAKCAQEAx9f3kq0bT2vR8uYw1zLpN5sDhJ7cVbGmXe4oQaKtWiUyPzAf\n", 8)
	for name, text := range map[string]string{
		"head": "-----BEGIN PRIVATE KEY-----\n" + body, "foot": body + "-----END PRIVATE KEY-----\nfoo()\n",
		"string": `k := "-----BEGIN PRIVATE KEY-----\n` + strings.ReplaceAll(body, "\n", `\n`) + `-----END PRIVATE KEY-----\n"`,
	} {
		clean, secrets := redacted(text)
		if strings.Contains(clean, "x9f3kq0bT2") {
			t.Errorf("%s: %s", name, clean)
		}
		if strings.Count(clean, "\n") != strings.Count(text, "\n") {
			t.Errorf("%s: %d lines became %d", name, strings.Count(text, "\n"), strings.Count(clean, "\n"))
		}
		if secrets.Restore(clean) != text {
			t.Errorf("%s does not come back", name)
		}
	}
}

func TestPropertyRestore(t *testing.T) {
	t.Parallel()
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"⟦redacted-1⟧", "⟦redacted-", "⟧", "1", "password = \"", "\"", "://u:", "@", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "ghp_", "sk-", "\n", "\\n", "Basic ", "=", "token: ",
	}), rapid.StringMatching(`[A-Za-z0-9+/]{0,60}`))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "text"), "")
		clean, secrets := redacted(text)
		if back := secrets.Restore(clean); back != text {
			t.Fatalf("%q became %q and came back as %q", text, clean, back)
		}
	})
}

func TestScrub(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, want string
		found      int
	}{
		{"plain", "plain", 0}, {"é 漢字 ❤️", "é 漢字 ❤️", 0},
		{"a\u200bb\u202ec\ufeff", "abc", 3}, {"x\U000E0041\U000E0042y", "xy", 1},
		{"s\ufe00\ufe01t", "st", 1}, {"so\u00adft", "soft", 1}, {"\xff\xc2", "\xff\xc2", 0},
		{"\U0001F469\u200d\U0001F467 \u2764\ufe0f\u200d\U0001F525", "\U0001F469\u200d\U0001F467 \u2764\ufe0f\u200d\U0001F525", 0}, // one emoji of two
		{"\U0001F469\u200db\u200d\U0001F467\u200d\u200d\U0001F467\u200d", "\U0001F469b\U0001F467\U0001F467", 4},
	} {
		if got, n := Scrub(c.text); got != c.want || n != c.found {
			t.Errorf("Scrub(%q) = %q, %d, want %q, %d", c.text, got, n, c.want, c.found)
		}
	}
}

// TestScrubFindsEveryListedCharacter goes through the ranges one by one.
func TestScrubFindsEveryListedCharacter(t *testing.T) {
	t.Parallel()
	for _, r := range [][2]rune{{0xE0000, 0xE007F}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064}, {0x2066, 0x2069}, {0x206A, 0x206F}, {0xFEFF, 0xFEFF}, {0xAD, 0xAD}} {
		for c := r[0]; c <= r[1]; c++ {
			if got, _ := Scrub("a" + string(c) + "b"); got != "ab" {
				t.Errorf("U+%04X stays", c)
			}
		}
	}
}

func BenchmarkCleanCode(b *testing.B) {
	var all strings.Builder
	eachSource(b, func(path, text string) {
		if strings.HasSuffix(path, ".go") && all.Len() < 8<<20 && !strings.Contains(path, "crypto") {
			all.WriteString(text)
		}
	})
	text := all.String()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Find(text)
	}
}

func BenchmarkPrompt16KiB(b *testing.B) {
	var all strings.Builder
	eachSource(b, func(path, text string) {
		if strings.Contains(path, "net/http") && all.Len() < 16<<10 {
			all.WriteString(text)
		}
	})
	text := all.String()[:16<<10]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redacted(text)
	}
}
