package run

import "testing"

// TestJobAfterAPanic asks for a job whose last run panicked: it starts again.
func TestJobAfterAPanic(t *testing.T) {
	var j Job
	_ = Call("job", func() { j.Ask(func() bool { return true }); j.Run(func() { panic("broken") }) })
	again := false
	j.Ask(func() bool { again = true; return true })
	if !again {
		t.Error("after a panic the job does not start again")
	}
}

// TestJobAskedWhileItRuns runs once more, and no more often.
func TestJobAskedWhileItRuns(t *testing.T) {
	var j Job
	starts, runs := 0, 0
	start := func() bool { starts++; return true }
	j.Ask(start)
	j.Run(func() {
		if runs++; runs == 1 {
			j.Ask(start)
			j.Ask(start)
		}
	})
	if starts != 1 || runs != 2 {
		t.Errorf("%d starts and %d runs, want 1 and 2", starts, runs)
	}
}
