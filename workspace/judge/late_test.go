package judge_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/names"
	"tandem/workspace/run"
)

const stillRead = "the packages that this file uses are still being read"

// lateBefore checks what is asked for first, the texts after, and has no time for those before.
type lateBefore struct {
	judge.Names
	asked int
}

func (l *lateBefore) Find(ctx context.Context, snap *workspace.Snapshot, stage names.Stage, files []names.File) names.Verdict {
	if l.asked++; l.asked == 1 {
		return l.Names.Find(ctx, snap, stage, files)
	}
	v := names.Verdict{Unknown: []string{stillRead}}
	for _, f := range files {
		v.Late = append(v.Late, f.Path)
	}
	return v
}

// TestLateBefore: where there was no time to look at the text before, what is wrong with the text after
// is not taken for the change's; that it is not judged is said. What needs no text before is found.
func TestLateBefore(t *testing.T) {
	t.Parallel()
	const old = "def f():\n    oldThing()\n"
	const after = "def f():\n    x = 1\n    oldThing()\n"
	for _, tree := range []string{
		"-- a.py --\n" + old + "-- after/a.py --\n" + after,
		"-- a.py --\n" + old + "-- gone/a.py --\n-- after/b.py --\n" + after,
	} {
		x := treeOf(t, txtar.Parse([]byte("-- venv/lib/python3.11/os.py --\n"+tree)), false)
		if got := x.describe(t, x.report(t, judge.Users).Found()); got != "" {
			t.Fatalf("in time: %s", got)
		}
		x.judge.Names = &lateBefore{Names: x.judge.Names}
		r := x.report(t, judge.Users)
		if got := x.describe(t, r.Found()); got != "" || !slices.Contains(r.Unknown, stillRead) || len(r.Late) == 0 {
			t.Errorf("%s: found %s, not judged: %v, %v", tree, got, r.Unknown, r.Late)
		}
		if v := x.judge.Change(t.Context(), x.session.Snapshot(), x.changes, judge.Users); v.Failed() {
			t.Errorf("%s: %s", tree, v.Reason())
		}
	}
	x := treeOf(t, txtar.Parse([]byte("-- after/new.py --\n"+old)), false)
	x.judge.Names = &lateBefore{Names: x.judge.Names}
	if got := x.describe(t, x.report(t, judge.Users).Found()); !strings.Contains(got, "oldThing") {
		t.Errorf("of a new file: %q", got)
	}
}

// TestNoTime: a check that is given up names its files.
func TestNoTime(t *testing.T) {
	t.Parallel()
	x := treeOf(t, txtar.Parse([]byte("-- a.py --\nx = oldThing()\n")), false)
	group := run.NewGroup(t.Context(), nil)
	defer group.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v := judge.New(nil, group).Names.Find(ctx, x.session.Snapshot(), names.Finished, []names.File{{Path: "a.py", Text: "x = oldThing()\n", Look: names.Whole("x = oldThing()\n")}})
	if len(v.Unknown) == 0 || !slices.Equal(v.Late, []string{"a.py"}) {
		t.Errorf("%+v", v)
	}
}
