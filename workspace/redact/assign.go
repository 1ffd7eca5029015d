package redact

import (
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
)

// A valueTest judges a value; quoted means that it was in quotes.
type valueTest func(value string, quoted bool) bool

// node matches what YAML writes before a value, and a line that goes on with the next.
var node = regexp.MustCompile(`^(?:!!?[\w/]+[ \t]+|&\w+[ \t]+|\\\r?\n[ \t]*)`)

// assignedValue finds the value that is assigned to the name ending at end, in the
// syntax of programs, configuration files and markup.
func assignedValue(text string, end int) (sp edits.Span, quoted, ok bool) {
	at := end
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	at, ok = assignment(text, skipAny(text, at, "\"'`])}* \t\\"))
	if !ok {
		return sp, false, false
	}
	at = skipAny(text, at, " \t*")
	at += len(node.FindString(text[at:min(len(text), at+80)]))
	return named{text: text}.literal(at)
}

// assignment skips "=", ":", ":=", "=>" and a type before "=". A comparison is no
// assignment.
func assignment(text string, at int) (int, bool) {
	if at >= len(text) || text[at] != '=' && text[at] != ':' {
		return declared(text, at)
	}
	if strings.HasPrefix(text[at:], "==") {
		return at, false
	}
	if text[at] == ':' && at+1 < len(text) && text[at+1] != '=' {
		if after, ok := declared(text, at+1); ok {
			return after, true
		}
	}
	at++
	if at < len(text) && (text[at] == '=' || text[at] == '>') {
		at++
	}
	return at, true
}

// declared skips a short type and the "=" after it: `password string = `,
// `password: str = `.
func declared(text string, at int) (int, bool) {
	at = skipAny(text, at, " \t")
	n := set(letters+"_.*&?<>"+digits).run(text, at)
	after := skipAny(text, at+n, " \t")
	if n == 0 || n > 24 || after >= len(text) || text[after] != '=' || strings.HasPrefix(text[after:], "==") {
		return at, false
	}
	return after + 1, true
}

func skipAny(text string, at int, chars string) int {
	for limit := at + 8; at < len(text) && at < limit && strings.IndexByte(chars, text[at]) >= 0; {
		at++
	}
	return at
}

func quote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// quotedEnd is where a string ends that a quote with so many backslashes before it opened, or
// -1 if its line ends first.
func quotedEnd(text string, at int, q byte, backslashes int) int {
	for ; at < len(text) && text[at] != '\n'; at++ {
		n := set(`\`).run(text, at)
		switch {
		case n == backslashes && at+n < len(text) && text[at+n] == q:
			return at
		case n > 0:
			at += max(n-1, 1) // the last one escapes what follows
		}
	}
	return -1
}

// bareEnd is where a value without quotes ends.
func bareEnd(text string, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n\"'`,;<>(){}[]|", text[at]) < 0 {
		at++
	}
	return at
}

// isCode reports whether a value without quotes is a name of the program: it is
// called as a function, or the name itself states its content.
func isCode(text string, at, end int) bool {
	if end < len(text) && strings.IndexByte("([{", text[end]) >= 0 {
		return true
	}
	low := strings.ToLower(text[at:end])
	return dotted.run(low, 0) == len(low) && containsAny(low, "key", "secret", "token", "passw", "pwd", "cred") && !random(text[at:end])
}

func passwordValue(value string, quoted bool) bool {
	if dummy(value) || strings.ContainsAny(value, " \t\n") {
		return false
	}
	if !quoted {
		return len(value) >= 8 && mixed(value) && different(value) >= 6
	}
	return len(value) >= 12 || len(value) >= 4 && !plainWord(value)
}

func tokenValue(value string, quoted bool) bool {
	least := 8
	if !quoted {
		least = 16
	}
	return len(value) >= least && !dummy(value) && !strings.ContainsAny(value, " \t\n(){}") && (random(value) || len(value) >= 20 && scrambled(value))
}

// plainWord reports whether a value is a word of a language rather than a
// password: letters in one case, or capitalised.
func plainWord(s string) bool {
	if scrambled(s) {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !isAlpha(s[i]) && s[i] < 0x80 || i > 0 && s[i] <= 'Z' && s[0] > 'Z' {
			return false
		}
	}
	return true
}

// dummy reports whether a value is in the place of a secret without being one: a
// variable, a format, a common example word.
func dummy(s string) bool {
	if s == "" || monotone4(s) || strings.Contains(s, "${") || strings.Contains(s, "{{") || strings.Contains(s, "...") {
		return true
	}
	if !random(s) && (strings.ContainsAny(s[:1], "$<%{[#*@") || containsAny(s, "%s", "%v", "%d", "%q", "%x")) {
		return true
	}
	low := strings.ToLower(s)
	for _, w := range []string{"password", "passwd", "secret", "token", "example", "changeme", "change_me", "your_", "your-", "yourp", "placeholder", "redacted", "dummy", "undefined"} {
		if strings.HasPrefix(low, w) && len(low) < len(w)+8 {
			return true
		}
	}
	return low == "null" || low == "none" || low == "true" || low == "false" || low == "pass"
}

func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

// monotone4 reports whether a value repeats only one or two different characters.
func monotone4(s string) bool {
	return len(strings.Trim(s, s[:1])) == 0 || len(strings.Trim(s, s[:1]+s[len(s)-1:])) == 0
}

// mixed reports whether a value has both letters and digits.
func mixed(s string) bool {
	letter, digit := false, false
	for i := 0; i < len(s); i++ {
		letter = letter || isAlpha(s[i])
		digit = digit || isDigit(s[i])
	}
	return letter && digit
}

// random reports whether a value looks made by a generator: alternating letters
// and digits, and many different ones.
func random(s string) bool {
	return mixed(s) && different(s) >= min(6+len(s)/16, 12) && alternations(s) >= 2+len(s)/16
}

// different is how many different bytes there are.
func different(s string) int {
	var seen charset
	n := 0
	for i := 0; i < len(s); i++ {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n
}

// alternations is how often a character of one kind follows one of another kind.
func alternations(s string) int {
	n := 0
	for i := 1; i < len(s); i++ {
		if kindOf(s[i]) != kindOf(s[i-1]) {
			n++
		}
	}
	return n
}

func kindOf(c byte) int {
	switch {
	case isDigit(c):
		return 0
	case 'a' <= c && c <= 'z':
		return 1
	case 'A' <= c && c <= 'Z':
		return 2
	}
	return 3
}
