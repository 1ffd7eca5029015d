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
	"tandem/workspace/terms"
)

// A signatureChange is a function whose parameters or result an edit changed: one
// parameter more or less, another order, or other types.
type signatureChange struct {
	def     index.Def // as it is now
	was     index.Def // as it was
	past    past      // the workspace before the edit
	at      int       // the index of the parameter that was added, removed or has another type, from 0; -1 none
	added   string    // its name; "" if it was not added
	order   []int     // reordered: which old argument each new one is; else nil
	retyped bool      // the same parameters with other types, or another result
	convert string    // retyped: what converts an argument of the old type, "" unknown
	open    bool      // retyped: values of many types fit the new one
	zero    string    // of the added parameter's type; "" unknown
	path    string
	arities [2]int // how many arguments a call may have now; the second may be language.Variadic
}

// signatureChangeOf finds the function whose signature an edit changed.
func signatureChangeOf(c source.Corpus, r workspace.RecentEdit) (signatureChange, bool) {
	ix := c.Index()
	id, _ := ix.FileID(r.Path)
	defs := slices.DeleteFunc(ix.Between(id, r.Line, r.Line+strings.Count(r.New, "\n")), func(d index.Def) bool {
		return !d.Kind.IsFunc() || d.SigEndLine < r.Line
	})
	if len(defs) == 0 {
		return signatureChange{}, false // most edits: the text before them need not be read
	}
	p, ok := before(c, r)
	if !ok {
		return signatureChange{}, false
	}
	src, _ := c.Text(r.Path)
	for _, d := range defs {
		was, ok := p.def(d, d.Name)
		if !ok {
			continue
		}
		change := signatureChange{def: d, was: was, past: p, at: -1, path: r.Path, arities: [2]int{d.MinParams, d.MaxParams}}
		params := [2][]string{was.Params, d.Params}
		now, then := linesOf(src, d.StartLine, d.SigEndLine), linesOf(p.texts[r.Path], was.StartLine, was.SigEndLine)
		switch order, reorders := reordered(was.Params, d.Params); {
		case reorders:
			change.order = order
			return change, true
		case slices.Equal(was.Params, d.Params):
			if change.types(ix.Language(id), then, now) {
				return change, true
			}
			continue
		}
		if ix.Language(id) == "go" && (ambiguous(params[0]) || ambiguous(params[1])) {
			params = [2][]string{withTypes(params[0], goTypes(then)), withTypes(params[1], goTypes(now))}
		}
		if change.at, change.added, ok = parameterChange(params[0], params[1]); ok {
			change.added, _, _ = strings.Cut(change.added, " ")
			if change.added != "" && ix.Language(id) == "go" {
				change.zero = zeroOf(now, change.at)
			}
			return change, true
		}
	}
	return signatureChange{}, false
}

// ambiguous reports whether parameters have the same name, or none.
func ambiguous(names []string) bool {
	for i, name := range names {
		if name == "" || name == "_" || slices.Contains(names[:i], name) {
			return true
		}
	}
	return false
}

// withTypes are parameters with their types, behind which goTypes has the results.
func withTypes(names, typed []string) []string {
	if len(typed) != len(names)+1 {
		return names
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = name + " " + typed[i]
	}
	return out
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

// change identifies the change.
func (d signatureChange) change() string {
	return changeOf(d.path, d.def, strings.Join(d.was.Params, ",")+d.was.Type)
}

// calls offers an edit for each call that does not fit the function's parameters any more.
// The argument of a removed parameter is removed. For an added parameter an argument is
// inserted: the variable of its name, if the code above the call has it, else the value
// that the user wrote into another call, else, where all places are asked for, the zero
// value of its type. An argument whose type changed is converted where every value can be.
// The other calls are left to the user.
func (f *follower) calls(d signatureChange, later []workspace.RecentEdit) (out offers) {
	users := d.past.users(f, d.was)
	left, total := d.left(f.corpus, users, later)
	slices.SortStableFunc(left, func(a, b call) int { return f.away(a.Place) - f.away(b.Place) })
	switch stated := d.stated(f.ctx, f.corpus, later); {
	case stated != "":
		d.zero = stated
	case f.most == maxOffers:
		d.zero = "" // a guess: only where all places are asked for and checked
	}
	change := d.change()
	out.name = d.def.Name + "("
	kind := namedCall
	if f.corpus.Index().Language(d.def.File) == "go" {
		kind = called
	}
	var unfit []Place
	for _, at := range left {
		src, _ := f.corpus.Text(at.Path)
		edit, ok := d.fit(f.corpus.Index(), src, at)
		switch {
		case !ok:
			unfit = append(unfit, at.Place)
		case src[edit.Start:edit.End] == edit.New:
		case len(out.edits) < f.most:
			out.edits = append(out.edits, NextEdit{Path: at.Path, Edit: edit, Title: fmt.Sprintf("%s: %s, %d done", d.def.Name, terms.Counted(total, "call site"), total-len(left)),
				Reason: d.reason(), Change: change, Evidence: evidenceOf(kind, total-len(left), total)})
		}
	}
	title := d.def.Name + ": its parameters changed"
	if d.retyped {
		unfit = f.broken(d, unfit)
	}
	added := map[string]bool{}
	var adapted []NextEdit
	for _, at := range f.otherUses(d, users) {
		var found []NextEdit
		if f.most != maxOffers { // one of several ways: only where all places are checked
			found = f.adapted(d, at, added)
		}
		if adapted = append(adapted, found...); len(found) == 0 {
			unfit = append(unfit, at)
		}
	}
	out.edits = append(out.edits, joinedInsertions(adapted)...)
	unfit = append(unfit, f.otherDeclarations(d, users)...)
	out.left = f.jumps(unfit, title, d.reason(), change)
	if len(out.edits) == 0 {
		out.related = f.jumps(f.twins(d.def), "The test of "+d.def.Name, d.reason(), change)
	}
	return out
}

func (d signatureChange) reason() string {
	what := "the parameters of %s changed (%s:%d)"
	if d.retyped && d.at < 0 {
		what = "the types of %s changed (%s:%d)"
	}
	return fmt.Sprintf(what, d.def.Name, d.path, d.def.StartLine)
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

// stated is the value of an added parameter that the user wrote into the calls that they
// changed since, "" if there is none which means the same everywhere.
func (d signatureChange) stated(ctx context.Context, c source.Corpus, later []workspace.RecentEdit) (value string) {
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
			if !ok || d.at >= len(found.args) || !d.done(found, later) || !touched(found, later) {
				continue
			}
			text := src[found.args[d.at].Start:found.args[d.at].End]
			if value != "" && value != text {
				return "" // each call has its own
			}
			value = text
		}
	}
	if !selfContained(value) {
		return ""
	}
	return value
}

// declares reports whether a place is a definition of a name, such as the one for
// another platform.
func declares(ix *index.Index, p Place, name string) bool {
	id, ok := ix.FileID(p.Path)
	return ok && slices.ContainsFunc(ix.Between(id, p.Line, p.Line), func(d index.Def) bool { return d.Name == name && d.StartLine == p.Line })
}

// done reports whether a call fits the parameters already.
func (d signatureChange) done(at call, later []workspace.RecentEdit) bool {
	n := len(at.args)
	switch {
	case d.order != nil:
		return n != len(d.order) || touched(at, later)
	case d.retyped:
		return touched(at, later)
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

var constants = terms.Set("nil null None true false True False undefined")

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
	switch {
	case d.order != nil:
		return d.permute(src, at)
	case d.retyped:
		return d.converted(src, at)
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
