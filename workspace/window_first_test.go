package workspace

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFirstRequestsAreAnsweredAlike asks for windows of every purpose at many places
// of real code, twice in different orders in one session and once in another one: what
// was asked before changes no window.
func TestFirstRequestsAreAnsweredAlike(t *testing.T) {
	tree := map[string]string{}
	for _, dir := range []string{"similar", "rank", "redact", "git"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree[filepath.ToSlash(name)] = string(text)
		}
	}
	type asked struct {
		file string
		at   int
		req  WindowRequest
	}
	random := rand.New(rand.NewPCG(1, 2))
	names := sortedKeys(tree)
	var list []asked
	for i := range 100 {
		name := names[random.IntN(len(names))]
		a := asked{name, random.IntN(len(tree[name])), WindowRequest{Purpose: Purposes()[i%len(Purposes())], Budget: []int{0, 3_000, 8_000}[i%3]}}
		if i%4 == 0 {
			a.req.Words = "why does Estimate read " + names[random.IntN(len(names))] + "?"
		}
		if i%5 == 0 {
			a.req.Open = []string{names[random.IntN(len(names))], names[random.IntN(len(names))]}
		}
		list = append(list, a)
	}
	answers := func(s *Session, order []int) []string {
		out := make([]string, len(list))
		for _, i := range order {
			a := list[i]
			w := buildAt(t, s, a.file, tree[a.file], a.at, a.req)
			out[i] = fmt.Sprintf("%s %s:%d\n%s\n%s", a.req.Purpose, a.file, a.at, describeWindow(w), w.Text())
		}
		return out
	}
	one, other := openWindows(t, tree, true), openWindows(t, tree, true)
	for _, s := range []*Session{one, other} {
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
