package assist

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tandem/edits"
	"tandem/model/accept"
	"tandem/workspace"
)

// TestAllNumbersOfAPlace: every number of some places and suggestions; a model that was trained
// reads them by index.
func TestAllNumbersOfAPlace(t *testing.T) {
	written := func(list []accept.Number) string {
		var out []string
		for _, n := range list {
			out = append(out, fmt.Sprintf("%d:%.3f", n.Index, n.Value))
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct{ language, text, place, answer string }{ // | is the place
		{"go", "package a\n\nfunc f() {\n\tx := f(\"a|\")\n}\n",
			"0:1.000 2:0.576 3:0.231 5:1.000 6:0.250 7:0.243 10:1.000 12:1.000 26:1.000 47:1.000 98:1.000 132:1.000 163:0.667 179:1.000",
			"140:0.576 141:0.549 143:0.667 144:0.693 145:1.000 146:1.000 147:1.000 148:1.000"},
		{"go", "package a\n\nfunc f() {\n\t|\n}\n",
			"0:1.000 1:1.000 6:0.250 7:0.243 9:1.000 23:1.000 26:1.000 28:1.000 98:1.000 132:1.000 166:1.000 171:1.000",
			"140:0.576 141:0.549 143:0.667 144:0.693 145:1.000 146:1.000 147:1.000 148:1.000"},
		{"python", "def f(a):\n    \"\"\"words of a doc| here\n",
			"0:1.000 2:0.723 3:0.462 4:1.000 5:1.000 6:0.125 7:0.173 11:1.000 12:1.000 26:1.000 64:1.000 107:1.000 137:1.000 162:0.693 163:0.250 192:1.000",
			"140:0.576 141:0.549 143:0.667 144:0.693 145:1.000 147:1.000 148:1.000"},
		{"python", "x = \"a\" + \"b\" + |c\n",
			"0:1.000 2:0.708 7:0.137 11:1.000 13:1.000 24:1.000 47:1.000 92:1.000 137:1.000 216:1.000",
			"140:0.576 141:0.549 143:0.333 144:1.099 145:1.000 147:1.000 148:1.000"},
		{"c", "/* one */\n/* two\n|\n",
			"0:1.000 1:1.000 7:0.201 9:1.000 23:1.000 25:1.000 28:1.000 107:1.000 133:1.000 161:1.000 165:1.000 171:1.000",
			"140:0.576 141:0.549 144:1.386 145:1.000 147:1.000 148:1.000"},
		{"c", "int a = '`' + `b`,\nint a = |",
			"0:1.000 2:0.549 7:0.137 9:1.000 13:1.000 27:1.000 31:1.000 108:1.000 133:1.000 162:0.347 163:1.000 186:1.000",
			"140:0.576 141:0.549 143:0.333 144:1.099 145:1.000 147:1.000 148:1.000"},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		o := &workspace.Overlay{URI: "untitled:a", Language: c.language, Text: edits.NewText(before + after)}
		if got := written(placeNumbers(o, len(before))); got != c.place {
			t.Errorf("%q: %s, want %s", c.text, got, c.place)
		}
		item := Completion{Text: "new f(a {\nb\n}", Replace: edits.Span{Start: len(before), End: len(before)}, Imports: c.language == "go"}
		if got := written(answerNumbers(o, item)); got != c.answer {
			t.Errorf("%q: %s, want %s", c.text, got, c.answer)
		}
	}
}

// TestClassesOfText: the class of a character and of a line, and what else is counted of a
// place; a model that was trained reads them by number.
func TestClassesOfText(t *testing.T) {
	for r, want := range map[rune]int{'a': 0, '_': 0, '7': 0, 'é': 0, ' ': 1, '\t': 1, '.': 2, '(': 3, '[': 3, '{': 4, ')': 5, ']': 5, '}': 5, ',': 6, ';': 6, '=': 7, ':': 8, '"': 9, '\'': 9, '`': 9, '+': 10, utf8.RuneError: 10} {
		if got := classOf(r); got != want {
			t.Errorf("%q is of class %d, want %d", r, got, want)
		}
	}
	for typed, want := range map[string]int{"": 11, "a(": 3, "(a": 0, "é": 0} {
		if got := classOfLast(typed); got != want {
			t.Errorf("%q ends with class %d, want %d", typed, got, want)
		}
	}
	for line, want := range map[string]int{"// x {": 1, "x {": 2, "x:": 2, "f(": 2, "a,": 3, "x": 0, "": 0, "{ x": 0} {
		if got := classOfLine(line); got != want {
			t.Errorf("%q is of class %d, want %d", line, got, want)
		}
	}
	for line, want := range map[string]bool{"// x": true, "# x": true, "* x": true, "/* x": true, "-- x": true, "; x": true, "<!-- x": true, `"""x`: true, "x // y": true, "x # y": true, "x//y": false, "x#y": false, `"x"`: false, "": false} {
		if got := commented(line); got != want {
			t.Errorf("%q is a comment: %v", line, got)
		}
	}
	for line, want := range map[string]float64{"": 0, "a": 1, "a b": 0.5, "a, a.c": 2.0 / 3, "x y": 0} {
		if got := knownShare(line, "a"); got != want {
			t.Errorf("%v of %q is known, want %v", got, line, want)
		}
	}
	if got := around(edits.NewText("0123456789"), 3, 5); got != "012\x0056789" {
		t.Errorf("around it is %q", got)
	}
	if !judged([]edits.Check{{Kind: edits.CheckSyntax}, {Kind: edits.CheckNames}}) || judged([]edits.Check{{Kind: edits.CheckSyntax}}) {
		t.Error("which check looked at names")
	}
	numbers := func(text string) map[int]float64 { // | is the cursor
		before, after, _ := strings.Cut(text, "|")
		out := map[int]float64{}
		for _, n := range placeNumbers(documentOf(before+after), len(before)) {
			out[n.Index] += n.Value
		}
		return out
	}
	for _, c := range []struct {
		text  string
		index int
		want  float64
	}{
		{`x := "ab|`, numberString, 1}, {`x := "ab"|`, numberString, 0}, {"x := `ab|", numberString, 1}, {"x := `ab`|", numberString, 0}, {"a\nb|", numberDocument, math.Log1p(2) / 8},
		{"x(|", numberLast + 3, 1}, {"|", numberLast + 11, 1}, {"f() {\n|", numberAbove + 2, 1}, {"f() {\nx|", numberAbove + 2, 1}, {"f() {\n|", numberRun + 2, 1}, {"f() {\nx|", numberRun + 2, 0}, {"a,\nx|", numberAbove + 3, 1},
		{"func f|", numberLead + bucket("func", 64), 1}, {"for x\ny|", numberLeadUp + bucket("for", 32), 1}, {"|", numberLanguage + bucket("go", 16), 1},
		{"/* x\ny|", numberInside, 1}, {"/* x */\ny|", numberInside, 0}, {"\"\"\"x\ny|", numberInside, 1}, {"\"\"\"x\"\"\"\ny|", numberInside, 0},
		{"total\nx total|", numberKnownUp, 0.5}, {"func f(|", numberPair + bucket("func"+string(rune('a'+3)), 64), 1},
		{"ab()\nab(|", numberSeenLine, 0}, {"abc()\nabc(|", numberSeenLine, 0}, {"x\nabc()\nabc(|", numberSeenLine, 1}, {"x\nab()\nab(|", numberSeenLine, 0},
		{"x|", numberWord, math.Log1p(1) / 3}, {"x |", numberWord, 0}, {"    |x", numberIndent, 0.125}, {"x|)", numberRest + 1, 1},
	} {
		if got := numbers(c.text)[c.index]; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q: number %d is %v, want %v", c.text, c.index, got, c.want)
		}
	}
	answered := func(text, suggestion string, change func(*Completion)) map[int]float64 {
		c := Completion{Text: suggestion, Replace: edits.Span{Start: len(text), End: len(text)}}
		change(&c)
		out := map[int]float64{}
		for _, n := range answerNumbers(documentOf(text), c) {
			out[n.Index] += n.Value
		}
		return out
	}
	none := func(*Completion) {}
	for _, c := range []struct {
		text, suggestion string
		change           func(*Completion)
		index            int
		want             float64
	}{
		{"abcd\n", "abcd", none, numberRepeats, 1}, {"abc\n", "abc", none, numberRepeats, 0}, {"x\n", "abcd", none, numberRepeats, 0},
		{"a\n", "a", func(c *Completion) { c.Checks = []edits.Check{{Kind: edits.CheckNames}} }, numberUnchecked, 0}, {"a\n", "a", func(c *Completion) { c.Imports = true }, numberImports, 1},
		{"", "f(", none, numberOpens, 1}, {"", "f {\r\nx", none, numberOpens, 1}, {"", "x:", none, numberOpens, 1}, {"", "x", none, numberOpens, 0}, {"", "(x", none, numberFirst + 3, 1},
		{"", "one two three four five", none, numberProse, 1}, {"", "one two three four", none, numberProse, 0}, {"", "one, two, three, four, five, six", none, numberProse, 0}, {"", "one, two, three four five", none, numberProse, 1},
	} {
		if got := answered(c.text, c.suggestion, c.change)[c.index]; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q in %q: number %d is %v, want %v", c.suggestion, c.text, c.index, got, c.want)
		}
	}
	list := []accept.Number{{Index: 3, Value: 0.12345}, {Index: 5, Value: 1}}
	if got := flat(list); !slices.Equal(got, []float64{3, 0.123, 5, 1}) {
		t.Errorf("kept as %v", got)
	}
	if got := numbersOf([]float64{3, 0.5, -1, 1, 4096, 1, 4095, 1, 0, 2, 7}); !slices.Equal(got, []accept.Number{{Index: 3, Value: 0.5}, {Index: 4095, Value: 1}, {Index: 0, Value: 2}}) {
		t.Errorf("read as %v", got)
	}
}
