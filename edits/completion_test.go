package edits_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
)

var completionCases = []struct {
	name, prefix, suffix string
	lines                int
	text, want           string
	after                string // as much of text as decides it; "" is all of want and the line end
}{
	{name: "a line", prefix: "x = ", text: "f(1)\ny = 2\n", lines: 1, want: "f(1)"},
	{name: "a line in the middle of one", prefix: "f(", suffix: ", b)\n", text: "a\nb", lines: 9, want: "a"},
	{name: "a bracket that the editor closed", prefix: "f(", suffix: ")\n", text: "a,\n  b)\nc", lines: 1, want: "a,"},
	{name: "the next line", prefix: "x = 1", text: "\ny = 2\nz = 3", lines: 1, want: "\ny = 2"},
	{name: "an indented line", prefix: "if x:\n    ", text: "return 1\n    y", lines: 1, want: "return 1"},
	{name: "blank lines alone", prefix: "x", text: "\n\n\n\n", lines: 1, want: "", after: "\n\n\n"},
	{name: "a function's body in Python", prefix: "def f(x):\n    ", text: "y = x\n    if y:\n        return 1\n    return 2\n\n\ndef g():\n", lines: 20,
		want: "y = x\n    if y:\n        return 1\n    return 2", after: "y = x\n    if y:\n        return 1\n    return 2\n\n"},
	{name: "a statement in a body in Python", prefix: "def f(x):\n    ", text: "if y:\n        return 1\n    return 2\n", lines: 20,
		want: "if y:\n        return 1", after: "if y:\n        return 1\n    ret"},
	{name: "blank lines in a block", prefix: "", text: "a = 1\nif a:\n    b()\n\n    c()\n\nd()\n", lines: 20,
		want: "a = 1\nif a:\n    b()\n\n    c()", after: "a = 1\nif a:\n    b()\n\n    c()\n\nd("},
	{name: "statements after a block", prefix: "", text: "a = 1\nif a {\n\tb()\n}\nd()\n\ne", lines: 20, want: "a = 1\nif a {\n\tb()\n}\nd()", after: "a = 1\nif a {\n\tb()\n}\nd()\n\n"},
	{name: "a function from its head in Python", prefix: "def f(x):", text: "\n    y = x\n\n    return y\n\n\ndef g():\n", lines: 20,
		want: "\n    y = x\n\n    return y", after: "\n    y = x\n\n    return y\n\n\ndef "},
	{name: "else belongs to if", prefix: "", text: "if x:\n    a()\nelse:\n    b()\nc()\n", lines: 20, want: "if x:\n    a()\nelse:\n    b()", after: "if x:\n    a()\nelse:\n    b()\nc("},
	{name: "a function in Go", prefix: "package p\n\n", text: "func f() {\n\treturn\n}\n\nfunc g() {\n", lines: 20, want: "func f() {\n\treturn\n}"},
	{name: "else in braces", prefix: "\t", text: "if x {\n\t\ta()\n\t} else {\n\t\tb()\n\t}\n\tc()\n", lines: 20, want: "if x {\n\t\ta()\n\t} else {\n\t\tb()\n\t}"},
	{name: "a callback", prefix: "  ", text: "on('x', () => {\n    a();\n  });\n  b();\n", lines: 20, want: "on('x', () => {\n    a();\n  });"},
	{name: "end in Ruby", prefix: "", text: "def f\n  1\nend\n\nx\n", lines: 20, want: "def f\n  1\nend"},
	{name: "a block's end", prefix: "func f() {\n\t", suffix: "\n}\n", text: "a()\n\tb()\n}\n\nfunc g", lines: 20, want: "a()\n\tb()", after: "a()\n\tb()\n}"},
	{name: "statements up to a blank line", prefix: "", text: "a = 1\nb = 2\n\nc = 3\n", lines: 20, want: "a = 1\nb = 2", after: "a = 1\nb = 2\n\n"},
	{name: "a bound on lines", prefix: "", text: "a = 1\nb = 2\nc = 3\n", lines: 2, want: "a = 1\nb = 2"},
	{name: "what is there already", prefix: "a = 1\n", suffix: "\nc = 3\n", text: "b = 2\nc = 3\nd = 4\n", lines: 20, want: "b = 2", after: "b = 2\nc = 3\n"},
	{name: "an outer bracket", prefix: "", text: "}\n\nfunc next() {", lines: 20, want: "}"},
	{name: "a line again and again", prefix: "\tx", text: ".a = 1\n\tb()\n\tb()\n\tb()\n", lines: 20, want: ".a = 1\n\tb()", after: ".a = 1\n\tb()\n\tb()\n"},
	{name: "the cursor's line again", prefix: "\tx.a", text: " = 1\n\tx.a = 1\n\tx.a = 1\n", lines: 20, want: " = 1", after: " = 1\n\tx.a = 1\n"},
	{name: "two lines in turn", prefix: "", text: "a = 1\nb = 2\na = 1\nb = 2\na = 1\n", lines: 20, want: "a = 1\nb = 2", after: "a = 1\nb = 2\na = 1\nb = 2\n"},
	{name: "brackets repeat", prefix: "", text: "f(1, [\n\t[\n\t[\n\t1,\n\t]]\n])\nx", lines: 20, want: "f(1, [\n\t[\n\t[\n\t1,\n\t]]\n])"},
	{name: "a block that is too long", prefix: "\t", text: "for x {\n\t\ta()\n\t\tb()\n\t\tc()\n\t}\n", lines: 3, want: "for x {", after: "for x {\n\t\ta()\n\t\tb()\n"},
	{name: "statements before a block that is too long", prefix: "\t", text: "a()\n\tfor x {\n\t\tb()\n\t}\n\tfor y {\n\t\tc()\n\t}\n", lines: 6, want: "a()\n\tfor x {\n\t\tb()\n\t}", after: "a()\n\tfor x {\n\t\tb()\n\t}\n\tfor y {\n\t\tc()\n"},
	{name: "a block that begins too late", prefix: "\t", text: "a()\n\tb()\n\tfor x {\n\t\tc()\n\t}\n", lines: 3, want: "a()\n\tb()", after: "a()\n\tb()\n\tfor x {\n"},
	{name: "a line in circles", prefix: "from typing import ", text: "A, " + strings.Repeat("TypeVarTuple, TypeVarDict, TypeVar, TypeVarSet, ", 2) + "Type", lines: 1, want: "", after: "A, " + strings.TrimSuffix(strings.Repeat("TypeVarTuple, TypeVarDict, TypeVar, TypeVarSet, ", 2), ", ")},
	{name: "a later line in circles", prefix: "", text: "a()\nb(" + strings.Repeat("x.y, ", 16), lines: 20, want: "a()", after: "a()\nb(" + strings.Repeat("x.y, ", 16)},
	{name: "a line in circles before code", prefix: "f(", suffix: ", b)\n", text: strings.Repeat("x.y, ", 17), lines: 1, want: "", after: strings.Repeat("x.y, ", 16)},
	{name: "a row of one value", prefix: "", text: strings.Repeat("0x00, ", 12) + "0\n", lines: 1, want: strings.Repeat("0x00, ", 12) + "0"},
	{name: "a rule", prefix: "", text: "# " + strings.Repeat("-", 100) + "\n", lines: 1, want: "# " + strings.Repeat("-", 100)},
	{name: "a line that comes twice", prefix: "", text: "a()\nb()\na()\nc()\n\nd", lines: 20, want: "a()\nb()\na()\nc()", after: "a()\nb()\na()\nc()\n\n"},
	{name: "Windows line ends", prefix: "x = ", text: "f(1)\r\ny = 2", lines: 1, want: "f(1)", after: "f(1)\r\n"},
}

