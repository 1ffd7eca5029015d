package obvious

import (
	"slices"
	"strconv"
	"strings"

	"tandem/model/local/source"
)

// maxNeighbours is how many of the values above one are continued.
const maxNeighbours = 4

// continued adds the values that continue those above: the value of a neighbour with the
// field's name where that has its own, and numbers that grow as they do from field to field.
func (g *fieldGatherer) continued(m member, rank int) {
	for i, kv := range g.higher[:min(len(g.higher), maxNeighbours)] {
		for _, value := range renamed(g.text(kv.Value), g.text(kv.Key), m.name) {
			o := g.add(m, rank, value, kindContinued)
			o.evidence[featContinued] = float64(i + 1)
		}
	}
	if value, ok := g.grown(0); ok {
		g.add(m, rank, value, kindContinued).evidence[featContinued] = 1
	}
}

// grown is the value that follows the one at a place above in a series of numbers.
func (g *fieldGatherer) grown(at int) (string, bool) {
	if at >= len(g.higher) {
		return "", false
	}
	before := ""
	if at+1 < len(g.higher) {
		before = g.text(g.higher[at+1].Value)
	}
	return next(before, g.text(g.higher[at].Value))
}

// continues is the share of the values above that continue the one before them, of the
// nearest, and how many these are.
func (g *fieldGatherer) continues() (share float64, pairs int) {
	n := 0
	for i := 0; i+1 < len(g.higher) && pairs < maxNeighbours; i++ {
		pairs++
		value, above := g.text(g.higher[i].Value), g.higher[i+1]
		grown, ok := g.grown(i + 1)
		if ok && grown == value || slices.Contains(renamed(g.text(above.Value), g.text(above.Key), g.text(g.higher[i].Key)), value) {
			n++
		}
	}
	return float64(n) / float64(max(pairs, 1)), pairs
}

// renamed are a value's texts with one field's name for another's, as the value spells it.
func renamed(value, from, to string) (out []string) {
	was, is := spellings(from), spellings(to)
	for i := range min(len(was), len(is)) {
		text, ok := replaceWord(value, was[i], is[i])
		if ok && text != value && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// spellings are the ways to write a name, in one order for all names.
func spellings(name string) []string {
	list := words(name)
	title := ""
	for _, w := range list {
		title += upperFirst(w)
	}
	snake := strings.Join(list, "_")
	return []string{name, lowerFirst(name), upperFirst(name), title, lowerFirst(title), snake, strings.ToUpper(snake), strings.Join(list, "-"), strings.Join(list, " "), strings.Join(list, "")}
}

// replaceWord replaces one word by another wherever a name or a text has it whole.
func replaceWord(text, from, to string) (string, bool) {
	if len(from) < 2 {
		return text, false
	}
	var out strings.Builder
	done := 0
	for at := 0; ; {
		i := strings.Index(text[at:], from)
		if i < 0 {
			break
		}
		start, end := at+i, at+i+len(from)
		at = end
		if start > 0 && source.IsWordByte(text[start-1]) && text[start-1] != '_' && !upper(from[0]) {
			continue
		}
		if end < len(text) && source.IsWordByte(text[end]) && text[end] != '_' && !upper(text[end]) {
			continue
		}
		out.WriteString(text[done:start] + to)
		done = end
	}
	return out.String() + text[done:], done > 0
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }

// next is the value after two that differ in numbers alone, or after one that has the
// index 0.
func next(before, value string) (string, bool) {
	a, b := numbers(before), numbers(value)
	if before == "" && len(b) == 3 && strings.HasSuffix(b[0], "[") && b[1] == "0" {
		a = []string{b[0], "-1", b[2]}
	}
	if len(a) != len(b) {
		return "", false
	}
	grows := false
	for i := range b {
		if i%2 == 0 {
			if a[i] != b[i] {
				return "", false
			}
			continue
		}
		x, err1 := strconv.Atoi(a[i])
		y, err2 := strconv.Atoi(b[i])
		if err1 != nil || err2 != nil || y < x {
			return "", false
		}
		grows = grows || y > x
		b[i] = strconv.Itoa(2*y - x)
	}
	return strings.Join(b, ""), grows
}

// numbers splits a text: every second part is a number.
func numbers(text string) []string {
	out := []string{""}
	for i := range len(text) {
		if source.IsDigit(text[i]) != (len(out)%2 == 0) {
			out = append(out, "")
		}
		out[len(out)-1] += text[i : i+1]
	}
	if len(out)%2 == 0 {
		out = append(out, "")
	}
	return out
}
