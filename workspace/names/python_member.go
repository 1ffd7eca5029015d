package names

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/index"
)

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// entries are the names in a folder.
func entries(dir string) []string {
	list, _ := os.ReadDir(dir)
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.Name()
	}
	return out
}

// A pyClass gathers what a class has, its bases included.
type pyClass struct {
	members map[string]index.Def
	wheres  map[string]string
	mods    map[string]*module
	open    bool // it may have more
}

// class gathers a class's members by the order in which Python looks.
func (r *room) class(m *module, name string) *pyClass {
	c := &pyClass{map[string]index.Def{}, map[string]string{}, map[string]*module{}, false}
	r.addClass(c, m, name, 0)
	return c
}

func (r *room) addClass(c *pyClass, m *module, name string, depth int) {
	own := m.in[name]
	for n, list := range own {
		if _, ok := c.members[n]; !ok {
			c.members[n] = list[len(list)-1]
			c.wheres[n] = m.at(list[len(list)-1])
			if len(list) == 1 {
				c.mods[n] = m
			}
		}
	}
	for _, n := range []string{"__getattr__", "__getattribute__"} {
		if own[n] != nil {
			c.open = true
		}
	}
	def, ok := classDef(m, name)
	if !ok || depth > 12 {
		c.open = true
		return
	}
	if decoratedOddly(m, def, "dataclass", "final", "total_ordering", "runtime_checkable", "unique", "dataclasses") || strings.Contains(m.text, "setattr(") {
		c.open = true
	}
	for _, base := range splitTop(def.Type) {
		switch {
		case base == "" || base == "object" || base == "ABC" || base == "abc.ABC" || base == "metaclass=ABCMeta" || base == "metaclass=abc.ABCMeta":
		case strings.Contains(base, "=") || strings.ContainsAny(base, "(*"):
			c.open = true
		default:
			base, _, _ = strings.Cut(base, "[")
			t := r.named(m, base)
			if !t.ok || t.class == "" {
				c.open = true
				continue
			}
			r.addClass(c, t.mod, t.class, depth+1)
		}
	}
}

func classDef(m *module, name string) (index.Def, bool) {
	container, last := "", name
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		container, last = name[:i], name[i+1:]
	}
	list := m.top[last]
	if container != "" {
		list = m.in[container][last]
	}
	if len(list) != 1 || list[0].Kind != index.KindClass {
		return index.Def{}, false
	}
	return list[0], true
}

// named is the class that a dotted name stands for in a module.
func (r *room) named(m *module, dotted string) pyThing {
	first, rest, more := strings.Cut(dotted, ".")
	t := r.inModule(m, first, 0)
	for more && t.ok && t.class == "" && t.mod != nil {
		first, rest, more = strings.Cut(rest, ".")
		t = r.inModule(t.mod, first, 0)
	}
	if more {
		return pyThing{}
	}
	return t
}

// splitTop splits a list at the commas that are in no brackets.
func splitTop(list string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(list[from:i]))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(list[from:]))
}

// decoratedOddly reports whether a definition has a decorator that may change
// what it is.
func decoratedOddly(m *module, d index.Def, harmless ...string) bool {
	if d.DocLine == d.StartLine {
		return false
	}
	lines := linesOf(m.text, d.DocLine, d.StartLine)
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "@") {
			continue
		}
		name, _, _ := strings.Cut(line[1:], "(")
		name = strings.TrimSpace(name[strings.LastIndexByte(name, '.')+1:])
		if !slices.Contains(harmless, name) {
			return true
		}
	}
	return false
}

// linesOf are the lines of a text from first up to last, counted from 1.
func linesOf(text string, first, last int) []string {
	var out []string
	n := 1
	for line := range strings.Lines(text) {
		if n >= last {
			break
		}
		if n >= first {
			out = append(out, line)
		}
		n++
	}
	return out
}

