package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestAnswersOnEveryRoad: of a small draw, with every kind of answer on some road, no wrong
// text is written, and what is meant plainly is.
func TestAnswersOnEveryRoad(t *testing.T) {
	dir := t.TempDir()
	tandem := filepath.Join(dir, "tandem")
	if out, err := exec.Command("go", "build", "-C", "../..", "-ldflags=-w", "-o", tandem, "tandem/cmd/tandem").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := run(tandem, dir, 1, (len(kinds)+len(ways)-1)/len(ways), 3); err != nil {
		t.Error(err)
	}
}
