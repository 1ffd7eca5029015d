package task

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/edit"
)

// TestEditBesideATask: an edit that is asked for while a task works knows what it does, which files it
// writes, and that none of it is in them; afterwards nothing is said, and the task's own requests never say it.
func TestEditBesideATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const key = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
		deep := answers(alpha11, one111, turn{"", planBoth + "after: 1\n"})
		deep.First = time.Second
		fast := assisttest.Replies(assisttest.Swap("main.go", "func beta() int {", "func gamma() int {"))
		b := newTaskBench(t, lanes{model.Deep: deep, model.Fast: fast}, quiet())
		b.escalate(Request{Title: "rotate " + key})
		beside := func() string {
			t.Helper()
			if _, err := b.engine.Editor.Edit(t.Context(), b.Session.Snapshot(), edit.Request{URI: b.URI, Instruction: "rename beta"}); err != nil {
				t.Fatal(err)
			}
			all := fast.Requests()
			_, rest, _ := strings.Cut(assisttest.LastOf(all[len(all)-1]), "<background>\n")
			text, _, _ := strings.Cut(rest, "\n</background>")
			return text
		}
		time.Sleep(1500 * time.Millisecond) // in the first step
		if got := beside(); !strings.Contains(got, "A task of the deep model is running: rotate ") || strings.Contains(got, key) || !strings.Contains(got, "1. running: make alpha return 11 (writes main.go)\n2. queued: ") ||
			!strings.Contains(got, "Its changes are in no file before the person accepts them.") {
			t.Errorf("in the first step: %q", got)
		}
		b.expect(Done, "")
		if got := beside(); got != "" {
			t.Errorf("afterwards: %q", got)
		}
		for _, req := range deep.Requests() {
			if strings.Contains(assisttest.LastOf(req), "<background>") {
				t.Error("the task is told of itself")
			}
		}
	})
}
