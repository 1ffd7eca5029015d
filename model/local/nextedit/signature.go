package nextedit

import (
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// signatureChangeOf finds the function whose parameters an edit changed so that calls have to
// follow, and how it was: they take fewer or more arguments, or the same ones in another order.
func signatureChangeOf(c source.Corpus, r workspace.RecentEdit) (now index.Def, was language.Def, ok bool) {
	ix := c.Index()
	id, _ := ix.FileID(r.Path)
	defs := slices.DeleteFunc(ix.Between(id, r.Line, r.Line+strings.Count(r.New, "\n")), func(d index.Def) bool {
		return !d.Kind.IsFunc() || d.SigEndLine < r.Line
	})
	if len(defs) == 0 || !balanced(flatten(r.Old, false), flatten(r.New, false)) {
		return index.Def{}, was, false // most edits: the text before them need not be read
	}
	p, ok := before(c, r)
	if !ok {
		return index.Def{}, was, false
	}
	for _, d := range defs {
		if was, ok := p.def(d, d.Name); ok && (reordered(was.Params, d.Params) || takesLess(was, d.Def)) {
			return d, was, true
		}
	}
	return index.Def{}, was, false
}

// mayGetDefault reports whether the user is still in a parameter list to which a default value
// may come, so that the calls stay as they are.
func (f *follower) mayGetDefault(d index.Def, was language.Def, r workspace.RecentEdit) bool {
	lang := f.corpus.Index().Language(d.File)
	if lang != "python" && !strings.Contains(lang, "script") || f.path != r.Path {
		return false
	}
	if last := len(d.Params) - 1; last >= 0 && slices.Contains(was.Params, d.Params[last]) && was.MinParams == len(was.Params) {
		return false // one before a parameter that has none
	}
	line := 1 + strings.Count(currentText(f.corpus, f.path)[:min(f.offset, len(currentText(f.corpus, f.path)))], "\n")
	return d.StartLine <= line && line <= d.SigEndLine
}

// reordered reports whether two parameter lists have the same names in another order.
func reordered(was, now []string) bool {
	return !slices.Equal(was, now) && slices.Equal(slices.Sorted(slices.Values(was)), slices.Sorted(slices.Values(now)))
}

// takesLess reports whether a function does not take all calls any more that it took.
func takesLess(was, now language.Def) bool {
	return now.MinParams > was.MinParams || now.MaxParams != language.Variadic && (was.MaxParams == language.Variadic || now.MaxParams < was.MaxParams)
}

// calls are the calls among the places that use a function whose parameters changed, but for
// those that the user has edited since or had written for it before. Arguments that go, move, or
// that the caller has by the name of a new parameter are determined; else only the user can say
// what to write.
func (f *follower) calls(d index.Def, was language.Def, places []Place, known bool, recent []workspace.RecentEdit) (out offers) {
	places = slices.DeleteFunc(places, func(p Place) bool { return !p.Call || p.Maybe || f.touched(p, recent) || f.follows(p, was, d.Def) })
	path := f.corpus.Index().Path(d.File)
	why := fmt.Sprintf("the parameters of %s changed (%s:%d)", d.Name, path, d.StartLine)
	change := changeOf(path, d, strings.Join(d.Params, ","))
	out.name = d.Name
	var open []Place
	f.sort(places)
	for _, p := range places {
		e, ok := f.called(p, was, d.Def)
		if !ok {
			open = append(open, p)
			continue
		}
		out.edits = append(out.edits, NextEdit{Path: p.Path, Edit: e, Reason: why, Change: change, Confirmed: known, Evidence: evidenceOf(renamed, 0, len(places)),
			Title: fmt.Sprintf("Call %s with its parameters: %s", d.Name, terms.Counted(len(places), "call"))})
	}
	out.visits = f.visits(open, d.Name+": its parameters changed", why, change)
	for i := range out.visits {
		out.visits[i].Confirmed = known
	}
	return out
}

// called is the edit that gives a call the arguments that a function takes now, if the change of
// its parameters determines them.
func (f *follower) called(p Place, was, now language.Def) (e edits.Edit, ok bool) {
	src := currentText(f.corpus, p.Path)
	before, after := parametersOf(was), parametersOf(now)
	if p.Span.End > len(src) || before == nil && len(was.Params) > 0 || after == nil && len(now.Params) > 0 {
		return e, false
	}
	rest := src[p.Span.End:min(p.Span.End+maxCall, len(src))]
	spans, ok := argumentsOf(flatten(rest, false))
	if !ok {
		return e, false
	}
	open := strings.IndexByte(rest, '(') + 1
	given, named := map[string]string{}, map[string]bool{} // the arguments, by parameter
	var list []string
	for i, s := range spans {
		text := rest[s.Start:s.End]
		list = append(list, text)
		name := ""
		if key, _, keyed := strings.Cut(text, "="); keyed && isIdentifier(strings.TrimSpace(key)) && !strings.HasPrefix(text[len(key):], "==") {
			name = strings.TrimSpace(key)
			named[name] = true
		} else if i < len(before) {
			name = before[i]
		}
		if !slices.Contains(before, name) {
			return e, false
		}
		given[name] = text
	}
	var out []string
	skipped := false
	for _, name := range after {
		text, has := given[name]
		switch {
		case has && skipped && !named[name]:
			return e, false
		case has:
			skipped = skipped || named[name]
		case slices.Contains(before, name): // it has a default
			skipped = true
			continue
		case !f.visible(p, src, name):
			return e, false
		default:
			text = name
			if skipped {
				text = name + "=" + name
			}
		}
		out = append(out, text)
	}
	if slices.Equal(out, list) {
		return e, false
	}
	end := open
	if len(spans) > 0 {
		open, end = spans[0].Start, spans[len(spans)-1].End
	}
	return edits.Edit{Span: edits.Span{Start: p.Span.End + open, End: p.Span.End + end}, New: strings.Join(out, ", ")}, !strings.Contains(rest[open:end], "\n")
}

// parametersOf are the names by which a function takes its arguments; nil if they do not say it.
func parametersOf(d language.Def) []string {
	out := d.Params
	if d.Container != "" && len(out) > 0 && (out[0] == "self" || out[0] == "cls") {
		out = out[1:]
	}
	if d.MaxParams == language.Variadic || slices.ContainsFunc(out, func(p string) bool { return !isIdentifier(p) }) {
		return nil
	}
	return append([]string{}, out...)
}

// visible reports whether a place is in a function that has a parameter of a name, or gives it a value
// above the place.
func (f *follower) visible(p Place, src, name string) bool {
	id, ok := f.corpus.Index().FileID(p.Path)
	if !ok {
		return false
	}
	fn, ok := functionAround(f.corpus.Index(), id, 1+strings.Count(src[:p.Span.Start], "\n"))
	if !ok {
		return false
	}
	if slices.Contains(fn.Params, name) {
		return true
	}
	tokens := flatten(src[linesAhead(src, fn.SigEndLine-1):p.Span.Start], false)
	for i, t := range tokens {
		given := i+1 < len(tokens) && (tokens[i+1].text == "=" || tokens[i+1].text == ":=")
		if t.text == name && !member(tokens, i) && (given || i > 0 && declaring[tokens[i-1].text]) {
			return true
		}
	}
	return false
}

// touched reports whether the user edited the line of a place in one of some edits.
func (f *follower) touched(p Place, recent []workspace.RecentEdit) bool {
	line := lineAround(currentText(f.corpus, p.Path), []flat{{start: p.Span.Start}}, 0)
	return slices.ContainsFunc(recent, func(r workspace.RecentEdit) bool {
		in := r.Path == p.Path && r.Placed && r.Place.Start <= p.Span.Start && p.Span.End <= r.Place.End
		return in && !slices.ContainsFunc(strings.Split(r.Old, "\n"), func(was string) bool { return strings.TrimSpace(was) == line })
	})
}

// maxCall bounds the text of a call whose arguments are counted, in bytes.
const maxCall = 4 << 10

// follows reports whether a call has as many arguments as a function takes now, and not as
// many as it took.
func (f *follower) follows(p Place, was, now language.Def) bool {
	src := currentText(f.corpus, p.Path)
	if was.MinParams < 0 || now.MinParams < 0 || p.Span.End > len(src) {
		return false
	}
	n, ok := argumentsIn(flatten(src[p.Span.End:min(p.Span.End+maxCall, len(src))], false))
	return ok && takes(now, n) && !takes(was, n)
}

func takes(d language.Def, arguments int) bool {
	return arguments >= d.MinParams && (d.MaxParams == language.Variadic || arguments <= d.MaxParams)
}

// argumentsIn counts the arguments in the first brackets of what stands behind a function's
// name; it is not ok if one of them may be several.
func argumentsIn(tokens []flat) (n int, ok bool) {
	spans, ok := argumentsOf(tokens)
	return len(spans), ok
}

// argumentsOf are the arguments in the first brackets.
func argumentsOf(tokens []flat) (out []edits.Span, ok bool) {
	depth, begun := 0, false
	var at edits.Span
	grow := func(t flat) {
		if depth > 0 && !begun {
			begun, at.Start = true, t.start
		}
		at.End = t.end
	}
	for _, t := range tokens {
		switch t.text {
		case "(", "[", "{":
			grow(t)
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				if begun {
					out = append(out, at)
				}
				return out, true
			}
			grow(t)
		case lineEnd:
		case ",":
			if depth != 1 {
				grow(t)
				continue
			}
			out, begun = append(out, at), false
		case "*", "**", "...":
			if depth == 1 && !begun {
				return nil, false
			}
			grow(t)
		default:
			grow(t)
		}
	}
	return nil, false
}
