package core

import (
	"fmt"
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// TestLogOfADocument: the changes since a revision, as long as all of them are known; no more are
// kept than the bound.
func TestLogOfADocument(t *testing.T) {
	l := textLog{first: 5}
	if got, known := l.Since(5); !known || len(got) != 0 || l.Last() != 5 {
		t.Errorf("%v, %v, last %d", got, known, l.Last())
	}
	if _, known := l.Since(4); known {
		t.Error("what was before the first revision is known")
	}
	for i := range uint64(3 * maxLog) {
		l.add(logged{6 + i, []edits.Edit{{New: fmt.Sprint(6 + i)}}})
	}
	end := uint64(5 + 3*maxLog)
	first := end - maxLog
	if len(l.changes) != maxLog || l.Last() != end || l.first != first {
		t.Errorf("%d changes are kept, from %d to %d", len(l.changes), l.first, l.Last())
	}
	if _, known := l.Since(first - 1); known {
		t.Error("what was dropped is known")
	}
	if got, known := l.Since(first); !known || len(got) != maxLog || got[0].New != fmt.Sprint(first+1) {
		t.Errorf("%d edits, %v", len(got), known)
	}
	if got, known := l.Since(end - 2); !known || len(got) != 2 || got[0].New != fmt.Sprint(end-1) || got[1].New != fmt.Sprint(end) {
		t.Errorf("%v, %v", got, known)
	}
}

// TestLivesOfADocument: what is kept of a document ends with its life, and a later life of the
// same file has nothing of it.
func TestLivesOfADocument(t *testing.T) {
	var open Lives[string]
	first, second := &workspace.Overlay{URI: "file:///a", Generation: 1}, &workspace.Overlay{URI: "file:///a", Generation: 2}
	kept := "kept"
	open.Begin(first, &kept)
	if open.Of(first) != &kept || open.Of(second) != nil || open.At(workspace.Key("file:///a")) != &kept || len(open.All()) != 1 {
		t.Error("the value is not that of its life")
	}
	if open.End("file:///a") != &kept || open.Of(first) != nil || len(open.All()) != 0 || open.End("file:///a") != nil {
		t.Error("a life that has ended left something")
	}
}
