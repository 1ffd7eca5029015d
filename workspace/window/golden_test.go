package window

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tandem/workspace"
)

var update = flag.Bool("update", false, "write the golden windows again")

const goldenWindows = "testdata/windows/shop.txtar"

// goldenRequest is a line of the archive's comment: a purpose and what else is asked.
var goldenRequest = regexp.MustCompile(`^(\w+)(?: at=(\S+):(\d+):(\d+))?(?: (words|diff)=("(?:[^"\\]|\\.)*"))?$`)

// TestWindowsAreReadable compares the window of each purpose with the one that was read
// and agreed to.
func TestWindowsAreReadable(t *testing.T) {
	archive, err := txtar.ParseFile(goldenWindows)
	if err != nil {
		t.Fatal(err)
	}
	tree, want := map[string]string{}, map[string]string{}
	kept := archive.Files[:0:0]
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "window of "); ok {
			want[name] = string(f.Data)
			continue
		}
		tree[f.Name] = string(f.Data)
		kept = append(kept, f)
	}
	s := openWindows(t, tree, true)
	if err := s.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, line := range strings.Split(string(archive.Comment), "\n") {
		m := goldenRequest.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		asked[m[1]] = true
		got := readableWindow(t, s, tree, m)
		if *update {
			kept = append(kept, txtar.File{Name: "window of " + m[1], Data: []byte(got)})
		} else if diff := cmp.Diff(want[m[1]], got); diff != "" {
			t.Errorf("the window of %s: %s", m[1], diff)
		}
	}
	for _, purpose := range Purposes() {
		if !asked[purpose] {
			t.Errorf("no window of %s is shown", purpose)
		}
	}
	if *update {
		archive.Files = kept
		if err := os.WriteFile(goldenWindows, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// readableWindow is a window with what each fragment is there for.
func readableWindow(t *testing.T, s *workspace.Session, tree map[string]string, m []string) string {
	t.Helper()
	req := Request{Purpose: m[1]}
	if m[6] != "" {
		text, err := strconv.Unquote(m[6])
		if err != nil {
			t.Fatal(err)
		}
		if req.Words = text; m[5] == "diff" {
			req.Words, req.Diff = "", text
		}
	}
	file, at := m[2], 0
	if file != "" {
		line, _ := strconv.Atoi(m[3])
		column, _ := strconv.Atoi(m[4])
		at = len(strings.Join(strings.SplitAfter(tree[file], "\n")[:line-1], "")) + column - 1
	}
	var w *Window
	if file == "" {
		var err error
		if w, err = Build(t.Context(), s.Snapshot(), req); err != nil {
			t.Fatal(err)
		}
	} else {
		w = buildAt(t, s, file, tree[file], at, req)
	}
	checkWindow(t, w)
	var out strings.Builder
	for _, f := range w.Fragments {
		fmt.Fprintf(&out, "%4d  %-12s %s:%d-%d: %s\n", f.Tokens, f.Kind, f.Path, f.StartLine, f.EndLine, f.Reason)
	}
	fmt.Fprintf(&out, "%4d  of %d\n\n%s%s%s<place>%s</place>%s", w.Tokens, w.Budget, w.context, w.region, w.Before, w.Selected, w.After)
	return strings.TrimRight(out.String(), "\n") + "\n"
}
