package nextedit

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// bindsNames are the languages in which a file says by its imports what its names are.
var bindsNames = source.Set("typescript javascript typescriptreact javascriptreact python")

// A bound finds the users of one definition in a language that binds names by imports.
type bound struct {
	ix       *index.Index
	def      index.Def
	provides map[index.FileID]bool
	family   map[string]map[index.FileID]bool // where the classes are that have a method: its own, and those that extend it
	alone    bool                             // nothing else in the workspace has the name
}

// boundUsers are the places of a function in files that import it or have it, where nothing
// else has its name; and those of a method behind self, or behind a name whose class the
// file shows, or behind anything where its name is that of nothing else.
func boundUsers(ctx context.Context, texts source.Corpus, d index.Def, files []index.FileID) []Place {
	ix := texts.Index()
	b := &bound{ix: ix, def: d, provides: map[index.FileID]bool{}, family: map[string]map[index.FileID]bool{}}
	if d.Container != "" {
		b.addFamily(d.Owner(), d.File)
	}
	b.alone = !slices.ContainsFunc(ix.Lookup(d.Name), func(o index.Def) bool {
		return o.ID != d.ID && !(d.Container != "" && b.family[o.Owner()][o.File]) && language.Family(ix.Language(o.File)) == language.Family(ix.Language(d.File))
	})
	if ix.Language(d.File) == "python" && d.Container == "" { // which may name it in a string alone
		for _, id := range ix.Named("__init__.py") {
			if !slices.Contains(files, id) && b.from(id, maxReexports) {
				files = append(slices.Clip(files), id)
			}
		}
	}
	var out []Place
	for _, id := range files {
		if ctx.Err() != nil {
			break
		}
		if language.Family(ix.Language(id)) != language.Family(ix.Language(d.File)) {
			continue
		}
		path := ix.Path(id)
		src, ok := texts.Text(path)
		if !ok || len(src) > source.MaxFile {
			continue
		}
		f := boundFile{bound: b, id: id, src: src, tokens: codeTokens(ix.Language(id), src)}
		if d.Container == "" {
			out = append(out, f.named(path)...)
		} else {
			out = append(out, f.members(path)...)
		}
	}
	return out
}

// addFamily adds a class of a file, those that extend it, and those that it has the method
// from.
func (b *bound) addFamily(class string, in index.FileID) {
	if class == "" || b.family[class][in] || len(b.family) > maxFamily {
		return
	}
	b.join(class, in)
	for _, d := range b.ix.Defs(in) {
		if d.Name != class || !isType(d.Kind) {
			continue
		}
		for _, base := range bases(d.Type) {
			for _, m := range b.ix.Members(base) {
				if m.Name == b.def.Name && b.refers(in, base, map[index.FileID]bool{m.File: true}) {
					b.addFamily(base, m.File)
				}
			}
		}
	}
	for _, id := range b.ix.Users(class) {
		if !b.refers(id, class, b.family[class]) {
			continue
		}
		for _, d := range b.ix.Defs(id) {
			switch list := bases(d.Type); {
			case d.Kind == language.KindClass || d.Kind == language.KindInterface:
				if slices.Contains(list, class) {
					b.addFamily(d.Name, id)
				}
			case d.Kind == language.KindVar || d.Kind == language.KindConst: // an object with the methods of an interface
				if !d.Local && len(list) == 1 && list[0] == class {
					b.join(d.Name, id)
				}
			}
		}
	}
}

// maxFamily bounds the classes that have one method.
const maxFamily = 40

func (b *bound) join(class string, in index.FileID) {
	if b.family[class] == nil {
		b.family[class] = map[index.FileID]bool{}
	}
	b.family[class][in] = true
}

func isType(k language.Kind) bool {
	return k == language.KindClass || k == language.KindInterface || k == language.KindType
}

// refers reports whether a name in a file means what one of some files declares: the file is
// one of them, imports it from there, or names the one class of the workspace that has the
// name.
func (b *bound) refers(id index.FileID, name string, declared map[index.FileID]bool) bool {
	if len(declared) == 0 {
		return false
	}
	if slices.ContainsFunc(b.ix.Defs(id), func(d index.Def) bool { return d.Name == name && d.Container == "" && !d.Local }) {
		return declared[id]
	}
	for _, im := range b.ix.Imports(id) {
		if im.Name != name && im.Alias != name {
			continue
		}
		return slices.ContainsFunc(index.Resolve(b.ix, id, im), func(f index.FileID) bool {
			return declared[f] || !slices.ContainsFunc(b.ix.Defs(f), func(d index.Def) bool { return d.Name == im.Name && d.Container == "" }) // it has it from elsewhere
		})
	}
	types := 0
	for _, d := range b.ix.Lookup(name) {
		if isType(d.Kind) {
			types++
		}
	}
	return types == 1
}

