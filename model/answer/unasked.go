package answer

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
)

// unasked are the reasons, by path, why nobody can say that a file's new text is meant, where an
// answer gives a whole text and not its changes: what is not in it may be deleted, or left out by
// a model that stopped early or wrote one definition in the place of another. What the request
// names is meant. Where there is no request, a definition that is gone between others is meant:
// the answer is what somebody wants applied.
func (r Reader) unasked(blocks []edits.Block, before, after map[string]string) map[string][]edits.Doubt {
	if !slices.ContainsFunc(blocks, func(b edits.Block) bool { return b.Action == edits.Rewrite }) {
		return nil
	}
	left := map[string]int{} // how many definitions of a name there are more than before
	for path, text := range after {
		if text != before[path] {
			count(left, path, text, 1)
			count(left, path, before[path], -1)
		}
	}
	out := map[string][]edits.Doubt{}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		old := before[path]
		if old == after[path] || old == "" {
			continue
		}
		for _, name := range defined(path, old) {
			if left[name] < 0 && r.Request != "" && !r.names(path, name) {
				left[name]++
				out[path] = append(out[path], edits.Doubt{Why: "it takes away " + name + ", which the request does not name"})
			}
		}
		if line, n := r.cutEnd(path, old, after[path], left); n > 0 && len(out[path]) == 0 {
			out[path] = append(out[path], edits.Doubt{Why: fmt.Sprintf("it lacks the last %d lines of the text that it replaces, from %q on", n, line)})
		}
	}
	return out
}

// names reports whether the request has a name of a definition, or a title, as a word.
func (r Reader) names(path, name string) bool {
	return edits.IndexWord(r.Request, name, 0) >= 0 || language.OfFile(path) == "markdown" && r.has(name)
}

// has reports whether the request has a word, in whatever case.
func (r Reader) has(word string) bool {
	return edits.IndexWord(strings.ToLower(r.Request), strings.ToLower(word), 0) >= 0
}

func count(names map[string]int, path, text string, n int) {
	for _, name := range defined(path, text) {
		names[name] += n
	}
}

// defined are the names of a text's definitions, one for each definition.
func defined(path, text string) []string {
	return definedIn(path, text, hunk{to: strings.Count(text, "\n") + 1})
}

// definedIn are those that begin in the lines of a hunk.
func definedIn(path, text string, h hunk) (out []string) {
	for _, d := range language.Scan(language.OfFile(path), path, text).Defs {
		if !d.Local && h.from < d.StartLine && d.StartLine <= h.to {
			out = append(out, d.Name)
		}
	}
	return out
}

// leastCut is how many lines that have words are missing at least from a text that is taken to
// lack its end. One line less is what changes at the end of a text do.
const leastCut = 2

// cutEnd returns how many lines are missing at the end of a new text with little in their place,
// and the first of them, unless the request has a word of theirs. left says which definitions
// are gone: with a request, they are judged by their names.
func (r Reader) cutEnd(path, before, after string, left map[string]int) (first string, n int) {
	c := newChange(path, before, after)
	if len(c.hunks) == 0 {
		return "", 0
	}
	h := c.hunks[len(c.hunks)-1]
	end := len(c.old)
	if m := r.Marked; path == r.Here && m.Len() > 0 && m.Valid(len(before)) {
		if last := strings.Count(strings.TrimRight(before[:m.End], " \t\r\n"), "\n") + 1; h.to <= last {
			end = last // else the text is one of the whole file
		}
	}
	for h.start == h.end && h.to < end && c.old[h.from] == c.old[h.to] { // lines that are alike: the later ones are those that are gone
		h.from, h.to = h.from+1, h.to+1
	}
	gone := c.old[h.from:h.to]
	if weight(c.old[h.to:end]) > 0 || weight(gone) < leastCut || weight(c.new[h.start:h.end])*littleAdded > weight(gone) {
		return "", 0
	}
	if names := definedIn(path, before, h); len(names) > 0 {
		if r.Request != "" || !slices.ContainsFunc(names, func(name string) bool { return left[name] < 0 }) {
			return "", 0
		}
	}
	for _, word := range strings.FieldsFunc(strings.Join(gone, " "), func(r rune) bool { return r < 128 && !edits.IsWordByte(byte(r)) }) {
		if len(word) >= leastWord && r.has(word) {
			return "", 0
		}
	}
	at := slices.IndexFunc(gone, func(l string) bool { return weight([]string{l}) > 0 })
	return strings.TrimSpace(gone[at]), weight(gone)
}

// leastWord is how long a word is at least that says what a line is about.
const leastWord = 4

// asksForComments finds a request that is about comments.
var asksForComments = regexp.MustCompile(`(?i)comment|docstring|document|javadoc|licen[cs]e|header|todo|remark|note|explan|obsolete|dead code|clean`)

// leastComments is how many lines a comment has that nobody leaves out in passing.
const leastComments = 2

// lostComments refuses whole texts that leave out a comment of several lines, or all comments,
// while the code below stays, unless the request asks for it.
func (r Reader) lostComments(blocks []edits.Block, before, after map[string]string) *edits.Error {
	if !slices.ContainsFunc(blocks, func(b edits.Block) bool { return b.Action == edits.Rewrite }) || asksForComments.MatchString(r.Request) {
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		c := newChange(path, before[path], after[path])
		has := map[string]bool{}
		for _, line := range c.new {
			has[strings.TrimSpace(line)] = true
		}
		lost := ""
		n := 0
		for _, h := range c.hunks {
			first, run := c.lostComment(h, has)
			if lost == "" {
				lost = first
			}
			if n += run; run >= leastComments || n >= leastComments && !slices.ContainsFunc(c.new, c.comment) {
				return &edits.Error{Code: edits.CodeUnsafe, Path: path, Message: fmt.Sprintf("%s: it leaves out the comment that begins with %q, which nobody asked for", path, lost)}
			}
		}
	}
	return nil
}

// lostComment is the first line of the longest comment that a hunk takes away while code of it,
// or the code below it, stays, and how many lines that is.
func (c *change) lostComment(h hunk, has map[string]bool) (first string, lines int) {
	code := func(line string) bool { return strings.TrimSpace(line) != "" && !c.comment(line) }
	if slices.ContainsFunc(c.new[h.start:h.end], c.comment) {
		return "", 0
	}
	run := 0
	for i := h.from; i < h.to; i++ {
		line := strings.TrimSpace(c.old[i])
		if !c.comment(c.old[i]) || has[line] {
			run = 0
			continue
		}
		if run++; run > lines {
			first, lines = strings.TrimSpace(c.old[i+1-run]), run
		}
	}
	if !slices.ContainsFunc(c.new[h.start:h.end], code) && slices.ContainsFunc(c.old[h.from:h.to], code) {
		return "", 0 // it goes with its code
	}
	return first, lines
}
