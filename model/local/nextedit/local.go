package nextedit

import (
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/terms"
)

// local are the places in a function that use a variable which an edit renamed where the
// function declares it.
func (f *follower) local(r workspace.RecentEdit) (out offers) {
	c := f.corpus
	id, ok := c.Index().FileID(r.Path)
	src, readable := c.Text(r.Path)
	at := placeOf(src, r)
	if !ok || !readable || at < 0 || len(src) > source.MaxFile {
		return out
	}
	for _, h := range changesOf(r.Old, r.New, false) {
		if h.partial || len(h.old) != 1 || len(h.new) != 1 || h.old[0].class != source.Word || h.new[0].class != source.Word || h.indent == "" && !strings.Contains(r.New, "(") {
			continue
		}
		place := at + h.newStart()
		fn, ok := functionAround(c.Index(), id, r.Line+strings.Count(src[at:place], "\n"))
		if !ok {
			continue
		}
		from := linesAhead(src, fn.StartLine-1)
		to := from + linesAhead(src[from:], fn.EndLine-fn.StartLine+1)
		out = f.variable(r, src, from, to, place, h.old[0].text, h.new[0].text, fn)
		if len(out.edits) > 0 {
			return out
		}
	}
	return out
}

// newStart is where the new tokens begin in the text after the change.
func (h change) newStart() int { return h.new[0].start }

// functionAround is the outermost function whose lines hold a line: a closure's variables
// are in its lines too.
func functionAround(ix *index.Index, id index.FileID, line int) (index.Def, bool) {
	for _, d := range ix.Enclosing(id, line) {
		if d.Kind.IsFunc() {
			return d, true
		}
	}
	return index.Def{}, false
}

// variable are the uses of a variable in a function's text, from one offset to another,
// that still have its old name. There are none where the function declares the name
// again, or had the new one before.
func (f *follower) variable(r workspace.RecentEdit, src string, from, to, place int, old, now string, fn index.Def) (out offers) {
	lang := f.corpus.Index().Language(fn.File)
	tokens := flatten(src[from:to], false)
	var uses []flat
	declared := false
	for i, t := range tokens {
		if t.class != source.Word || member(tokens, i) {
			continue
		}
		switch {
		case t.text == now && from+t.start == place:
			declared = declares1(lang, tokens, i) || slices.Contains(fn.Params, now) && r.Line <= fn.SigEndLine
		case t.text == now:
			return out
		case t.text == old && from+t.start < place, t.text == old && lang != "python" && declares1(lang, tokens, i):
			return out // it is another variable's name too
		case t.text == old:
			uses = append(uses, t)
		}
	}
	if !declared {
		return out
	}
	out.name = now
	for _, t := range uses[:min(len(uses), f.most)] {
		out.edits = append(out.edits, NextEdit{Path: r.Path, Edit: edits.Edit{Span: edits.Span{Start: from + t.start, End: from + t.end}, New: now},
			Title: fmt.Sprintf("Rename %s to %s: %s", old, now, terms.Counted(len(uses), "use")), Reason: fmt.Sprintf("the variable %s is now called %s", old, now),
			Evidence: evidenceOf(renamed, 0, len(uses)),
			Change:   strings.Join([]string{"variable", r.Path, fn.Name, old, now}, "\x00")})
	}
	return out
}

// member reports whether a token is the name of a member, or a key beside its value.
func member(tokens []flat, i int) bool {
	if i > 0 && dot(tokens[i-1].text) {
		return true
	}
	return i > 0 && i+1 < len(tokens) && tokens[i+1].text == ":" && (tokens[i-1].text == "{" || tokens[i-1].text == "," || tokens[i-1].text == lineEnd)
}

var declaring = terms.Set("const let var mut val as for catch")

// declares1 reports whether a token declares a variable, as far as a line shows it.
func declares1(lang string, tokens []flat, i int) bool {
	before, after := lineEnd, lineEnd
	if i > 0 {
		before = tokens[i-1].text
	}
	if i+1 < len(tokens) {
		after = tokens[i+1].text
	}
	if declaring[before] {
		return true
	}
	switch lang {
	case "go":
		for j := i + 1; j < len(tokens) && (tokens[j].class == source.Word || tokens[j].text == ","); j++ {
			if j+1 < len(tokens) && tokens[j+1].text == ":=" {
				return true
			}
		}
		return after == ":="
	case "python":
		return before == lineEnd && (after == "=" || after == ":")
	case "typescript", "javascript", "typescriptreact", "javascriptreact":
		return after == "=>"
	case "rust":
		return false
	}
	typed := i > 0 && (tokens[i-1].class == source.Word || before == ">" || before == "]" || before == "*")
	return typed && (after == "=" || after == ";" || after == ":")
}
