package workspace

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/workspace/redact"
)

// What the history keeps: enough to show where the user's attention was.
const (
	historyMax       = 32          // hunks
	hunkMaxBytes     = 8 << 10     // of old and new text together; a larger hunk is not useful
	hunkNearLines    = 3           // an edit this close to the last hunk joins it, as does one of any hunk's lines (joinedBy)
	hunkIdle         = time.Minute // an edit after this long starts a new hunk, unless it takes one back
	hunkMaxDocument  = largeFile   // nothing is remembered of larger documents
	hunkContextLines = 1           // unchanged lines shown around a hunk
	mostParts        = 8           // hunks that one edit may add
)

// A RecentEdit is one part of a document that the user changed, merged from single
// keystrokes.
type RecentEdit struct {
	URI  string
	Path string // as Snapshot.Name returns it
	Time time.Time
	Line int    // 1-based line where New starts, in the document as it is now where Placed, else when it was typed
	Old  string // whole lines before the change
	New  string // whole lines after it
	// Place is where New is in the document as it is now, if Placed: no later edit has
	// touched these lines, and the document has been open since.
	Place  edits.Span
	Placed bool
	Hunk   string // both as a hunk of a unified diff, with its @@ line
	// Secrets are those of both texts around the hunk, which may show a part of them.
	Secrets []string
	// Accepted: it is a next edit that was offered, and nothing else.
	Accepted bool
}

// A hunk is a growing or finished change of one document: the bytes span of
// before became the bytes now of after. Texts share storage, so keeping two
// costs little.
type hunk struct {
	key, uri      string
	at            time.Time
	before, after edits.Text
	was, now      edits.Span
	place         edits.Span // of now's whole lines in the document as it is, where placed
	placed        bool
	finished      bool // no edit joins it: the document was opened or closed since
	accepted      bool
	shown         *shownHunk
}

// A shownHunk is what a hunk's texts say, read at the first question: most hunks are the
// same at the next one.
type shownHunk struct {
	once     sync.Once // guards all below
	line     int       // as RecentEdit.Line
	old, new string
	unified  string
	secrets  []string
	ok       bool
}

// history is the recent hunks, oldest first; it is copied before it is changed.
type history []hunk

// record returns the history after one more edit of a document.
func (h history) record(o *Overlay, before edits.Text, step Step, at time.Time) history {
	e, after := changedPart(before, step.Edit), step.After
	if before.Len() > hunkMaxDocument || after.Len() > hunkMaxDocument {
		return h.finish(o.key) // its hunks do not follow this edit
	}
	if e.Len() == 0 && e.New == "" {
		return h // a formatter had nothing to change
	}
	alone := hunk{key: o.key, uri: o.URI, at: at, before: before, after: after,
		was: e.Span, now: edits.Span{Start: e.Start, End: e.Start + len(e.New)}, accepted: step.Accepted}
	grown := alone
	from := h.joinedBy(o.key, before, e, after, at)
	if len(from) > 0 {
		grown = h.merge(from, before).grow(e, after, at)
	}
	if grown.was.Len()+grown.now.Len() > hunkMaxBytes {
		if parts, ok := h.recordParts(o, before, e, step.Accepted, at); ok {
			return parts
		}
	}
	if grown.was.Len()+grown.now.Len() > hunkMaxBytes && len(from) > 0 {
		grown, from = alone, nil
	}
	next := make(history, 0, len(h)+1)
	for i, k := range h {
		if slices.Contains(from, i) {
			continue
		}
		if k.key == o.key && k.placed {
			k.place, k.placed = k.follow(e, after)
		}
		next = append(next, k)
	}
	if len(from) > 0 && grown.takenBack() {
		return next
	}
	grown.place, grown.placed, grown.shown = wholeLines(after, grown.now), true, &shownHunk{}
	next = append(next, grown)
	return next[max(0, len(next)-historyMax):]
}

// recordParts records an edit that replaces more than a hunk may have as the changes that it
// makes: editors replace all from the first changed line to the last where a file is formatted or
// goes back to what is on disk. ok is false if these are one, or so much that they would push out
// what the user did.
func (h history) recordParts(o *Overlay, before edits.Text, e edits.Edit, accepted bool, at time.Time) (next history, ok bool) {
	parts := edits.Diff(before.Slice(e.Span), e.New)
	bytes := 0
	for _, part := range parts {
		bytes += part.Len() + len(part.New)
	}
	if len(parts) < 2 || bytes > hunkMaxBytes {
		return nil, false
	}
	next = h
	for _, part := range slices.Backward(parts) {
		part.Span = edits.Span{Start: e.Start + part.Start, End: e.Start + part.End}
		after := before.Replace(part.Span, part.New)
		next = next.record(o, before, Step{Edit: part, After: after, Accepted: accepted}, at)
		before = after
	}
	return next, len(next) <= len(h)+mostParts
}

