package window

import (
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/redact"
)

// A memory is what the next window of a document needs to know of this one, so
// that both begin with the same text.
type memory struct {
	path, function string // the place: its document, and the function it is in
	line, anchor   int    // the place's line, and that of the first window of this memory
	words          string
	budget, tokens int // of the whole window, and of the context
	encoding       string
	learned        bool            // the folder's code had been read
	alone          bool            // nothing of other files was asked for
	snapshotOf     string          // the folder's root
	top            int             // the region's first line
	below          int             // bytes between the region and the end of the text
	allowed        int             // tokens of the region
	known          map[string]bool // words near the place that were looked up; never changed
	files          map[string]fileState
}

// A fileState distinguishes two contents of a file.
type fileState struct {
	size     int
	modified time.Time
	overlay  *workspace.Overlay
}

const (
	stepLines  = 4  // how far a place may move at once into another function
	driftLines = 25 // how far a place may move through functions that are being written
	// slowStepLines is stepLines where a server needs seconds for another window.
	slowStepLines = 48
	mostLearned   = 8 // definitions that one window adds to the one before
)

// A keeper makes a window that begins as the one before it.
type keeper struct{ *builder }

func (b *keeper) function() (name string, line int) {
	line = 1 + strings.Count(b.text[:b.at.Start], "\n")
	if d, ok := b.holder(b.self, line); ok && d.Kind.IsFunc() {
		name = d.Container + "." + d.Name
	}
	return name, line
}

func (b *keeper) state(rel string) fileState {
	id, ok := b.ix.FileID(rel)
	if !ok {
		return fileState{}
	}
	f, _ := b.ix.File(id)
	o, _ := b.snap.Overlay(b.view.Abs(rel))
	return fileState{f.Size, f.ModTime, o}
}

// remember returns what the next window needs to know of w, whose fragments are
// all but the region.
func (b *keeper) remember(w *Window) memory {
	if b.req.Purpose != "" && b.req.Purpose != "complete" || !b.known {
		return memory{}
	}
	m := memory{path: b.rel, words: b.req.Words, budget: b.budget, encoding: w.Encoding, snapshotOf: b.view.Root, learned: b.corpus != nil, alone: b.req.Alone,
		top: b.region.startLine, below: len(b.text) - b.region.span.End, known: map[string]bool{}, files: map[string]fileState{}}
	m.function, m.line = b.function()
	m.anchor = m.line
	m.allowed = b.costs.count(b.region.text().String())
	m.tokens = b.budget - b.left - b.reserved - m.allowed
	b.near(func(w string) { m.known[w] = true })
	for _, f := range w.Fragments {
		if f.Path != b.rel {
			m.files[f.Path] = b.state(f.Path)
		}
	}
	return m
}

// near calls each with the words near the place.
func (b *keeper) near(each func(string)) {
	text, at := b.query()
	eachWordIn(text[max(0, at-rareReach):min(len(text), at+rareReach)], each)
}

// keeps reports whether what a window shows besides the region is right for the
// place as well.
func (b *keeper) keeps(w *Window) bool {
	if w == nil || !b.known || b.req.Purpose != "" && b.req.Purpose != "complete" {
		return false
	}
	m := &w.memory
	if m.path != b.rel || m.words != b.req.Words || !b.sameBudget(m.budget) || m.encoding != b.costs.counter.Name() || m.snapshotOf != b.view.Root || m.learned != (b.corpus != nil) || m.alone != b.req.Alone {
		return false
	}
	function, line := b.function()
	step, drift := stepLines, driftLines
	if b.req.Fresh > 0 {
		step, drift = slowStepLines, math.MaxInt
	}
	if (function != m.function || function == "") && (distance(line, m.line) > step || distance(line, m.anchor) > drift) {
		return false
	}
	for rel, was := range m.files {
		if now := b.state(rel); now != was {
			return false
		}
		if hidden, _ := b.view.Ignored(rel, false); hidden && was != (fileState{}) {
			return false
		}
	}
	for _, f := range w.Fragments {
		if f.Path == b.rel && f.Kind != FragmentCursor && f.Kind != FragmentRecentEdit && f.Kind != FragmentDiagnostic && !strings.Contains(b.text, strings.TrimRight(f.Text.String(), "\n")) {
			return false
		}
	}
	return true
}

// sameBudget reports whether a window of another budget may go on: a measured speed is never
// twice the same.
func (b *keeper) sameBudget(was int) bool {
	if b.req.Fresh > 0 {
		return was <= 2*b.budget && b.budget <= 2*was
	}
	return was == b.budget
}

