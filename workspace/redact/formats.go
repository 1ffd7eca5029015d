package redact

import (
	"encoding/base64"
	"strings"

	"tandem/edits"
)

// A format is a kind of key that its prefix identifies. Lengths are a little below
// those that the issuers use today, since these change.
type format struct {
	prefixes string // separated by spaces
	chars    *charset
	least    int // characters after the prefix
	most     int // 0: any number
}

var keyFormats = []format{
	// Code hosting and continuous integration.
	{"ghp_ gho_ ghu_ ghs_ ghr_", word, 30, 0},
	{"github_pat_", word, 40, 0},
	{"glpat- gldt- glrt- glrtr- glptt- glsoat- glcbt- glimt- glagent- glft- glffct- glwt-", dotted, 18, 0},
	{"ATATT3 ATCTT3 ATBB", set(letters + digits + "_-=."), 24, 0},
	{"bkua_ bkaj_ bkct_", alnum, 32, 0},
	{"CCIPAT_ CCIPRJ_", word, 24, 0},
	{"sgp_", word, 32, 0},
	{"sntrys_ sntryu_ sntrya_", set(letters + digits + "_+/="), 32, 0},
	{"snyk_uat. snyk_sat.", dotted, 20, 0},
	{"squ_ sqp_ sqa_", hexes, 36, 0},
	// Clouds.
	{"sha256~", dashed, 40, 0},
	{"AQVN", dashed, 35, 0},
	{"1//0", dashed, 40, 0},
	{"sl.", dashed, 60, 0},
	{"napi_", alnum, 40, 0},
	{"dnsimple_a_ dnsimple_u_", alnum, 30, 0},
	{"API-", upper, 26, 34},
	{"AKIA ASIA ABIA ACCA A3T", upper, 16, 20},
	{"ABSK", base64s, 60, 0},
	{"AIza", dashed, 33, 0},
	{"ya29.", dashed, 20, 0},
	{"GOCSPX-", dashed, 20, 0},
	{"dop_v1_ doo_v1_ dor_v1_", hexes, 60, 0},
	{"hvs. hvb. hvr.", dotted, 20, 0},
	{"dapi", hexes, 30, 0},
	{"pscale_tkn_ pscale_pw_ pscale_oauth_", dotted, 24, 0},
	{"sbp_", hexes, 36, 0},
	{"sb_secret_", dashed, 20, 0},
	{"fo1_ fm1_ fm2_", set(letters + digits + "_-+/=,"), 36, 0},
	{"v1.0-", set(digits + "abcdef-"), 120, 0},
	{"nfp_ nfc_ nfo_ nfb_ nfu_", alnum, 32, 0},
	{"vcp_ vci_ vca_ vcr_ vck_", alnum, 22, 0},
	{"rnd_", alnum, 28, 0},
	{"HRKU-", dashed, 32, 0},
	{"pul-", hexes, 38, 0},
	{"pnu_ pnb_", alnum, 34, 0},
	{"dt0c01. dt0s01. dt0s02.", dotted, 64, 0},
	{"LTAI", alnum, 16, 24},
	{"tskey-", dashed, 20, 0},
	{"dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", dotted, 36, 0},
	// Models and their tools.
	{"fw_", alnum, 20, 0},
	{"sk_", hexes, 40, 0},
	{"sk-proj- sk-svcacct- sk-admin- sk-None- sk-ant- sk-or-v1- sk-lf-", dashed, 20, 0},
	{"sk-", alnum, 20, 0},
	{"csk-", alnum, 32, 0},
	{"gsk_", alnum, 40, 0},
	{"xai-", word, 50, 0},
	{"hf_ api_org_", alnum, 30, 0},
	{"r8_", alnum, 34, 0},
	{"pplx-", alnum, 40, 0},
	{"nvapi-", dashed, 50, 0},
	{"tgp_v1_", dashed, 36, 0},
	{"tvly-", dashed, 24, 0},
	{"lsv2_pt_ lsv2_sk_", word, 36, 0},
	{"pcsk_", word, 40, 0},
	{"wandb_v1_", word, 36, 0},
	{"jina_", alnum, 40, 0},
	// Payment and shops.
	{"sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", alnum, 16, 0},
	{"whsec_", base64s, 24, 0},
	{"sq0atp- sq0csp- sq0idp-", dashed, 20, 0},
	{"EAAA", dashed, 56, 0},
	{"shpat_ shpca_ shppa_ shpss_", hexes, 30, 0},
	{"rzp_live_ rzp_test_", alnum, 14, 0},
	{"shippo_live_ shippo_test_", hexes, 36, 0},
	{"FLWSECK_TEST- FLWSECK-", dashed, 12, 0},
	{"EZAK EZTK", alnum, 54, 0},
	{"access-sandbox- access-production- access-development-", dashed, 32, 0},
	// Messages.
	{"xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe. xoxe- xapp-", set(letters + digits + "-.%"), 16, 0},
	{"SG.", dotted, 50, 0},
	{"key-", hexes, 32, 32},
	{"SK", hexes, 32, 32},
	{"xkeysib-", set(digits + "abcdef-" + letters), 70, 0},
	{"EAACEdEose0cBA", alnum, 20, 0},
	{"re_", set(letters + digits + "_"), 30, 0},
	// Packages.
	{"AKCp", alnum, 60, 0},
	{"cmVmdGtu", alnum, 50, 0},
	{"npm_", alnum, 32, 0},
	{"pypi-", dashed, 50, 0},
	{"rubygems_", hexes, 44, 0},
	{"cio", alnum, 32, 32},
	{"dckr_pat_ dckr_oat_", dashed, 24, 0},
	{"CLOJARS_", alnum, 56, 0},
	{"oy2", set(lowers + digits), 43, 43},
	// Tools.
	{"ATTA", alnum, 60, 0},
	{"hcaik_ hcxik_ hcbik_", alnum, 40, 0},
	{"waka_", set(digits + "abcdef-"), 36, 0},
	{"signkey-prod- signkey-test- signkey-branch-", hexes, 32, 0},
	{"tr_dev_ tr_prod_ tr_stg_ tr_preview_ tr_pat_", alnum, 20, 0},
	{"fio-u-", dashed, 50, 0},
	{"p8e-", alnum, 32, 0},
	{"ico-", alnum, 32, 32},
	{"sm_pat_ sm_aat_ sm_sat_", alnum, 16, 0},
	{"lin_api_ lin_oauth_", alnum, 32, 0},
	{"secret_", alnum, 40, 0},
	{"ntn_", alnum, 40, 0},
	{"figd_ figdr_", dashed, 36, 0},
	{"PMAK-", dashed, 50, 0},
	{"PMAT-", alnum, 24, 0},
	{"NRAK- NRJS- NRII- NRIQ-", dashed, 19, 0},
	{"glc_ glsa_", set(letters + digits + "_+/="), 32, 0},
	{"tfp_", dotted, 40, 0},
	{"rdme_", alnum, 60, 0},
	{"aio_", alnum, 28, 0},
	{"ops_eyJ", base64s, 100, 0},
	{"CFPAT-", dashed, 40, 0},
	{"AGE-SECRET-KEY-1", upper, 50, 0},
	{"duffel_live_ duffel_test_", dashed, 36, 0},
	{"sdk- mob-", set(digits + "abcdef-"), 36, 36},
	{"phc_ phx_", alnum, 40, 0},
	{"eyJrIjoi", base64s, 60, 0},
	{"ddp_ ddpat_", alnum, 30, 0},
	{"zpka_", word, 36, 0},
	{"tk-us-", dashed, 40, 0},
	// Hashes of passwords, as crypt(3) writes them.
	{"$apr1$ $1$ $5$ $6$ $y$ $2a$ $2b$ $2y$ $argon2i$ $argon2id$ $argon2d$", set(letters + digits + "./$=,+"), 28, 0},
}

