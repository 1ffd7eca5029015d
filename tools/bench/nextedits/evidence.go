package main

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"tandem/edits/hunks"
	"tandem/model/local/nextedit"
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

// evidence is a file that steps are noted in, instead of being judged; nil is none.
type evidence struct{ path string }

func newEvidence(path string) *evidence {
	if path == "" {
		return nil
	}
	return &evidence{path}
}

// note notes what the engine considers after a step.
func (e *evidence) note(engine *nextedit.Engine, m *memory, last hunks.Step, after map[string]string, commit string, single bool) error {
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
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(e.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := file.Write(append(line, '\n')); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
