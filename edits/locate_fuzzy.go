package edits

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// similarLine is how similar two lines must be to count as the same line.
	similarLine = 0.8
	// similarHunk is the share of lines that must have a partner.
	similarHunk = 0.8
	// fuzzyLines is how many lines with content a hunk needs before similar lines
	// are enough: with fewer, a near match looks the same as a different place.
	fuzzyLines = 3
	// fuzzyStarts bounds how many places are aligned.
	fuzzyStarts = 32
	// alignCells bounds the table of one alignment of lines.
	alignCells = 1 << 20
	// fuzzyCells bounds what comparing the letters of lines may cost for one
	// block, as letters of one line times letters of the other. Lines whose
	// comparison would exceed it count as different.
	fuzzyCells = 1 << 25
)

// fuzzy lists the places where most of the hunk's lines have a similar line,
// in order. Every removed line must have one; a context line may be missing,
// and the file may have lines more, but not inside what is removed.
func (l *locator) fuzzy(h hunk) []hit {
	unicodeFold := punctuation
	old := make([]string, len(h.old))
	content := 0
	for i, text := range h.old {
		old[i] = unicodeFold.fold(text)
		if len(old[i]) > 0 {
			content++
		}
	}
	if content < fuzzyLines {
		return nil
	}
	file := l.lines(unicodeFold)
	var out []hit
	c := &comparer{left: fuzzyCells}
	for _, start := range starts(old, file) {
		found, ok := c.alignFuzzy(h.ops, old, file, start)
		if ok && !slices.ContainsFunc(out, func(o hit) bool { return slices.Equal(o.at, found.at) }) {
			out = append(out, found)
		}
	}
	slices.SortFunc(out, func(a, b hit) int {
		i, _ := a.span()
		j, _ := b.span()
		return i - j
	})
	return out
}

// similar reports whether all of the hunk's lines have similar ones from a line on.
func (l *locator) similar(h hunk, start int) bool {
	return slices.ContainsFunc(l.fuzzy(h), func(found hit) bool {
		from, _ := found.span()
		return from == start && !slices.Contains(found.at, -1)
	})
}

// unsettled refuses a place that leaves open what the hunk does there: a line
// without sign that the file does not have may be context or an addition, and
// where the file has lines that the hunk leaves out, nothing shows on which side of
// them a change belongs.
func (l *locator) unsettled(p place) *Error {
	last, lastLine, k := -1, 0, 0
	c := &comparer{left: fuzzyCells}
	for i, line := range p.lines {
		if line.Op == Add {
			continue
		}
		at := p.at[k]
		k++
		switch {
		case at >= 0 && line.Op == Remove && l.block.signed() && strings.TrimSpace(l.doc.lines[at]) == strings.TrimSpace("-"+line.Text):
			return l.block.refuse(CodeAmbiguous, "%q is a line of the file with its sign, so it may be context that lost its own", short("-"+line.Text))
		case at < 0 && line.Op == Remove:
			return l.block.refuse(CodeAmbiguous, "it removes a blank line that is not there")
		case at < 0 && l.block.signed() && !blank(line.Text):
			return l.block.refuse(CodeParse, "%q has no sign before it and is not in the file; it may be context or an added line", short(line.Text))
		case at < 0:
			continue
		case l.block.signed() && i > 0 && replaces(p.lines[i-1], line, l.doc.lines[at]):
			return l.block.refuse(CodeAmbiguous, "%q is not indented as in the file, but as what is removed before it; it may be context, or an added line that lost its sign", short(line.Text))
		case l.block.signed() && line.Op == Keep && c.resemblesRemoved(p.lines[:i], line.Text, l.doc.lines[at]):
			return l.block.refuse(CodeAmbiguous, "%q is more like what is removed before it than like the file; it may be context, or an added line that lost its sign", short(line.Text))
		case last >= 0 && at > last+1 && p.changesAround(lastLine, i):
			return l.block.refuse(CodeAmbiguous, "the file has lines at %d that it leaves out, beside a change", last+2)
		}
		last, lastLine = at, i
	}
	return nil
}

// replaces reports whether a line without sign that follows a removed one is indented as
// that, if the sign is counted, and not as the line of the file that it may be.
func replaces(removed, bare Line, file string) bool {
	as := indentOf(" " + bare.Text)
	return removed.Op == Remove && bare.Op == Keep && !blank(bare.Text) && as == indentOf(removed.Text) &&
		as != indentOf(file) && indentOf(bare.Text) != indentOf(file)
}