var word = regexp.MustCompile(`[A-Za-z_$][\w$]*`)

func words(text string) []string { return word.FindAllString(text, -1) }

// bases are the names in a type, without its type arguments.
func bases(text string) []string {
	var out strings.Builder
	depth := 0
	for i, r := range text {
		switch {
		case r == '<':
			depth++
		case r == '>' && (i == 0 || text[i-1] != '='):
			depth--
		case depth == 0:
			out.WriteRune(r)
		}
	}
	return words(out.String())
}

// classIn is the one class that a type is, "" if it may be another or none.
func classIn(text string) string {
	if inner, ok := strings.CutPrefix(text, "Promise<"); ok {
		text = strings.TrimSuffix(inner, ">")
	}
	list := slices.DeleteFunc(bases(text), func(w string) bool { return w == "null" || w == "undefined" || w == "None" || w == "Optional" })
	if len(list) != 1 || !isClass(list[0]) {
		return ""
	}
	return list[0]
}

// from reports whether what a file exports under the definition's name is the definition.
func (b *bound) from(id index.FileID, depth int) bool {
	if id == b.def.File {
		return true
	}
	if known, ok := b.provides[id]; ok || depth == 0 {
		return known
	}
	b.provides[id] = false
	for _, im := range b.ix.Imports(id) {
		if (im.Name == b.def.Name || im.Name == "*") && slices.ContainsFunc(index.Resolve(b.ix, id, im), func(f index.FileID) bool { return b.from(f, depth-1) }) {
			b.provides[id] = true
			break
		}
	}
	return b.provides[id]
}