// again makes the window after w. ok is false when the place has moved
// too far from the region's first line.
func (b *keeper) again(w *Window) (next *Window, ok bool) {
	m := w.memory
	more := b.budget / 16
	if b.req.Fresh > 0 { // what is typed costs little, another start of the region much
		more = m.budget
		b.budget = min(2*m.budget, b.req.Budget)
	}
	b.left = b.budget - m.tokens
	if m.top, ok = (&cutter{b.builder}).readFrom(m.top, m.below, m.allowed, min(b.left, m.allowed+more)); !ok {
		return nil, false
	}
	m.below = len(b.text) - b.region.span.End
	added := &section{base: b.chosen.kept.base}
	if !b.req.Alone && (b.req.Key == 0 || m.top != w.memory.top || b.costs.count(b.region.text().String()) < b.req.Key) {
		added = b.learn(w, &m)
	}
	next = b.newWindow()
	next.context = redact.Join("", append([]redact.Text{w.context}, b.written(added)...)...)
	last := len(w.Fragments) - 1
	next.Fragments = append(slices.Clip(slices.Clone(w.Fragments[:last])), added.fragments...)
	next.Fragments = append(next.Fragments, b.region.fragment(b.name, b.costs))
	next.Tokens = b.budget - b.left
	m.function, m.line = b.function()
	m.tokens = next.Tokens - b.costs.count(b.region.text().String())
	next.memory = m
	return next, true
}

// learn adds the definitions of words that are new near the place since the
// window before.
func (b *keeper) learn(w *Window, m *memory) *section {
	added := &section{base: b.chosen.kept.base}
	known := m.known
	count := 0
	b.near(func(word string) {
		if known[word] {
			return
		}
		if len(known) == len(m.known) {
			known = maps.Clone(m.known)
		}
		known[word] = true
		if id, ok := b.nearest(word); ok && count < mostLearned && !shownAt(w, b.ix.Path(id.File()), b.ix.Brief(id).StartLine) {
			count++
			b.learnOne(added, word, id, m)
		}
	})
	m.known = known
	return added
}

func (b *keeper) learnOne(to *section, word string, id index.DefID, m *memory) {
	rel := b.ix.Path(id.File())
	text := clip(b.ix.SigText(id))
	if _, ok := m.files[rel]; !ok {
		m.files = maps.Clone(m.files)
		m.files[rel] = b.state(rel)
	}
	first := b.ix.Brief(id).StartLine
	_, line := b.function()
	b.add(to, Fragment{Path: rel, StartLine: first, EndLine: first + countLines(text) - 1, Kind: FragmentDefinition,
		Reason: "defines " + word + ", used at " + b.name + ":" + strconv.Itoa(line), Text: b.secrets.Redact(text)}, b.left)
}

// nearest is the definition that a word means most likely here, outside the document.
func (b *keeper) nearest(word string) (index.DefID, bool) {
	if b.ix.DocFreq(word) > mostUnrelated {
		return 0, false
	}
	for _, id := range b.definitions(word) {
		d := b.ix.Brief(id)
		rel := b.ix.Path(id.File())
		if id.File() != b.self && b.reachable(id, d) && !b.withheld(rel) && (path.Dir(rel) == path.Dir(b.rel) || d.Exported) && d.SigBytes <= longSignature {
			return id, true
		}
	}
	return 0, false
}

func shownAt(w *Window, rel string, line int) bool {
	return slices.ContainsFunc(w.Fragments, func(f Fragment) bool { return f.Path == rel && f.StartLine <= line && line <= f.EndLine })
}

// readFrom cuts the region from a line on to where the last one ended, counted from the
// end of the text, into most tokens. Where that is too much, lines at its start go, for
// they stand last in a request, until it is back at the usual size: so they seldom go. top
// is the line that it begins with then. It is false when the place or what is around it
// would not be in it as it should.
func (b *cutter) readFrom(top, below, usual, most int) (first int, ok bool) {
	from := border{text: b.text}
	start, end := 0, len(b.text)-below
	if top > 1 {
		start = from.outward(0, top-2)
	}
	if b.req.After > 0 {
		end = b.below(b.req.After)
		below = 0
	}
	if end < b.at.End || end > len(b.text) || b.req.Fresh > 0 && top > 1 && strings.Count(b.text[min(start, b.at.Start):b.at.Start], "\n") < regionLines/2 {
		return 0, false
	}
	title := b.title()
	after := b.costs.count(b.text[b.at.End:end])
	for ; start <= b.at.Start; top += 2 * regionLines {
		b.region = b.cut(title, edits.Span{Start: start, End: end})
		used := b.costs.count(b.region.text().String())
		switch {
		case below > 0 && after*4 < used && used <= most:
			return 0, false
		case used <= most:
			b.left -= used
			return top, true
		}
		most = min(usual, most)
		start = from.outward(start, 2*regionLines-1)
	}
	return 0, false
}
