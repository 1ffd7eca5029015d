package window

import (
	"maps"
	"math"
	"slices"
	"strings"

	"tandem/workspace/redact"
)

// A memory tells the next window of a document what this one shows, so that both begin with the
// same text. It is empty if no window follows.
type memory struct {
	of             setting
	function       string            // around the place
	line, anchor   int               // the place's line, and that of the first window of this memory
	budget, tokens int               // of the whole window, and of the context
	top            int               // the region's first line
	below          int               // bytes between the region and the end of the text
	allowed        int               // tokens of the region
	names          []word            // before the place, whose declarations were looked up
	shown          []Fragment        // by their paths in the folder
	files          map[string]uint64 // the hash of each other file that is shown
}

// A setting is what windows that begin alike have in common.
type setting struct {
	root, path, words string // the folder's root, the document in it, and what the user said
	encoding          string
	alone             bool
}

const (
	stepLines     = 4  // from one window to the next, into another function
	driftLines    = 25 // from the first window, outside of one function
	slowStepLines = 48 // stepLines if a server needs seconds for a new window
	mostLearned   = 8  // declarations that a window adds to the one before
)

func (f *fill) setting() setting {
	return setting{root: f.folder.view.Root, path: f.place.rel, words: f.req.Words, encoding: f.costs.counter.Name(), alone: f.req.Alone}
}

// function returns the name of the function around the place.
func (f *fill) function() string {
	if d, ok := f.folder.holder(f.place.file, f.place.line()); ok && d.Kind.IsFunc() {
		return d.Container + "." + d.Name
	}
	return ""
}

// hash returns the hash of a file's content, 0 if the index does not have it.
func (f *fill) hash(rel string) uint64 {
	if id, ok := f.folder.ix.FileID(rel); ok {
		file, _ := f.folder.ix.File(id)
		return file.Hash
	}
	return 0
}

// remember gives a new window its memory, if another one can follow.
func (f *fill) remember(w *Window) {
	if f.req.Purpose != "" && f.req.Purpose != "complete" || !f.place.indexed {
		return
	}
	names, _, _ := f.lineNames()
	w.memory = memory{of: f.setting(), function: f.function(), line: f.place.line(), anchor: f.place.line(), budget: w.Budget, tokens: w.Tokens - f.region.tokens,
		top: f.region.StartLine, below: len(f.place.text) - f.region.span.End, allowed: f.region.tokens, names: names, files: map[string]uint64{}}
	w.memory.know(f, w.Fragments)
}

// know notes the files that are shown. The document itself changes with each key: what is shown of
// it is compared with its text.
func (m *memory) know(f *fill, shown []Fragment) {
	for _, c := range shown {
		if c.Path != f.place.rel {
			m.files[c.Path] = f.hash(c.Path)
		}
	}
}

// continues reports whether what a window shows besides the region is right for this place, too.
func (f *fill) continues(w *Window) bool {
	m := &w.memory
	if !f.place.indexed || m.of != f.setting() {
		return false
	}
	step, drift, alike := stepLines, driftLines, m.budget == f.budget
	if f.req.Fresh > 0 { // measured speeds differ a little
		step, drift, alike = slowStepLines, math.MaxInt, m.budget <= 2*f.budget && f.budget <= 2*m.budget
	}
	if !alike {
		return false
	}
	function, line := f.function(), f.place.line()
	stays := function != "" && function == m.function
	if !stays && (distance(line, m.line) > step || distance(line, m.anchor) > drift) {
		return false
	}
	for rel, was := range m.files {
		if f.hash(rel) != was {
			return false
		}
	}
	return !slices.ContainsFunc(m.shown, func(c Fragment) bool { // code of the document that was changed since
		code := c.Kind == FragmentDefinition || c.Kind == FragmentCode
		return code && c.Path == f.place.rel && !strings.Contains(f.place.text, strings.TrimRight(c.Text.String(), "\n"))
	})
}

func distance(a, b int) int { return max(a-b, b-a) }

// next makes the window after w, or nil if the region of w cannot be continued.
func (f *fill) next(w *Window) *Window {
	m := w.memory
	more := f.budget / 4
	if f.req.Fresh > 0 { // typed text costs little, a region with a new start much
		more = m.budget
		f.budget = min(2*m.budget, f.req.Budget)
	}
	f.kept, f.left = m.tokens, f.budget-m.tokens
	r, ok := f.onward(m.top, m.below, m.allowed, min(f.left, m.allowed+more))
	if !ok {
		return nil
	}
	f.shown = slices.Clip(m.shown[:len(m.shown)-1])
	f.show(r)
	names, _, _ := f.lineNames()
	affordable := f.req.Key == 0 || f.region.StartLine != m.top || f.region.tokens < f.req.Key // to read the region again
	if !f.req.Alone && affordable && !slices.Equal(names, m.names) {
		m.names, m.files = names, maps.Clone(m.files)
		f.run([]share{{learned, 100}})
	}
	next := f.window()
	next.context = redact.Join("", w.context, next.context)
	m.know(f, next.Fragments)
	next.Fragments = slices.Concat(m.shown[:len(m.shown)-1], next.Fragments)
	m.tokens = next.Tokens - f.region.tokens
	m.top, m.below = f.region.StartLine, len(f.place.text)-f.region.span.End
	m.function, m.line = f.function(), f.place.line()
	next.memory = m
	return f.named(next)
}
