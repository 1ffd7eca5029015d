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
	"tandem/workspace/cut"
)

// Why says how a place follows from a change.
type Why uint8

// The ways in which a place follows.
const (
	Repeats Why = iota // the change was made at places like it
	Refers             // it names what was changed
	Breaks             // it is wrong since the change
)

// Proof says how sure a place is.
type Proof uint8

// The proofs, from the weakest.
const (
	Likely     Proof = iota // the built-in engine alone found the place
	Confirmed               // a language server or a compiler names it
	Determined              // and the change leaves one text for it
)

// An Item is one consequence of a change: an edit, or a place to go to.
type Item struct {
	Offer
	Why     Why
	Proof   Proof
	Source  string        // who found it
	Finding edits.Finding // what is wrong there, of what the change breaks
	cause   place         // the lines of the change, if they are known
	meant   *edits.Edit   // what an error at a place to go to says that it becomes
	left    cut.Cut       // where the change may have places that are not looked for
}

// meets reports whether two items are about one place.
func (i Item) meets(o Item) bool {
	return workspace.Key(i.URI) == workspace.Key(o.URI) && i.Edit.Start <= o.Edit.End && o.Edit.Start <= i.Edit.End
}

// stands reports whether nothing says that the change does not reach the item: no compiler has
// found its place right, or its proof is better than that.
func (i Item) stands(snap *workspace.Snapshot, caused []causedError) bool {
	return i.Proof > Likely || !clean(snap, i.Offer, caused)
}

// goesTo reports whether the item is a place to go to on another line than the cursor's.
func (i Item) goesTo(snap *workspace.Snapshot, req Request, caused []causedError) bool {
	return i.Jump != "" && elsewhere(snap, req, i.Offer) && i.stands(snap, caused)
}

// Consequences are the places that one change of the user's leads to. A value is never changed.
type Consequences struct {
	Change string
	items  []Item
	total  int // with those that are done
	cause  place
	stale  bool // the change is another one now
}

// A place is a part of a document; the document of none is "".
type place struct {
	uri  string
	span edits.Span
}

// With is the consequences with what a source has found, in place of what it had found before.
// Of two items at one place the one with the better proof stays.
func (c Consequences) With(source string, items []Item) Consequences {
	before := len(c.items)
	c.items = slices.DeleteFunc(slices.Clone(c.items), func(i Item) bool { return i.Source == source })
	for _, i := range items {
		i.Source = source
		better := func(o Item) bool { return i.meets(o) && o.Proof >= i.Proof }
		if !slices.ContainsFunc(c.items, better) {
			c.items = append(slices.DeleteFunc(c.items, i.meets), i)
		}
	}
	c.total += len(c.items) - before
	return c
}

// Over is the consequences after an edit of a document whose text was before: carried over it as
// every proposal is. What the edit has made is done, and what it wrote otherwise is the user's. An
// edit of the lines of the change that is no consequence makes all of them stale.
func (c Consequences) Over(uri string, before edits.Text, e edits.Edit) Consequences {
	key, made := workspace.Key(uri), false
	var items []Item
	for _, i := range c.items {
		now, kept := i, true
		if workspace.Key(i.URI) == key {
			var done bool
			now.Edit, kept, done = i.over(before, e)
			made = made || done
		}
		if kept {
			items = append(items, now)
		}
	}
	c.items = items
	below := e.Start == c.cause.span.End && e.Start > c.cause.span.Start
	if workspace.Key(c.cause.uri) == key && !below {
		var touched bool
		c.cause.span, touched = c.cause.span.Over(e)
		c.stale = c.stale || touched && !made
	}
	return c
}

