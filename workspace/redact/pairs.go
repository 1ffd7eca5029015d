package redact

import (
	"regexp"
	"strings"

	"tandem/edits"
)

// A nameClass is a group of names whose values are secret, and how such a value looks.
type nameClass struct {
	names  string // separated by spaces
	whole  bool   // the name is a word of its own: "pass", not "bypass"
	secret valueTest
	// bare judges a value without quotes by what surrounds it, nil for none.
	bare func(text string, at int, value edits.Span) bool
}

// For a password nearly any value counts; a token's value must look random, since many things
// are called tokens and keys.
var nameClasses = []nameClass{
	{"password passwd passphrase passwort passcode storepass keypass requirepass masterauth", false, passwordValue, connects},
	{"pwd pass psk", true, passwordValue, connects},
	{"secret token credential", false, tokenValue, nil},
	{"auth authorization salt fernet", true, tokenValue, nil},
}

// keyOwners are what "key" must follow to be a secret's name.
var keyOwners = strings.Fields("api access secret private account signing encryption auth master shared service storage client session deploy app fernet nonce logged_in")

// A named is a secret's name in a text: the word with its compounds.
type named struct {
	text       string
	start, end int // of DB_PASSWORD, secret_key_base
}

// A form is how a value is written, which decides how much it must look like a secret.
type form int

const (
	quotedForm form = iota // assigned, in quotes or markup
	bareForm               // assigned, without quotes
	looseForm              // only near the name: a list, a call, the words of a command
)

// carriers are the syntaxes in which a value is kept beside its name. Each returns the value
// for one; the first one that applies decides.
var carriers = []func(named) (edits.Span, form, bool){inTag, assignedTo, besideName, beforeName, inList, inCall, below, behindBlank}

func assignments() []trigger {
	var out []trigger
	for _, c := range nameClasses {
		for name := range strings.FieldsSeq(c.names) {
			out = append(out, trigger{literal: name, fold: true, check: c.check(len(name))})
		}
	}
	key := nameClasses[2].check(len("key"))
	out = append(out, trigger{literal: "key", fold: true, check: func(text string, at int) (edits.Span, bool) {
		if !owned(text[:at]) {
			return edits.Span{}, false
		}
		return key(text, at)
	}})
	// A trigger has three bytes: what follows the two of "pw" is part of it.
	pw := nameClass{"", true, passwordValue, connects}.check(len("pw"))
	for _, c := range strings.Split("=: \"'<>)]}[{(,|*\\`\n\t.-_", "") {
		out = append(out, trigger{literal: "pw" + c, fold: true, check: pw})
	}
	return out
}

// owned reports whether the text before "key" says that it is a secret one.
func owned(before string) bool {
	owner := strings.TrimRight(before[max(0, len(before)-16):], "_-. ")
	for _, name := range keyOwners {
		if n := len(owner) - len(name); n >= 0 && strings.EqualFold(owner[n:], name) {
			return true
		}
	}
	return false
}

// check finds the secret of a name of some length.
func (c nameClass) check(length int) func(string, int) (edits.Span, bool) {
	return func(text string, at int) (edits.Span, bool) {
		end := at + length
		if c.whole && !standsAlone(text, at, end) {
			return edits.Span{}, false
		}
		if end < len(text) && text[end]|0x20 == 's' {
			sp, form, ok := below(named{text, at, end + 1}) // a list of them
			return sp, ok && c.holds(text, at, sp, form)
		}
		end = compound(text, end)
		if end == len(text) || strings.IndexByte("\"'`])}<>=:,|( \t\r\n\\*[{?", text[end]) < 0 {
			return edits.Span{}, false
		}
		n := named{text, at, end}
		for n.start > 0 && dotted[text[n.start-1]] {
			n.start--
		}
		for _, carrier := range carriers {
			sp, form, ok := carrier(n)
			if !ok {
				continue
			}
			return sp, c.holds(text, at, sp, form)
		}
		return edits.Span{}, false
	}
}

