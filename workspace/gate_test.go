package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace/platformtest"
	"tandem/workspace/rel"
)

// ignoreKinds hide the file in their folder, each in its own way.
var ignoreKinds = []struct{ name, file, rules string }{
	{"gitignore", ".gitignore", "canary.txt\n"},
	{"git exclude", "../.git/info/exclude", "canary.txt\n"},
	{"ignore", ".ignore", "*.txt\n"},
	{"tandemignore", ".tandemignore", "/canary.*\n"},
	{"cursorignore", ".cursorignore", "canary.txt\n"},
	{"cursorindexingignore", ".cursorindexingignore", "canary.txt\n"},
	{"aiexclude", ".aiexclude", "canary.txt\n!canary.txt\n"},
	{"empty aiexclude", ".aiexclude", ""},
	{"codeiumignore", ".codeiumignore", "canary.txt\n"},
	{"copilotignore", ".copilotignore", "canary.txt\n"},
	{"geminiignore", ".geminiignore", "canary.txt\n"},
	{"built-in", "", ""},
}

// contextSources are the ways in which a file's text can reach a window.
var contextSources = []struct {
	name string
	text func(t *testing.T, s *Session, path string) string
}{
	{"disk", func(t *testing.T, s *Session, path string) string { return fileOrRefusal(t, s.Snapshot(), path) }},
	{"URI", func(t *testing.T, s *Session, path string) string { return fileOrRefusal(t, s.Snapshot(), URIOf(path)) }},
	{"open document", func(t *testing.T, s *Session, path string) string {
		return fileOrRefusal(t, openAs(s, URIOf(path), path), path)
	}},
	{"recent edits", func(t *testing.T, s *Session, path string) string {
		openAs(s, URIOf(path), path)
		next := s.Update(Edited{URI: URIOf(path), Version: 2, Text: edits.NewText("CANARY typed\n")})
		var all strings.Builder
		for _, e := range next.RecentEdits("") {
			all.WriteString(e.Hunk)
		}
		return all.String()
	}},
	{"diagnostics", func(t *testing.T, s *Session, path string) string {
		next := s.Update(Diagnosed{URI: URIOf(path), Diagnostics: []Diagnostic{{Message: "CANARY is undefined"}}})
		if list := next.Diagnostics(path); len(list) > 0 {
			return list[0].Message
		}
		return ""
	}},
	{"index", func(t *testing.T, s *Session, path string) string {
		view := waitIdle(t, s).View(path)
		at, _ := view.Rel(path)
		if _, indexed := openAs(s, URIOf(path), path).View(path).Index().FileID(at.String()); indexed {
			return "CANARY"
		}
		return ""
	}},
	{"link", func(t *testing.T, s *Session, path string) string {
		link := filepath.Join(s.Snapshot().View(path).Root, "harmless.txt")
		platformtest.Symlink(t, path, link)
		return fileOrRefusal(t, s.Snapshot(), link)
	}},
	{"link to its folder", func(t *testing.T, s *Session, path string) string {
		link := filepath.Join(s.Snapshot().View(path).Root, "elsewhere")
		platformtest.Symlink(t, filepath.Dir(path), link)
		return fileOrRefusal(t, openAs(s, URIOf(filepath.Join(link, filepath.Base(path))), path), filepath.Join(link, filepath.Base(path)))
	}},
	{"other scheme", func(t *testing.T, s *Session, path string) string {
		uri := strings.Replace(URIOf(path), "file://", "vscode-notebook-cell:", 1) + "#W0sZmlsZQ"
		return fileOrRefusal(t, openAs(s, uri, path), uri)
	}},
}

func openAs(s *Session, uri, path string) *Snapshot {
	content, _ := os.ReadFile(path)
	return s.Update(Opened{URI: uri, Language: "text", Version: 1, Text: edits.NewText(string(content))})
}

func fileOrRefusal(t *testing.T, s *Snapshot, name string) string {
	t.Helper()
	f, err := s.File(name)
	var refused *RefusedError
	if err == nil {
		return f.Text()
	}
	if !errors.As(err, &refused) || refused.Why == "" {
		t.Fatalf("File(%s) = %v, want a *RefusedError that says why", name, err)
	}
	return ""
}

