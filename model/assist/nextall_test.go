package assist

import (
	"context"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/names"
)

// TestNextEverywhere holds that all remaining places of a change are one checked
// proposal, that accepting it changes all of them, and that no model is asked.
func TestNextEverywhere(t *testing.T) {
	const text = "package m\n\nfunc Load(name string) error { return nil }\n\nfunc one() error { return Load(\"x\") }\n"
	b := newBench(t, lanes{}, text, map[string]string{
		"go.mod": "module m\n", "other.go": "package m\n\nfunc two() error {\n\treturn Load(\"y\")\n}\n",
	})
	checker := names.New(names.Options{Private: true})
	b.engine.Editor.Names = func(s *workspace.Snapshot) edits.Names { return checker.For(names.Of(s)) }
	b.engine.Editor.Local = local.New(nil)
	place := Place{URI: b.uri}
	if p, err := b.engine.Editor.NextEverywhere(context.Background(), b.session.Snapshot(), place); err == nil {
		t.Fatalf("proposed %q before anything was changed", p.Title)
	}
	b.edit(b.at("name string"), b.at("name string"), ", deep bool")
	if err := b.session.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
	p, err := b.engine.Editor.NextEverywhere(context.Background(), b.session.Snapshot(), place)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Load: 2 places, type-checked, 0 new errors"; p.Title != want || p.State != Ready || len(p.Files) != 2 {
		t.Errorf("%q (%s) of %d files, want %q of 2", p.Title, p.State, len(p.Files), want)
	}
	edits, err := b.engine.Editor.Accept(b.session.Snapshot(), p.ID, -1)
	if err != nil || len(edits) != 2 {
		t.Fatalf("%d documents, %v", len(edits), err)
	}
	all := ""
	for _, d := range edits {
		for _, e := range d.Edits {
			all += e.New + ";"
		}
	}
	if strings.Count(all, "false") != 2 {
		t.Errorf("the edits are %q, want false in both calls", all)
	}
}
