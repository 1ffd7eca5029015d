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
	for _, kv := range g.higher[:min(len(g.higher), maxNeighbours)] {
		for _, value := range renamed(g.text(kv.Value), g.text(kv.Key), m.name) {
			g.add(m, rank, value, kindContinued)
		}
	}
	if len(g.higher) == 0 {
		return
	}
	before := ""
	if len(g.higher) > 1 {
		before = g.text(g.higher[1].Value)
	}
	if value, ok := next(before, g.text(g.higher[0].Value)); ok {
		g.add(m, rank, value, kindContinued)
	}
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
