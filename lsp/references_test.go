package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/assist/next"
	"tandem/workspace"
)

// A knowing use case has two declarations, and records what other servers answered.
type knowing struct {
	NextEdits
	known chan next.References
}

func (k *knowing) Declarations(_ *workspace.Snapshot, p core.Place) []edits.Span {
	return []edits.Span{{Start: p.Offset + 5, End: p.Offset + 8}}
}

func (k *knowing) Know(_ *workspace.Snapshot, r next.References) { k.known <- r }

// TestReferencesOnTheWire: what a line declares, and what other servers answered, as the texts
// have it; what is about another text is not taken.
func TestReferencesOnTheWire(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "b.go")
	if err := os.WriteFile(other, []byte("package b\n\nvar é = Get()\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	k := &knowing{known: make(chan next.References, 10)}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { k.NextEdits = use.NextEdits; use.NextEdits = k })
	o.initialize(fullClient(), dir)
	o.open("untitled:a.go", "go", "package a\n\nfunc é() {}\nfunc Get() {}\n")
	o.settled()
	raw, err := o.call("tandem/declarations", object{"textDocument": object{"uri": "untitled:a.go"}, "position": position{2, 0}})
	if want := `{"declarations":[{"name":"é(","range":{"end":{"character":7,"line":2},"start":{"character":5,"line":2}}}]}`; err != nil || asJSON(t, raw) != want {
		t.Errorf("declared: %s, %v; want %s", raw, err, want)
	}
	uri := workspace.URIOf(other)
	answer := func(change object) object {
		out := object{"uri": "untitled:a.go", "version": 1, "name": "Get", "range": wireRange{position{3, 0}, position{3, 5}},
			"locations": []object{{"uri": uri, "range": wireRange{position{2, 8}, position{2, 11}}}, {"uri": "untitled:a.go", "range": wireRange{position{3, 5}, position{3, 8}}, "prefixText": "Get: ", "suffixText": ""}}}
		for name, value := range change {
			out[name] = value
		}
		return out
	}
	o.notify("tandem/references", answer(object{"version": 2}))
	o.notify("tandem/references", answer(object{"name": "Set"}))
	o.notify("tandem/references", answer(object{"uri": "untitled:closed.go"}))
	o.notify("tandem/references", answer(object{"locations": slices.Repeat([]object{{"uri": uri, "range": wireRange{}}}, maxLocations+1)}))
	o.notify("tandem/references", answer(nil)) // the only one that is taken
	want := "{Document:<nil> Declaration:{URI:untitled:a.go Span:[29,32) Affixes:<nil>} Name:Get Uses:[{URI:" + uri + " Span:[20,23) Affixes:<nil>} {URI:untitled:a.go Span:[29,32) Affixes:<nil>}]}"
	got := <-k.known
	if affixes := got.Uses[1].Affixes; affixes == nil || *affixes != (next.Affixes{Prefix: "Get: "}) {
		t.Errorf("what a rename writes: %+v", affixes)
	}
	if got.Document == nil || got.Document.Version != 1 {
		t.Errorf("the text that they are about: %+v", got.Document)
	}
	got.Uses[1].Affixes, got.Document = nil, nil
	if got := fmt.Sprintf("%+v", got); got != want {
		t.Errorf("known:\n%s\nwant\n%s", got, want)
	}
}
