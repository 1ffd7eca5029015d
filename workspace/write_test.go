package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tandem/edits"
	"tandem/workspace/platformtest"
	"tandem/workspace/run"
)

// A sandbox is a folder that holds a workspace and, next to it, files that a write
// must never touch.
type sandbox struct{ root, outside string }

func newSandbox(t *testing.T, files map[string]string) sandbox {
	t.Helper()
	base := t.TempDir()
	p := sandbox{filepath.Join(base, "root"), filepath.Join(base, "outside")}
	p.put(t, p.outside, map[string]string{"secret.txt": "secret\n", "config": "[core]\n"})
	p.put(t, p.root, files)
	return p
}

func (sandbox) put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// tree lists all below dir with a hash of what it holds.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s %v", strings.TrimPrefix(path, dir), d.Type())
		if d.Type().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %x", sha256.Sum256(content))
		}
		out = append(out, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func change(path, before, after string) edits.ProposedFile {
	return edits.ProposedFile{Path: path, Base: edits.NewText(before), Edits: edits.Diff(before, after)}
}

func creation(path, text string) edits.ProposedFile {
	return edits.ProposedFile{Path: path, Create: true, Edits: []edits.Edit{{New: text}}}
}

func proposal(files ...edits.ProposedFile) *edits.Proposal { return &edits.Proposal{Files: files} }

func codeOf(err error) edits.Code {
	var refused *edits.Error
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

func TestWriteProposal(t *testing.T) {
	p := newSandbox(t, map[string]string{"a.txt": "one\r\ntwo\r\n", "sub/b.sh": "#!/bin/sh\n", "old.txt": "gone\n"})
	if err := os.Chmod(filepath.Join(p.root, "sub/b.sh"), 0o750); err != nil {
		t.Fatal(err)
	}
	err := WriteProposal(p.root, proposal(
		change("a.txt", "one\r\ntwo\r\n", "one\r\n2\r\n"),
		change("sub/b.sh", "#!/bin/sh\n", "#!/bin/sh\nexit\n"),
		creation("new/deep/c.txt", "c\n"),
		edits.ProposedFile{Path: "old.txt", Base: edits.NewText("gone\n"), Delete: true},
	), nil, edits.Consent{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.txt": "one\r\n2\r\n", "sub/b.sh": "#!/bin/sh\nexit\n", "new/deep/c.txt": "c\n"} {
		got, err := os.ReadFile(filepath.Join(p.root, name))
		if err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
		}
	}
	if _, err := os.Lstat(filepath.Join(p.root, "old.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("old.txt is still there: %v", err)
	}
	info, err := os.Stat(filepath.Join(p.root, "sub/b.sh"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o750 {
		t.Errorf("mode %v, %v, want 0750", info.Mode(), err)
	}
	if got := tree(t, p.root); len(got) != 7 {
		t.Errorf("something was left over: %q", got)
	}
}

// TestWriteProposalIsAllOrNothing lets the last file of three fail in every way.
func TestWriteProposalIsAllOrNothing(t *testing.T) {
	for name, c := range map[string]struct {
		last edits.ProposedFile
		code edits.Code
	}{
		"stale":      {change("c.txt", "not c\n", "x\n"), edits.CodeStale},
		"same size":  {change("c.txt", "C\n", "x\n"), edits.CodeStale},
		"missing":    {change("d.txt", "d\n", "x\n"), edits.CodeNotFound},
		"no folder":  {change("no/d.txt", "d\n", "x\n"), edits.CodeNotFound},
		"exists":     {creation("c.txt", "x\n"), edits.CodeStale},
		"a folder":   {change("sub", "", "x\n"), edits.CodeOutside},
		"under file": {creation("c.txt/d", "x\n"), edits.CodeOutside},
		"twice":      {change("./a.txt", "a\n", "x\n"), edits.CodeOverlap},
		"bad edits":  {edits.ProposedFile{Path: "c.txt", Base: edits.NewText("c\n"), Edits: []edits.Edit{{Span: edits.Span{Start: 9, End: 9}}}}, edits.CodeOverlap},
		"gone stale": {edits.ProposedFile{Path: "c.txt", Base: edits.NewText("x\n"), Delete: true}, edits.CodeStale},
	} {
		p := newSandbox(t, map[string]string{"a.txt": "a\n", "sub/b.txt": "b\n", "c.txt": "c\n"})
		before := tree(t, p.root)
		err := WriteProposal(p.root, proposal(change("a.txt", "a\n", "A\n"), creation("made/for/it.txt", "m\n"), c.last), anything, edits.Consent{})
		if codeOf(err) != c.code {
			t.Errorf("%s: error %v, want code %s", name, err, c.code)
		}
		if after := tree(t, p.root); !slices.Equal(before, after) {
			t.Errorf("%s: changed to %q", name, after)
		}
	}
}

// TestWriteProposalRollsBack lets the user write the last file after all were
// checked, when the others are already in place.
func TestWriteProposalRollsBack(t *testing.T) {
	p := newSandbox(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
	w := openWriter(t, p.root)
	for _, f := range []edits.ProposedFile{
		change("a.txt", "a\n", "A\n"), creation("n/new.txt", "n\n"),
		{Path: "b.txt", Base: edits.NewText("b\n"), Delete: true}, change("c.txt", "c\n", "C\n"),
	} {
		if err := w.stage(f); err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, p.outside)
	if err := os.WriteFile(filepath.Join(p.root, "c.txt"), []byte("user\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := w.commit(); codeOf(err) != edits.CodeStale {
		t.Errorf("error %v, want stale", err)
	}
	for name, want := range map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "user\n"} {
		if got, err := os.ReadFile(filepath.Join(p.root, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
		}
	}
	if got := tree(t, p.root); len(got) != 4 {
		t.Errorf("something was left over: %q", got)
	}
	if !slices.Equal(before, tree(t, p.outside)) {
		t.Error("the folder beside changed")
	}
}

func openWriter(t *testing.T, root string) *writer {
	t.Helper()
	dir, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{root: dir}
	t.Cleanup(w.close)
	return w
}

// hostilePaths are 300 and more ways out of the workspace or into protected files.
func hostilePaths() []string {
	out := []string{"", ".", "..", "/", "~", "file:///etc/passwd", "https://host/a", "\x00", "a\x00b"}
	for _, up := range []string{"../", "../../", "sub/../../", "./../", `..\`, "..%2f", "%2e%2e/", "%2E%2E%2F", "%252e%252e%252f", ".. /", "sub/../sub/../../", "..//", `sub\..\..\`, ".../../", "/", "//host/share/", `\\host\share\`, "C:/", `C:\`, "c:"} {
		for _, name := range []string{"secret.txt", "outside/secret.txt", "outside/config", "new.txt", "etc/passwd"} {
			out = append(out, up+name)
		}
	}
	for _, name := range []string{
		".git/config", ".vscode/settings.json", ".idea/a.xml", ".cursor/mcp.json", ".claude/settings.json", ".codex/config.toml",
		".gemini/settings.json", ".tandem/a", "a.code-workspace", ".env", ".env.local", ".envrc", ".npmrc", ".netrc", ".gitmodules",
		".gitattributes", ".husky/pre-commit", ".devcontainer/devcontainer.json", ".github/workflows/ci.yml", ".nvim.lua", ".exrc",
		"AGENTS.md", "CLAUDE.md", ".cursorrules", ".tandemignore",
	} {
		out = append(out, name, strings.ToUpper(name), "sub/"+name, "./"+name, name+".", name+" ", name+"::$DATA", strings.ReplaceAll(name, "/", `\`), name[:1]+"\u200c"+name[1:])
	}
	return append(out, "GIT~1/config", "VSCODE~1/settings.json", "ENV~1", "linked/secret.txt", "linked/new.txt", "chain/secret.txt", "link.txt", "dangling.txt", "inner/config")
}

func TestWriteProposalRefusesHostilePaths(t *testing.T) {
	paths := hostilePaths()
	if len(paths) < 300 {
		t.Fatalf("only %d paths", len(paths))
	}
	p := newSandbox(t, map[string]string{"a.txt": "a\n", "sub/b.txt": "b\n", ".git/config": "[core]\n"})
	links, linked := platformtest.Symlinks(t), []string{}
	link := func(target, name string) {
		if linked = append(linked, name); links {
			platformtest.Symlink(t, target, filepath.Join(p.root, name))
		}
	}
	link(p.outside, "linked")
	link("linked", "chain")
	link(filepath.Join(p.outside, "secret.txt"), "link.txt")
	link(filepath.Join(p.outside, "made.txt"), "dangling.txt")
	link(".git", "inner")
	root, outside := tree(t, p.root), tree(t, filepath.Dir(p.root))
	for _, path := range paths {
		if first, _, _ := strings.Cut(path, "/"); !links && slices.Contains(linked, first) {
			continue
		}
		for _, f := range []edits.ProposedFile{creation(path, "evil\n"), change(path, "secret\n", "evil\n"), change(path, "[core]\n", "evil\n"), {Path: path, Base: edits.NewText("secret\n"), Delete: true}} {
			err := WriteProposal(p.root, proposal(change("a.txt", "a\n", "A\n"), f), nil, edits.Consent{})
			if code := codeOf(err); code != edits.CodeOutside && code != edits.CodeProtected && (code != edits.CodeStale || f.Create) {
				t.Errorf("%q: error %v", path, err)
			}
		}
	}
	if !slices.Equal(root, tree(t, p.root)) || !slices.Equal(outside, tree(t, filepath.Dir(p.root))) {
		t.Error("something was written")
	}
}

func TestWriteProposalOfWhatTheUserNames(t *testing.T) {
	p := newSandbox(t, map[string]string{".env": "A=1\n"})
	if err := WriteProposal(p.root, proposal(change(".env", "A=1\n", "A=2\n")), anything, edits.Consent{}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(p.root, ".env")); err != nil || string(got) != "A=2\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestWriteProposalKeepsHardLinks(t *testing.T) {
	p := newSandbox(t, map[string]string{})
	secret := filepath.Join(p.outside, "secret.txt")
	if err := os.Link(secret, filepath.Join(p.root, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if err := WriteProposal(p.root, proposal(change("a.txt", "secret\n", "mine\n")), nil, edits.Consent{}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(secret); err != nil || string(got) != "secret\n" {
		t.Errorf("the file outside holds %q, %v", got, err)
	}
	if got, err := os.ReadFile(filepath.Join(p.root, "a.txt")); err != nil || string(got) != "mine\n" {
		t.Errorf("the file inside holds %q, %v", got, err)
	}
}

// TestWriteProposalDuringSymlinkSwaps writes 2,000 times while a folder and a
// file are swapped for links to the outside, and a folder for a link to a
// protected one inside, and back.
func TestWriteProposalDuringSymlinkSwaps(t *testing.T) {
	t.Parallel()
	platformtest.Symlink(t, ".", filepath.Join(t.TempDir(), "link"))
	p := newSandbox(t, map[string]string{"dir/secret.txt": "secret\n", "in/secret.txt": "secret\n", ".git/secret.txt": "secret\n", "secret.txt": "secret\n"})
	before, git := tree(t, p.outside), tree(t, filepath.Join(p.root, ".git"))
	g := run.NewGroup(t.Context(), nil)
	var stop atomic.Bool
	swap := func(name, target string) {
		real, link := filepath.Join(p.root, name), filepath.Join(p.root, "link-"+filepath.Base(name))
		for !stop.Load() {
			_ = os.Rename(real, real+".real") // this races with the writes on purpose: some of these fail
			_ = os.Symlink(target, link)
			_ = os.Rename(link, real)
			_ = os.RemoveAll(real) // the link, or what a write put in its place
			_ = os.Rename(real+".real", real)
			for range 40 { // so that a write has a chance
				_, _ = os.Lstat(real)
			}
		}
	}
	g.Go("swap folder", func(context.Context) { swap("dir", p.outside) })
	g.Go("swap inner folder", func(context.Context) { swap("in", ".git") })
	g.Go("swap file", func(context.Context) { swap("secret.txt", filepath.Join(p.outside, "secret.txt")) })
	written := 0
	paths := []string{"dir/secret.txt", "in/secret.txt", "secret.txt"}
	for i := range 1000 {
		if i%10 == 9 {
			_ = WriteProposal(p.root, proposal(creation("dir/new.txt", "evil\n"), creation("in/new.txt", "evil\n")), nil, edits.Consent{})
			continue
		}
		path := paths[i%3]
		from, err := os.ReadFile(filepath.Join(p.root, path))
		if err != nil {
			from = []byte("secret\n")
		}
		if WriteProposal(p.root, proposal(change(path, string(from), fmt.Sprintf("secret %d\n", i))), nil, edits.Consent{}) == nil {
			written++
		}
	}
	stop.Store(true)
	g.Close()
	if after := tree(t, p.outside); !slices.Equal(before, after) {
		t.Errorf("the folder outside changed from %q to %q", before, after)
	}
	if after := tree(t, filepath.Join(p.root, ".git")); !slices.Equal(git, after) {
		t.Errorf("the protected folder changed from %q to %q", git, after)
	}
	if written == 0 {
		t.Error("not one write succeeded, so nothing was tried")
	}
	t.Logf("%d writes of 1,000 met a real file", written)
}

// TestPinSeesASwap swaps a folder for a link to a protected one at the worst moment.
func TestPinSeesASwap(t *testing.T) {
	p := newSandbox(t, map[string]string{"dir/a.txt": "a\n", ".git/a.txt": "a\n"})
	w := openWriter(t, p.root)
	seen, err := w.root.Lstat("dir")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(p.root, "dir"), filepath.Join(p.root, "real")); err != nil {
		t.Fatal(err)
	}
	platformtest.Symlink(t, ".git", filepath.Join(p.root, "dir"))
	if _, err := pin(w.root, "dir", seen); !errors.Is(err, errSwapped) {
		t.Errorf("error %v, want %v", err, errSwapped)
	}
}

// anything is what may be written where the user has named every file.
func anything(string) (edits.Code, string) { return "", "" }

// TestWriteProposalKeepsModes: a file that is moved or copied has the mode of the one that it comes from,
// a new mode is written alone too, and who may read an executable file may run it.
func TestWriteProposalKeepsModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	s := newSandbox(t, map[string]string{"run.txt": "one\n", "plain.txt": "two\n", "private.txt": "three\n"})
	for name, mode := range map[string]fs.FileMode{"run.txt": 0o755, "private.txt": 0o640} {
		if err := os.Chmod(filepath.Join(s.root, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	moved, copied, made := creation("sub/moved.txt", "one more\n"), creation("copied.txt", "one\n"), creation("made.txt", "new\n")
	moved.Form.From, copied.Form.From, made.Form.Mode = "run.txt", "run.txt", edits.Executable
	plain := edits.ProposedFile{Path: "plain.txt", Base: edits.NewText("two\n"), Form: edits.Form{Mode: edits.Executable}}
	private := change("private.txt", "three\n", "four\n")
	private.Form.Mode = edits.Executable
	gone := edits.ProposedFile{Path: "run.txt", Base: edits.NewText("one\n"), Edits: edits.Diff("one\n", ""), Delete: true}
	if err := WriteProposal(s.root, proposal(moved, copied, made, plain, private, gone), nil, edits.Consent{}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"sub/moved.txt": 0o755, "copied.txt": 0o755, "made.txt": 0o111, "plain.txt": 0o755, "private.txt": 0o750} {
		info, err := os.Stat(filepath.Join(s.root, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got&want != want || name != "made.txt" && got != want { // the umask is for new files
			t.Errorf("%s has mode %04o, want %04o", name, got, want)
		}
	}
	back := edits.ProposedFile{Path: "plain.txt", Base: edits.NewText("two\n"), Form: edits.Form{Mode: edits.Plain}}
	if err := WriteProposal(s.root, proposal(back), nil, edits.Consent{}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(s.root, "plain.txt")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("plain again: %v, %v", info.Mode(), err)
	}
}

// TestWriteProposalOfAnotherCase moves a file to its name in another case, also where the file system
// takes both names for the same.
func TestWriteProposalOfAnotherCase(t *testing.T) {
	for _, to := range []string{"NAME.txt", "name.TXT", "Name.txt"} {
		s := newSandbox(t, map[string]string{"name.txt": "one\n", "b/other.txt": "two\n"})
		moved, gone := creation(to, "uno\n"), edits.ProposedFile{Path: "name.txt", Base: edits.NewText("one\n"), Edits: edits.Diff("one\n", ""), Delete: true}
		moved.Form.From = "name.txt"
		if err := WriteProposal(s.root, proposal(moved, gone), nil, edits.Consent{}); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(s.root)
		if err != nil || len(entries) != 2 || !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == to }) {
			t.Errorf("%s: %v, %v", to, entries, err)
		}
		if text, err := os.ReadFile(filepath.Join(s.root, to)); string(text) != "uno\n" {
			t.Errorf("%s has %q, %v", to, text, err)
		}
		over, gone := creation("b/other.txt", "three\n"), edits.ProposedFile{Path: to, Base: edits.NewText("uno\n"), Edits: edits.Diff("uno\n", ""), Delete: true}
		if err := WriteProposal(s.root, proposal(over, gone), nil, edits.Consent{}); codeOf(err) != edits.CodeStale {
			t.Errorf("a file was moved onto another: %v", err)
		}
		folder, gone := creation("B/other.txt", "two\n"), edits.ProposedFile{Path: "b/other.txt", Base: edits.NewText("two\n"), Edits: edits.Diff("two\n", ""), Delete: true}
		err = WriteProposal(s.root, proposal(folder, gone), nil, edits.Consent{})
		_, lower := os.Stat(filepath.Join(s.root, "b", "other.txt"))
		_, upper := os.Stat(filepath.Join(s.root, "B", "other.txt"))
		if err == nil && upper != nil || err != nil && (codeOf(err) != edits.CodeStale || lower != nil) {
			t.Errorf("a folder of another case: %v, %v, %v", err, lower, upper)
		}
	}
}
