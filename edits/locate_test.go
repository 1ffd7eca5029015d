package edits

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLocateTiers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, old string
		hint      int
		want      string // the text found, or the code of the refusal
		tier      Tier
	}{
		{"a\nb\nc\n", "b\n", 0, "b\n", TierExact},
		{"\ufeffa\nb\n", "a\n", 0, "a\n", TierExact},
		{"a\r\nb\r\n", "a\nb\n", 0, "a\r\nb\r\n", TierExact},
		{"a  \nb\n", "a\nb\n", 0, "a  \nb\n", TierTrailing},
		{"\tx\n\t\ty\n", "x\n\ty\n", 0, "\tx\n\t\ty\n", TierIndent},
		{"x\n\ty\n", "\t\tx\n\t\t\ty\n", 0, "x\n\ty\n", TierIndent},
		{" x\n   y\n", "x\ny\n", 0, " x\n   y\n", TierTrim},
		{"say “hi” — now\n", "say \"hi\" - now\n", 0, "say “hi” — now\n", TierUnicode},
		{"caf\u00e9\n", "cafe\u0301\n", 0, "caf\u00e9\n", TierUnicode},
		{"no\u00a0break\n", "no break\n", 0, "no\u00a0break\n", TierUnicode},
		{"if a < b {\n", "if a &lt; b {\n", 0, "if a < b {\n", TierEscapes},
		{"\t\tx()\n", `\t\tx()`, 0, "\t\tx()\n", TierEscapes},
		{"f( a,b )\n", "f(a, b)\n", 0, "f( a,b )\n", TierWhitespace},
		{"f(\n\ta,\n\tb)\n", "f(a, b)\n", 0, "f(\n\ta,\n\tb)\n", TierWhitespace},
		{"one\n", "\none\n\n", 0, "one\n", TierExact},
		{"x\ny\nx\n", "x\n", 0, "error ambiguous", ""},
		{"x\ny\nx\n", "x\n", 3, "x\n", TierExact},
		{" x\ny\n\tx\n", "x\n", 0, "error ambiguous", ""}, // twice in the tier's own space
		{"x\n x\n", "x\n", 0, "x\n", TierExact},           // once in the stricter tier's
		{"f( a )\nf(a  )\n", "f(a)\n", 0, "error ambiguous", ""},
		{"return x + 1\n", "return x + 2\n", 0, "error not_found", ""}, // one line is too little to guess by
		{"a\n", "", 0, "error not_found", ""},
	}
	for _, c := range tests {
		sp, tier, err := locateText(c.text, c.old, c.hint)
		got := c.text[sp.Start:sp.End]
		var refusal *Error
		if errors.As(err, &refusal) {
			got = "error " + string(refusal.Code)
		}
		if got != c.want || tier != c.tier {
			t.Errorf("%q in %q: %q by %q (%v), want %q by %q", c.old, c.text, got, tier, err, c.want, c.tier)
		}
	}
}

// TestFuzzyNeverGuesses plants one changed line among distinct ones and checks
// that exactly that run of lines is found; a second such run makes it ambiguous.
func TestFuzzyNeverGuesses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 40).Draw(t, "lines")
		var run []string
		for i := range n {
			run = append(run, fmt.Sprintf("\tvalue_%c%c := compute(argument, %q)", 'a'+i%26, 'a'+i/26, strings.Repeat("z", i%7)))
		}
		old := append([]string(nil), run...)
		at := rapid.IntRange(0, n-1).Draw(t, "changed")
		old[at] = strings.Replace(old[at], "argument", "arguments", 1)
		above, below := "package a\n\nfunc f() {\n", "}\n\nfunc g() {}\n"
		body := strings.Join(run, "\n") + "\n"
		sp, tier, err := locateText(above+body+below, strings.Join(old, "\n"), 0)
		if err != nil || tier != TierFuzzy || (Span{len(above), len(above) + len(body)}) != sp {
			t.Fatalf("%v by %q: %v", sp, tier, err)
		}
		_, _, err = locateText(above+body+below+body, strings.Join(old, "\n"), 0)
		var refusal *Error
		if !errors.As(err, &refusal) || refusal.Code != CodeAmbiguous {
			t.Fatalf("with two runs: %v", err)
		}
	})
}

