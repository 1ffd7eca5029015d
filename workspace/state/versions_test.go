package state

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// edited rewrites the file of a task, as another version would.
func edited(t *testing.T, tasks *Tasks, id string, change func(map[string]any)) []byte {
	t.Helper()
	path := filepath.Join(tasks.dir, id+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	change(all)
	if data, err = json.Marshal(all); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return data
}

// TestTasksOfALaterVersion: a field or a state that this version does not know is named, and the task
// stays as it is on disk.
func TestTasksOfALaterVersion(t *testing.T) {
	step := func(all map[string]any) map[string]any { return all["steps"].([]any)[0].(map[string]any) }
	for want, change := range map[string]func(map[string]any){
		`field "glow"`:       func(all map[string]any) { all["glow"] = true },
		`field "shine"`:      func(all map[string]any) { step(all)["shine"] = "x" },
		`state "paused"`:     func(all map[string]any) { all["state"] = "paused" },
		`state "rechecking"`: func(all map[string]any) { step(all)["state"] = "rechecking" },
		`field "also"`:       func(all map[string]any) { all["messages"] = []any{map[string]any{"also": 1}} },
		"":                   func(all map[string]any) { delete(all, "ms") },
	} {
		tasks := store(t).Tasks()
		defer tasks.Close()
		for _, id := range []string{"later", "own"} {
			if err := tasks.Save(Task{ID: id, State: "interrupted", Steps: []Step{{State: "queued"}}}); err != nil {
				t.Fatal(err)
			}
		}
		before := edited(t, tasks, "later", change)
		task, err := tasks.Get("later")
		if err != nil || task.Newer != want || (task.Foreign() == nil) != (want == "") {
			t.Errorf("%s: %+v, %v", want, task, err)
		}
		all, err := tasks.List()
		if err != nil || len(all) != 2 {
			t.Errorf("%s: %d tasks are listed, %v", want, len(all), err)
		}
		if want == "" {
			continue
		}
		_, taken := tasks.Take("later")
		changed := tasks.Change("later", func(task *Task) { task.Resolved = "accepted" })
		for _, err := range []error{taken, changed} {
			if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, ErrOwned) {
				t.Errorf("%s: %v", want, err)
			}
		}
		if now, err := os.ReadFile(filepath.Join(tasks.dir, "later.json")); err != nil || string(now) != string(before) {
			t.Errorf("%s: the file became %s, %v", want, now, err)
		}
	}
}

// TestTasksOfEarlierVersions: what this version has written, the next ones know.
func TestTasksOfEarlierVersions(t *testing.T) {
	files, err := filepath.Glob("testdata/task-*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if task, err := decodeTask(data); err != nil || task.Newer != "" || task.ID == "" {
			t.Errorf("%s: %v; %q is not known: a field that is removed moves to earlierTask", file, err, task.Newer)
		}
	}
}

// TestLedgerOfALaterVersion: lines with a member or an event that this version does not know are
// part of the chain, and of what was spent; what is changed in them is found.
func TestLedgerOfALaterVersion(t *testing.T) {
	ledger := store(t).Ledger()
	defer ledger.Close()
	now := time.Now()
	add := func(e Entry) {
		t.Helper()
		if err := ledger.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	add(Entry{Time: now, Event: EventSent, ID: "1"})
	add(Entry{Time: now, Event: "refunded", ID: "1", CostUSD: 0.5})
	path := filepath.Join(ledger.dir, linesFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	var first, second Entry
	for i, e := range []*Entry{&first, &second} {
		if err := json.Unmarshal([]byte(lines[i]), e); err != nil {
			t.Fatal(err)
		}
	}
	later := strings.Replace(strings.TrimSuffix(lines[1], "\n"), `"event"`, `"region":"eu","event"`, 1)
	later = strings.Replace(later, second.Hash, "", 1)
	hash := chain(first.Hash, []byte(later))
	later = strings.TrimSuffix(later, hashEnd) + hash + hashEnd + "\n"
	// The later version has died before it wrote the head.
	if err := os.WriteFile(path, []byte(lines[0]+later), 0o600); err != nil {
		t.Fatal(err)
	}
	h := advance(head{}, first, len(lines[0]))
	if err := ledger.locked(func() error { return ledger.writeHead(h) }); err != nil {
		t.Fatal(err)
	}
	if usd, err := ledger.Spent(now); err != nil || usd != 0.5 {
		t.Errorf("spent %v, %v", usd, err)
	}
	add(Entry{Time: now, Event: EventDone, ID: "1"})
	var events []string
	read := func() (*Fault, error) {
		events = nil
		return ledger.Read(func(e Entry) error { events = append(events, e.Event); return nil })
	}
	if fault, err := read(); fault != nil || err != nil || strings.Join(events, " ") != "sent refunded done" {
		t.Errorf("%v %v %v", fault, err, events)
	}
	for _, change := range [][2]string{{`"region":"eu"`, `"region":"us"`}, {hash + hashEnd, hash + `","cost_usd":0}`}, {`"cost_usd":0.5`, `"cost_usd":0.4`}, {`,"hash":"` + hash + hashEnd, `, "hash":"` + hash + hashEnd}} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(data), change[0], change[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if fault, err := read(); fault == nil || fault.Line != 2 || err != nil {
			t.Errorf("%q for %q: %v %v", change[1], change[0], fault, err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
