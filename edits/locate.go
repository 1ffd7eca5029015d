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

// An attempt is one reading of a block, compared by one folding.
type attempt struct {
	variant
	folding
}

// attempts lists what is tried, in order: every reading that guesses nothing as it is written, each reading by
// the foldings that compare line by line, then the two that do not.
func (l *locator) attempts() []attempt {
	readings := variants(l.block)
	plain := readings[0]
	if v, ok := l.withListItems(); ok {
		readings = append(readings, v)
	}
	var out []attempt
	for _, v := range readings {
		out = append(out, attempt{v, exact})
	}
	if h, ok := withLostSigns(l.block); ok {
		readings = append(readings, variant{hunk: h, repaired: true})
	}
	for _, v := range readings {
		for _, f := range foldings {
			out = append(out, attempt{v, f})
		}
	}
	if l.block.search {
		out = append(out, attempt{variant{hunk: withoutSharedEdges(l.block.Lines)}, squeezing})
	}
	return append(out, attempt{plain, similarity})
}

// locate returns the one place where the block fits, by the first attempt that finds it
// anywhere. It never chooses between several without a reason that the block itself gives.
func (l *locator) locate() (place, *Error) {
	if l.strict {
		return l.exactly(variants(l.block)[0])
	}
	attempts := l.attempts()
	for _, a := range attempts {
		hits := l.hits(a.hunk, a.folding)
		if len(hits) == 0 {
			continue
		}
		if a.escaped {
			a.tier = TierEscapes
		}
		p, refusal := l.choose(a.variant, a.tier, hits)
		if refusal == nil {
			refusal = l.doubtful(&p, attempts)
		}
		return p, refusal
	}
	return place{}, l.notFound(attempts[0].hunk)
}

// doubtful refuses the one place that was found if something in the block speaks against it.
func (l *locator) doubtful(p *place, attempts []attempt) *Error {
	from, to := p.span()
	switch {
	case p.tier == TierFuzzy:
		return l.unsettled(*p)
	case p.tier == TierWhitespace:
		return l.relined(p, from, to)
	case p.repaired && slices.ContainsFunc(l.similar(attempts[0].hunk), func(h hit) bool { return h.at[0] == from && !slices.Contains(h.at, -1) }):
		return l.block.refuse(CodeAmbiguous, "a line without sign among others may be context with an error, or may have lost its sign")
	case p.repaired && stepOf(l.doc.lines) == "" && slices.ContainsFunc(p.lines, func(line Line) bool { return line.Op == Add && indentOf(line.Text) != "" }):
		return l.block.refuse(CodeParse, "a line of the hunk lost its prefix, and the file has no indentation to restore the rest by")
	case l.contested(*p, attempts):
		return l.block.refuse(CodeAmbiguous, "its text is at line %s, and it says that it is elsewhere, where the text is but for its indentation", lineList([]hit{p.hit}))
	}
	return nil
}

// contested reports whether the block, found at p, also fits where it says that it
// is, but for its indentation: then either its text or what it says is wrong.
func (l *locator) contested(p place, attempts []attempt) bool {
	from, _ := p.span()
	if l.block.LineHint == 0 && len(l.block.Context) == 0 {
		return false
	}
	claimed := func(int) bool { return false }
	if at := l.doc.current(l.block.LineHint); l.block.LineHint > 0 && at != from {
		claimed = func(line int) bool { return line == at }
	} else if context, refusal := l.contexts(p.variant, p.tier); refusal == nil && !l.under(context, from) {
		claimed = func(line int) bool { return line != from && l.under(context, line) }
	}
	return slices.ContainsFunc(attempts, func(a attempt) bool {
		return a.tier == TierTrim && distinctive(a.old) > 0 &&
			slices.ContainsFunc(l.hits(a.hunk, a.folding), func(h hit) bool { start, _ := h.span(); return claimed(start) })
	})
}

// under reports whether a line is in the code that one of the context lines heads.
func (l *locator) under(context []int, line int) bool {
	return slices.ContainsFunc(context, func(c int) bool { return c <= line && line < l.scopeEnd(c) })
}

