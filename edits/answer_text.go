package edits

import (
	"fmt"
	"slices"
	"strings"
)

// literal replaces text anywhere in a file; if the exact text is not there, it
// is located by lines like any other block.
func (a *applier) literal(b *Block, d *doc) (Tier, *Error) {
	if b.Old == "" {
		return a.fill(b, d)
	}
	text := strings.Join(d.lines, "\n")
	if len(d.ends) > 0 && d.ends[len(d.ends)-1] != "" {
		text += "\n"
	}
	old := plainText(b.Old)
	found := occurrences(text, old)
	if len(found) == 0 {
		return a.literalLines(b, d)
	}
	if len(found) == 1 && !a.options.Verbatim && wholeLines(text, found[0], old, plainText(b.New)) {
		return a.literalLines(b, d)
	}
	if !b.All && len(found) > 1 {
		at, ok := a.hinted(b, d, text, found)
		if !ok {
			return "", b.refuse(CodeAmbiguous, "the old text is there %d times, at lines %s; it needs more context, or replace_all", len(found), lineList(hitsAt(text, found)))
		}
		found = []int{at}
	}
	d.replaceText(text, disjoint(found, len(old)), len(old), plainText(b.New))
	return TierExact, nil
}

// wholeLines reports whether a replacement at a place of text is one of whole
// lines by others, which is then judged as any block is.
func wholeLines(text string, at int, old, new string) bool {
	return (at == 0 || text[at-1] == '\n') && strings.HasSuffix(old, "\n") && strings.HasSuffix(new, "\n")
}

func plainText(s string) string {
	return strings.ReplaceAll(strings.TrimPrefix(s, byteOrderMark), "\r\n", "\n")
}

// occurrences lists every offset of old in text, overlapping ones too: they
// count when it must be unique.
func occurrences(text, old string) []int {
	var out []int
	for from := 0; ; {
		i := strings.Index(text[from:], old)
		if i < 0 {
			return out
		}
		out = append(out, from+i)
		from += i + 1
	}
}

// disjoint drops the occurrences that overlap an earlier one.
func disjoint(found []int, length int) []int {
	end := 0
	return slices.DeleteFunc(found, func(at int) bool {
		if at < end {
			return true
		}
		end = at + length
		return false
	})
}

// hinted picks the occurrence at the line that the block names.
func (a *applier) hinted(b *Block, d *doc, text string, found []int) (int, bool) {
	if b.LineHint == 0 {
		return 0, false
	}
	hits := hitsAt(text, found)
	near, ok := nearest(hits, d.current(b.LineHint))
	if !ok {
		return 0, false
	}
	i := slices.IndexFunc(hits, func(h hit) bool { return h.at[0] == near.at[0] })
	return found[i], true
}

// hitsAt are the lines of offsets of text.
func hitsAt(text string, offsets []int) []hit {
	out := make([]hit, len(offsets))
	for i, at := range offsets {
		out[i] = hit{[]int{strings.Count(text[:at], "\n")}}
	}
	return out
}

// replaceText replaces the old texts at the given offsets of text, which is
// the doc with plain line ends. Lines outside them keep their terminators.
func (d *doc) replaceText(text string, at []int, length int, new string) {
	first, last := at[0], at[len(at)-1]+length
	from, to := strings.Count(text[:first], "\n"), strings.Count(text[:last], "\n")
	begin, end := strings.LastIndexByte(text[:first], '\n')+1, len(text)
	if i := strings.IndexByte(text[last:], '\n'); i >= 0 {
		end = last + i
	}
	var s strings.Builder
	for _, start := range at {
		s.WriteString(text[begin:start])
		s.WriteString(new)
		begin = start + length
	}
	s.WriteString(text[begin:end])
	d.replaceLines(from, to, strings.Split(s.String(), "\n"))
}

// replaceLines replaces the lines from to to, inclusive, where to may be the
// empty line after the last terminator. The terminator of the last line stays.
func (d *doc) replaceLines(from, to int, lines []string) {
	last := ""
	if to < len(d.lines) {
		last = d.ends[to]
	}
	ends := make([]string, len(lines))
	for i := range ends {
		ends[i] = d.endAt(min(from+i, to))
		if from+i < min(to, len(d.ends)) && d.ends[from+i] != "" {
			ends[i] = d.ends[from+i]
		}
	}
	ends[len(ends)-1] = last
	if last == "" && lines[len(lines)-1] == "" {
		lines, ends = lines[:len(lines)-1], ends[:len(ends)-1]
	}
	stop := min(to+1, len(d.lines))
	d.shifts = append(d.shifts, shift{from, len(lines) - (stop - from)})
	d.lines = slices.Replace(d.lines, from, stop, lines...)
	d.ends = slices.Replace(d.ends, from, stop, ends...)
	d.lineEnd = len(d.ends) == 0 || d.ends[len(d.ends)-1] != ""
}

// literalLines locates a literal block by its lines.
func (a *applier) literalLines(b *Block, d *doc) (Tier, *Error) {
	byLines := *b
	byLines.Literal, byLines.search = false, true
	byLines.Lines = appendAll(appendAll(nil, Remove, splitLines(plainText(b.Old))), Add, splitLines(plainText(b.New)))
	return a.replace(&byLines, d)
}

// elided reports whether a block leaves lines out with "..." on both sides.
func elided(b *Block) bool {
	old, new := 0, 0
	for _, l := range b.Lines {
		if isElision(l.Text) {
			if l.Op == Add {
				new++
			} else {
				old++
			}
		}
	}
	return old > 0 && old == new
}

func isElision(line string) bool {
	line = strings.TrimSpace(line)
	return line == "..." || line == "…"
}

// pieces applies a block with "..." piece by piece: the lines that the dots
// replace stay, and every piece must occur exactly once.
func (a *applier) pieces(b *Block, d *doc) (Tier, *Error) {
	if l := (&locator{doc: d, block: b}); len(l.hits(hunkOf(b.Lines), exact)) > 0 {
		return "", b.refuse(CodeNotFound, "the dots are the file's own")
	}
	old, new := cutPieces(b.Lines, Remove), cutPieces(b.Lines, Add)
	work := *d
	work.lines, work.ends, work.shifts = slices.Clone(d.lines), slices.Clone(d.ends), slices.Clone(d.shifts)
	loosest := TierExact
	for i := range old {
		if len(old[i]) == 0 && len(new[i]) == 0 {
			continue
		}
		piece := *b
		piece.Lines = append(slices.Clone(old[i]), new[i]...)
		if len(old[i]) == 0 {
			return "", b.refuse(CodeNotFound, "piece %d between its dots has no old text", i+1)
		}
		if slices.Equal(texts(old[i]), texts(new[i])) {
			continue
		}
		l := &locator{doc: &work, block: &piece}
		p, refusal := l.locate()
		if refusal != nil {
			refusal.Message = fmt.Sprintf("%s (piece %d between its dots)", refusal.Message, i+1)
			return "", refusal
		}
		if refusal := a.put(&piece, &work, p); refusal != nil {
			return "", refusal
		}
		loosest = p.tier
	}
	*d = work
	return loosest, nil
}

func cutPieces(lines []Line, op Op) [][]Line {
	out := [][]Line{nil}
	for _, l := range lines {
		switch {
		case l.Op != op:
		case isElision(l.Text):
			out = append(out, nil)
		default:
			out[len(out)-1] = append(out[len(out)-1], l)
		}
	}
	return out
}

func texts(lines []Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Text
	}
	return out
}
