package edits

import (
	"fmt"
	"slices"
	"strings"
)

// A hit is one place where a hunk's old lines are: the file's line for each of
// them, or -1 for a context line that the file does not have.
type hit struct{ at []int }

// span is the half-open range of lines that the hit covers.
func (h hit) span() (from, to int) {
	from, to = -1, -1
	for _, i := range h.at {
		if i >= 0 && from < 0 {
			from = i
		}
		to = max(to, i+1)
	}
	return max(from, 0), max(to, 0)
}

// A place is where a hunk goes and how it was found.
type place struct {
	hit
	variant
	tier Tier
}

// locator finds the hunks of one block in a doc.
type locator struct {
	doc   *doc
	block *Block
	// strict allows the exact tier only, at exactly the hinted line.
	strict bool
	folded map[Tier][]string
}

// locate returns the one place where the block fits, by the strictest tier
// that finds it anywhere. It never chooses between several without a reason
// that the block itself gives.
func (l *locator) locate() (place, *Error) {
	readings := variants(l.block)
	plain := readings[0]
	if v, ok := l.withListItems(); ok {
		readings = append(readings, v)
	}
	if l.strict {
		return l.exactly(readings[0])
	}
	for _, v := range l.exactFirst(readings) {
		for _, f := range foldings {
			hits := l.hits(v.hunk, f)
			if len(hits) == 0 {
				continue
			}
			if v.escaped {
				f.tier = TierEscapes
			}
			p, refusal := l.choose(v, f.tier, hits)
			if refusal == nil && l.contested(p, readings) {
				return place{}, l.block.refuse(CodeAmbiguous, "its text is at line %s, and it says that it is elsewhere, where the text is but for its indentation", lineList([]hit{p.hit}))
			}
			if from, _ := p.span(); refusal == nil && v.repaired && l.similar(plain.hunk, from) {
				return place{}, l.block.refuse(CodeAmbiguous, "a line without sign among others may be context with an error, or may have lost its sign")
			}
			return p, refusal
		}
	}
	if l.block.search {
		if found := l.squeezed(withoutSharedEdges(l.block.Lines)); len(found) > 0 {
			return l.onlyOne(found)
		}
	}
	if hits := l.fuzzy(plain.hunk); len(hits) > 0 {
		p, refusal := l.choose(plain, TierFuzzy, hits)
		if refusal == nil {
			refusal = l.unsettled(p)
		}
		return p, refusal
	}
	return place{}, l.notFound(plain.hunk)
}

// exactFirst puts the first reading that is in the file as it is written before the
// others, which may fit only loosely. Readings that repair lines keep their place.
func (l *locator) exactFirst(readings []variant) []variant {
	for i, v := range readings {
		if !v.repaired && len(l.hits(v.hunk, foldings[0])) > 0 {
			rest := slices.Delete(slices.Clone(readings), i, i+1)
			return append([]variant{v}, rest...)
		}
	}
	return readings
}

// contested reports whether the block, found at p, also fits where it says that it
// is, but for its indentation: then either its text or what it says is wrong.
func (l *locator) contested(p place, readings []variant) bool {
	from, _ := p.span()
	at := l.doc.current(l.block.LineHint)
	hinted := l.block.LineHint > 0 && at != from
	scopes := l.scopesWithout(p)
	if !hinted && len(scopes) == 0 {
		return false
	}
	for _, v := range readings {
		if v.repaired || distinctive(v.old) == 0 {
			continue
		}
		for _, h := range l.hits(v.hunk, trimming) {
			if start, _ := h.span(); start != from && (hinted && start == at || within(scopes, start)) {
				return true
			}
		}
	}
	return false
}

// scopesWithout are the lines that the block's context heads, if p is in none of them.
func (l *locator) scopesWithout(p place) []Span {
	from, _ := p.span()
	context, refusal := l.contexts(p.variant, p.tier)
	if refusal != nil {
		return nil
	}
	var out []Span
	for _, c := range context {
		out = append(out, Span{Start: c, End: l.scopeEnd(c)})
	}
	if within(out, from) {
		return nil
	}
	return out
}

func within(scopes []Span, line int) bool {
	return slices.ContainsFunc(scopes, func(sp Span) bool { return sp.Start <= line && line < sp.End })
}

// onlyOne takes the one place there is.
func (l *locator) onlyOne(found []place) (place, *Error) {
	if len(found) == 1 {
		return found[0], nil
	}
	hits := make([]hit, len(found))
	for i, p := range found {
		hits[i] = p.hit
	}
	return place{}, l.ambiguous(hits)
}

func (l *locator) ambiguous(hits []hit) *Error {
	return l.block.refuse(CodeAmbiguous, "the text it changes is at lines %s; it needs more context, or a line, to tell which is meant", lineList(hits))
}

// exactly takes the hinted line or nothing, as git does.
func (l *locator) exactly(v variant) (place, *Error) {
	at := l.doc.current(l.block.LineHint)
	for _, h := range l.hits(v.hunk, foldings[0]) {
		if from, _ := h.span(); from == at {
			return place{hit: h, variant: v, tier: TierExact}, nil
		}
	}
	return place{}, l.notFound(v.hunk)
}

