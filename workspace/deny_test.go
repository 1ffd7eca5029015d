package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/workspace/ignore"
	"tandem/workspace/platformtest"
)

// TestDeny holds that what the administrator's globs match is shown to no
// model: on disk, open, outside every folder, by a link, by its definitions.
func TestDeny(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	for _, file := range []string{filepath.Join(root, "src", "Payments", "card.go"), filepath.Join(root, "src", "other.go"), filepath.Join(outside, "payments", "bank.go")} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("package p\n\nfunc Canary"+strings.TrimSuffix(filepath.Base(file), ".go")+"() {}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	links := platformtest.Symlinks(t)
	if links {
		platformtest.Symlink(t, filepath.Join("Payments", "card.go"), filepath.Join(root, "src", "link.go"))
	}
	published := make(chan struct{}, 1)
	s, err := Open(t.Context(), Options{Folders: []string{root}, ClientWatches: true, Deny: ignore.Globs{"**/payments/**"}, Notify: func(Event) {
		select {
		case published <- struct{}{}:
		default:
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for !s.Snapshot().Views()[0].Ready() {
		<-published
	}
	snap := s.Snapshot()
	for path, allowed := range map[string]bool{"src/Payments/card.go": false, "src/link.go": !links, "src/other.go": true, "src/Payments/new.go": false} {
		if ok, why := snap.Allowed(filepath.Join(root, path)); ok != allowed || !ok && !strings.Contains(why, "administrator") {
			t.Errorf("%s: allowed %v, %q", path, ok, why)
		}
	}
	for _, uri := range []string{URIOf(filepath.Join(outside, "payments", "bank.go")), "vscode-notebook-cell:/x/payments/a.ipynb#1"} {
		if ok, why := openAs(s, uri, "CANARY").Allowed(uri); ok {
			t.Errorf("%s is shown (%q)", uri, why)
		}
	}
	for path, denied := range map[string]bool{filepath.Join(outside, "payments", "bank.go"): true, filepath.Join(root, "src", "Payments", "card.go"): true, filepath.Join(outside, "bank.go"): false} {
		if got := snap.Installed().Denies(path); got != denied {
			t.Errorf("as a dependency, %s is denied: %v", path, got)
		}
	}
	ix := snap.View(filepath.Join(root, "src", "other.go")).Index()
	for _, id := range ix.Files() {
		if path := ix.Path(id); path != "src/other.go" {
			t.Errorf("%s is in the index", path)
		}
	}
}
