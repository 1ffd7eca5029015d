package syntax

import (
	"fmt"
	"strings"

	"tandem/edits"
)

// A balance describes how to find the brackets of a language.
type balance struct {
	directives bool   // lines that begin with # are for a preprocessor
	nested     bool   // block comments nest
	triple     bool   // """ begins a text of several lines
	verbatim   bool   // @" begins one, in which "" means "
	rawRust    bool   // r#" begins one
	rawCPP     bool   // R"x( begins one
	chars      string // quotes of strings and characters
	lifetimes  bool   // ' may begin a name
	multiline  bool   // " may span lines
}

var balances = map[string]balance{
	"java":   {triple: true, chars: `"'`},
	"kotlin": {triple: true, nested: true, chars: `"'`},
	"scala":  {triple: true, nested: true, chars: `"'`, lifetimes: true},
	"csharp": {directives: true, triple: true, verbatim: true, chars: `"'`},
	"c":      {directives: true, chars: `"'`},
	"cpp":    {directives: true, rawCPP: true, chars: `"'`},
	"rust":   {nested: true, rawRust: true, chars: `"'`, lifetimes: true, multiline: true},
	"swift":  {triple: true, nested: true, chars: `"`},
	"dart":   {triple: true, chars: `"'`},
	"proto":  {chars: `"'`},
	"proto3": {chars: `"'`},
}

// A balancer reads one text.
type balancer struct {
	*report
	balance
	at    int
	stack []int // offsets of open brackets
}

func (r *report) balance(how balance) {
	b := &balancer{report: r, balance: how}
	for b.at < len(b.text) && len(b.found) == 0 {
		b.step()
	}
	if n := len(b.stack); n > 0 && len(b.found) == 0 {
		b.add(edits.Span{Start: b.stack[n-1], End: b.stack[n-1] + 1}, unclosed(b.text, b.stack[n-1]))
	}
}

// step reads one comment, string, bracket or other byte.
func (b *balancer) step() {
	rest := b.text[b.at:]
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "//"):
		b.at = until(b.text, b.at, "\n")
	case strings.HasPrefix(rest, "/*"):
		b.comment()
	case c == '#' && b.directives && b.startsLine():
		b.directive()
	case b.rawString(rest):
	case b.triple && (strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, `'''`) && strings.Contains(b.chars, "'")):
		b.block(rest[:3])
	case c == '\'' && b.lifetimes && !charLiteral(rest):
		b.at++
	case c == '\'' && b.at > 0 && wordByte(b.text[b.at-1]) && len(rest) > 1 && wordByte(rest[1]) && b.directives && digitBefore(b.text, b.at):
		b.at++ // separates digits
	case strings.IndexByte(b.chars, c) >= 0:
		b.str(c)
	case c == '(' || c == '[' || c == '{':
		b.stack = append(b.stack, b.at)
		b.at++
	case c == ')' || c == ']' || c == '}':
		b.close(c)
	default:
		b.at++
	}
}

func (b *balancer) startsLine() bool {
	line := b.text[strings.LastIndexByte(b.text[:b.at], '\n')+1 : b.at]
	return strings.TrimSpace(line) == ""
}

// digitBefore reports whether the word that ends at an offset begins as a
// number.
func digitBefore(text string, at int) bool {
	start := at
	for start > 0 && (wordByte(text[start-1]) || text[start-1] == '\'') {
		start--
	}
	return start < at && text[start] >= '0' && text[start] <= '9'
}

// charLiteral reports whether ' begins a character and not a lifetime.
func charLiteral(rest string) bool {
	if len(rest) < 3 {
		return false
	}
	if rest[1] == '\\' {
		return true
	}
	end := strings.IndexByte(rest[1:min(len(rest), 12)], '\'')
	return end > 0 && (end == 1 || rest[1] >= 0x80)
}

func (b *balancer) comment() {
	start, depth := b.at, 0
	for b.at < len(b.text) {
		switch rest := b.text[b.at:]; {
		case strings.HasPrefix(rest, "/*") && (b.nested || depth == 0):
			depth++
			b.at += 2
		case strings.HasPrefix(rest, "*/"):
			depth--
			b.at += 2
			if depth == 0 {
				return
			}
		default:
			b.at++
		}
	}
	b.add(edits.Span{Start: start, End: start + 2}, fmt.Sprintf("the comment that begins on line %d never ends", lineOf(b.text, start)))
}

// directive skips a preprocessor line. Of several alternatives, only the first
// counts for brackets.
func (b *balancer) directive() {
	end := b.at
	for {
		end = until(b.text, end, "\n")
		if end == len(b.text) || !strings.HasSuffix(strings.TrimSuffix(b.text[:end], "\r"), "\\") {
			break
		}
		end++
	}
	word := strings.TrimLeft(b.text[b.at+1:end], " \t")
	b.at = end
	if strings.HasPrefix(word, "else") || strings.HasPrefix(word, "elif") {
		b.skipAlternative()
	}
}

