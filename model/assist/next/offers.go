package next

import (
	"slices"
	"sync"
	"unicode/utf8"

	"tandem/edits"
	"tandem/workspace"
)

// nextOffers are the next edits of one document: those that were offered, and the model's last
// prediction.
type nextOffers struct {
	mu      sync.Mutex // guards all below
	offered []Offer    // the last ones, oldest first, as the texts are now
	// accepted is the edit that the editor says was accepted, until the next edit of the
	// document: some say so before the text has it.
	accepted *Offer
	last     prediction // the last request to the model and its answer
}

// A prediction is the model's answer for a place. Clients repeat the request while
// nothing changes, and the model is asked only once.
type prediction struct {
	revision uint64
	line     int // of the cursor; -1: any, since the user types what was predicted
	next     *Offer
	old      string // the text that next replaces
	reason   string
	valid    bool
}

// maxOffered bounds how many offers a report can still be about: an editor asks at each
// key, and reports about what it shows, which may not be the last answer.
const maxOffered = 32

// cached returns the answer that the model already gave for this place of this text.
func (n *nextOffers) cached(revision uint64, line int) (prediction, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := n.last
	return p, p.valid && p.revision == revision && (p.line == line || p.line < 0)
}

// predictedFor returns the prediction that was made in this document and is about another one,
// o, if the text there is still the one that it was made for.
func (n *nextOffers) predictedFor(o *workspace.Overlay) (Offer, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	next := n.last.next
	if next == nil || workspace.Key(next.URI) != workspace.Key(o.URI) || next.Base != o.Hash() {
		return Offer{}, false
	}
	moved := *next
	moved.URI, moved.Version = o.URI, o.Version
	return moved, true
}

func (n *nextOffers) store(p prediction) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last = p
}

// move moves the places of a document that were offered over the user's edits. Where one changed the
// place itself, an offer stays what it was.
func (n *nextOffers) move(uri string, list []edits.Edit) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range list {
		for i := range n.offered {
			o := &n.offered[i]
			follows := n.last.next != nil && n.last.next.ID == o.ID // follow has moved it
			if !follows && workspace.Key(o.URI) == workspace.Key(uri) && e.End <= o.Edit.Start {
				o.Edit.Start, o.Edit.End = o.Edit.Start+e.Delta(), o.Edit.End+e.Delta()
			}
		}
	}
}

// follow brings the prediction to the text of o, which the user's edits led to. While
// the user types what it proposes, it is the answer to the next question too; after an
// edit elsewhere the model is asked again; it ends when the user types something else in
// its place.
func (n *nextOffers) follow(o *workspace.Overlay, list []edits.Edit) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.accepted = nil
	p := n.last
	if !p.valid || p.next == nil {
		return // what follows from another text is another question
	}
	if workspace.Key(p.next.URI) != workspace.Key(o.URI) {
		n.last = prediction{} // it followed from the text before
		return
	}
	size := len(p.next.Edit.New) + p.next.Edit.Len()
	next, old, ok := rebased(*p.next, p.old, o.URI, list)
	if !ok {
		n.last = prediction{}
		return
	}
	p.next, p.old = &next, old
	if next.URI == o.URI {
		next.Version, next.Base = o.Version, o.Hash()
	}
	if len(next.Edit.New)+next.Edit.Len() < size { // typed along: the same question as before
		p.revision, p.line = o.Revision, -1
	}
	n.last = p
	if i := n.index(next.ID); i >= 0 {
		n.offered[i] = next
	}
}

// rebased returns a next edit of the text that the user's edits of a document led to,
// and the text that it replaces there. It is false if the user typed something else in
// its place, or all of it.
func rebased(next Offer, old, uri string, list []edits.Edit) (Offer, string, bool) {
	if next.URI != uri {
		return next, old, true
	}
	for _, e := range list {
		var ok bool
		if next.Edit, old, ok = along(next.Edit, old, e); !ok {
			return next, old, false
		}
	}
	return next, old, true
}

