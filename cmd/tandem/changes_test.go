package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/lsp"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/git/gittest"
	"tandem/workspace/redact"
	"tandem/workspace/run"
)

// serving is the server of an editor that has opened folders.
func serving(t *testing.T, folders ...string) *server {
	t.Helper()
	s := &server{globals: &globals{offline: true}, log: slog.New(slog.DiscardHandler)}
	group := run.NewGroup(t.Context(), nil)
	_, _, err := s.open(t.Context(), lsp.Setup{Folders: folders, Group: group, OnWorkspace: func(workspace.Event) {}, OnEngine: func(core.Event) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { group.Close(); s.close() })
	if err := s.app.indexed(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// differing are the changes from a base: path, what becomes of the file, and its hunks.
func differing(t *testing.T, s *server, base string) (out []string) {
	t.Helper()
	files, _, err := s.changes(t.Context(), base, true)
	if err != nil {
		t.Fatalf("%q: %v", base, err)
	}
	for _, f := range files {
		line := f.Change.Path
		for _, h := range edits.ChangedHunks(f.Change.Path, f.Change, redact.Kept) {
			line += fmt.Sprintf(" %q->%q", h.Before, h.After)
		}
		for _, found := range f.Findings {
			line += " " + found.Name
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

// TestChangesFromABase: whoever wrote them, from HEAD, the merge base and a moment.
func TestChangesFromABase(t *testing.T) {
	h := newHome(t)
	repo := gittest.New(t, h.workspace)
	first := map[string]string{"go.mod": "module example.com/m\n", "a.go": "package m\n\nfunc A() {}\n", "b.go": "package m\n", "gone.go": "package m\n\nfunc Gone() {}\n", "user.go": "package m\n\nfunc use() { Gone() }\n"}
	fork := repo.Commit("first", repo.Files(first))
	first["b.go"] = "package m\n\nfunc B() {}\n"
	repo.Write("refs/heads/work", repo.Commit("second", repo.Files(first), fork)+"\n")
	repo.Write("refs/heads/main", fork+"\n")
	repo.Write("HEAD", "ref: refs/heads/work\n")
	for name, text := range first {
		h.write(name, text)
	}
	h.write("a.go", "package m\n\nfunc A() { nowhere() }\n")
	h.write("new.go", "package m\n")
	if err := os.Remove(filepath.Join(h.workspace, "gone.go")); err != nil {
		t.Fatal(err)
	}
	s := serving(t, h.workspace)
	now := []string{
		`a.go "func A() {}\n"->"func A() { nowhere() }\n" nowhere`,
		`gone.go "package m\n\nfunc Gone() {}\n"->""`,
		`new.go ""->"package m\n"`,
		`user.go Gone`,
	}
	if got := differing(t, s, ""); !slices.Equal(got, now) {
		t.Errorf("from HEAD:\n%s", strings.Join(got, "\n"))
	}
	if got := differing(t, s, baseMergeBase); !slices.Equal(got, slices.Insert(slices.Clone(now), 1, `b.go ""->"\nfunc B() {}\n"`)) {
		t.Errorf("from the merge base:\n%s", strings.Join(got, "\n"))
	}
	if _, _, err := s.changes(t.Context(), baseMoment, false); err == nil {
		t.Error("there is a moment before one was marked")
	}
	if err := s.markMoment(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := differing(t, s, baseMoment); got != nil {
		t.Errorf("from the moment:\n%s", strings.Join(got, "\n"))
	}
	h.write("a.go", first["a.go"]) // as in HEAD again
	h.write("b.go", "package m\n")
	h.write("gone.go", "package m\n")
	later := serving(t, h.workspace) // a reload
	want := []string{`a.go "func A() { nowhere() }\n"->"func A() {}\n"`, `b.go "\nfunc B() {}\n"->""`, `gone.go ""->"package m\n"`}
	if got := differing(t, later, baseMoment); !slices.Equal(got, want) {
		t.Errorf("from the moment, later:\n%s", strings.Join(got, "\n"))
	}
}

// TestChangesSayWhatIsNotJudged: a file without findings is not one that was not checked.
func TestChangesSayWhatIsNotJudged(t *testing.T) {
	h := newHome(t)
	repo := gittest.New(t, h.workspace)
	repo.Write("refs/heads/main", repo.Commit("first", repo.Files(map[string]string{"a.py": "x = 1\n"}))+"\n")
	repo.Write("HEAD", "ref: refs/heads/main\n")
	h.write("a.py", "x = 2\n")
	h.write("b.py", "y = '\xff'\n")
	s := serving(t, h.workspace)
	if files, unjudged, err := s.changes(t.Context(), "", true); err != nil || len(files) != 2 || !slices.Equal(unjudged, []string{"b.py was not checked: " + errNoText.Error()}) {
		t.Errorf("%d files, not judged: %q, %v", len(files), unjudged, err)
	}
	if _, unjudged, err := s.changes(t.Context(), "", false); err != nil || unjudged != nil {
		t.Errorf("what was not asked for is not judged: %q, %v", unjudged, err)
	}
}

// TestMarksOutliveTheServer: what was reviewed is known to the next server, and purged with the workspace.
func TestMarksOutliveTheServer(t *testing.T) {
	h := newHome(t)
	s := serving(t, h.workspace)
	for id, mark := range map[string]string{"1": "reviewed", "2": "kept", "3": "reviewed"} {
		if err := s.mark(id, mark); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.mark("3", ""); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(serving(t, h.workspace).marks()); got != "map[1:reviewed 2:kept]" {
		t.Errorf("marks %s", got)
	}
	if code, out, problems := h.run("purge", "--workspace", h.workspace); code != exitDone {
		t.Errorf("%d %s%s", code, out, problems)
	}
	if got := s.marks(); len(got) != 0 {
		t.Errorf("after purge: %v", got)
	}
}

// TestChangesOfAllFolders: two repositories with a file of one name, a folder that is a part of its
// repository, and one without git.
func TestChangesOfAllFolders(t *testing.T) {
	h := newHome(t)
	const text = "package m\n"
	put := func(name, text string) {
		path := filepath.Join(h.workspace, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"one", "two"} {
		put(dir+"/a.go", text)
		put(dir+"/part/b.go", text)
		repo := gittest.New(t, filepath.Join(h.workspace, dir))
		repo.Write("HEAD", repo.Commit("first", repo.Files(map[string]string{"a.go": text, "part/b.go": text}))+"\n")
	}
	put("none/c.go", text)
	in := func(dir string) string { return filepath.Join(h.workspace, dir) }
	folders := []string{in("none"), in("one"), in("two/part"), in("two")}
	if err := serving(t, folders...).markMoment(t.Context()); err != nil {
		t.Fatal(err)
	}
	put("one/a.go", "package m\n\nvar one = 1\n")
	put("two/a.go", "package m\n\nvar two = 2\n")
	put("two/part/b.go", "package m\n\nvar part = 3\n")
	put("none/c.go", "package m\n\nvar none = 4\n")
	s := serving(t, folders...)
	for _, base := range []string{"", baseMoment} {
		files, _, err := s.changes(t.Context(), base, true)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range files {
			_, added, _ := strings.Cut(f.Change.After, "\n\n")
			path, _ := workspace.PathOf(f.URI)
			rel, _ := filepath.Rel(h.workspace, path)
			got = append(got, filepath.ToSlash(rel)+" "+strings.TrimSpace(added))
		}
		slices.Sort(got)
		if want := []string{"one/a.go var one = 1", "two/a.go var two = 2", "two/part/b.go var part = 3"}; !slices.Equal(got, want) {
			t.Errorf("from %q: %q", base, got)
		}
	}
}
