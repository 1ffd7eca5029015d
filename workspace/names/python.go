package names

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/syntax"
)

// A pyCheck is one Python file under check.
type pyCheck struct {
	*room
	f     *change
	p     pyText
	b     *pyBindings
	self  *module
	lines []int // offsets of line starts
	found []edits.Finding
	made  map[string]pyThing // what local variables hold, by function and name
}

// python judges what is new in a Python file.
func (r *room) python(f *change) []edits.Finding {
	c := &pyCheck{room: r, f: f, p: readPython(f.After), lines: lineStarts(f.After), made: map[string]pyThing{}}
	c.b = c.p.bindings()
	c.self = r.newModule(f.abs, f.After, deps.Place{Own: true})
	c.self.pythonNames(c.b)
	starred := c.imports()
	for i := range c.p.toks {
		t := c.p.toks[i]
		if t.Kind != syntax.Name || !isNew(f.news, edits.Span{Start: t.Start, End: t.End}) || !c.p.isName(i) {
			continue
		}
		if c.p.s(i-1) == "." {
			c.attribute(i)
		} else if !starred {
			c.name(i)
		}
		if c.p.s(i+1) == "(" {
			c.call(i)
		}
	}
	return c.found
}

func (c *pyCheck) report(i int, kind, severity, message, near, where string) {
	t := c.p.toks[i]
	for _, old := range c.found {
		if old.Span.Start == t.Start {
			return
		}
	}
	f := finding(c.f, edits.Span{Start: t.Start, End: t.End}, kind, severity, c.p.s(i), message)
	f.Nearest, f.Where = near, where
	c.found = append(c.found, f)
}

// pythonNames adds to a module what its statements bind.
func (m *module) pythonNames(b *pyBindings) {
	for name := range b.top {
		m.bound[name] = true
	}
	m.open = b.dynamic || m.bound["__getattr__"] || strings.Contains(m.text, "sys.modules[__name__]") || strings.Contains(m.text, "LazyModule")
	for _, im := range b.imports {
		if im.name == "*" {
			m.stars = append(m.stars, im.module)
			continue
		}
		if im.depth > 0 {
			continue
		}
		target := im.module
		if im.name == "" && im.local != im.module {
			if !strings.HasPrefix(im.module, im.local+".") {
				m.links = append(m.links, link{im.local, target, "", 0})
				continue
			}
			target = im.local
		}
		m.links = append(m.links, link{im.local, target, im.name, 0})
	}
}

// findPython resolves a module as a file names it.
func (r *room) findPython(fromFile, dotted string) deps.Place {
	return r.placed(fromFile, dotted, func() deps.Place { return r.lookForPython(fromFile, dotted) })
}

func (r *room) lookForPython(fromFile, dotted string) deps.Place {
	dots := len(dotted) - len(strings.TrimLeft(dotted, "."))
	rest := dotted[dots:]
	_, root, _ := r.ws.Index(fromFile)
	if dots > 0 {
		dir := filepath.Dir(fromFile)
		for range dots - 1 {
			dir = filepath.Dir(dir)
		}
		at := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(rest, ".", "/")))
		for _, file := range []string{filepath.Join(at, "__init__.py"), filepath.Join(at, "__init__.pyi"), at + ".py", at + ".pyi"} {
			if r.there(file) {
				return deps.Place{Status: deps.Found, File: file, Dir: dirIfPackage(file), Own: true}
			}
		}
		if isFolder(at) {
			return deps.Place{Status: deps.Found, Dir: at, Own: true}
		}
		if found, _ := filepath.Glob(at + ".*"); len(found) > 0 {
			return deps.Place{Status: deps.Unknown} // written in another language
		}
		return deps.Place{Status: deps.Missing, Own: true}
	}
	return r.deps.PythonModule(root, dotted, ownRoots(root, fromFile), r.there)
}

func dirIfPackage(file string) string {
	if strings.HasPrefix(filepath.Base(file), "__init__.") {
		return filepath.Dir(file)
	}
	return ""
}

