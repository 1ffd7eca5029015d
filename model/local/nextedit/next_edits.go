package nextedit

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/cut"
	"tandem/workspace/language"
)

// A NextEdit is a place where a change that the user has begun applies too.
type NextEdit struct {
	Path   string
	Edit   edits.Edit // of the file's current text
	Title  string     // "Rename oldName to newName: 3 of 12"
	Reason string     // why it is offered, as a sentence
	Change string     // identifies the user's change: the same at all of its places
	// Jump is why the user should go there, where only they can say what to write. Edit
	// then changes nothing. "" is an edit.
	Jump      string
	Meant     *edits.Edit // of the place of a Jump, if it means the definition that was renamed; nil is not known
	Evidence  Evidence    // what speaks for it
	Confirmed bool        // a language server says that the place is meant
	Left      cut.Cut     // where the change may have places that are not looked for
	Refers    bool        // it names what was changed; else the change was made at places like it
	Cause     Place       // the lines of the newest change that it follows from, if they are there
}

// Files finds files by their words; *complete.Engine does.
type Files interface {
	// Holding returns the files that may hold all of some words, in code, comments or
	// strings. The document except is being typed and need not be up to date.
	Holding(c source.Corpus, except string, words []string) cut.List[string]
}

// An Engine finds the next edits of one session.
type Engine struct {
	files     Files
	siteFiles int // see maxSiteFiles

	mu        sync.Mutex          // guards histories
	histories map[string]*history // by Corpus.Root
}

// New returns an engine that searches the files that files finds.
func New(files Files) *Engine {
	return &Engine{files: files, siteFiles: maxSiteFiles, histories: map[string]*history{}}
}

func (e *Engine) history(c source.Corpus) *history {
	e.mu.Lock()
	defer e.mu.Unlock()
	h := e.histories[c.Root()]
	if h == nil {
		h = &history{}
		e.histories[c.Root()] = h
	}
	return h
}

// Limits on the recent edits and files that are inspected.
const (
	maxRecent    = 12
	maxExamples  = 24
	maxSiteFiles = 200 // files that are searched for further places of a change
	maxOffers    = 24
)

// Pending returns the places that the user's last changes still have to reach and that are
// probable enough, the most probable first. Places where only the user can say what to
// write come behind them: those of the definition that was changed last first.
func (e *Engine) Pending(ctx context.Context, c source.Corpus, recent []workspace.RecentEdit, path string, offset int) iter.Seq[NextEdit] {
	return func(yield func(NextEdit) bool) {
		var list, jumps []NextEdit
		for found := range e.changes(ctx, c, recent, path, offset) {
			for _, n := range found.all() {
				switch {
				case n.Jump != "":
					jumps = append(jumps, n)
				case n.Evidence.Enough(n.Evidence.Chance(decisions), decisions):
					list = append(list, n)
				case n.Evidence[byName] > 0: // the place may have to change, what to write is not sure
					meant := n.Edit
					n.Jump, n.Meant, n.Edit = n.Reason, &meant, edits.Edit{Span: edits.Span{Start: meant.Start, End: meant.Start}}
					jumps = append(jumps, n)
				}
			}
			if len(found.edits) > 0 && found.edits[0].Evidence.Follows() {
				break // nothing is more probable, and other definitions may take long
			}
		}
		slices.SortStableFunc(list, func(a, b NextEdit) int {
			return cmp.Compare(b.Evidence.Chance(decisions), a.Evidence.Chance(decisions))
		})
		for _, n := range append(withoutOverlaps(list), jumps...) {
			if !yield(n) {
				return
			}
		}
	}
}

// withoutOverlaps keeps the first of edits that overlap.
func withoutOverlaps(list []NextEdit) (out []NextEdit) {
	kept := map[string][]edits.Span{} // in order
	for _, n := range list {
		spans := kept[n.Path]
		i, _ := slices.BinarySearchFunc(spans, n.Edit.Start, func(s edits.Span, at int) int { return cmp.Compare(s.End, at) })
		if i == len(spans) || spans[i].Start > n.Edit.End {
			kept[n.Path] = slices.Insert(spans, i, n.Edit.Span)
			out = append(out, n)
		}
	}
	return out
}

// Candidates are all places that the user's last changes may have to reach, however
// improbable.
func (e *Engine) Candidates(ctx context.Context, c source.Corpus, recent []workspace.RecentEdit, path string, offset int) (out []NextEdit) {
	for found := range e.changes(ctx, c, recent, path, offset) {
		out = append(out, found.all()...)
	}
	return out
}

// offers are the places of one change.
type offers struct {
	edits  []NextEdit
	visits []NextEdit // only the user can say what to write, if anything
	name   string     // of what was changed: who writes it somewhere goes on with the change
}

func (o offers) causedBy(cause Place) {
	for _, list := range [][]NextEdit{o.edits, o.visits} {
		for i := range list {
			list[i].Cause = cause
		}
	}
}

// all are the edits, then the other places.
func (o offers) all() []NextEdit { return slices.Concat(o.edits, o.visits) }

