package nextedit

import (
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/cut"
	"tandem/workspace/terms"
)

// maxAround bounds the lines on either side of added lines that are compared.
const maxAround = 8

// An addition is several whole lines that an edit added to a file's current text.
type addition struct {
	path         string
	at           int
	age          int
	lines        string
	above, below []string // the lines around them, the nearest first, up to one with a word
}

// addedLines are the places that lack lines which the user has added at two others, where the
// lines around one of these are the same.
func (f *follower) addedLines() (out []NextEdit, age int) {
	var all []addition
	for i, r := range slices.Backward(f.recent) {
		if a, ok := f.addition(r); ok {
			a.age = len(f.recent) - 1 - i
			all = append(all, a)
		}
	}
	for i, a := range all {
		same := slices.DeleteFunc(slices.Clone(all[i:]), func(o addition) bool { return strings.TrimSpace(o.lines) != strings.TrimSpace(a.lines) })
		if len(same) > 1 {
			return f.lacking(same), a.age
		}
	}
	return nil, 0
}

// addition is what an edit added, if it did nothing else and that is several lines: one line
// may be of one place. Imports are no example: what uses them is.
func (f *follower) addition(r workspace.RecentEdit) (a addition, ok bool) {
	src := currentText(f.corpus, r.Path)
	at := placeOf(src, r)
	if at < 0 || len(src) > source.MaxFile || source.Written(r.Path, src) || prose(r.Path) {
		return a, false
	}
	old, now := strings.SplitAfter(r.Old, "\n"), strings.SplitAfter(r.New, "\n")
	lead, trail := 0, 0
	for lead < min(len(old), len(now)) && old[lead] == now[lead] {
		lead++
	}
	for trail < min(len(old), len(now))-lead && old[len(old)-1-trail] == now[len(now)-1-trail] {
		trail++
	}
	a = addition{path: r.Path, at: at + len(strings.Join(now[:lead], "")), lines: strings.Join(now[lead:len(now)-trail], "")}
	end := a.at + len(a.lines)
	if lead+trail < len(old) || !strings.Contains(strings.TrimSpace(a.lines), "\n") || len(wordsIn(a.lines)) == 0 || !strings.HasSuffix(a.lines, "\n") || f.importing(r.Path, src, a.at, end) {
		return a, false
	}
	above := strings.SplitAfter(src[:a.at], "\n")
	slices.Reverse(above)
	var both [2]bool
	a.above, both[0] = upToWord(above[1:]) // behind the last line end is nothing
	a.below, both[1] = upToWord(strings.SplitAfter(src[end:], "\n"))
	return a, both[0] && both[1]
}

// importing reports whether a part of a file has an import.
func (f *follower) importing(path, src string, from, to int) bool {
	ix := f.corpus.Index()
	id, _ := ix.FileID(path)
	first := 1 + strings.Count(src[:from], "\n")
	for _, im := range ix.Imports(id) {
		if im.Line >= first && im.Line < first+strings.Count(src[from:to], "\n") {
			return true
		}
	}
	return false
}

// upToWord are the first lines up to one with a word.
func upToWord(lines []string) ([]string, bool) {
	i := slices.IndexFunc(lines, func(line string) bool { return len(wordsIn(line)) > 0 })
	return lines[:i+1], i >= 0 && i < maxAround
}

// lacking are the places where lines are not yet that were added at others.
func (f *follower) lacking(made []addition) (out []NextEdit) {
	text := strings.TrimSpace(made[0].lines)
	var examples []example
	for _, a := range made {
		examples = append(examples, example{change: &change{}, path: a.path, at: a.at, edit: a.age})
	}
	var searched []string
	for _, a := range made {
		for _, path := range f.holding(a.path, wordsIn(a.above[len(a.above)-1]+a.below[len(a.below)-1])) {
			if f.ctx.Err() != nil || len(out) >= maxOffers {
				f.lacks(cut.Because("files that may have more are not searched"))
				return out
			}
			if slices.Contains(searched, path) {
				continue
			}
			searched = append(searched, path)
			src, ok := f.corpus.Text(path)
			if own := slices.ContainsFunc(made, func(a addition) bool { return a.path == path }); !ok || len(src) > source.MaxFile || source.Written(path, src) || !own && strings.Contains(src, text) {
				continue
			}
			for _, o := range made {
				if at := o.fits(src); at >= 0 {
					out = append(out, NextEdit{Path: path, Edit: edits.Edit{Span: edits.Span{Start: at, End: at}, New: o.lines}})
					break
				}
			}
		}
	}
	first, _, _ := strings.Cut(text, "\n")
	for i := range out {
		n := &out[i]
		n.Title = fmt.Sprintf("Add %s: %d of %d", source.Clip(first, 40), len(made)+1, len(made)+len(out))
		n.Reason = fmt.Sprintf("you added these lines %s", terms.Counted(len(made), "time"))
		n.Change = "added\x00" + text
		n.Evidence = f.at(*n, examples, made[0].age)
		n.Evidence[copied] = 1
	}
	return out
}

// fits is the one place of a text with the lines around an addition, or -1.
func (a addition) fits(src string) int {
	head, tail := "", strings.Join(a.below, "")
	for _, line := range a.above {
		head = line + head
	}
	at := -1
	for from := 0; ; {
		i := strings.Index(src[from:], head+tail)
		if i < 0 {
			return at
		}
		from += i
		if from == 0 || src[from-1] == '\n' {
			if at >= 0 {
				return -1
			}
			at = from + len(head)
		}
		from++
	}
}
