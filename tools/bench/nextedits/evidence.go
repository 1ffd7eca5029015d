package main

import (
	"context"
	"time"

	"tandem/edits/hunks"
	"tandem/model/local/nextedit"
	"tandem/tools/bench/figures"
)

// Bounds of what is noted of one step.
const (
	maxNoted  = 24
	maxOfOne  = 4 // places of one change
	noteLimit = 20 * time.Second
)

// A noted is one place that the engine considered.
type noted struct {
	Key      string            // of the offer: the same at each step
	Verdict  hunks.Verdict     // what it is worth
	Evidence nextedit.Evidence // what speaks for it
	Title    string
	chance   float64 // by the weights that are being judged
}

// A step is what the engine considered after one step of a commit, in its order.
type step struct {
	Repository, Commit string
	Single             bool // nothing follows
	Places             []noted
}

// evidence is where steps are noted instead of being judged.
type evidence = figures.Log[step]

// note notes what the engine considers after a step.
func note(e *evidence, engine *nextedit.Engine, m *memory, last hunks.Step, after map[string]string, commit string, single bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), noteLimit)
	defer cancel()
	s := step{Repository: m.clone.Name, Commit: commit[:9], Single: single}
	of := map[string]int{}
	for _, n := range engine.Candidates(ctx, m, m.recent, last.Path, min(last.Edit.Start+len(last.Edit.New), len(m.texts[last.Path]))) {
		if n.Jump != "" || len(s.Places) == maxNoted {
			continue
		}
		if of[n.Change]++; of[n.Change] <= maxOfOne {
			s.Places = append(s.Places, noted{n.Path + "\x00" + n.Edit.New, judge(m.texts[n.Path], after[n.Path], n.Edit), n.Evidence, n.Title, 0})
		}
	}
	return e.Add(s)
}
