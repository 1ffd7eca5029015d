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
	want := func(least float64) (out []string) {
		for _, candidate := range all {
			if candidate.Confidence >= least {
				out = append(out, candidate.Text)
			}
		}
		return out
	}
	if len(asked) == 0 || !slices.Equal(asked, want(Possible.threshold())) || !slices.Equal(typed, want(Threshold)) {
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