// formats are the triggers of keys with a prefix of their own, and of those that
// need more checks.
func formats() []trigger {
	out := []trigger{
		{literal: "eyJ", check: webToken},
		{literal: "8Q~", check: clientSecret},
		{literal: ":AA", check: botToken},
		{literal: "-us", check: listKey},
		{literal: "pat", check: tableToken},
		{literal: ".atlasv1.", check: stateToken},
		hook("hooks.slack.com/services/"), hook("hooks.slack.com/workflows/"), hook("hooks.slack.com/triggers/"),
		hook("discord.com/api/webhooks/"), hook("discordapp.com/api/webhooks/"), hook("webhook.office.com/webhookb2/"),
		{literal: "://", check: urlPassword},
		{literal: "bearer ", fold: true, check: headerToken},
		{literal: "basic ", fold: true, check: headerPair},
	}
	for _, f := range keyFormats {
		for prefix := range strings.FieldsSeq(f.prefixes) {
			out = append(out, f.triggers(prefix)...)
		}
	}
	return append(out, trigger{literal: opening, check: lookalike})
}

// triggers are those of a prefix: one, or one for each possible next character if
// the prefix is shorter than the filter needs.
func (f format) triggers(prefix string) []trigger {
	check := f.check(prefix)
	if len(prefix) > 2 {
		return []trigger{{literal: prefix, check: check}}
	}
	var out []trigger
	for c, in := range f.chars {
		if in {
			out = append(out, trigger{literal: prefix + string(rune(c)), check: check})
		}
	}
	return out
}

func (f format) check(prefix string) func(string, int) (edits.Span, bool) {
	return func(text string, at int) (edits.Span, bool) {
		body := at + len(prefix)
		n := f.chars.run(text, body)
		if n < f.least || f.most > 0 && n > f.most || !startsWord(text, at) {
			return edits.Span{}, false
		}
		if f.most > 0 && body+n < len(text) && word[text[body+n]] {
			return edits.Span{}, false
		}
		return edits.Span{Start: at, End: body + n}, f.chars == upper || generated(text[body:body+n])
	}
}

// generated reports whether the body of a key may have come from a generator:
// names do not have digits or capitals in many places, and examples have few
// different characters.
func generated(body string) bool {
	return (strings.ContainsAny(body, digits) || alternations(body) >= len(body)/4) && different(body) >= 5 && !stutters(body)
}