func (l *locator) ambiguous(hits []hit) *Error {
	return l.block.refuse(CodeAmbiguous, "the text it changes is at lines %s; it needs more context, or a line, to tell which is meant", lineList(hits))
}

// exactly takes the hinted line or nothing, as git does.
func (l *locator) exactly(v variant) (place, *Error) {
	at := l.doc.current(l.block.LineHint)
	for _, h := range l.hits(v.hunk, exact) {
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
	if !l.block.Idle() || !l.block.signed() || len(l.hits(h, exact)) > 0 {
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

// hits lists every place where the hunk's old lines are, compared as f compares.
func (l *locator) hits(h hunk, f folding) []hit {
	if f.tier == TierFuzzy {
		return l.similar(h)
	}
	file := l.lines(f)
	var want strings.Builder
	for _, line := range f.all(h.old) {
		want.WriteString(line + f.end)
	}
	var out []hit
	for from := range file {
		to := run(file, from, want.String(), f.end)
		if to > from && (f.admits == nil || f.admits(h, l.doc.lines[from:to], l.block.signed())) {
			out = append(out, consecutive(from, to-from))
		}
	}
	return out
}

// run is the end of the lines from a line on that make up a text, each with its end; 0 if
// they do not.
func run(lines []string, from int, want, end string) int {
	if want == "" || end == "" && lines[from] == "" {
		return 0
	}
	for to := from; to < len(lines); to++ {
		rest, ok := strings.CutPrefix(want, lines[to])
		if ok {
			want, ok = strings.CutPrefix(rest, end)
		}
		switch {
		case !ok:
			return 0
		case want == "":
			return to + 1
		}
	}
	return 0
}

// lines is the doc in f's string space, made once.
func (l *locator) lines(f folding) []string {
	if f.fold == nil {
		return l.doc.lines
	}
	if l.folded == nil {
		l.folded = map[Tier][]string{}
	}
	if l.folded[f.tier] == nil {
		l.folded[f.tier] = f.all(l.doc.lines)
	}
	return l.folded[f.tier]
}

func consecutive(start, n int) hit {
	at := make([]int, n)
	for i := range at {
		at[i] = start + i
	}
	return hit{at}
}

// relined makes a place whose lines are divided otherwise than in the file one that replaces
// the file's lines by the new ones.
func (l *locator) relined(p *place, from, to int) *Error {
	file := l.doc.lines[from:to]
	in := &indenter{step: stepOf(l.doc.lines), unit: unitOf(p.lines)}
	first := nonBlank(p.old)
	in.learn([]indentPair{{indentOf(p.old[first]), indentOf(file[0])}}, nil)
	var added []string
	for _, line := range p.lines {
		if line.Op == Remove {
			continue
		}
		text, known := in.line(line.Text)
		if !known {
			return l.notFound(p.hunk)
		}
		added = append(added, text)
	}
	p.variant = variant{hunk: newHunk(appendDiff(nil, file, added))}
	return nil
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

// below keeps the hits in the code that a context line heads, or else all below one.
func (l *locator) below(hits []hit, context []int) []hit {
	keep := func(end func(context int) int) []hit {
		return slices.DeleteFunc(slices.Clone(hits), func(h hit) bool {
			from, to := h.span()
			return !slices.ContainsFunc(context, func(c int) bool { return c <= from && to > c+1 && from < end(c) })
		})
	}
	if inside := keep(l.scopeEnd); len(inside) > 0 {
		return inside
	}
	return keep(func(int) int { return len(l.doc.lines) })
}

// scopeEnd is the first line below line at that is indented no deeper, and does
// not begin by closing what was opened. Comments and directives are indented in any way.
func (l *locator) scopeEnd(at int) int {
	depth := len(indentOf(l.doc.lines[at]))
	for i := at + 1; i < len(l.doc.lines); i++ {
		line := l.doc.lines[i]
		if blank(line) || len(indentOf(line)) > depth {
			continue
		}
		if code := strings.TrimSpace(line); strings.IndexByte(")]}>", code[0]) < 0 && !isRemark(code) && !isDirective(code) {
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
