package lsp

import (
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model/assist/edit"
)

// A draftNote is what an edit makes of the document that the client draws it in: all
// changes so far, as whole lines of the document's version. A later one replaces it.
type draftNote struct {
	URI     string      `json:"uri"`
	Version int32       `json:"version"`
	Hunks   []draftHunk `json:"hunks"`
}

type draftHunk struct {
	Start int      `json:"start"`
	End   int      `json:"end"`
	Lines []string `json:"lines"`
}

// draftHunks encodes hunks with each line as show returns it.
func draftHunks(list []edits.LineHunk, show func(string) string) []draftHunk {
	out := make([]draftHunk, len(list))
	for i, h := range list {
		out[i] = draftHunk{h.Start, h.End, make([]string, len(h.Lines))}
		for n, line := range h.Lines {
			out[i].Lines[n] = show(line)
		}
	}
	return out
}

// asChecked returns a line of a proposal that has passed the checks: what it will be in
// the file.
func asChecked(line string) string { return line }

// finalDraft is the draft of a proposal as it stands; it has hunks once the proposal is
// ready.
func finalDraft(p *edit.Proposal) *draftNote {
	n := &draftNote{URI: p.Request.URI, Hunks: []draftHunk{}}
	for i, f := range p.Files {
		if !p.Drafted(i) {
			continue
		}
		n.Version = f.Version
		if after, err := f.After(); err == nil {
			n.Hunks = draftHunks(edits.LineHunks(f.Base.String(), after.String()), asChecked)
		}
	}
	return n
}

// draftStreams send the drafts of one edit and its alternatives as they grow, at most
// one in streamInterval for each; the client needs only the latest.
type draftStreams struct {
	peer    *peer
	partial token

	mu   sync.Mutex // guards next
	next map[string]time.Time
}

func newDraftStreams(p *peer, partial token) *draftStreams {
	return &draftStreams{peer: p, partial: partial, next: map[string]time.Time{}}
}

type draftKey struct {
	streams *draftStreams
	id      string
}

func (d *draftStreams) changed(p edit.Progress) {
	d.mu.Lock()
	after := d.next[p.ID]
	d.mu.Unlock()
	method := "tandem/proposal"
	if d.partial != "" {
		method = protocol.MethodProgress
	}
	d.peer.notifications.enqueue(&queuedNotification{key: draftKey{d, p.ID}, method: method, params: func() any { return d.note(p) }, after: after})
}

func (d *draftStreams) note(p edit.Progress) any {
	d.mu.Lock()
	d.next[p.ID] = time.Now().Add(streamInterval)
	d.mu.Unlock()
	note := proposalNote{ID: p.ID, State: string(edit.Streaming), Draft: &draftNote{p.Draft.URI, p.Draft.Version, draftHunks(p.Draft.Hunks(), inert.Text)}}
	if d.partial != "" {
		return progressParams{d.partial, map[string]any{"proposal": note}}
	}
	return note
}

// flush sends the latest draft of a proposal now.
func (d *draftStreams) flush(id string) { d.peer.notifications.flush(draftKey{d, id}) }
