package window

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/edits"
	"tandem/workspace"
)

// TestFirstRequestsAreAnsweredAlike asks for windows of every purpose at many places
// of real code, twice in different orders in one session and once in another one: what
// was asked before changes no window.
func TestFirstRequestsAreAnsweredAlike(t *testing.T) {
	tree := realCode(t)
	type asked struct {
		file string
		at   int
		req  Request
	}
	random := rand.New(rand.NewPCG(1, 2))
	names := slices.Sorted(maps.Keys(tree))
	var list []asked
	requests := 100
	if testing.Short() {
		requests = 30
	}
	for i := range requests {
		name := names[random.IntN(len(names))]
		a := asked{name, random.IntN(len(tree[name])), Request{Purpose: Purposes()[i%len(Purposes())], Budget: []int{0, 3_000, 8_000}[i%3]}}
		if i%4 == 0 {
			a.req.Words = "why does Estimate read " + names[random.IntN(len(names))] + "?"
		}
		list = append(list, a)
	}
	answers := func(s *workspace.Session, order []int) []string {
		out := make([]string, len(list))
		for _, i := range order {
			a := list[i]
			w := buildAt(t, s, a.file, tree[a.file], a.at, a.req)
			out[i] = fmt.Sprintf("%s %s:%d\n%s\n%s", a.req.Purpose, a.file, a.at, describeWindow(w), w.Text())
		}
		return out
	}
	one, other := openWindows(t, tree, true), openWindows(t, tree, true)
	for _, s := range []*workspace.Session{one, other} {
		if err := s.WaitIdle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	first := answers(one, random.Perm(len(list)))
	for what, again := range map[string][]string{
		"asked again in another order": answers(one, random.Perm(len(list))), "asked in another session": answers(other, random.Perm(len(list))),
	} {
		for i := range first {
			if diff := cmp.Diff(first[i], again[i]); diff != "" {
				t.Fatalf("request %d, %s: %s", i, what, diff)
			}
		}
	}
	if !strings.Contains(strings.Join(first, ""), "similar code: shares") {
		t.Error("no window has similar code: the test compares too little")
	}
}

// TestWindowsOfLargeWorkspacesAreFull asks for windows where more code is worth showing than
// fits: what is left is less than a few lines.
func TestWindowsOfLargeWorkspacesAreFull(t *testing.T) {
	tree := realCode(t)
	s := openWindows(t, tree, true)
	if err := s.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	names := slices.Sorted(maps.Keys(tree))
	for range 20 {
		name := names[random.IntN(len(names))]
		w := buildAt(t, s, name, tree[name], random.IntN(len(tree[name])), Request{Budget: 3_000, Purpose: "edit"})
		if w.Tokens < w.Budget-4*leastLeft {
			t.Errorf("%s: %d tokens are shown of %d", name, w.Tokens, w.Budget)
		}
	}
}

// TestSessionTwiceShowsTheSame replays what a user does: opens files, types, goes to other
// places and asks, each window knowing the one before it. In another session every window
// has the same bytes.
func TestSessionTwiceShowsTheSame(t *testing.T) {
	tree := realCode(t)
	first, again := replayed(t, tree), replayed(t, tree)
	for i := range first {
		if diff := cmp.Diff(first[i], again[i]); diff != "" {
			t.Fatalf("window %d of %d: %s", i, len(first), diff)
		}
	}
}

// replayed are the windows of one session of a user, whose doings are always the same.
func replayed(t *testing.T, tree map[string]string) []string {
	s := openWindows(t, tree, true)
	if err := s.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	names := slices.Sorted(maps.Keys(tree))
	last := map[string]*Window{}
	var open, out []string
	for range 30 {
		name := names[random.IntN(len(names))]
		uri := workspace.URIOf(s.Snapshot().Views()[0].Abs(name))
		if _, known := s.Snapshot().Overlay(uri); !known {
			open = append([]string{uri}, open...)
			s.Update(workspace.Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText(tree[name])})
		}
		o, _ := s.Snapshot().Overlay(uri)
		at := 1 + strings.LastIndexByte(o.Content()[:random.IntN(len(tree[name]))], '\n')
		typed := "\tif " + strings.Fields(tree[names[random.IntN(len(names))]])[2] + " {\n"
		for n := range typed {
			snap := typeAt(t, s, uri, edits.Edit{Span: edits.Span{Start: at + n, End: at + n}, New: typed[n : n+1]})
			purpose := "complete"
			if n == len(typed)-1 {
				purpose = []string{"next_edit", "edit", "explain"}[random.IntN(3)]
			}
			req := Request{URI: uri, Span: edits.Span{Start: at + n + 1, End: at + n + 1}, Purpose: purpose}
			if purpose == "complete" {
				req.Previous = last[name]
			}
			w, err := Build(t.Context(), snap, req)
			if err != nil {
				t.Fatal(err)
			}
			if purpose == "complete" {
				last[name] = w
			}
			out = append(out, describeWindow(w)+"\n"+w.Text().String())
		}
	}
	return out
}

// realCode is some code of this project.
func realCode(t *testing.T) map[string]string {
	t.Helper()
	tree := map[string]string{}
	for _, dir := range []string{"similar", "redact", "git"} {
		files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree[dir+"/"+filepath.Base(name)] = string(text)
		}
	}
	return tree
}
