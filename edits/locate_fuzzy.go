package edits

import (
	"cmp"
	"maps"
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

// similar lists the places where most of the hunk's lines have a similar line, in order.
// Every removed line must have one; a context line may be missing, and the file may have
// lines more, but not inside what is removed.
func (l *locator) similar(h hunk) []hit {
	old, file := similarity.all(h.old), l.lines(similarity)
	content := 0
	for _, text := range old {
		if text != "" {
			content++
		}
	}
	if content < fuzzyLines {
		return nil
	}
	var out []hit
	c := &comparer{left: fuzzyCells}
	for _, start := range starts(old, file) {
		slack := 2 + len(old)/5
		from, to := max(start-slack, 0), min(start+len(old)+slack, len(file))
		if from >= to || len(old)*(to-from) > alignCells {
			continue
		}
		at := c.align(old, file[from:to])
		for i := range at {
			if at[i] >= 0 {
				at[i] += from
			}
		}
		if acceptable(at, h.ops, old) && !slices.ContainsFunc(out, func(o hit) bool { return slices.Equal(o.at, at) }) {
			out = append(out, hit{at})
		}
	}
	slices.SortFunc(out, func(a, b hit) int {
		i, _ := a.span()
		j, _ := b.span()
		return i - j
	})
	return out
}

// unsettled refuses a place that leaves open what the hunk does there: a line
// without sign that the file does not have may be context or an addition, and
// where the file has lines that the hunk leaves out, nothing shows on which side of
// them a change belongs.
func (l *locator) unsettled(p place) *Error {
	last, lastLine, k := -1, 0, 0
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
		case l.block.signed() && line.Op == Keep && i > 0 && p.lines[i-1].Op == Remove && line.Text != l.doc.lines[at] && " "+line.Text != l.doc.lines[at]:
			return l.block.refuse(CodeAmbiguous, "%q is not as in the file; behind what is removed it may be context, or an added line that lost its sign", short(line.Text))
		case last >= 0 && at > last+1 && p.changesAround(lastLine, i):
			return l.block.refuse(CodeAmbiguous, "the file has lines at %d that it leaves out, beside a change", last+2)
		}
		last, lastLine = at, i
	}
	return nil
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

// commonLine is how often a line may occur in the file and still indicate a place.
const commonLine = 8

// starts lists where in the file the old lines may begin, judged by the lines that both
// have: each votes for the start that fits its own position, common ones only if no others
// do. Starts with less than half of the most votes are left out.
func starts(old, file []string) []int {
	where := map[string][]int{}
	for i, text := range file {
		where[text] = append(where[text], i)
	}
	votes, best := map[int]int{}, 0
	for _, most := range []int{commonLine, len(file)} {
		for i, text := range old {
			if at := where[text]; text != "" && len(at) <= most {
				for _, j := range at {
					votes[j-i]++
				}
			}
		}
		if len(votes) > 0 {
			break
		}
	}
	for _, n := range votes {
		best = max(best, n)
	}
	out := slices.Collect(maps.Keys(votes))
	out = slices.DeleteFunc(out, func(start int) bool { return votes[start]*2 < best })
	slices.SortFunc(out, func(a, b int) int { return cmp.Or(votes[b]-votes[a], a-b) })
	return out[:min(len(out), fuzzyStarts)]
}

// The costs of an alignment, in the proportions that streaming matchers use.
const (
	costSimilar = 1
	costExtra   = 3  // the file has a line that the hunk lacks
	costMissing = 10 // the hunk has a line that the file lacks; blank ones cost as similar ones
)

// align returns, for each old line, its partner in window or -1, by the cheapest alignment,
// which may begin and end anywhere in the window.
func (c *comparer) align(old, window []string) []int {
	const pair, extra, missing = 'p', 'e', 'm'
	width := len(window) + 1
	cost, step := make([]int32, (len(old)+1)*width), make([]byte, (len(old)+1)*width)
	for i, text := range old {
		gap := int32(costMissing)
		if text == "" {
			gap = costSimilar
		}
		cost[(i+1)*width] = cost[i*width] + gap
		for j, line := range window {
			at := (i+1)*width + j + 1
			cost[at], step[at] = cost[at-width]+gap, missing
			if cost[at-1]+costExtra < cost[at] {
				cost[at], step[at] = cost[at-1]+costExtra, extra
			}
			if same := text == line; same || c.sameLine(text, line) {
				with := cost[at-width-1]
				if !same {
					with += costSimilar
				}
				if with <= cost[at] {
					cost[at], step[at] = with, pair
				}
			}
		}
	}
	last := cost[len(old)*width:]
	j := slices.Index(last, slices.Min(last))
	at := make([]int, len(old))
	for i := len(old); i > 0; {
		switch step[i*width+j] {
		case pair:
			i, j = i-1, j-1
			at[i] = j
		case extra:
			j--
		default:
			i--
			at[i] = -1
		}
	}
	return at
}

// acceptable checks an alignment against the thresholds.
func acceptable(partners []int, ops []Op, old []string) bool {
	matched, wanted, last := 0, 0, -1
	for i, at := range partners {
		if at < 0 {
			if ops[i] == Remove && old[i] != "" {
				return false // a removed line that the file does not have
			}
			if old[i] != "" {
				wanted++
			}
			continue
		}
		if last >= 0 && at > last+1 {
			if ops[i] == Remove && ops[i-1] == Remove {
				return false // the file has lines between removed ones that the hunk does not contain
			}
			wanted += at - last - 1
		}
		matched, wanted, last = matched+1, wanted+1, at
	}
	return matched > 0 && float64(matched) >= similarHunk*float64(wanted)
}

// A comparer compares lines by their letters, within a budget.
type comparer struct{ left int }

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
	return c.similarity(a, b) >= similarLine
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
