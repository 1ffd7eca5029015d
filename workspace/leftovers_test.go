package workspace

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"tandem/edits"
)

// TestLeftoversGo removes what a killed program left beside the user's files: not what
// one is writing now, and nothing that only looks like it.
func TestLeftoversGo(t *testing.T) {
	names := []string{"a.txt", ".tandem-OLD.tmp", ".tandem-NEW.tmp", ".tandem-OLD.txt", "x.tandem-OLD.tmp"}
	files := map[string]string{}
	for _, name := range names {
		files["pkg/"+name] = "text\n"
	}
	p := newSandbox(t, files)
	old := time.Now().Add(-2 * leftoverAge)
	for _, name := range names {
		if name == ".tandem-NEW.tmp" {
			continue
		}
		if err := os.Chtimes(filepath.Join(p.root, "pkg", name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	change := &edits.Proposal{Files: edits.ProposeFiles(map[string]string{"pkg/a.txt": "text\n"}, map[string]string{"pkg/a.txt": "new\n"}, nil)}
	if err := WriteProposal(p.root, change, nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		_, err := os.Lstat(filepath.Join(p.root, "pkg", name))
		if gone := os.IsNotExist(err); gone != (name == ".tandem-OLD.tmp") {
			t.Errorf("%s is gone: %v", name, gone)
		}
	}
}
