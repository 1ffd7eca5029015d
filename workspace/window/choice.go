package window

import (
	"slices"
	"strings"

	"tandem/workspace/redact"
)

// A choice is some lines of a file that the window shows.
type choice struct {
	first, last int // lines of the file, before blank ones at the start are left out
	kind        FragmentKind
	reason      string
	named       bool        // the user's words name it: it stays what it is
	related     bool        // the reason holds of all that contains it, and is better than a resemblance
	text        redact.Text // ready to follow any other
	skipped     int         // blank lines left out at the start
	tokens      int
	gap         int  // what was taken for the borders of its text
	cut         bool // its definition goes on in the next choice, with lines left out
}

// choices are the lines chosen so far. No line of a file is chosen twice.
type choices struct {
	files   map[string][]choice // by path, in the order of lines
	paths   []string            // in the order in which they were chosen
	section section             // shows them
}

// choose adds lines of a file, whole lines from first on, if they fit into most
// tokens and into what is left. Lines that are shown already, by the region
// or by another choice, are left out; smaller choices inside new ones are
// replaced by them. It returns what was taken from the budget.
func (b *builder) choose(path string, c choice, most int) (taken int, ok bool) {
	if r := b.region.lines; path == b.region.path {
		if c.first < r.first && c.last > r.last {
			below := c
			if below.outside(c.first, r.last) {
				taken, ok = b.choose(path, below, most)
			}
			c.last, c.text = r.first-1, headLines(c.text, r.first-c.first)
			above, okAbove := b.choose(path, c, most-taken)
			return taken + above, ok || okAbove
		}
		if !c.outside(r.first, r.last) {
			return 0, false
		}
	}
	list := b.chosen.files[path]
	for i := range list {
		old := &list[i]
		around := c.first <= old.first && old.last <= c.last
		if old.first <= c.first && c.last <= old.last && c.related && !old.related && !old.named {
			old.kind, old.reason, old.related = c.kind, c.reason, true
		}
		if old.first <= c.first && c.last <= old.last || (!around || old.named) && !c.outside(old.first, old.last) {
			return 0, false
		}
	}
	from := 0
	for from < len(list) && list[from].last < c.first {
		from++
	}
	to, refund := from, 0
	for to < len(list) && list[to].first <= c.last {
		switch old := list[to]; {
		case old.related && !c.related:
			c.kind, c.reason, c.related = old.kind, old.reason, true
		case old.related && !strings.Contains(c.reason, old.reason):
			c.reason += "; " + old.reason
		}
		refund += list[to].tokens + list[to].gap
		to++
	}
	if b.numbered {
		c.text = numberLines(c.first, c.text)
	}
	c.text, c.skipped = body(c.text)
	c.tokens = b.costs.count(c.text.String())
	if c.text.Len() == 0 {
		return 0, false
	}
	s := &b.chosen.section
	c.gap = gapCost + b.costs.mostBorder(c.text.String())
	taken = c.tokens - refund + c.gap
	if len(list) == 0 {
		taken += b.costs.count(b.title(s, path).String())
	}
	if taken > most || taken > b.left {
		return 0, false
	}
	b.left -= taken
	if len(list) == 0 {
		b.chosen.paths = append(b.chosen.paths, path)
	}
	b.chosen.files[path] = slices.Replace(list, from, to, c)
	return taken, true
}

// numberLines puts the line number before every line that is not blank, for
// answers that name places.
func numberLines(first int, text redact.Text) redact.Text {
	var out []redact.Text
	for line := range text.Lines() {
		if strings.TrimSpace(line.String()) != "" {
			line = redact.Format("%s\t%s", redact.Int(first), line)
		}
		out = append(out, line)
		first++
	}
	return redact.Join("", out...)
}

// outside trims a choice to its lines outside a range, above it where there are
// some; it is false when none is left.
func (c *choice) outside(first, last int) bool {
	switch {
	case c.last < first || c.first > last:
		return true
	case c.first < first:
		c.text = headLines(c.text, first-c.first)
		c.last = first - 1
		return true
	case c.last > last:
		c.text = c.text.Slice(headLines(c.text, last+1-c.first).Len(), c.text.Len())
		c.first = last + 1
		return c.text.Len() > 0
	}
	return false
}

// headLines is the first n lines of text.
func headLines(text redact.Text, n int) redact.Text {
	end := 0
	for range n {
		i := strings.IndexByte(text.String()[end:], '\n')
		if i < 0 {
			return text
		}
		end += i + 1
	}
	return text.Slice(0, end)
}

// shows reports whether a choice or the region shows a line.
func (b *builder) shows(path string, line int) bool {
	if r := b.region.lines; path == b.region.path && r.first <= line && line <= r.last {
		return true
	}
	for _, c := range b.chosen.files[path] {
		if c.first <= line && line <= c.last {
			return true
		}
	}
	return false
}

