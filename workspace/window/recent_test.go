package window

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// The region itself shows the new text at the cursor; to predict what follows
// from that edit, the model also needs the text before it.
func TestNextEditsSeeTheChangeAtTheCursor(t *testing.T) {
	s := openWindows(t, nil, true)
	s.Update(workspace.Opened{URI: "untitled:x", Version: 1, Text: edits.NewText("l1\nl2\nl3\n")})
	snap := typeAt(t, s, "untitled:x", edits.Edit{Span: edits.Span{Start: 5, End: 5}, New: "a"})
	for purpose, want := range map[string]bool{"next_edit": true, "complete": false} {
		w, err := Build(t.Context(), snap, Request{URI: "untitled:x", Span: edits.Span{Start: 6, End: 6}, Purpose: purpose})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(w.Fragments, func(f Fragment) bool { return f.Kind == FragmentRecentEdit })
		if got != want {
			t.Errorf("%s: recent edit shown %v, want %v: %v", purpose, got, want, w.Fragments)
		}
	}
}

// TestNextEditsSeeWhoUsesWhatChanged renames a function: what still calls it by its old
// name is where the next edit is.
func TestNextEditsSeeWhoUsesWhatChanged(t *testing.T) {
	tree := map[string]string{
		"go.mod":     "module example.com/shop\n\ngo 1.26\n",
		"a/price.go": "package a\n\n// Discount takes something off.\nfunc Discount(c int) int {\n\treturn c - 1\n}\n",
		"b/use.go":   "package b\n\nimport \"example.com/shop/a\"\n\nfunc Use() int {\n\treturn a.Discount(3)\n}\n",
	}
	s := openWindows(t, tree, true)
	name := filepath.Join(s.Snapshot().Views()[0].Root, "a", "price.go")
	text := tree["a/price.go"]
	at := strings.Index(text, "Discount(c")
	s.Update(workspace.Opened{URI: workspace.URIOf(name), Language: "go", Version: 1, Text: edits.NewText(text)})
	snap := typeAt(t, s, workspace.URIOf(name), edits.Edit{Span: edits.Span{Start: at, End: at + len("Discount")}, New: "Rebate"})
	w, err := Build(t.Context(), snap, Request{URI: workspace.URIOf(name), Span: edits.Span{Start: at, End: at}, Purpose: "next_edit"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(w.Fragments, func(f Fragment) bool { return f.Path == "b/use.go" && f.Reason == "calls Discount" }) {
		t.Errorf("the caller of the renamed function is not shown as one:\n%s", describeWindow(w))
	}
}

// TestUsersOfTheNewestChangeComeFirst: however many changes there were before, that which uses
// the newest one is worth twice what uses the one before it.
func TestUsersOfTheNewestChangeComeFirst(t *testing.T) {
	tree := map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n"}
	var b strings.Builder
	b.WriteString("package a\n")
	for n := range 8 {
		fmt.Fprintf(&b, "\nfunc Changed%d() int {\n%s\treturn %d\n}\n", n, strings.Repeat("\t_ = 1\n", 20), n)
		use := fmt.Sprintf("package b\n\nimport \"example.com/shop/a\"\n\nfunc Use%d() int {\n%s\treturn a.Changed%d()\n}\n", n, strings.Repeat("\t_ = 2\n", 18+n/7*12), n)
		tree[fmt.Sprintf("b/use%d.go", n)] = use
	}
	tree["a/a.go"] = b.String()
	s := openWindows(t, tree, true)
	uri, text := workspace.URIOf(s.Snapshot().Views()[0].Abs("a/a.go")), tree["a/a.go"]
	s.Update(workspace.Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText(text)})
	for n := range 8 {
		at := strings.Index(text, fmt.Sprintf("return %d\n", n)) + len("return ") + n
		typeAt(t, s, uri, edits.Edit{Span: edits.Span{Start: at, End: at}, New: "1"})
	}
	f, err := newFill(t.Context(), s.Snapshot(), Request{URI: uri, Purpose: "next_edit"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range users(f) {
		got = append(got, c.Path)
	}
	if want := []string{"b/use7.go", "b/use6.go", "b/use5.go", "b/use4.go"}; !slices.Equal(got, want) {
		t.Errorf("the users are %v, want %v", got, want)
	}
}
