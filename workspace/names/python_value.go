package names

import (
	"path/filepath"
	"slices"
	"strings"

	"tandem/workspace/deps"
	"tandem/workspace/dynamic"
	"tandem/workspace/language"
)

// enclosing are the class and function around an offset.
func (c *pyCheck) enclosing(i int) (class string, function language.Def) {
	line := c.around.lines.of(c.p.Tokens[i].Start)
	for _, d := range c.around.defs {
		if d.StartLine > line || d.EndLine < line {
			continue
		}
		switch {
		case d.Kind == language.KindClass:
			class = joinContainer(d.Container, d.Name)
		case callable(d) || d.Kind == language.KindProperty:
			function = d
		}
	}
	return class, function
}

// A pyValue is what an expression refers to, as far as it is known: a module,
// or a class or an instance of one.
type pyValue struct {
	place    deps.Place
	mod      *module // nil where StandardNames alone knows the module
	class    string  // in mod; "" for the module itself
	instance bool
	ok       bool
	builtin  string // an instance of this class of builtins; the rest says nothing of it
}

// receiver is the value of the expression before the dot at i-1.
func (c *pyCheck) receiver(i int) pyValue {
	var chain []int
	for j := i - 2; ; j -= 2 {
		if len(chain) == 0 && !c.p.IsName(j) {
			return pyValue{builtin: c.p.Displayed(j)}
		}
		if !c.p.IsName(j) || len(chain) == dynamic.MaxChain {
			return pyValue{}
		}
		chain = append(chain, j)
		if c.p.Word(j-1) != "." {
			break
		}
	}
	slices.Reverse(chain)
	t := c.base(chain[0])
	for _, j := range chain[1:] {
		if !t.ok {
			return pyValue{}
		}
		t = c.member(t, c.p.Word(j))
	}
	return t
}

// base is what a plain name refers to.
func (c *pyCheck) base(i int) pyValue {
	name := c.p.Word(i)
	class, function := c.enclosing(i)
	if (name == "self" || name == "cls") && class != "" && strings.HasPrefix(function.Container, class) {
		return pyValue{mod: c.self, class: class, instance: name == "self", ok: true}
	}
	if im, sole := soleImport(name, c.imports, c.binds(name)); sole {
		return c.files.imported(c.f.abs, link{local: name, module: moduleBound(im), name: im.Name}, 0)
	}
	if c.binds(name) != 1 {
		return c.local(i)
	}
	if d := c.self.top(name); len(d) == 1 && d[0].Kind == language.KindClass {
		return pyValue{mod: c.self, class: name, ok: true}
	}
	return c.local(i)
}

// soleImport is what a name that is bound so often is imported as, where nothing else binds it: each function may
// have an import of its own.
func soleImport(name string, imports []dynamic.Import, bound int) (first dynamic.Import, sole bool) {
	count := 0
	for _, im := range imports {
		if im.Local != name {
			continue
		}
		if count++; count == 1 {
			first = im
		}
		if im.Tried || im.Module != first.Module || im.Name != first.Name {
			return first, false
		}
	}
	return first, count > 0 && count == bound
}

// moduleBound is the module that an import statement's local name refers to:
// "import a.b" binds a.
func moduleBound(im dynamic.Import) string {
	if im.Name == "" && strings.HasPrefix(im.Module, im.Local+".") {
		return im.Local
	}
	return im.Module
}

// binding is what the name at i is bound to in the window, nil for nothing.
func (c *pyCheck) binding(i int) *dynamic.Binding {
	if c.names == nil {
		c.names = c.p.File()
	}
	o, _ := c.names.At(c.p.Tokens[i].Start)
	return o.Binding
}

// local is the class of a variable that is assigned once in its function, from
// a call of the class or from a literal.
func (c *pyCheck) local(i int) pyValue {
	b := c.binding(i)
	if b == nil || b.Module || b.Kind != dynamic.Variable {
		return pyValue{}
	}
	value, known := c.values[b]
	if !known {
		c.values[b] = pyValue{} // a variable that is computed from itself
		if at, once := c.declared(b); once && c.p.Assigned(at) {
			value = c.constructed(at + 2)
		}
		c.values[b] = value
	}
	return value
}

// declared is the token that alone gives a variable its value.
func (c *pyCheck) declared(b *dynamic.Binding) (token int, once bool) {
	for _, u := range b.Uses {
		if u.Declares {
			if once {
				return 0, false
			}
			token, once = c.names.Token(u.Start), true
		}
	}
	return token, once
}

// constructed is an instance of the class whose call or literal, the whole rest of the
// line, begins at i.
func (c *pyCheck) constructed(i int) pyValue {
	if !c.p.IsName(i) {
		if last := c.p.Last(i); last == i || c.p.Opening(last) == i {
			return pyValue{builtin: c.p.Displayed(last)}
		}
		return pyValue{}
	}
	last := i
	for c.p.Word(last+1) == "." && c.p.IsName(last+2) {
		last += 2
	}
	if c.p.Word(last+1) != "(" || c.p.Kind(c.p.Closing(last+1)+1) != language.Newline {
		return pyValue{}
	}
	t := c.base(i)
	for j := i + 2; j <= last && t.ok; j += 2 {
		t = c.member(t, c.p.Word(j))
	}
	if !t.ok || t.class == "" || t.instance {
		return pyValue{}
	}
	t.instance = true
	return t
}

// imported follows a link of a file.
func (r *dynamicCheck) imported(fromFile string, l link, depth int) pyValue {
	if depth > 8 {
		return pyValue{}
	}
	place := r.findPython(fromFile, l.module)
	if place.Status != deps.Found {
		return pyValue{}
	}
	var m *module
	if place.File != "" {
		m = r.module(place.File, place)
	}
	if l.name == "" {
		return pyValue{place: place, mod: m, ok: m != nil || place.Names != ""}
	}
	if m != nil {
		if t := r.inModule(m, l.name, depth+1); t.ok {
			return t
		}
		if m.binds(l.name) {
			return pyValue{}
		}
	}
	sub := l.module + "." + l.name
	if strings.HasSuffix(l.module, ".") {
		sub = l.module + l.name
	}
	if place := r.findPython(fromFile, sub); place.Status == deps.Found && place.File != "" {
		m := r.module(place.File, place)
		return pyValue{place: place, mod: m, ok: m != nil}
	}
	return pyValue{}
}

// inModule is what a name refers to in a module.
func (r *dynamicCheck) inModule(m *module, name string, depth int) pyValue {
	for _, at := range r.reach(deps.Place{}, m) {
		if at == nil {
			continue
		}
		if d := at.top(name); len(d) == 1 && d[0].Kind == language.KindClass {
			return pyValue{mod: at, class: name, ok: true}
		}
		for _, l := range at.links {
			if l.local == name {
				return r.imported(at.path, l, depth+1)
			}
		}
		if at.binds(name) {
			return pyValue{}
		}
	}
	return pyValue{}
}

// member is what an attribute of a value refers to.
func (c *pyCheck) member(t pyValue, name string) pyValue {
	if t.class != "" || t.mod == nil {
		return pyValue{}
	}
	if next := c.files.inModule(t.mod, name, 0); next.ok || t.mod.binds(name) {
		return next
	}
	if t.place.Dir != "" {
		at := filepath.Join(t.place.Dir, name)
		if found, ok := deps.PythonFile(at, c.files.fileExists); ok {
			place := t.place
			place.File, place.Dir = found.File, found.Dir
			m := c.files.module(place.File, place)
			return pyValue{place: place, mod: m, ok: m != nil}
		}
	}
	return pyValue{}
}
