package next

import (
	"context"
	"fmt"
	"path"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/judge"
)

// TestNextEverywhere holds that all remaining places of a change are one checked
// proposal, that accepting it changes all of them, and that no model is asked.
func TestNextEverywhere(t *testing.T) {
	const text = "package m\n\nfunc Load(name string) error { return nil }\n\nfunc one() error { return Load(\"x\") }\n"
	b := newBench(t, lanes{}, text, map[string]string{
		"go.mod": "module m\n", "other.go": "package m\n\nfunc two() error {\n\treturn Load(\"y\")\n}\n",
	})
	b.engine.Editor.Judge = judge.New(nil, nil)
	b.engine.NextEdits.Local = local.New(nil)
	place := core.Place{URI: b.URI}
	if p, err := b.engine.NextEdits.NextEverywhere(context.Background(), b.Session.Snapshot(), place, 1); err == nil {
		t.Fatalf("proposed %q before anything was changed", p.Title)
	}
	b.Edit(b.At("func "), b.At("func Load"), "Fetch")
	if err := b.Session.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
	p, err := b.engine.NextEdits.NextEverywhere(context.Background(), b.Session.Snapshot(), place, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Rename Load to Fetch: 2 places"; p.Title != want || p.State != edit.Ready || len(p.Files) != 2 {
		t.Errorf("%q (%s) of %d files, want %q of 2", p.Title, p.State, len(p.Files), want)
	}
	edits, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, -1, false)
	if err != nil || len(edits) != 2 {
		t.Fatalf("%d documents, %v", len(edits), err)
	}
	all := ""
	for _, d := range edits {
		for _, e := range d.Edits {
			all += e.New + ";"
		}
	}
	if strings.Count(all, "Fetch") != 2 {
		t.Errorf("the edits are %q, want Fetch in both calls", all)
	}
}

// TestRejectedPlace: a place of a change that the user let be is not offered again, also after edits
// above it, and the other places with the same text are.
func TestRejectedPlace(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n\nfunc Load() {}\n\n// note\n\nfunc one() {\n\tLoad()\n\tLoad()\n}\n", map[string]string{"go.mod": "module m\n"})
	b.engine.NextEdits.Local = local.New(nil)
	at := b.At("func Load") - len("Load")
	b.Edit(at, at+len("Load"), "Fetch")
	line := func() int {
		if err := b.Session.WaitIdle(context.Background()); err != nil {
			t.Fatal(err)
		}
		next, reason, err := b.engine.NextEdits.NextEdit(context.Background(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("func Fetch")}, Version: b.Version})
		if err != nil || next == nil {
			t.Fatalf("nothing is offered: %s %v", reason, err)
		}
		b.engine.NextEdits.Open.Ignored(next.ID)
		return next.Line
	}
	if first := line(); first != 7 {
		t.Fatalf("line %d is offered first", first)
	}
	at = b.At("// note")
	b.Edit(at, at, "\n// more")
	if second := line(); second != 9 {
		t.Errorf("line %d is offered after line 7 was rejected and moved to 8, want 9", second)
	}
}

// TestWrongPlace: a place at which the change fails the judge is passed over, in a series too, and
// nobody takes that for a rejection of the change.
func TestWrongPlace(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n\nfunc Load() {}\n\nfunc one() {\n\tLoad() // wrong\n\tLoad() // right\n\tLoad() // wrong\n\tLoad() // right\n}\n", map[string]string{"go.mod": "module m\n"})
	b.engine.NextEdits.Local = local.New(nil)
	b.engine.Editor.Judge = assisttest.Judging(assisttest.Names{Wrong: func(text, inserted string) (out []edits.Finding) {
		if at := strings.Index(text, "Fetch() // wrong"); at >= 0 && inserted != "" {
			out = []edits.Finding{{Span: edits.Span{Start: at, End: at + 5}, Kind: "unknown_name", Name: "Fetch", Severity: "error", Message: "it is wrong"}}
		}
		return out
	}})
	at := b.At("func Load") - len("Load")
	b.Edit(at, at+len("Load"), "Fetch")
	for _, want := range []int{6, 8} {
		if err := b.Session.WaitIdle(context.Background()); err != nil {
			t.Fatal(err)
		}
		next, reason, err := b.engine.NextEdits.NextEdit(context.Background(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("func Fetch")}, Version: b.Version})
		if err != nil || next == nil || next.Line != want {
			t.Fatalf("offered %+v, %q, %v, want line %d", next, reason, err, want)
		}
		b.Edit(next.Edit.Start, next.Edit.End, next.Edit.New)
	}
}

// TestRejectedInAnotherDocument: an edit of a file that was rejected while one document was
// shown is not offered from another.
func TestRejectedInAnotherDocument(t *testing.T) {
	other := "package m\n\nfunc use() {\n\tLoad()\n}\n"
	b := newBench(t, lanes{}, "package m\n\nfunc Load() {}\n", map[string]string{"go.mod": "module m\n", "use.go": other, "third.go": "package m\n"})
	b.engine.NextEdits.Local = local.New(nil)
	third := strings.Replace(b.URI, path.Base(b.URI), "third.go", 1)
	b.Follow.Opened(b.Session.Update(workspace.Opened{URI: third, Language: "go", Version: 1, Text: edits.NewText("package m\n")}), third)
	at := b.At("func Load") - len("Load")
	b.Edit(at, at+len("Load"), "Fetch")
	if err := b.Session.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
	ask := func(uri string, version int32) *Offer {
		next, _, err := b.engine.NextEdits.NextEdit(context.Background(), b.Session.Snapshot(), Request{Place: core.Place{URI: uri}, Version: version})
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	first := ask(b.URI, b.Version)
	if first == nil || path.Base(first.URI) != "use.go" {
		t.Fatalf("offered %+v", first)
	}
	b.engine.NextEdits.Open.Rejected(first.ID)
	if again := ask(third, 1); again != nil {
		t.Errorf("offered again: %+v", again)
	}
}

// TestRejectedAfterManyOffers: an editor asks at each key and may show an earlier answer
// than the last one; its rejection counts, for the place as the text is then.
func TestRejectedAfterManyOffers(t *testing.T) {
	for before := range 40 {
		n := &nextOffers{}
		for range before {
			n.offer(Offer{ID: "earlier", URI: "file:///a"})
		}
		shown := Offer{ID: "shown", URI: "file:///a", Edit: edits.Edit{Span: edits.Span{Start: 10, End: 12}, New: "x"}}
		n.offer(shown)
		for i := range 20 {
			n.move(shown.URI, []edits.Edit{{New: "y"}})
			n.offer(Offer{ID: fmt.Sprint(i), URI: "file:///a"})
		}
		if next, ok := n.take("shown"); !ok || next.Edit.Start != 30 {
			t.Fatalf("after %d earlier offers the rejection was lost", before)
		}
	}
}