// TestGate puts a marker text into each kind of hidden file, tries each source of
// context, and checks that the same file passes when nothing hides it.
func TestGate(t *testing.T) {
	for _, k := range ignoreKinds {
		for _, source := range contextSources {
			t.Run(k.name+"/"+source.name, func(t *testing.T) {
				name := "canary.txt"
				if k.name == "built-in" {
					name = ".env.local"
				}
				root := newFolder(t, map[string]string{"sub/" + name: "CANARY\n", ".git/HEAD": "ref: refs/heads/main\n"})
				if k.file != "" {
					writeFile(t, filepath.Join(root, "sub", k.file), k.rules)
				}
				s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
				if got := source.text(t, s, filepath.Join(root, "sub", name)); strings.Contains(got, "CANARY") {
					t.Errorf("the canary got out: %q", got)
				}
			})
		}
	}
	for _, source := range contextSources {
		t.Run("not hidden/"+source.name, func(t *testing.T) {
			root := newFolder(t, map[string]string{"sub/canary.txt": "CANARY\n"})
			s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
			waitIdle(t, s)
			if got := source.text(t, s, filepath.Join(root, "sub", "canary.txt")); !strings.Contains(got, "CANARY") {
				t.Errorf("what nothing hides did not pass: %q", got)
			}
		})
	}
}

func TestAllowedOutsideFolders(t *testing.T) {
	outside := newFolder(t, map[string]string{"a.go": "CANARY", "keys/id_rsa": "CANARY"})
	root := newFolder(t, map[string]string{"in.go": "package in\n"})
	link := filepath.Join(root, "link.go")
	platformtest.Symlink(t, filepath.Join(outside, "a.go"), link)
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	env := s.Document("untitled:/home/me/.env", "shellscript")
	open := s.Update(
		Opened{URI: env, Name: "untitled:/home/me/.env", Language: "shellscript", Version: 1, Text: edits.NewText("CANARY")},
		Opened{URI: "untitled:Untitled-1", Version: 1, Text: edits.NewText("free")},
		Opened{URI: URIOf(filepath.Join(outside, "keys", "id_rsa")), Version: 1, Text: edits.NewText("CANARY")},
		Opened{URI: URIOf(filepath.Join(outside, "b.go")), Version: 1, Text: edits.NewText("package b")})
	for name, want := range map[string]bool{
		"in.go":                                  true,
		"untitled:Untitled-1":                    true,
		"untitled:/home/me/.ssh/config":          false,
		env:                                      false,
		filepath.Join(outside, "a.go"):           false,
		filepath.Join(outside, "b.go"):           true,
		filepath.Join(outside, "keys", "id_rsa"): false,
		link:                                     false,
		"../" + filepath.Base(outside) + "/a.go": false,
		root:                                     false,
	} {
		if got, why := open.Allowed(name); got != want {
			t.Errorf("Allowed(%q) = %v (%s), want %v", name, got, why, want)
		}
	}
}

func TestPathOf(t *testing.T) {
	for _, c := range []struct {
		name, want string
		ok         bool
	}{
		{platformtest.Abs("/a/b.go"), "/a/b.go", true}, {platformtest.Abs("/a/../b.go"), "/b.go", true}, {"file:///a/b%20c.go", "/a/b c.go", true},
		{"FILE:///a/b.go", "/a/b.go", true}, {"file://localhost/a.go", "/a.go", true}, {"file:///a%23b", "/a#b", true},
		{"file://host/a.go", "", false}, {"file:///a/%2e%2e/b", "", false}, {"file:///a/../b", "", false},
		{"file:///a%2fb", "", false}, {"file:///a/..%2fb", "", false}, {"file:///a%00b", "", false}, {"file:///a%zz", "", false},
		{"file:a.go", "", false}, {"file://", "", false}, {"vscode-remote://host/a", "", false}, {"untitled:Untitled-1", "", false},
		{"a.go", "", false}, {platformtest.Abs("/a\x00b"), "", false}, {"", "", false},
	} {
		if c.ok {
			c.name = strings.ReplaceAll(c.name, "///", "//"+strings.TrimPrefix(URIOf(platformtest.Abs("/")), "file://"))
			c.name = strings.ReplaceAll(c.name, "localhost/", "localhost"+strings.TrimPrefix(URIOf(platformtest.Abs("/")), "file://"))
		}
		got, ok := PathOf(c.name)
		if ok != c.ok || ok && got != platformtest.Abs(c.want) {
			t.Errorf("PathOf(%q) = %q, %v, want %q, %v", c.name, got, ok, c.want, c.ok)
		}
	}
	for _, path := range []string{platformtest.Abs("/a b/ü#?%.go"), platformtest.Abs("/x/[y].ts")} {
		if back, ok := PathOf(URIOf(path)); !ok || back != path {
			t.Errorf("%s came back as %q from %s", path, back, URIOf(path))
		}
	}
}