// joinedBy are the indexes of the hunks of a document that an edit of its text joins: all
// whose lines it changes or whose bytes it touches, as a removed line that is put back does,
// so that what is taken back is no change; or else the newest of all if it is near. Hunks
// between these join too. After a pause it joins only the one that it takes back.
func (h history) joinedBy(key string, text edits.Text, e edits.Edit, after edits.Text, now time.Time) (joined []int) {
	newest, back, span := -1, -1, e.Span
	join := func(i int) {
		joined, span = append(joined, i), hull(span, h[i].nowInDocument())
	}
	for i, k := range h {
		if k.key != key {
			continue
		}
		newest = i
		if k.finished || !k.placed {
			continue
		}
		if _, whole := k.follow(e, after); whole && !(touches(e.Span, k.place) && touches(e.Span, k.nowInDocument())) {
			continue
		}
		if k.open(now) {
			join(i)
		} else if k.in(text).grow(e, after, now).takenBack() {
			back = i
		}
	}
	if len(joined) == 0 && back >= 0 {
		return []int{back}
	}
	if len(joined) == 0 && newest >= 0 && h[newest].open(now) && h[newest].near(text, e.Span) {
		join(newest)
	}
	for n := 0; n < len(joined); {
		n = len(joined)
		for i, k := range h {
			if k.key == key && k.open(now) && k.place.Start < span.End && span.Start < k.place.End && !slices.Contains(joined, i) {
				join(i)
			}
		}
	}
	return joined
}

// touches reports whether two spans have bytes in common or follow each other.
func touches(a, b edits.Span) bool { return a.Start <= b.End && b.Start <= a.End }

