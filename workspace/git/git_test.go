package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/workspace/git/gittest"
)

var firstFiles = map[string]string{"kept.txt": "same\n", "changed.txt": "one\n", "dir/removed.txt": "gone\n"}

// repository makes a repository with one commit.
func repository(t *testing.T) (*gittest.Repository, string) {
	t.Helper()
	r := gittest.New(t, t.TempDir())
	first := r.Commit("first\n\nbody", r.Files(firstFiles))
	r.Stage(firstFiles)
	return r, first
}

func open(t *testing.T, dir string) *Repository {
	t.Helper()
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

var wantStaged = []Change{
	{Path: "changed.txt", Before: "one\n", After: "two\n"},
	{Path: "dir/removed.txt", Before: "gone\n", AbsentAfter: true},
	{Path: "new.txt", After: "new\n", AbsentBefore: true},
}

func TestStaged(t *testing.T) {
	r, _ := repository(t)
	r.Stage(map[string]string{"kept.txt": "same\n", "changed.txt": "two\n", "new.txt": "new\n"})
	got, err := open(t, r.Dir).Staged(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantStaged, got); diff != "" {
		t.Error(diff)
	}
}

func TestSubjects(t *testing.T) {
	r, first := repository(t)
	r.Commit("second", r.Files(firstFiles), first)
	if got := open(t, r.Dir).Subjects(t.Context(), 5); !slices.Equal(got, []string{"second", "first"}) {
		t.Errorf("%q", got)
	}
	if got := open(t, r.Dir).Subjects(t.Context(), 1); !slices.Equal(got, []string{"second"}) {
		t.Errorf("%q", got)
	}
}

// TestMergeBase: of a branch that the other one has merged it is its last commit, though the
// commit that it left from is as near.
func TestMergeBase(t *testing.T) {
	r, first := repository(t)
	tree := r.Files(firstFiles)
	one := r.Commit("one", tree, first)
	two := r.Commit("two", tree, one)
	main := r.Commit("merge", tree, first, two)
	three := r.Commit("three", tree, two)
	r.Write("refs/heads/main", main+"\n")
	r.Write("HEAD", "ref: refs/heads/feature\n")
	for head, want := range map[string]string{two: two, three: two, one: one} {
		r.Write("refs/heads/feature", head+"\n")
		if got, err := open(t, r.Dir).MergeBase(t.Context(), "none", "main"); got != want || err != nil {
			t.Errorf("of %s: %s, %v, want %s", head, got, err, want)
		}
	}
}

func TestStagedWithoutCommit(t *testing.T) {
	r := gittest.New(t, t.TempDir())
	r.Stage(map[string]string{"a": "x\n"})
	got, err := open(t, r.Dir).Staged(t.Context())
	if err != nil || len(got) != 1 || !got[0].AbsentBefore || got[0].After != "x\n" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSince(t *testing.T) {
	r, first := repository(t)
	repo := open(t, r.Dir)
	texts := map[string]string{"kept.txt": "same\n", "changed.txt": "other\n", "new.txt": "new\n"}
	want := []Change{
		{Path: "changed.txt", Before: "one\n", After: "other\n"},
		{Path: "new.txt", After: "new\n", AbsentBefore: true},
	}
	second := r.Commit("second", r.Files(texts), first)
	r.Write("packed-refs", "# pack-refs\n"+first+" refs/tags/v1\n")
	for _, rev := range []string{first, first[:7], "v1", "HEAD~1", "main^", "@^1", "HEAD^{commit}~"} {
		got, err := repo.Since(t.Context(), rev, []string{"kept.txt", "changed.txt", "new.txt", "unreadable"}, func(p string) (string, error) {
			if text, ok := texts[p]; ok {
				return text, nil
			}
			return "", os.ErrPermission
		})
		if err != nil {
			t.Fatalf("%s: %v", rev, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", rev, diff)
		}
	}
	if hash, err := repo.revision(t.Context(), "HEAD"); err != nil || hash.String() != second {
		t.Errorf("HEAD is %v, %v", hash, err)
	}
	for _, rev := range []string{"no-such-branch", "../config", "HEAD~9", "config", ""} {
		if _, err := repo.Since(t.Context(), rev, nil, nil); err == nil {
			t.Errorf("%q was accepted", rev)
		}
	}
}

func TestLog(t *testing.T) {
	r, first := repository(t)
	r.Commit("second", r.Files(map[string]string{"kept.txt": "same\n", "changed.txt": "two\n", "dir": "now a file\n"}), first)
	got, err := open(t, r.Dir).Log(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Subject != "second" {
		t.Fatalf("log = %+v", got)
	}
	slices.SortFunc(got[0].Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	want := []Change{{Path: "changed.txt", Before: "one\n", After: "two\n"}, {Path: "dir", After: "now a file\n", AbsentBefore: true}, {Path: "dir/removed.txt", Before: "gone\n", AbsentAfter: true}}
	if diff := cmp.Diff(want, got[0].Changes); diff != "" {
		t.Error(diff)
	}
}

// A packed is an entry of a pack that a test writes: its type, what stands
// before its data, its data, and the size that its header announces.
type packed struct {
	kind   byte
	prefix []byte
	data   []byte
	size   int
	hash   string
}

// writePack writes entries as a pack with its index.
func writePack(r *gittest.Repository, entries []packed) {
	data := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(entries)))
	type row struct {
		hash   []byte
		offset uint32
	}
	var rows []row
	for _, e := range entries {
		raw, _ := hex.DecodeString(e.hash)
		rows = append(rows, row{raw, uint32(len(data))})
		size := e.size
		c := e.kind<<4 | byte(size&15)
		for size >>= 4; size > 0; size >>= 7 {
			data = append(data, c|0x80)
			c = byte(size & 0x7f)
		}
		data = append(append(append(data, c), e.prefix...), gittest.Deflate(e.data)...)
	}
	sum := sha1.Sum(data)
	data = append(data, sum[:]...)
	slices.SortFunc(rows, func(a, b row) int { return bytes.Compare(a.hash, b.hash) })
	idx := []byte("\xfftOc\x00\x00\x00\x02")
	for first := range 256 {
		n := 0
		for _, e := range rows {
			if int(e.hash[0]) <= first {
				n++
			}
		}
		idx = binary.BigEndian.AppendUint32(idx, uint32(n))
	}
	for _, e := range rows {
		idx = append(idx, e.hash...)
	}
	for range rows {
		idx = binary.BigEndian.AppendUint32(idx, crc32.ChecksumIEEE(nil))
	}
	for _, e := range rows {
		idx = binary.BigEndian.AppendUint32(idx, e.offset)
	}
	idx = append(append(idx, sum[:]...), make([]byte, 20)...)
	r.Write(fmt.Sprintf("objects/pack/pack-%x.pack", sum), string(data))
	r.Write(fmt.Sprintf("objects/pack/pack-%x.idx", sum), string(idx))
}

// object is a hash as git computes it.
func hashOf(kind, text string) string {
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "%s %d\x00%s", kind, len(text), text)))
}