// TestCompletionEnd feeds each answer byte by byte, and holds where it ends, and that this
// is known as soon as it can be.
func TestCompletionEnd(t *testing.T) {
	t.Parallel()
	for _, c := range completionCases {
		after := c.after
		if after == "" {
			after = c.want + "\n"
		}
		for n := range len(c.text) + 1 {
			end, done := edits.CompletionEnd(c.prefix, c.suffix, c.text[:n], c.lines)
			switch {
			case n < len(after) && (done || end != n):
				t.Errorf("%s: after %q it is over (%v) at %d", c.name, c.text[:n], done, end)
			case n >= len(after) && (!done || c.text[:end] != c.want):
				t.Errorf("%s: after %q it is over (%v) with %q, want %q", c.name, c.text[:n], done, c.text[:end], c.want)
			default:
				continue
			}
			break
		}
	}
}

// TestCompletionEndOfAnEcho: a first line that is the one before the cursor's decides nothing
// until the next one tells whether it came again.
func TestCompletionEndOfAnEcho(t *testing.T) {
	t.Parallel()
	const text = "for x {\n\ttotal += p\nq"
	for n := range len(text) {
		if end, done := edits.CompletionEnd("for x {\n\ttotal +", "\n}\n", text[:n], 1); done != (n == len(text)-1) || done && text[:end] != "for x {\n\ttotal += p" {
			t.Errorf("after %q: %q (%v)", text[:n], text[:end], done)
		}
	}
}

// TestCompletionEndIsFinal holds for any text that what was decided stays decided, and that
// no more lines are shown than may be, besides those that repeat the text before them.
func TestCompletionEndIsFinal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", "if x {", "}", "\n", "\n", "  ", "\t", "else", "end", ":", "é", "\r\n", strings.Repeat("a, ", 15)})
		join := func(label string) string { return strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, label), "") }
		prefix, suffix, text, lines := join("prefix"), join("suffix"), join("text"), rapid.IntRange(-1, 4).Draw(t, "lines")
		decided := -1
		for n := range len(text) + 1 {
			end, done := edits.CompletionEnd(prefix, suffix, text[:n], lines)
			if end < 0 || end > n || decided >= 0 && (!done || end != decided) {
				t.Fatalf("%q after %q: %d, %v; before it was %d", text[:n], prefix, end, done, decided)
			}
			if done {
				decided = end
				own := text[min(end, edits.Echoed(prefix, suffix, text[:n])):end]
				if got := strings.Count(strings.TrimSpace(own), "\n"); lines <= 1 && got > 0 {
					t.Fatalf("%d lines for one: %q", got+1, text[:end])
				}
			}
		}
	})
}
