package main

import (
	"testing"

	"tandem/edits/hunks"
	"tandem/model/local/nextedit"
)

// TestRegress: what goes with right places gets a high chance, what goes with wrong ones a
// low one, and what goes with both none of its own.
func TestRegress(t *testing.T) {
	const for1, against, both = 6, 7, 8
	place := func(kind int, verdict hunks.Verdict) noted {
		var e nextedit.Evidence
		e[0], e[kind], e[both] = 1, 1, 1
		return noted{Key: verdict.String(), Verdict: verdict, Evidence: e}
	}
	var steps []step
	for i := range 60 {
		steps = append(steps, step{Commit: string(rune('a' + i)), Places: []noted{place(for1, hunks.Right), place(against, hunks.Wrong)}})
	}
	var d nextedit.Decisions
	w := regress(steps)
	d[nextedit.Code] = nextedit.Decision{Weights: w, Repeated: 0.5, Once: 0.5}
	if good, bad := place(for1, 0).Evidence.Chance(d), place(against, 0).Evidence.Chance(d); good < 0.8 || bad > 0.2 || w[both] > 0.5 || w[both] < -0.5 {
		t.Errorf("chances %.2f and %.2f, weight %.2f", good, bad, w[both])
	}
	shown, _, _ := judged(steps, d)
	if shown.right != 60 || shown.spoke != 60 || shown.hunks != 60 {
		t.Errorf("%+v", shown)
	}
}

// TestJudgedDismissed: a wrong place is shown once in a commit.
func TestJudgedDismissed(t *testing.T) {
	s := step{Commit: "c", Places: []noted{{Key: "k", Verdict: hunks.Wrong, chance: 0.9}}}
	single := s
	single.Single = true
	got, quiet, shown := shownOf([]step{s, s, single}, nextedit.Decisions{})
	if got.wrong != 1 || got.spoke != 1 || got.hunks != 2 || quiet != 1 || shown != 1 {
		t.Errorf("%+v, %d of %d single edits", got, shown, quiet)
	}
}