// over is the item's edit after another one of its text, whether anything is left of it, and
// whether the other one made it.
func (i Item) over(text edits.Text, e edits.Edit) (now edits.Edit, kept, made bool) {
	from, to := text.LineStart(text.LineOf(i.Edit.Start)), text.LineEnd(text.LineOf(i.Edit.Start))
	lines := i.Edit.Len() == 0 && strings.HasSuffix(i.Edit.New, "\n") && e.New != i.Edit.New
	switch {
	case lines && e.End >= from-1 && e.Start <= to: // the user begins to write them
		return i.Edit, false, false
	case !lines && i.Jump != "" && e.End >= from && e.Start <= to:
		return i.Edit, false, false
	}
	if span, touched := i.Edit.Over(e); !touched {
		return edits.Edit{Span: span, New: i.Edit.New}, true, false
	}
	next, err := edits.ProposedFile{Base: text, Edits: []edits.Edit{i.Edit}}.RebaseOn([]edits.Edit{e})
	if err != nil || len(next.Edits) != 1 {
		return i.Edit, false, err == nil && len(next.Edits) == 0
	}
	return next.Edits[0], true, false
}

// Without is the consequences without those that were rejected.
func (c Consequences) Without(rejected func(Item) bool) Consequences {
	c.items = slices.DeleteFunc(slices.Clone(c.items), rejected)
	return c
}

// Left are the consequences that are not done, in the order in which they are offered from a place:
// those below it, those above it, then those of other documents.
func (c Consequences) Left(uri string, offset int) []Item {
	away := func(i Item) int {
		switch {
		case workspace.Key(i.URI) != workspace.Key(uri):
			return 2
		case i.Edit.Start < offset:
			return 1
		}
		return 0
	}
	out := slices.Clone(c.items)
	slices.SortStableFunc(out, func(a, b Item) int {
		if a.URI != b.URI {
			return cmp.Compare(away(a), away(b))
		}
		return cmp.Or(cmp.Compare(away(a), away(b)), cmp.Compare(a.Edit.Start, b.Edit.Start))
	})
	return out
}

// Next is the consequence that is offered from a place, the first of those that may be.
func (c Consequences) Next(uri string, offset int, may func(Item) bool) (Item, bool) {
	list := c.Left(uri, offset)
	i := slices.IndexFunc(list, may)
	if i < 0 {
		return Item{}, false
	}
	next := list[i]
	title, _, _ := strings.Cut(next.Title, ":")
	next.Title = fmt.Sprintf("%s: %d of %d", title, c.total-len(c.items)+1, c.total)
	return next, true
}

// changes are the consequences of the user's last changes, the newest first.
type changes struct {
	mu    sync.Mutex // guards all below
	list  []*followed
	typed uint64 // by the user, when places were last looked for
}

// A followed list of consequences is brought to the texts as they become.
type followed struct {
	Consequences
	files []*tracked
	idle  int // questions after typing that did nothing for it
}

// Limits on the changes whose consequences are kept: the oldest end beyond them.
const (
	maxChanges = 4
	maxIdle    = 8
)

// begun brings the consequences of the change that a place belongs to before the others. A new list
// has all places of the change.
func (n *Editor) begun(snap *workspace.Snapshot, first Item, places iter.Seq[Item]) {
	if first.Change == "" || first.From.Model != local.Name {
		return
	}
	n.changes.mu.Lock()
	defer n.changes.mu.Unlock()
	f := &followed{Consequences: Consequences{Change: first.Change}}
	for i, o := range n.changes.list {
		current := o.follow(n, snap)
		switch {
		case o.Change != first.Change:
			if current && !o.stale && slices.ContainsFunc(o.items, func(i Item) bool { return i.meets(first) && i.Edit == first.Edit }) {
				return // the change goes on with that one
			}
		case current && !o.stale && len(o.items) > 0:
			o.idle = 0
			n.changes.list = slices.Insert(slices.Delete(n.changes.list, i, i+1), 0, o)
			return
		default:
			f.total = o.total - len(o.items)
		}
	}
	n.changes.list = slices.DeleteFunc(n.changes.list, func(o *followed) bool { return o.Change == f.Change })
	var found []Item
	for p := range places {
		if p.Change == first.Change {
			if t := f.file(snap, p.URI); t != nil && p.Edit.Valid(t.text.Len()) {
				found = append(found, p)
			}
		}
	}
	f.Consequences = f.With(first.Source, found)
	if c := first.cause; c.uri != "" {
		if t := f.file(snap, c.uri); t != nil && c.span.Valid(t.text.Len()) {
			f.cause = place{t.uri, c.span}
		}
	}
	for _, o := range n.changes.list { // a place belongs to the newest change
		o.Consequences = o.Without(func(i Item) bool { return slices.ContainsFunc(f.items, i.meets) })
	}
	n.changes.list = slices.Insert(n.changes.list, 0, f)
	n.changes.list = n.changes.list[:min(len(n.changes.list), maxChanges)]
}