// ownRoots are the folders from which a workspace's own modules are imported:
// the outermost folders that are no packages, those above the file first.
func ownRoots(root, fromFile string) []string {
	var out []string
	for dir := filepath.Dir(fromFile); ; dir = filepath.Dir(dir) {
		if !isRegular(filepath.Join(dir, "__init__.py")) {
			out = append(out, dir)
		}
		if dir == root || dir == filepath.Dir(dir) || len(out) > 20 {
			break
		}
	}
	if root != "" {
		out = append(out, root, filepath.Join(root, "src"), filepath.Join(root, "lib"))
	}
	return out
}

// imports judges the import statements; it reports whether names may come from
// a module that cannot be read.
func (c *pyCheck) imports() (starred bool) {
	starred = c.b.dynamic
	for _, im := range c.b.imports {
		place := c.findPython(c.f.abs, im.module)
		var m *module
		if place.File != "" {
			m = c.module(place.File, place)
		}
		if im.name == "*" && (m == nil || m.open || !c.addStar(m, 0)) {
			starred = true
		}
		first, last := c.p.toks[im.mod], c.p.toks[im.tok]
		if !isNew(c.f.news, edits.Span{Start: first.Start, End: last.End}) {
			continue
		}
		switch {
		case place.Status == deps.Missing || place.Status == deps.NotRequired:
			c.missingModule(im, place)
		case place.Status != deps.Found:
			c.unknown.doubt(fmt.Sprintf("names of %s: it is not installed", im.module))
		case im.name != "" && im.name != "*" && !im.tried:
			c.importedName(im, place, m)
		}
	}
	return starred
}

// addStar binds all names of a module; it is false where they are not known.
func (c *pyCheck) addStar(m *module, depth int) bool {
	if depth > 6 {
		return false
	}
	for name := range m.bound {
		c.b.names[name]++
	}
	for _, s := range m.stars {
		place := c.findPython(m.path, s)
		if place.File == "" {
			return false
		}
		next := c.module(place.File, place)
		if next == nil || next.open || !c.addStar(next, depth+1) {
			return false
		}
	}
	return true
}

func (c *pyCheck) missingModule(im pyImport, place deps.Place) {
	dots := strings.HasPrefix(im.module, ".")
	top, _, _ := strings.Cut(im.module, ".")
	switch {
	case im.tried, c.f.known(im.module) && !dots:
		return
	case place.Status == deps.NotRequired && (c.usedElsewhere(c.f, top) || c.f.known(top)):
		c.unknown.doubt(fmt.Sprintf("names of %s: it is not installed", im.module))
		return
	}
	message := fmt.Sprintf("there is no module %s", im.module)
	where := place.Where()
	if place.Status == deps.NotRequired {
		message = fmt.Sprintf("no module %s is in the workspace, the standard library or the packages installed", im.module)
	}
	last := im.mod
	for c.p.s(last+1) == "." || c.p.s(last) == "." && c.p.kind(last+1) == syntax.Name && c.p.s(last+1) != "import" {
		last++
	}
	for last > im.mod && c.p.kind(last) != syntax.Name {
		last--
	}
	c.report(last, kindImport, severityError, message, c.nearestModule(im.module), where)
	if n := len(c.found); n > 0 && c.found[n-1].Kind == kindImport {
		c.found[n-1].Name = im.module
		c.found[n-1].Span.Start = c.p.toks[im.mod].Start
	}
}

// nearestModule is the nearest sibling of a module that does not exist.
func (c *pyCheck) nearestModule(dotted string) string {
	cut := strings.LastIndexByte(dotted, '.')
	parent, last := dotted[:max(cut, 0)], dotted[cut+1:]
	if cut >= 0 && strings.Trim(parent, ".") == "" {
		parent = dotted[:cut+1]
	}
	var list []string
	if parent != "" {
		if place := c.findPython(c.f.abs, parent); place.Dir != "" {
			list = modulesIn(place.Dir)
		}
	} else {
		_, root, _ := c.ws.Index(c.f.abs)
		list = modulesIn(root)
		if env := c.deps.PythonEnv(root); env != nil {
			list = append(list, modulesIn(env.Lib)...)
			for _, site := range env.Sites {
				list = append(list, modulesIn(site)...)
			}
		}
	}
	if n := nearest(last, slices.Values(list)); n != "" {
		return strings.TrimSuffix(dotted, last) + n
	}
	return ""
}

