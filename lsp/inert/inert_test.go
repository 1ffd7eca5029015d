package inert

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

func TestMarkdownKeepsWhatIsHarmless(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"Plain words.", "Plain words."},
		{"# Title\n\ntext *soft* **loud** `code`", "# Title\n\ntext *soft* **loud** `code`"},
		{"- one\n- two\n  - three", "- one\n- two\n  - three"},
		{"1. one\n2. two", "1. one\n2. two"},
		{"```go\nfunc f() {}\n```", "```go\nfunc f() {}\n```"},
		{"> quoted\n> more", "> quoted\n> more"},
		{"snake_case and a * b and foo(bar)", "snake_case and a * b and foo(bar)"},
		{"[words](https://evil.example/x)", "words"},
		{"![alt](https://evil.example/x.png)", "alt"},
		{"see https://evil.example/?q=1 now", "see `https://evil.example/?q=1` now"},
		{"<img src=x onerror=y>", "```text\n<img src=x onerror=y>\n```"},
		{"a <b>c</b>", "a `<b>`c`</b>`"},
		{"a\u202eb\u200bc\x1b[31md", "abc\\[31md"},
		{"```mermaid\ngraph TD\n```", "```text\ngraph TD\n```"},
	} {
		if got := Markdown(c.source); got != c.want {
			t.Errorf("Markdown(%q) = %q, want %q", c.source, got, c.want)
		}
	}
}

// corpus is every dangerous piece in every place where it can occur.
func corpus() []string {
	urls := []string{"https://evil.example/a?d=1", "http://evil.example", "//evil.example", "data:text/html;base64,AAAA",
		"javascript:alert(1)", "command:workbench.action.terminal.sendSequence", "vscode://x/y", "file:///etc/passwd", "mailto:a@evil.example"}
	pieces := []string{"<script>alert(1)</script>", "<img src=x>", "<!-- c -->", "<?php ?>", "<![CDATA[x]]>", "<!DOCTYPE x>",
		"a\u202eb", "\x1b]0;t\x07", "\u009b31m", "\U000E0041\U000E0042", "\u200b\u2060\ufeff\u00ad", "&lt;b&gt;", "&#60;img src=x&#62;", "&#x1b;[2J"}
	for _, u := range urls {
		pieces = append(pieces, "[a]("+u+")", "![a]("+u+")", "<"+u+">", u, "[a]: "+u+"\n\n[a]", "![a]\n\n[a]: "+u,
			"[![a]("+u+")]("+u+")", `<a href="`+u+`">x</a>`, "[a][b]\n\n[b]: "+u+" 'title'", "["+u+"]("+u+")", "&#91;a]("+u+")", "\\[a]("+u+")")
	}
	places := []string{"%s", "text %s text", "- %s", "> %s", "# %s", "**%s**", "1. a\n\n   %s", "| a | b |\n|---|---|\n| %s | c |", "<details>\n\n%s\n\n</details>"}
	var out []string
	for _, place := range places {
		for _, piece := range pieces {
			out = append(out, fmt.Sprintf(place, piece))
		}
	}
	return out
}

func TestMarkdownIsInert(t *testing.T) {
	all := corpus()
	if len(all) < 400 {
		t.Fatalf("the corpus has %d items, want 400", len(all))
	}
	for _, source := range all {
		checkInert(t, source)
	}
}

// checkInert checks with its own parser, which accepts more than the sanitiser's.
func checkInert(t *testing.T, source string) {
	t.Helper()
	out := Markdown(source)
	if Markdown(out) != out {
		t.Errorf("Markdown(%q) = %q, and of that %q", source, out, Markdown(out))
	}
	lenient := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser()
	_ = ast.Walk(lenient.Parse(text.NewReader([]byte(out))), func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindImage, ast.KindLink, ast.KindAutoLink, ast.KindHTMLBlock, ast.KindRawHTML:
			t.Errorf("Markdown(%q) = %q, which has a %s", source, out, n.Kind())
		}
		return ast.WalkContinue, nil
	})
	for _, r := range out {
		if r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff || r == 0xad || r >= 0xe0000 && r <= 0xe01ef) {
			t.Errorf("Markdown(%q) = %q, which has %U", source, out, r)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	for i, source := range corpus() {
		if i%7 == 0 {
			f.Add(source)
		}
	}
	f.Fuzz(func(t *testing.T, source string) { checkInert(t, source) })
}

func TestPlain(t *testing.T) {
	got := Plain("# Title\n\nsome *soft* `code` [words](https://x.example)\n\n- one\n- two\n\n```go\nf()\n```\n")
	for _, want := range []string{"Title", "some soft code words", "- one", "- two", "f()"} {
		if !strings.Contains(got, want) {
			t.Errorf("Plain gave %q, which lacks %q", got, want)
		}
	}
	if strings.ContainsAny(got, "*`#") || strings.Contains(got, "x.example") {
		t.Errorf("Plain gave %q, which has markup", got)
	}
}

// TestMessage: no editor makes a link of a message, and code in it stays as it is.
func TestMessage(t *testing.T) {
	for source, want := range map[string]string{
		"step [click](command:evil.run?%5B1%5D) failed":        "step [click] (command:evil.run?%5B1%5D) failed",
		"![a](HTTP://evil.example) [b]( <file:///etc/passwd>)": "![a] (HTTP://evil.example) [b] ( <file:///etc/passwd>)",
		"[a\u200b]\u202e(command:x)":                           "[a] (command:x)",
		"handlers[i](x) and f[T](a, b) and m[k](n: 1)":         "handlers[i](x) and f[T](a, b) and m[k](n: 1)",
	} {
		if got := Message(source); got != want || Message(got) != got {
			t.Errorf("Message(%q) = %q, want %q", source, got, want)
		}
	}
}

// TestNames: a name with an underscore that would begin markup is code, since some clients show
// the escape; one within a word stays.
func TestNames(t *testing.T) {
	for source, want := range map[string]string{
		"see a/_compat.py:5-6: it":                   "see `a/_compat.py:5-6`: it",
		"\\_\\_init\\_\\_.py, list_test.go and \\_x": "`__init__.py`, list_test.go and `_x`",
		"(a_) [_b]": "(`a_`) \\[\\_b\\]",
	} {
		if got := Markdown(source); got != want || Markdown(got) != got {
			t.Errorf("Markdown(%q) = %q, then %q, want %q", source, got, Markdown(got), want)
		}
	}
}

// A hostile answer of a quarter of a megabyte ends neither the process, whose stack is as
// small here, nor takes memory that grows faster than it.
func TestHostileMarkdown(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(16 << 20))
	length := 1 << 18
	if testing.Short() { // with the race detector, whose stacks and memory are other ones
		length = 1 << 14
		debug.SetMaxStack(256 << 20)
	}
	for unit := range strings.FieldsSeq("[ [[ > >_ *_ -_ 1._ * ** _ *a _a **a_ ` ```\n ![ ]( [a]( [^ < <a <a> <!-- ~ \\ &amp; _ - 1.\n http://a_ x") {
		source := strings.Repeat(strings.ReplaceAll(unit, "_", " "), length/len(unit))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Markdown(source)
		Plain(source)
		Answer(source)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 512<<20 {
			t.Errorf("%q took %d MB of memory", unit, used>>20)
		}
	}
}
