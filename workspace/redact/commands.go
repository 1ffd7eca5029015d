package redact

import (
	"regexp"
	"strings"

	"tandem/edits"
)

// commandSecrets say by which option a program is given a secret, and how the value is written:
// the manuals of the programs. An option may be glued to its value.
var commandSecrets = []struct {
	programs string
	option   string
	glued    bool
	user     bool // the value is user:password
}{
	{"curl", " -u", true, true}, {"curl", " -U", true, true}, {"curl", " --user", false, true}, {"curl", " --proxy-user", false, true},
	{"http https", " -a", false, true}, {"http https", " --auth", false, true},
	{"mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump", " -p", true, false},
	{"7z 7za rar unrar", " -p", true, false},
	{"zip unzip sqlcmd bcp isql", " -P", true, false},
	{"sshpass docker podman helm oras mongo mongosh mongodump mongorestore az cqlsh", " -p", false, false},
	{"redis-cli", " -a", false, false},
	{"ldapsearch ldapmodify ldapadd ldappasswd", " -w", false, false},
	{"smbclient", " -U", false, false},
	{"openssl", " pass:", true, false},
}

// commandTriggers are the options of commandSecrets.
func commandTriggers() []trigger {
	var out []trigger
	for _, c := range commandSecrets {
		programs := regexp.MustCompile(`(?:^|[\s/"'` + "`" + `;&|($])(?:` + strings.ReplaceAll(c.programs, " ", "|") + `)(?:\.exe)?\s`)
		out = append(out, trigger{literal: c.option, check: func(text string, at int) (edits.Span, bool) {
			from := max(strings.LastIndexByte(text[:at], '\n')+1, at-400)
			if !programs.MatchString(text[from : at+1]) {
				return edits.Span{}, false
			}
			return optionValue(text, at+len(c.option), c.glued, c.user)
		}})
	}
	return append(out,
		trigger{literal: "identified ", fold: true, check: identifiedBy},
		trigger{literal: "convertto-securestring", fold: true, check: secretOf(secureString)},
		trigger{literal: "sig=", check: signature}, trigger{literal: "Signature=", check: signature},
		trigger{literal: "cookies", fold: true, spans: storedCookies}, trigger{literal: `cookie"`, fold: true, spans: namedCookies},
		trigger{literal: "onnect", check: thirdArgument}, trigger{literal: "getConnection(", check: thirdArgument},
	)
}

// optionValue is the value of an option that ends at a place.
func optionValue(text string, at int, glued, user bool) (edits.Span, bool) {
	blanks := set(" ").run(text, at)
	if blanks > 1 || blanks == 0 && !glued {
		return edits.Span{}, false
	}
	sp, _, ok := named{text: text}.literal(at + blanks)
	if !ok || strings.IndexByte("$-<%", text[sp.Start]) >= 0 {
		return edits.Span{}, false
	}
	value := text[sp.Start:sp.End]
	if user {
		name, password, found := strings.Cut(value, ":")
		sp.Start += len(name) + 1
		value = password
		ok = found && name != ""
	}
	return sp, ok && len(value) >= 4 && !dummy(value) && value[0] != '$' && set(digits+":./-").run(value, 0) < len(value)
}

var (
	identified   = regexp.MustCompile(`(?i)^identified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?`)
	secureString = regexp.MustCompile(`(?i)^convertto-securestring\s+(?:-string\s+)?`)
)

// secretOf finds the string behind a pattern, whatever it looks like.
func secretOf(p *regexp.Regexp) func(string, int) (edits.Span, bool) {
	return func(text string, at int) (edits.Span, bool) {
		skipped := p.FindString(text[at:min(len(text), at+120)])
		if skipped == "" {
			return edits.Span{}, false
		}
		sp, quoted, ok := named{text: text}.literal(at + len(skipped))
		return sp, ok && quoted && !dummy(text[sp.Start:sp.End])
	}
}

var statement = regexp.MustCompile(`(?i)\b(?:user|role|grant|alter|create|change)\b`)

// identifiedBy is the password of a user in a statement of SQL.
func identifiedBy(text string, at int) (edits.Span, bool) {
	line := max(strings.LastIndexByte(text[:at], '\n')+1, at-200)
	if !statement.MatchString(text[line:at]) {
		return edits.Span{}, false
	}
	return secretOf(identified)(text, at)
}

// signature is what makes an address of a storage service valid.
func signature(text string, at int) (edits.Span, bool) {
	start := at + strings.IndexByte(text[at:], '=') + 1
	n := set(letters+digits+"%+/=_-").run(text, start)
	if at == 0 || strings.IndexByte("?&-;\"'", text[at-1]) < 0 || n < 20 {
		return edits.Span{}, false
	}
	return edits.Span{Start: start, End: start + n}, generated(text[start : start+n])
}

var cookieValue = regexp.MustCompile(`"value"\s*:\s*"([^"\n]*)"`)

// storedCookies are the values of a list of cookies, as a browser exports it.
func storedCookies(text string, at int) (found []edits.Span) {
	head := regexp.MustCompile(`^cookies"\s*:\s*\[`).FindString(strings.ToLower(text[at:min(len(text), at+24)]))
	if head == "" {
		return nil
	}
	from := at + len(head)
	list := text[from:min(len(text), from+16<<10)]
	if end := strings.IndexByte(list, ']'); end >= 0 {
		list = list[:end]
	}
	for _, m := range cookieValue.FindAllStringSubmatchIndex(list, -1) {
		if tokenValue(list[m[2]:m[3]], true) {
			found = append(found, edits.Span{Start: from + m[2], End: from + m[3]})
		}
	}
	return found
}

// namedCookies are those of {"name": "Cookie", "value": "a=b; c=d"}.
func namedCookies(text string, at int) []edits.Span {
	n := named{text, at, at + len("cookie")}
	sp, _, ok := besideName(n)
	if !ok {
		return nil
	}
	return cookiesIn(text, sp)
}

var threeArguments = regexp.MustCompile(`^\w*\(\s*[^,()\n]{1,120},\s*(?:"[^"\n]*"|'[^'\n]*')\s*,\s*`)

// thirdArgument is the password of connect(address, "user", "password").
func thirdArgument(text string, at int) (edits.Span, bool) {
	open := strings.IndexByte(text[at:min(len(text), at+16)], '(')
	if open < 0 {
		return edits.Span{}, false
	}
	skipped := threeArguments.FindString(text[at+open : min(len(text), at+open+300)])
	if skipped == "" {
		return edits.Span{}, false
	}
	sp, quoted, ok := named{text: text}.literal(at + open + len(skipped))
	return sp, ok && quoted && passwordValue(text[sp.Start:sp.End], true) && mixed(text[sp.Start:sp.End])
}
