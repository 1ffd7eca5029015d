package task

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/edit"
	"tandem/workspace"
	"tandem/workspace/state"
)

// bothDone runs a task whose two steps change main.go and lib/a.go.
func bothDone(t *testing.T) (*bench, Task) {
	deep := answers(alpha11, one111, turn{"", planBoth})
	b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
	b.escalate(Request{})
	return b, b.expect(Done, "")
}

// accepted are the files that accepting a part changes, with what they become.
func (b *bench) accepted(id string, part edit.Part) (files map[string]string, conflicts []string, err error) {
	b.T.Helper()
	list, stale, err := b.engine.Editor.AcceptPart(b.T.Context(), b.Session.Snapshot(), id, part, false)
	files = map[string]string{}
	for _, d := range list {
		after, err := edits.Apply(d.Base, d.Edits)
		if err != nil {
			b.T.Fatal(err)
		}
		if open := d.URI == b.URI; open != (d.Version == b.Version) {
			b.T.Errorf("the edit of %s is of version %d", d.URI, d.Version)
		}
		files[b.Session.Snapshot().Name(d.URI)] = after.String()
	}
	for _, c := range stale {
		conflicts = append(conflicts, c.Path)
	}
	return files, conflicts, err
}

var (
	mainAfter = strings.Replace(assisttest.Source, "return 1", "return 11", 1)
	libAfter  = strings.Replace(libA, "return 1", "return 111", 1)
)

// TestResultInParts holds that a step, a file or a change of a result can be accepted
// alone. What the user has changed since either fits or is reported as not fitting.
func TestResultInParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, done := bothDone(t)
		for _, c := range []struct {
			name string
			part edit.Part
			want map[string]string
			err  string
		}{
			{"all", edit.Part{}, map[string]string{"main.go": mainAfter, "lib/a.go": libAfter}, ""},
			{"first step", edit.Part{Step: 1}, map[string]string{"main.go": mainAfter}, ""},
			{"second step", edit.Part{Step: 2}, map[string]string{"lib/a.go": libAfter}, ""},
			{"no such step", edit.Part{Step: 9}, nil, "no change of a step 9"},
			{"a file", edit.Part{File: "lib/a.go"}, map[string]string{"lib/a.go": libAfter}, ""},
			{"a file by URI", edit.Part{File: b.URI}, map[string]string{"main.go": mainAfter}, ""},
			{"a file of another step", edit.Part{Step: 1, File: "lib/a.go"}, nil, "changes nothing there"},
			{"no such file", edit.Part{File: "none.go"}, nil, "changes nothing there"},
			{"a change", edit.Part{Hunk: assisttest.HunkNumber(0)}, map[string]string{"lib/a.go": libAfter}, ""},
			{"the other change", edit.Part{Hunk: assisttest.HunkNumber(1)}, map[string]string{"main.go": mainAfter}, ""},
			{"no such change", edit.Part{Hunk: assisttest.HunkNumber(2)}, nil, "no change number 3"},
		} {
			got, conflicts, err := b.accepted(done.ProposalID, c.part)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%s: %v, want %q", c.name, err, c.err)
				}
				continue
			}
			if err != nil || len(conflicts) != 0 || len(got) != len(c.want) {
				t.Errorf("%s: %v, conflicts %v, %v", c.name, err, conflicts, got)
			}
			for name, text := range c.want {
				if got[name] != text {
					t.Errorf("%s: %s becomes\n%s", c.name, name, got[name])
				}
			}
		}
		b.Edit(0, 0, "// above\n")
		if got, _, err := b.accepted(done.ProposalID, edit.Part{Step: 1}); err != nil || got["main.go"] != "// above\n"+mainAfter {
			t.Errorf("after typing elsewhere: %v, %q", err, got)
		}
		b.Edit(b.At("return ")-7, b.At("return 1"), "return one()")
		if _, conflicts, err := b.accepted(done.ProposalID, edit.Part{Step: 1}); err == nil || !slices.Equal(conflicts, []string{"main.go"}) {
			t.Errorf("after typing at its place: %v, conflicts %v", err, conflicts)
		}
		if got, conflicts, err := b.accepted(done.ProposalID, edit.Part{}); err != nil || !slices.Equal(conflicts, []string{"main.go"}) || len(got) != 1 || got["lib/a.go"] != libAfter {
			t.Errorf("the rest: %v, conflicts %v, %v", err, conflicts, got)
		}
		if _, _, err := b.accepted("unknown", edit.Part{}); err == nil {
			t.Error("a part of an unknown proposal is accepted")
		}
	})
}