// file is what is known of a document's text; nil if it cannot be read.
func (f *followed) file(snap *workspace.Snapshot, uri string) *tracked {
	key := workspace.Key(uri)
	if i := slices.IndexFunc(f.files, func(t *tracked) bool { return workspace.Key(t.uri) == key }); i >= 0 {
		return f.files[i]
	}
	t, ok := track(snap, uri)
	if !ok {
		return nil
	}
	f.files = append(f.files, &t)
	return &t
}

// follow brings the consequences to a snapshot. It is false if a document has moved on since.
func (f *followed) follow(n *Editor, snap *workspace.Snapshot) bool {
	before, current := len(f.items), true
	for _, t := range f.files {
		if !t.follow(n.editor.Docs, snap, func(text edits.Text, e edits.Edit) { f.Consequences = f.Over(t.uri, text, e) }) {
			current = false
		}
	}
	if len(f.items) < before {
		f.idle = 0
	}
	return current
}

// open are the lists that still lead to something, the newest first. n.changes.mu is held.
func (n *Editor) open(snap *workspace.Snapshot) iter.Seq[*followed] {
	return func(yield func(*followed) bool) {
		for _, f := range n.changes.list {
			if !f.follow(n, snap) || f.stale || f.idle > maxIdle {
				continue
			}
			f.Consequences = f.Without(func(i Item) bool { return n.refused(snap, i.Offer) })
			if !yield(f) {
				return
			}
		}
		n.changes.list = slices.DeleteFunc(n.changes.list, func(f *followed) bool { return f.stale || f.idle > maxIdle || len(f.items) == 0 })
	}
}

// looked records that places are looked for, and reports whether the user has typed since the
// last time.
func (c *changes) looked(typed uint64) (again bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	again, c.typed = c.typed != typed, typed
	for _, f := range c.list {
		if again {
			f.idle++
		}
	}
	return again
}

// continued is the next consequence of the newest change that has one: an edit, or a place on
// another line than the cursor's.
func (n *Editor) continued(snap *workspace.Snapshot, req Request, jumps bool) (Item, bool) {
	n.changes.mu.Lock()
	defer n.changes.mu.Unlock()
	caused := n.caused.near(req.URI, req.Offset)
	for f := range n.open(snap) {
		next, ok := f.Next(req.URI, req.Offset, func(i Item) bool {
			if jumps {
				return i.goesTo(snap, req, caused)
			}
			return i.Jump == "" && i.stands(snap, caused)
		})
		if !ok {
			continue
		}
		if t := f.file(snap, next.URI); t != nil {
			next.Base, next.Version, next.Line = workspace.HashOf(t.text.String()), t.version, t.text.LineOf(next.Edit.Start)
		}
		return next, true
	}
	return Item{}, false
}

// A rest is what a change has left: its edits, how many places they do not make, and where places
// are not looked for.
type rest struct {
	title  string
	edits  []Item
	others int
	left   cut.Cut
}

// rest is what the newest change that leads to an edit has left.
func (n *Editor) rest(snap *workspace.Snapshot) (all rest) {
	n.changes.mu.Lock()
	defer n.changes.mu.Unlock()
	for f := range n.open(snap) {
		all = rest{}
		for _, next := range f.Left("", 0) {
			if next.Jump != "" {
				all.others++
				continue
			}
			if all.edits == nil {
				all.title, _, _ = strings.Cut(next.Title, ":")
				all.left = next.left
			}
			all.edits = append(all.edits, next)
		}
		if len(all.edits) > 0 {
			break
		}
	}
	return all
}