// resemblesRemoved reports whether a line without sign is more like one of the lines that
// are removed directly before it than like the line of the file that it may be.
func (c *comparer) resemblesRemoved(before []Line, text, file string) bool {
	text = strings.TrimSpace(text)
	as := c.similarity(text, strings.TrimSpace(file))
	for i := len(before) - 1; i >= 0 && before[i].Op == Remove; i-- {
		if c.similarity(text, strings.TrimSpace(before[i].Text)) > as {
			return true
		}
	}
	return false
}

// changesAround reports whether something is added between two lines of the hunk or
// beside them, or a blank line removed, or a line that is added elsewhere: as far as the
// next kept line that has letters.
func (p place) changesAround(from, to int) bool {
	weak := func(l Line) bool { return l.Op == Remove || l.Op == Keep && letters(l.Text) < fewLetters }
	for from > 0 && weak(p.lines[from]) {
		from--
	}
	for to+1 < len(p.lines) && weak(p.lines[to]) {
		to++
	}
	return slices.ContainsFunc(p.lines[from:to+1], func(l Line) bool {
		return l.Op == Add || l.Op == Remove && (blank(l.Text) || slices.Contains(p.lines, Line{Add, l.Text}))
	})
}

// commonLine is how often a line may occur in the file and still indicate a
// place.
const commonLine = 8

// starts lists where in the file the old lines may begin, judged by the lines
// that both have: each votes for the start that fits its own position. Lines
// that occur in many places vote only if no others do.
func starts(old, file []string) []int {
	where := map[string][]int{} // the lines of the file that are equal to an old line
	for _, text := range old {
		if text != "" {
			where[text] = nil
		}
	}
	for j, text := range file {
		if at, ok := where[text]; ok {
			where[text] = append(at, j)
		}
	}
	votes := vote(old, where, commonLine)
	if len(votes) == 0 {
		votes = vote(old, where, len(file))
	}
	return mostVoted(votes)
}

func vote(old []string, where map[string][]int, most int) map[int]int {
	votes := map[int]int{}
	for i, text := range old {
		if at := where[text]; len(at) <= most {
			for _, j := range at {
				votes[j-i]++
			}
		}
	}
	return votes
}

// mostVoted is the starts that have at least half as many votes as the first.
func mostVoted(votes map[int]int) []int {
	best := 0
	for _, n := range votes {
		best = max(best, n)
	}
	var out []int
	for start, n := range votes {
		if n*2 >= best {
			out = append(out, start)
		}
	}
	slices.SortFunc(out, func(a, b int) int {
		if votes[a] != votes[b] {
			return votes[b] - votes[a]
		}
		return a - b
	})
	return out[:min(len(out), fuzzyStarts)]
}

// The costs of an alignment, in the proportions that streaming matchers use.
const (
	costSimilar = 1
	costExtra   = 3  // the file has a line that the hunk lacks
	costMissing = 10 // the hunk has a line that the file lacks
)

// alignFuzzy aligns the old lines with the file around start by a line DP.
func (c *comparer) alignFuzzy(ops []Op, old, file []string, start int) (hit, bool) {
	slack := 2 + len(old)/5
	from, to := max(start-slack, 0), min(start+len(old)+slack, len(file))
	if from >= to || len(old)*(to-from) > alignCells {
		return hit{}, false
	}
	window := file[from:to]
	at := c.alignLines(old, window)
	for i := range at {
		if at[i] >= 0 {
			at[i] += from
		}
	}
	h := hit{at}
	return h, acceptable(h, ops, old)
}

// alignLines returns, for each old line, its partner in window or -1. The
// alignment may begin and end anywhere in the window.
func (c *comparer) alignLines(old, window []string) []int {
	width := len(window) + 1
	cost := make([]int32, (len(old)+1)*width)
	for i := 1; i <= len(old); i++ {
		cost[i*width] = cost[(i-1)*width] + missing(old[i-1])
		for j := 1; j <= len(window); j++ {
			best := min(cost[(i-1)*width+j]+missing(old[i-1]), cost[i*width+j-1]+costExtra)
			if pair, ok := c.pairCost(old[i-1], window[j-1]); ok {
				best = min(best, cost[(i-1)*width+j-1]+pair)
			}
			cost[i*width+j] = best
		}
	}
	j := 0
	for k := 1; k < width; k++ {
		if cost[len(old)*width+k] < cost[len(old)*width+j] {
			j = k
		}
	}
	return c.backtrack(cost, old, window, j)
}