// gapCost is what stands between two choices of a file, in tokens at most: a blank line or
// gapMark.
const gapCost = 1

// putChoices puts the choices into their section, by path and line; in a window for typing,
// the file chosen first stands last, next to the text before the place. Similar code with
// nothing but blank lines between is put together; elsewhere a blank line or, inside one
// definition, a mark shows that lines are left out.
func (b *builder) putChoices() {
	s := &b.chosen.section
	paths := slices.Clone(b.chosen.paths)
	switch {
	case b.typing:
		slices.Reverse(paths)
	case !b.ranked:
		slices.Sort(paths)
	}
	for _, path := range paths {
		list := b.join(path, b.chosen.files[path])
		for i := range list {
			c := &list[i]
			first := c.first + c.skipped
			last := max(first, first+countLines(c.text.String())-1)
			above := b.title(s, path).String()
			if i > 0 {
				above = list[i-1].text.String()
			}
			if i > 0 && list[i-1].cut {
				s.gaps = append(s.gaps, len(s.fragments))
				above = gapMark
			}
			more := b.costs.border(above, c.text.String())
			b.left += c.gap - more
			if i+1 < len(list) {
				b.part(path, c, &list[i+1])
			}
			s.fragments = append(s.fragments, Fragment{Path: path, StartLine: first, EndLine: last, Tokens: c.tokens + more, Kind: c.kind, Reason: c.reason, Text: c.text})
		}
	}
}

// part shows where x ends and y, the next choice of the file, begins.
func (b *builder) part(path string, x, y *choice) {
	between, blank := b.between(path, x, y)
	switch {
	case between == 0 || b.left < gapCost:
		return
	case !blank && !b.numbered && b.sameDefinition(path, x, y):
		b.left -= b.costs.count(gapMark)
		x.cut = true
		return
	}
	text := redact.Format("%s\n", x.text)
	if count := b.costs.count(text.String()); count-x.tokens <= b.left {
		b.left -= count - x.tokens
		x.text, x.tokens = text, count
	}
}

// sameDefinition reports whether two choices are inside the same definition.
func (b *builder) sameDefinition(path string, x, y *choice) bool {
	id, ok := b.folder.ix.FileID(path)
	if !ok || path != b.folder.ix.Path(id) {
		return false
	}
	above, ok := b.folder.holder(id, x.last)
	below, also := b.folder.holder(id, y.first+y.skipped)
	return ok && also && above.id == below.id
}

// between is how many lines are between two choices; blank reports whether those are
// a few blank ones.
func (b *builder) between(path string, x, y *choice) (lines int, blank bool) {
	lines = max(0, y.first+y.skipped-x.last-1)
	if lines == 0 || lines > mostBlank {
		return lines, lines == 0
	}
	f := b.folder.file(path)
	return lines, f != nil && strings.TrimSpace(f.Raw(x.last+1, x.last+lines)) == ""
}

// mostBlank is how many blank lines may be between fragments that belong together.
const mostBlank = 2

// join makes one choice of each row of similar code with nothing but blank lines between.
func (b *builder) join(path string, list []choice) []choice {
	var out []choice
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end-1].plain() && list[end].plain() {
			if _, blank := b.between(path, &list[end-1], &list[end]); !blank {
				break
			}
			end++
		}
		if c, ok := b.one(path, list[i:end]); ok {
			out = append(out, c)
		} else {
			out = append(out, list[i:end]...)
		}
		i = end
	}
	return out
}

// plain reports whether a choice is lines of similar code as they stand.
func (c *choice) plain() bool {
	return c.kind == FragmentCode && !c.related && !c.named && countLines(c.text.String()) == c.last-c.first-c.skipped+1
}

// one makes one choice of a row, if the lines between fit as well.
func (b *builder) one(path string, row []choice) (choice, bool) {
	if len(row) == 1 {
		return choice{}, false
	}
	f := b.folder.file(path)
	if f == nil {
		return choice{}, false
	}
	x, last := row[0], row[len(row)-1].last
	text := b.secrets.Lines(f, x.first, last)
	if b.numbered {
		text = numberLines(x.first, text)
	}
	text, skipped := body(text)
	count := b.costs.count(text.String())
	free, most := 0, 0
	for _, y := range row {
		free += y.tokens + y.gap
		if y.tokens > most && y.reason != unshared {
			most, x.reason = y.tokens, y.reason
		}
	}
	gap := b.costs.mostBorder(text.String())
	if count+gap > free+b.left || skipped != x.skipped || countLines(text.String()) != last-x.first-skipped+1 {
		return choice{}, false
	}
	b.left += free - count - gap
	x.last, x.text, x.tokens, x.gap = last, text, count, gap
	return x, true
}