// attribute judges the name behind a dot.
func (c *pyCheck) attribute(i int) {
	name := c.p.s(i)
	if strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") || c.inImport(i) {
		return
	}
	stored := c.p.s(i+1) == "=" || c.p.s(i+1) == ":"
	if stored {
		return
	}
	t := c.receiver(i)
	if t.ok && t.class == "" {
		c.moduleAttribute(i, t)
		return
	}
	if t.ok && c.classAttribute(i, t) {
		return
	}
	if c.p.s(i+1) == "(" && !c.memberKnown(name) && !c.definesHere(name) {
		near, where := c.suggestMember(c.f, name, nil)
		if near == "" && c.missing() {
			c.unknown.doubt("method " + name + ": packages that the file imports are not installed")
			return
		}
		c.report(i, kindMember, severityWarning, "nothing in the workspace or its libraries has a method "+name, near, where)
	}
}

// definesHere reports whether the file itself defines a name.
func (c *pyCheck) definesHere(name string) bool {
	return slices.ContainsFunc(c.self.scan.Defs, func(d index.Def) bool { return d.Name == name })
}

func (c *pyCheck) moduleAttribute(i int, t pyThing) {
	name := c.p.s(i)
	has, known := c.moduleHas(t.place, t.mod, name, 0)
	if has || !known || c.f.known("."+name) || strings.Contains(c.f.After, "."+name+" = ") {
		return
	}
	near := nearest(name, slices.Values(keysOf(t.mod.bound)))
	c.report(i, kindName, severityError, fmt.Sprintf("module %s has no %s", c.p.s(i-2), name), near, c.whereIn(t.mod, near))
}

// classAttribute judges an attribute of a class whose members are all known; it
// reports whether it could.
func (c *pyCheck) classAttribute(i int, t pyThing) bool {
	name := c.p.s(i)
	class := c.class(t.mod, t.class)
	if _, ok := class.members[name]; ok {
		return true
	}
	if class.open || objectMembers[name] {
		return false
	}
	ix, _, _ := c.ws.Index(c.f.abs)
	for _, d := range ix.Lookup(name) {
		if d.Container != "" {
			return false // a subclass or a sibling may bring it
		}
	}
	for _, d := range c.self.scan.Defs {
		if d.Name == name && d.Container != "" && !callable(d) {
			return false
		}
	}
	if c.f.known(name) {
		return false
	}
	near := nearest(name, mapsKeys(class.members))
	where := class.wheres[near]
	if where == "" {
		where = t.mod.where
	}
	c.report(i, kindMember, severityError, fmt.Sprintf("%s has no attribute %s", t.class, name), near, where)
	return true
}

var objectMembers = setOf("mro")

// memberKnown reports whether a member's name is mentioned anywhere that a
// value could come from.
func (c *pyCheck) memberKnown(name string) bool {
	if c.f.known(name) || c.usedElsewhere(c.f, name) {
		return true
	}
	_, root, _ := c.ws.Index(c.f.abs)
	env := c.deps.PythonEnv(root)
	if env == nil {
		c.unknown.doubt("methods: no Python is on this machine's disk")
		return true
	}
	if c.vocabulary(env.Lib, func() []string {
		return append(deps.SourceFiles(env.Lib, ".py", ".pyi"), env.Binaries...)
	}).Has(name) {
		return true
	}
	return c.installedKnow(env, name)
}

// installedKnow reports whether a package mentions a name that the file, or the
// files beside it, import.
func (c *pyCheck) installedKnow(env *deps.PythonEnv, name string) bool {
	ix, _, rel := c.ws.Index(c.f.abs)
	tops := map[string]bool{}
	for _, im := range c.b.imports {
		top, _, _ := strings.Cut(im.module, ".")
		tops[top] = true
	}
	for _, id := range ix.Dir(slashDir(rel)) {
		for _, im := range ix.Imports(id) {
			top, _, _ := strings.Cut(im.Path, ".")
			tops[top] = true
		}
	}
	for top := range tops {
		for _, site := range env.Sites {
			dir := filepath.Join(site, top)
			if top == "" || !isFolder(dir) {
				continue
			}
			if c.vocabulary(dir, func() []string { return deps.SourceFiles(dir, ".py", ".pyi", ".so", ".pyd") }).Has(name) {
				return true
			}
		}
	}
	return false
}

// missing reports whether the file imports something that is not installed,
// whose names may be any.
func (c *pyCheck) missing() bool {
	return slices.ContainsFunc(c.b.imports, func(im pyImport) bool {
		status := c.findPython(c.f.abs, im.module).Status
		return status != deps.Found && status != deps.Missing
	})
}

