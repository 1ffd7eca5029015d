package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/model/assist/core"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// TestFollowers: one who follows a task gets its latest state alone, until it stops.
func TestFollowers(t *testing.T) {
	var f followers
	f.publish(task.Task{Record: state.Task{ID: "t1"}}) // nobody follows
	events := f.add("t1")
	f.publish(task.Task{Record: state.Task{ID: "t2"}})
	f.publish(task.Task{Record: state.Task{ID: "t1", Title: "first"}})
	f.publish(task.Task{Record: state.Task{ID: "t1", Title: "second"}})
	if got := (<-events).Record.Title; got != "second" || len(events) != 0 {
		t.Errorf("got %q, and %d more", got, len(events))
	}
	f.remove("t1")
	f.publish(task.Task{Record: state.Task{ID: "t1"}})
	if len(events) != 0 {
		t.Error("one who has stopped gets more")
	}
}

// TestNotificationsInOrder: a notification put again keeps its place, one that was dropped
// or has nothing to say is not sent, and one that is flushed overtakes.
func TestNotificationsInOrder(t *testing.T) {
	var sent []string
	q := newNotificationQueue(func(method string, params any) { sent = append(sent, fmt.Sprintf("%s %s", method, params)) }, nil)
	put := func(key string, v any) { q.put(key, key, func() any { return v }) }
	put("a", 1)
	q.post("b", 2)
	put("c", 3)
	put("a", 4)
	put("d", 5)
	put("e", nil)
	q.remove("c")
	q.remove("none")
	q.flush("d")
	q.flush("none")
	for len(q.queue) > 0 {
		q.sendOne(func() int { return q.firstReady(time.Now()) })
	}
	if want := []string{"d 5", "a 4", "b 2"}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	q.enqueue(&queuedNotification{method: "late", params: func() any { return 1 }, after: time.Now().Add(time.Hour)})
	q.post("soon", 2)
	if i := q.firstReady(time.Now()); i != 1 {
		t.Errorf("number %d is sent first", i)
	}
}

// TestPanicInANotification: it is reported, and what stands behind it in the queue is sent.
func TestPanicInANotification(t *testing.T) {
	var sent, panics []string
	q := newNotificationQueue(func(method string, _ any) { sent = append(sent, method) },
		func(p *run.Panic) { panics = append(panics, p.Error()) })
	q.put("a", "a", func() any { panic("broken") })
	q.post("b", 1)
	for len(q.queue) > 0 {
		q.sendOne(func() int { return q.firstReady(time.Now()) })
	}
	if !slices.Equal(sent, []string{"b"}) || len(panics) != 1 || !strings.Contains(panics[0], "broken") {
		t.Errorf("sent %q, panics %q", sent, panics)
	}
}

// TestNewestRequest: a request ends the one before it of its document, also where older ones end
// between, and no other.
func TestNewestRequest(t *testing.T) {
	var n newest
	first, endFirst := n.replace("a")(t.Context())
	second, endSecond := n.replace("a")(t.Context())
	other, endOther := n.replace("b")(t.Context())
	if !superseded(first) || superseded(second) || superseded(other) {
		t.Fatalf("superseded: %v, %v, %v; want the first alone", superseded(first), superseded(second), superseded(other))
	}
	endFirst()
	startThird, startFourth := n.replace("a"), n.replace("a")
	if !superseded(second) {
		t.Error("the second goes on beside the third")
	}
	fourth, endFourth := startFourth(t.Context())
	third, endThird := startThird(t.Context())
	if !superseded(third) || superseded(fourth) || superseded(other) {
		t.Errorf("superseded: %v, %v, %v; want the third alone", superseded(third), superseded(fourth), superseded(other))
	}
	for _, end := range []func(){endSecond, endThird, endFourth, endOther} {
		end()
	}
	if len(n.running) > 0 {
		t.Errorf("%d requests that have ended are stored", len(n.running))
	}
}

// TestMessagesAreShownOnce: the same message reaches the user once, and an empty one never.
func TestMessagesAreShownOnce(t *testing.T) {
	o := observe(t, deps(t, &cassette{}), nil)
	o.initialize(fullClient())
	for _, notice := range []string{"One.", "One.", "Two.", "One."} {
		o.setup.OnEngine(core.Notice(notice))
	}
	o.setup.OnWorkspace(workspace.Event{})
	o.setup.OnWorkspace(workspace.Event{Problem: "Three."})
	for _, rec := range []state.Task{{Title: "a", State: task.Interrupted}, {Title: "b", State: task.Interrupted, Error: "The key is gone."}, {Title: "c", State: task.Failed, Error: "No answer."}, {Title: "d", State: task.Running, Error: "Slow."}} {
		o.setup.OnEngine(&task.Task{Record: rec})
	}
	o.settled()
	o.mu.Lock()
	defer o.mu.Unlock()
	var got []string
	for _, m := range o.received {
		if m.Method == "window/showMessage" {
			got = append(got, asJSON(t, m.Params))
		}
	}
	if want := []string{`{"message":"One.","type":2}`, `{"message":"Two.","type":2}`, `{"message":"Three.","type":2}`,
		`{"message":"The task \"b\" was interrupted: The key is gone.","type":1}`, `{"message":"The task \"c\" failed: No answer.","type":1}`}; !slices.Equal(got, want) {
		t.Errorf("shown %q, want %q", got, want)
	}
}
