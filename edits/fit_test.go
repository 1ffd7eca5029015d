package edits

import (
	"errors"
	"strings"
	"testing"
)

// knows is a workspace that has some names.
type knows []string

func (k knows) Check([]FileChange) ([]Finding, []string) { return nil, nil }
func (k knows) Imports(FileChange) []Edit                { return nil }
func (k knows) Known(word string) bool {
	for _, name := range k {
		if name == word {
			return true
		}
	}
	return false
}

// fitted inserts a text at the place marked § of a document, and returns the document then,
// or the code of the refusal.
func fitted(t *testing.T, doc, text string, s Style, known Names) string {
	t.Helper()
	before, after, _ := strings.Cut(doc, "§")
	base := NewText(before + after)
	e, err := Fit(base, Edit{Span{len(before), len(before)}, text}, s, known)
	if coded := (*Error)(nil); errors.As(err, &coded) {
		return "error " + string(coded.Code)
	}
	again, err := Fit(base, e, s, known)
	if err != nil || again != e {
		t.Errorf("%q in %q: fitted again, %v becomes %v (%v)", text, doc, e, again, err)
	}
	out, err := Apply(base, []Edit{e})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFitEchoes(t *testing.T) {
	t.Parallel()
	loop := "def f(prices):\n    total = 0\n    for price in prices:\n        §\n    return total\n"
	at := func(typed, then string) string { return strings.Replace(loop, "§", typed+then, 1) }
	tests := []struct{ name, doc, text, want string }{
		{"one letter", at("t", "§"), "total += price", at("total += price", "")},
		{"two letters", at("to", "§"), "total += price", at("total += price", "")},
		{"the last word", at("x = tot", "§"), "total", at("x = total", "")},
		{"the line", at("total +", "§"), "total += price", at("total += price", "")},
		{"the line before too", at("total +", "§"), "    for price in prices:\n        total += price", at("total += price", "")},
		{"two lines before too", at("total +", "§"), "    total = 0\n    for price in prices:\n        total += price", at("total += price", "")},
		{"the line before alone", at("", "§"), "for price in prices:\n        total += price", at("total += price", "")},
		{"a line that may be meant twice", "tick()\ntick()\nb()\ntick()\n§\n", "tick()\nc()", "error ambiguous"},
		{"one letter of an unknown word", at("q", "§"), "quantity = 1", "error ambiguous"},
		{"one letter of a known one", at("q", "§"), "quality = 1", at("quality = 1", "")},
		{"in a pair of quotes", "x = total\nprint(\"to§\")\n", "total", "x = total\nprint(\"total\")\n"},
		{"after a quote", "import \"§\n", "\"fmt\"", "import \"fmt\"\n"},
		{"a tag", "<a>\n  <div§\n</a>\n", "<div id=\"x\">", "<a>\n  <div id=\"x\">\n</a>\n"},
		{"in other quotes", "“how are§\n", "\"how are you", "“how are you\n"},
		{"the middle of a word", "bo§\n", "ok", "book\n"},
		{"the end of one", "ski§\n", "ing", "skiing\n"},
		{"brackets", "f(§\n", "())", "f(())\n"},
		{"a heading's line", "Title\n---§\n", "-----", "Title\n-----\n"},
		{"a heading's line from there on", "Title\n---§\n", "--", "Title\n-----\n"},
		{"a brace of another block", "{\n  {\n    {\n    }\n  }\n§\n", "}\n", "{\n  {\n    {\n    }\n  }\n}\n\n"},
		{"a list goes on", "x = [1, 0, §]\n", "0, 1", "x = [1, 0, 0, 1]\n"},
		{"a word twice", "bar§ barbar\nbar\n", "bar", "error ambiguous"},
		{"a command that is elsewhere too", "shift\na\n\nb\nshift\n§\n", "shift\nc", "error ambiguous"},
		{"a closing word deeper than the one before", "if (x)\n\ta\nelse if (y)\n\t§\n", "else if (y)\n\tb c d", "if (x)\n\ta\nelse if (y)\n\tb c d\n"},
		{"a brace before the line, in a block of its own", "void f()\n{ pool\n{\n    a§\n}}\n", "{\n    abc d", "void f()\n{ pool\n{\n    abc d\n}}\n"},
		{"a part of a path", "x = \"com.jimfs:§\n", "jimfs:1.3\"", "error ambiguous"},
		{"the rule that begins what another ends", "---\n§\n\nb\n", "---\n\na", "error ambiguous"},
		{"a word that begins as the one before it", "bool§ x\nboolean\n", " boolean = f", "error ambiguous"},
		{"two lines, a command that is elsewhere too and one more", "f {\n    open()\n    a = 1\n\n    open()\n    check(1)\n    §\n", "open()\n    check(1)\n}", "error ambiguous"},
		{"both ends", "one two\n\n// first§\nlast one\n", "// first line\nlast one", "error ambiguous"},
		{"nothing new", at("total", "§"), "total", "error unchanged"},
	}
	for _, c := range tests {
		if got := fitted(t, c.doc, c.text, Style{Unit: "    "}, knows{"quality"}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFitWhatFollows(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, doc, text, want string }{
		{"a bracket that is there", "f(§)\n", "x)", "f(x)\n"},
		{"a bracket that the line needs", "f(g(§)\n", "x)", "f(g(x))\n"},
		{"a call in it", "f(§)\n", "g(x)", "f(g(x))\n"},
		{"two", "f(g(§))\n", "x))", "f(g(x))\n"},
		{"a quote", "f(\"§\")\n", "x\")", "f(\"x\")\n"},
		{"words", "a = § + total\n", "c + total", "a = c + total\n"},
		{"a number", "v1.§.0\n", "2.0", "error ambiguous"},
		{"lines below", "if a {\n\t§\n\treturn b\n}\n", "x()\n\treturn b\n}", "if a {\n\tx()\n\treturn b\n}\n"},
		{"the brace below", "func f() {\n\t§\n}\n", "return 1\n}", "func f() {\n\treturn 1\n}\n"},
		{"a brace that is needed", "func f() {\n\tif a {\n\t\t§\n}\n", "x()\n\t}", "func f() {\n\tif a {\n\t\tx()\n\t}\n}\n"},
		{"the next line alone", "\t§\n\treturn b\n", "return b", "error ambiguous"},
		{"a brace at the margin below", "f() {\n\tx='{'\n\ty§\n}\n", "=1\n}", "f() {\n\tx='{'\n\ty=1\n}\n"},
		{"a bracket of the line, behind one that the text closes", "f(() => g(h§)\n", "), 10", "f(() => g(h), 10)\n"},
		{"brackets that the line needs, whatever is open around it", "s := `(`\nf(x, c.a§);\n", "()", "s := `(`\nf(x, c.a());\n"},
		{"brackets that the line has, whatever is open around it", "s := `(`\nf(!r.a().un§());\n", "wrap());", "s := `(`\nf(!r.a().unwrap());\n"},
		{"numbers of a list", "x = [\n\t1,\n\t3§\n\t37,\n]\n", "6,\n\t37,", "error ambiguous"},
		{"a rule as long as its title", "Auto refresh\n~~~~~~~~~§~\n", "~~", "Auto refresh\n~~~~~~~~~~~~\n"},
		{"a comment's beginning", "/* a */\n§*\n * b\n */\n", "/*", "error ambiguous"},
		{"a command that is elsewhere too", "\tpop()\n\ta()\n\tpop()\n\tb()§\n\tpop()\n", "\n\tc()\n\tpop()", "error ambiguous"},
		{"a statement that nothing follows", "\tif a {\n\t\treturn nil\n\t}\n\tb()§\n\treturn nil\n", "\n\tc()\n\treturn nil", "\tif a {\n\t\treturn nil\n\t}\n\tb()\n\tc()\n\treturn nil\n"},
		{"the end of a condition that nothing is indented in", "ifdef A\nifdef B\n\tb§\nendif\n", "c\nendif", "error ambiguous"},
		{"a sign that is doubled", "a(&b)\nif §&\n", "a &", "error ambiguous"},
		{"a comparison", "\treturn from +§>2\n", " idx>", "\treturn from + idx>>2\n"},
		{"a full stop", "# a b.\n# c§.\n", " d.", "# a b.\n# c d.\n"},
		{"a sign that is doubled elsewhere", "/** a */\n/* b */\n§*\n", "/*", "error ambiguous"},
		{"a brace that opens a block, whatever is open around it", "s = `\na {\n`\nf(x, g(a§)) {\n}\n", "b)) {", "s = `\na {\n`\nf(x, g(ab)) {\n}\n"},
		{"a bracket behind a word that closes", "f(function()\n\tg(a§)\nend)\n", "b)", "f(function()\n\tg(ab)\nend)\n"},
		{"brackets between two texts", "x = g(f(\"a\"))(\"b§)\n", "c\")", "x = g(f(\"a\"))(\"bc\")\n"},
		{"brackets in a text, behind an apostrophe", "// don't\nx = f('('§)\n", ", y)", "// don't\nx = f('(', y)\n"},
		{"a part of a loop's head", "\tfor§;) {\n\t}\n", " (;", "\tfor (;;) {\n\t}\n"},
		{"an entry of a table", "x = [ (a)§\n    , (b, c)\n    ]\n", "\n    , (d)\n    , (b, c)", "error ambiguous"},
		{"an element with one attribute", "<t>\n  <r§\n  <col w=\"a\"/>\n</t>\n", "ow/>\n  <col w=\"a\"/>", "error ambiguous"},
		{"the end of its own element", "<div id=\"a\"></div>\n§\n</div>\n", "<div>\n  <h1>b</h1>\n</div>", "error ambiguous"},
		{"a rule below another one", ":::\na\n:::\n:§:\nb\n", "::", "error ambiguous"},
		{"a bracket of the line, before a text with code in it", "f() {\n\tthrow a(b§)\n\tx = \"\\(k) = \\(c(k) ?? \"nil\")\"\n}\n", ".d)", "f() {\n\tthrow a(b.d)\n\tx = \"\\(k) = \\(c(k) ?? \"nil\")\"\n}\n"},
		{"a block before its bracket", "func f() {§}\n", "\n\tx()", "func f() {\n\tx()\n}\n"},
	}
	for _, c := range tests {
		if got := fitted(t, c.doc, c.text, Style{Unit: "\t"}, nil); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		before, text, after string
		want                int
	}{
		{"f(", "x)", ")", 1}, {"f(", "x", ")", 0}, {"f(", "g(y))", ")", 1}, {"f(", "g(y)", ")", 0}, {"f(g(", "x))", "))", 2}, {"f(g(", "x))", ")", 1}, {"f(", "x)", ") + 1", 0}, {`f("`, `x")`, `")`, 2},
		{`f(`, `"x")`, `)`, 1}, {`f("`, `a\"b")`, `")`, 2}, {"f(", "\")\")", ")", 1}, {"f(", `")"`, ")", 0}, {"f(", "`)`", ")", 0}, {"x{", "{a}", "}", 0}, {"x{", "[a]}", "}", 1}, {"f(", `"(")`, ")", 1}, {"f(", "'(')", ")", 1}, {"f(", "`(`)", ")", 1}, {"f([", "1])", "])", 2}, {"f(", "x\n)", ")", 0}, {"f({", "a: [1]})", "})", 2}, {"", "", ")", 0}, {"'a' + '", "b'", "'", 1}, {"'a' + ", "b'", "'", 0},
	} {
		if got := closesOver(c.before, c.text, c.after); got != c.want {
			t.Errorf("%s|%s takes %q over %d, want %d", c.before, c.after, c.text, got, c.want)
		}
	}
}

func TestFitStyle(t *testing.T) {
	t.Parallel()
	continuedC := strings.Repeat("int\nf(struct s *a, int b,\n    int c)\n{\n"+strings.Repeat("\ta(b);\n", 12)+"}\n\n", 3)
	three := strings.Repeat("def g():\n    if b:\n        return 1\n", 40)
	tests := []struct{ name, unit, doc, text, want string }{
		{"spaces for a tab", "\t", "build: clean§\n\nclean:\n\trm -rf out\n", "\n    go build", "build: clean\n\tgo build\n\nclean:\n\trm -rf out\n"},
		{"spaces for a tab, at the margin", "\t", "clean:\n\trm -rf out\n\nbuild: clean\n§\n", "    go build", "clean:\n\trm -rf out\n\nbuild: clean\n\tgo build\n"},
		{"tabs for spaces", "  ", "on:\n  push:§\n", "\n\t\tbranches: [main]", "on:\n  push:\n    branches: [main]\n"},
		{"four spaces for two tabs", "\t", "func f() {\n\tfor {§\n\t}\n}\n", "\n    total++", "func f() {\n\tfor {\n\t\ttotal++\n\t}\n}\n"},
		{"eight spaces for two tabs", "\t", "func f() {\n\tfor {§\n\t}\n}\n", "\n        total++", "func f() {\n\tfor {\n\t\ttotal++\n\t}\n}\n"},
		{"two spaces for four", "    ", three + "def f():\n    if a:§\n", "\n    b()\n    if c:\n      d()", three + "def f():\n    if a:\n        b()\n        if c:\n            d()\n"},
		{"two spaces for four that may be one", "    ", "def f():\n    if a:§\n", "\n    b()\n    c()", "error ambiguous"},
		{"below an item's text", "  ", strings.Repeat("- a b\n  c d\n  - e f\n", 9) + "  - g or§\n", "\n    h", strings.Repeat("- a b\n  c d\n  - e f\n", 9) + "  - g or\n    h\n"},
		{"its own", "    ", "def f():\n    if a:§\n", "\n        b(\n            c)\n", "def f():\n    if a:\n        b(\n            c)\n\n"},
		{"text below a key", "  ", strings.Repeat("a:\n  b:\n    c: d\n", 3) + "e:\n  f: >-§\n", "\n    g", strings.Repeat("a:\n  b:\n    c: d\n", 3) + "e:\n  f: >-\n    g\n"},
		{"behind a condition and its statement", "\t", "f() {\n\tif (a) return b()§\n}\n", "\n    c()", "f() {\n\tif (a) return b()\n\tc()\n}\n"},
		{"behind another one and its statement", "\t", "f() {\n\tif (d)\n\t\te()\n\telse if (a) return b(c[0])§\n}\n", "\n    c()", "f() {\n\tif (d)\n\t\te()\n\telse if (a) return b(c[0])\n\tc()\n}\n"},
		{"behind a condition of two brackets", "\t", "def f\n\tif (a) and b(c)§\n\tend\nend\n", "\n        d", "def f\n\tif (a) and b(c)\n\t\td\n\tend\nend\n"},
		{"what a backslash continues", "\t", "all: a\n\tx && y§\n\nclean:\n\trm a\n", " \\\n    z", "error ambiguous"},
		{"what a list at the margin continues", "\t", "int\nf(int a)\n{\n\tb();\n}\n\nint\n§\n{\n\tb();\n}\n", "g(int a,\n    int b)", "error ambiguous"},
		{"what a backslash above continues", "\t", "b:\n\trm a \\\n§\n", "    b", "error ambiguous"},
		{"what a condition of make is about", "\t", "b:\n\trm a\n\nifeq ($(A),yes§\nendif\n", ")\n    B = 1", "error ambiguous"},
		{"as other continued lines are", "\t", continuedC + "§\n{\n\ta();\n}\n", "int\ng(struct s *a, int b,\n    int c)", continuedC + "int\ng(struct s *a, int b,\n    int c)\n{\n\ta();\n}\n"},
		{"line ends", "\t", "f {\r\n§\r\n}\r\n", "a\nb", "f {\r\na\r\nb\r\n}\r\n"},
		{"line ends of the place", "\t", "a\nb§\r\nc\n", "\nd", "a\nb\r\nd\r\nc\n"},
	}
	for _, c := range tests {
		if got := fitted(t, c.doc, c.text, Style{Unit: c.unit}, nil); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFitImports(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, doc, want string }{
		{"first", "code\n", "import x\n\ncode\n"},
		{"behind a directive", "'use client';\n|\ncode\n", "'use client';\n\nimport x\n\ncode\n"},
		{"behind a byte order mark", "\ufeff|code\n", "\ufeffimport x\n\ncode\n"},
		{"behind a line and no blank one", "#!/bin/x\n|code\n", "#!/bin/x\n\nimport x\n\ncode\n"},
		{"with the line ends", "'use client';\r\n|\r\ncode\r\n", "'use client';\r\n\r\nimport x\r\n\r\ncode\r\n"},
		{"behind all there is", "# licence|", "# licence\n\nimport x\n"},
	}
	for _, c := range tests {
		head := max(strings.IndexByte(c.doc, '|'), 0)
		doc := NewText(strings.Replace(c.doc, "|", "", 1))
		e, err := Fit(doc, Edit{New: "import x\n"}, Style{Head: head}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Fit(doc, e, Style{Head: head}, nil); err != nil || again != e {
			t.Errorf("%s: fitted again, %v becomes %v (%v)", c.name, e, again, err)
		}
		if got, err := Apply(doc, []Edit{e}); err != nil || got.String() != c.want {
			t.Errorf("%s: %q (%v), want %q", c.name, got.String(), err, c.want)
		}
	}
}

// TestFitChange: lines that a model adds to a file are in its unit, its imports behind its head,
// a new file ends as its style says; what a change replaces stays.
func TestFitChange(t *testing.T) {
	t.Parallel()
	const recipe = "all: a b\n\tgo build ./...\n\tgo vet ./...\n\nclean:\n\trm -rf out\n\trm -rf tmp\n"
	const script = "'use client';\r\n\r\nconst x = 1;\r\nconst y = 2;\r\n"
	for _, c := range []struct {
		name          string
		before, after string
		style         Style
		want          string
	}{
		{"spaces in a recipe", recipe, strings.Replace(recipe, "\tgo vet", "    go test ./...\n\tgo vet", 1), Style{Unit: "\t", EOL: "\n", FinalNewline: true}, strings.Replace(recipe, "\tgo vet", "\tgo test ./...\n\tgo vet", 1)},
		{"a line that is replaced", recipe, strings.Replace(recipe, "\tgo vet ./...", "    go test ./...", 1), Style{Unit: "\t", EOL: "\n", FinalNewline: true}, strings.Replace(recipe, "\tgo vet ./...", "    go test ./...", 1)},
		{"an import above a directive", script, "import z from 'z';\n" + script, Style{EOL: "\r\n", FinalNewline: true, Head: len("'use client';\r\n")}, "'use client';\r\n\r\nimport z from 'z';\r\n\r\nconst x = 1;\r\nconst y = 2;\r\n"},
		{"a new file", "", "a\nb", Style{EOL: "\r\n", FinalNewline: true}, "a\r\nb\r\n"},
		{"a new file without a last line end", "", "a\nb\n", Style{EOL: "\n"}, "a\nb"},
	} {
		change := FileChange{Path: "f", Before: c.before, After: c.after, AbsentBefore: c.before == "", Edits: Diff(c.before, c.after)}
		got := FitChange(change, c.style)
		if got.After != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.After, c.want)
		}
		if again := FitChange(got, c.style); again.After != got.After {
			t.Errorf("%s: fitted again %q", c.name, again.After)
		}
	}
}
