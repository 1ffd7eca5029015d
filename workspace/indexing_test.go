package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/rel"
)

// TestUnkeptIndexIsReportedOnce shows that a state folder that cannot be written
// is reported once, in one sentence, however often the folder is indexed.
func TestUnkeptIndexIsReportedOnce(t *testing.T) {
	root, stateDir := newFolder(t, map[string]string{"a.go": "package a\n"}), t.TempDir()
	if err := os.WriteFile(filepath.Join(stateDir, "index"), nil, 0o600); err != nil { // where the folder of indexes belongs
		t.Fatal(err)
	}
	var mu sync.Mutex // guards problems
	var problems []string
	s, err := Open(context.Background(), Options{Folders: []string{root}, StateDir: stateDir, ClientWatches: true, Notify: func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(e.Problem, "No index is kept") {
			problems = append(problems, e.Problem)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 3 {
		waitIdle(t, s)
		s.startIndexing(s.Snapshot().views[0].folder)
	}
	waitIdle(t, s)
	mu.Lock()
	defer mu.Unlock()
	if len(problems) != 1 || strings.Count(problems[0], "next start") != 1 {
		t.Errorf("reported: %q", problems)
	}
}

// TestIndexButDoesNotWait shows that typing in a document changes neither the index that
// leaves it out nor the number of files for display, and that any other change does.
func TestIndexButDoesNotWait(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n", "b.go": "package a\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	waitIdle(t, s)
	first := s.Snapshot().Views()[0].Index()
	open := func(name string, text string) *View {
		s.Update(Opened{URI: URIOf(filepath.Join(root, name)), Version: 1, Language: "go", Text: edits.NewText(text)})
		return s.Snapshot().Views()[0]
	}
	v := open("a.go", "package a\n\nfunc New() {}\n")
	if v.IndexBut(rel.Path{}.Join("a.go")) != first || v.NumFiles() != 2 {
		t.Errorf("an open document was indexed for others; %d files", v.NumFiles())
	}
	if got := v.Index().Lookup("New"); len(got) != 1 || v.IndexBut(rel.Path{}.Join("a.go")) != v.Index() {
		t.Errorf("the index has %v", got)
	}
	v = open("b.go", "package a\n\nfunc Other() {}\n")
	if got := v.IndexBut(rel.Path{}.Join("a.go")).Lookup("Other"); len(got) != 1 {
		t.Errorf("the index without a.go has %v of b.go", got)
	}
}

// TestIndexFollowsEdits shows that a document that is edited is indexed as its text would be
// by itself, though only what an edit touches is read again.
func TestIndexFollowsEdits(t *testing.T) {
	root := newFolder(t, map[string]string{"b.go": "package a\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	waitIdle(t, s)
	uri := URIOf(filepath.Join(root, "a.go"))
	text := edits.NewText("package a\n\n" + strings.Repeat("// F does what many others do, and says so in a line.\nfunc F(a, b int) (sum int) {\n\tsum = a + b + other(a)\n\treturn sum\n}\n\n", 200))
	s.Update(Opened{URI: uri, Version: 1, Language: "go", Text: text})
	s.Snapshot().Views()[0].Index()
	for i, edit := range []edits.Edit{
		{Span: edits.Span{Start: 12000, End: 12000}, New: "\nfunc New(x, y string) error {\n\treturn nil\n}\n\n"}, {Span: edits.Span{Start: 12050, End: 12051}, New: "zz"},
		{Span: edits.Span{Start: 20000, End: 20000}, New: "/*"}, {Span: edits.Span{Start: 20000, End: 20002}, New: ""}, {Span: edits.Span{Start: 0, End: 9}, New: "package b"},
		{Span: edits.Span{Start: 3000, End: 9000}, New: "\xff"},
	} {
		text = text.Replace(edit.Span, edit.New)
		s.Update(Edited{URI: uri, Version: int32(i + 2), Text: text})
		v := s.Snapshot().Views()[0]
		got, want := v.Index(), index.New(index.Change{Path: rel.Must("a.go"), Text: strings.ToValidUTF8(text.String(), "\ufffd")})
		at, _ := got.FileID("a.go")
		from, _ := want.FileID("a.go")
		list, whole := got.Defs(at), want.Defs(from)
		if len(list) != len(whole) || len(list) == 0 {
			t.Fatalf("after edit %d: %d definitions, want %d", i, len(list), len(whole))
		}
		for k := range list {
			if diff := cmp.Diff(whole[k].Def, list[k].Def); diff != "" || got.SigText(list[k].ID) != want.SigText(whole[k].ID) {
				t.Fatalf("after edit %d:\n%s", i, diff)
			}
		}
		for _, name := range []string{"other", "sum", "New", "x", "zz"} {
			if a, b := got.Uses(name), want.Uses(name); len(a) != len(b) || len(a) == 1 && a[0].Count != b[0].Count {
				t.Errorf("after edit %d: uses of %s are %v, want %v", i, name, a, b)
			}
		}
	}
}

// TestAnalysisEndsWithItsDocument shows that nothing of a document that was closed is used
// when it is opened again.
func TestAnalysisEndsWithItsDocument(t *testing.T) {
	s := openSession(t, Options{ClientWatches: true})
	const uri = "untitled:a.go"
	open := func(text string) *Overlay {
		s.Update(Opened{URI: uri, Version: 1, Language: "go", Text: edits.NewText(text)})
		o, _ := s.Snapshot().Overlay(uri)
		return o
	}
	first := open("package a\n")
	first.Analysis()
	s.Update(Edited{URI: uri, Version: 2, Text: edits.NewText("package a // b\n")})
	if o, _ := s.Snapshot().Overlay(uri); o.earlier != first.Analysis() {
		t.Error("the analysis of the text before an edit is not used")
	}
	if o := open("package a\n"); o.earlier != nil {
		t.Error("the analysis of a document's earlier life is used")
	}
	s.Update(Closed{URI: uri})
	if o := open("package a\n"); o.earlier != nil {
		t.Error("the analysis of a closed document is used")
	}
}
