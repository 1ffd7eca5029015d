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
	caused   *causedErrors
	refusals *core.Refusals
	typed    atomic.Uint64 // changes that are no accepted offer
	at       atomic.Int64  // when the last of them came, in nanoseconds
}

// A nextDoc is what next edits know of one open document.
type nextDoc struct {
	uri  string
	next nextOffers

	mu             sync.Mutex         // guards all below
	declarationsOf *workspace.Overlay // in which declarations were looked for last
}

// Opened begins the life of a document.
func (n *Open) Opened(o *workspace.Overlay) {
	n.Begin(o, &nextDoc{uri: o.URI})
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
	d.next.follow(o, list)
	for _, other := range n.All() {
		other.next.move(o.URI, list)
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

// Accepted records that the user accepted an offered edit, or went to a place.
func (n *Open) Accepted(id string) {
	for _, d := range n.All() {
		if next, ok := d.next.accept(id); ok && next.Jump != "" {
			n.refuse(next) // they have seen it
		}
	}
}

// Rejected records that the user did not want an offered edit: all that follows from its change is
// over.
func (n *Open) Rejected(id string) {
	if next, ok := n.Ignored(id); ok {
		n.refusals.End(next.Change)
	}
}

// Ignored records that the user let an offered edit be.
func (n *Open) Ignored(id string) (next Offer, ok bool) {
	for _, d := range n.All() {
		if next, ok = d.next.take(id); ok {
			n.refuse(next)
			return next, true
		}
	}
	return next, false
}

// refuse keeps an edit from being offered again at its place.
func (n *Open) refuse(next Offer) { n.refusals.Refuse(next.URI, next.Edit.Start, next.makes) }

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
		if next, ok := other.next.predictedFor(o); ok && !n.refusals.Refused(o.URI, o.Text, next.Edit) {
			return next, true
		}
	}
	return Offer{}, false
}