func modulesIn(dir string) []string {
	var out []string
	for _, name := range entries(dir) {
		if base, ok := strings.CutSuffix(name, ".py"); ok && base != "__init__" {
			out = append(out, base)
		} else if !strings.Contains(name, ".") && !strings.HasPrefix(name, "_") {
			out = append(out, name)
		}
	}
	return out
}

// importedName judges a name that is taken from a module.
func (c *pyCheck) importedName(im pyImport, place deps.Place, m *module) {
	if has, known := c.moduleHas(place, m, im.name, 0); has || !known {
		return
	}
	names := keysOf(m.bound)
	near := nearest(im.name, slices.Values(names))
	c.report(im.tok, kindName, severityError, fmt.Sprintf("module %s has no %s", im.module, im.name), near, c.whereIn(m, near))
}

func (c *pyCheck) whereIn(m *module, name string) string {
	if d := m.top[name]; len(d) > 0 {
		return m.at(d[0])
	}
	return m.where
}

func keysOf(m map[string]bool) []string { return slices.Sorted(mapsKeys(m)) }

// moduleHas reports whether a module has a name, and whether that is known.
func (r *room) moduleHas(place deps.Place, m *module, name string, depth int) (has, known bool) {
	if place.Dir != "" {
		at := filepath.Join(place.Dir, name)
		if r.there(at+".py") || r.there(at+".pyi") || r.there(filepath.Join(at, "__init__.py")) || isFolder(at) {
			return true, true
		}
		if found, _ := filepath.Glob(at + ".*"); len(found) > 0 {
			return true, true
		}
	}
	if m == nil {
		if place.Standard && place.File == "" && place.Dir == "" {
			return false, false
		}
		return false, place.Dir != "" && place.File == ""
	}
	if m.bound[name] || strings.HasPrefix(name, "__") {
		return true, true
	}
	if m.open || depth > 6 {
		return false, false
	}
	for _, s := range m.stars {
		next := r.findPython(m.path, s)
		if next.File == "" {
			return false, false
		}
		if has, known := r.moduleHas(next, r.module(next.File, next), name, depth+1); has || !known {
			return has, known
		}
	}
	return false, true
}

// name judges a plain name.
func (c *pyCheck) name(i int) {
	name := c.p.s(i)
	if c.b.names[name] > 0 || pyBuiltins[name] || c.inImport(i) || c.p.s(i+1) == "=" && c.inCall(i) || c.f.known(name) {
		return
	}
	own := slices.Collect(mapsKeys(c.b.names))
	near := nearest(name, slices.Values(own))
	where := ""
	if near != "" {
		where = c.whereIn(c.self, near)
	} else {
		near, where = c.suggestMember(c.f, name, nil)
	}
	c.report(i, kindName, severityError, name+" is bound nowhere in the file", near, where)
}

// inImport reports whether a token is part of an import statement.
func (c *pyCheck) inImport(i int) bool {
	for j := i; j >= 0 && c.p.kind(j) != syntax.Newline; j-- {
		if w := c.p.s(j); w == "import" || w == "from" && c.p.s(j-1) != "yield" && c.p.s(j-1) != "raise" {
			start := j == 0 || c.p.kind(j-1) != syntax.Name && c.p.kind(j-1) != syntax.Operator
			if w == "import" || start {
				return true
			}
		}
	}
	return false
}

// inCall reports whether a token is inside brackets, where = names an argument.
func (c *pyCheck) inCall(i int) bool { prev := c.p.s(i - 1); return prev == "(" || prev == "," }

// enclosing are the class and function around an offset.
func (c *pyCheck) enclosing(i int) (class string, function index.Def) {
	line := lineIn(c.lines, c.p.toks[i].Start)
	for _, d := range c.self.scan.Defs {
		if d.StartLine > line || d.EndLine < line {
			continue
		}
		switch {
		case d.Kind == index.KindClass:
			class = joinContainer(d.Container, d.Name)
		case callable(d) || d.Kind == index.KindProperty:
			function = d
		}
	}
	return class, function
}

