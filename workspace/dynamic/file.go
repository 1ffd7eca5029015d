package dynamic

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
)

// A Kind is what binds a name.
type Kind uint8

// The kinds of what binds names. The last two are those of names that are bound in a scope
// around the one that they stand in.
const (
	Variable Kind = iota
	Parameter
	Definition // a function, class or type
	Imported
	declaredOuter  // by global or nonlocal
	assignedInside // by :=
)

// A Role is what a name is for where a text has it.
type Role uint8

// The roles of names.
const (
	Reference Role = iota // to a variable, parameter, function, class or import
	Member                // behind a dot
	Key                   // of an object, a type or a class, or of an argument
	Listed                // what another module calls something that is imported or exported
)

// An Occurrence is a place where a text has a name.
type Occurrence struct {
	edits.Span
	Role      Role
	Declares  bool     // a reference: it is bound there
	Shorthand bool     // a reference: a property has the name too, as in { name }
	Called    bool     // it is called
	Object    string   // a member: the name before its dot, "" where that is no name alone
	Binding   *Binding // a reference: what it is bound to, nil for nothing in the text
}

// A Binding is what a name means in one scope of a text.
type Binding struct {
	Name   string
	Kind   Kind // of its first declaration
	Scope  edits.Span
	Module bool // it is known in the whole text
	Uses   []Occurrence
}

// A File is what the names of a text are bound to. It is not safe for concurrent use.
type File struct {
	code
	scoped
	names map[string][]Occurrence
}

// scoped is a text that says which of its scopes binds a name.
type scoped interface {
	// declares reports whether the token at i binds the name that it is, and what kind of thing.
	declares(i int) (Kind, bool)
	// role is what the name at i, which declares nothing, is for; ok is false where it is no name.
	role(i int) (role Role, ok bool)
	shorthand(i int) bool
	// scope is the number of the scope that binds the name at i, -1 for none; declared are the
	// tokens that declare the name.
	scope(i int, declared []int) int
	// extent is the text of a scope; inner is false for that of the module.
	extent(scope int) (span edits.Span, inner bool)
}

// Read reads a text; nil where its language is none of those whose names are read.
func Read(lang, text string) *File {
	switch {
	case lang == "python":
		return ReadPython(text).File()
	case strings.HasPrefix(lang, "typescript"), strings.HasPrefix(lang, "javascript"):
		return ReadScript(text).File(lang)
	}
	return nil
}

// File is what the names of the text are bound to.
func (p Python) File() *File { return &File{p.code, newPyScopes(p), map[string][]Occurrence{}} }

// File is what the names of the text, which is in a language, are bound to.
func (t Script) File(lang string) *File {
	return &File{t.code, newScriptScopes(t, lang != "typescript"), map[string][]Occurrence{}}
}

// Token is the number of the name that begins at an offset.
func (f *File) Token(offset int) int {
	i := f.from(offset)
	for i < len(f.Tokens) && f.Tokens[i].Kind != language.Name { // a new block begins where its first name does
		i++
	}
	return i
}

// Of are the places where the text has a name, in order.
func (f *File) Of(name string) []Occurrence {
	out, known := f.names[name]
	if !known {
		out = f.read(name)
		f.names[name] = out
	}
	return out
}

func (f *File) read(name string) (out []Occurrence) {
	var at, declared []int
	kinds := map[int]Kind{}
	for i, t := range f.Tokens {
		if t.Kind != language.Name || f.Word(i) != name {
			continue
		}
		at = append(at, i)
		if kind, ok := f.declares(i); ok {
			declared, kinds[i] = append(declared, i), kind
		}
	}
	bound := map[int]*Binding{}
	for _, i := range at {
		kind, declares := kinds[i]
		o := Occurrence{Span: spanOf(f.Tokens[i]), Declares: declares && kind != declaredOuter, Called: f.called(i)}
		if role, ok := f.role(i); declares {
			o.Role = Reference
		} else if o.Role = role; !ok {
			continue
		}
		switch o.Role {
		case Reference:
			o.Shorthand = f.shorthand(i)
			if scope := f.scope(i, declared); scope >= 0 {
				o.Binding = f.bind(bound, scope, name)
				if o.Declares && !slices.ContainsFunc(o.Binding.Uses, func(other Occurrence) bool { return other.Declares }) {
					o.Binding.Kind = kind
				}
				o.Binding.Uses = append(o.Binding.Uses, o)
			}
		case Member:
			if f.Kind(i-2) == language.Name && !f.is(i-3, ".", "?.") {
				o.Object = f.Word(i - 2)
			}
		}
		out = append(out, o)
	}
	return out
}

func (f *File) bind(bound map[int]*Binding, scope int, name string) *Binding {
	if bound[scope] == nil {
		span, inner := f.extent(scope)
		bound[scope] = &Binding{Name: name, Scope: span, Module: !inner}
	}
	return bound[scope]
}

// called reports whether the name at i is called.
func (f *File) called(i int) bool {
	after := f.Word(i + 1)
	if after == "?." || after == "!" {
		after = f.Word(i + 2)
	}
	return after == "("
}

func spanOf(t language.Token) edits.Span { return edits.Span{Start: t.Start, End: t.End} }

// from is the first token that begins at an offset or behind it.
func (f *File) from(offset int) int {
	i, _ := slices.BinarySearchFunc(f.Tokens, offset, func(t language.Token, at int) int { return t.Start - at })
	return i
}

// At is the name that begins at an offset; ok is false where none does.
func (f *File) At(offset int) (o Occurrence, ok bool) {
	for i := f.from(offset); i < len(f.Tokens) && f.Tokens[i].Start == offset; i++ {
		all := f.Of(f.Word(i))
		if k, found := slices.BinarySearchFunc(all, offset, func(o Occurrence, at int) int { return o.Start - at }); found {
			return all[k], true
		}
	}
	return o, false
}

// Declared are the places in a part of a text that bind a name.
func (f *File) Declared(in edits.Span) (out []edits.Span) {
	for i := f.from(in.Start); i < len(f.Tokens) && f.Tokens[i].Start < in.End; i++ {
		if kind, ok := f.declares(i); ok && kind != declaredOuter {
			out = append(out, spanOf(f.Tokens[i]))
		}
	}
	return out
}