// maxReexports bounds the files between a definition and who imports it.
const maxReexports = 4

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
			if f.text(i-1) == "as" || !f.importsAt(imported, line) {
				continue
			}
		case f.text(i-1) == "as" && f.exportsOwn(i):
			continue
		case !plain || f.key(i) || f.declaredAt(line) || hidden(line):
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
// which all have to agree, without the definition's own.
func (f *boundFile) declarations() map[int]bool {
	out := map[int]bool{}
	if f.ix.Language(f.id) == "python" {
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

// A classRef is a class as a file names it.
type classRef struct {
	name string
	in   index.FileID
}

// maxChain bounds the members that lead to a receiver.
const maxChain = 4

// classAt are the classes that the expression before a dot may have, as far as the workspace
// writes them; i is its last token.
func (f *boundFile) classAt(i, depth int) []classRef {
	if depth == 0 || i < 0 {
		return nil
	}
	if f.text(i) == "!" {
		i--
	}
	if f.text(i) == ")" {
		return f.classOfCall(f.opening(i)-1, depth)
	}
	if f.classes == nil {
		f.classes = f.classesOf()
	}
	name := f.text(i)
	own := f.text(i-2) == "this" || f.text(i-2) == "self"
	if known := f.classes[name]; !f.dotted(i) || own && len(known) > 0 {
		out := make([]classRef, 0, len(known))
		for class := range known {
			out = append(out, classRef{class, f.id})
		}
		return out
	}
	return f.typed(name, f.owners(i-2, depth), func(d index.Def) bool { return !d.Kind.IsFunc() })
}

// classOfCall is the class of what the function at a token returns.
func (f *boundFile) classOfCall(i, depth int) []classRef {
	if i < 0 || !f.tokens[i].name {
		return nil
	}
	name := f.text(i)
	if isClass(name) && (f.text(i-1) == "new" || f.ix.Language(f.id) == "python") {
		return []classRef{{name, f.id}}
	}
	if !f.dotted(i) {
		return f.typed(name, nil, func(d index.Def) bool { return d.Kind.IsFunc() && d.Container == "" })
	}
	owners := f.owners(i-2, depth)
	if len(owners) == 0 {
		return nil
	}
	return f.typed(name, owners, func(d index.Def) bool { return d.Kind.IsFunc() })
}

// owners are the classes of the expression that ends with a token, this and self too.
func (f *boundFile) owners(i, depth int) map[string]bool {
	out := map[string]bool{}
	if t := f.text(i); t != "this" && t != "self" {
		for _, c := range f.classAt(i, depth-1) {
			out[c.name] = true
		}
		return out
	}
	for _, d := range f.ix.Enclosing(f.id, f.line(i)) {
		if d.Kind == language.KindClass {
			out[d.Name] = true
			break
		}
	}
	return out
}

// typed is the class that all definitions of a name have which qualify: those of some
// owners, or all of the workspace where these are not known. There is none if they differ.
func (f *boundFile) typed(name string, owners map[string]bool, qualifies func(index.Def) bool) (out []classRef) {
	for _, d := range f.ix.Lookup(name) {
		if d.Local || language.Family(f.ix.Language(d.File)) != language.Family(f.ix.Language(f.id)) || len(owners) > 0 && !owners[d.Owner()] {
			continue
		}
		class := classIn(d.Type)
		if !qualifies(d) || class == "" || len(out) > 0 && out[0].name != class {
			return nil
		}
		out = append(out, classRef{class, d.File})
	}
	return out
}

// opening is where the bracket that closes at a token opens, -1 if it does not.
func (f *boundFile) opening(i int) int {
	depth := 0
	for k := i; k >= 0; k-- {
		switch f.text(k) {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
}

// distinctive reports whether a name has several words, which those of libraries that the
// workspace does not show have seldom in common with it.
func distinctive(name string) bool {
	name = strings.Trim(name, "_#")
	return strings.Contains(name, "_") || strings.ToLower(name[min(1, len(name)):]) != name[min(1, len(name)):]
}

// insideFamily reports whether a line is in a class that has the method.
func (f *boundFile) insideFamily(line int) bool {
	for _, d := range f.ix.Enclosing(f.id, line) {
		if d.Kind == language.KindClass || d.Kind == language.KindInterface {
			return f.family[d.Name][f.id]
		}
	}
	return false
}

// classesOf are the classes that variables, parameters and properties of a file have, as
// far as it writes them: x = C(…), x = new C(…), x: C, with C(…) as x.
func (f *boundFile) classesOf() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	add := func(name, class string) {
		if out[name] == nil {
			out[name] = map[string]bool{}
		}
		out[name][class] = true
	}
	for i, t := range f.tokens {
		if !t.name {
			continue
		}
		k := i + 1
		if f.text(k) == "?" {
			k++
		}
		switch f.text(k) {
		case ":":
			if class := f.text(k + 1); isClass(class) && f.text(k+2) != "." && f.text(k+2) != "[" && (f.text(k+2) != "<" || f.generic(class)) {
				add(t.text, class)
			}
		case "=":
			k++
			for f.text(k) == "await" || f.text(k) == "new" {
				k++
			}
			for f.text(k+1) == "." && f.text(k+3) == "(" || f.text(k+1) == "." && f.text(k+3) == "." {
				k += 2
			}
			switch {
			case isClass(f.text(k)) && (f.text(k+1) == "(" || f.text(k-1) == "new" && f.text(k+1) == "<"):
				add(t.text, f.text(k))
			case f.text(k+1) == "(" && f.text(f.closing(k+1)+1) != ".":
				add(t.text, f.returned(f.text(k), out[f.receiver(k)]))
			case f.text(k) != "None" && f.text(k) != "null" && f.text(k) != "undefined" && !f.inBrackets(i):
				add(t.text, "") // of a class that is not shown
			}
		}
		if f.text(i-1) == "as" && f.text(i-2) == ")" {
			depth := 0
			for k := i - 2; k >= 0; k-- {
				switch f.text(k) {
				case ")":
					depth++
				case "(":
					depth--
				}
				if depth == 0 {
					if isClass(f.text(k - 1)) {
						add(t.text, f.text(k-1))
					}
					break
				}
			}
		}
	}
	for name, classes := range out {
		if delete(classes, ""); len(classes) == 0 {
			delete(out, name)
		}
	}
	return out
}

// closing is where the bracket at a token closes.
func (f *boundFile) closing(i int) int {
	depth := 0
	for k := i; k < len(f.tokens); k++ {
		switch f.text(k) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return len(f.tokens)
}

// receiver is the name before the dot before a token, "" if there is none.
func (f *boundFile) receiver(i int) string {
	if !f.dotted(i) {
		return ""
	}
	return f.text(i - 2)
}

// returned is the class that a function says to return: the one of that name in the class
// of its receiver, where that is known, else all of the workspace; "" if they do not say it.
func (f *boundFile) returned(name string, receiver map[string]bool) (class string) {
	for _, d := range f.ix.Lookup(name) {
		if !d.Kind.IsFunc() || language.Family(f.ix.Language(d.File)) != language.Family(f.ix.Language(f.id)) || len(receiver) > 0 && !receiver[d.Owner()] {
			continue
		}
		c := classIn(d.Type)
		if c == "" || class != "" && class != c {
			return ""
		}
		class = c
	}
	return class
}

// generic reports whether the workspace declares a class or an interface of a name: its
// type arguments do not make it another class, as they do for a container of a library.
func (f *boundFile) generic(name string) bool {
	return slices.ContainsFunc(f.ix.Lookup(name), func(d index.Def) bool { return d.Kind == language.KindClass || d.Kind == language.KindInterface })
}

// isClass reports whether a name is written as classes are.
func isClass(name string) bool {
	name = strings.TrimLeft(name, "_")
	return name != "" && name[0] >= 'A' && name[0] <= 'Z'
}