// stutters reports whether seven equal characters follow each other, as in
// encoded binary data.
func stutters(s string) bool {
	same := 1
	for i := 1; i < len(s); i++ {
		if same++; s[i] != s[i-1] {
			same = 1
		}
		if same == 7 {
			return true
		}
	}
	return false
}

// lookalike is text in the form of a placeholder: it gets a placeholder of its own.
func lookalike(text string, at int) (edits.Span, bool) {
	end := placeholderEnd(text, at+len(opening))
	return edits.Span{Start: at, End: end}, end > 0
}

// webToken is a JSON web token: two parts or more, the second a JSON object too.
func webToken(text string, at int) (edits.Span, bool) {
	n := dotted.run(text, at)
	parts := strings.SplitN(text[at:at+n], ".", 3)
	ok := len(parts) > 1 && len(parts[0]) >= 12 && len(parts[1]) >= 8 && startsWord(text, at)
	return edits.Span{Start: at, End: at + n}, ok && n >= 40
}

// clientSecret is an Azure application's: three characters, "8Q~" (or another
// digit), thirty-odd more.
func clientSecret(text string, at int) (edits.Span, bool) {
	n := set(letters+digits+"_-.~").run(text, at)
	if at < 3 || n < 33 || alnum.run(text, at-3) < 3 {
		return edits.Span{}, false
	}
	return edits.Span{Start: at - 3, End: at + n}, true
}

// botToken is a messenger bot's: eight to ten digits, ":AA", about 33 more.
func botToken(text string, at int) (edits.Span, bool) {
	start := at
	for start > 0 && isDigit(text[start-1]) {
		start--
	}
	n := dashed.run(text, at+1)
	ok := at-start >= 8 && at-start <= 10 && n >= 32 && n <= 40
	return edits.Span{Start: start, End: at + 1 + n}, ok
}

// listKey is a mailing service's: 32 hexadecimal digits, "-us" and a number.
func listKey(text string, at int) (edits.Span, bool) {
	end := at + 3
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	start := at
	for start > 0 && hexes[text[start-1]] {
		start--
	}
	return edits.Span{Start: start, End: end}, end > at+3 && at-start == 32
}

// tableToken is a spreadsheet service's: "pat", 14 characters, a dot, 64 digits.
func tableToken(text string, at int) (edits.Span, bool) {
	n := alnum.run(text, at)
	dot := at + n
	if n != 17 || dot >= len(text) || text[dot] != '.' || !startsWord(text, at) {
		return edits.Span{}, false
	}
	tail := hexes.run(text, dot+1)
	return edits.Span{Start: at, End: dot + 1 + tail}, tail >= 60
}

// stateToken is an infrastructure service's: 14 characters, ".atlasv1.", 60.
func stateToken(text string, at int) (edits.Span, bool) {
	start := at
	for start > 0 && alnum[text[start-1]] {
		start--
	}
	tail := dashed.run(text, at+len(".atlasv1."))
	return edits.Span{Start: start, End: at + len(".atlasv1.") + tail}, at-start >= 10 && tail >= 40
}

// hook is a web hook's address, which is secret after the host and these folders.
func hook(address string) trigger {
	host := address[:strings.IndexByte(address, '/')+1]
	return trigger{literal: host, check: func(text string, at int) (edits.Span, bool) {
		start := at + len(address)
		if !strings.HasPrefix(text[at:], address) {
			return edits.Span{}, false
		}
		n := path.run(text, start)
		return edits.Span{Start: start, End: start + n}, n >= 24
	}}
}

// urlPassword is the password of scheme://user:password@host.
func urlPassword(text string, at int) (edits.Span, bool) {
	start := at + len("://")
	end := start
	for end < len(text) && strings.IndexByte(" \t\r\n\"'`<>()[]{}|\\^,", text[end]) < 0 && text[end] != '/' && text[end] != '?' && text[end] != '#' {
		end++
	}
	signs := strings.LastIndexByte(text[start:end], '@')
	if signs < 0 || at == 0 || !alnum[text[at-1]] {
		return edits.Span{}, false
	}
	user, password, ok := strings.Cut(text[start:start+signs], ":")
	if !ok || dummy(password) {
		return edits.Span{}, false
	}
	from := start + len(user) + 1
	return edits.Span{Start: from, End: from + len(password)}, true
}

// headerToken is what follows "Bearer ".
func headerToken(text string, at int) (edits.Span, bool) {
	start := at + len("bearer ")
	n := token.run(text, start)
	ok := n >= 16 && generated(text[start:start+n]) && startsWord(text, at)
	return edits.Span{Start: start, End: start + n}, ok
}

// headerPair is what follows "Basic ": a user and a password in base64.
func headerPair(text string, at int) (edits.Span, bool) {
	start := at + len("basic ")
	n := base64s.run(text, start)
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text[start:start+n], "="))
	ok := err == nil && n >= 8 && strings.IndexByte(string(plain), ':') > 0 && startsWord(text, at)
	return edits.Span{Start: start, End: start + n}, ok
}
