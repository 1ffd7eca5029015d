package edit

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tandem/model/conversation"
	"tandem/workspace/redact"
)

// TestEvictedProposalIsAnError lets other proposals push out one that is made.
func TestEvictedProposalIsAnError(t *testing.T) {
	b := newBench(t, lanes{}, "package main\n", nil)
	store := b.engine.Editor.Proposals
	run := &editRun{id: store.open(Proposal{State: Rejected}).ID, req: Request{URI: b.URI}, record: conversation.Record{Secrets: &redact.Redactor{}}}
	for i := range maxProposals + 1 {
		store.open(Proposal{State: Failed, Err: fmt.Errorf("%d", i)})
	}
	p := b.engine.Editor.runEdit(context.Background(), b.Session.Snapshot(), run)
	if p == nil || p.State != Failed || p.Err == nil {
		t.Fatalf("%+v", p)
	}
	if _, err := b.engine.Editor.withAlternatives(p, nil); err == nil || !strings.Contains(err.Error(), "ask for it again") {
		t.Errorf("error %v", err)
	}
}
