package inline

import (
	"context"
	"fmt"
	"testing"

	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/local"
)

// suggests is a built-in engine with texts for every place.
type suggests struct {
	core.Local
	texts []string
}

func (s suggests) Suggest(context.Context, local.Corpus, *model.Fill, int, local.Certainty) []string {
	return s.texts
}

// TestReasonOfTheBuiltInEngine: where it has nothing to suggest, the answer and the status say why.
func TestReasonOfTheBuiltInEngine(t *testing.T) {
	for _, c := range []struct {
		engine core.Local
		reason string
		want   string
	}{
		{suggests{}, "", "0 The built-in engine has seen nothing like this line often enough. The built-in engine has seen nothing like this line often enough."}, {suggests{}, "offline", "0 offline offline"}, {suggests{texts: []string{"compute(1)"}}, "offline", "1 offline "}, {nil, "offline", "0 offline "},
	} {
		b := newBench(t, lanes{}, program, nil)
		b.engine.Completer.Local = c.engine
		snap := b.Session.Snapshot()
		o, _ := snap.Overlay(b.URI)
		got := b.engine.Completer.fallback(t.Context(), snap, o, Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}}, b.engine.Completer.open.Of(o).inline, c.reason)
		if text := fmt.Sprintf("%d %s %s", len(got.Items), got.Reason, b.reason()); text != c.want {
			t.Errorf("%q, want %q", text, c.want)
		}
	}
}
