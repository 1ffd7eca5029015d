package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/tools/bench/clones"
)

func TestOtherClonesAreRefused(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "own")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "a"}} {
		if _, err := clones.Git(ctx, dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	list, err := clones.OpenAll(ctx, root, "")
	if err != nil {
		t.Fatal(err)
	}
	head, err := list[0].Git(ctx, "rev-parse", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	own, other := "own git:x "+strings.TrimSpace(string(head))+" forest\n", "other git:y 1234 forest\n"
	if err := checkPinned(own+"last git:z 5678 held-out\n", list); err != nil {
		t.Errorf("the pinned clone is refused: %v", err)
	}
	if err := checkPinned(own+other, list); err == nil || !strings.Contains(err.Error(), "other") {
		t.Errorf("a fit without one of its clones: %v", err)
	}
	if err := checkPinned(other, list); err == nil || !strings.Contains(err.Error(), "own") {
		t.Errorf("a clone at another commit: %v", err)
	}
}
