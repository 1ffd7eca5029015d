package edits

import (
	"slices"
	"strings"
)

// A StaleHunk is a hunk that does not fit another text of its file.
type StaleHunk struct {
	Hunk Hunk
	Err  error // wraps ErrStale
}

// Merge carries the file's edits over to another text of the file, each hunk for itself:
// a hunk that the text already holds is gone, one that fits is kept, and one whose place
// has changed is stale. The result is about now. A file that is to be deleted is kept if
// its text is the same, and is stale otherwise. The caller sets Version.
func (f ProposedFile) Merge(now Text) (next ProposedFile, stale []StaleHunk) {
	if now.Equal(f.Base) {
		return f, nil
	}
	user := Diff(f.Base.String(), now.String())
	if f.Delete || f.Create {
		next, err := f.RebaseOn(user)
		if err != nil {
			return f, []StaleHunk{{f.Hunks()[0], err}}
		}
		return next, nil
	}
	next = f
	next.Base, next.Edits = now, nil
	f, user = f.without(now, user, func(Hunk) bool { return true })
	for _, h := range f.Hunks() {
		moved, err := f.rebaseHunk(h, user)
		if err == nil {
			err = checkEdits(now.Len(), append(slices.Clone(next.Edits), moved...))
		}
		if err != nil {
			stale = append(stale, StaleHunk{h, err})
			continue
		}
		next.Edits = append(next.Edits, moved...)
	}
	return next, stale
}

// rebaseHunk carries a hunk over the user's edits. Whole lines that the user added at a
// border of the hunk are beside it.
func (f ProposedFile) rebaseHunk(h Hunk, user []Edit) ([]Edit, error) {
	start, end := f.Base.LineStart(h.FirstLine), f.Base.Len()
	if h.LastLine+1 < f.Base.LineCount() {
		end = f.Base.LineStart(h.LastLine + 1)
	}
	shift := 0
	var inside []Edit
	for _, u := range user {
		whole := u.Len() == 0 && strings.HasSuffix(u.New, "\n")
		switch {
		case u.End < start, whole && u.Start == start && h.Span.Len() > 0:
			shift += u.Delta()
		case u.Start > end, whole && u.Start == end && h.Span.End < end:
		case h.Span.touches(u.Span):
			inside = append(inside, u)
		default:
			if u.End <= h.Span.Start {
				shift += u.Delta()
			}
		}
	}
	moved, err := Rebase(f.Base, h.Edits, inside)
	for i := range moved {
		moved[i].Span = Span{moved[i].Start + shift, moved[i].End + shift}
	}
	return moved, err
}

// alike reports whether each edit of a hunk has one of the user's that takes out and adds
// as much: the user accepted the hunk, and did not type in its place.
func alike(h Hunk, user []Edit) bool {
	return !slices.ContainsFunc(h.Edits, func(e Edit) bool {
		return !slices.ContainsFunc(user, func(u Edit) bool { return u.Len() == e.Len() && len(u.New) == len(e.New) })
	})
}

// without takes out the hunks among those that may whose change user's edits already
// made: it returns the file with the rest, about a base that has them, and what the user
// did besides.
func (f ProposedFile) without(now Text, user []Edit, may func(Hunk) bool) (ProposedFile, []Edit) {
	var taken []Edit
	for _, h := range f.Hunks() {
		if may(h) && present(f.Base, now, user, h) {
			taken = append(taken, h.Edits...)
		}
	}
	if len(taken) == 0 {
		return f, user
	}
	base, err := Apply(f.Base, taken)
	if err != nil {
		return f, user
	}
	f.Base, f.Edits = base, others(f.Edits, taken)
	return f, Diff(base.String(), now.String())
}

// contexts are how many unchanged lines around a hunk are compared: the same change can
// stand a few lines further, where lines repeat, so that one number does not serve all.
var contexts = []int{0, 1, 2, 3, 5, 8, 13, 21}

// present reports whether now, which user's edits made of base, holds what a hunk of base
// makes: the lines around the hunk, as the hunk changes them, stand in the place that
// they have in now.
func present(base, now Text, user []Edit, h Hunk) bool {
	if !near(base, user, h) {
		return false
	}
	last := base.LineCount() - 1
	for i, n := range contexts {
		first, end := max(h.FirstLine-n, 0), min(h.LastLine+n, last)
		if i > 0 && first == max(h.FirstLine-contexts[i-1], 0) && end == min(h.LastLine+contexts[i-1], last) {
			break // the file has no more lines
		}
		span := Span{base.LineStart(first), base.Len()}
		if end < last {
			span.End = base.LineStart(end + 1)
		}
		region := base.Slice(span)
		var moved []Edit
		for _, e := range h.Edits {
			moved = append(moved, Edit{Span{e.Start - span.Start, e.End - span.Start}, e.New})
		}
		after, err := Apply(NewText(region), moved)
		if err != nil {
			return false
		}
		if standsAt(now, user, span, after.String()) || i > 0 && adds(h) && standsWithin(now, user, span, region, after.String()) {
			return true
		}
	}
	return false
}

// near reports whether an edit of the user's touches the lines that present compares.
func near(base Text, user []Edit, h Hunk) bool {
	most := contexts[len(contexts)-1]
	first := base.LineStart(max(h.FirstLine-most, 0))
	end := base.LineEnd(min(h.LastLine+most, base.LineCount()-1))
	return slices.ContainsFunc(user, func(u Edit) bool { return u.touches(Span{first, end}) })
}

// standsAt reports whether text is what the user's edits made of a span. An insertion at a
// border of the span may belong to it or not.
func standsAt(now Text, user []Edit, span Span, text string) bool {
	starts, ends := offsetsAfter(user, span.Start), offsetsAfter(user, span.End)
	for _, start := range starts {
		for _, end := range ends {
			if at := (Span{start, end}); at.Len() == len(text) && at.Valid(now.Len()) && now.Slice(at) == text {
				return true
			}
		}
	}
	return false
}

func adds(h Hunk) bool {
	return slices.ContainsFunc(h.Edits, func(e Edit) bool { return strings.TrimSpace(e.New) != "" })
}

// standsWithin reports whether what the user's edits made of a span begins or ends with
// the lines of text, and did not hold them before.
func standsWithin(now Text, user []Edit, span Span, before, text string) bool {
	if text == "" || strings.Contains(before, text) {
		return false
	}
	around := Span{slices.Min(offsetsAfter(user, span.Start)), slices.Max(offsetsAfter(user, span.End))}
	if !around.Valid(now.Len()) {
		return false
	}
	around.Start = now.LineStart(now.LineOf(around.Start))
	if line := now.LineOf(around.End); around.End > now.LineStart(line) {
		around.End = now.LineEnd(line)
	}
	region := now.Slice(around)
	if !strings.HasSuffix(region, "\n") {
		region += "\n"
	}
	rest, ends := strings.CutSuffix(region, text)
	return strings.HasPrefix(region, text) || ends && strings.HasSuffix(rest, "\n")
}

// offsetsAfter returns where an offset of the base is after the user's edits: before and
// behind what was inserted there. An offset inside an edit has the places of its ends.
func offsetsAfter(user []Edit, offset int) []int {
	shift := 0
	for _, u := range user {
		switch {
		case u.End < offset:
			shift += u.Delta()
		case u.Start > offset:
			return []int{offset + shift}
		default:
			return []int{u.Start + shift, u.Start + shift + len(u.New)}
		}
	}
	return []int{offset + shift}
}
