package next

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/model/local"
	"tandem/workspace"
)

// A series is the places that one change of the user's still has to reach: a proposal whose
// hunks are offered one after another. What the user types elsewhere moves them, what is done
// leaves, and what was written otherwise is the user's.
type series struct {
	change string
	total  int // with those that are done
	files  []*seriesFile
	stale  bool // the change that caused it is another one now
	idle   int  // questions after typing that did nothing for it
}

// A seriesFile is the open hunks of one file, in the order in which they were found.
type seriesFile struct {
	tracked
	open  []Offer
	cause edits.Span // the lines of the change that caused the series, if it is in this file
	here  bool       // it is
}

// allSeries are the last series, the newest first.
type allSeries struct {
	mu    sync.Mutex // guards all below
	list  []*series
	typed uint64 // by the user, when places were last looked for
}

// Limits on the series that are kept: more than that are not gone on with.
const (
	maxSeries = 4
	maxIdle   = 8
)

// begun brings the series of the change that a place belongs to before the others. A new one has
// all places of the change.
func (n *Editor) begun(snap *workspace.Snapshot, first Offer, places iter.Seq[Offer]) {
	if first.Change == "" || first.From.Model != local.Name {
		return
	}
	n.series.mu.Lock()
	defer n.series.mu.Unlock()
	s := &series{change: first.Change}
	for i, o := range n.series.list {
		followed := o.follow(n, snap)
		switch {
		case o.change != first.Change:
			if followed && o.has(first) {
				return // the change goes on with that one
			}
		case followed && !o.stale && o.left() > 0:
			o.idle = 0
			n.series.list = slices.Insert(slices.Delete(n.series.list, i, i+1), 0, o)
			return
		default:
			s.total = o.total - o.left()
		}
	}
	n.series.list = slices.DeleteFunc(n.series.list, func(o *series) bool { return o.change == s.change })
	for place := range places {
		if place.Change == first.Change {
			s.add(snap, place)
		}
	}
	s.causedIn(snap, first.found.cause)
	for _, o := range n.series.list {
		o.without(s)
	}
	n.series.list = slices.Insert(n.series.list, 0, s)
	n.series.list = n.series.list[:min(len(n.series.list), maxSeries)]
}

// file is the part of the series in a document.
func (s *series) file(snap *workspace.Snapshot, uri string) *seriesFile {
	key := workspace.Key(uri)
	for _, f := range s.files {
		if workspace.Key(f.uri) == key {
			return f
		}
	}
	t, ok := track(snap, uri)
	if !ok {
		return nil
	}
	s.files = append(s.files, &seriesFile{tracked: t})
	return s.files[len(s.files)-1]
}

func (s *series) add(snap *workspace.Snapshot, place Offer) {
	if f := s.file(snap, place.URI); f != nil && place.Edit.Valid(f.text.Len()) {
		f.open = append(f.open, place)
		s.total++
	}
}

// causedIn records where the change is that causes the series.
func (s *series) causedIn(snap *workspace.Snapshot, cause local.Place) {
	if cause.Path == "" {
		return
	}
	if f := s.file(snap, snap.Resolve(cause.Path)); f != nil && cause.Span.Valid(f.text.Len()) {
		f.cause, f.here = cause.Span, true
	}
}

// left is how many places are not done.
func (s *series) left() (n int) {
	for _, f := range s.files {
		n += len(f.open)
	}
	return n
}

// has reports whether an edit is one of the open hunks.
func (s *series) has(next Offer) bool {
	return !s.stale && slices.ContainsFunc(s.files, func(f *seriesFile) bool {
		return workspace.Key(f.uri) == workspace.Key(next.URI) && slices.ContainsFunc(f.open, func(o Offer) bool { return o.Edit == next.Edit })
	})
}

// without leaves the places of another series to that one.
func (s *series) without(other *series) {
	for _, f := range s.files {
		for _, o := range other.files {
			if workspace.Key(o.uri) != workspace.Key(f.uri) {
				continue
			}
			f.open = slices.DeleteFunc(f.open, func(mine Offer) bool {
				return slices.ContainsFunc(o.open, func(theirs Offer) bool {
					return mine.Edit.Start <= theirs.Edit.End && theirs.Edit.Start <= mine.Edit.End
				})
			})
		}
	}
}

// follow brings the series to a snapshot. It is false if a document has moved on since.
func (s *series) follow(n *Editor, snap *workspace.Snapshot) bool {
	before, followed := s.left(), true
	for _, f := range s.files {
		if !f.follow(&n.Core.Docs, snap, func(text edits.Text, e edits.Edit) { s.stale = f.over(text, e) || s.stale }) {
			followed = false
		}
	}
	if s.left() < before {
		s.idle = 0
	}
	return followed
}

