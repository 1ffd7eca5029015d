package dynamic

import (
	"strings"

	"tandem/workspace/language"
	"tandem/workspace/syntax"
)

// withFields returns the tokens of a Python text with those of the replacement fields of its
// f-strings, between the parts of the strings.
func withFields(text string, toks []language.Token) []language.Token {
	var out []language.Token
	for i, t := range toks {
		var parts []language.Token
		if t.Kind == language.String && !t.Unended {
			parts = fieldsOf(text, t)
		}
		if parts != nil && out == nil {
			out = append(make([]language.Token, 0, len(toks)+len(parts)+64), toks[:i]...)
		}
		switch {
		case parts != nil:
			out = append(out, parts...)
		case out != nil:
			out = append(out, t)
		}
	}
	if out == nil {
		return toks
	}
	return out
}

// fieldsOf are the tokens of an f-string; nil for a string that has no replacement field, or
// one in which something is not clear.
func fieldsOf(text string, t language.Token) []language.Token {
	s := text[t.Start:t.End]
	quote := strings.IndexAny(s, `"'`)
	if quote < 1 || !strings.ContainsAny(s[:quote], "fFtT") || strings.IndexByte(s, '{') < 0 {
		return nil
	}
	end := t.End - 1
	if strings.HasPrefix(s[quote:], `"""`) || strings.HasPrefix(s[quote:], `'''`) {
		end -= 2
	}
	f := &fields{text: text, from: t.Start, end: end}
	if !f.literal(t.Start+quote+1, false) || len(f.out) == 0 {
		return nil
	}
	f.part(t.End)
	return f.out
}

// fields reads an f-string.
type fields struct {
	text      string
	from, end int // where the part of the string begins that is read, and where the string ends
	out       []language.Token
}

// part ends a part of the string.
func (f *fields) part(end int) {
	if f.from < end {
		f.out = append(f.out, language.Token{Kind: language.String, Start: f.from, End: end})
	}
}

// literal reads from a place between fields to the end of the string, or to that of the field
// whose format it is; it is false where the braces do not match.
func (f *fields) literal(at int, format bool) bool {
	for at < f.end {
		switch c := f.text[at]; {
		case c == '{' && !format && f.text[at+1] == '{', c == '}' && !format && f.text[at+1] == '}':
			at += 2
		case c == '\\' && strings.HasPrefix(f.text[at:], `\N{`):
			at += 3 // the name of a character; its brace is passed over below
			for at < f.end && f.text[at] != '}' {
				at++
			}
			at++
		case c == '{':
			f.part(at)
			next, ok := f.field(at)
			if !ok {
				return false
			}
			at, f.from = next, next
		case c == '}' && format:
			f.part(at)
			f.from = at
			return true
		case c == '}':
			return false
		default:
			at++
		}
	}
	return !format
}

// field reads a replacement field, and returns where it ends.
func (f *fields) field(open int) (end int, ok bool) {
	f.out = append(f.out, language.Token{Kind: language.Operator, Start: open, End: open + 1})
	depth, at := 0, open+1
	for ; at < f.end; at++ {
		switch c := f.text[at]; {
		case c == '\\' || c == '#':
			return 0, false // older versions read it otherwise than newer ones
		case c == '\'' || c == '"':
			length := strings.IndexByte(f.text[at+1:f.end], c)
			if length < 0 {
				return 0, false
			}
			at += length + 1
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case depth > 0 && strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && (c == '}' || c == ':' || c == '!' && f.text[at+1] != '='):
			if !f.expression(open+1, at) {
				return 0, false
			}
			if c != '}' {
				for f.from = at; at < f.end && f.text[at] != ':' && f.text[at] != '}'; at++ {
				}
				if !f.literal(at, true) {
					return 0, false
				}
				at = f.from
			}
			f.out = append(f.out, language.Token{Kind: language.Operator, Start: at, End: at + 1})
			return at + 1, true
		}
	}
	return 0, false
}

// expression adds the tokens of what stands in a field; it is false where that is none.
func (f *fields) expression(start, end int) bool {
	code := strings.TrimLeft(f.text[start:end], " \t\r\n")
	start = end - len(code)
	code = strings.TrimRight(code, " \t\r\n")
	if shown, ok := strings.CutSuffix(code, "="); ok { // it is printed with its value
		code = shown
	}
	toks, problems := syntax.Python(code)
	if code == "" || len(problems) > 0 {
		return false
	}
	for _, t := range withFields(code, toks) {
		if t.Kind != language.Newline && t.Kind != language.Indent && t.Kind != language.Dedent {
			t.Start, t.End = t.Start+start, t.End+start
			f.out = append(f.out, t)
		}
	}
	return true
}