func slashDir(rel string) string {
	if i := strings.LastIndexByte(rel, '/'); i >= 0 {
		return rel[:i]
	}
	return "."
}

// call judges the number of arguments of a call whose callee's name is at i.
func (c *pyCheck) call(i int) {
	if prev := c.p.s(i - 1); prev == "def" || prev == "class" || prev == "@" || c.p.s(i) == "__new__" {
		return
	}
	count, keywords, ok := c.arguments(i + 1)
	if !ok {
		return
	}
	candidates, exact := c.callees(i)
	if len(candidates) == 0 {
		return
	}
	for _, d := range candidates {
		if d.MinParams == index.Unknown || accepts(d.Def, count) && (!exact || d.MaxParams < 0 || hasAll(d.Params, keywords)) {
			return
		}
	}
	d := candidates[0]
	severity := severityError
	if !exact {
		severity = severityWarning
	}
	message := fmt.Sprintf("%s takes %s, this call has %d", d.Name, parameters(d.Def), count)
	if accepts(d.Def, count) {
		message = fmt.Sprintf("%s has no parameter of that name: it takes %s", d.Name, strings.Join(d.Params, ", "))
	}
	c.report(i, kindArguments, severity, message, "", d.where)
}

func hasAll(params, keywords []string) bool {
	for _, k := range keywords {
		if !slices.Contains(params, k) {
			return false
		}
	}
	return true
}

// arguments counts the arguments of the call that opens at i; ok is false when
// some are spread or nothing of the call is certain.
func (c *pyCheck) arguments(i int) (count int, keywords []string, ok bool) {
	end := c.closing(i)
	if end >= len(c.p.toks) || !isNew(c.f.news, edits.Span{Start: c.p.toks[i].Start, End: c.p.toks[end].End}) {
		return 0, nil, false
	}
	depth, fresh := 0, true
	for j := i + 1; j < end; j++ {
		s := c.p.s(j)
		if fresh {
			if s == "*" || s == "**" {
				return 0, nil, false
			}
			count++
			fresh = false
			if c.p.isName(j) && c.p.s(j+1) == "=" {
				keywords = append(keywords, s)
			}
		}
		switch s {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "for":
			if depth == 0 {
				return 1, nil, true // a generator
			}
		case ",":
			fresh = depth == 0
		case "lambda":
			if depth == 0 {
				j = c.skipLambda(j, end)
			}
		}
	}
	return count, keywords, true
}

func (c *pyCheck) skipLambda(at, end int) int {
	depth := 0
	for j := at + 1; j < end; j++ {
		switch c.p.s(j) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ":":
			if depth == 0 {
				return j
			}
		}
	}
	return end
}

// A callee is a definition that a call may mean.
type callee struct {
	index.Def
	where string
}

// callees are the definitions that the call of the name at i may mean; exact
// says that it means the first of them for certain.
func (c *pyCheck) callees(i int) (list []callee, exact bool) {
	name := c.p.s(i)
	if c.p.s(i-1) != "." {
		return c.plainCallee(i), true
	}
	t := c.receiver(i)
	switch {
	case t.ok && t.class == "":
		return c.inModuleCallee(t.mod, name), true
	case t.ok && t.instance:
		class := c.class(t.mod, t.class)
		if d, ok := class.members[name]; ok {
			if c.p.s(i-2) == "self" && c.overridden(name) {
				return c.everywhere(name, class.open), false
			}
			return c.fit(class.mods[name], d, class.wheres[name]), true
		}
		return nil, true
	case t.ok:
		return nil, false
	case c.isSuper(i):
		return c.inherited(i, name), true
	}
	return c.everywhere(name, true), false
}

// overridden reports whether several classes of the workspace define a method:
// which of them self has is not certain.
func (c *pyCheck) overridden(name string) bool {
	ix, _, _ := c.ws.Index(c.f.abs)
	return len(ix.Lookup(name)) > 1
}

// fit keeps a definition whose parameters are what a caller sees; m is nil where
// it is one of several.
func (c *pyCheck) fit(m *module, d index.Def, where string) []callee {
	if m == nil || !callable(d) || decoratedOddly(m, d, "staticmethod", "classmethod", "abstractmethod", "override", "final", "lru_cache", "cache") {
		return nil
	}
	return []callee{{d, where}}
}

