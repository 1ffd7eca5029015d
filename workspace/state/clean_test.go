package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tandem/workspace/platformtest"
)

// TestCleanRemovesWhatKillsLeft shows that only what is old or whose owner is gone
// is removed.
func TestCleanRemovesWhatKillsLeft(t *testing.T) {
	s := store(t)
	living := s.Tasks()
	if err := living.Save(Task{ID: "mine", State: "running"}); err != nil {
		t.Fatal(err)
	}
	defer living.Close()
	owner := filepath.Base(living.owner.Name())
	old := time.Now().Add(-2 * temporaryAge)
	keep := map[string]bool{"tasks/" + owner: true}
	for _, f := range []struct {
		name string
		age  bool
		keep bool
	}{
		{"tasks/.mine.json.123", true, false}, {"tasks/.mine.json.124", false, true}, {"tasks/mine.json", true, true}, {"tasks/mine.words", true, true},
		{"tasks/owner-77", false, false},
		{"index/0123abcd.new-9", true, false}, {"index/0123abcd.new-10", false, true}, {"index/0123abcd", true, true},
		{"vocabulary/.new-5", true, false}, {"vocabulary/module.new-x", true, true},
		{"ledger/ledger.jsonl", true, true}, {"ledger/ledger-000000000000012.jsonl", true, true}, {"ledger/head.json", true, true},
	} {
		path := filepath.Join(s.Dir, f.name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		if f.age {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
		keep[f.name] = f.keep
	}
	if err := s.Clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range keep {
		if _, err := os.Stat(filepath.Join(s.Dir, name)); (err == nil) != want {
			t.Errorf("%s: kept %v, want %v", name, err == nil, want)
		}
	}
}

// TestFailureToWriteIsTheSameEachTime shows that a repeated failure can be
// recognised: its text names no temporary file.
func TestFailureToWriteIsTheSameEachTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	first, second := writeWhole(filepath.Join(dir, "a.json"), nil), writeWhole(filepath.Join(dir, "a.json"), nil)
	if first == nil || first.Error() != second.Error() || !strings.Contains(first.Error(), "a.json") {
		t.Errorf("%v, then %v", first, second)
	}
}

// TestOpenPrivate shows that a file which others could read is closed to them.
func TestOpenPrivate(t *testing.T) {
	platformtest.Unix(t, platformtest.Modes)
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := OpenPrivate(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	device, err := OpenPrivate(os.DevNull, os.O_WRONLY)
	if err != nil {
		t.Fatalf("a device: %v", err)
	}
	defer device.Close()
}
