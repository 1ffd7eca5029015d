package forest

import (
	"math"
	"strings"
	"testing"
)

// tree goes by feature 1 at its root, then by feature 0; leaf k has the output k.
const tree = "1<0.5 0<-1 0<1" + " 0<0 0<0 0<0 0<0 0<0 0<0 0<0 0<0 0<0 0<0 0<0 0<0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"

// TestForestIsSummed: of each tree the one leaf counts that its conditions lead to.
func TestForestIsSummed(t *testing.T) {
	f, err := Parse("forest 2 -0.25\n"+tree+strings.Replace(tree, "15\n", "-20\n", 1), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		features []float64
		odds     float64
	}{{[]float64{-2, 0}, 0}, {[]float64{-1, 0.4}, 4 + 4}, {[]float64{-0.5, 0.5}, 8 + 8}, {[]float64{1, 0.5}, 15 - 20}} {
		if got, want := f.Probability(c.features), 1/(1+math.Exp(0.25-c.odds)); math.Abs(got-want) > 1e-15 {
			t.Errorf("%v: %v, want %v", c.features, got, want)
		}
	}
}

// TestDamagedForestIsRefused: what does not fit is an error that says what, and no forest.
func TestDamagedForestIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "first line",
		"1 2 3\n" + tree:                  "first line",
		"forest 2\n" + tree:               "first line",
		"forest 3 1\n" + tree:             "grown on 3 features and there are 2",
		"forest 2 1\n":                    "0 trees",
		"forest 2 NaN\n" + tree:           "bias NaN",
		"forest 2 1\n" + tree + "1 2 3\n": "tree 2 of a forest: it has 3 nodes",
		"forest 2 1\n" + strings.Replace(tree, "1<", "2<", 1):         `"2<0.5" compares none of the 2 features`,
		"forest 2 1\n" + strings.Replace(tree, "1<", "-1<", 1):        "compares none",
		"forest 2 1\n" + strings.Replace(tree, "1<0.5", "0.5", 1):     "compares none",
		"forest 2 1\n" + strings.Replace(tree, "0<-1", "0<", 1):       `node 1 has the value ""`,
		"forest 2 1\n" + strings.Replace(tree, " 15\n", " 1e99\n", 1): `node 30 has the value "1e99"`,
		"forest 2 1\n" + strings.Replace(tree, " 15\n", " Inf\n", 1):  `value "Inf"`,
	} {
		if f, err := Parse(text, 2); f != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}
