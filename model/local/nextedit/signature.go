package nextedit

import (
	"fmt"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
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
func (f *follower) mayGetDefault(d index.Def, r workspace.RecentEdit) bool {
	lang := f.corpus.Index().Language(d.File)
	if lang != "python" && !strings.Contains(lang, "script") || f.path != r.Path {
		return false
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
// those that the user has edited since or had written for it before: what to write there only
// the user can say.
func (f *follower) calls(d index.Def, was language.Def, places []Place, known bool, later []workspace.RecentEdit) offers {
	places = slices.DeleteFunc(places, func(p Place) bool { return !p.Call || p.Maybe || touched(p, later) || f.follows(p, was, d.Def) })
	most := f.most
	if known {
		most = max(most, maxKnown)
	}
	places = places[:min(len(places), most)]
	why := fmt.Sprintf("the parameters of %s changed (%s:%d)", d.Name, f.corpus.Index().Path(d.File), d.StartLine)
	visits := f.visits(places, d.Name+": its parameters changed", why, changeOf(f.corpus.Index().Path(d.File), d, strings.Join(d.Params, ",")))
	for i := range visits {
		visits[i].Confirmed = known
	}
	return offers{visits: visits, name: d.Name}
}

// touched reports whether the user edited a place since.
func touched(p Place, later []workspace.RecentEdit) bool {
	return slices.ContainsFunc(later, func(r workspace.RecentEdit) bool {
		return r.Path == p.Path && r.Placed && r.Place.Start <= p.Span.Start && p.Span.End <= r.Place.End
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
	depth, begun := 0, false
	for _, t := range tokens {
		switch t.text {
		case "(", "[", "{":
			begun = begun || depth > 0
			depth++
			continue
		case ")", "]", "}":
			if depth--; depth == 0 {
				return n + flagInt(begun), true
			}
		case lineEnd:
			continue
		case ",":
			if depth == 1 {
				n, begun = n+1, false
			}
			continue
		case "*", "**", "...":
			if depth == 1 && !begun {
				return 0, false
			}
		}
		begun = begun || depth > 0
	}
	return 0, false
}
