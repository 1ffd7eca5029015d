package nextedit

import (
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// fileTypes are the types of the expressions of a file.
type fileTypes struct {
	*bound
	scopes
	id      index.FileID
	renames map[string]string // its names by those that it exports them as
}

// file is a file with its bindings, nil if it cannot be read.
func (b *bound) file(id index.FileID) *fileTypes {
	if f, ok := b.files[id]; ok {
		return f
	}
	b.files[id] = nil
	if len(b.files) > maxTypeFiles {
		return nil
	}
	src, ok := b.texts.Text(b.ix.Path(id))
	if !ok || len(src) > source.MaxFile {
		return nil
	}
	lang := b.ix.Language(id)
	f := &fileTypes{bound: b, id: id, scopes: scopes{tokensOf(lang, src), map[string][]binding{}, map[int]binding{}}}
	if lang == "python" {
		f.bindPython(b.ix.Defs(id))
	} else {
		f.renames = exportedAs(src)
		f.bindScript()
	}
	b.files[id] = f
	return f
}

// maxTypeFiles bounds the files that are read for the types that they write.
const maxTypeFiles = 600

// A value is what an expression is. The zero value is unknown.
type value struct {
	typ
	def    index.Def // what it names; without a name if it names nothing
	module bool      // it is the file of its type as a whole
}

var notCalled = terms.Set("return await if while for in of and or not is typeof new yield case else print throw")

// receiver is what stands before the dot before a token.
func (f *fileTypes) receiver(i int) value {
	return f.chain(f.start(i-2), i-1)
}

// chain is the expression that begins at a token, up to another; up to its end if that is
// negative.
func (f *fileTypes) chain(i, end int) value {
	if v := f.walk(i, end); v.def.Container != libraryMember {
		return v
	}
	return value{}
}

// walk is chain, which also names the members that the workspace does not declare.
func (f *fileTypes) walk(i, end int) (v value) {
	if i < 0 || i >= len(f.tokens) || !f.enter() {
		return value{}
	}
	defer f.leave()
	v, k := f.primary(i, end)
	for k < len(f.tokens) && (end < 0 || k < end) {
		switch t := f.text(k); {
		case t == "." || t == "?.":
			if f.text(k+1) == "(" || f.text(k+1) == "[" {
				k++
				continue
			}
			v, k = f.access(v, f.text(k+1), k), k+2
		case t == "!" && (f.text(k+1) == "." || end >= 0 || f.firstOfLine(k+1)):
			k++
		case t == "(" && !(f.lang == "python" && f.firstOfLine(k) && f.opener(k) < 0):
			v, k = f.called(v, k), f.matching(k)+1
		case t == "[" && !(f.firstOfLine(k) && end < 0):
			if f.lang != "python" || !isType(v.def.Kind) || v.def.Name == "" { // else a class with its type arguments
				v = value{typ: f.element(v.typ)}
			}
			k = f.matching(k) + 1
		case t == "<" && f.angleClose(k) > k && f.text(f.angleClose(k)+1) == "(":
			k = f.angleClose(k) + 1
		case end >= 0:
			return value{}
		case t == "as" && f.lang != "python":
			if f.text(k+1) == "const" {
				return v
			}
			return value{typ: typ{f.between(k+1, f.typeEnd(k+1)), f.id}}
		case f.firstOfLine(k) || endsValue[t]:
			return v
		default:
			return value{} // an operator
		}
	}
	return v
}

var endsValue = terms.Set("; , ) ] } : ?? || or satisfies for as")

// primary is what an expression begins with, and where that ends.
func (f *fileTypes) primary(i, end int) (v value, next int) {
	switch t := f.text(i); {
	case t == "await":
		inner := f.chain(i+1, end)
		if end < 0 {
			return value{typ: f.awaited(inner.typ)}, f.skipped(i + 1)
		}
		return value{typ: f.awaited(inner.typ)}, end
	case t == "new":
		return f.made(i)
	case t == "(":
		close := f.matching(i)
		if f.text(close+1) == "=>" || f.text(close+1) == ":" && f.lang != "python" && end < 0 {
			return value{}, len(f.tokens)
		}
		return f.bracketed(i+1, close), close + 1
	case t == "[":
		return f.listed(i)
	case t == `""`:
		if f.text(i+1) == `""` || i+1 < len(f.tokens) && f.src[f.tokens[i].start] == '`' {
			for i+1 < len(f.tokens) && f.text(i+1) != `""` {
				i++
			}
			return value{typ: typ{"string", f.id}}, i + 2
		}
		return value{typ: typ{"string", f.id}}, i + 1
	case t == "this" || t == "self" || t == "cls":
		if b, ok := f.binding(t, i); ok && b.text != "" {
			return f.bindingValue(b), i + 1
		}
		if d, ok := f.enclosing(f.lineOf[i]); ok {
			return value{typ: typ{d.Name, f.id}}, i + 1
		}
		return value{}, i + 1
	case t == "super":
		return f.super(i)
	case f.tokens[i].name:
		return f.nameValue(t, i), i + 1
	}
	return value{}, i + 1
}

// made is what the new at a token makes, and where its arguments end.
func (f *fileTypes) made(i int) (v value, next int) {
	k := i + 1
	for f.text(k+1) == "." {
		k += 2
	}
	name := f.between(i+1, k+1)
	k++
	if f.text(k) == "<" {
		k = f.angleClose(k) + 1
	}
	if f.text(k) == "(" {
		k = f.matching(k) + 1
	}
	return value{typ: f.instance(name, i)}, k
}

// listed is the list that opens at a token, and where it ends. Its type is known if all its
// elements have one.
func (f *fileTypes) listed(i int) (v value, next int) {
	close := f.matching(i)
	var of typ
	for k := i + 1; k < close; k++ {
		if k == i+1 || f.text(k-1) == "," {
			e := f.chain(k, -1).typ
			if e.text == "" || of.text != "" && of != e {
				return value{}, close + 1
			}
			of = e
		}
		if t := f.text(k); t == "(" || t == "[" || t == "{" {
			k = f.matching(k)
		}
	}
	switch {
	case of.text == "":
		return value{}, close + 1
	case f.lang == "python":
		return value{typ: typ{"list[" + of.text + "]", of.in}}, close + 1
	}
	return value{typ: typ{"(" + of.text + ")[]", of.in}}, close + 1
}

// super is the base class that the super at a token means, and where it ends.
func (f *fileTypes) super(i int) (v value, next int) {
	next = i + 1
	if f.text(next) == "(" {
		next = f.matching(next) + 1
	}
	if d, ok := f.enclosing(f.lineOf[i]); ok {
		for _, base := range bases(d.Type) {
			if _, ok, _ := f.declared(f.id, base); ok {
				return value{typ: typ{base, f.id}}, next
			}
		}
	}
	return value{}, next
}

// bracketed is the expression between brackets, with the type that it is said to have.
func (f *fileTypes) bracketed(i, close int) value {
	for k := close - 1; k > i; k-- {
		switch t := f.text(k); t {
		case ")", "]", "}":
			if f.pair[k] >= 0 {
				k = f.pair[k]
			}
		case "as", "satisfies":
			if f.lang != "python" {
				return value{typ: typ{f.between(k+1, close), f.id}}
			}
		}
	}
	return f.chain(i, -1)
}

// instance is what new makes of a name, which may be a variable's.
func (f *fileTypes) instance(name string, at int) typ {
	if b, ok := f.binding(name, at); ok && b.from > 0 {
		return typ{}
	}
	return typ{name, f.id}
}

// nameValue is what a name means at a token.
func (f *fileTypes) nameValue(name string, at int) value {
	if b, ok := f.binding(name, at); ok {
		if v := f.bindingValue(b); v.text != "" || b.from > 0 {
			if v.def.Name == "" && b.from == 0 {
				v.def, _, _ = f.declared(f.id, name)
			}
			return v
		}
	}
	if d, ok, outside := f.declared(f.id, name); ok {
		return f.typeOf(d)
	} else if outside {
		return value{}
	}
	if in, ok := f.module(f.id, name); ok {
		return value{typ: typ{name, in}, module: true}
	}
	return value{}
}

// bindingValue is the value of a binding.
func (f *fileTypes) bindingValue(b binding) (v value) {
	if !f.enter() {
		return v
	}
	defer f.leave()
	switch {
	case b.text != "":
		v = value{typ: typ{b.text, f.id}}
	case b.init >= 0 && b.init <= b.at && f.text(b.at-1) == "as": // with … as
		v = f.chain(b.init, b.at-1)
	case b.init >= 0:
		v = f.chain(b.init, -1)
	case b.function >= 0:
		v = value{typ: f.given(b.function, b.index)}
	}
	if b.each {
		v = value{typ: f.element(v.typ)}
	}
	if b.waited {
		v = value{typ: f.awaited(v.typ)}
	}
	if b.member != "" {
		v = f.memberType(v.typ, b.member)
	}
	return v
}

// access is a member of a value.
func (f *fileTypes) access(v value, name string, at int) value {
	if v.module {
		if d, ok, _ := f.declared(v.in, name); ok {
			return f.typeOf(d)
		}
		return value{}
	}
	if v.def.Container == libraryMember {
		return value{}
	}
	if v.text == "" && v.def.Name == "" {
		return f.everywhere(name)
	}
	out := f.memberType(v.typ, name)
	if out.def.Name == "" && v.text != "" {
		out = value{typ: v.typ, def: index.Def{Def: language.Def{Name: name, Container: libraryMember}}}
	}
	return out
}

// everywhere is what a field of a name is in all classes of the workspace that have one:
// unknown where they differ.
func (f *fileTypes) everywhere(name string) (out value) {
	for _, d := range f.ix.Lookup(name) {
		if d.Container == "" || d.Local || language.Family(f.ix.Language(d.File)) != language.Family(f.lang) {
			continue
		}
		head, _ := typeHead(bare(d.Type))
		was, _ := typeHead(bare(out.text))
		if d.Kind.IsFunc() || !isClass(head) || was != "" && was != head {
			return value{}
		}
		out = value{typ: typ{d.Type, d.File}, def: d}
	}
	return out
}

// isClass reports whether a name is written as classes are.
func isClass(name string) bool {
	name = strings.TrimLeft(name, "_")
	return name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

// libraryMember marks a member that the workspace does not declare: its type is the
// receiver's.
const libraryMember = "\x00"

// called is what a call of a value returns; open is the bracket of its arguments.
func (f *fileTypes) called(v value, open int) value {
	d := v.def
	switch {
	case d.Container == libraryMember:
		switch d.Name {
		case "find", "at", "pop", "shift", "findLast", "get":
			return value{typ: f.element(v.typ)}
		case "filter", "slice", "concat", "reverse", "sort", "values", "copy", "bind":
			return value{typ: v.typ}
		case "then":
			return value{}
		}
		return value{}
	case isType(d.Kind) && d.Name != "": // of Python
		return value{typ: typ{d.Name, d.File}}
	case d.Kind.IsFunc():
		before := f.start(open - 1)
		receiver := typ{}
		if k := open - 1; f.dotted(k) {
			receiver = f.chain(before, k-1).typ
		}
		return value{typ: f.result(d, receiver)}
	case d.Name != "" && d.Type != "":
		return value{typ: f.functionResult(typ{d.Type, d.File})}
	}
	return value{typ: f.functionResult(v.typ)}
}

// functionResult is the result of a function type.
func (b *bound) functionResult(t typ) typ {
	if t.text == "" || !b.enter() {
		return typ{}
	}
	defer b.leave()
	text := bare(t.text)
	if text != "" && (text[0] == '(' || text[0] == '<') {
		_, result := signature(b.ix.Language(t.in), text)
		return typ{result, t.in}
	}
	name, _ := typeHead(text)
	if d, ok, _ := b.declared(t.in, name); ok && d.Kind == language.KindType && d.Type != "" {
		return b.functionResult(typ{aliased(d.Type), d.File})
	}
	return typ{}
}

// initial is what a variable, or a field, is set to where it is declared.
func (f *fileTypes) initial(d index.Def) value {
	at := f.nameOn(d)
	if at < 0 {
		return value{}
	}
	k := at + 1
	if f.text(k) == "=" {
		return f.chain(k+1, -1)
	}
	return value{}
}

// returned is what the body of a function returns: what all its returns do whose value is
// known.
func (f *fileTypes) returned(d index.Def) (out typ) {
	at := f.nameOn(d)
	if at < 0 {
		return out
	}
	for k := at + 1; k < len(f.tokens) && f.lineOf[k] <= d.EndLine; k++ {
		if f.text(k) == "=>" && f.text(k+1) != "{" && f.lineOf[k] <= d.SigEndLine {
			return f.chain(k+1, -1).typ
		}
		if f.text(k) == "function" || f.text(k) == "=>" && f.text(k+1) == "{" && k > f.bodyOf(d, at) || f.text(k) == "def" {
			for k < len(f.tokens) && f.text(k) != "{" && f.text(k) != "def" {
				k++
			}
			if f.text(k) == "def" {
				return typ{} // whose returns are not this function's
			}
			k = f.matching(k)
			continue
		}
		if f.text(k) == "return" && !f.firstOfLine(k+1) {
			v := f.chain(k+1, -1).typ
			if v.text == "" || v.text == "None" {
				continue
			}
			if out.text != "" && out != v {
				return typ{}
			}
			out = v
		}
	}
	return out
}

// given is the type of a parameter of the function that begins at a token, by what it is
// given to.
func (f *fileTypes) given(function, i int) typ {
	if !f.enter() {
		return typ{}
	}
	defer f.leave()
	if f.text(function) != "(" && f.text(function) != "async" && f.text(function+1) != "=>" { // a method of an object
		open := f.opener(function)
		if open < 0 || f.text(open) != "{" {
			return typ{}
		}
		classes, _ := f.classesOf(f.expected(open))
		for _, c := range classes {
			if m, ok := f.member(c, f.text(function)); ok {
				return f.parameterOf(m, i)
			}
		}
		return typ{}
	}
	if f.text(function-1) == "(" || f.text(function-1) == "," {
		if open := f.opener(function); f.text(open) == "(" && i == 0 {
			callee := f.callee(open)
			if callee.def.Container == libraryMember {
				switch callee.def.Name {
				case "map", "forEach", "filter", "find", "some", "every", "flatMap", "findIndex", "findLast", "sort":
					return f.element(callee.typ)
				case "then":
					return f.awaited(callee.typ)
				}
			}
		}
	}
	if f.text(function-1) == ":" && f.tokens[max(0, function-2)].name {
		if open := f.opener(function); f.text(open) == "{" {
			classes, _ := f.classesOf(f.expected(open))
			for _, c := range classes {
				if m, ok := f.member(c, f.text(function-2)); ok {
					return f.parameterOf(m, i)
				}
			}
		}
		return typ{}
	}
	return f.parameter(f.expected(function), i)
}

// callee is what is called with the arguments that a bracket opens.
func (f *fileTypes) callee(open int) value {
	k := open - 1
	if f.text(k) == ">" {
		if angle := f.angleOpen(k); angle < k {
			k = angle - 1
		}
	}
	if k < 0 || !f.tokens[k].name || notCalled[f.text(k)] {
		return value{}
	}
	return f.walk(f.start(k), k+1)
}

// expected is the type that the expression at a token should have, by where it stands.
func (f *fileTypes) expected(i int) typ {
	if !f.enter() {
		return typ{}
	}
	defer f.leave()
	if t := f.text(i); t == "{" || t == "[" {
		if close := f.matching(i); f.text(close+1) == "as" || f.text(close+1) == "satisfies" {
			return typ{f.between(close+2, f.typeEnd(close+2)), f.id}
		}
	}
	open := f.opener(i)
	switch f.text(i - 1) {
	case "=":
		for k := i - 2; k >= 0 && k > i-80; k-- {
			switch t := f.text(k); t {
			case ")", "]", "}":
				if k = f.pair[k]; k < 0 {
					return typ{}
				}
			case ":":
				return typ{f.between(k+1, i-1), f.id}
			case "const", "let", "var", ";", "{", "(":
				return typ{}
			}
		}
	case "(", ",":
		switch f.text(open) {
		case "(":
			n := 0
			for k := open + 1; k < i; k++ {
				switch t := f.text(k); t {
				case "(", "[", "{":
					k = f.matching(k)
				case ",":
					n++
				}
			}
			if f.text(open-1) == "" {
				return typ{}
			}
			callee := f.callee(open)
			if f.text(open-2) == "new" {
				if d, ok, _ := f.declared(f.id, f.text(open-1)); ok {
					if m, ok := f.member(d, "constructor"); ok {
						return f.parameterOf(m, n)
					}
				}
				return typ{}
			}
			if callee.def.Name != "" && callee.def.Container != libraryMember && !isType(callee.def.Kind) {
				return f.parameterOf(callee.def, n)
			}
			return typ{}
		case "[":
			return f.element(f.expected(open))
		}
	case "[":
		return f.element(f.expected(open))
	case ":":
		if f.text(open) == "{" && i >= 2 {
			return f.memberType(f.expected(open), f.text(i-2)).typ
		}
	case "return":
		line := f.lineOf[i]
		defs := f.ix.Enclosing(f.id, line)
		for _, d := range slices.Backward(defs) {
			if d.Kind.IsFunc() {
				return f.awaited(typ{d.Type, d.File})
			}
		}
	}
	return typ{}
}
