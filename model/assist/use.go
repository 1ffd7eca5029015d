package assist

import (
	"slices"
	"sync"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
)

// Used returns what became of suggestions since it was called last. At the end of a session
// the texts that were accepted are looked for at once.
func (e *Engine) Used(end bool) map[core.UseKind]core.UseCount { return e.docs.Uses.Take(end) }

// Shown records that the editor displays a completion or a next edit.
func (e *Engine) Shown(id string) {
	if next, ok := e.NextEdits.Open.Offer(id); ok && next.Jump == "" {
		e.docs.Uses.Shown(id, next.URI, next.From.Lane, core.UseNextEdit)
	}
	e.Completer.Shown(id)
}

// acceptedNext counts an accepted next edit, if the suggestion is one.
func (e *Engine) acceptedNext(snap *workspace.Snapshot, id string) {
	next, ok := e.NextEdits.Open.Offer(id)
	if o, open := snap.Overlay(next.URI); ok && open && next.Jump == "" {
		e.docs.Uses.Accepted(id, next.URI, next.From.Lane, core.UseNextEdit, core.At(o.Text, next.Edit))
	}
}

// counted counts the proposals among the events that it passes on: one is shown when it is
// ready, and accepted when its documents have all of it.
func counted(uses *core.Uses, notify func(core.Event)) func(core.Event) {
	var mu sync.Mutex // guards texts
	texts := map[string]string{}
	count := func(p *edit.Proposal) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case len(p.Files) == 0:
		case p.State == edit.Ready && texts[p.ID] == "":
			uses.Shown(p.ID, p.Documents[0], p.From.Lane, core.UseEdit)
			texts[p.ID] = longest(p.Files[0].Edits)
		case p.State == edit.Accepted:
			uses.Accepted(p.ID, p.Documents[0], p.From.Lane, core.UseEdit, core.Anywhere(p.Files[0].Base, texts[p.ID]))
		}
		if p.State != edit.Ready {
			delete(texts, p.ID)
		}
	}
	return func(event core.Event) {
		if p, ok := event.(*edit.Proposal); ok {
			count(p)
		}
		notify(event)
	}
}

// longest returns the longest text that edits insert: it stands for all of them.
func longest(list []edits.Edit) string {
	text := ""
	for e := range slices.Values(list) {
		if len(e.New) > len(text) {
			text = e.New
		}
	}
	return text
}