// over carries the hunks over an edit of the file's text, as every proposal is carried. It
// reports whether the edit changes the lines of the cause, and is no hunk.
func (f *seriesFile) over(text edits.Text, e edits.Edit) (stale bool) {
	hunk := false
	f.open = slices.DeleteFunc(f.open, func(o Offer) bool {
		from, to := text.LineStart(text.LineOf(o.Edit.Start)), text.LineEnd(text.LineOf(o.Edit.Start))
		if o.Edit.Len() == 0 && strings.HasSuffix(o.Edit.New, "\n") && e.New != o.Edit.New { // lines, which the user begins to write
			return e.End >= from-1 && e.Start <= to
		}
		return o.Jump != "" && e.End >= from && e.Start <= to
	})
	var kept []Offer
	for _, o := range f.open {
		if now, touched := o.Edit.Over(e); !touched {
			o.Edit.Span = now
		} else {
			next, err := edits.ProposedFile{Base: text, Edits: []edits.Edit{o.Edit}}.RebaseOn([]edits.Edit{e})
			hunk = hunk || err == nil && len(next.Edits) == 0
			if err != nil || len(next.Edits) != 1 {
				continue
			}
			o.Edit = next.Edits[0]
		}
		kept = append(kept, o)
	}
	f.open = kept
	if !f.here || e.Start == f.cause.End && e.Start > f.cause.Start { // the line below
		return false
	}
	var touched bool
	f.cause, touched = f.cause.Over(e)
	return touched && !hunk
}

// looked records that places are looked for, and reports whether the user has typed since the
// last time.
func (a *allSeries) looked(typed uint64) (again bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	again, a.typed = a.typed != typed, typed
	for _, s := range a.list {
		if again {
			s.idle++
		}
	}
	return again
}

// continued is the nearest open hunk of the newest series that has one: below the cursor,
// above it, then in other files; or the nearest of the places without a text.
func (n *Editor) continued(snap *workspace.Snapshot, req Request, jumps bool) (Offer, bool) {
	n.series.mu.Lock()
	defer n.series.mu.Unlock()
	caused := n.caused.near(req.URI, req.Offset)
	for _, s := range n.series.list {
		if !s.follow(n, snap) || s.stale || s.idle > maxIdle {
			continue
		}
		for _, next := range s.ordered(n, req) {
			if (next.Jump != "") == jumps && (!jumps || elsewhere(snap, req, next)) && (next.found.confirmed || !clean(snap, next, caused)) {
				return s.offered(next), true
			}
		}
	}
	n.series.list = slices.DeleteFunc(n.series.list, func(s *series) bool { return s.stale || s.idle > maxIdle || s.left() == 0 })
	return Offer{}, false
}

// offered is a hunk as it is offered for its file's text.
func (s *series) offered(next Offer) Offer {
	next.Title = fmt.Sprintf("%s: %d of %d", strings.SplitN(next.Title, ":", 2)[0], s.total-s.left()+1, s.total)
	for _, f := range s.files {
		if workspace.Key(f.uri) == workspace.Key(next.URI) {
			next.Base, next.Version, next.Line = workspace.HashOf(f.text.String()), f.version, f.text.LineOf(next.Edit.Start)
		}
	}
	return next
}

// ordered are the open hunks in the order in which they are offered; those that the user has
// rejected leave.
func (s *series) ordered(n *Editor, req Request) (out []Offer) {
	away := func(o Offer) int {
		switch {
		case workspace.Key(o.URI) != workspace.Key(req.URI):
			return 2
		case o.Edit.Start < req.Offset:
			return 1
		}
		return 0
	}
	for _, f := range s.files {
		f.open = slices.DeleteFunc(f.open, n.Open.refused)
		slices.SortStableFunc(f.open, func(a, b Offer) int { return cmp.Compare(a.Edit.Start, b.Edit.Start) })
		out = append(out, f.open...)
	}
	slices.SortStableFunc(out, func(a, b Offer) int { return cmp.Compare(away(a), away(b)) })
	return out
}

// open are the places that the newest series with an edit has left.
func (n *Editor) open(snap *workspace.Snapshot) (all local.AllNextEdits, ok bool) {
	n.series.mu.Lock()
	defer n.series.mu.Unlock()
	for _, s := range n.series.list {
		if !s.follow(n, snap) || s.stale || s.idle > maxIdle {
			continue
		}
		for _, next := range s.ordered(n, Request{}) {
			if next.Jump != "" {
				all.Left++
				continue
			}
			all.Title, _, _ = strings.Cut(next.Title, ":")
			all.Edits = append(all.Edits, local.NextEdit{Path: snap.Name(next.URI), Edit: next.Edit, Title: next.Title, Reason: next.From.Reason})
		}
		if len(all.Edits) > 0 {
			return all, true
		}
	}
	return local.AllNextEdits{}, false
}
