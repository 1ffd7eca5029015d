package inline

import (
	"context"
	"testing"

	"tandem/model"
	"tandem/model/assist/core"
)

// TestNothingOfADocumentSurvivesItsClose looks for what a closed document left.
func TestNothingOfADocumentSurvivesItsClose(t *testing.T) {
	b := newBench(t, lanes{model.Fast: replies("1\n")}, "package main\n\nvar a = \n", nil)
	b.complete(b.At("var a = "), plain)
	b.Edit(0, 0, "// x\n")
	old := b.Session.Snapshot()
	b.Close()
	b.Open("package main\n")
	got, err := b.engine.Completer.Complete(context.Background(), old, Request{Place: core.Place{URI: b.URI, Offset: 1}})
	if err != nil || len(got.Items) > 0 || got.Reason == "" {
		t.Errorf("a request from an earlier life is answered %+v, %v", got, err)
	}
}