// TestBinaryAndLarge reads files of which nothing may become context.
func TestBinaryAndLarge(t *testing.T) {
	root := newFolder(t, map[string]string{
		"zero": "a\x00b", "late": strings.Repeat("a", binaryProbe) + "\x00", "invalid": "a\xff\xfeb", "large": strings.Repeat("x", largeFile+1),
	})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	for name, want := range map[string]struct {
		binary, large bool
		length        int
	}{"zero": {true, false, 3}, "late": {false, false, binaryProbe + 1}, "invalid": {false, false, len("a\uFFFD\uFFFDb")}, "large": {false, true, 0}} {
		f, err := s.Snapshot().File(name)
		if err != nil {
			t.Fatal(err)
		}
		if f.Binary() != want.binary || f.Large() != want.large || len(f.Text()) != want.length {
			t.Errorf("%s: binary %v, large %v, %d bytes, want %+v", name, f.Binary(), f.Large(), len(f.Text()), want)
		}
	}
}

// TestOpenLinkIsIndexedByItsTarget opens links to a hidden file and to one outside.
func TestOpenLinkIsIndexedByItsTarget(t *testing.T) {
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "far.go"), "package a\n\nfunc CanaryFar() {}\n")
	root := newFolder(t, map[string]string{".gitignore": "secret.go\n", "secret.go": "package a\n\nfunc CanarySecret() {}\n", "plain.go": "package a\n\nfunc Plain() {}\n"})
	links := map[string]string{"to_secret.go": "secret.go", "to_far.go": filepath.Join(outside, "far.go"), "to_plain.go": "plain.go"}
	for link, target := range links {
		platformtest.Symlink(t, target, filepath.Join(root, link))
	}
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	waitIdle(t, s)
	for link := range links {
		openAs(s, URIOf(filepath.Join(root, link)), filepath.Join(root, link))
	}
	check := func(when string) {
		ix := waitIdle(t, s).Views()[0].Index()
		for _, name := range []string{"CanarySecret", "CanaryFar"} {
			if found := ix.Lookup(name); len(found) > 0 {
				t.Errorf("%s: %s is in the index, of %s", when, name, ix.Path(found[0].File))
			}
		}
		if len(ix.Lookup("Plain")) == 0 {
			t.Errorf("%s: Plain is not in the index", when)
		}
	}
	check("open")
	for link := range links {
		s.Update(Closed{URI: URIOf(filepath.Join(root, link))})
	}
	check("closed")
}

// TestOutsideBuffersAreAlone types in documents outside every folder.
func TestOutsideBuffersAreAlone(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	inside := URIOf(filepath.Join(root, "a.go"))
	outside := []string{"untitled:x", URIOf(filepath.Join(t.TempDir(), "notes.go")), "vscode-notebook-cell:/elsewhere/n.ipynb#1"}
	var snap *Snapshot
	for _, uri := range append(outside, inside) {
		s.Update(Opened{URI: uri, Version: 1, Text: edits.NewText("")})
		snap = s.Update(Edited{URI: uri, Version: 2, Text: edits.NewText("typed\n")})
	}
	seen := func(reader string) []string {
		var out []string
		for _, e := range snap.RecentEdits(reader) {
			out = append(out, e.URI)
		}
		return out
	}
	for _, reader := range []string{"", inside} {
		if got := seen(reader); len(got) != 1 || got[0] != inside {
			t.Errorf("the window for %q shows %q", reader, got)
		}
	}
	for _, uri := range outside {
		if got := seen(uri); len(got) != 2 || got[0] != uri {
			t.Errorf("the window for %q shows %q, want it and %q", uri, got, inside)
		}
	}
}

