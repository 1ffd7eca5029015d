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
	at    time.Time // zero: the editor did not report that it shows it
	until time.Time // when the user first changed its place; zero: not yet
	stood bool      // what it writes stood at its place before: a shorter name in a longer one
}

// show records that the editor shows an offer, of a document whose text is now, if it is
// open. It returns what the editor showed before, if
// that has ended: an editor asks again at each key, and what it shows may stay the same or be
// what is left of it.
func (n *nextOffers) show(id string, now edits.Text) (over *shownNext) {
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
	n.shown = &shownNext{NextEdit: next, at: time.Now()}
	n.shown.stood = n.shown.stands(now)
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
	if i < 0 || n.offered[i].Jump != "" || n.refusedHere(n.offered[i]) {
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
	switch {
	case how == endLeft && over.stands(now):
		out.End = endTyped
	case how == endLeft && !over.until.IsZero():
		out.End = endAgainst
	}
	if usedAs(out.End) {
		out.Taken = out.Length
	}
	if !over.at.IsZero() {
		until := over.until
		if until.IsZero() {
			until = time.Now()
		}
		shown := until.Sub(over.at)
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

// move follows an edit of its document by the user.
func (s *shownNext) move(e edits.Edit) {
	shift := len(e.New) - e.Len()
	switch {
	case e.End <= s.Edit.Start && e.Start < s.Edit.Start:
		s.Edit.Start, s.Edit.End = s.Edit.Start+shift, s.Edit.End+shift
	case e.Start <= s.Edit.End && s.until.IsZero():
		s.until, s.stood = time.Now(), false
	}
}

// stands reports whether a text has what the edit writes at its place, and has it since the
// edit was shown.
func (s *shownNext) stands(now edits.Text) bool {
	return !s.stood && s.Edit.New != "" && s.span().Valid(now.Len()) && now.Slice(s.span()) == s.Edit.New
}