// lostSign returns a line of a hunk that changes nothing, does not stand in the file as it is
// written, and stands there without that line: the line may be one that is added and has lost
// its sign, though all of the hunk is found elsewhere.
func (l *locator) lostSign(h hunk) (line string, lost bool) {
	if !l.block.Idle() || !l.block.signed() || len(l.hits(h, foldings[0])) > 0 {
		return "", false
	}
	for i, line := range l.block.Lines {
		rest := hunkOf(slices.Delete(slices.Clone(l.block.Lines), i, i+1))
		if !blank(line.Text) && distinctive(rest.old) > 0 && len(l.hits(rest, trimming)) > 0 {
			return line.Text, true
		}
	}
	return "", false
}

// hits lists every place where the hunk's old lines stand, compared in f's
// string space.
func (l *locator) hits(h hunk, f folding) []hit {
	n := len(h.old)
	if n == 0 || n > len(l.doc.lines) {
		return nil
	}
	old, lines := h.old, l.lines(f)
	if f.fold != nil {
		old = make([]string, n)
		for i, text := range h.old {
			old[i] = f.fold(text)
		}
	}
	probe := rarest(old)
	var out []hit
	for i := 0; i+n <= len(lines); i++ {
		if lines[i+probe] != old[probe] || !slices.Equal(lines[i:i+n], old) {
			continue
		}
		if !f.admits(h, l.doc.lines[i:i+n], l.block.signed()) {
			continue
		}
		out = append(out, consecutive(i, n))
	}
	return out
}

// lines is the doc in f's string space, made once.
func (l *locator) lines(f folding) []string {
	if f.fold == nil {
		return l.doc.lines
	}
	if folded, ok := l.folded[f.tier]; ok {
		return folded
	}
	folded := make([]string, len(l.doc.lines))
	for i, line := range l.doc.lines {
		folded[i] = f.fold(line)
	}
	if l.folded == nil {
		l.folded = map[Tier][]string{}
	}
	l.folded[f.tier] = folded
	return folded
}

// rarest guesses which line is the least common in a file: the longest one.
func rarest(lines []string) int {
	best := 0
	for i, line := range lines {
		if len(line) > len(lines[best]) {
			best = i
		}
	}
	return best
}

func consecutive(start, n int) hit {
	at := make([]int, n)
	for i := range at {
		at[i] = start + i
	}
	return hit{at}
}

// admits judges the indentation of lines that are equal without it.
func (f folding) admits(h hunk, file []string, signed bool) bool {
	switch f.tier {
	case TierPrefix:
		return signed && lostPrefix(h, file)
	case TierIndent:
		return uniformShift(h.old, file)
	}
	return true
}

// lostPrefix reports whether the file's lines are the old lines, but for a space
// that context lines lack: it was taken for their sign.
func lostPrefix(h hunk, file []string) bool {
	for i, text := range h.old {
		if blank(text) {
			continue
		}
		have, want := indentOf(text), indentOf(file[i])
		if have != want && (h.ops[i] != Keep || " "+have != want) {
			return false
		}
	}
	return true
}

// uniformShift reports whether the file's lines are the old lines all indented
// by one more prefix, or all by one less.
func uniformShift(old, file []string) bool {
	var more, less string
	first := true
	for i := range old {
		if blank(old[i]) {
			continue
		}
		a, b := indentOf(old[i]), indentOf(file[i])
		up, isUp := strings.CutSuffix(b, a)
		down, isDown := strings.CutSuffix(a, b)
		switch {
		case !isUp && !isDown:
			return false
		case first:
			first = false
			if isUp {
				more = up
			} else {
				less = down
			}
		case isUp && up == more && less == "":
		case isDown && down == less && more == "":
		default:
			return false
		}
	}
	return true
}

// choose selects one of the hits, or refuses.
func (l *locator) choose(v variant, tier Tier, hits []hit) (place, *Error) {
	context, err := l.contexts(v, tier)
	if err != nil {
		return place{}, err
	}
	if len(hits) > 1 {
		hits = l.narrow(v, hits, context)
	}
	if len(hits) > 1 {
		return place{}, l.ambiguous(hits)
	}
	return place{hit: hits[0], variant: v, tier: tier}, nil
}

// narrow keeps the hits that the block itself selects, by its end of file, its
// context, its line hint or its order in the file.
func (l *locator) narrow(v variant, hits []hit, context []int) []hit {
	if l.block.AtEnd {
		last := hits[len(hits)-1]
		if _, to := last.span(); to == len(l.doc.lines) {
			return []hit{last}
		}
	}
	if distinctive(v.old) > 0 {
		if under := l.below(hits, context); len(under) > 0 {
			hits = under
		}
	}
	if hint := max(l.block.LineHint, v.hint); hint > 0 && len(hits) > 1 {
		if near, ok := nearest(hits, l.doc.current(hint)); ok {
			return []hit{near}
		}
	}
	if l.block.sorted && len(hits) > 1 && l.doc.cursor > 0 {
		after := slices.DeleteFunc(slices.Clone(hits), func(h hit) bool {
			from, _ := h.span()
			return from < l.doc.cursor
		})
		if len(after) > 0 {
			hits = after
		}
	}
	return hits
}

