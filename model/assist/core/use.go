package core

import (
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/language"
)

// Features that use is counted of.
const (
	UseCompletion = "completion"
	UseNextEdit   = "next_edit"
	UseEdit       = "edit"
)

// A UseKind is what counts of use are kept by. None of it is a text of the user's.
type UseKind struct {
	Day      string // of this machine's clock, as 2026-11-28
	Language string // as editors name it; plaintext if tandem does not know it
	Lane     string
	Feature  string
}

// A UseCount is how often suggestions of a kind were shown, accepted, and still in their
// document ten minutes later.
type UseCount struct{ Shown, Accepted, Kept int }

// keptAfter is when an accepted text is looked for.
const keptAfter = 10 * time.Minute

// Uses counts what becomes of suggestions, while Count says so. An accepted text is followed
// through the changes of its document, and looked for after ten minutes, or when the document
// or the session ends before.
type Uses struct {
	Count func() bool // nil: never

	mu      sync.Mutex // guards all below
	shown   []string   // ids, oldest first
	pending []*AcceptedText
	counts  map[UseKind]UseCount
}

// An AcceptedText is a text that a suggestion puts into a document.
type AcceptedText struct {
	kind   UseKind
	uri    string
	now    edits.Text // of the document
	text   string
	span   edits.Span // of what it became, once it is placed
	placed bool       // the document has had it at span
	until  time.Time
}

// At is the text of an edit that its document has made, or makes next.
func At(now edits.Text, e edits.Edit) *AcceptedText {
	a := &AcceptedText{now: now, text: e.New, span: edits.Span{Start: e.Start, End: e.Start + len(e.New)}}
	a.place()
	return a
}

// Anywhere is a text that its document has.
func Anywhere(now edits.Text, text string) *AcceptedText {
	a := &AcceptedText{now: now, text: text}
	if at := strings.Index(now.String(), text); at >= 0 {
		a.span, a.placed = edits.Span{Start: at, End: at + len(text)}, true
	}
	return a
}

// maxShown bounds how many suggestions are remembered that were shown.
const maxShown = 256

// Shown counts a suggestion when it is shown first.
func (u *Uses) Shown(id, uri, lane, feature string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.show(id, kindOf(uri, lane, feature))
}

func (u *Uses) show(id string, kind UseKind) {
	if !u.on() || slices.Contains(u.shown, id) {
		return
	}
	u.shown = append(u.shown, id)
	u.shown = u.shown[max(0, len(u.shown)-maxShown):]
	u.add(kind, UseCount{Shown: 1})
}

// Accepted counts a suggestion that the user accepted. One that no editor reported as shown
// was shown all the same.
func (u *Uses) Accepted(id, uri, lane, feature string, a *AcceptedText) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.on() {
		return
	}
	a.kind, a.uri, a.until = kindOf(uri, lane, feature), uri, time.Now().Add(keptAfter)
	u.show(id, a.kind)
	u.add(a.kind, UseCount{Accepted: 1})
	u.pending = append(u.pending, a)
}

// Opened begins nothing: a text is followed once it is accepted.
func (u *Uses) Opened(*workspace.Overlay) {}

// Changed follows the accepted texts of a document through its steps.
func (u *Uses) Changed(_ *workspace.Snapshot, o *workspace.Overlay, steps []workspace.Step) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.decide(func(a *AcceptedText) bool { return !time.Now().Before(a.until) })
	for _, a := range u.pending {
		if a.uri != o.URI {
			continue
		}
		a.now = o.Text
		if !a.placed {
			a.place()
			continue
		}
		for _, step := range steps {
			a.span = a.span.After(step.Edit)
		}
	}
}

// Closed looks for what was accepted in a document that is closed.
func (u *Uses) Closed(uri string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.decide(func(a *AcceptedText) bool { return a.uri == uri })
}

// Take returns the counts since it was called last. At the end of a session it looks for all
// that was accepted.
func (u *Uses) Take(end bool) map[UseKind]UseCount {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.decide(func(a *AcceptedText) bool { return end || !time.Now().Before(a.until) })
	counts := u.counts
	u.counts = nil
	return counts
}

// decide counts the texts that are due and still there, and forgets them.
func (u *Uses) decide(due func(*AcceptedText) bool) {
	u.pending = slices.DeleteFunc(u.pending, func(a *AcceptedText) bool {
		if !due(a) {
			return false
		}
		if a.there() {
			u.add(a.kind, UseCount{Kept: 1})
		}
		return true
	})
}

func (u *Uses) on() bool { return u.Count != nil && u.Count() }

func (u *Uses) add(kind UseKind, more UseCount) {
	if u.counts == nil {
		u.counts = map[UseKind]UseCount{}
	}
	c := u.counts[kind]
	u.counts[kind] = UseCount{c.Shown + more.Shown, c.Accepted + more.Accepted, c.Kept + more.Kept}
}

// place looks whether the document has the text by now: some editors report it before.
func (a *AcceptedText) place() {
	a.placed = a.span.Valid(a.now.Len()) && a.now.Slice(a.span) == a.text
}

// there reports whether the document still has the text.
func (a *AcceptedText) there() bool {
	return a.placed && a.span.Valid(a.now.Len()) && strings.Contains(a.now.Slice(a.span), a.text)
}

// kindOf is the kind of a suggestion of today.
func kindOf(uri, lane, feature string) UseKind {
	return UseKind{time.Now().Format(time.DateOnly), language.OfFile(path.Base(uri)), lane, feature}
}