// TestSearchHitsPassTheGate knows hits of this workspace by any folder of their paths.
func TestSearchHitsPassTheGate(t *testing.T) {
	root := newFolder(t, map[string]string{".tandemignore": "/internal/\n*.key\n", "internal/a.go": "package a\n", "b.go": "package b\n"})
	snap := openSession(t, Options{Folders: []string{root}, ClientWatches: true}).Snapshot()
	for path, want := range map[string]bool{
		"github.com/org/repo/b.go": true, "other/cmd/main.go": true,
		"github.com/org/repo/internal/a.go": false, "github.com/org/repo/x.key": false, "github.com/org/repo/.env": false, "../b.go": false,
	} {
		if got := snap.AllowsHit(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// TestVerdicts: for each way to name a document, whether its text may be shown, to whom, and why
// not.
func TestVerdicts(t *testing.T) {
	outside := newFolder(t, map[string]string{"a.go": "package a\n", "id_rsa": "key"})
	root := newFolder(t, map[string]string{"a.go": "package a\n", "sub/b.go": "package b\n", "hidden.go": "package h\n", ".tandemignore": "hidden.go\n/secret/\n", "secret/c.go": "package c\n", ".env": "KEY=value\n"})
	links, linked := platformtest.Symlinks(t), []string{}
	for link, target := range map[string]string{"good.go": "sub/b.go", "far.go": filepath.Join(root, "sub", "b.go"), "to_hidden.go": "hidden.go", "to_secret": "secret", "out.go": filepath.Join(outside, "a.go"), "open_out.go": filepath.Join(outside, "a.go"), "open_key.go": filepath.Join(outside, "id_rsa")} {
		linked = append(linked, link)
		if links {
			platformtest.Symlink(t, target, filepath.Join(root, link))
		}
	}
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	var snap *Snapshot
	for _, uri := range []string{"untitled:x", "odd:%zz", URIOf(filepath.Join(outside, "a.go")), URIOf(filepath.Join(root, "open_out.go")), URIOf(filepath.Join(root, "open_key.go"))} {
		snap = s.Update(Opened{URI: uri, Version: 1, Text: edits.NewText("x\n")})
	}
	absent := func(name string) bool {
		return !links && slices.ContainsFunc(linked, func(link string) bool { return strings.HasPrefix(name, link) })
	}
	git := strings.Replace(URIOf(root), "file://", "git:", 1)
	for _, c := range []struct {
		name        string
		ok, forSelf bool
		forAnother  bool
		why         string // a part of it
	}{
		{"a.go", true, true, true, ""}, {"sub/b.go", true, true, true, ""}, {"good.go", true, true, true, ""}, {"far.go", true, true, true, ""}, {URIOf(filepath.Join(root, "a.go")), true, true, true, ""},
		{"hidden.go", false, false, false, ".tandemignore"}, {"secret/c.go", false, false, false, ".tandemignore"}, {".env", false, false, false, "keys"},
		{"to_hidden.go", false, false, false, "it is a link to hidden.go: "}, {"to_secret/c.go", false, false, false, "it is a link to secret/c.go: "}, {"out.go", false, false, false, "it is a link that leads outside the workspace folders"},
		{"open_out.go", true, true, false, ""}, {"open_key.go", false, false, false, "keys"}, {root, false, false, false, "it is the workspace folder itself"},
		{filepath.Join(outside, "a.go"), true, true, false, ""}, {filepath.Join(outside, "id_rsa"), false, false, false, "it lies outside the workspace folders"}, {"../x.go", false, false, false, "it lies outside the workspace folders"},
		{"untitled:x", true, true, false, ""}, {"odd:%zz", true, true, false, ""}, {git + "/a.go", true, true, true, ""}, {git + "/hidden.go", false, false, false, ".tandemignore"}, {"git:/elsewhere/.env", false, false, false, "keys"}, {"git:/elsewhere/a.go", true, true, false, ""},
	} {
		if absent(c.name) {
			continue
		}
		ok, why := snap.Allowed(c.name)
		if ok != c.ok || !strings.Contains(why, c.why) || ok != (why == "") {
			t.Errorf("%s: %v %q, want %v %q", c.name, ok, why, c.ok, c.why)
		}
		if self, another := snap.AllowedFor(c.name, c.name), snap.AllowedFor(c.name, "sub/b.go"); self != c.forSelf || another != c.forAnother || snap.AllowedFor(c.name, "") != c.forAnother {
			t.Errorf("%s is shown for itself: %v, for another: %v", c.name, self, another)
		}
	}
	view := snap.Views()[0]
	for name, want := range map[string]bool{"a.go": false, "good.go": false, "hidden.go": true, "to_hidden.go": true, "to_secret/c.go": true, "out.go": true, "secret/c.go": true} {
		if at, _ := rel.Of(name); !absent(name) && view.hides(at) != want {
			t.Errorf("%s is kept out of the index: %v", name, !want)
		}
	}
	for name, want := range map[string]string{"good.go": "package b\n", "far.go": "package b\n", "a.go": "package a\n", "none.go": platformtest.NotThere, "sub": "regular", filepath.Join(outside, "id_rsa"): "outside"} {
		if absent(name) {
			continue
		}
		f, err := snap.Unfiltered(name)
		got := fmt.Sprint(err)
		if err == nil {
			got = f.Text()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
