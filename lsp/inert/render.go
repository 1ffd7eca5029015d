package inert

import (
	"html"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// render writes markdown again from its syntax tree, without images, links and
// raw HTML: those become plain text or code.
func render(source string) string {
	b := []byte(source)
	r := renderer{source: b}
	return strings.Trim(r.blocks(parser.Parse(text.NewReader(b))), "\n")
}

type renderer struct{ source []byte }

// blocks renders the children of a container, with an empty line between them,
// except in an item of a tight list.
func (r renderer) blocks(parent ast.Node) string {
	var out strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		s := r.block(n)
		if s == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
			if n.PreviousSibling() == nil || n.PreviousSibling().Kind() != ast.KindTextBlock {
				out.WriteByte('\n')
			}
		}
		out.WriteString(s)
	}
	return out.String()
}

func (r renderer) block(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Heading:
		return strings.Repeat("#", n.Level) + " " + strings.ReplaceAll(r.inlines(n), "\n", " ")
	case *ast.ThematicBreak:
		return "---"
	case *ast.FencedCodeBlock:
		return fence(languageOf(string(n.Language(r.source))), lines(n, r.source))
	case *ast.CodeBlock:
		return fence("", lines(n, r.source))
	case *ast.HTMLBlock:
		return fence("text", lines(n, r.source))
	case *ast.Blockquote:
		return indent(r.blocks(n), "> ", "> ")
	case *ast.List:
		return r.list(n)
	case *ast.LinkReferenceDefinition:
		return ""
	}
	return r.inlines(n)
}

func (r renderer) list(n *ast.List) string {
	var out []string
	number := max(n.Start, 1)
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "- "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		if body := r.blocks(item); body != "" {
			out = append(out, indent(body, mark, strings.Repeat(" ", len(mark))))
		}
	}
	return strings.Join(out, "\n")
}

// indent puts first before the first line and rest before the others.
func indent(s, first, rest string) string {
	all := strings.Split(s, "\n")
	for i := range all {
		switch {
		case i == 0:
			all[i] = first + all[i]
		case all[i] != "" || strings.HasPrefix(rest, ">"):
			all[i] = strings.TrimRight(rest+all[i], " ")
		}
	}
	return strings.Join(all, "\n")
}

// inlines renders the text of a block, line by line.
func (r renderer) inlines(parent ast.Node) string {
	var out strings.Builder
	r.children(&out, parent)
	all := strings.Split(out.String(), "\n")
	for i := range all {
		all[i] = lineStart(strings.TrimSpace(all[i]))
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}

func (r renderer) inline(out *strings.Builder, n ast.Node) {
	switch n := n.(type) {
	case *ast.CodeSpan:
		out.WriteString(codeSpan(r.literal(n)))
	case *ast.AutoLink:
		out.WriteString(codeSpan(string(n.Label(r.source))))
	case *ast.RawHTML:
		var raw strings.Builder
		for i := range n.Segments.Len() {
			segment := n.Segments.At(i)
			raw.Write(segment.Value(r.source))
		}
		out.WriteString(codeSpan(raw.String()))
	case *ast.Emphasis:
		mark := strings.Repeat("*", n.Level)
		r.marked(out, n, mark)
	case *extast.Strikethrough:
		r.marked(out, n, "")
	default: // links and images become their text
		r.children(out, n)
	}
}

// children renders what is inside n. Adjacent pieces of text are one text: the
// parser splits it wherever markup might have begun.
func (r renderer) children(out *strings.Builder, n ast.Node) {
	plain := ""
	flush := func() {
		out.WriteString(plainText(plain))
		plain = ""
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			flush()
			r.inline(out, c)
			continue
		}
		plain += unescaped(t.Segment.Value(r.source))
		if t.SoftLineBreak() || t.HardLineBreak() {
			flush()
			out.WriteByte('\n')
		}
	}
	flush()
}

func (r renderer) marked(out *strings.Builder, n ast.Node, mark string) {
	var inside strings.Builder
	r.children(&inside, n)
	if s := strings.TrimSpace(inside.String()); s != "" {
		out.WriteString(mark + s + mark)
	}
}

// literal is the text of a code span.
func (r renderer) literal(n ast.Node) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			out.Write(t.Segment.Value(r.source))
		}
	}
	return out.String()
}

