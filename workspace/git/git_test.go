package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/google/go-cmp/cmp"
)

// repository makes a repository with one commit, without the git program.
func repository(t *testing.T) (dir string, tree *gogit.Worktree) {
	t.Helper()
	dir = t.TempDir()
	repo, err := gogit.PlainInit(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if tree, err = repo.Worktree(); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "kept.txt", "same\n")
	write(t, dir, "changed.txt", "one\n")
	write(t, dir, "removed.txt", "gone\n")
	commit(t, tree, "first\n\nbody", "kept.txt", "changed.txt", "removed.txt")
	return dir, tree
}

func commit(t *testing.T, tree *gogit.Worktree, message string, paths ...string) {
	t.Helper()
	stage(t, tree, paths...)
	who := &object.Signature{Name: "t", Email: "t@example.com", When: time.Unix(1, 0)}
	if _, err := tree.Commit(message, &gogit.CommitOptions{Author: who}); err != nil {
		t.Fatal(err)
	}
}

func stage(t *testing.T, tree *gogit.Worktree, paths ...string) {
	t.Helper()
	for _, p := range paths {
		if _, err := tree.Add(p); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestStaged(t *testing.T) {
	dir, tree := repository(t)
	write(t, dir, "changed.txt", "two\n")
	write(t, dir, "new.txt", "new\n")
	stage(t, tree, "changed.txt", "new.txt")
	if _, err := tree.Remove("removed.txt"); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "changed.txt", "three, not staged\n")
	repo, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := repo.Staged()
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{
		{Path: "changed.txt", Before: "one\n", After: "two\n"},
		{Path: "new.txt", After: "new\n", AbsentBefore: true},
		{Path: "removed.txt", Before: "gone\n", AbsentAfter: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSince(t *testing.T) {
	dir, _ := repository(t)
	repo, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"kept.txt": "same\n", "changed.txt": "other\n", "new.txt": "new\n"}
	got, err := repo.Since("HEAD", []string{"kept.txt", "changed.txt", "new.txt", "unreadable"}, func(p string) (string, error) {
		if text, ok := texts[p]; ok {
			return text, nil
		}
		return "", os.ErrPermission
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{
		{Path: "changed.txt", Before: "one\n", After: "other\n"},
		{Path: "new.txt", After: "new\n", AbsentBefore: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := repo.Since("no-such-branch", nil, nil); err == nil {
		t.Error("a revision that does not exist was accepted")
	}
}

func TestLog(t *testing.T) {
	dir, tree := repository(t)
	write(t, dir, "changed.txt", "two\n")
	commit(t, tree, "second", "changed.txt")
	repo, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := repo.Log(10)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Subject != "second" {
		t.Fatalf("log = %+v", got)
	}
	if diff := cmp.Diff([]Change{{Path: "changed.txt", Before: "one\n", After: "two\n"}}, got[0].Changes); diff != "" {
		t.Error(diff)
	}
}

// TestHostileConfiguration: nothing that a repository's configuration names is
// run when its data is read.
func TestHostileConfiguration(t *testing.T) {
	dir, _ := repository(t)
	canary := filepath.Join(t.TempDir(), "canary")
	script := filepath.Join(dir, "evil.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+canary+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	hostile := "\n[core]\n\tfsmonitor = SCRIPT\n\tsshCommand = SCRIPT\n\tpager = SCRIPT\n\teditor = SCRIPT\n\thooksPath = SCRIPT\n\tattributesFile = SCRIPT\n" +
		"[diff]\n\texternal = SCRIPT\n[filter \"x\"]\n\tclean = SCRIPT\n\tsmudge = SCRIPT\n\tprocess = SCRIPT\n"
	config, err := os.OpenFile(filepath.Join(dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := config.WriteString(strings.ReplaceAll(hostile, "SCRIPT", script)); err != nil {
		t.Fatal(err)
	}
	if err := config.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, dir, ".gitattributes", "* filter=x\n")
	repo, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Staged(); err != nil {
		t.Error(err)
	}
	if _, err := repo.Since("HEAD", []string{"kept.txt"}, func(string) (string, error) { return "x", nil }); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(canary); err == nil {
		t.Error("a program named by the repository's configuration was run")
	}
}

func TestNoRepository(t *testing.T) {
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrNone) {
		t.Errorf("err = %v, want ErrNone", err)
	}
}