// joins are what a word goes on behind: a version, a path, a member.
const joins = ".-/:@"

// halfTyped reports whether the cursor is where the newest edit took away the end of a word, or
// of words that are joined: another end is about to be typed.
func halfTyped(recent []workspace.RecentEdit, path string, offset int) bool {
	if len(recent) == 0 {
		return false
	}
	r := recent[len(recent)-1]
	cut := offset - r.Place.Start
	if r.Path != path || !r.Placed || cut <= 0 || cut > len(r.New) || len(r.Old) <= len(r.New) {
		return false
	}
	gone, ok := strings.CutPrefix(r.Old, r.New[:cut])
	return ok && strings.HasSuffix(gone, r.New[cut:]) && source.IsWordByte(gone[0]) && (source.IsWordByte(r.New[cut-1]) || strings.IndexByte(joins, r.New[cut-1]) >= 0)
}

// changes returns the user's changes that have places left.
func (e *Engine) changes(ctx context.Context, c source.Corpus, recent []workspace.RecentEdit, path string, offset int) iter.Seq[offers] {
	return func(yield func(offers) bool) {
		history := e.history(c)
		renames := history.renamed(c, recent[max(len(recent)-maxRecent, 0):])
		kept := recent[max(len(recent)-maxRecent, 0):]
		f := follower{ctx: ctx, corpus: c, files: e.files, siteFiles: e.siteFiles, path: path, offset: offset, recent: kept, renames: renames}
		some := func(o offers, age int) bool {
			for _, list := range [][]NextEdit{o.edits, o.visits} {
				for i := range list {
					list[i].Left = f.left
				}
			}
			f.left = cut.Cut{}
			if r := kept[len(kept)-1-age]; r.Placed {
				o.causedBy(Place{Path: r.Path, Span: r.Place, Line: r.Line})
			}
			return len(o.edits)+len(o.visits) == 0 || yield(o)
		}
		follows := func(o offers, age int) bool {
			for _, list := range [][]NextEdit{o.edits, o.visits} {
				for i := range list {
					list[i].Refers = true
				}
			}
			return some(f.fromOneEdit(o, age), age)
		}
		if len(kept) > 0 && !follows(f.definition(kept, len(kept)-1), 0) {
			return
		}
		if halfTyped(kept, path, offset) {
			return
		}
		if added, age := f.addedLines(); len(added) > 0 && !some(offers{edits: added}, age) {
			return
		}
		for _, split := range []bool{false, true} {
			if alike, age := f.siblings(split); len(alike) > 0 && !some(offers{edits: alike}, age) {
				return
			}
			examples := examplesIn(c, &history.derived, recent, renames, split)
			searched := map[string]bool{} // by title: the first has the most examples
			for _, p := range patterns(&history.derived, examples) {
				title := p.title()
				if searched[title] || f.variableOf(p) || p.ofNumbers() {
					continue
				}
				searched[title] = true
				if !some(offers{edits: (&search{&f, p, split}).all()}, p.examples[0].edit) {
					return
				}
			}
			if split {
				continue
			}
			for _, x := range examples {
				if x.edit == 0 && !some(offers{edits: f.sameText(x)}, 0) {
					return
				}
			}
		}
		for i := len(kept) - 2; i >= 0; i-- {
			if !follows(f.definition(kept, i), len(kept)-1-i) {
				return
			}
		}
	}
}

// prose reports whether a file is text for people, whose sentences have no places in common.
func prose(path string) bool { return language.OfFile(path) == "markdown" }

// currentText is a file's text, "" if it cannot be read.
func currentText(c source.Corpus, path string) string {
	text, _ := c.Text(path)
	return text
}

// aroundLines is the number of lines before and after an edit that belong to the
// example.
const aroundLines = 20

// sides returns an edit's texts before and after, with the current lines around
// it, and where these begin in the file; -1 if the edit's text is gone.
func sides(c source.Corpus, r workspace.RecentEdit) (before, after string, at int) {
	src, _ := c.Text(r.Path)
	from := placeOf(src, r)
	if from < 0 {
		return r.Old, r.New, -1
	}
	above, below := src[:from], src[from+len(r.New):]
	at = linesBack(above, aroundLines)
	above = above[at:]
	below = below[:linesAhead(below, aroundLines)]
	return above + r.Old + below, above + r.New + below, at
}

// placeOf returns the current offset of an edit's new text, or -1 if the text is gone.
func placeOf(src string, r workspace.RecentEdit) int {
	if r.Placed && r.Place.Valid(len(src)) && src[r.Place.Start:r.Place.End] == r.New {
		return r.Place.Start
	}
	return -1
}

// linesBack returns the offset where the last n lines of s begin.
func linesBack(s string, n int) int {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		at = strings.LastIndexByte(s[:at-1], '\n') + 1
	}
	return at
}

// linesAhead returns the offset where the first n lines of s end.
func linesAhead(s string, n int) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			return len(s)
		}
		at += i + 1
	}
	return at
}