// hull is the span from the first of two to the last.
func hull(a, b edits.Span) edits.Span {
	return edits.Span{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}

// merge returns hunks of a document as one change of its text as it is now. No two have
// bytes in common: an edit of a hunk's lines joins it.
func (h history) merge(list []int, text edits.Text) hunk {
	if len(list) == 1 {
		return h[list[0]].in(text)
	}
	var parts []hunk
	for _, i := range list {
		parts = append(parts, h[i].in(text))
	}
	slices.SortFunc(parts, func(a, b hunk) int {
		return cmp.Or(cmp.Compare(a.now.Start, b.now.Start), cmp.Compare(a.now.End, b.now.End))
	})
	out := parts[0]
	out.before, out.after = text, text
	out.now.End = parts[len(parts)-1].now.End
	for _, k := range slices.Backward(parts) {
		out.before = out.before.Replace(k.now, k.before.Slice(k.was))
	}
	out.was = edits.Span{Start: out.now.Start, End: out.now.End + out.before.Len() - text.Len()}
	return out
}

// changedPart is an edit of a text without what it leaves as it is at its ends: formatters
// and plugins replace a whole document to change a word of it.
func changedPart(text edits.Text, e edits.Edit) edits.Edit {
	old := text.Slice(e.Span)
	lead := edits.CommonPrefix(old, e.New)
	trail := edits.CommonSuffix(old[lead:], e.New[lead:])
	return edits.Edit{Span: edits.Span{Start: e.Start + lead, End: e.End - trail}, New: e.New[lead : len(e.New)-trail]}
}

// finish returns the history in which no later edit of a document joins its hunks and
// none of them has a place, because the document's text is replaced.
func (h history) finish(key string) history {
	next := slices.Clone(h)
	for i := range next {
		if next[i].key == key {
			next[i].finished, next[i].placed = true, false
		}
	}
	return next
}

// follow returns the hunk's place after an edit of its document, which is then after, and
// whether its lines are as they were.
func (h hunk) follow(e edits.Edit, after edits.Text) (place edits.Span, ok bool) {
	place = h.place
	switch {
	case e.End <= place.Start:
		place = edits.Span{Start: place.Start + e.Delta(), End: place.End + e.Delta()}
	case e.Start < place.End:
		return place, false
	}
	if !touches(e.Span, h.place) {
		return place, true
	}
	return place, startsLine(after, place.Start) && (place.End == after.Len() || startsLine(after, place.End))
}

func startsLine(t edits.Text, at int) bool { return t.LineStart(t.LineOf(at)) == at }

// nowInDocument is where the hunk's new bytes are in the document as it is, where placed.
func (h hunk) nowInDocument() edits.Span {
	start := h.now.Start + h.place.Start - wholeLines(h.after, h.now).Start
	return edits.Span{Start: start, End: start + h.now.Len()}
}

// in returns the hunk as a change of the document's text as it is now, where its lines are
// at its place: what was edited elsewhere since is on both sides.
func (h hunk) in(text edits.Text) hunk {
	if h.after == text {
		return h
	}
	old := h.before.Slice(h.was)
	h.now = h.nowInDocument()
	h.was = edits.Span{Start: h.now.Start, End: h.now.Start + len(old)}
	h.before, h.after = text.Replace(h.now, old), text
	return h
}

// open reports whether an edit can join the hunk.
func (h hunk) open(now time.Time) bool {
	return !h.finished && h.placed && now.Sub(h.at) <= hunkIdle
}

// near reports whether an edit of text belongs to the hunk, which has a place, though it
// changes other lines.
func (h hunk) near(text edits.Text, at edits.Span) bool {
	span := h.nowInDocument()
	first, last := text.LineOf(span.Start), text.LineOf(span.End)
	return text.LineOf(at.Start) <= last+hunkNearLines && text.LineOf(at.End) >= first-hunkNearLines
}

// grow returns the hunk after one more edit of its after text.
func (h hunk) grow(e edits.Edit, after edits.Text, at time.Time) hunk {
	start, end := min(h.now.Start, e.Start), max(h.now.End, e.End)
	h.was = edits.Span{Start: h.was.Start - (h.now.Start - start), End: h.was.End + (end - h.now.End)}
	h.now = edits.Span{Start: start, End: end + e.Delta()}
	h.after, h.at, h.accepted = after, at, false
	return h
}

// takenBack reports whether the hunk's text is again what it was.
func (h hunk) takenBack() bool {
	return h.was.Len() == h.now.Len() && h.before.Slice(h.was) == h.after.Slice(h.now)
}

// edits renders the hunks; one whose text is again what it was, or that is too
// large, is left out.
func (h history) edits() []RecentEdit {
	out := make([]RecentEdit, 0, len(h))
	for _, k := range h {
		if e, ok := k.render(); ok {
			out = append(out, e)
		}
	}
	return out
}

func (h hunk) render() (RecentEdit, bool) {
	s := h.shown
	s.once.Do(func() { s.read(h) })
	return RecentEdit{URI: h.uri, Time: h.at, Line: s.line, Old: s.old, New: s.new, Place: h.place, Placed: h.placed, Hunk: s.unified, Secrets: s.secrets, Accepted: h.accepted}, s.ok
}

// read reads the texts of a hunk, unless they are again the same or too large.
func (s *shownHunk) read(h hunk) {
	if h.was.Len()+h.now.Len() > hunkMaxBytes {
		return
	}
	was, now := wholeLines(h.before, h.was), wholeLines(h.after, h.now)
	before, after := h.before.Slice(was), h.after.Slice(now)
	if before == after || len(before)+len(after) > hunkMaxBytes {
		return
	}
	s.line, s.old, s.new, s.unified, s.ok = h.after.LineOf(now.Start)+1, before, after, h.unified(was, now), true
	s.secrets = append(secretsAround(h.before, was), secretsAround(h.after, now)...)
}

// secretsAround are the secrets in and around a span.
func secretsAround(t edits.Text, sp edits.Span) []string {
	text := t.Slice(redact.Around(t.Len(), sp))
	var out []string
	for _, one := range redact.Find(text) {
		out = append(out, text[one.Start:one.End])
	}
	return out
}

// unified prints the hunk's lines with a little unchanged text around them. Lines between its
// edits that are as they were are context.
func (h hunk) unified(was, now edits.Span) string {
	return edits.UnifiedHunk(linesAround(h.before, was), linesAround(h.after, now))
}

// linesAround are the whole lines of a span and hunkContextLines on either side.
func linesAround(t edits.Text, whole edits.Span) edits.LinesAt {
	first := max(t.LineOf(whole.Start)-hunkContextLines, 0)
	last := t.LineOf(whole.End)
	if t.LineStart(last) != whole.End { // the text ends without a line end
		last++
	}
	out := edits.LinesAt{First: first}
	for line := range strings.Lines(t.Slice(edits.Span{Start: t.LineStart(first), End: t.LineStart(last + hunkContextLines)})) {
		out.Lines = append(out.Lines, strings.TrimRight(line, "\r\n")+"\n")
	}
	return out
}

// wholeLines widens a span to the lines it touches, with their ends.
func wholeLines(t edits.Text, sp edits.Span) edits.Span {
	start := t.LineStart(t.LineOf(sp.Start))
	return edits.Span{Start: start, End: t.LineStart(t.LineOf(sp.End) + 1)}
}