// holds reports whether a value in a form is a secret of the class.
func (c nameClass) holds(text string, at int, sp edits.Span, f form) bool {
	value := text[sp.Start:sp.End]
	if publicValue.MatchString(value) || len(value) > 0 && strings.Contains(strings.ToLower(value), strings.ToLower(lastWord(text, at))) && !random(value) {
		return false
	}
	switch f {
	case quotedForm:
		return c.secret(value, true)
	case looseForm:
		return c.secret(value, false) || len(value) >= 8 && mixed(value) && different(value) >= 6 && c.secret(value, true)
	}
	if c.whole && (!endsLine(text, sp.End) || strings.Contains(value, "/") && !(len(value) >= 16 && random(value))) {
		return false // "--- PASS: TestA/1 (0.01s)"
	}
	return c.secret(value, false) || exported(text, at, sp.Start) && scrambled(value) || c.bare != nil && c.bare(text, at, sp)
}

// publicValue matches what is no secret whatever its name is: an address, a version, a number, a
// character.
var publicValue = regexp.MustCompile(`://|^(?:npm:.*)?[v^~@]?\d+\.\d+\.\d+[-.\w]*$|^@?[\w./-]+@\d+\.\d+[-.\w]*$|^[-+]?[\d.]+(?:[eE][-+]?\d+)?(?:\\x00)?$|^(?:\\[uUx][0-9a-fA-F]+)+$|^\*\w[.\w]*$`)

// lastWord returns the word at a place.
func lastWord(text string, at int) string {
	n := set(letters).run(text, at)
	return text[at : at+n]
}

// endsLine reports whether nothing but punctuation follows on a line.
func endsLine(text string, at int) bool {
	rest, _, _ := strings.Cut(text[at:], "\n")
	return strings.Trim(rest, "\"'`,;)}] \t\r\\") == "" || !strings.HasPrefix(rest, " (")
}

// exported reports whether a value is assigned as in an environment: NAME=VALUE.
func exported(text string, at, value int) bool {
	return value > 0 && text[value-1] == '=' && at < value && !isLower(text[at]) && !isLower(text[value-2])
}

// scrambled reports whether letters of both cases alternate as a generator writes them, more
// often than in a name of several words.
func scrambled(value string) bool {
	return len(value) >= 10 && different(value) >= 7 && alternations(value)*5 >= len(value)*2 && !strings.ContainsAny(value, "/.$")
}

