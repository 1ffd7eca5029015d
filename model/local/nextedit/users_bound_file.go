package nextedit

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A codeToken is a token of code.
type codeToken struct {
	text       string
	start, end int
	name       bool
}

var (
	templateParts = regexp.MustCompile(`\$\{([^{}]*)\}`)
	formatParts   = regexp.MustCompile(`\{([^{}:!]*)[:!}]`)
)

// codeTokens are the tokens of code, those in the values of templates too.
func codeTokens(lang, src string) (out []codeToken) {
	for _, t := range language.Tokens(lang, src) {
		text := src[t.Start:t.End]
		switch t.Kind {
		case language.Name, language.Number, language.Operator, language.Other:
			out = append(out, codeToken{text, t.Start, t.End, t.Kind == language.Name})
		case language.String:
			out = append(out, codeToken{`""`, t.Start, t.Start, false})
			parts := templateParts
			if lang == "python" {
				parts = formatParts
				if quote := strings.IndexAny(text, `"'`); quote < 1 || !strings.ContainsAny(text[:quote], "fF") {
					continue
				}
			} else if !strings.HasPrefix(text, "`") {
				continue
			}
			for _, m := range parts.FindAllStringSubmatchIndex(text, -1) {
				for _, inner := range language.Tokens(lang, text[m[2]:m[3]]) {
					at := t.Start + m[2]
					out = append(out, codeToken{src[at+inner.Start : at+inner.End], at + inner.Start, at + inner.End, inner.Kind == language.Name})
				}
			}
			out = append(out, codeToken{`""`, t.End, t.End, false})
		}
	}
	return out
}

// A boundFile is one file in which users are looked for.
type boundFile struct {
	*bound
	id     index.FileID
	src    string
	tokens []codeToken

	classes map[string]map[string]bool // of the file's variables, by name; nil: not read yet
}

func (f *boundFile) text(i int) string {
	if i < 0 || i >= len(f.tokens) {
		return ""
	}
	return f.tokens[i].text
}

func (f *boundFile) dotted(i int) bool { return f.text(i-1) == "." || f.text(i-1) == "?." }

// line is the number of a token's line, from 1.
func (f *boundFile) line(i int) int { return 1 + strings.Count(f.src[:f.tokens[i].start], "\n") }

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
	if f.ix.Language(f.id) != "python" || f.id != f.def.File && !f.from(f.id, maxReexports) {
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

// inImport reports whether a token is in an import or in a list of what a file exports,
// which may take several lines.
func (f *boundFile) inImport(i int) bool {
	python := f.ix.Language(f.id) == "python"
	for k := i - 1; k >= 0 && k > i-maxImport; k-- {
		switch f.text(k) {
		case "import":
			return f.text(k+1) != "(" || python
		case "export":
			return f.text(k+1) == "{" || f.text(k+1) == "type"
		case "{":
			if !python && f.text(k-1) != "import" && f.text(k-1) != "export" && f.text(k-1) != "type" && f.text(k-1) != "," {
				return false
			}
		case ",", "as", "type", "*":
		case "(":
			if !python || f.text(k-1) != "import" {
				return false
			}
		default:
			if !f.tokens[k].name || python && strings.Contains(f.src[f.tokens[k].end:f.tokens[k+1].start], "\n") {
				return false
			}
		}
	}
	return false
}

// exportsOwn reports whether a token is in a list of what a file exports of its own names,
// and not of another file's.
func (f *boundFile) exportsOwn(i int) bool {
	if f.ix.Language(f.id) == "python" || !f.inImport(i) {
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
	return head == "export" && f.text(f.closing(open)+1) != "from"
}

// maxImport bounds the tokens of one import.
const maxImport = 400

// key reports whether a token names an argument, a property or a label.
func (f *boundFile) key(i int) bool {
	before, after := f.text(i-1), f.text(i+1)
	if f.ix.Language(f.id) == "python" {
		return after == "=" && (before == "(" || before == ",") && f.inBrackets(i)
	}
	return after == ":" && (before == "{" || before == ",") || (before == "{" || before == ",") && after == "(" && f.method(i)
}

// inBrackets reports whether a token is between round brackets.
func (f *boundFile) inBrackets(i int) bool {
	depth := 0
	for k := i - 1; k >= 0 && k > i-400; k-- {
		switch f.text(k) {
		case ")", "]", "}":
			depth++
		case "(":
			if depth == 0 {
				return true
			}
			depth--
		case "[", "{":
			if depth == 0 {
				return false
			}
			depth--
		}
	}
	return false
}

// method reports whether a name before a bracket begins a method: a body follows the
// bracket.
func (f *boundFile) method(i int) bool {
	depth := 0
	for k := i + 1; k < len(f.tokens) && k < i+200; k++ {
		switch f.text(k) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return f.text(k+1) == "{" || f.text(k+1) == ":"
			}
		}
	}
	return false
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
		case f.alone && distinctive(f.def.Name) && f.ix.Language(f.id) != "python" && f.key(i) && !(f.id == f.def.File && line == f.def.StartLine): // of an object of the type
		default:
			continue
		}
		out = append(out, f.place(path, i))
	}
	return out
}

// declarations are the lines where the classes that have a method of TypeScript declare it,
// which all have to agree, without the definition's own; in Python those of its overloads.
func (f *boundFile) declarations() map[int]bool {
	out := map[int]bool{}
	if f.ix.Language(f.id) == "python" {
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

// receives reports whether a member of the definition's name, behind a dot, is it.
func (f *boundFile) receives(i int) bool {
	receiver := f.text(i - 2)
	switch {
	case receiver == "this" || receiver == "self" || receiver == "cls":
		return !f.dotted(i-2) && f.insideFamily(f.line(i))
	case len(f.family[receiver]) > 0 && !f.dotted(i-2):
		return f.refers(f.id, receiver, f.family[receiver])
	}
	known := f.classAt(i-2, maxChain)
	if len(known) == 0 {
		return f.alone && distinctive(f.def.Name)
	}
	return !slices.ContainsFunc(known, func(c classRef) bool { return !f.refers(c.in, c.name, f.family[c.name]) })
}
