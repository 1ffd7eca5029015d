package names

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tandem/workspace/cut"
	"tandem/workspace/deps"
	"tandem/workspace/disk"
	"tandem/workspace/dynamic"
)

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
		if left := cut.Join(c.files.ws.Cut(c.files.family), c.files.once.unread); !left.None() {
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
	if class.open || name == "mro" {
		return false
	}
	for at := range class.searched {
		if at.m.stores(name) || name[0] == '_' && strings.HasSuffix(at.m.path, ".pyi") {
			return false
		}
	}
	// A subclass, a sibling, a fixture or a plugin may have set it.
	stands := c.f.stage == Standing && len(c.self.defs(name)) > 0
	if stands || c.inUse(name) || c.storedAnywhere(name) {
		return false
	}
	near := nearest(name, class.told)
	where := cmp.Or(class.members[near].where, t.mod.where())
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
	if c.mentioned(i, name) || c.f.assigns(name) {
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
	if r.once.pythons == nil {
		r.once.pythons = []*deps.PythonEnv{}
		for abs := range r.proposal.files {
			_, root, _ := r.ws.Index(abs)
			if env := r.deps.Python.Env(root); env != nil && !slices.Contains(r.once.pythons, env) {
				r.once.pythons = append(r.once.pythons, env)
			}
		}
	}
	return slices.ContainsFunc(r.once.pythons, func(env *deps.PythonEnv) bool {
		return r.vocabulary(env.Lib, func() []string {
			return append(r.deps.SourceFiles(env.Lib, ".py", ".pyi"), env.Binaries...)
		}).Has(name)
	})
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

// libraries are the packages that the file may have values of, by their first names: what it
// imports and what the modules import that it imports, what the other files of its folder do,
// and what runs it. complete is whether each of them is installed: one that is not could have
// any name.
func (c *pyCheck) libraries() (tops map[string]bool, complete bool) {
	if c.tops != nil {
		return c.tops, c.complete
	}
	c.tops, c.complete = map[string]bool{}, true
	queue := linksOf(c.f.abs, c.imports)
	for i := range queue {
		queue[i].tried = false // without it the file's own values may be anything
	}
	ix, root, rel := c.files.ws.Index(c.f.abs)
	for _, id := range ix.Dir(path.Dir(rel)) {
		for _, im := range ix.Imports(id) {
			top, _, _ := strings.Cut(im.Path, ".")
			c.tops[top] = true
		}
	}
	for dir := path.Dir(rel); ; dir = path.Dir(dir) {
		if id, ok := ix.FileID(path.Join(dir, "conftest.py")); ok {
			for _, im := range ix.Imports(id) {
				queue = append(queue, linked{file: filepath.Join(root, filepath.FromSlash(ix.Path(id))), module: im.Path})
			}
		}
		if dir == "." || dir == "/" {
			break
		}
	}
	switch base := path.Base(rel); {
	case base == "conf.py":
		queue = append(queue, linked{file: c.f.abs, module: "sphinx"})
	case strings.HasPrefix(base, "test_") || base == "conftest.py":
		queue = append(queue, linked{file: c.f.abs, module: "pytest"})
	}
	for at, place := range c.files.follow(queue) {
		bound := place.Status == deps.Missing && (place.Own || c.bindsModule(at.file, at.module))
		if found := place.Status == deps.Found || bound; !found && at.tried {
			continue // nothing has its values
		} else if !found || place.Partial {
			c.complete = false
			break
		}
		top, _, _ := strings.Cut(at.module, ".")
		c.tops[top] = true
		if top == "pytest" {
			c.tops["_pytest"] = true
		}
	}
	return c.tops, c.complete
}