func (c *pyCheck) plainCallee(i int) []callee {
	name := c.p.s(i)
	if c.b.names[name] != 1 {
		return nil
	}
	for _, im := range c.b.imports {
		if im.local == name && im.name != "" && !im.tried {
			place := c.findPython(c.f.abs, im.module)
			if place.File == "" {
				return nil
			}
			if m := c.module(place.File, place); m != nil {
				return c.inModuleCallee(m, im.name)
			}
			return nil
		}
	}
	if len(c.self.top[name]) == 0 {
		for _, d := range c.self.scan.Defs {
			if d.Name == name && d.Local && d.Kind == index.KindFunc {
				return c.fit(c.self, d, c.self.at(d))
			}
		}
	}
	return c.inModuleCallee(c.self, name)
}

// inModuleCallee is what a call of a module's name calls.
func (c *pyCheck) inModuleCallee(m *module, name string) []callee {
	list := m.top[name]
	if len(list) == 0 {
		t := c.inModule(m, name, 0)
		if t.ok && t.class != "" {
			return c.constructor(t.mod, t.class)
		}
		return nil
	}
	if len(list) != 1 {
		return nil
	}
	if list[0].Kind == index.KindClass {
		return c.constructor(m, name)
	}
	return c.fit(m, list[0], m.at(list[0]))
}

// constructor is the __init__ that a class has itself.
func (c *pyCheck) constructor(m *module, name string) []callee {
	own := m.in[name]
	def, ok := classDef(m, name)
	if !ok || own["__init__"] == nil || own["__new__"] != nil || len(own["__init__"]) != 1 || strings.Contains(def.Type, "metaclass") || decoratedOddly(m, def) {
		return nil
	}
	class := c.class(m, name)
	if d, ok := class.members["__new__"]; ok && d.Name != "" || class.members["__call__"].Name != "" && strings.Contains(def.Type, "type") {
		return nil
	}
	out := c.fit(m, own["__init__"][0], m.at(own["__init__"][0]))
	for k := range out {
		out[k].Name = name
	}
	return out
}

// isSuper reports whether the name at i follows super().
func (c *pyCheck) isSuper(i int) bool {
	return c.p.s(i-2) == ")" && c.p.s(i-3) == "(" && c.p.s(i-4) == "super"
}

// inherited is the method that super() finds, where all bases up to it are
// known and it is the only one of its class's.
func (c *pyCheck) inherited(i int, name string) []callee {
	class, _ := c.enclosing(i)
	def, ok := classDef(c.self, class)
	if !ok || len(splitTop(def.Type)) != 1 || def.Type == "" {
		return nil
	}
	t := c.named(c.self, def.Type)
	if !t.ok || t.class == "" {
		return nil
	}
	all := c.class(t.mod, t.class)
	d, ok := all.members[name]
	if !ok {
		return nil
	}
	return c.fit(all.mods[name], d, all.wheres[name])
}

// everywhere are all methods of the workspace that have a name; where the
// receiver may be foreign, only when no library could have another of it.
func (c *pyCheck) everywhere(name string, foreign bool) []callee {
	ix, root, _ := c.ws.Index(c.f.abs)
	env := c.deps.PythonEnv(root)
	if env == nil {
		return nil
	}
	var out []callee
	for _, d := range ix.Lookup(name) {
		if ix.Language(d.File) != "python" {
			continue
		}
		if d.Kind != index.KindMethod || d.MinParams == index.Unknown {
			return nil
		}
		m := c.module(filepath.Join(root, filepath.FromSlash(ix.Path(d.File))), deps.Place{Own: true})
		if m == nil || decoratedOddly(m, d, "staticmethod", "classmethod", "abstractmethod", "override", "final", "lru_cache", "cache") {
			return nil
		}
		out = append(out, callee{d, ix.Path(d.File) + ":" + itoa(d.StartLine)})
	}
	if len(out) == 0 || foreign && (c.vocabulary(env.Lib, func() []string {
		return append(deps.SourceFiles(env.Lib, ".py", ".pyi"), env.Binaries...)
	}).Has(name) || c.installedKnow(env, name)) {
		return nil
	}
	return out
}
