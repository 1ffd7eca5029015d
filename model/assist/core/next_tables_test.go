package core

import (
	"testing"

	"tandem/model/assist/assisttest"
	"tandem/model/local"
)

// TestFoldersOfTheEngine: the built-in engine sees the folder of a document, else the first.
func TestFoldersOfTheEngine(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, map[string]string{"b.go": "package main\n"})
	snap := b.Session.Snapshot()
	for _, uri := range []string{b.URI, "untitled:x", ""} {
		c := CorpusAround(snap, uri)
		if c.Root() != b.Root || c.Index() == nil || c.IndexBut("b.go") == nil {
			t.Errorf("%q: the folder is %q", uri, c.Root())
		}
		if text, ok := c.Text("b.go"); !ok || text != "package main\n" {
			t.Errorf("%q: b.go is %q", uri, text)
		}
		if _, ok := c.Text("none.go"); ok {
			t.Errorf("%q: a file that is not there has a text", uri)
		}
	}
	none := Corpus{snap: snap}
	if _, ok := none.Text("b.go"); ok || none.Root() != "" || none.Index() == nil || none.IndexBut("b.go") == nil {
		t.Error("without a folder there is something")
	}
	var _ local.Corpus = none
}