func joinContainer(container, name string) string {
	if container == "" {
		return name
	}
	return container + "." + name
}

// A pyThing is what an expression stands for, as far as it is known: a module,
// or a class or an instance of one.
type pyThing struct {
	place    deps.Place
	mod      *module
	class    string // in mod; "" for the module itself
	instance bool
	ok       bool
}

// receiver is what stands before the dot at i-1.
func (c *pyCheck) receiver(i int) pyThing {
	var chain []int
	for j := i - 2; ; j -= 2 {
		if !c.p.isName(j) {
			return pyThing{}
		}
		chain = append(chain, j)
		if c.p.s(j-1) != "." {
			break
		}
	}
	slices.Reverse(chain)
	t := c.base(chain[0])
	for _, j := range chain[1:] {
		if !t.ok {
			return t
		}
		t = c.member(t, c.p.s(j))
	}
	return t
}

// base is what a plain name stands for.
func (c *pyCheck) base(i int) pyThing {
	name := c.p.s(i)
	class, function := c.enclosing(i)
	if (name == "self" || name == "cls") && class != "" && strings.HasPrefix(function.Container, class) {
		return pyThing{mod: c.self, class: class, instance: name == "self", ok: true}
	}
	if c.b.names[name] != 1 {
		return c.local(name, function)
	}
	for _, im := range c.b.imports {
		if im.local == name && !im.tried {
			return c.imported(c.f.abs, link{local: name, module: moduleBound(im), name: im.name}, 0)
		}
	}
	if d := c.self.top[name]; len(d) == 1 && d[0].Kind == index.KindClass {
		return pyThing{mod: c.self, class: name, ok: true}
	}
	return c.local(name, function)
}

// moduleBound is the module that an import statement's local name stands for:
// "import a.b" binds a.
func moduleBound(im pyImport) string {
	if im.name == "" && strings.HasPrefix(im.module, im.local+".") {
		return im.local
	}
	return im.module
}

// local is the class of a variable that is made once in its function, by a
// call of the class.
func (c *pyCheck) local(name string, function index.Def) pyThing {
	if function.Name == "" {
		return pyThing{}
	}
	key := itoa(function.StartLine) + " " + name
	made, known := c.made[key]
	if !known {
		c.made[key] = pyThing{} // a variable made of itself
		made = c.makeLocal(name, function)
		c.made[key] = made
	}
	return made
}

// makeLocal looks at every place of the function where the name stands.
func (c *pyCheck) makeLocal(name string, function index.Def) (made pyThing) {
	from := c.lines[min(function.StartLine, len(c.lines))-1]
	first, _ := slices.BinarySearchFunc(c.p.toks, from, func(t syntax.Token, at int) int { return t.Start - at })
	for i := first; i < len(c.p.toks) && lineIn(c.lines, c.p.toks[i].Start) <= function.EndLine; i++ {
		if c.p.kind(i) != syntax.Name || c.p.s(i) != name || c.p.s(i-1) == "." || c.onlyRead(i) {
			continue
		}
		if made.ok || !c.assigned(i) {
			return pyThing{}
		}
		if made = c.constructed(i + 2); !made.ok {
			return pyThing{}
		}
	}
	return made
}

// assigned reports whether the name at i is all that a statement assigns to.
func (c *pyCheck) assigned(i int) bool {
	lead := c.p.kind(i - 1)
	return c.p.s(i+1) == "=" && (lead == syntax.Newline || lead == syntax.Indent || lead == syntax.Dedent)
}

// onlyRead reports whether the name at i is used and not bound: an argument's
// name counts as that, too.
func (c *pyCheck) onlyRead(i int) bool {
	prev := c.p.s(i - 1)
	switch next := c.p.s(i + 1); next {
	case "=":
		return !c.assigned(i) && (prev == "(" || prev == ",")
	case ":=", "in":
		return next == "in" && prev != "for" && prev != ","
	case ",", ":":
		return prev != "for" && prev != "as" && !c.ofSignature(i)
	case "+=", "-=", "*=", "|=", "&=":
		return false
	}
	return prev != "as" && prev != "for" && prev != "*" && !c.ofSignature(i)
}

