package assist

import (
	"cmp"
	"crypto/rand"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/state"
)

// kindNextEdit is the kind of a next edit's outcome. Nothing is learned from it: a next edit
// is decided by its evidence.
const kindNextEdit = "next_edit"

// A shownNext is a next edit that the editor shows, as the texts are now.
type shownNext struct {
	NextEdit
	at time.Time // zero: the editor did not report that it shows it
}

// show records that the editor shows an offer. It returns what the editor showed before, if
// that has ended: an editor asks again at each key, and what it shows may stay the same or be
// what is left of it.
func (n *nextOffers) show(id string) (over *shownNext) {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := n.index(id)
	if i < 0 {
		return nil
	}
	next := n.offered[i]
	over, n.shown = n.shown, nil
	if next.Jump != "" {
		return over
	}
	n.shown = &shownNext{next, time.Now()}
	if over != nil && over.goesOn(next) {
		n.shown.at = over.at
		return nil
	}
	return over
}

// goesOn reports whether next is the same edit, or what is left of it when its beginning was
// typed.
func (s *shownNext) goesOn(next NextEdit) bool {
	return workspace.Key(s.URI) == workspace.Key(next.URI) && next.Edit.Start >= s.Edit.Start && next.Edit.Start <= s.Edit.Start+len(s.Edit.New) &&
		next.Edit.New != "" == (s.Edit.New != "") && strings.HasSuffix(s.Edit.New, next.Edit.New)
}

// ended returns an offer that the user's report ends, nil if it changes nothing.
func (n *nextOffers) ended(id string) *shownNext {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := n.index(id)
	if i < 0 || n.offered[i].Jump != "" {
		return nil
	}
	if over := n.shown; over != nil && (over.ID == id || over.goesOn(n.offered[i])) {
		n.shown = nil
		return over
	}
	return &shownNext{NextEdit: n.offered[i]}
}

// left returns what is shown when its document is closed, or nil.
func (n *nextOffers) left() (over *shownNext) {
	n.mu.Lock()
	defer n.mu.Unlock()
	over, n.shown = n.shown, nil
	return over
}

// nextEnded records how a next edit ended that was shown in a document; nil is none. now is
// the text of its place's document, if that is open: what stands there was typed.
func (u *outcomes) nextEnded(d *document, over *shownNext, how string, now edits.Text) (id string) {
	if over == nil {
		return ""
	}
	out := state.Outcome{Time: time.Now(), ID: rand.Text()[:12], Model: cmp.Or(over.From.Model, "built-in"), Language: d.language, Kind: kindNextEdit,
		End: how, Length: len(over.Edit.New)}
	if how == endLeft && over.stands(now) {
		out.End = endTyped
	}
	if usedAs(out.End) {
		out.Taken = out.Length
	}
	if !over.at.IsZero() {
		shown := time.Since(over.at)
		out.Shown = int(shown.Milliseconds())
		if shown < seenAfter && !usedAs(out.End) {
			out.End = endUnseen
		}
	}
	u.record(out)
	return out.ID
}

// span is where the edit's new text stands once it is applied.
func (s *shownNext) span() edits.Span {
	return edits.Span{Start: s.Edit.Start, End: s.Edit.Start + len(s.Edit.New)}
}

// stands reports whether a text has what the edit writes at its place.
func (s *shownNext) stands(now edits.Text) bool {
	return s.Edit.New != "" && s.span().Valid(now.Len()) && now.Slice(s.span()) == s.Edit.New
}
