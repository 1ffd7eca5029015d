package window

import (
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"tandem/workspace"
	"tandem/workspace/redact"
)

// A memory is what the next window of a document needs to know of this one, so
// that both begin with the same text.
type memory struct {
	of             setting
	function       string          // that the place is in
	line, anchor   int             // the place's line, and that of the first window of this memory
	budget, tokens int             // of the whole window, and of the context
	top            int             // the region's first line
	below          int             // bytes between the region and the end of the text
	allowed        int             // tokens of the region
	lookedUp       map[string]bool // words near the place that were looked up; never changed
	files          map[string]fileState
}

// A setting is what two windows have in common of which one begins as the other.
type setting struct {
	root, path, words string // the folder's root, the document in it, and what the user said
	encoding          string
	corpus            bool // the folder's code had been read
	alone             bool // nothing of other files was asked for
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

// A continuation makes a window that begins as the one before it.
type continuation struct {
	place  *place
	folder *folder
	cutter *cutter
	of     setting
	slow   bool // the server may have nothing of the window before
	most   int  // tokens that a window may grow to where the server is slow
	key    int  // tokens that may differ at once; 0: any number
}

// function is the function that the place is in.
func (k *continuation) function() string {
	if d, ok := k.folder.holder(k.place.file, k.place.line()); ok && d.Kind.IsFunc() {
		return d.Container + "." + d.Name
	}
	return ""
}

func (k *continuation) state(rel string) fileState {
	id, ok := k.folder.ix.FileID(rel)
	if !ok {
		return fileState{}
	}
	f, _ := k.folder.ix.File(id)
	o, _ := k.folder.snap.Overlay(k.folder.view.Abs(rel))
	return fileState{f.Size, f.ModTime, o}
}

// remember lets a new window know what the next one needs to know of it.
func (k *continuation) remember(w *Window, r *region) {
	m := memory{of: k.of, function: k.function(), line: k.place.line(), anchor: k.place.line(), budget: w.Budget, tokens: w.Tokens - r.tokens,
		top: r.lines.first, below: len(k.place.text) - r.span.End, allowed: r.tokens, lookedUp: map[string]bool{}, files: map[string]fileState{}}
	k.eachNear(func(w string) { m.lookedUp[w] = true })
	for _, f := range w.Fragments {
		if f.Path != k.place.rel {
			m.files[f.Path] = k.state(f.Path)
		}
	}
	w.memory = m
}

// eachNear calls each with the words near the place.
func (k *continuation) eachNear(each func(string)) {
	text, _ := k.place.near(nearBytes)
	eachWordIn(text, each)
}

// continues reports whether what a window shows besides the region is right for the
// place as well.
func (k *continuation) continues(w *Window, budget int) bool {
	m := &w.memory
	if m.of != k.of || !k.sameBudget(m.budget, budget) {
		return false
	}
	step, drift := stepLines, driftLines
	if k.slow {
		step, drift = slowStepLines, math.MaxInt
	}
	function, line := k.function(), k.place.line()
	if (function != m.function || function == "") && (distance(line, m.line) > step || distance(line, m.anchor) > drift) {
		return false
	}
	for rel, was := range m.files {
		if now := k.state(rel); now != was {
			return false
		}
		if hidden, _ := k.folder.view.Ignored(rel, false); hidden && was != (fileState{}) {
			return false
		}
	}
	return !slices.ContainsFunc(w.Fragments, func(f Fragment) bool {
		own := f.Path == k.place.rel && f.Kind != FragmentCursor && f.Kind != FragmentRecentEdit && f.Kind != FragmentDiagnostic
		return own && !strings.Contains(k.place.text, strings.TrimRight(f.Text.String(), "\n"))
	})
}

// sameBudget reports whether a window of another budget may go on: a measured speed is never
// twice the same.
func (k *continuation) sameBudget(was, budget int) bool {
	if k.slow {
		return was <= 2*budget && budget <= 2*was
	}
	return was == budget
}

// next makes the window after w, with a builder that has shown nothing. It is nil when the
// place has moved too far from the region's first line.
func (k *continuation) next(w *Window, b *builder) *Window {
	m := w.memory
	more := b.budget / 16
	if k.slow { // what is typed costs little, another start of the region much
		more = m.budget
		b.budget = min(2*m.budget, k.most)
	}
	b.left = b.budget - m.tokens
	r, ok := k.cutter.onward(m.top, m.below, m.allowed, min(b.left, m.allowed+more))
	if !ok {
		return nil
	}
	b.setRegion(r)
	added := &section{base: b.chosen.section.base}
	if !k.of.alone && (k.key == 0 || r.lines.first != m.top || r.tokens < k.key) {
		k.learn(b, added, w, &m)
	}
	next := b.newWindow()
	next.context = redact.Join("", append([]redact.Text{w.context}, b.written(added)...)...)
	last := len(w.Fragments) - 1
	next.Fragments = append(slices.Clip(slices.Clone(w.Fragments[:last])), added.fragments...)
	next.Fragments = append(next.Fragments, r.fragment(b.costs))
	next.Tokens = b.budget - b.left
	m.top, m.below = r.lines.first, len(k.place.text)-r.span.End
	m.function, m.line = k.function(), k.place.line()
	m.tokens = next.Tokens - r.tokens
	next.memory = m
	return next
}

// learn adds the definitions of words that are new near the place since the
// window before.
func (k *continuation) learn(b *builder, added *section, w *Window, m *memory) {
	known := m.lookedUp
	count := 0
	k.eachNear(func(word string) {
		if known[word] {
			return
		}
		if len(known) == len(m.lookedUp) {
			known = maps.Clone(m.lookedUp)
		}
		known[word] = true
		if d, ok := k.nearest(word); ok && count < mostLearned && !shownAt(w, k.folder.pathOf(d.id), d.StartLine) {
			count++
			k.learnOne(b, added, d, m)
		}
	})
	m.lookedUp = known
}

func (k *continuation) learnOne(b *builder, to *section, d definition, m *memory) {
	rel := k.folder.pathOf(d.id)
	text := clip(k.folder.ix.SigText(d.id))
	if _, ok := m.files[rel]; !ok {
		m.files = maps.Clone(m.files)
		m.files[rel] = k.state(rel)
	}
	b.add(to, Fragment{Path: rel, StartLine: d.StartLine, EndLine: d.StartLine + countLines(text) - 1, Kind: FragmentDefinition,
		Reason: "defines " + d.Name + ", used at " + k.place.String(), Text: b.secrets.Redact(text)}, b.left)
}

// nearest is the definition that a word means most likely here, outside the document.
func (k *continuation) nearest(word string) (definition, bool) {
	if k.folder.ix.DocFreq(word) > mostUnrelated {
		return definition{}, false
	}
	for _, id := range k.folder.definitions(word, k.place.rel) {
		d := k.folder.definition(id)
		rel := k.folder.pathOf(id)
		if id.File() != k.place.file && k.folder.reaches(k.place.file, d) && !k.folder.withholds(rel) && (path.Dir(rel) == path.Dir(k.place.rel) || d.Exported) && d.SigBytes <= longSignature {
			return d, true
		}
	}
	return definition{}, false
}

func shownAt(w *Window, rel string, line int) bool {
	return slices.ContainsFunc(w.Fragments, func(f Fragment) bool { return f.Path == rel && f.StartLine <= line && line <= f.EndLine })
}