// below keeps, for every context line, the hits in the code that it heads, or
// else all below it.
func (l *locator) below(hits []hit, context []int) []hit {
	var out []hit
	for _, c := range context {
		end, inside := l.scopeEnd(c), false
		for _, h := range hits {
			from, to := h.span()
			if from < c || from == c && to <= c+1 {
				continue
			}
			if inside && from >= end {
				break
			}
			inside = inside || from < end
			if !slices.ContainsFunc(out, func(o hit) bool { return o.at[0] == h.at[0] }) {
				out = append(out, h)
			}
		}
	}
	return out
}

// scopeEnd is the first line below line at that is indented no deeper, and does
// not begin by closing what was opened.
func (l *locator) scopeEnd(at int) int {
	depth := len(indentOf(l.doc.lines[at]))
	for i := at + 1; i < len(l.doc.lines); i++ {
		line := l.doc.lines[i]
		if !blank(line) && len(indentOf(line)) <= depth && !strings.ContainsRune(")]}>", rune(strings.TrimSpace(line)[0])) {
			return i
		}
	}
	return len(l.doc.lines)
}

// maxDrift is how far a line hint may be off, in lines.
const maxDrift = 200

// nearest picks the hit nearest to a hinted line, if it is clearly nearer than
// the next: models count lines badly.
func nearest(hits []hit, line int) (hit, bool) {
	distance := func(h hit) int {
		from, _ := h.span()
		return max(from-line, line-from)
	}
	sorted := slices.Clone(hits)
	slices.SortStableFunc(sorted, func(a, b hit) int { return distance(a) - distance(b) })
	first, second := distance(sorted[0]), distance(sorted[1])
	return sorted[0], first <= maxDrift && first*2 <= second && first < second
}

// contexts lists the lines at which the block's @@ context stands; of nested
// contexts those of the inner one below the outer. A context that is nowhere
// means that the block does not match this file, unless the changed lines alone
// are distinctive enough to find them.
func (l *locator) contexts(v variant, tier Tier) ([]int, *Error) {
	var lines []int
	for depth, text := range l.block.Context {
		found := l.contextLines(text)
		if len(found) == 0 {
			if l.block.git || tier == TierExact && distinctive(v.old) >= fuzzyLines {
				return nil, nil
			}
			return nil, l.block.refuse(CodeNotFound, "its context line %q is not in the file", short(text))
		}
		if depth > 0 {
			outer := lines[0]
			below := slices.DeleteFunc(slices.Clone(found), func(i int) bool { return i <= outer })
			if len(below) > 0 {
				found = below
			}
		}
		lines = found
	}
	return lines, nil
}

// contextPart is how long a context line must be to count inside another line.
const contextPart = 8

// contextLines finds a context line: as a whole line if one is equal to it, else
// as the start of a longer line, or inside one if it is long enough to be
// distinctive.
func (l *locator) contextLines(text string) []int {
	fold := punctuation
	want := fold.fold(text)
	var whole, starts []int
	for i, line := range l.lines(fold) {
		if line == want {
			whole = append(whole, i)
		} else if strings.HasPrefix(line, want) || len(want) >= contextPart && strings.Contains(line, want) {
			starts = append(starts, i)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return starts
}

// distinctive counts the lines with enough content to identify a place.
func distinctive(lines []string) int {
	n := 0
	for _, line := range lines {
		if len(strings.TrimSpace(line)) > 3 {
			n++
		}
	}
	return n
}

// notFound makes the error for a missing text; it shows the line of the file
// that is most similar to the searched one.
func (l *locator) notFound(h hunk) *Error {
	sought := ""
	for i, text := range h.old {
		if !blank(text) && (sought == "" || h.ops[i] == Remove) {
			sought = text
			if h.ops[i] == Remove {
				break
			}
		}
	}
	message := fmt.Sprintf("%q is not in the file", short(sought))
	if line, text, ok := l.mostLike(sought); ok {
		message += fmt.Sprintf("; the nearest is line %d: %q", line+1, short(text))
	}
	return l.block.refuse(CodeNotFound, "%s", message)
}

// mostLike is the line of the doc most similar to text, if any is at all.
func (l *locator) mostLike(text string) (line int, found string, ok bool) {
	const enough = 0.6
	want := foldUnicode(text)
	best := enough
	c := &comparer{left: fuzzyCells}
	for i, candidate := range l.doc.lines {
		if s := c.similarity(want, foldUnicode(candidate)); s > best {
			best, line, found, ok = s, i, candidate, true
		}
	}
	return line, found, ok
}

func lineList(hits []hit) string {
	const most = 10
	var s strings.Builder
	for i, h := range hits {
		if i == most {
			fmt.Fprintf(&s, " and %d more", len(hits)-most)
			break
		}
		if i > 0 {
			s.WriteString(", ")
		}
		from, _ := h.span()
		fmt.Fprintf(&s, "%d", from+1)
	}
	return s.String()
}
