package assist

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
)

// TestReviewDiffIsBounded: a reviewer is shown the changes that fit, each whole, and of the
// others that they are there.
func TestReviewDiffIsBounded(t *testing.T) {
	large := strings.Repeat("a line of a large file\n", maxReviewDiff/20)
	got := diffOf([]edits.FileChange{
		{Path: "a.go", Before: "package a\n", After: "package b\n"},
		{Path: "large.txt", After: large, AbsentBefore: true},
		{Path: "c.go", Before: "package c\n", After: "package d\n"},
	})
	for _, want := range []string{"-package a\n+package b\n", "(the change of large.txt is too long to show)\n", "-package c\n+package d\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the diff lacks %q", want)
		}
	}
	if len(got) > maxReviewDiff || strings.Contains(got, "a line of a large file") {
		t.Errorf("the diff has %d bytes", len(got))
	}
}

// TestUnattendedTaskWithoutALimit: where the settings name no price to agree to, a task of
// any price runs.
func TestUnattendedTaskWithoutALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(alpha11, turn{"", planAlpha})
		deep.price = 1e6
		settings := quiet()
		settings.Unattended = true
		b := newTaskBench(t, lanes{model.Deep: deep}, settings)
		b.escalate(TaskRequest{})
		b.expect(TaskDone, "")
	})
}

// TestUndoesTheLastEdit: what brings back the text that the user has just removed, there,
// is no next edit.
func TestUndoesTheLastEdit(t *testing.T) {
	d := &nextDoc{removed: removal{"name", 10}}
	at := func(start, end int, text string) edits.Edit {
		return edits.Edit{Span: edits.Span{Start: start, End: end}, New: text}
	}
	for e, want := range map[edits.Edit]bool{
		at(10, 10, "name"): true, at(8, 10, "name"): true, at(10, 12, "name"): true, at(8, 12, "name"): true,
		at(11, 12, "name"): false, at(0, 9, "name"): false, at(10, 10, "names"): false, at(10, 10, ""): false,
	} {
		if got := d.undoes(e); got != want {
			t.Errorf("%+v undoes it: %v", e, got)
		}
	}
	for _, removed := range []string{"", " ", "x", " x\n"} {
		d.removed.text = removed
		if d.undoes(at(10, 10, removed)) {
			t.Errorf("%q is too little to be taken for an undone edit", removed)
		}
	}
}

// TestSnoozeEndsWithAStatus: the host is notified when a snooze is over, and not before.
func TestSnoozeEndsWithAStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{}, source, nil)
		statuses := func() (n int) {
			b.mu.Lock()
			defer b.mu.Unlock()
			for _, e := range b.events {
				if _, ok := e.(*Status); ok {
					n++
				}
			}
			return n
		}
		before := statuses()
		b.engine.Completer.Snooze(time.Now().Add(time.Hour))
		time.Sleep(time.Hour - time.Second)
		synctest.Wait()
		if n := statuses() - before; n != 0 {
			t.Errorf("%d notifications during the snooze", n)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if n := statuses() - before; n != 1 {
			t.Errorf("%d notifications at its end", n)
		}
		b.engine.Completer.Snooze(time.Now())
		b.engine.Completer.Snooze(time.Time{})
		synctest.Wait()
		if n := statuses() - before; n != 1 {
			t.Errorf("%d notifications of snoozes that are over at once", n-1)
		}
	})
}