// TestSpanIsAccountedFor adds lines to the searched text: the span must not
// include them.
func TestSpanIsAccountedFor(t *testing.T) {
	t.Parallel()
	old := "open()\nread()\ncheck()\nclose()\n"
	for extra := 1; extra <= 5; extra++ {
		text := "open()\nread()\n" + strings.Repeat("user_code()\n", extra) + "check()\nclose()\n"
		if sp, tier, err := locateText(text, old, 0); err == nil {
			t.Errorf("%d more lines: found %q by %s", extra, text[sp.Start:sp.End], tier)
		}
	}
}

// TestPlacesThatContradict refuses a block whose text is in one place as it is
// written, and where the block says that it is but for the indentation.
func TestPlacesThatContradict(t *testing.T) {
	t.Parallel()
	before := "func a() {\n\tif x {\n\t\tone()\n\t\ttwo()\n\t}\n}\n\nfunc b() {\n\tone()\n\ttwo()\n}\n\nfunc c() {\n#if x\n//\tx()\n\tfour()\n}\n\nfunc d() {\n\tfour()\n}\n"
	hunk := " \tone()\n-\ttwo()\n+\tthree()\n"
	tests := []struct {
		name   string
		format Format
		answer string
		want   string
	}{
		{"another line", FormatUnifiedDiff, "--- f\n+++ f\n@@ -3,2 +3,2 @@\n" + hunk, "error ambiguous"},
		{"its own line", FormatUnifiedDiff, "--- f\n+++ f\n@@ -9,2 +9,2 @@\n" + hunk, strings.Replace(before, "\n\ttwo()", "\n\tthree()", 1)},
		{"a line that has other text", FormatUnifiedDiff, "--- f\n+++ f\n@@ -5,2 +5,2 @@\n" + hunk, strings.Replace(before, "\n\ttwo()", "\n\tthree()", 1)},
		{"another function", FormatApplyPatch, "*** Begin Patch\n*** Update File: f\n@@ func a() {\n" + hunk + "*** End Patch\n", "error ambiguous"},
		{"a function with a comment at the margin", FormatApplyPatch, "*** Begin Patch\n*** Update File: f\n@@ func c() {\n-\tfour()\n+\tfive()\n*** End Patch\n", strings.Replace(before, "\n//\tx()\n\tfour()", "\n//\tx()\n\tfive()", 1)},
		{"its own function", FormatApplyPatch, "*** Begin Patch\n*** Update File: f\n@@ func b() {\n" + hunk + "*** End Patch\n", strings.Replace(before, "\n\ttwo()", "\n\tthree()", 1)},
	}
	for _, c := range tests {
		if got := apply(t, c.format, before, c.answer, Options{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// locateText finds the one place in text where the lines of old stand, by the
// strictest tier that finds them anywhere. hint is the 1-based line at which
// they probably start, or 0; it only decides between several places.
// The span is whole lines, with their terminators. The error is an *Error with
// CodeNotFound or CodeAmbiguous.
func locateText(text, old string, hint int) (Span, Tier, error) {
	b := Block{Number: 1, LineHint: hint, search: true}
	b.Lines = appendAll(nil, Remove, splitLines(plainText(old)))
	if len(b.Lines) == 0 {
		return Span{}, "", b.refuse(CodeNotFound, "there is no text to look for")
	}
	d := newDoc(text)
	l := &locator{doc: d, block: &b}
	p, refusal := l.locate()
	if refusal != nil {
		return Span{}, "", refusal
	}
	from, to := p.span()
	return d.bytes(from, to), p.tier, nil
}

// bytes is where lines [from, to) stand in the text that d was made of.
func (d *doc) bytes(from, to int) Span {
	at := len(d.bom)
	var sp Span
	for i := range to {
		if i == from {
			sp.Start = at
		}
		at += len(d.lines[i]) + len(d.ends[i])
	}
	sp.End = at
	return sp
}