// standsAlone reports whether a short name is a word of its own, or a part of a compound name:
// dbPass, SMTP_PASS and pass, but neither bypass nor passes.
func standsAlone(text string, at, end int) bool {
	if at > 0 && isAlpha(text[at-1]) && isLower(text[at-1]) == isLower(text[at]) {
		return false
	}
	return end == len(text) || !isAlpha(text[end]) || isLower(text[end-1]) && !isLower(text[end])
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// compounds are words that may follow a secret's name and leave it one.
var compounds = strings.Fields("base64 base b64 data value val hex string str text raw plain plaintext token secret prod dev test")

// compound returns where a name ends that goes on with such words: secret_key_base.
func compound(text string, end int) int {
	for {
		at := end
		for at < len(text) && isDigit(text[at]) {
			at++
		}
		if at < len(text) && (text[at] == '_' || text[at] == '-') {
			at++
		}
		next := at
		for _, word := range compounds {
			if n := at + len(word); n <= len(text) && strings.EqualFold(text[at:n], word) && (n == len(text) || !isAlpha(text[n]) || isLower(text[n-1]) && !isLower(text[n])) {
				next = n
				break
			}
		}
		if next == at {
			for end < len(text) && isDigit(text[end]) {
				end++
			}
			return end
		}
		end = next
	}
}

// rest is the text behind the name, as far as a value beside it may begin.
func (n named) rest() string { return n.text[n.end:min(len(n.text), n.end+240)] }

// literal returns the value at a place: a string with its prefix and quotes, or a bare word.
func (n named) literal(at int) (sp edits.Span, quoted, ok bool) {
	text := n.text
	for at+1 < len(text) && strings.IndexByte("bBrRfFuU@&", text[at]) >= 0 && quote(text[at+1]) {
		at++ // a string prefix
	}
	backslashes := set(`\`).run(text, at)
	if at += backslashes; at >= len(text) || !quote(text[at]) {
		at -= backslashes
		end := bareEnd(text, at)
		return edits.Span{Start: at, End: end}, false, end > at && !isCode(text, at, end)
	}
	if long := strings.Repeat(text[at:at+1], 3); strings.HasPrefix(text[at:], long) {
		length := strings.Index(text[at+3:min(len(text), at+400)], long)
		return edits.Span{Start: at + 3, End: at + 3 + length}, true, length > 0
	}
	close := quotedEnd(text, at+1, text[at], backslashes)
	return edits.Span{Start: at + 1, End: close}, true, close > at+1
}

// match returns the value behind a syntax that a pattern of the text behind the name skips. The
// value must be in quotes if it says so.
func (n named) match(p *regexp.Regexp, quotes bool) (edits.Span, bool) {
	skipped := p.FindString(n.rest())
	if skipped == "" {
		return edits.Span{}, false
	}
	sp, quoted, ok := n.literal(n.end + len(skipped))
	return sp, ok && (quoted || !quotes)
}

var (
	fallback = regexp.MustCompile(`^["'\])]*\s*(?:\|\||\?\?)\s*|^["']?[)\]]\s*or\s+|^["'\])]*\.(?:\w*[oO]r|\w*_or|\w*[eE]lse|\w*[dD]efault)\w*\(\s*(?:\|\|\s*)?|^["']\)\s*(?:\{|do\b)\s*`)
	// wrapped is an assignment with a type, on the next line, or to what makes a value of the string.
	wrapped = regexp.MustCompile("^[\"'`\\])}*\\\\]{0,6}(?:\\[\\d*\\])?\\??(?: As \\w+|[ \t]*:[ \t]*[&*]?(?:'\\w+ )?(?:mut )?[\\w.:<>?*]+(?:\\[\\w*\\])?)?[ \t]*(?:\\{[^{}\n]{0,40}\\}[ \t]*)?" +
		"(?:(?:\\|\\||\\?\\?|[:?+])?=>?|:|->|<-|[\"'][ \t]*to\\b)\\s*(?:[(\\[{]\\s*)?(?:(?:&|new )?[\\w.:\\[\\]]*(?:[sS]tring|[bB]ytes?|from|Field|Secret\\w*|[lL]iteral|[tT]ext|[vV]alue|[dD]ecode|[bB]uffer|wrap|quote)\\(\\s*(?:\\w+\\s*=\\s*)?)?")
	scheme = regexp.MustCompile(`^["']?\s*[:=,]\s*["']?(?:[A-Za-z]+\s+)`)
	pairOf = regexp.MustCompile("^\\s*[=:]\\s*[(\\[]\\s*(?:\"[^\"\\n]*\"|'[^'\\n]*')\\s*,\\s*")
)

// assignedTo is NAME = VALUE in the syntax of programs, configuration files and markup, with a
// default behind "||", the scheme of a header, or the user of a pair before it.
func assignedTo(n named) (edits.Span, form, bool) {
	if sp, ok := n.match(fallback, true); ok {
		return sp, quotedForm, true
	}
	if sp, ok := n.match(pairOf, true); ok {
		return sp, quotedForm, true
	}
	if sp, ok := n.match(wrapped, true); ok {
		return sp, quotedForm, true
	}
	if strings.EqualFold(n.text[max(0, n.end-len("authorization")):n.end], "authorization") {
		if skipped := scheme.FindString(n.rest()); skipped != "" {
			at := n.end + len(skipped)
			return edits.Span{Start: at, End: at + token.run(n.text, at)}, bareForm, true
		}
	}
	sp, quoted, ok := assignedValue(n.text, n.end)
	if ok && quoted {
		return sp, quotedForm, true
	}
	return sp, bareForm, ok && sp.End > sp.Start
}

var (
	valueKey = regexp.MustCompile(`^["'\]]*\s*(?:,\s*["']?\w{1,16}["']?\s*[:=]\s*(?:"[^"\n]{0,40}"|'[^'\n]{0,40}'|\w+)\s*){0,3},?\s*["']?\w{0,16}[vV]alue["']?\s*[:=]\s*`)
	inObject = regexp.MustCompile(`^["']?\s*[:=]?\s*\{[^{}]{0,120}?\b(?:value|default)["']?\s*[:=]\s*`)
)

// besideName is the value of an object that has the name as another value:
// {"name": NAME, "value": VALUE}, NAME = { value = VALUE }.
func besideName(n named) (edits.Span, form, bool) {
	if sp, ok := n.match(valueKey, false); ok {
		return sp, quotedForm, true
	}
	sp, ok := n.match(inObject, true)
	return sp, quotedForm, ok
}

var valueBefore = regexp.MustCompile(`["']?\w{0,16}[vV]alue["']?\s*[:=]\s*["']([^"'\n]{4,160})["']\s*,?\s*["']?(?:[nN]ame|[kK]ey)["']?\s*[:=]\s*["']$`)

// beforeName is the same object, its value first.
func beforeName(n named) (edits.Span, form, bool) {
	from := max(0, n.start-240)
	before := n.text[from:n.start]
	if before == "" || !quote(before[len(before)-1]) || !strings.Contains(before, "alue") {
		return edits.Span{}, 0, false
	}
	at := valueBefore.FindStringSubmatchIndex(before)
	if at == nil {
		return edits.Span{}, 0, false
	}
	return edits.Span{Start: from + at[2], End: from + at[3]}, quotedForm, true
}

var tagged = regexp.MustCompile(`^(?:\s*</\w+>\s*<\w+>|["']\s*>|>)\s*(?:<!\[CDATA\[)?`)

// inTag is the text of the element that the name names or that follows its key:
// <property name="NAME">VALUE</property>, <key>NAME</key><string>VALUE</string>.
func inTag(n named) (edits.Span, form, bool) {
	skipped := tagged.FindString(n.rest())
	if skipped == "" {
		return edits.Span{}, 0, false
	}
	at := n.end + len(skipped)
	length := strings.IndexByte(n.text[at:min(len(n.text), at+4096)], '<')
	if length > 0 {
		length = len(strings.TrimSuffix(strings.TrimRight(n.text[at:at+length], " \t\r\n"), "]]>"))
	}
	return edits.Span{Start: at, End: at + length}, quotedForm, length > 0 && !isCode(n.text, at, at+length)
}

var (
	listed = regexp.MustCompile("^[\"'`]\\)?(?:\\s*,\\s*|[ \t]+)")
	tuple  = regexp.MustCompile(`^\s*,\s*`)
)

// inList is the string behind the name in a list or among arguments: define('NAME', 'VALUE').
func inList(n named) (edits.Span, form, bool) {
	if n.start > 0 && n.text[n.start-1] == '{' {
		sp, ok := n.match(tuple, true)
		return sp, looseForm, ok
	}
	if n.start == 0 || !quote(n.text[n.start-1]) {
		return edits.Span{}, 0, false
	}
	if sp, ok := n.match(scheme, false); ok && strings.HasPrefix(n.rest()[1:], ",") && strings.HasSuffix(strings.ToLower(n.text[n.start:n.end]), "authorization") {
		return sp, looseForm, true
	}
	sp, ok := n.match(listed, true)
	argument := n.start > 1 && (n.text[n.start] == '-' || opensCall.MatchString(n.text[max(0, n.start-8):n.start]))
	inLine := !strings.Contains(n.text[n.end:max(n.end, sp.Start)], "\n")
	return sp, looseForm, ok && (argument || inLine && !strings.HasPrefix(n.text[sp.Start:sp.End], n.text[n.start:n.end]) && random(n.text[sp.Start:sp.End]))
}

var opensCall = regexp.MustCompile("\\w\\(\\s*[\"'`]$")

var called = regexp.MustCompile(`^[({]\s*`)

var brackets = map[byte]string{'(': ")", '{': "}"}

// inCall is the only argument of a call that the name names: setPassword("VALUE").
func inCall(n named) (edits.Span, form, bool) {
	sp, ok := n.match(called, true)
	return sp, looseForm, ok && strings.HasPrefix(strings.TrimLeft(n.text[sp.End+1:min(len(n.text), sp.End+8)], " "), brackets[n.text[n.end]])
}

var (
	nextLine = regexp.MustCompile(`^["']?:[ \t]*(?:[|>][-+]?)?[ \t]*\r?\n[ \t]*(?:- )?[ \t]*(?:(?:value|default):[ \t]+)?`)
	nextItem = regexp.MustCompile(`^["']?[ \t]*\r?\n[ \t]*-[ \t]+`)
)

// below is a value on the line below its name, alone there.
func below(n named) (edits.Span, form, bool) {
	sp, ok := n.match(nextLine, false)
	if !ok && n.text[n.start] == '-' {
		sp, ok = n.match(nextItem, false)
	}
	if !ok {
		return edits.Span{}, 0, false
	}
	line := strings.LastIndexByte(n.text[:n.start], '\n') + 1
	own := strings.LastIndexByte(n.text[:sp.Start], '\n') + 1
	depth := func(at int) int { return set(" \t").run(n.text, at) }
	if depth(own) <= depth(line) && n.text[own+depth(own)] != '-' {
		return edits.Span{}, 0, false
	}
	rest, _, _ := strings.Cut(n.text[sp.End:], "\n")
	return sp, looseForm, strings.Trim(rest, "\"', \t\r") == ""
}

var (
	blank     = regexp.MustCompile("^(?:[ \t]+(?:\\d[ \t])?(?:\\|[ \t])?|[\"'`]?[ \t]*\\|[ \t]+)")
	said      = regexp.MustCompile("^[\"'`*]{0,3}[ \t]+(?:is|was|(?:=[ \t]*)?--(?:body|value|data|text))[:= \t]+")
	directive = regexp.MustCompile(`(?i)^\s*(?:(?:ENV|ARG|set(?:env)?(?: -[a-z]+)?|enable|machine .*|login .*|default .*)\s+)?$`)
)

// behindBlank is a value with only a blank before it: an option of a command, a line of a
// configuration file, a string behind a keyword of SQL.
func behindBlank(n named) (edits.Span, form, bool) {
	if sp, ok := n.match(said, false); ok {
		return sp, looseForm, mixed(n.text[sp.Start:sp.End])
	}
	skipped := blank.FindString(n.rest())
	if skipped == "" {
		return edits.Span{}, 0, false
	}
	sp, quoted, ok := n.literal(n.end + len(skipped))
	switch {
	case !ok || n.text[sp.Start] == '$' || n.text[sp.Start] == '-':
		return edits.Span{}, 0, false
	case quoted, n.start > 0 && n.text[n.start] == '-':
		return sp, looseForm, true
	}
	line := strings.LastIndexByte(n.text[:n.start], '\n') + 1
	rest, _, _ := strings.Cut(n.text[sp.End:], "\n")
	if strings.Contains(skipped, "|") {
		return sp, looseForm, strings.Trim(rest, " \t\r|") == ""
	}
	return sp, looseForm, strings.TrimSpace(rest) == "" && directive.MatchString(n.text[line:n.start])
}