// codeSpan writes code inside a line.
func codeSpan(code string) string {
	code = strings.TrimSpace(strings.ReplaceAll(code, "\n", " "))
	if code == "" {
		return ""
	}
	mark := strings.Repeat("`", longestRun(code)+1)
	if strings.HasPrefix(code, "`") || strings.HasSuffix(code, "`") {
		code = " " + code + " "
	}
	return mark + code + mark
}

// fence writes a block of code.
func fence(language, code string) string {
	mark := strings.Repeat("`", max(3, longestRun(code)+1))
	return mark + language + "\n" + code + "\n" + mark
}

// longestRun is the length of the longest run of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// languageOf is an info string that only selects syntax colours: a language that
// clients render as a drawing becomes text.
func languageOf(info string) string {
	clean := strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("+#-_", r)) {
			return r
		}
		return -1
	}, info)
	switch strings.ToLower(clean) {
	case "mermaid", "html", "svg", "math", "latex", "tex", "dot", "graphviz", "plantuml", "geojson", "topojson", "stl":
		return "text"
	}
	return clean
}

// plainText escapes text so that it has no markup. Words that some clients turn
// into links become code, and so do names such as __init__.py, whose escapes some
// clients would show.
func plainText(s string) string {
	var out strings.Builder
	for i, part := range strings.Split(s, " ") {
		if i > 0 {
			out.WriteByte(' ')
		}
		if linkLike(part) {
			out.WriteString(codeSpan(strings.ReplaceAll(part, "`", "'")))
			continue
		}
		rest := strings.TrimLeft(part, "(")
		if name := strings.TrimRight(rest, ".,:;!?)"); named(name) {
			out.WriteString(part[:len(part)-len(rest)] + codeSpan(name))
			part = rest[len(name):]
		}
		out.WriteString(escape(part))
	}
	return out.String()
}

// named reports whether a word is a name or a path with an underscore that has to be escaped,
// and with nothing else that has.
func named(word string) bool {
	escaped := escape(word)
	return escaped != word && strings.ReplaceAll(escaped, `\_`, "_") == word && !strings.ContainsAny(word, "\n\t")
}

// linkLike reports whether a client may take a word for an address.
func linkLike(word string) bool {
	lower := strings.ToLower(word)
	for _, mark := range []string{"://", "www.", "mailto:", "command:", "javascript:", "vscode:", "data:", "xmpp:"} {
		if strings.Contains(lower, mark) {
			return true
		}
	}
	name, host, ok := strings.Cut(lower, "@")
	return ok && name != "" && strings.Contains(host, ".")
}

// escape writes a backslash before characters that would begin markup.
func escape(s string) string {
	var out strings.Builder
	all := []rune(s)
	at := func(i int) rune {
		if i < 0 || i >= len(all) {
			return ' '
		}
		return all[i]
	}
	for i, r := range all {
		if needsEscape(r, at(i-1), at(i+1)) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

func needsEscape(r, before, after rune) bool {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	switch r {
	case '`', '[', ']', '<', '~':
		return true
	case '*':
		return before != ' ' || after != ' '
	case '_':
		return !word(before) || !word(after)
	case '\\':
		return after < 0x80 && (unicode.IsPunct(after) || unicode.IsSymbol(after)) || after == ' '
	case '&':
		return after == '#' || word(after)
	case '!':
		return after == '['
	}
	return false
}

// lineStart escapes characters that would begin a block at the start of a line.
func lineStart(line string) string {
	if line == "" {
		return line
	}
	if strings.ContainsRune("#>+-=|", rune(line[0])) {
		return `\` + line
	}
	digits := strings.IndexFunc(line, func(r rune) bool { return r < '0' || r > '9' })
	if digits > 0 && (line[digits] == '.' || line[digits] == ')') {
		return line[:digits] + `\` + line[digits:]
	}
	return line
}

// unescaped is a piece of source with its escapes and entities decoded.
func unescaped(raw []byte) string {
	s := string(raw)
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] < 0x80 && (unicode.IsPunct(rune(s[i+1])) || unicode.IsSymbol(rune(s[i+1]))):
			out.WriteByte(s[i+1])
			i += 2
		case s[i] == '&':
			end := strings.IndexByte(s[i:], ';')
			if end < 0 || end > 40 {
				out.WriteByte('&')
				i++
				continue
			}
			out.WriteString(Text(html.UnescapeString(s[i : i+end+1])))
			i += end + 1
		default:
			out.WriteByte(s[i])
			i++
		}
	}
	return out.String()
}