// ofSignature reports whether the name at i is a parameter.
func (c *pyCheck) ofSignature(i int) bool {
	for depth := 0; i >= 0 && c.p.kind(i) != syntax.Newline; i-- {
		switch c.p.s(i) {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			depth--
		case "def", "lambda":
			return depth < 0 || c.p.s(i) == "lambda"
		}
	}
	return false
}

// constructed is an instance of the class whose call, the whole rest of the
// line, begins at i.
func (c *pyCheck) constructed(i int) pyThing {
	if !c.p.isName(i) {
		return pyThing{}
	}
	last := i
	for c.p.s(last+1) == "." && c.p.isName(last+2) {
		last += 2
	}
	if c.p.s(last+1) != "(" || c.p.kind(c.closing(last+1)+1) != syntax.Newline {
		return pyThing{}
	}
	t := c.base(i)
	for j := i + 2; j <= last && t.ok; j += 2 {
		t = c.member(t, c.p.s(j))
	}
	if !t.ok || t.class == "" || t.instance {
		return pyThing{}
	}
	t.instance = true
	return t
}

// closing is the token that closes the bracket at i.
func (c *pyCheck) closing(i int) int {
	depth := 0
	for ; i < len(c.p.toks); i++ {
		switch c.p.s(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(c.p.toks)
}

// imported follows a link of a file.
func (r *room) imported(fromFile string, l link, depth int) pyThing {
	if depth > 8 {
		return pyThing{}
	}
	place := r.findPython(fromFile, l.module)
	if place.Status != deps.Found {
		return pyThing{}
	}
	var m *module
	if place.File != "" {
		m = r.module(place.File, place)
	}
	if l.name == "" {
		return pyThing{place: place, mod: m, ok: m != nil}
	}
	if m != nil {
		if t := r.inModule(m, l.name, depth+1); t.ok {
			return t
		}
		if m.bound[l.name] {
			return pyThing{}
		}
	}
	sub := l.module + "." + l.name
	if strings.HasSuffix(l.module, ".") {
		sub = l.module + l.name
	}
	if place := r.findPython(fromFile, sub); place.Status == deps.Found && place.File != "" {
		m := r.module(place.File, place)
		return pyThing{place: place, mod: m, ok: m != nil}
	}
	return pyThing{}
}

// inModule is what a name stands for in a module.
func (r *room) inModule(m *module, name string, depth int) pyThing {
	if d := m.top[name]; len(d) == 1 && d[0].Kind == index.KindClass {
		return pyThing{mod: m, class: name, ok: true}
	}
	for _, l := range m.links {
		if l.local == name {
			return r.imported(m.path, l, depth+1)
		}
	}
	if m.bound[name] {
		return pyThing{}
	}
	for _, s := range m.stars {
		if place := r.findPython(m.path, s); place.File != "" && depth < 8 {
			if next := r.module(place.File, place); next != nil && next != m {
				if t := r.inModule(next, name, depth+1); t.ok {
					return t
				}
			}
		}
	}
	return pyThing{}
}

// member is what an attribute of a thing stands for.
func (c *pyCheck) member(t pyThing, name string) pyThing {
	if t.class != "" || t.mod == nil {
		return pyThing{}
	}
	if next := c.inModule(t.mod, name, 0); next.ok || t.mod.bound[name] {
		return next
	}
	if t.place.Dir != "" {
		at := filepath.Join(t.place.Dir, name)
		for _, file := range []string{filepath.Join(at, "__init__.py"), at + ".py"} {
			if c.there(file) {
				place := t.place
				place.File, place.Dir = file, dirIfPackage(file)
				m := c.module(file, place)
				return pyThing{place: place, mod: m, ok: m != nil}
			}
		}
	}
	return pyThing{}
}
