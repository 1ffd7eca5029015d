package nextedit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A signatureChange is a function that gained or lost one parameter in an edit.
type signatureChange struct {
	def     index.Def
	at      int    // the index of the parameter that was added or removed, from 0
	added   string // its name; "" if it was removed
	path    string
	arities [2]int // how many arguments a call may have now; the second may be language.Variadic
}

// signatureChangeOf finds the function whose parameter an edit added or removed.
func signatureChangeOf(c source.Corpus, r workspace.RecentEdit) (signatureChange, bool) {
	ix := c.Index()
	id, ok := ix.FileID(r.Path)
	src, readable := c.Text(r.Path)
	at := placeOf(src, r)
	if !ok || !readable || at < 0 {
		return signatureChange{}, false
	}
	was := language.Scan(ix.Language(id), r.Path, src[:at]+r.Old+src[at+len(r.New):])
	for _, d := range ix.Defs(id) {
		if !d.Kind.IsFunc() || d.StartLine > r.Line+strings.Count(r.New, "\n") || d.SigEndLine < r.Line {
			continue
		}
		i := slices.IndexFunc(was.Defs, func(o language.Def) bool { return o.Name == d.Name && o.Container == d.Container })
		if i < 0 {
			continue
		}
		if p, name, ok := parameterChange(was.Defs[i].Params, d.Params); ok {
			return signatureChange{def: d, at: p, added: name, path: r.Path, arities: [2]int{d.MinParams, d.MaxParams}}, true
		}
	}
	return signatureChange{}, false
}

// parameterChange finds the one parameter that was added or removed between two
// lists.
func parameterChange(was, now []string) (at int, added string, ok bool) {
	long, short := now, was
	if len(was) > len(now) {
		long, short = was, now
	}
	if len(long) != len(short)+1 {
		return 0, "", false
	}
	for at < len(short) && short[at] == long[at] {
		at++
	}
	if !slices.Equal(long[at+1:], short[at:]) {
		return 0, "", false
	}
	if len(now) > len(was) {
		added = now[at]
	}
	return at, added, true
}

// A call is one call of a function: where its arguments are.
type call struct {
	Place
	open, close int // bytes: after the opening bracket, and the closing one
	args        []edits.Span
}

// callEdits offers an edit for each call that does not fit the function's
// parameters any more. The argument of a removed parameter is removed. For an
// added parameter an argument of the same name is inserted, if the code above the
// call has that name. Other calls are only counted.
func callEdits(ctx context.Context, c source.Corpus, d signatureChange, path string, offset int) []NextEdit {
	var left []call
	total := 0
	for _, p := range Users(ctx, c, d.def) {
		src, ok := c.Text(p.Path)
		if !ok || !p.Call {
			continue
		}
		if found, ok := callAt(src, p); ok {
			total++
			if n := len(found.args); n < d.arities[0] || d.arities[1] >= 0 && n > d.arities[1] {
				left = append(left, found)
			}
		}
	}
	slices.SortStableFunc(left, func(a, b call) int { return before(a.Place, path, offset) - before(b.Place, path, offset) })
	var out []NextEdit
	for _, at := range left {
		src, _ := c.Text(at.Path)
		if edit, ok := d.fit(src, at); ok && len(out) < maxOffers {
			out = append(out, NextEdit{Path: at.Path, Edit: edit, Title: fmt.Sprintf("%s: %s, %d done", d.def.Name, source.Count(total, "call site"), total-len(left)),
				Reason: fmt.Sprintf("the parameters of %s changed (%s:%d)", d.def.Name, d.path, d.def.StartLine)})
		}
	}
	return out
}

// callAt parses the arguments of the call at a place.
func callAt(src string, p Place) (call, bool) {
	window := src[p.Span.End:min(len(src), p.Span.End+4096)]
	tokens := slices.DeleteFunc(flatten(window, false), func(t flat) bool { return t.text == lineEnd })
	if len(tokens) == 0 || tokens[0].text != "(" {
		return call{}, false
	}
	out := call{Place: p, open: p.Span.End + tokens[0].end}
	depth, from := 0, -1
	for i, t := range tokens {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		ends := depth == 0 || depth == 1 && t.text == ","
		if ends && from >= 0 {
			out.args = append(out.args, edits.Span{Start: p.Span.End + tokens[from].start, End: p.Span.End + tokens[i-1].end})
			from = -1
		}
		if depth == 0 {
			out.close = p.Span.End + t.start
			return out, true
		}
		if i > 0 && !ends && from < 0 {
			from = i
		}
	}
	return call{}, false
}

// fit returns the edit that makes a call fit the new parameters.
func (d signatureChange) fit(src string, at call) (edits.Edit, bool) {
	n := len(at.args)
	if d.added == "" {
		if d.at >= n {
			return edits.Edit{}, false
		}
		span := at.args[d.at]
		switch {
		case d.at+1 < n:
			span.End = at.args[d.at+1].Start
		case d.at > 0:
			span.Start = at.args[d.at-1].End
		}
		return edits.Edit{Span: span}, true
	}
	if d.at > n || !namedAbove(src, at.Span.Start, d.added) {
		return edits.Edit{}, false
	}
	switch {
	case n == 0:
		return edits.Edit{Span: edits.Span{Start: at.open, End: at.open}, New: d.added}, true
	case d.at < n:
		start := at.args[d.at].Start
		return edits.Edit{Span: edits.Span{Start: start, End: start}, New: d.added + ", "}, true
	}
	end := at.args[n-1].End
	return edits.Edit{Span: edits.Span{Start: end, End: end}, New: ", " + d.added}, true
}

// namedAbove reports whether code above a place, up to the outermost line of its
// block, contains a name.
func namedAbove(src string, at int, name string) bool {
	lines := strings.Split(src[:at], "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		body := strings.TrimSpace(lines[i])
		if body == "" || source.IsComment(body) {
			continue
		}
		if slices.ContainsFunc(source.Lex(body, nil), func(t source.Lexeme) bool { return t.Class == source.Word && t.Text == name }) {
			return true
		}
		if len(lines[i]) > 0 && lines[i][0] != ' ' && lines[i][0] != '\t' && i < len(lines)-1 && source.IsWordByte(lines[i][0]) {
			return false
		}
	}
	return false
}
