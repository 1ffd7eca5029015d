package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/workspace/run"
)

// tree writes files, older than the clock's resolution, and returns their
// folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		put(t, root, path, text, time.Now().Add(-time.Hour))
	}
	return root
}

func put(t *testing.T, root, path, text string, at time.Time) {
	t.Helper()
	name := filepath.Join(root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
}

func mustBuild(t *testing.T, root, keep string) (*Index, Stats) {
	t.Helper()
	group := run.NewGroup(context.Background(), nil)
	defer group.Close()
	ix, stats, err := Build(context.Background(), Options{Root: root, Keep: keep, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	return ix, stats
}

var small = map[string]string{
	"d0/f1.go":  "package p\n\n// F does.\nfunc F(a, b int) T { return use1(a) }\n",
	"d0/f2.go":  "package p\n\ntype T struct {\n\tName1 string\n}\n",
	"d1/f3.py":  "import os\n\nclass T:\n    def m(self, x, y=1):\n        return use1(x)\n",
	"README.md": "# Title\n\ntext\n",
}

func TestKeptIndexIsTheSame(t *testing.T) {
	root, keep := tree(t, small), filepath.Join(t.TempDir(), "state", "index")
	built, _ := mustBuild(t, root, keep)
	saved, err := built.Save(keep)
	if err != nil {
		t.Fatal(err)
	}
	warm, stats := mustBuild(t, root, keep)
	if stats.Read != 0 || stats.Problem != "" {
		t.Errorf("a warm start read %d files, problem %q", stats.Read, stats.Problem)
	}
	if describe(saved) != describe(built) || describe(warm) != describe(built) {
		t.Errorf("the kept index differs:\n%s", firstDifference(describe(warm), describe(built)))
	}
}

func TestWarmStartSeesChanges(t *testing.T) {
	root, keep := tree(t, small), filepath.Join(t.TempDir(), "index")
	built, _ := mustBuild(t, root, keep)
	if _, err := built.Save(keep); err != nil {
		t.Fatal(err)
	}
	put(t, root, "d0/f1.go", "package p\n\nfunc G() {}\n", time.Now().Add(-time.Minute))
	put(t, root, "d2/new.go", "package q\n\nfunc New() {}\n", time.Now().Add(-time.Minute))
	put(t, root, "d0/f2.go", small["d0/f2.go"], time.Now().Add(-time.Minute)) // new modification time, same content
	if err := os.Remove(filepath.Join(root, "README.md")); err != nil {
		t.Fatal(err)
	}
	warm, stats := mustBuild(t, root, keep)
	cold, _ := mustBuild(t, root, "")
	if stats.Read != 3 {
		t.Errorf("read %d files, want the 3 whose time differs", stats.Read)
	}
	if describe(warm) != describe(cold) {
		t.Errorf("warm differs from cold:\n%s", firstDifference(describe(warm), describe(cold)))
	}
	saved, err := warm.Save(keep)
	if err != nil || describe(saved) != describe(cold) {
		t.Errorf("saved again: %v", err)
	}
}

// TestDamagedIndexIsRebuilt flips, cuts and overwrites the saved file.
func TestDamagedIndexIsRebuilt(t *testing.T) {
	root, keep := tree(t, small), filepath.Join(t.TempDir(), "index")
	built, _ := mustBuild(t, root, "")
	if _, err := built.Save(keep); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(keep)
	if err != nil {
		t.Fatal(err)
	}
	want := describe(built)
	damaged := map[string][]byte{"empty": {}, "text": []byte(strings.Repeat("x", 5000)), "cut": whole[:len(whole)/2], "header": whole[:20]}
	for at := 0; at < len(whole); at += 97 {
		flipped := slices.Clone(whole)
		flipped[at] ^= 0x40
		damaged["flip at "+string(rune('0'+at%10))+" "+time.Duration(at).String()] = flipped
	}
	for name, data := range damaged {
		file := filepath.Join(t.TempDir(), "index") // a new one: the old is mapped
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		ix, stats := mustBuild(t, root, file)
		if describe(ix) != want {
			t.Errorf("%s: the index is wrong:\n%s", name, firstDifference(describe(ix), want))
		}
		padding := stats.Read == 0 // the flip hit a byte between two columns
		if !padding && !strings.Contains(stats.Problem, "being made anew") {
			t.Errorf("%s: problem %q does not report that the index is rebuilt", name, stats.Problem)
		}
	}
}

func TestFailedSaveKeepsOldFile(t *testing.T) {
	root, keep := tree(t, small), filepath.Join(t.TempDir(), "index")
	built, _ := mustBuild(t, root, "")
	if _, err := built.Save(keep); err != nil {
		t.Fatal(err)
	}
	if _, err := built.Save(filepath.Join(keep, "below", "a file")); err == nil {
		t.Error("an index was kept below a file")
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(keep), "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("next to the index there is %v", left)
	}
}

func TestSkipped(t *testing.T) {
	root := tree(t, map[string]string{"a.go": "package a\n", "bin": "a\x00b", "big.go": strings.Repeat("x", MaxFile+1), ".git/x.go": "package x\n"})
	ix, stats := mustBuild(t, root, "")
	if ix.NumFiles() != 1 || stats.Binary != 1 || stats.Large != 1 || stats.Ignored != 1 {
		t.Errorf("%d files, %+v; want 1 file, 1 binary, 1 large, 1 ignored", ix.NumFiles(), stats)
	}
}

func TestTextThatChangedIsAnError(t *testing.T) {
	root := tree(t, small)
	ix, _ := mustBuild(t, root, "")
	id, _ := ix.FileID("d0/f1.go")
	if text, err := ix.Text(id); err != nil || text != small["d0/f1.go"] {
		t.Errorf("got %q, %v", text, err)
	}
	put(t, root, "d0/f1.go", "package p // other\n", time.Now())
	if _, err := ix.Text(id); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("a changed file gives %v", err)
	}
}

func TestCancelledBuild(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Build(ctx, Options{Root: tree(t, small)}); err == nil || !strings.Contains(err.Error(), "was stopped") {
		t.Errorf("got %v", err)
	}
}

// TestEnough: an index that was ended before all was read says so, and the next one goes on.
func TestEnough(t *testing.T) {
	const all = 200
	files := map[string]string{}
	for i := range all {
		files[fmt.Sprintf("d%d/f%d.go", i%7, i)] = fmt.Sprintf("package p\n\nfunc F%d() {}\n", i)
	}
	root, keep := tree(t, files), filepath.Join(t.TempDir(), "index")
	enough, end := context.WithCancel(t.Context())
	ix, stats, err := Build(t.Context(), Options{Root: root, Keep: keep, Enough: enough, Progress: func(done, of int) {
		if end(); of != all {
			t.Errorf("%d files are listed while %d are read", of, done)
		}
		<-enough.Done()
		time.Sleep(10 * time.Millisecond) // the end is passed on by another goroutine
	}})
	if err != nil || stats.Ended || stats.Read == all || stats.Gap.Cut("go").String() != fmt.Sprintf("%d of %d files are read", stats.Read, all) {
		t.Fatalf("%v; %+v, %q", err, stats, stats.Gap.Cut("go"))
	}
	if _, err := ix.Save(keep); err != nil {
		t.Fatal(err)
	}
	again, rest := mustBuild(t, root, keep)
	if rest.Read != all-stats.Read || !rest.Ended || !rest.Gap.Cut("").None() || again.NumFiles() != all {
		t.Errorf("read %d and then %d of %d, ended %v, cut %q", stats.Read, rest.Read, all, rest.Ended, rest.Gap.Cut(""))
	}
}

// TestGap: a file that is too large is missed in the languages that may use it.
func TestGap(t *testing.T) {
	root := tree(t, map[string]string{"a.go": "package a\n", "big.js": strings.Repeat("a()\n", MaxFile/4+1), "big.json": strings.Repeat("[1]\n", MaxFile/4+1)})
	_, stats := mustBuild(t, root, "")
	if !stats.Gap.Cut("go").None() || stats.Gap.Cut("script").None() || stats.Gap.Cut("").None() || stats.Large != 2 {
		t.Errorf("go %q, script %q, all %q, %d large", stats.Gap.Cut("go"), stats.Gap.Cut("script"), stats.Gap.Cut(""), stats.Large)
	}
}

// TestFullIndex: a file that has no room is left out, and told.
func TestFullIndex(t *testing.T) {
	room := (newPacker().size() + 100) * runtime.GOMAXPROCS(0)
	ix, stats, err := Build(context.Background(), Options{Root: tree(t, small), room: room})
	if err != nil {
		t.Fatal(err)
	}
	if left := stats.Gap.Cut("").String(); ix.NumFiles() == 0 || ix.NumFiles() == len(small) || stats.Unread == 0 || !strings.Contains(left, "no room in the index") {
		t.Errorf("%d files, %d unread, left %q", ix.NumFiles(), stats.Unread, left)
	}
}
