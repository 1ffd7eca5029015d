package nextedit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/dynamic"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// local are the places in a function that use a variable which an edit renamed where the
// function declares it.
func (f *follower) local(r workspace.RecentEdit) (out offers) {
	e, ok := editOf(f.corpus, r)
	if !ok {
		return out
	}
	for _, h := range newNames(r, true) {
		if edits.IndexWord(r.Old, h.now, 0) >= 0 {
			continue
		}
		place := e.at + h.new[0].start
		if file := dynamic.Read(e.lang, e.src[:place]+h.old+e.src[place+len(h.now):]); file != nil {
			if out = f.binding(r, e.id, e.src, file, place, h.old, h.now); len(out.edits) > 0 {
				return out
			}
			continue
		}
		if h.indent == "" && !strings.Contains(r.New, "(") {
			continue
		}
		fn, ok := functionAround(f.corpus.Index(), e.id, r.Line+strings.Count(e.src[e.at:place], "\n"))
		if !ok {
			continue
		}
		from := linesAhead(e.src, fn.StartLine-1)
		to := from + linesAhead(e.src[from:], fn.EndLine-fn.StartLine+1)
		if out = f.variable(r, e.src, from, to, place, h.old, h.now, fn); len(out.edits) > 0 {
			return out
		}
	}
	return out
}

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

// variableOf reports whether a pattern changes a name, and all its examples are in one function:
// they are of a variable there, and what else has the name is another one.
func (f *follower) variableOf(p pattern) bool {
	var first index.Def
	for i, x := range p.examples {
		id, ok := f.corpus.Index().FileID(x.path)
		if !ok || x.at < 0 || len(x.old) != 1 || len(x.new) != 1 || !isName(x.old[0]) {
			return false
		}
		fn, ok := functionAround(f.corpus.Index(), id, 1+strings.Count(currentText(f.corpus, x.path)[:x.at], "\n"))
		if !ok || i > 0 && fn.ID != first.ID {
			return false
		}
		first = fn
	}
	return true
}

// binding are the other places of what an edit gave another name where it is declared, by what
// its file's names were bound to before. There are none where the new name means something
// there, or where the edit may have declared another thing.
func (f *follower) binding(r workspace.RecentEdit, id index.FileID, src string, file *dynamic.File, place int, old, now string) (out offers) {
	o, _ := file.At(place)
	if !o.Declares || o.Binding == nil || o.Binding.Kind == dynamic.Imported && !strings.HasSuffix(src[:place], " as ") {
		return out
	}
	b, shift := o.Binding, len(now)-len(old)
	done := 0
	for _, n := range file.Of(now) {
		switch {
		case n.Role != dynamic.Reference:
		case n.Binding == nil && covers(b.Scope, n.Span):
			if dynamic.PythonBuiltin(now) && f.corpus.Index().Language(id) == "python" {
				return out
			}
			done++
		case n.Binding != nil && (covers(b.Scope, n.Span) && covers(n.Binding.Scope, b.Scope) || slices.ContainsFunc(b.Uses, func(u dynamic.Occurrence) bool {
			return covers(n.Binding.Scope, u.Span) && covers(b.Scope, n.Binding.Scope)
		})):
			return out
		}
	}
	var uses []Place
	for _, u := range b.Uses {
		if u.Start < place && u.Declares {
			return out
		}
		if u.Start > place {
			u.Span = edits.Span{Start: u.Start + shift, End: u.End + shift}
		}
		if u.Start != place {
			uses = append(uses, Place{Path: r.Path, Span: u.Span, Shorthand: u.Shorthand})
		}
	}
	name := ""
	line := r.Line + strings.Count(src[placeOf(src, r):place], "\n")
	for _, fn := range f.corpus.Index().Enclosing(id, line) {
		if name == "" && fn.Kind.IsFunc() {
			name = fn.Name
		}
		if b.Kind == dynamic.Parameter && fn.Kind.IsFunc() && line <= fn.SigEndLine && slices.ContainsFunc(fn.Params, func(p string) bool { return strings.TrimLeft(p, "*") == now }) {
			uses = append(append(uses, f.tags(r.Path, src, fn, old)...), f.named(fn, old)...)
		}
	}
	return f.variableUses(r.Path, name, old, now, uses, done)
}

func covers(outer, inner edits.Span) bool {
	return outer.Start <= inner.Start && inner.End <= outer.End
}

// variableUses are the edits that give the uses of a variable in a function its new name.
func (f *follower) variableUses(path, function, old, now string, uses []Place, done int) (out offers) {
	written := redefinition{old: old, def: index.Def{Def: language.Def{Name: now}}}
	out.name = now
	for _, p := range uses {
		out.edits = append(out.edits, NextEdit{Path: p.Path, Edit: edits.Edit{Span: p.Span, New: written.written(p)},
			Title: fmt.Sprintf("Rename %s to %s: %s", old, now, terms.Counted(len(uses), "use")), Reason: fmt.Sprintf("the variable %s is now called %s", old, now),
			Evidence: evidenceOf(renamed, done, done+len(uses)),
			Change:   strings.Join([]string{"variable", path, function, old, now}, "\x00")})
	}
	return out
}