const refDelta, ofsDelta, blob = 7, 6, 3

func TestPackedDelta(t *testing.T) {
	r, _ := repository(t)
	base, target := strings.Repeat("base ", 100), strings.Repeat("base ", 100)+"end\n"
	delta := append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(base))), uint64(len(target))), 0xb0, byte(len(base)&255), byte(len(base)>>8), 4, 'e', 'n', 'd', '\n')
	raw, _ := hex.DecodeString(hashOf("blob", base))
	writePack(r, []packed{
		{kind: blob, data: []byte(base), size: len(base), hash: hashOf("blob", base)},
		{kind: refDelta, prefix: raw, data: delta, size: len(delta), hash: hashOf("blob", target)},
	})
	r.Commit("packed", r.Tree(gittest.Entry{Mode: "100644", Name: "a.txt", Hash: hashOf("blob", target)}, gittest.Entry{Mode: "100644", Name: "b.txt", Hash: hashOf("blob", base)}))
	got, err := open(t, r.Dir).Since(t.Context(), "HEAD", []string{"a.txt", "b.txt"}, func(string) (string, error) { return "now\n", nil })
	if err != nil || len(got) != 2 || got[0].Before != target || got[1].Before != base {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestBombs: what a repository announces or repeats costs no memory.
func TestBombs(t *testing.T) {
	zeros := make([]byte, 64<<20)
	for name, make := range map[string]func(r *gittest.Repository){
		"a loose blob": func(r *gittest.Repository) {
			r.Commit("x", r.Tree(gittest.Entry{Mode: "100644", Name: "a", Hash: r.Object("blob", zeros)}))
		},
		"a loose object without end of its header": func(r *gittest.Repository) {
			hash := strings.Repeat("ab", 20)
			r.Write("objects/ab/"+hash[2:], string(gittest.Deflate(bytes.Repeat([]byte("x"), 64<<20))))
			r.Commit("x", r.Tree(gittest.Entry{Mode: "100644", Name: "a", Hash: hash}))
		},
		"trees that name one another": func(r *gittest.Repository) {
			tree := r.Files(map[string]string{"a": "x"})
			for range 12 {
				var entries []gittest.Entry
				for i := range 10 {
					entries = append(entries, gittest.Entry{Mode: "40000", Name: fmt.Sprint(i), Hash: tree})
				}
				tree = r.Tree(entries...)
			}
			r.Commit("x", tree)
		},
		"a packed blob that is more than announced": func(r *gittest.Repository) {
			hash := strings.Repeat("cd", 20)
			writePack(r, []packed{{kind: blob, data: zeros, size: 10, hash: hash}})
			r.Commit("x", r.Tree(gittest.Entry{Mode: "100644", Name: "a", Hash: hash}))
		},
		"a delta of a delta of itself": func(r *gittest.Repository) {
			hash := strings.Repeat("ef", 20)
			raw, _ := hex.DecodeString(hash)
			writePack(r, []packed{{kind: refDelta, prefix: raw, data: []byte("\x01\x01\x01x"), size: 4, hash: hash}})
			r.Commit("x", r.Tree(gittest.Entry{Mode: "100644", Name: "a", Hash: hash}))
		},
		"a delta that makes much of little": func(r *gittest.Repository) {
			base := strings.Repeat("b", 60<<10)
			delta := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(base))), uint64(len(base))*20_000)
			for range 20_000 {
				delta = append(delta, 0xb0, byte(len(base)&255), byte(len(base)>>8))
			}
			raw, hash := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(base), base)), strings.Repeat("0f", 20)
			writePack(r, []packed{{kind: blob, data: []byte(base), size: len(base), hash: hex.EncodeToString(raw[:])}, {kind: refDelta, prefix: raw[:], data: delta, size: len(delta), hash: hash}})
			r.Commit("x", r.Tree(gittest.Entry{Mode: "100644", Name: "a", Hash: hash}))
		},
		"an index whose names grow": func(r *gittest.Repository) {
			out := binary.BigEndian.AppendUint32([]byte("DIRC\x00\x00\x00\x04"), 1<<20)
			entry := append(bytes.Repeat([]byte{0}, 62), 0, 'x', 0)
			r.Write("index", string(append(out, bytes.Repeat(entry, 300_000)...)))
		},
		"an index that announces much": func(r *gittest.Repository) {
			r.Write("index", "DIRC\x00\x00\x00\x02\xff\xff\xff\xff")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.New(t, t.TempDir())
			make(r)
			repo := open(t, r.Dir)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			staged, _ := repo.Staged(t.Context()) // whether it fails or leaves a text out
			changes, _ := repo.Since(t.Context(), "HEAD", []string{"a"}, func(string) (string, error) { return "now\n", nil })
			runtime.ReadMemStats(&after)
			if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; grown > 300 {
				t.Errorf("%d MB were allocated", grown)
			}
			for _, c := range append(staged, changes...) {
				if len(c.Before) > maxBlob {
					t.Errorf("%d bytes of text", len(c.Before))
				}
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	r, _ := repository(t)
	repo := open(t, r.Dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := repo.Staged(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("staged: %v", err)
	}
	if _, err := repo.Log(ctx, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("log: %v", err)
	}
}

// TestAlternates: what another repository holds is known to be its own.
func TestAlternates(t *testing.T) {
	other, first := repository(t)
	r := gittest.New(t, t.TempDir())
	r.Write("objects/info/alternates", filepath.Join(other.Git, "objects")+"\n")
	r.Write("refs/heads/main", first+"\n")
	r.Stage(map[string]string{"changed.txt": "two\n"})
	got, err := open(t, r.Dir).Staged(t.Context())
	if err != nil || len(got) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, c := range got {
		if !c.Outside {
			t.Errorf("%s is taken for the repository's own", c.Path)
		}
	}
	within, err := filepath.Rel(filepath.Join(other.Git, "objects"), other.Git)
	if err != nil {
		t.Fatal(err)
	}
	other.Write("objects/info/alternates", within+"\n../objects\n") // itself, and no store
	for _, c := range must(open(t, other.Dir).Log(t.Context(), 1)) {
		t.Errorf("unexpected %+v", c)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestForeignGit: a .git that leads to another repository is none.
func TestForeignGit(t *testing.T) {
	other, _ := repository(t)
	for name, claim := range map[string]func(dir string) error{
		"a file": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+other.Git+"\n"), 0o644)
		},
		"a link": func(dir string) error { return os.Symlink(other.Git, filepath.Join(dir, ".git")) },
		"a linked file": func(dir string) error {
			if err := os.WriteFile(filepath.Join(dir, "pointer"), []byte("gitdir: "+other.Git+"\n"), 0o644); err != nil {
				return err
			}
			return os.Symlink("pointer", filepath.Join(dir, ".git"))
		},
	} {
		dir := t.TempDir()
		if err := claim(dir); err != nil {
			t.Fatal(err)
		}
		if r, err := Open(t.Context(), dir); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// TestLinkedWorkTree: one that points back is read.
func TestLinkedWorkTree(t *testing.T) {
	r, first := repository(t)
	tree := t.TempDir()
	r.Write("worktrees/w/HEAD", first+"\n")
	r.Write("worktrees/w/commondir", "../..\n")
	r.Write("worktrees/w/gitdir", filepath.Join(tree, ".git")+"\n")
	pointer := "gitdir: " + filepath.Join(r.Git, "worktrees", "w") + "\n"
	if err := os.WriteFile(filepath.Join(tree, ".git"), []byte(pointer), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := open(t, tree).Staged(t.Context())
	if err != nil || len(got) != 3 || got[0].Outside {
		t.Errorf("%+v, %v", got, err)
	}
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, ".git"), []byte(pointer), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), elsewhere); !errors.Is(err, ErrNone) {
		t.Errorf("a folder that the work tree does not point to: %v", err)
	}
}

// TestHostileConfiguration: nothing that a repository's configuration names is
// run when its data is read.
func TestHostileConfiguration(t *testing.T) {
	r, _ := repository(t)
	canary := filepath.Join(t.TempDir(), "canary")
	script := filepath.Join(r.Dir, "evil.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+canary+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	hostile := "[core]\n\tfsmonitor = SCRIPT\n\tsshCommand = SCRIPT\n\tpager = SCRIPT\n\teditor = SCRIPT\n\thooksPath = SCRIPT\n\tattributesFile = SCRIPT\n" +
		"[diff]\n\texternal = SCRIPT\n[filter \"x\"]\n\tclean = SCRIPT\n\tsmudge = SCRIPT\n\tprocess = SCRIPT\n[include]\n" + strings.Repeat("\tpath = config\n", 6)
	r.Write("config", strings.ReplaceAll(hostile, "SCRIPT", script))
	if err := os.WriteFile(filepath.Join(r.Dir, ".gitattributes"), []byte("* filter=x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	repo := open(t, r.Dir)
	if _, err := repo.Staged(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := repo.Since(t.Context(), "HEAD", []string{"kept.txt"}, func(string) (string, error) { return "x", nil }); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(canary); err == nil {
		t.Error("a program named by the repository's configuration was run")
	}
}

func TestNoRepository(t *testing.T) {
	if _, err := Open(t.Context(), t.TempDir()); !errors.Is(err, ErrNone) {
		t.Errorf("err = %v, want ErrNone", err)
	}
}

// TestLastChange: the commit that brought a text into a file is found behind those that
// changed other parts of it; what is not committed, or was never there, has none.
func TestLastChange(t *testing.T) {
	r := gittest.New(t, t.TempDir())
	commit := func(subject, text string, parents ...string) string {
		return r.Commit(subject, r.Files(map[string]string{"a/f.go": text, "other": subject}), parents...)
	}
	first := commit("first", "one\n")
	second := commit("second", "one\ntwo\n", first)
	third := commit("third", "zero\none\ntwo\n", second)
	commit("fourth", "zero\none\ntwo\n", third)
	repo := open(t, r.Dir)
	for text, want := range map[string]string{"one": "first", "one\ntwo": "second", "zero\n": "third", "three": "", "": ""} {
		got, ok := repo.LastChange(t.Context(), "a/f.go", text)
		if got.Subject != want || ok != (want != "") || ok && got.Time.IsZero() {
			t.Errorf("%q: %+v, %v, want %q", text, got, ok, want)
		}
	}
	if got, ok := repo.LastChange(t.Context(), "a/none.go", "one"); ok {
		t.Errorf("a file that is not there: %+v", got)
	}
}
