package state

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/edits"
)

func TestTaskIsKept(t *testing.T) {
	tasks := store(t).Tasks()
	want := Task{ID: "k3", Title: "Add a cache", State: "done", Root: "/w", Instruction: "add a cache", Started: noon, Updated: noon,
		CostUSD: 0.5, Verdict: edits.Judge(nil, edits.Check{Findings: []edits.Finding{{Severity: "error", Message: "no a."}}}),
		Steps: []Step{{Title: "write it", Lane: "fast", State: "done", Writes: []string{"a.go"}, After: []int{2}, Result: []Change{{Path: "a.go", After: "00"}}}}}
	if err := tasks.Save(want); err != nil {
		t.Fatal(err)
	}
	got, err := tasks.Get("k3")
	if diff := cmp.Diff(want, got, cmp.Comparer(func(v, w edits.Verdict) bool { return v.State()+v.Reason() == w.State()+w.Reason() })); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := tasks.Find("k"); err != nil || got.ID != "k3" {
		t.Errorf("by prefix: %q, %v", got.ID, err)
	}
	if _, err := tasks.Find("x"); !errors.Is(err, ErrNoTask) {
		t.Errorf("an unknown id: %v", err)
	}
}

func TestTaskRunsWhileItsProcessLives(t *testing.T) {
	s := store(t)
	mine, theirs := s.Tasks(), s.Tasks()
	if err := mine.Save(Task{ID: "a", State: "running"}); err != nil {
		t.Fatal(err)
	}
	if got, err := theirs.Get("a"); err != nil || got.State != "running" {
		t.Errorf("%q, %v", got.State, err)
	}
	if err := mine.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := theirs.Get("a"); err != nil || got.State != "interrupted" {
		t.Errorf("after it closed: %q, %v", got.State, err)
	}
}