// TestRejectInParts: what is rejected is no part of the result any more; what two steps
// changed is rejected by file or by change.
func TestRejectInParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, part := range map[string]edit.Part{"file": {File: "main.go"}, "step": {Step: 1}, "change": {Hunk: assisttest.HunkNumber(1)}} {
			b, done := bothDone(t)
			if err := b.engine.Editor.RejectPart(b.Session.Snapshot(), done.ProposalID, part); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got, _, err := b.accepted(done.ProposalID, edit.Part{}); err != nil || len(got) != 1 || got["lib/a.go"] != libAfter {
				t.Errorf("without the %s: %v, %v", name, err, got)
			}
			if _, _, err := b.accepted(done.ProposalID, edit.Part{Step: 1}); err == nil {
				t.Errorf("%s: what was rejected is accepted", name)
			}
			if err := b.engine.Editor.RejectPart(b.Session.Snapshot(), done.ProposalID, edit.Part{File: "none.go"}); err == nil {
				t.Errorf("%s: a file that is no part is rejected", name)
			}
			if err := b.engine.Editor.RejectPart(b.Session.Snapshot(), done.ProposalID, edit.Part{File: "lib/a.go"}); err != nil {
				t.Error(err)
			}
			if p, err := b.engine.Editor.Get(done.ProposalID); err != nil || p.State != edit.Rejected {
				t.Errorf("%s: of all rejected parts the proposal is %s, %v", name, p.State, err)
			}
			if err := b.engine.Editor.RejectPart(b.Session.Snapshot(), done.ProposalID, edit.Part{Step: 2}); err == nil {
				t.Errorf("%s: a part of a rejected proposal is rejected", name)
			}
		}
		both := planned(stepEdit)
		b := newTaskBench(t, lanes{model.Deep: both}, quiet())
		b.escalate(Request{})
		done := b.expect(Done, "")
		if err := b.engine.Editor.RejectPart(b.Session.Snapshot(), done.ProposalID, edit.Part{Step: 1}); err == nil || !strings.Contains(err.Error(), "steps [1 2]") {
			t.Errorf("a step that shares its file: %v", err)
		}
		if got, _, err := b.accepted(done.ProposalID, edit.Part{Step: 1}); err != nil || got["main.go"] != mainAfter {
			t.Errorf("one of two steps: %v, %q", err, got)
		}
		if err := b.engine.Editor.RejectPart(b.Session.Snapshot(), done.ProposalID, edit.Part{}); err != nil {
			t.Error(err)
		}
		if list := b.engine.Editor.Live(b.URI); len(list) != 0 {
			t.Errorf("%d proposals are left", len(list))
		}
	})
}

