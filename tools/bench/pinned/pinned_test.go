package pinned

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTreesAreNamedOnceAndHeldOutOnesAreInNoFit(t *testing.T) {
	seen := map[string]bool{}
	for _, tree := range Trees() {
		if seen[tree.Name] || seen[tree.Hash] {
			t.Errorf("%s is listed twice", tree.Name)
		}
		seen[tree.Name], seen[tree.Hash] = true, true
		if slices.Contains(tree.Uses, "held-out") && len(tree.Uses) > 1 {
			t.Errorf("%s is held out and used by %v", tree.Name, tree.Uses)
		}
	}
	if len(seen) == 0 {
		t.Error("the list has no trees")
	}
}

func TestAnotherTreeIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	hash, err := Hash(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func(before string) { list = before }(list)
	list = "own x " + hash + " forest\nother y h1:none= other\nlast z h1:none2= held-out\n"
	if err := ForFit("forest", []string{dir}); err != nil {
		t.Errorf("the pinned tree is refused: %v", err)
	}
	if err := ForFit("forest", nil); err == nil || !strings.Contains(err.Error(), "own") {
		t.Errorf("a fit without one of its trees: %v", err)
	}
	if err := ForFit("other", []string{dir}); err == nil {
		t.Error("a tree of another fit is accepted")
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := ForFit("forest", []string{dir}); err == nil {
		t.Error("a tree that differs from the pinned one is accepted")
	}
}
