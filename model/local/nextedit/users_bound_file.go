package nextedit

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/index"
)

// A boundFile is one file in which users are looked for.
type boundFile struct{ *fileTypes }

func (f *boundFile) place(path string, i int) Place {
	after := f.text(i + 1)
	if after == "?." || after == "!" {
		after = f.text(i + 2)
	}
	return Place{Path: path, Line: f.line(i), Span: edits.Span{Start: f.tokens[i].start, End: f.tokens[i].end}, Call: after == "("}
}

// named are the places of a function, class or variable of a module.
func (f *boundFile) named(path string) (out []Place) {
	plain := f.id == f.def.File
	imported := map[int]bool{} // lines whose import names it
	modules := map[string]bool{}
	for _, im := range f.ix.Imports(f.id) {
		resolved := index.Resolve(f.ix, f.id, im)
		provided := slices.ContainsFunc(resolved, func(id index.FileID) bool { return f.from(id, maxReexports) })
		switch {
		case !provided:
		case im.Name == f.def.Name:
			imported[im.Line] = true
			plain = plain || im.Alias == "" || im.Alias == im.Name
		case im.Name == "*" && im.Alias == "":
			plain = true
		case im.Alias != "":
			modules[im.Alias] = true
		case im.Name == "":
			modules[source.LastPart(im.Path)] = true
		default:
			modules[im.Name] = true
		}
	}
	if !plain && len(imported) == 0 && len(modules) == 0 {
		return nil
	}
	hidden := f.hidden()
	out = f.exported(path)
	for i, t := range f.tokens {
		if !t.name || t.text != f.def.Name {
			continue
		}
		line := f.line(i)
		switch {
		case f.dotted(i):
			if !modules[f.text(i-2)] || f.dotted(i-2) && f.text(i-3) != "" && len(modules) == 0 {
				continue
			}
		case f.inImport(i) && !f.exportsOwn(i):
			if f.text(i-1) == "as" && f.text(i-2) != t.text || !f.importsAt(imported, line) { // "as" its own name passes it on
				continue
			}
		case f.text(i-1) == "as" && f.exportsOwn(i):
			continue
		case !plain || f.key(i) || f.declaredAt(line) && !(f.id == f.def.File && f.variants[line]) || hidden(line):
			continue
		}
		out = append(out, f.place(path, i))
	}
	return out
}

var allNames = regexp.MustCompile(`(?m)^__all__\s*\+?=\s*[\[(]([^\])]*)[\])]`)

// exported are the places where a Python file lists the name as one of those that it
// exports, as a string.
func (f *boundFile) exported(path string) (out []Place) {
	if f.lang != "python" || f.id != f.def.File && !f.from(f.id, maxReexports) {
		return nil
	}
	for _, m := range allNames.FindAllStringSubmatchIndex(f.src, -1) {
		for _, quote := range []string{`"`, "'"} {
			if i := strings.Index(f.src[m[2]:m[3]], quote+f.def.Name+quote); i >= 0 {
				at := m[2] + i + 1
				out = append(out, Place{Path: path, Line: 1 + strings.Count(f.src[:at], "\n"), Span: edits.Span{Start: at, End: at + len(f.def.Name)}})
			}
		}
	}
	return out
}

// importsAt reports whether a line belongs to one of the imports that begin at some lines.
func (f *boundFile) importsAt(imported map[int]bool, line int) bool {
	begin := 0
	for _, im := range f.ix.Imports(f.id) {
		if im.Line <= line {
			begin = max(begin, im.Line)
		}
	}
	return imported[begin]
}

// exportsOwn reports whether a token is in a list of what a file exports of its own names,
// and not of another file's.
func (f *boundFile) exportsOwn(i int) bool {
	if f.lang == "python" || !f.inImport(i) {
		return false
	}
	open := i
	for open >= 0 && f.text(open) != "{" && i-open < maxImport {
		open--
	}
	head := f.text(open - 1)
	if head == "type" {
		head = f.text(open - 2)
	}
	return head == "export" && f.text(f.matching(open)+1) != "from"
}

// declaredAt reports whether a line declares another thing of the name.
func (f *boundFile) declaredAt(line int) bool {
	return slices.ContainsFunc(f.ix.Defs(f.id), func(d index.Def) bool { return d.Name == f.def.Name && d.StartLine == line })
}

// hidden returns whether a parameter or a variable of a function hides the definition in a
// line.
func (f *boundFile) hidden() func(line int) bool {
	var spans [][2]int
	for _, d := range f.ix.Defs(f.id) {
		if d.Kind.IsFunc() && d.ID != f.def.ID && slices.Contains(d.Params, f.def.Name) {
			spans = append(spans, [2]int{d.StartLine, d.EndLine})
		}
	}
	lang := f.ix.Language(f.id)
	for i, t := range f.tokens {
		if !t.name || t.text != f.def.Name || f.dotted(i) || f.inImport(i) {
			continue
		}
		before, after := f.text(i-1), f.text(i+1)
		declares := before == "const" || before == "let" || before == "var" || before == "for" || lang == "python" && (after == "=" && !f.inBrackets(i) || before == "as") || lang != "python" && after == "=>"
		if !declares {
			continue
		}
		line := f.line(i)
		for _, d := range f.ix.Enclosing(f.id, line) {
			if d.Kind.IsFunc() && d.ID != f.def.ID {
				spans = append(spans, [2]int{d.StartLine, d.EndLine})
				break
			}
		}
	}
	return func(line int) bool {
		return slices.ContainsFunc(spans, func(s [2]int) bool { return line >= s[0] && line <= s[1] })
	}
}

// members are the places of a method or property.
func (f *boundFile) members(path string) (out []Place) {
	declared := f.declarations()
	for i, t := range f.tokens {
		if !t.name || t.text != f.def.Name {
			continue
		}
		switch line := f.line(i); {
		case f.dotted(i):
			if !f.receives(i) {
				continue
			}
		case declared[line]:
			declared[line] = false // another one there is no declaration
		case f.lang == "python" || f.id == f.def.File && line == f.def.StartLine:
			continue
		case f.key(i): // of an object, or of a pattern
			if !f.keyed(i, f.alone && distinctive(f.def.Name)) {
				continue
			}
		case f.shorthand(i):
			if !f.keyed(i, false) {
				continue
			}
			p := f.place(path, i)
			p.Shorthand = true
			out = append(out, p)
			continue
		default:
			continue
		}
		out = append(out, f.place(path, i))
	}
	return out
}

// keyed reports whether the object, or the pattern, that a key stands in has the definition.
func (f *boundFile) keyed(i int, unknown bool) bool {
	if b, ok := f.sources[i]; ok {
		return f.has(f.bindingValue(b).typ, false)
	}
	return f.has(f.expected(f.opener(i)), unknown)
}

// declarations are the lines where the classes that have a method of TypeScript declare it,
// which all have to agree, without the definition's own; in Python those of its overloads.
func (f *boundFile) declarations() map[int]bool {
	out := map[int]bool{}
	if f.lang == "python" {
		if f.id == f.def.File {
			maps.Copy(out, f.variants)
		}
		return out
	}
	for _, d := range f.ix.Defs(f.id) {
		if d.Name == f.def.Name && d.ID != f.def.ID && f.family[d.Owner()][f.id] {
			out[d.StartLine] = true
		}
	}
	return out
}
