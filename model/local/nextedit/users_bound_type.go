package nextedit

import (
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A typ is a type as a file writes it: Router<T>[], Promise<File>, typeof app. The zero typ
// is unknown.
type typ struct {
	text string
	in   index.FileID
}

// maxTypeDepth bounds the steps from one type to the next, and maxTypeSteps those of all
// users of one definition.
const (
	maxTypeDepth = 24
	maxTypeSteps = 400_000
)

// enter counts a step; it is false where there are too many. Each that succeeds is left.
func (b *bound) enter() bool {
	if b.depth >= maxTypeDepth || b.steps >= maxTypeSteps {
		return false
	}
	b.depth++
	b.steps++
	return true
}

func (b *bound) leave() { b.depth-- }

// A fileName is a name of a file.
type fileName struct {
	in   index.FileID
	name string
}

// declared is what a name of a file's outermost scope means, through imports and aliases;
// outside is true if it is imported from outside of the workspace.
func (b *bound) declared(in index.FileID, name string) (d index.Def, ok, outside bool) {
	if known, seen := b.names[fileName{in, name}]; seen {
		return known, known.Name != "", false
	}
	if !b.enter() {
		return d, false, false
	}
	defer b.leave()
	d, ok, outside = b.lookUp(in, name)
	if !outside {
		b.names[fileName{in, name}] = d
	}
	return d, ok, outside
}

func (b *bound) lookUp(in index.FileID, name string) (d index.Def, ok, outside bool) {
	for _, o := range b.ix.Defs(in) {
		if o.Name == name && o.Container == "" && !o.Local && (!ok || isType(o.Kind) && !isType(d.Kind)) {
			d, ok = o, true
		}
	}
	if ok {
		return d, true, false
	}
	imported, resolved := false, false
	for _, im := range b.ix.Imports(in) {
		star := im.Name == "*" && im.Alias == ""
		if !star && im.Alias != name && (im.Alias != "" || im.Name != name) {
			continue
		}
		imported = imported || !star
		original := im.Name
		if star || im.Name == "default" {
			original = name
		}
		for _, f := range index.Resolve(b.ix, in, im) {
			resolved = true
			if f == in {
				continue
			}
			if d, ok, _ := b.declared(f, original); ok {
				return d, true, false
			}
		}
	}
	switch f := b.file(in); {
	case imported && !resolved:
		return d, false, true
	case f != nil && f.renames[name] != "" && f.renames[name] != name:
		return b.declared(in, f.renames[name])
	}
	types, others := 0, 0
	for _, o := range b.ix.Lookup(name) {
		if o.Container != "" || o.Local || language.Family(b.ix.Language(o.File)) != language.Family(b.ix.Language(in)) {
			continue
		}
		if isType(o.Kind) {
			types++
		}
		if others++; types == 0 || isType(o.Kind) {
			d = o
		}
	}
	if types != 1 && (types > 0 || others != 1) {
		return index.Def{}, false, false
	}
	return d, true, false
}

// wrappers are types that have the members of their first argument.
var wrappers = map[string]bool{"Partial": true, "Required": true, "Readonly": true, "NonNullable": true, "Pick": true, "Omit": true, "Optional": true, "Annotated": true,
	"Type": true, "type": true, "InstanceType": true, "Final": true, "ClassVar": true, "Self": true}

// classesOf are the definitions whose members a type has; known is false if it may have
// others.
func (b *bound) classesOf(t typ) (out []index.Def, known bool) {
	if t.text == "" || !b.enter() {
		return nil, false
	}
	defer b.leave()
	text := bare(t.text)
	if parts := splitType(text, '|'); len(parts) > 1 {
		for _, part := range parts {
			switch part {
			case "", "null", "undefined", "None":
				continue
			}
			list, ok := b.classesOf(typ{part, t.in})
			if !ok {
				return nil, false
			}
			out = append(out, list...)
		}
		return out, true
	}
	if parts := splitType(text, '&'); len(parts) > 1 {
		for _, part := range parts {
			list, _ := b.classesOf(typ{part, t.in})
			if slices.ContainsFunc(list, b.inFamily) {
				return list, true
			}
			out = append(out, list...)
		}
		return out[:min(1, len(out))], len(out) > 0
	}
	if value, ok := strings.CutPrefix(text, "typeof "); ok {
		return b.classesOfValue(fileName{t.in, strings.TrimSpace(value)})
	}
	if i := strings.LastIndexByte(text, '['); i > 0 && strings.HasSuffix(text, "]") && b.ix.Language(t.in) != "python" {
		if key := strings.Trim(text[i+1:len(text)-1], `"'`); key != "" && len(key) < len(text)-i-2 {
			return b.classesOf(b.memberType(typ{text[:i], t.in}, key).typ)
		}
		return nil, true // an array
	}
	name, args := typeHead(text)
	if name == "" {
		return nil, true
	}
	first := typ{}
	if len(args) > 0 {
		first = typ{args[0], t.in}
	}
	if name == "ReturnType" && strings.HasPrefix(first.text, "typeof ") {
		if d, ok, _ := b.declared(t.in, strings.TrimPrefix(first.text, "typeof ")); ok {
			return b.classesOf(b.result(d, typ{}))
		}
		return nil, false
	}
	if wrappers[name] && len(args) > 0 {
		return b.classesOf(first)
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		module, ok := b.module(t.in, name[:i])
		if !ok {
			return nil, false
		}
		return b.classesOf(typ{name[i+1:], module})
	}
	d, ok, outside := b.declared(t.in, name)
	switch {
	case !ok && !outside && (len(name) <= 2 || name[0] == 'T' && name[1] >= 'A' && name[1] <= 'Z' || name[0] == '$' || strings.HasSuffix(name, "T")):
		return nil, false // a type parameter
	case !ok:
		return nil, true
	case d.Kind == language.KindType && d.Type != "" && !b.hasMembers(d):
		return b.classesOf(typ{aliased(d.Type), d.File})
	case isType(d.Kind):
		return []index.Def{d}, true
	}
	return nil, false
}

// aliased is what a type alias stands for, without its own type parameters.
func aliased(text string) string {
	if rest, ok := strings.CutPrefix(text, "<"); ok {
		depth := 1
		for i, r := range rest {
			switch {
			case r == '<':
				depth++
			case r == '>' && (i == 0 || rest[i-1] != '='):
				depth--
			}
			if depth == 0 {
				return strings.TrimLeft(rest[i+1:], " \n\t=")
			}
		}
	}
	return text
}

// classesOfValue are the definitions whose members a value has: a class its own, an object
// those that it is written with or that its type has.
func (b *bound) classesOfValue(n fileName) ([]index.Def, bool) {
	d, ok, outside := b.declared(n.in, n.name)
	switch {
	case !ok:
		return nil, outside
	case isType(d.Kind):
		return []index.Def{d}, true
	case d.Type == "" && b.hasMembers(d):
		return []index.Def{d}, true
	}
	return b.classesOf(b.typeOf(d).typ)
}

func (b *bound) inFamily(d index.Def) bool { return b.family[d.Name][d.File] }

func (b *bound) hasMembers(d index.Def) bool {
	return slices.ContainsFunc(b.ix.Members(d.Name), func(m index.Def) bool { return m.File == d.File && m.Owner() == d.Name })
}

// member is a member of a class, its own or one that it has from another.
func (b *bound) member(d index.Def, name string) (out index.Def, ok bool) {
	if !b.enter() {
		return out, false
	}
	defer b.leave()
	for _, m := range b.ix.Members(d.Name) {
		if m.File == d.File && m.Owner() == d.Name && strings.TrimPrefix(m.Name, "#") == strings.TrimPrefix(name, "#") {
			return m, true
		}
	}
	text := d.Type
	if d.Kind == language.KindType {
		text, _, _ = strings.Cut(text, "{")
	}
	for _, base := range bases(text) {
		if base == "extends" || base == "implements" || base == d.Name {
			continue
		}
		if o, ok, _ := b.declared(d.File, base); ok && o.ID != d.ID {
			if m, ok := b.member(o, name); ok {
				return m, true
			}
		}
	}
	return out, false
}

// memberType is what a member of a type is; unknown where its classes differ in it.
func (b *bound) memberType(t typ, name string) value {
	classes, _ := b.classesOf(t)
	var out value
	for i, c := range classes {
		m, ok := b.member(c, name)
		if !ok {
			return value{}
		}
		v := b.typeOf(m)
		if i > 0 && v.typ != out.typ {
			return value{}
		}
		out = v
	}
	return out
}

// typeOf is what a definition is as a value.
func (b *bound) typeOf(d index.Def) value {
	v := value{def: d}
	switch {
	case d.Kind.IsFunc():
		v.typ = b.result(d, typ{}) // of a getter; who calls it asks again
	case isType(d.Kind):
		v.typ = typ{"typeof " + d.Name, d.File}
	case d.Type != "":
		v.typ = typ{d.Type, d.File}
	case b.hasMembers(d):
		v.typ = typ{"typeof " + d.Name, d.File}
	default:
		if f := b.file(d.File); f != nil && b.enter() {
			v.typ = f.initial(d).typ
			b.leave()
		}
	}
	return v
}

// result is the type that a function returns: as it says, or as its body does. receiver is
// what this means.
func (b *bound) result(d index.Def, receiver typ) typ {
	if isType(d.Kind) {
		return typ{d.Name, d.File}
	}
	text := strings.Trim(d.Type, `"'`)
	if strings.HasPrefix(text, "(") || strings.HasPrefix(text, "<") {
		_, text = signature(b.ix.Language(d.File), text)
	}
	switch text {
	case "this", "Self", "typing.Self", "t.Self":
		if receiver.text != "" {
			return receiver
		}
		return typ{d.Owner(), d.File}
	case "":
		if !d.Kind.IsFunc() || !b.enter() {
			return typ{}
		}
		defer b.leave()
		if f := b.file(d.File); f != nil {
			return f.returned(d)
		}
		return typ{}
	}
	return typ{text, d.File}
}

// module is the file that a name of a file imports as a whole.
func (b *bound) module(in index.FileID, name string) (index.FileID, bool) {
	for _, im := range b.ix.Imports(in) {
		whole := im.Name == "" || im.Name == "*"
		called := im.Alias
		if called == "" {
			called = im.Name
			if whole {
				called = im.Path
			}
		}
		if called != name || !whole && b.ix.Language(in) != "python" {
			continue
		}
		for _, f := range index.Resolve(b.ix, in, im) {
			if whole || strings.TrimSuffix(baseName(b.ix.Path(f)), ".py") == im.Name || strings.HasSuffix(b.ix.Path(f), "/"+im.Name+"/__init__.py") {
				return f, true
			}
		}
	}
	return 0, false
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// element is the type of what a collection holds.
func (b *bound) element(t typ) typ {
	if t.text == "" || !b.enter() {
		return typ{}
	}
	defer b.leave()
	text := bare(t.text)
	if inner, ok := strings.CutSuffix(text, "[]"); ok {
		return typ{bare(inner), t.in}
	}
	name, args := typeHead(text)
	name = name[strings.LastIndexByte(name, '.')+1:]
	switch name {
	case "Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable", "AsyncIterable", "Generator", "AsyncGenerator", "Iterator", "AsyncIterator", "IterableIterator",
		"List", "list", "Sequence", "MutableSequence", "set", "frozenset", "tuple", "Tuple", "Collection", "Awaitable":
		if len(args) > 0 {
			return typ{args[0], t.in}
		}
	case "Record", "Map", "WeakMap", "dict", "Dict", "Mapping":
		if len(args) == 2 {
			return typ{args[1], t.in}
		}
	default:
		if d, ok, _ := b.declared(t.in, name); ok && d.Kind == language.KindType && d.Type != "" {
			return b.element(typ{aliased(d.Type), d.File})
		}
	}
	return typ{}
}

// awaited is what waiting for a type gives.
func (b *bound) awaited(t typ) typ {
	name, args := typeHead(bare(t.text))
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Promise", "PromiseLike", "Awaitable":
		if len(args) == 1 {
			return typ{args[0], t.in}
		}
	case "Coroutine":
		if len(args) == 3 {
			return typ{args[2], t.in}
		}
	}
	return t
}

// parameter is the type of a parameter of a function type.
func (b *bound) parameter(t typ, i int) typ {
	if t.text == "" || !b.enter() {
		return typ{}
	}
	defer b.leave()
	for _, part := range splitType(bare(t.text), '|') {
		part = bare(part)
		if strings.HasPrefix(part, "(") || strings.HasPrefix(part, "<") {
			if params, _ := signature(b.ix.Language(t.in), part); i < len(params) {
				return typ{params[i], t.in}
			}
			continue
		}
		name, _ := typeHead(part)
		if d, ok, _ := b.declared(t.in, name); ok && d.Kind == language.KindType && d.Type != "" {
			if p := b.parameter(typ{aliased(d.Type), d.File}, i); p.text != "" {
				return p
			}
		}
	}
	return typ{}
}

// parameterOf is the type of a parameter of a function.
func (b *bound) parameterOf(d index.Def, i int) typ {
	if !d.Kind.IsFunc() {
		return b.parameter(typ{d.Type, d.File}, i)
	}
	f := b.file(d.File)
	if f == nil {
		return typ{}
	}
	at := f.nameOn(d)
	for k := at + 1; at >= 0 && k < len(f.tokens) && k < at+60; k++ {
		if f.text(k) == "(" {
			params, _ := signature(f.lang, f.src[f.tokens[k].start:f.tokens[f.matching(k)].end])
			if i < len(params) {
				return typ{params[i], d.File}
			}
			break
		}
	}
	return typ{}
}

// signature are the types of the parameters of a function type, "" where they are not
// written, and of its result.
func signature(lang, text string) (params []string, result string) {
	tokens := codeTokens(lang, text)
	i, depth, angle := 0, 0, 0
	for i < len(tokens) && (tokens[i].text != "(" || angle > 0) {
		angle += angles(tokens, i)
		i++
	}
	colon, from := -1, i+1
	end := func(k int) {
		if k <= from {
			return
		}
		part := ""
		if colon >= 0 && colon+1 < k {
			stop := k
			for j := colon + 1; j < k; j++ {
				if tokens[j].text == "=" {
					stop = j
					break
				}
			}
			if stop > colon+1 {
				part = text[tokens[colon+1].start:tokens[stop-1].end]
			}
		}
		params = append(params, part)
		from, colon = k+1, -1
	}
	for ; i < len(tokens); i++ {
		angle += angles(tokens, i)
		switch tokens[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				end(i)
				if i+2 < len(tokens) && (tokens[i+1].text == "=>" || tokens[i+1].text == "->" || tokens[i+1].text == ":") {
					result = strings.TrimSpace(text[tokens[i+2].start:])
				}
				return params, result
			}
		case ":":
			if depth == 1 && angle == 0 && colon < 0 {
				colon = i
			}
		case ",":
			if depth == 1 && angle == 0 {
				end(i)
			}
		}
	}
	return params, result
}