// along moves an edit, which replaces old, over an edit of the user's. Inside it, the
// user's edit has to bring the text nearer to what is proposed.
func along(next edits.Edit, old string, e edits.Edit) (edits.Edit, string, bool) {
	moved, touched := next.Over(e)
	switch {
	case !touched:
		next.Span = moved
		return next, old, true
	case e.Start < next.Start || e.End > next.End:
		return next, old, false
	}
	now := old[:e.Start-next.Start] + e.New + old[e.End-next.Start:]
	was, _ := trimmed(edits.Edit{Span: next.Span, New: next.New}, old)
	left, rest := trimmed(edits.Edit{Span: moved, New: next.New}, now)
	if left.Len() == 0 && left.New == "" || left.Len()+len(left.New) >= was.Len()+len(was.New) {
		return next, old, false
	}
	return left, rest, true
}

// trimmed returns an edit, which replaces old, without what both texts have in common
// at their ends, and the text that it then replaces.
func trimmed(e edits.Edit, old string) (edits.Edit, string) {
	lead := 0
	for lead < len(old) && lead < len(e.New) && old[lead] == e.New[lead] {
		lead++
	}
	for lead > 0 && lead < len(e.New) && !utf8.RuneStart(e.New[lead]) {
		lead--
	}
	trail := 0
	for trail < len(old)-lead && trail < len(e.New)-lead && old[len(old)-1-trail] == e.New[len(e.New)-1-trail] {
		trail++
	}
	for trail > 0 && !utf8.RuneStart(e.New[len(e.New)-trail]) {
		trail--
	}
	e.Span = edits.Span{Start: e.Start + lead, End: e.End - trail}
	e.New = e.New[lead : len(e.New)-trail]
	return e, old[lead : len(old)-trail]
}

// offer records an edit that is offered, so that a later report about it can be
// matched.
func (n *nextOffers) offer(next Offer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.offered = slices.DeleteFunc(n.offered, func(o Offer) bool { return o.ID == next.ID })
	n.offered = append(n.offered, next)
	n.offered = n.offered[max(0, len(n.offered)-maxOffered):]
}

// index is where an offered edit is, or -1. n.mu is held.
func (n *nextOffers) index(id string) int {
	return slices.IndexFunc(n.offered, func(next Offer) bool { return next.ID == id })
}

// take removes an offered edit.
func (n *nextOffers) take(id string) (next Offer, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := n.index(id)
	if i < 0 {
		return Offer{}, false
	}
	next = n.offered[i]
	n.offered = slices.Delete(n.offered, i, i+1)
	return next, true
}

// byID is an offered edit.
func (n *nextOffers) byID(id string) (Offer, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if i := n.index(id); i >= 0 {
		return n.offered[i], true
	}
	return Offer{}, false
}

// accept drops an offered edit: the next request asks for the edit after it.
func (n *nextOffers) accept(id string) (next Offer, ok bool) {
	next, ok = n.take(id)
	if ok && next.Jump == "" {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.accepted = &next
	}
	return next, ok
}

// offers reports whether an edit of a text, of the document at uri, is one that was offered.
// The edit has no part that leaves the text as it is.
func (n *nextOffers) offers(uri string, text edits.Text, e edits.Edit) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, ok := n.offerOf(uri, text, e)
	return ok
}

// offerOf is the offer that an edit is, as offers has it. n.mu is held.
func (n *nextOffers) offerOf(uri string, text edits.Text, e edits.Edit) (Offer, bool) {
	is := func(next Offer) bool {
		if workspace.Key(next.URI) != workspace.Key(uri) || next.Jump != "" || !next.Edit.Valid(text.Len()) {
			return false
		}
		offered, _ := trimmed(next.Edit, text.Slice(next.Edit.Span))
		return offered == e
	}
	if i := slices.IndexFunc(n.offered, is); i >= 0 {
		return n.offered[i], true
	}
	if n.accepted != nil && is(*n.accepted) {
		return *n.accepted, true
	}
	return Offer{}, false
}
