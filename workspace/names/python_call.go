package names

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// pyDefining are the words before a name that a bracket follows where nothing is called.
var pyDefining = terms.Set("def class @")

// call checks the number of arguments of a call whose callee's name is at i.
func (c *pyCheck) call(i int) {
	if pyDefining[c.p.Word(i-1)] || c.p.Word(i) == "__new__" {
		return
	}
	count, keywords, ok := c.p.Arguments(i + 1)
	if !ok {
		return
	}
	stray := func(d language.Def) int { // the keyword that is no parameter
		return slices.IndexFunc(keywords, func(k int) bool { return d.MaxParams >= 0 && !slices.Contains(d.Params, c.p.Word(k)) })
	}
	fits := func(d language.Def) bool {
		return d.MinParams == language.Unknown || accepts(d, count) && stray(d) < 0
	}
	candidates := c.callees(i, fits)
	if len(candidates) == 0 || slices.ContainsFunc(candidates, func(d callee) bool { return fits(d.Def) }) || c.storedAnywhere(c.p.Word(i)) {
		return
	}
	d, at, near := candidates[0], i, ""
	message := fmt.Sprintf("%s takes %s, this call has %d", d.Name, parameters(d.Def), count)
	if k := stray(d.Def); k >= 0 {
		at = keywords[k]
		near = nearest(c.p.Word(at), slices.Values(d.Params))
		message = fmt.Sprintf("%s has no parameter %s: it takes %s", d.Name, c.p.Word(at), cmp.Or(strings.Join(d.Params, ", "), "none"))
	}
	if d.where == "" {
		message, near = "the arguments of this call do not fit "+c.p.Word(i), ""
	}
	c.report(at, KindArguments, severityError, message, near, d.where, ofLibrary(d.where))
}

// A callee is a definition that a call may mean.
type callee struct {
	language.Def
	where string
}

// callees are the definitions that the call of the name at i certainly means; none may be
// returned where one fits.
func (c *pyCheck) callees(i int, fits func(language.Def) bool) []callee {
	name := c.p.Word(i)
	if c.p.Word(i-1) != "." {
		return c.plainCallee(i)
	}
	t := c.receiver(i)
	switch {
	case t.ok && t.class == "" && t.mod != nil:
		return c.inModuleCallee(t.mod, name)
	case t.ok && t.instance:
		method, ok := c.files.class(t.mod, t.class).members[name]
		if ok && c.p.Word(i-2) == "self" && c.overridden(name) {
			return methodsNamed(c, name, fits)
		}
		return fit(method.mod, method.Def, method.where)
	case c.p.IsSuper(i):
		return c.inherited(i, name)
	}
	return nil
}

// overridden reports whether several classes of the workspace define a method.
// Then it is not certain which of these classes self has.
func (c *pyCheck) overridden(name string) bool {
	ix, _, _ := c.files.ws.Index(c.f.abs)
	return len(ix.Lookup(name)) > 1
}

// stub reports whether the module is a stub of the workspace, whose source may be ahead of it.
func (m *module) stub() bool { return strings.HasSuffix(m.path, ".pyi") && !m.library() }

// fit keeps a definition whose parameters are the ones that a caller sees; m is
// nil where it is one of several.
func fit(m *module, d language.Def, where string) []callee {
	if m == nil || !callable(d) || m.stub() {
		return nil
	}
	if hasUnknownDecorator(m, d, "staticmethod", "classmethod", "abstractmethod", "override", "final", "lru_cache", "cache") {
		return nil
	}
	return []callee{{d, where}}
}

func (c *pyCheck) plainCallee(i int) []callee {
	name := c.p.Word(i)
	if c.binds(name) != 1 {
		return nil
	}
	for _, im := range c.imports {
		if im.Local == name && im.Name != "" && (im.Tried || im.Depth > 0) {
			return nil // one of several, or one of a function
		}
		if im.Local == name && im.Name != "" {
			place := c.files.findPython(c.f.abs, im.Module)
			if place.File == "" {
				return nil
			}
			if m := c.files.module(place.File, place); m != nil {
				return c.inModuleCallee(m, im.Name)
			}
			return nil
		}
	}
	if len(c.self.top(name)) == 0 {
		for _, d := range c.self.defs(name) {
			if d.Local && d.Kind == language.KindFunc {
				return fit(c.self, d, c.self.at(d))
			}
		}
	}
	return c.inModuleCallee(c.self, name)
}

// inModuleCallee is the definition that a call of a module's name calls.
func (c *pyCheck) inModuleCallee(m *module, name string) []callee {
	list := m.top(name)
	if len(list) == 0 {
		t := c.files.inModule(m, name, 0)
		if t.ok && t.class != "" {
			return c.constructor(t.mod, t.class)
		}
		return nil
	}
	if len(list) != 1 {
		return nil
	}
	if list[0].Kind == language.KindClass {
		return c.constructor(m, name)
	}
	return fit(m, list[0], m.at(list[0]))
}

// constructor is the __init__ that a class defines itself.
func (c *pyCheck) constructor(m *module, name string) []callee {
	own := m.in(name)["__init__"]
	def, ok := classDef(m, name)
	if !ok || len(own) != 1 || hasUnknownDecorator(m, def) {
		return nil
	}
	class, made := c.files.class(m, name), strings.Contains(def.Type, "metaclass")
	called := class.members["__call__"].Name != "" && strings.Contains(def.Type, "type")
	if made || called || class.members["__new__"].Name != "" {
		return nil
	}
	out := fit(m, own[0], m.at(own[0]))
	for k := range out {
		out[k].Name = name
	}
	return out
}

// inherited is the method that super() finds, where all bases up to it are
// known and its class defines it only once.
func (c *pyCheck) inherited(i int, name string) []callee {
	class, _ := c.enclosing(i)
	def, ok := classDef(c.self, class)
	if !ok || len(splitTop(def.Type)) != 1 || def.Type == "" {
		return nil
	}
	t := c.files.named(c.self, def.Type)
	if !t.ok || t.class == "" {
		return nil
	}
	method := c.files.class(t.mod, t.class).members[name]
	return fit(method.mod, method.Def, method.where)
}

// methodsNamed are all methods of the workspace that have a name: self has one of them.
func methodsNamed(c *pyCheck, name string, fits func(language.Def) bool) (out []callee) {
	ix, root, _ := c.files.ws.Index(c.f.abs)
	all := ix.Lookup(name)
	if slices.ContainsFunc(all, func(d index.Def) bool { return ix.Language(d.File) == "python" && fits(d.Def) }) {
		return nil
	}
	for _, d := range all {
		m := c.files.module(filepath.Join(root, filepath.FromSlash(ix.Path(d.File))), deps.Place{Own: true})
		if ix.Language(d.File) != "python" || m == nil {
			continue
		}
		one := fit(m, d.Def, ix.Path(d.File)+":"+itoa(d.StartLine))
		if d.Kind != language.KindMethod || one == nil {
			return nil
		}
		out = append(out, one...)
	}
	return out
}
