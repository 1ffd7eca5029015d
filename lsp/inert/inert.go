// Package inert makes text that a model wrote safe to show: markdown without
// images, HTML or links, and text without characters that hide text or control
// a terminal.
//
// Invariant: what Markdown returns parses to headings, paragraphs, lists,
// quotes, emphasis and code alone, and Markdown of it is itself. There is
// deliberately no list of good links here: tandem writes its own citations
// after the text was made inert.
package inert

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/redact"
)

// parser accepts what the most lenient client accepts, so links in plain text
// count too.
var parser = goldmark.New(goldmark.WithExtensions(extension.Linkify, extension.Strikethrough)).Parser()

// Markdown returns an inert form of markdown. Text that has no such form is
// returned as a block of code.
func Markdown(source string) string {
	source = Text(source)
	if out, ok := inertForm(source); ok {
		return out
	}
	return fence("text", strings.Trim(source, "\n"))
}

// inertForm is markdown written again, if that is inert and stays as it is.
func inertForm(source string) (out string, ok bool) {
	if !parsable(source) {
		return "", false
	}
	out = render(source)
	return out, parsable(out) && isInert(out) && render(out) == out
}

// parsable is false for what would end the program or take its time.
func parsable(source string) bool { return language.Parsable("markdown", source) == nil }

// Text removes the characters that hide text, reorder it or control a terminal:
// control characters except tab and line feed, bidi and zero-width marks, tags,
// and variation selectors. Line ends become line feeds.
func Text(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r >= ' ' && r < 0x7f, r == '\n', r == '\t':
			return r
		case r == unicode.ReplacementChar, unicode.IsControl(r), edits.HiddenKind(r) != "", edits.VariationSelector(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// link is the beginning of a link's target.
var link = regexp.MustCompile(`\](\(\s*<?[A-Za-z][A-Za-z0-9+.-]*:[^\s)])`)

// Message is Text without secrets, for the sentences that a client shows as plain text: errors,
// titles, reasons. Editors log these. Editors make links of markdown's links there too, those
// that run commands included, so they are taken apart.
func Message(s string) string { return link.ReplaceAllString(redact.Kept(Text(s)), "] $1") }

// Plain returns markdown as plain text, for clients that do not render it: the
// text stays, the markup is removed.
func Plain(source string) string {
	source = Text(source)
	if !parsable(source) {
		return source
	}
	b := []byte(source)
	var out strings.Builder
	_ = ast.Walk(parser.Parse(text.NewReader(b)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		plainNode(&out, n, b, entering)
		if entering && (n.Kind() == ast.KindCodeBlock || n.Kind() == ast.KindFencedCodeBlock) {
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(out.String())
}

func plainNode(out *strings.Builder, n ast.Node, source []byte, entering bool) {
	if !entering {
		switch n.(type) {
		case *ast.Paragraph, *ast.Heading:
			out.WriteString("\n\n")
		case *ast.TextBlock:
			out.WriteByte('\n')
		}
		return
	}
	switch n := n.(type) {
	case *ast.Text:
		out.WriteString(unescaped(n.Segment.Value(source)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			out.WriteByte('\n')
		}
	case *ast.AutoLink:
		out.Write(n.Label(source))
	case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
		out.WriteString(lines(n, source) + "\n\n")
	case *ast.ListItem:
		out.WriteString("- ")
	}
}

// isInert reports whether markdown has no image, link or raw HTML.
func isInert(source string) bool {
	ok := true
	_ = ast.Walk(parser.Parse(text.NewReader([]byte(source))), func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindImage, ast.KindLink, ast.KindAutoLink, ast.KindHTMLBlock, ast.KindRawHTML:
			ok = false
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return ok
}

// lines is the literal text of a block.
func lines(n ast.Node, source []byte) string {
	var out bytes.Buffer
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		out.Write(segment.Value(source))
	}
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		out.Write(h.ClosureLine.Value(source))
	}
	return strings.Trim(out.String(), "\n")
}
