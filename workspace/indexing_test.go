package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestUnkeptIndexIsReportedOnce shows that a state folder that cannot be written
// is reported once, in one sentence, however often the folder is indexed.
func TestUnkeptIndexIsReportedOnce(t *testing.T) {
	root, stateDir := newFolder(t, map[string]string{"a.go": "package a\n"}), t.TempDir()
	if err := os.WriteFile(filepath.Join(stateDir, "index"), nil, 0o600); err != nil { // where the folder of indexes belongs
		t.Fatal(err)
	}
	var mu sync.Mutex // guards problems
	var problems []string
	s, err := Open(context.Background(), Options{Folders: []string{root}, StateDir: stateDir, ClientWatches: true, Notify: func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(e.Problem, "No index is kept") {
			problems = append(problems, e.Problem)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 3 {
		waitIdle(t, s)
		s.rescan(s.Snapshot().views[0].folder)
	}
	waitIdle(t, s)
	mu.Lock()
	defer mu.Unlock()
	if len(problems) != 1 || strings.Count(problems[0], "next start") != 1 {
		t.Errorf("reported: %q", problems)
	}
}