// skipAlternative skips to the #endif that ends the alternatives.
func (b *balancer) skipAlternative() {
	depth := 0
	for b.at < len(b.text) {
		end := until(b.text, b.at+1, "\n")
		line := strings.TrimSpace(b.text[b.at:end])
		word, directive := strings.CutPrefix(line, "#")
		word = strings.TrimLeft(word, " \t")
		switch {
		case directive && strings.HasPrefix(word, "if"):
			depth++
		case directive && strings.HasPrefix(word, "endif"):
			if depth == 0 {
				b.at = end
				return
			}
			depth--
		}
		b.at = end
	}
}

// rawString skips a string without escapes, if one begins here.
func (b *balancer) rawString(rest string) bool {
	before := b.at > 0 && wordByte(b.text[b.at-1])
	switch {
	case b.rawRust && !before && (rest[0] == 'r' || strings.HasPrefix(rest, "br") || strings.HasPrefix(rest, "cr")):
		i := strings.IndexByte(rest, 'r') + 1
		hashes := len(rest[i:]) - len(strings.TrimLeft(rest[i:], "#"))
		if i+hashes >= len(rest) || rest[i+hashes] != '"' {
			return false
		}
		return b.endsWith(i+hashes+1, `"`+strings.Repeat("#", hashes))
	case b.rawCPP && strings.HasPrefix(rest, `R"`):
		open := strings.IndexByte(rest, '(')
		if open < 0 || open > 18 {
			return false
		}
		return b.endsWith(open+1, ")"+rest[2:open]+`"`)
	case b.verbatim && (strings.HasPrefix(rest, `@"`) || strings.HasPrefix(rest, `$@"`) || strings.HasPrefix(rest, `@$"`)):
		b.at += strings.IndexByte(rest, '"')
		for {
			b.at = until(b.text, b.at+1, `"`) + 1
			if b.at >= len(b.text) || b.text[b.at] != '"' {
				b.at = min(b.at, len(b.text))
				return true
			}
		}
	}
	return false
}

func (b *balancer) endsWith(skip int, mark string) bool {
	start := b.at
	end := until(b.text, b.at+skip, mark)
	if end == len(b.text) {
		b.add(edits.Span{Start: start, End: start + skip}, fmt.Sprintf("the string that begins on line %d never ends", lineOf(b.text, start)))
	}
	b.at = min(end+len(mark), len(b.text))
	return true
}

// block skips a text between three or more quotes.
func (b *balancer) block(mark string) {
	start := b.at
	n := 3
	for start+n < len(b.text) && b.text[start+n] == mark[0] && b.verbatim {
		n++
	}
	mark = strings.Repeat(mark[:1], n)
	for at := start + n; ; {
		end := until(b.text, at, mark)
		if end == len(b.text) {
			b.add(edits.Span{Start: start, End: start + n}, fmt.Sprintf("the text that begins on line %d never ends", lineOf(b.text, start)))
			b.at = end
			return
		}
		if slashes := len(b.text[:end]) - len(strings.TrimRight(b.text[:end], `\`)); slashes%2 == 0 || b.verbatim {
			b.at = end + n
			for b.at < len(b.text) && b.text[b.at] == mark[0] {
				b.at++
			}
			return
		}
		at = end + 1
	}
}

// str skips a string or a character.
func (b *balancer) str(quote byte) {
	start := b.at
	for i := start + 1; i < len(b.text); i++ {
		switch c := b.text[i]; {
		case c == '\\':
			i++
			if i < len(b.text) && b.text[i] == '\r' {
				i++
			}
		case c == quote:
			b.at = i + 1
			return
		case c == '\n' && !b.multiline:
			b.add(edits.Span{Start: start, End: start + 1}, fmt.Sprintf("the string that begins on line %d does not end there", lineOf(b.text, start)))
			b.at = i
			return
		}
	}
	b.add(edits.Span{Start: start, End: start + 1}, fmt.Sprintf("the string that begins on line %d never ends", lineOf(b.text, start)))
	b.at = len(b.text)
}

func (b *balancer) close(c byte) {
	span := edits.Span{Start: b.at, End: b.at + 1}
	b.at++
	n := len(b.stack)
	if n == 0 {
		b.add(span, fmt.Sprintf("%q closes nothing", string(c)))
		return
	}
	open := b.stack[n-1]
	if !matches(b.text[open], c) {
		b.add(span, fmt.Sprintf("%q does not close %q of line %d", string(c), b.text[open:open+1], lineOf(b.text, open)))
		return
	}
	b.stack = b.stack[:n-1]
}

func matches(open, close byte) bool {
	return open == '(' && close == ')' || open == '[' && close == ']' || open == '{' && close == '}'
}
