package next

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// Open is what next edits know of the open documents: what was offered there, and what the
// user decided.
type Open struct {
	core.Lives[nextDoc]
	caused *causedErrors
	typed  atomic.Uint64 // changes that are no accepted offer
	at     atomic.Int64  // when the last of them came, in nanoseconds
}

// A nextDoc is what next edits know of one open document.
type nextDoc struct {
	uri  string
	next nextOffers

	mu             sync.Mutex // guards all below
	text           edits.Text
	removed        core.Removal       // by the last change
	declarationsOf *workspace.Overlay // in which declarations were looked for last
}

// Opened begins the life of a document.
func (n *Open) Opened(o *workspace.Overlay) {
	n.Begin(o, &nextDoc{uri: o.URI, text: o.Text})
}

// Changed brings the offers along: in the document, and in others where an offer is about
// this one.
func (n *Open) Changed(_ *workspace.Snapshot, o *workspace.Overlay, steps []workspace.Step) {
	d := n.Of(o)
	if d == nil {
		return
	}
	if len(steps) != 1 || !steps[0].Accepted {
		n.typed.Add(1)
		n.at.Store(time.Now().UnixNano())
	}
	list := core.StepEdits(steps)
	before := d.at(o, list)
	if len(steps) == 1 {
		for _, other := range n.All() {
			other.next.apply(o.URI, before, steps[0])
		}
	}
	d.next.follow(o, list)
	for _, other := range n.All() {
		other.next.move(o.URI, list)
		other.next.takeBack(o.URI, before, steps)
	}
}

// lastTyped is when the user typed last.
func (n *Open) lastTyped() time.Time { return time.Unix(0, n.at.Load()) }

// Closed ends the life of a document.
func (n *Open) Closed(uri string) {
	n.End(uri)
	n.caused.closed(uri)
}

// Offer finds an offered edit.
func (n *Open) Offer(id string) (Offer, bool) {
	for _, d := range n.All() {
		if next, ok := d.next.byID(id); ok {
			return next, true
		}
	}
	return Offer{}, false
}

// Accepted records that the user accepted an offered edit.
func (n *Open) Accepted(id string) {
	for _, d := range n.All() {
		if change := d.next.accept(id); change != "" {
			for _, other := range n.All() {
				other.next.wanted(change)
			}
		}
	}
}

// Rejected records that the user did not want an offered edit.
func (n *Open) Rejected(id string) {
	for _, d := range n.All() {
		d.next.reject(id)
	}
}

// Offered reports whether an edit that an editor reports is a next edit that was offered, as
// the text o has it: the user accepted it, whether or not the editor says so. What may have
// been typed, a single character, is none.
func (n *Open) Offered(o *workspace.Overlay, edit edits.Edit) bool {
	if !edit.Valid(o.Text.Len()) || edit.Len()+len(edit.New) < 2 {
		return false
	}
	edit, _ = trimmed(edit, o.Text.Slice(edit.Span))
	return edit.Len()+len(edit.New) > 1 &&
		slices.ContainsFunc(n.All(), func(d *nextDoc) bool { return d.next.offers(o.URI, o.Text, edit) })
}

// fromElsewhere is what the model predicted for this document while the user was in another
// one: it is why they came here.
func (n *Open) fromElsewhere(o *workspace.Overlay, d *nextDoc) (Offer, bool) {
	for _, other := range n.All() {
		if other == d {
			continue
		}
		if next, ok := other.next.predictedFor(o); ok && !n.refused(next) {
			return next, true
		}
	}
	return Offer{}, false
}

// refused reports whether the user rejected an edit, in whichever document it was shown.
func (n *Open) refused(next Offer) bool {
	return slices.ContainsFunc(n.All(), func(d *nextDoc) bool { return d.next.refusedEdit(next) })
}

// at brings the document to a text and returns the one before.
func (d *nextDoc) at(o *workspace.Overlay, list []edits.Edit) edits.Text {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.text
	d.text, d.removed = o.Text, d.removed.After(before, list)
	return before
}

// undoes reports whether an edit brings back what the user's last edit removed.
func (d *nextDoc) undoes(e edits.Edit) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.removed.UndoneBy(e)
}