// angles is by how much a token changes the depth of angle brackets.
func angles(tokens []codeToken, i int) int {
	text := tokens[i].text
	if strings.Trim(text, "<") == "" {
		return len(text)
	}
	if strings.Trim(text, ">") == "" {
		return -len(text)
	}
	return 0
}

// bare is a type without what does not change its members.
func bare(text string) string {
	for {
		was := text
		text = strings.TrimSpace(text)
		text = strings.TrimPrefix(strings.TrimPrefix(text, "readonly "), "|")
		if len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
			text = text[1 : len(text)-1]
		}
		if len(text) > 1 && text[0] == '(' && text[len(text)-1] == ')' && closes(text) {
			text = text[1 : len(text)-1]
		}
		if text == was {
			return text
		}
	}
}

// closes reports whether the bracket that a text begins with closes at its end.
func closes(text string) bool {
	depth := 0
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i == len(text)-1
			}
		}
	}
	return false
}

// splitType are the parts of a type between a mark that stands outside of brackets.
func splitType(text string, mark rune) (out []string) {
	depth, from := 0, 0
	for i, r := range text {
		switch {
		case r == '(' || r == '[' || r == '{' || r == '<':
			depth++
		case r == ')' || r == ']' || r == '}' || r == '>' && (i == 0 || text[i-1] != '='):
			depth--
		case r == '=' && strings.HasPrefix(text[i:], "=>") && depth == 0:
			return append(out, strings.TrimSpace(text[from:])) // what follows is the result's
		case r == mark && depth == 0:
			out = append(out, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(text[from:]))
}

// typeHead are the name of a type and its arguments; there is no name where it is a literal
// or a function.
func typeHead(text string) (name string, args []string) {
	end := strings.IndexFunc(text+" ", func(r rune) bool { return !isNameRune(r) && r != '.' })
	name = text[:end]
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "", nil
	}
	rest := strings.TrimSpace(text[end:])
	if len(rest) > 1 && (rest[0] == '<' && rest[len(rest)-1] == '>' || rest[0] == '[' && rest[len(rest)-1] == ']') {
		args = splitType(rest[1:len(rest)-1], ',')
	}
	return name, args
}

func isNameRune(r rune) bool {
	return r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
}