// TestResultAfterRestart: another session opens a task's result by the files as they are
// then.
func TestResultAfterRestart(t *testing.T) {
	for _, c := range []struct {
		name      string
		main, lib string // as they are then
		want      map[string]string
		conflicts int
		err       string
		stale     bool
	}{
		{"unchanged", assisttest.Source, libA, map[string]string{"main.go": mainAfter, "lib/a.go": libAfter}, 0, "", false},
		{"moved", "// above\n" + assisttest.Source, libA, map[string]string{"main.go": "// above\n" + mainAfter, "lib/a.go": libAfter}, 0, "", false},
		{"one accepted", mainAfter, libA, map[string]string{"lib/a.go": libAfter}, 0, "", false},
		{"one conflicts", strings.Replace(assisttest.Source, "return 1", "return one()", 1), libA, map[string]string{"lib/a.go": libAfter}, 1, "", false},
		{"all accepted", mainAfter, libAfter, nil, 0, "hold the whole result", false},
		{"all conflict", "package other\n", "package other\n", nil, 0, "Nothing of the result fits", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, done := bothDone(t)
				b.Close()
				for name, text := range map[string]string{"main.go": c.main, "lib/a.go": c.lib} {
					path := filepath.Join(b.Root, name)
					if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
					b.Session.Update(workspace.DiskChanged{Paths: []string{path}})
				}
				if err := b.Session.WaitIdle(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.start(b.engine.Editor.Docs.Group, b.engine.Tasks.deps.Store)
				b.Open(c.main)
				p, err := b.engine.Tasks.Propose(t.Context(), b.Session.Snapshot(), done.Record.ID)
				if c.err != "" {
					var known *edits.Error
					if err == nil || !strings.Contains(err.Error(), c.err) || (errors.As(err, &known) && known.Code == edits.CodeStale) != c.stale {
						t.Errorf("%v, want %q", err, c.err)
					}
					return
				}
				if err != nil || len(p.Task.Conflicts) != c.conflicts {
					t.Fatalf("%v, conflicts %v", err, p.Task.Conflicts)
				}
				got, _, err := b.accepted(p.ID, edit.Part{})
				if err != nil || len(got) != len(c.want) {
					t.Errorf("%v, %v", err, got)
				}
				for name, text := range c.want {
					if got[name] != text {
						t.Errorf("%s becomes\n%s", name, got[name])
					}
				}
				if again, err := b.engine.Tasks.Propose(t.Context(), b.Session.Snapshot(), done.Record.ID); err != nil || again.ID != p.ID {
					t.Errorf("asked again it is %+v, %v", again, err)
				}
				b.engine.Tasks.Resolved(done.Record.ID, "accepted")
				if got, err := b.engine.Tasks.Get(done.Record.ID); err != nil || got.Record.Resolved != "accepted" {
					t.Errorf("what the user decided is %q, %v", got.Record.Resolved, err)
				}
			})
		})
	}
}

// TestDoubtsAreKept: why a result may not be what was asked for is on the disk with it.
func TestDoubtsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, done := bothDone(t)
		r := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{})
		r.rec.ID = done.Record.ID
		doubted := edits.FileChange{Path: "main.go", Before: "a\n", After: "b\n", Doubts: []edits.Doubt{{Why: "it lacks something"}}}
		kept, err := r.storeChanges([]edits.FileChange{doubted})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(state.Task{ID: done.Record.ID, Steps: []state.Step{{Result: kept}}})
		var read state.Task
		if err == nil {
			err = json.Unmarshal(raw, &read)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.loadResults(read); err != nil || len(got[0]) != 1 || !slices.Equal(got[0][0].Doubts, doubted.Doubts) {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// TestResultFollowsTheFile: the result of a task moves with a file that is not open, and
// gives up what has changed at its place, a deleted file too.
func TestResultFollowsTheFile(t *testing.T) {
	for _, c := range []struct {
		name, lib string // "" deletes it
		want      string
		conflict  bool
	}{
		{"moved", "// above\n" + libA, "// above\n" + libAfter, false},
		{"changed at its place", strings.Replace(libA, "return 1", "return one()", 1), "", true},
		{"deleted", "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, done := bothDone(t)
				path := filepath.Join(b.Root, "lib", "a.go")
				err := os.Remove(path)
				if c.lib != "" {
					err = os.WriteFile(path, []byte(c.lib), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
				b.Session.Update(workspace.DiskChanged{Paths: []string{path}})
				if err := b.Session.WaitIdle(t.Context()); err != nil {
					t.Fatal(err)
				}
				got, conflicts, err := b.accepted(done.ProposalID, edit.Part{})
				if err != nil || got["main.go"] != mainAfter || got["lib/a.go"] != c.want || (len(conflicts) == 1 && conflicts[0] == "lib/a.go") != c.conflict {
					t.Errorf("%v, conflicts %v, %q", err, conflicts, got)
				}
				if c.conflict {
					b.Edit(b.At("return ")-7, b.At("return 1"), "return one()")
					if _, _, err := b.accepted(done.ProposalID, edit.Part{}); err == nil || !strings.Contains(err.Error(), "dropped") && !strings.Contains(err.Error(), "Nothing of") {
						t.Errorf("where nothing fits any more: %v", err)
					}
				}
			})
		})
	}
}
