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

// A signatureChange is a function that gained or lost one parameter in an edit, or
// whose parameters changed their order.
type signatureChange struct {
	def     index.Def
	at      int    // the index of the parameter that was added or removed, from 0
	added   string // its name; "" if it was removed
	order   []int  // reordered: which old argument each new one is; else nil
	zero    string // of the added parameter's type; "" unknown
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
		change := signatureChange{def: d, path: r.Path, arities: [2]int{d.MinParams, d.MaxParams}}
		if order, ok := reordered(was.Defs[i].Params, d.Params); ok {
			change.order = order
			return change, true
		}
		if change.at, change.added, ok = parameterChange(was.Defs[i].Params, d.Params); ok {
			if change.added != "" && ix.Language(id) == "go" {
				change.zero = zeroOf(linesOf(src, d.StartLine, d.SigEndLine), change.at)
			}
			return change, true
		}
	}
	return signatureChange{}, false
}

// linesOf returns lines of a text, counted from 1.
func linesOf(src string, from, to int) string {
	lines := strings.SplitAfter(src, "\n")
	if from < 1 || to > len(lines) || from > to {
		return ""
	}
	return strings.Join(lines[from-1:to], "")
}

// reordered reports whether two parameter lists have the same names in another order,
// and which old place each new one has.
func reordered(was, now []string) ([]int, bool) {
	if len(was) != len(now) || slices.Equal(was, now) {
		return nil, false
	}
	order := make([]int, len(now))
	seen := map[int]bool{}
	for i, name := range now {
		at := slices.Index(was, name)
		if name == "" || at < 0 || seen[at] {
			return nil, false
		}
		seen[at], order[i] = true, at
	}
	return order, true
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
// added parameter an argument is inserted: the variable of its name, if the code above
// the call has it, else the value that the user wrote into another call, else, where all
// places are asked for, the zero value of its type. Other calls are only counted. later are the edits since.
func callEdits(ctx context.Context, c source.Corpus, d signatureChange, later []workspace.RecentEdit, path string, offset, most int) offers {
	users := Users(ctx, c, d.def)
	left, total := d.left(c, users, later)
	slices.SortStableFunc(left, func(a, b call) int { return before(a.Place, path, offset) - before(b.Place, path, offset) })
	switch stated := d.stated(ctx, c, later); {
	case stated != "":
		d.zero = stated
	case most == maxOffers:
		d.zero = "" // a guess: only where all places are asked for and checked
	}
	var out []NextEdit
	unfit := 0
	for _, at := range left {
		src, _ := c.Text(at.Path)
		edit, ok := d.fit(c.Index(), src, at)
		if !ok {
			unfit++
		}
		if ok && len(out) < most {
			out = append(out, NextEdit{Path: at.Path, Edit: edit, Title: fmt.Sprintf("%s: %s, %d done", d.def.Name, source.Count(total, "call site"), total-len(left)),
				Reason: d.reason()})
		}
	}
	return offers{out, unfit}
}

func (d signatureChange) reason() string {
	return fmt.Sprintf("the parameters of %s changed (%s:%d)", d.def.Name, d.path, d.def.StartLine)
}

// left are the calls at some places that do not fit the parameters yet, and how many
// calls there are.
func (d signatureChange) left(c source.Corpus, places []Place, later []workspace.RecentEdit) (out []call, total int) {
	for _, p := range places {
		src, ok := c.Text(p.Path)
		if !ok || !p.Call || declares(c.Index(), p, d.def.Name) {
			continue
		}
		if found, ok := callAt(src, p); ok {
			total++
			if !d.done(found, later) {
				out = append(out, found)
			}
		}
	}
	return out, total
}

// stated is the value of an added parameter that the user wrote into the last call that
// they changed since, "" if there is none which means the same everywhere.
func (d signatureChange) stated(ctx context.Context, c source.Corpus, later []workspace.RecentEdit) string {
	if d.added == "" {
		return ""
	}
	for _, r := range slices.Backward(later) {
		src, ok := c.Text(r.Path)
		if !ok || !r.Placed || !r.Place.Valid(len(src)) || ctx.Err() != nil {
			continue
		}
		from := strings.LastIndexByte(src[:r.Place.Start], '\n') + 1
		for _, p := range placesIn(r.Path, src, d.def.Name, func(int) bool { return false }) {
			if p.Span.Start < from || p.Span.Start > r.Place.End || !p.Call || declares(c.Index(), p, d.def.Name) {
				continue
			}
			found, ok := callAt(src, p)
			if ok && d.at < len(found.args) && d.done(found, later) && touched(found, later) {
				if text := src[found.args[d.at].Start:found.args[d.at].End]; selfContained(text) {
					return text
				}
			}
		}
	}
	return ""
}

// declares reports whether a place is a definition of a name, such as the one for
// another platform.
func declares(ix *index.Index, p Place, name string) bool {
	id, ok := ix.FileID(p.Path)
	return ok && slices.ContainsFunc(ix.Defs(id), func(d index.Def) bool { return d.Name == name && d.StartLine == p.Line })
}

// done reports whether a call fits the parameters already.
func (d signatureChange) done(at call, later []workspace.RecentEdit) bool {
	n := len(at.args)
	if d.order != nil {
		return n != len(d.order) || touched(at, later)
	}
	return n >= d.arities[0] && (d.arities[1] < 0 || n <= d.arities[1])
}

// touched reports whether the user edited a call since.
func touched(at call, later []workspace.RecentEdit) bool {
	return slices.ContainsFunc(later, func(r workspace.RecentEdit) bool {
		return r.Path == at.Path && r.Placed && r.Place.Start <= at.Span.Start && at.close <= r.Place.End
	})
}

// selfContained reports whether an argument means the same in every call: a literal, or
// a name of a package.
func selfContained(text string) bool {
	tokens := source.Lex(text, nil)
	for i, t := range tokens {
		switch t.Class {
		case source.Literal, source.Number, source.Keyword:
			continue
		case source.Word:
			first := i == 0 || tokens[i-1].Text != "."
			if first && (i+1 >= len(tokens) || tokens[i+1].Text != ".") && !constants[t.Text] {
				return false
			}
		default:
			if !strings.Contains(".()-", t.Text) {
				return false
			}
		}
	}
	return len(tokens) > 0
}

var constants = source.Set("nil null None true false True False undefined")

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
func (d signatureChange) fit(ix *index.Index, src string, at call) (edits.Edit, bool) {
	n := len(at.args)
	if d.order != nil {
		return d.permute(src, at)
	}
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
	value := d.added
	if !namedAbove(src, functionAt(ix, src, at.Place), at.Span.Start, d.added) {
		value = d.zero
	}
	if d.at > n || value == "" {
		return edits.Edit{}, false
	}
	switch {
	case n == 0:
		return edits.Edit{Span: edits.Span{Start: at.open, End: at.open}, New: value}, true
	case d.at < n:
		start := at.args[d.at].Start
		return edits.Edit{Span: edits.Span{Start: start, End: start}, New: value + ", "}, true
	}
	end := at.args[n-1].End
	return edits.Edit{Span: edits.Span{Start: end, End: end}, New: ", " + value}, true
}

// permute returns the edit that puts the arguments of a call into the new order.
func (d signatureChange) permute(src string, at call) (edits.Edit, bool) {
	n := len(at.args)
	if n != len(d.order) || n == 0 {
		return edits.Edit{}, false
	}
	var b strings.Builder
	for i, from := range d.order {
		if i > 0 {
			b.WriteString(src[at.args[i-1].End:at.args[i].Start])
		}
		b.WriteString(src[at.args[from].Start:at.args[from].End])
	}
	return edits.Edit{Span: edits.Span{Start: at.args[0].Start, End: at.args[n-1].End}, New: b.String()}, true
}

// functionAt is where the outermost function around a place begins, or the place's line.
func functionAt(ix *index.Index, src string, p Place) int {
	first := p.Line
	if id, ok := ix.FileID(p.Path); ok {
		around := ix.Enclosing(id, p.Line)
		if i := slices.IndexFunc(around, func(d index.Def) bool { return d.Kind.IsFunc() }); i >= 0 {
			first = around[i].StartLine
		}
	}
	return linesAhead(src, first-1)
}

// namedAbove reports whether code between two places contains a name that is no member.
func namedAbove(src string, from, at int, name string) bool {
	for line := range strings.Lines(src[min(from, at):at]) {
		body := strings.TrimSpace(line)
		if body == "" || source.IsComment(body) {
			continue
		}
		tokens := source.Lex(body, nil)
		for i, t := range tokens {
			if t.Class == source.Word && t.Text == name && (i == 0 || tokens[i-1].Text != ".") {
				return true
			}
		}
	}
	return false
}
