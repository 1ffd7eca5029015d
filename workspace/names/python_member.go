package names

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tandem/workspace/deps"
	"tandem/workspace/disk"
	"tandem/workspace/dynamic"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A pyClass collects the members of a class, those of its bases included.
type pyClass struct {
	members map[string]language.Def
	wheres  map[string]string
	mods    map[string]*module
	stores  []*module // whose code may add attributes
	open    bool      // it may have more members

	searched map[classKey]bool
}

// class collects a class's members in the order in which Python searches for
// them.
func (r *dynamicCheck) class(m *module, name string) *pyClass {
	key := classKey{m, name}
	if c := r.once.classes[key]; c != nil {
		return c
	}
	c := &pyClass{members: map[string]language.Def{}, wheres: map[string]string{}, mods: map[string]*module{}, searched: map[classKey]bool{}}
	r.addClass(c, m, name, 0)
	r.once.classes[key] = c
	return c
}

// A classKey is a class of a module.
type classKey struct {
	m    *module
	name string
}

func (r *dynamicCheck) addClass(c *pyClass, m *module, name string, depth int) {
	if c.searched[classKey{m, name}] {
		return
	}
	c.searched[classKey{m, name}] = true
	own := m.in(name)
	if !slices.Contains(c.stores, m) {
		c.stores = append(c.stores, m)
	}
	for n, list := range own {
		if _, ok := c.members[n]; !ok {
			c.members[n] = list[len(list)-1]
			c.wheres[n] = m.at(list[len(list)-1])
			if len(list) == 1 {
				c.mods[n] = m
			}
		}
	}
	c.open = c.open || own["__getattr__"] != nil || own["__getattribute__"] != nil
	def, ok := classDef(m, name)
	if !ok || depth > 12 {
		c.open = true
		return
	}
	if hasUnknownDecorator(m, def, "dataclass", "final", "total_ordering", "runtime_checkable", "unique", "dataclasses") || m.sets {
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

func classDef(m *module, name string) (language.Def, bool) {
	container, last := "", name
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		container, last = name[:i], name[i+1:]
	}
	list := m.top(last)
	if container != "" {
		list = m.in(container)[last]
	}
	if len(list) != 1 || list[0].Kind != language.KindClass {
		return language.Def{}, false
	}
	return list[0], true
}

// named is the class that a dotted name refers to in a module.
func (r *dynamicCheck) named(m *module, dotted string) pyValue {
	first, rest, more := strings.Cut(dotted, ".")
	t := r.inModule(m, first, 0)
	for more && t.ok && t.class == "" && t.mod != nil {
		first, rest, more = strings.Cut(rest, ".")
		t = r.inModule(t.mod, first, 0)
	}
	if more {
		return pyValue{}
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

// hasUnknownDecorator reports whether a definition has a decorator that may
// change what it is.
func hasUnknownDecorator(m *module, d language.Def, harmless ...string) bool {
	if d.DocLine == d.StartLine {
		return false
	}
	lines := m.linesOf(d.DocLine, d.StartLine)
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

// attribute checks the name after a dot.
func (c *pyCheck) attribute(i int) {
	name := c.p.Word(i)
	if strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") || c.importing[i] {
		return
	}
	if next := c.p.Word(i + 1); next == "=" || next == ":" {
		return // it is stored
	}
	t := c.receiver(i)
	if t.builtin != "" {
		c.builtinAttribute(i, t.builtin)
		return
	}
	if t.ok && t.class == "" {
		c.moduleAttribute(i, t)
		return
	}
	if t.ok && c.classAttribute(i, t) {
		return
	}
	if base := c.p.Word(c.p.Chain(i)); !t.ok && c.binds(base) == 1 && !c.f.had(c.p.Word(i-2)+"."+name) {
		at := slices.IndexFunc(c.imports, func(im dynamic.Import) bool { return im.Local == base && !im.Tried })
		if at >= 0 && c.files.findPython(c.f.abs, moduleBound(c.imports[at])).Status != deps.Found {
			c.doubt(i, doubtPython, fmt.Sprintf("names of %s: it is not installed", c.imports[at].Module))
			return
		}
	}
	if c.p.Word(i+1) == "(" && !c.memberKnown(i) {
		if _, complete := c.libraries(); !complete {
			c.doubt(i, doubtPython, "method "+name+": packages that the file imports are not installed")
			return
		}
		if left := c.files.ws.Cut(c.files.family); !left.None() {
			c.doubt(i, doubtUnread, "method "+name+": "+left.String())
			return
		}
		near, where := c.files.suggest(c.f, name, isMember)
		c.report(i, KindMember, severityWarning, "nothing in the workspace or its libraries has a method "+name, near, where, false)
	}
}

// storedAnywhere reports whether the file or another one of the workspace sets an attribute
// of that name, or names it in a string, as setattr and patches of tests do.
func (c *pyCheck) storedAnywhere(name string) bool {
	return c.f.vouches(name) || c.files.anyUser(c.f, name, func(m *module) bool { return stored(m.text, name) })
}

func (c *pyCheck) moduleAttribute(i int, t pyValue) {
	name := c.p.Word(i)
	has, known := c.files.moduleHas(t.place, t.mod, name)
	if has || c.storedAnywhere(name) {
		return
	}
	if !known {
		c.doubt(i, doubtOther, fmt.Sprintf("%s.%s: not all names of %s can be read", c.p.Word(i-2), name, c.p.Word(i-2)))
		return
	}
	near, where := nearIn(t.place, t.mod, name)
	c.report(i, UnknownName, severityError, fmt.Sprintf("module %s has no %s", c.p.Word(i-2), name), near, where, ofLibrary(t.place.Where()) || t.mod.library())
}

// nearIn is the name of a module that is nearest to one that it lacks, and where that is.
func nearIn(place deps.Place, m *module, name string) (near, where string) {
	if names := deps.StandardNames(place.Names); names != nil {
		return nearest(name, maps.Keys(names)), place.Where()
	}
	near = nearest(name, slices.Values(m.names()))
	return near, m.whereOf(near)
}

// builtinAttribute checks an attribute of a value whose class is one of builtins: nothing can give
// it another one.
func (c *pyCheck) builtinAttribute(i int, class string) {
	name, has := c.p.Word(i), deps.StandardNames("builtins."+class)
	_, root, _ := c.files.ws.Index(c.f.abs)
	if has[name] || !c.files.deps.Python.Env(root).HasStandardNames() {
		return
	}
	c.report(i, KindMember, severityError, fmt.Sprintf("%s has no attribute %s", class, name), nearest(name, maps.Keys(has)), "standard library", true)
}

// classAttribute checks an attribute of a class whose members are all known; it
// reports whether it could check it.
func (c *pyCheck) classAttribute(i int, t pyValue) bool {
	name := c.p.Word(i)
	class := c.files.class(t.mod, t.class)
	if _, ok := class.members[name]; ok {
		return true
	}
	stored := func(m *module) bool { return m.stores(name) || name[0] == '_' && strings.HasSuffix(m.path, ".pyi") }
	if class.open || name == "mro" || slices.ContainsFunc(class.stores, stored) {
		return false
	}
	// A subclass, a sibling, a fixture or a plugin may have set it.
	if c.f.had(name) || c.files.usedElsewhere(c.f, name) || c.f.stage == Standing && len(c.self.defs(name)) > 0 || c.storedAnywhere(name) {
		return false
	}
	near := nearest(name, func(yield func(string) bool) {
		for n := range class.members {
			if class.wheres[n] != "" && !yield(n) {
				return
			}
		}
	})
	where := cmp.Or(class.wheres[near], t.mod.where())
	message := fmt.Sprintf("%s has no attribute %s", t.class, name)
	if t.mod.private() {
		message = "the object has no attribute " + name
	}
	c.report(i, KindMember, severityError, message, near, where, t.mod.library())
	return true
}

// memberKnown reports whether the member at i has a name that is mentioned anywhere that a
// value could come from.
func (c *pyCheck) memberKnown(i int) bool {
	name := c.p.Word(i)
	if c.f.had(name) || c.f.assigns(name) || c.files.usedElsewhere(c.f, name) || c.files.defines(c.f, c.self, name, c.around.lines.of(c.p.Tokens[i].Start)) {
		return true
	}
	_, root, _ := c.files.ws.Index(c.f.abs)
	env := c.files.deps.Python.Env(root)
	if env == nil {
		c.doubt(i, doubtOther, "methods: no Python is on this machine's disk")
		return true
	}
	if c.files.pythonMentions(name) {
		return true
	}
	return c.installedMentions(env, name)
}

// pythonMentions reports whether the standard library or the interpreter has a
// name anywhere.
func (r *dynamicCheck) pythonMentions(name string) bool {
	for abs := range r.proposal.files {
		_, root, _ := r.ws.Index(abs)
		env := r.deps.Python.Env(root)
		if env != nil && r.vocabulary(env.Lib, func() []string {
			return append(r.deps.SourceFiles(env.Lib, ".py", ".pyi"), env.Binaries...)
		}).Has(name) {
			return true
		}
	}
	return false
}

// installedMentions reports whether a library that the file may have values of mentions a name.
func (c *pyCheck) installedMentions(env *deps.PythonEnv, name string) bool {
	tops, _ := c.libraries()
	for top := range tops {
		for _, site := range env.Sites {
			dir := filepath.Join(site, top)
			if top == "" || !disk.IsDir(dir) {
				continue
			}
			if c.files.vocabulary(dir, func() []string { return c.files.deps.SourceFiles(dir, ".py", ".pyi", ".so", ".pyd") }).Has(name) {
				return true
			}
		}
	}
	return false
}

// maxLinked bounds the modules of the workspace that are followed to the libraries they import.
const maxLinked = 100

// libraries are the packages that the file may have values of, by their first names: what it
// imports and what the modules import that it imports, what the other files of its folder do,
// and what runs it. complete is whether each of them is installed: one that is not could have
// any name.
func (c *pyCheck) libraries() (tops map[string]bool, complete bool) {
	if c.tops != nil {
		return c.tops, c.complete
	}
	c.tops, c.complete = map[string]bool{}, true
	type linked struct {
		file, module string
		optional     bool // where it is not installed, nothing has its values
	}
	var queue []linked
	for _, im := range c.imports {
		queue = append(queue, linked{c.f.abs, im.Module, false})
	}
	ix, root, rel := c.files.ws.Index(c.f.abs)
	for _, id := range ix.Dir(path.Dir(rel)) {
		for _, im := range ix.Imports(id) {
			top, _, _ := strings.Cut(im.Path, ".")
			c.tops[top] = true
		}
	}
	var fixtures []index.FileID
	for dir := path.Dir(rel); ; dir = path.Dir(dir) {
		if id, ok := ix.FileID(path.Join(dir, "conftest.py")); ok {
			fixtures = append(fixtures, id)
		}
		if dir == "." || dir == "/" {
			break
		}
	}
	for _, id := range fixtures {
		for _, im := range ix.Imports(id) {
			if ix.Language(id) == "python" {
				queue = append(queue, linked{filepath.Join(root, filepath.FromSlash(ix.Path(id))), im.Path, false})
			}
		}
	}
	for runner, of := range map[string]func(base string) bool{
		"pytest": func(base string) bool { return strings.HasPrefix(base, "test_") || base == "conftest.py" },
		"sphinx": func(base string) bool { return base == "conf.py" },
	} {
		if of(path.Base(rel)) {
			queue = append(queue, linked{c.f.abs, runner, false})
		}
	}
	seen := map[string]bool{}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		place := c.files.findPython(at.file, at.module)
		if place.Status != deps.Found && at.optional {
			continue
		}
		if place.Status == deps.Missing && (place.Own || c.bindsModule(at.file, at.module)) {
			place.Status = deps.Found
		}
		if place.Status != deps.Found || place.Partial {
			c.complete = false
			return c.tops, false
		}
		top, _, _ := strings.Cut(at.module, ".")
		c.tops[top] = true
		if top == "pytest" {
			c.tops["_pytest"] = true
		}
		if place.Own && place.File != "" && !seen[place.File] && len(seen) < maxLinked {
			seen[place.File] = true
			if m := c.files.module(place.File, place); m != nil {
				for _, p := range m.pieces {
					for _, im := range p.python.Imports {
						queue = append(queue, linked{place.File, im.Module, im.Tried})
					}
				}
			}
		}
	}
	return c.tops, true
}
