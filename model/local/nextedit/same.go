package nextedit

import (
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/language"
)

// Limits on the copies of a text that was changed once.
const (
	maxSame      = 16 // more are a phrase of the language
	leastSame    = 6  // bytes of a text whose copies are looked for
	maxSameLines = 12
	nearTokens   = 2 // around a part of a line
)

// A rewrite is a text and what it became, with what is around it in its lines.
type rewrite struct {
	old, now string
	whole    bool // lines as a whole
}

// sameText are the places that have the text which one change was made in: the same whole
// lines, or else the same part of a line with the tokens next to it.
func (f *follower) sameText(x example) (out []NextEdit) {
	for _, r := range []rewrite{x.lines(), x.part()} {
		if len(strings.TrimSpace(r.old)) < leastSame || r.old == r.now || !strings.ContainsFunc(r.old, func(c rune) bool { return c < 128 && source.IsWordByte(byte(c)) }) {
			continue
		}
		if out = f.copied(r, x); len(out) > 0 {
			return out
		}
	}
	return nil
}

// lines are the whole lines of a change, without the first one's indentation and the last
// one's end. There are none of an insertion of lines.
func (c *change) lines() (r rewrite) {
	if len(c.old) == 0 && hasLineEnd(c.new) || lineEnds(c.old) > maxSameLines || c.partial {
		return r
	}
	from, to := c.oldSpan()
	from, to = lineSpan(c.was, from, to)
	begin, end := c.at, c.at
	if n := len(c.new); n > 0 {
		end = c.new[n-1].start + len(strings.TrimRight(c.new[n-1].text, "\n"))
	}
	if len(c.old) > 0 && c.old[len(c.old)-1].text == lineEnd { // lines as a whole
		if len(c.new) == 0 || c.new[len(c.new)-1].text != lineEnd || len(c.left) > 0 && c.left[len(c.left)-1].text != lineEnd {
			return rewrite{}
		}
	}
	begin, end = lineSpan(c.src, begin, end)
	return rewrite{c.was[from:to], c.src[begin:end], true}
}

// oldSpan is where the changed tokens were in the text before.
func (c *change) oldSpan() (from, to int) {
	switch {
	case len(c.old) > 0:
		last := c.old[len(c.old)-1]
		return c.old[0].start, last.start + len(strings.TrimRight(last.text, "\n"))
	case len(c.right) > 0:
		return c.right[0].start, c.right[0].start
	}
	return len(c.was), len(c.was)
}

// lineSpan are the lines of a range, without the first one's indentation and the last one's
// trailing blanks.
func lineSpan(src string, from, to int) (int, int) {
	from = strings.LastIndexByte(src[:from], '\n') + 1
	if i := strings.IndexByte(src[to:], '\n'); i >= 0 {
		to += i
	} else {
		to = len(src)
	}
	from += len(src[from:to]) - len(strings.TrimLeft(src[from:to], " \t"))
	return from, from + len(strings.TrimRight(src[from:to], " \t\r"))
}

// part is a change inside a line, with the tokens next to it.
func (c *change) part() (r rewrite) {
	if len(c.old) == 0 || hasLineEnd(c.old) || hasLineEnd(c.new) {
		return r
	}
	from, to := c.oldSpan()
	head, tail := from, to
	for i := 1; i <= nearTokens && i <= len(c.left) && c.left[len(c.left)-i].text != lineEnd; i++ {
		from = c.left[len(c.left)-i].start
	}
	for i := 0; i < nearTokens && i < len(c.right) && c.right[i].text != lineEnd; i++ {
		to = c.right[i].end
	}
	now := ""
	if n := len(c.new); n > 0 {
		now = c.src[c.new[0].start:c.new[n-1].end]
	}
	return rewrite{c.was[from:to], c.was[from:head] + now + c.was[tail:to], false}
}

