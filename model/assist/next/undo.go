package next

import (
	"slices"

	"tandem/edits"
	"tandem/workspace"
)

// maxAppliedBytes bounds the text that is kept of an applied edit and of what changed beside it.
const maxAppliedBytes = 16 << 10

// An appliedEdit is an offered edit that the user's text has or had: who takes it back has
// rejected it.
type appliedEdit struct {
	Offer
	span     edits.Span // its place, with what was edited across its ends since, as the text is now
	old, new string     // what the span has without the edit and with it
	lead     int        // how far behind the span's start the edit's own place starts
}

// apply records that an edit of a document's text, which is still without it, is one that was
// offered. What was applied there before is settled by it: to write the earlier text again is
// then no rejection.
func (n *nextOffers) apply(uri string, text edits.Text, step workspace.Step) {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, _ := trimmed(step.Edit, text.Slice(step.Edit.Span))
	next, offered := n.offerOf(uri, text, e)
	if !offered && !step.Accepted {
		return
	}
	n.applied = slices.DeleteFunc(n.applied, func(a appliedEdit) bool {
		settled := workspace.Key(a.URI) == workspace.Key(uri) && a.touches(e)
		if settled {
			n.forgive(a.ID)
		}
		return settled
	})
	if offered {
		n.applied = append(n.applied, appliedEdit{Offer: next, span: next.Edit.Span, old: text.Slice(next.Edit.Span), new: next.Edit.New})
		n.applied = n.applied[max(0, len(n.applied)-maxRefusedEdits):]
	}
}

// takeBack follows the steps that a document's text before them was changed by, and refuses
// the applied edits that the text is without again, until it has them again.
func (n *nextOffers) takeBack(uri string, before edits.Text, steps []workspace.Step) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.applied) == 0 {
		return
	}
	text, touched := before, map[string]bool{}
	for _, step := range steps {
		e, _ := trimmed(step.Edit, text.Slice(step.Edit.Span))
		for i := range n.applied {
			if a := &n.applied[i]; workspace.Key(a.URI) == workspace.Key(uri) && a.follow(text, e) {
				touched[a.ID] = true
			}
		}
		text = step.After
	}
	n.applied = slices.DeleteFunc(n.applied, func(a appliedEdit) bool {
		return touched[a.ID] && len(a.old)+len(a.new) > maxAppliedBytes
	})
	for _, a := range n.applied {
		if !touched[a.ID] {
			continue
		}
		switch {
		case a.stands(text, a.new):
			n.forgive(a.ID)
		case a.stands(text, a.old) && !n.refusedHere(a.inPlace()):
			n.refuse(a.inPlace())
		}
	}
}

// forgive ends the rejection of an edit. n.mu is held.
func (n *nextOffers) forgive(id string) {
	n.refused = slices.DeleteFunc(n.refused, func(r Offer) bool { return r.ID == id })
}

func (a appliedEdit) touches(e edits.Edit) bool {
	return e.Start <= a.span.End && e.End >= a.span.Start
}

// follow moves the edit over another one of text, and widens it where that changes it.
func (a *appliedEdit) follow(text edits.Text, e edits.Edit) (touched bool) {
	was := a.span
	if a.span, touched = was.Over(e); !touched {
		return false
	}
	start, end := a.span.Start, a.span.End-e.Delta()
	above, below := text.Slice(edits.Span{Start: start, End: was.Start}), text.Slice(edits.Span{Start: was.End, End: end})
	a.old, a.new, a.lead = above+a.old+below, above+a.new+below, a.lead+len(above)
	return true
}

// stands reports whether a text has in the edit's span what it should be.
func (a appliedEdit) stands(text edits.Text, want string) bool {
	return a.span.Len() == len(want) && a.span.Valid(text.Len()) && text.Slice(a.span) == want
}

// inPlace is the offer for the text that is without it.
func (a appliedEdit) inPlace() Offer {
	next, start := a.Offer, a.span.Start+a.lead
	next.Edit.Span = edits.Span{Start: start, End: start + a.Edit.Len()}
	return next
}