// variable are the uses of a variable in its function's text, from one offset to another,
// that still have its old name, and of a parameter those in the function's comment, in a
// language whose bindings are not read. There are none where the function declares the name
// again, or had the new one before.
func (f *follower) variable(r workspace.RecentEdit, src string, from, to, place int, old, now string, fn index.Def) (out offers) {
	lang := f.corpus.Index().Language(fn.File)
	file, tokens := &codeFile{tokens: tokensOf(lang, src[from:to])}, flatten(src[from:to], false)
	declared := slices.IndexFunc(tokens, func(t flat) bool { return from+t.start == place })
	if declared < 0 {
		return out
	}
	parameter := slices.ContainsFunc(fn.Params, func(p string) bool { return strings.TrimLeft(p, "*&.") == now }) && r.Line <= fn.SigEndLine
	if !parameter && !declares1(lang, tokens, declared) {
		return out
	}
	inner := f.shadowing(fn, old, src)
	var uses []Place
	for i, t := range file.tokens {
		at := from + t.start
		switch {
		case !t.name || at == place || file.dotted(i) || file.key(i) || inner(at):
		case t.text == now:
			return out
		case t.text == old && (at < place || !assigned[lang] && declaresAt(lang, tokens, t.start)):
			return out // it is another variable's name too
		case t.text == old:
			uses = append(uses, Place{Path: r.Path, Span: edits.Span{Start: at, End: from + t.end}})
		}
	}
	if parameter {
		uses = append(uses, f.tags(r.Path, src, fn, old)...)
	}
	return f.variableUses(r.Path, fn.Name, old, now, uses, 0)
}

// declaresAt reports whether the token at an offset declares a variable.
func declaresAt(lang string, tokens []flat, at int) bool {
	i := slices.IndexFunc(tokens, func(t flat) bool { return t.start == at })
	return i >= 0 && declares1(lang, tokens, i)
}

// shadowing returns whether a place is in a function inside another that has a parameter of a
// name.
func (f *follower) shadowing(fn index.Def, name string, src string) func(at int) bool {
	var spans []edits.Span
	for _, d := range f.corpus.Index().Between(fn.File, fn.StartLine, fn.EndLine) {
		if d.ID != fn.ID && d.StartLine > fn.StartLine && d.Kind.IsFunc() && slices.Contains(d.Params, name) {
			start := linesAhead(src, d.StartLine-1)
			spans = append(spans, edits.Span{Start: start, End: start + linesAhead(src[start:], d.EndLine-d.StartLine+1)})
		}
	}
	return func(at int) bool {
		return slices.ContainsFunc(spans, func(s edits.Span) bool { return s.Start <= at && at < s.End })
	}
}

// docTags are the places of a parameter in comments: behind a tag, or, in a docstring, at the
// start of a line that tells about it.
const docTags = `[@\\](?:param|arg)\s+(?:\{[^}\n]*\}\s*)?\[?(%[1]s)\b|:(?:param|type|arg)\s+(?:[\w.]+\s+)?(%[1]s):|(?m:^[ \t]+(%[1]s)(?:[ ]*\([^)\n]*\):|[ ]*:)[ ])`

// tags are the places of a parameter in the comment of its function.
func (f *follower) tags(path, src string, fn index.Def, name string) (out []Place) {
	from := linesAhead(src, fn.DocLine-1)
	to := linesAhead(src, fn.StartLine-1)
	if f.corpus.Index().Language(fn.File) == "python" {
		from = linesAhead(src, fn.SigEndLine)
		to = from
		if open := strings.TrimLeft(src[from:], " \t"); strings.HasPrefix(open, `"""`) || strings.HasPrefix(open, "'''") {
			begin := len(src) - len(open) + 3
			to = begin + max(strings.Index(src[begin:], open[:3]), 0)
		}
	}
	for _, m := range regexp.MustCompile(fmt.Sprintf(docTags, regexp.QuoteMeta(name))).FindAllStringSubmatchIndex(src[from:max(to, from)], -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				out = append(out, Place{Path: path, Span: edits.Span{Start: from + m[g], End: from + m[g+1]}})
			}
		}
	}
	return out
}

// named are the places where the calls of a function of Python name a parameter.
func (f *follower) named(fn index.Def, name string) (out []Place) {
	ix := f.corpus.Index()
	if ix.Language(fn.File) != "python" {
		return nil
	}
	if fn.Name == "__init__" { // which the class's calls call
		for _, d := range ix.Defs(fn.File) {
			if d.Kind == language.KindClass && d.StartLine <= fn.StartLine && fn.EndLine <= d.EndLine && strings.TrimPrefix(d.Container+"."+d.Name, ".") == fn.Container {
				fn = d
			}
		}
	}
	files := map[string]dynamic.Python{}
	for _, p := range f.users(fn) {
		if !p.Call || p.Maybe {
			continue
		}
		file, read := files[p.Path]
		if !read {
			file = dynamic.ReadPython(currentText(f.corpus, p.Path))
			files[p.Path] = file
		}
		for _, span := range file.KeywordsOf(p.Span.End, name) {
			out = append(out, Place{Path: p.Path, Span: span})
		}
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

var (
	declaring = terms.Set("const let var mut val as for catch")
	// assigned are the languages in which the first value that a name gets in a function declares it.
	assigned = terms.Set("ruby php")
	// noTypes are the keywords behind which a name is no declared one.
	noTypes = terms.Set("return else new throw case goto in not and or delete await yield do if while typeof sizeof")
)

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
	case "rust":
		return false
	}
	if assigned[lang] {
		return after == "=" && (before == lineEnd || before == "$")
	}
	typed := i > 0 && (isName(tokens[i-1]) && !noTypes[before] || before == ">" || before == "]" || before == "*")
	return typed && (after == "=" || after == ";" || after == ":")
}