// copied are the places of a rewritten text: in its file, or else, of whole lines in a file
// without code, in others. What one file of code does once, others rarely do too.
func (f *follower) copied(r rewrite, x example) (out []NextEdit) {
	in := func(path string) bool {
		src, ok := f.corpus.Text(path)
		if !ok || len(src) > source.MaxFile || source.Written(path, src) {
			return true
		}
		for at := 0; ; at++ {
			i := strings.Index(src[at:], r.old)
			if i < 0 {
				return true
			}
			at += i
			end := at + len(r.old)
			from, to := lineSpan(src, at, end)
			switch {
			case source.IsWordByte(r.old[0]) && at > 0 && source.IsWordByte(src[at-1]),
				source.IsWordByte(r.old[len(r.old)-1]) && end < len(src) && source.IsWordByte(src[end]):
			case r.whole && (from != at || to != end):
			case strings.HasPrefix(src[at:], r.now) && len(r.now) > len(r.old):
			default:
				if n := (NextEdit{Path: path, Edit: edits.Edit{Span: edits.Span{Start: at, End: end}, New: r.now}}); f.related(n, []example{x}) {
					out = append(out, n)
				}
			}
			if len(out) > maxSame {
				return false
			}
		}
	}
	if !in(x.path) {
		return nil
	}
	lang := language.OfFile(x.path)
	if words := wordsIn(r.old); r.whole && len(out) == 0 && len(words) > 0 && (dataLanguages[lang] || textLanguages[lang]) {
		for _, path := range f.holding(x.path, words) {
			if f.ctx.Err() != nil || !in(path) {
				return nil
			}
		}
	}
	made := []example{x}
	e := changeEvidence(x.change)
	e[sameLines], e[samePart] = truth(r.whole), truth(!r.whole)
	e[places], e[shareDone] = log2(1+len(out)), 1/float64(1+len(out))
	e[contextNames] = log2(1 + names(flatten(r.old, false)) - names(x.old))
	var ahead, before []NextEdit
	for _, n := range out {
		n.Title = fmt.Sprintf("Change %s to %s", source.Clip(r.old, 40), source.Clip(r.now, 40))
		n.Reason = "you changed the same text"
		n.Change = "same\x00" + r.old + "\x00" + r.now
		n.Evidence = e.plus(f.at(n, made, x.edit))
		if n.Path == f.path && n.Edit.Start < f.offset {
			before = append(before, n)
		} else {
			ahead = append(ahead, n)
		}
	}
	return append(ahead, before...)
}

// wordsIn are the words of a text, in strings too, that files are searched for, the longest
// first.
func wordsIn(text string) []string {
	out := strings.FieldsFunc(text, func(c rune) bool { return c >= 128 || !source.IsWordByte(byte(c)) })
	out = slices.DeleteFunc(out, func(w string) bool { return len(w) < 3 || source.IsDigit(w[0]) })
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// holding are the files that may hold some words: that of the edit, then those of its
// folder, then the others.
func (f *follower) holding(path string, words []string) []string {
	lang, dir := language.OfFile(path), source.Folder(path)
	out := []string{path}
	var far []string
	files, left := f.files.Holding(f.corpus, f.path, words).All()
	for _, p := range files {
		switch {
		case p == path || language.Family(language.OfFile(p)) != language.Family(lang):
		case source.Folder(p) == dir:
			out = append(out, p)
		default:
			far = append(far, p)
		}
	}
	out = append(out, far...)
	return f.first(out, left)
}

// related reports whether a place of a file without code is about the same key as one of the
// changes that it follows from.
func (f *follower) related(n NextEdit, made []example) bool {
	if !dataLanguages[language.OfFile(n.Path)] {
		return true
	}
	line := keyOf(lineAround(currentText(f.corpus, n.Path), []flat{{start: n.Edit.Start}}, 0))
	return slices.ContainsFunc(made, func(x example) bool { return keyOf(x.oldLine()) == line })
}

// keyOf is what a line of data is about: its first word.
func keyOf(line string) string {
	line = strings.TrimLeft(line, "- \t\"'{[<")
	if i := strings.IndexAny(line, ":= \t\"'>"); i >= 0 {
		line = line[:i]
	}
	return line
}