func TestTasksOfAKilledProcessAreInterrupted(t *testing.T) {
	s := store(t)
	cmd := process(t, s, "task")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "saved\n" {
		t.Fatalf("the other process: %q, %v", line, err)
	}
	tasks := s.Tasks()
	if got, err := tasks.Get("other"); err != nil || got.State != "running" {
		t.Errorf("while it lives: %q, %v", got.State, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	got, err := tasks.Get("other")
	if err != nil || got.State != "interrupted" || got.Steps[0].State != "done" || got.Steps[1].State != "interrupted" {
		t.Errorf("after kill -9: %+v, %v", got, err)
	}
}

func TestTasksFileNamesStayInTheFolder(t *testing.T) {
	tasks := store(t).Tasks()
	for _, id := range []string{"", "../x", "a/b", `a\b`, ".", "..", ".hidden", "c:x", ownerPrefix + "x"} {
		if err := tasks.Save(Task{ID: id}); !errors.Is(err, ErrNoTask) {
			t.Errorf("Save(%q): %v", id, err)
		}
		if err := tasks.Send(id, TaskMessage{}); !errors.Is(err, ErrNoTask) {
			t.Errorf("Tell(%q): %v", id, err)
		}
	}
}

func TestListOmitsTheUnreadable(t *testing.T) {
	tasks := store(t).Tasks()
	for i, id := range []string{"old", "new"} {
		if err := tasks.Save(Task{ID: id, State: "done", Started: noon.AddDate(0, 0, i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(tasks.dir, "bad.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	huge := filepath.Join(tasks.dir, "huge.json")
	if err := errors.Join(os.WriteFile(huge, nil, 0o600), os.Truncate(huge, 4<<30)); err != nil {
		t.Fatal(err)
	}
	list, err := tasks.List()
	if len(list) != 2 || list[0].ID != "new" || err == nil || !strings.Contains(err.Error(), "bad") || !strings.Contains(err.Error(), "more than 64 MB") {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestMessagesReachTheTask(t *testing.T) {
	s := store(t)
	if err := s.Tasks().Send("a", TaskMessage{Action: "steer", Text: "use a map\nplease"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Tasks().Send("a", TaskMessage{Action: "cancel"}); err != nil {
		t.Fatal(err)
	}
	mine := s.Tasks()
	got, err := mine.Receive("a")
	if diff := cmp.Diff([]TaskMessage{{Action: "steer", Text: "use a map\nplease"}, {Action: "cancel"}}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if again, err := mine.Receive("a"); err != nil || len(again) != 0 {
		t.Errorf("received twice: %v, %v", again, err)
	}
	if none, err := mine.Receive("b"); err != nil || len(none) != 0 {
		t.Errorf("nothing was sent: %v, %v", none, err)
	}
}

// TestOneOwner: of all that want a task that nobody runs, one gets it.
func TestOneOwner(t *testing.T) {
	s := store(t)
	if err := s.Tasks().Save(Task{ID: "a", State: "interrupted", Title: "x"}); err != nil {
		t.Fatal(err)
	}
	first, second := s.Tasks(), s.Tasks()
	if got, err := first.Take("a"); err != nil || got.Title != "x" {
		t.Errorf("the first: %+v, %v", got, err)
	}
	if _, err := second.Take("a"); !errors.Is(err, ErrOwned) {
		t.Errorf("the second: %v", err)
	}
	if err := second.Change("a", func(*Task) {}); !errors.Is(err, ErrOwned) {
		t.Errorf("a change: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Take("a"); err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
}

func TestTextsOfATask(t *testing.T) {
	tasks := store(t).Tasks()
	name, err := tasks.PutText("a", "text\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := tasks.Text("a", name); err != nil || got != "text\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"../a", "zz", name + "0"} {
		if _, err := tasks.Text("a", bad); err == nil {
			t.Errorf("%q is a text", bad)
		}
	}
	if err := os.WriteFile(filepath.Join(tasks.dir, "a.texts", name+".txt"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tasks.Text("a", name); err == nil {
		t.Error("a changed text is taken for the one that was kept")
	}
}

// Two who look at the same time whether the owner of a task lives both see that it does not.
func TestManyFindATaskInterruptedAtOnce(t *testing.T) {
	s := store(t)
	tasks := s.Tasks()
	for range 20 {
		if err := tasks.Save(Task{ID: "a", State: "running"}); err != nil {
			t.Fatal(err)
		}
		if err := tasks.owner.Close(); err != nil { // as a killed process leaves it
			t.Fatal(err)
		}
		tasks.owner = nil
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if got, err := s.Tasks().Get("a"); err != nil || got.State != "interrupted" {
					t.Errorf("%q, %v", got.State, err)
				}
			})
		}
		all.Wait()
	}
}

// A process that stores the end of a task and ends is never taken for one that died.
func TestAnEndIsNoInterruption(t *testing.T) {
	s := store(t)
	var state atomic.Value // "" or what was seen
	for i := range 100 {
		id, tasks := fmt.Sprint("t", i), s.Tasks()
		if err := tasks.Save(Task{ID: id, State: "running"}); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				for {
					got, err := s.Tasks().Get(id)
					if err != nil || got.State == "interrupted" {
						state.Store(fmt.Sprint(got.State, err))
					}
					if err != nil || got.State != "running" {
						return
					}
				}
			})
		}
		if err := errors.Join(tasks.Save(Task{ID: id, State: "done"}), tasks.Close()); err != nil {
			t.Fatal(err)
		}
		all.Wait()
	}
	if got := state.Load(); got != nil {
		t.Errorf("a task that was done was seen as %v", got)
	}
}

// A task that is taken up again is not stopped by a cancellation that came too late for the
// run before; a sentence that came too late is kept for it.
func TestTakeForgetsLateCancellations(t *testing.T) {
	tasks := store(t).Tasks()
	defer tasks.Close()
	if err := tasks.Save(Task{ID: "a", State: "done"}); err != nil {
		t.Fatal(err)
	}
	for _, m := range []TaskMessage{{Action: "cancel"}, {Action: "steer", Text: "and tests"}, {Action: "cancel"}} {
		if err := tasks.Send("a", m); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tasks.Take("a"); err != nil {
		t.Fatal(err)
	}
	got, err := tasks.Receive("a")
	if want := []TaskMessage{{Action: "steer", Text: "and tests"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// A task that was removed while somebody waited to change it stays removed.
func TestRemovedTaskStaysRemoved(t *testing.T) {
	tasks := store(t).Tasks()
	for range 50 {
		if err := tasks.Save(Task{ID: "a", State: "done"}); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { _ = tasks.Change("a", func(rec *Task) { rec.Resolved = "accepted" }) })
		}
		if err := tasks.Remove("a"); err != nil {
			t.Fatal(err)
		}
		all.Wait()
		if got, err := tasks.Get("a"); !errors.Is(err, ErrNoTask) {
			t.Fatalf("%+v, %v", got, err)
		}
	}
}
