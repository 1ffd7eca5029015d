package complete

import (
	"context"
	"slices"
	"testing"

	"tandem/model"
	"tandem/model/local/localtest"
)

// TestSuggestThresholds: an explicit request gets more suggestions than typing,
// the most confident first, and never more than n.
func TestSuggestThresholds(t *testing.T) {
	text := "package a\n"
	for _, name := range []string{"Load", "Store", "Read", "Write", "List", "Move"} {
		text += "\nfunc run" + name + "() error {\n\tf, err := open" + name + "()\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn f.Close()\n}\n"
	}
	c := localtest.New(map[string]string{"a.go": text})
	fill := &model.Fill{Path: "b.go", Prefix: "package a\n\nfunc runCopy() error {\n\tf, err := openCopy()\n\tif err", Suffix: "\n}\n"}
	e := New(nil)
	all := e.Consider(c, fill)
	typed, asked := e.Suggest(context.Background(), c, fill, 9, Likely), e.Suggest(context.Background(), c, fill, 9, Possible)
	want := func(least Certainty) (out []string) {
		for _, candidate := range all {
			if candidate.Confidence >= least.threshold(candidate.Text) {
				out = append(out, candidate.Text)
			}
		}
		return out
	}
	if len(asked) == 0 || !slices.Equal(asked, want(Possible)) || !slices.Equal(typed, want(Likely)) {
		t.Fatalf("typed gets %q, asked gets %q of %v", typed, asked, all)
	}
	if one := e.Suggest(context.Background(), c, fill, 1, Possible); !slices.Equal(one, asked[:1]) {
		t.Errorf("one is %q, want the first of %q", one, asked)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if got := e.Suggest(ended, c, fill, 1, Possible); got != nil {
		t.Errorf("a request that is over gets %q", got)
	}
}

// TestShortTextsNeedMoreCertainty: what saves nothing to type is not worth reading.
func TestShortTextsNeedMoreCertainty(t *testing.T) {
	if short, long := Likely.threshold("}"), Likely.threshold("return fmt.Errorf(\"read: %w\", err)"); short <= 1 || long >= 0.75 {
		t.Errorf("%.2f for a bracket, %.2f for a line", short, long)
	}
}

// TestBalanced: a line may open a block, go on in the next line and close what was open.
func TestBalanced(t *testing.T) {
	for line, want := range map[string]bool{
		"f(a, b)": true, "if x {": true, "call(a,": true, "} else {": true, "})": true, `s := "("`: true, "": true,
		"f(g(x)": false, "f(x": false, "a)": false, "return f(x;": false,
	} {
		if balanced(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

// TestBlocksAreIndentedAsTheDocument: four blanks of another file are a tab, or two blanks, here.
func TestBlocksAreIndentedAsTheDocument(t *testing.T) {
	for _, c := range []struct {
		unit       string
		wide, step int
		want       string
	}{
		{"  ", 8, 4, "    "},
		{"\t", 4, 2, "\t\t"},
		{"\t", 3, 2, "\t\t"},
		{"", 4, 2, "    "},
		{"  ", 0, 2, ""},
	} {
		in := newInfill(&model.Fill{Path: "a.js", Suffix: "\n", Unit: c.unit})
		if got := in.indented(c.wide, c.step); got != c.want {
			t.Errorf("%q: %q, want %q", c.unit, got, c.want)
		}
	}
}