func (c *comparer) backtrack(cost []int32, old, window []string, j int) []int {
	width := len(window) + 1
	at := make([]int, len(old))
	for i := len(old); i > 0; {
		here := cost[i*width+j]
		if j > 0 {
			if pair, ok := c.pairCost(old[i-1], window[j-1]); ok && here == cost[(i-1)*width+j-1]+pair {
				i, j = i-1, j-1
				at[i] = j
				continue
			}
		}
		if here == cost[(i-1)*width+j]+missing(old[i-1]) {
			i--
			at[i] = -1
			continue
		}
		j--
	}
	return at
}

// missing is what leaving an old line out costs; blank lines cost little, since
// models add and drop them.
func missing(line string) int32 {
	if line == "" {
		return costSimilar
	}
	return costMissing
}

func (c *comparer) pairCost(a, b string) (int32, bool) {
	if a == b {
		return 0, true
	}
	if !c.sameLine(a, b) {
		return 0, false
	}
	return costSimilar, true
}

// acceptable checks an alignment against the thresholds.
func acceptable(h hit, ops []Op, old []string) bool {
	matched, wanted, last := 0, 0, -1
	for i, at := range h.at {
		if at < 0 {
			if ops[i] == Remove && old[i] != "" {
				return false // a removed line that the file does not have
			}
			if old[i] != "" {
				wanted++
			}
			continue
		}
		wanted++
		matched++
		if last >= 0 && at > last+1 {
			if ops[i] == Remove && ops[i-1] == Remove {
				return false // the file has lines between removed ones that the hunk does not contain
			}
			wanted += at - last - 1
		}
		last = at
	}
	return matched > 0 && float64(matched) >= similarHunk*float64(wanted)
}

// A comparer compares lines by their letters and remembers what that costs.
type comparer struct {
	left int                // of its budget
	seen map[[2]string]bool // the lines compared
}

// fewLetters is how many letters and digits a line needs before a similar one may
// be the same: of a line of signs, each sign is most of what it says.
const fewLetters = 4

// sameLine reports whether two different lines are the same line with errors in
// the model's copy. Lines that differ in a number are not: they are usually
// different entries of one list.
func (c *comparer) sameLine(a, b string) bool {
	if letters(a) < fewLetters || letters(b) < fewLetters {
		return false
	}
	if float64(min(len(a), len(b))) < similarLine*float64(max(len(a), len(b))) || !sameDigits(a, b) {
		return false
	}
	pair := [2]string{a, b}
	same, known := c.seen[pair]
	if !known {
		same = c.similarity(a, b) >= similarLine
		if c.seen == nil {
			c.seen = map[[2]string]bool{}
		}
		c.seen[pair] = same
	}
	return same
}

// letters counts letters and digits, up to fewLetters.
func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if n++; n == fewLetters {
				break
			}
		}
	}
	return n
}

func sameDigits(a, b string) bool {
	i, j := nextDigit(a, 0), nextDigit(b, 0)
	for i < len(a) && j < len(b) && a[i] == b[j] {
		i, j = nextDigit(a, i+1), nextDigit(b, j+1)
	}
	return i == len(a) && j == len(b)
}

func nextDigit(s string, from int) int {
	for from < len(s) && (s[from] < '0' || s[from] > '9') {
		from++
	}
	return from
}

// maxCompared bounds the length of what similarity compares in full.
const maxCompared = 600

// similarity is 1 minus the edit distance over the length of the longer text.
func (c *comparer) similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	short, long := min(len(a), len(b)), max(len(a), len(b))
	if short == 0 || float64(short) < 0.5*float64(long) {
		return 0
	}
	p := CommonPrefix(a, b)
	for p > 0 && p < len(a) && !utf8.RuneStart(a[p]) {
		p--
	}
	a, b = a[p:], b[p:]
	s := CommonSuffix(a, b)
	a, b = a[:len(a)-s], b[:len(b)-s]
	if len(a) > maxCompared || len(b) > maxCompared || len(a)*len(b) > c.left {
		return 0
	}
	c.left -= len(a) * len(b)
	return 1 - float64(Distance(a, b, max(len(a), len(b))))/float64(long)
}
