package names

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A class is what is known of a class: its members, those of its bases included.
type class struct {
	members map[string]member
	open    bool // it may have more members

	searched map[classKey]bool // itself and its bases
}

// A member is what a class has, with the module that defines it once; nil where it is one of several.
type member struct {
	callee
	mod *module
}

// A classKey is a class of a module.
type classKey struct {
	m    *module
	name string
}

// mostDerived bounds how far bases are followed.
const mostDerived = 12

// class collects a class's members in the order in which the language searches for them.
func (r *dynamicCheck) class(m *module, name string) *class {
	key := classKey{m, name}
	c := r.once.classes[key]
	if c == nil {
		c = &class{members: map[string]member{}, searched: map[classKey]bool{}}
		r.once.classes[key] = c
		r.addClass(c, key, 0)
	}
	return c
}

func (r *dynamicCheck) addClass(c *class, at classKey, depth int) {
	if c.searched[at] {
		return
	}
	c.searched[at] = true
	for name, list := range at.m.in(at.name) {
		if _, nearer := c.members[name]; nearer {
			continue
		}
		last := list[len(list)-1]
		own := member{callee{last, at.m.at(last)}, nil}
		if len(list) == 1 {
			own.mod = at.m
		}
		c.members[name] = own
	}
	def, sole := classDef(at.m, at.name)
	if !sole || depth > mostDerived {
		c.open = true
		return
	}
	basesOf := r.scriptBases
	if r.family == "python" {
		basesOf = r.pythonBases
	}
	bases, all := basesOf(at.m, def)
	c.open = c.open || !all
	for _, base := range bases {
		r.addClass(c, base, depth+1)
	}
}

// told are the names of the members that a finding may tell.
func (c *class) told(yield func(string) bool) {
	for name, m := range c.members {
		if m.where != "" && !yield(name) {
			return
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

// plainBases are bases that give a class of Python no members.
var plainBases = terms.Set("object ABC abc.ABC metaclass=ABCMeta metaclass=abc.ABCMeta")

// pythonBases are the classes that one derives from; all is false where something else may give it
// members.
func (r *dynamicCheck) pythonBases(m *module, def language.Def) (out []classKey, all bool) {
	own := m.in(joinContainer(def.Container, def.Name))
	asked := own["__getattr__"] != nil || own["__getattribute__"] != nil
	all = !asked && !m.sets && !hasUnknownDecorator(m, def, "dataclass", "final", "total_ordering", "runtime_checkable", "unique", "dataclasses")
	for _, base := range splitTop(def.Type) {
		if base == "" || plainBases[base] {
			continue
		}
		t := pyValue{}
		if plain, _, _ := strings.Cut(base, "["); !strings.ContainsAny(base, "=(*") {
			t = r.named(m, plain)
		}
		if all = all && t.ok && t.class != ""; t.class != "" {
			out = append(out, classKey{t.mod, t.class})
		}
	}
	return out, all
}

// scriptBases are the same of a script.
func (r *dynamicCheck) scriptBases(m *module, def language.Def) (out []classKey, all bool) {
	all = !strings.Contains(m.text, "[key: string]")
	_, base, extends := strings.Cut(withoutParameters(def.Type), "extends ")
	if !extends {
		return nil, all
	}
	base, _, _ = strings.Cut(base, " implements ")
	end := 0
	for end < len(base) && (edits.IsWordByte(base[end]) || base[end] == '$') {
		end++
	}
	next, name := r.classNamed(m, base[:end])
	if rest := strings.TrimSpace(base[end:]); next == nil || rest != "" && !strings.ContainsAny(rest[:1], "<{") {
		return nil, false
	}
	return []classKey{{next, name}}, all
}

// withoutParameters is the head of a class without its type parameters.
func withoutParameters(head string) string {
	depth := 0
	for i := 0; i < len(head); i++ {
		switch {
		case head[i] == '<':
			depth++
		case head[i] == '>' && !strings.HasSuffix(head[:i], "="):
			depth--
		}
		if depth == 0 {
			return strings.TrimPrefix(head[i:], ">")
		}
	}
	return head
}

// classNamed is the module and name of a class that a name of a script's module means.
func (r *dynamicCheck) classNamed(m *module, name string) (*module, string) {
	if list := m.top(name); len(list) == 1 && list[0].Kind == language.KindClass {
		return m, name
	}
	for _, l := range m.links {
		if l.local == name && l.namesOne() {
			next, list := r.exportedDefs(r.moduleOf(r.resolve(m.path, l.module)), l.name, 0)
			if next != nil && len(list) == 1 && list[0].Kind == language.KindClass {
				return next, list[0].Name
			}
		}
	}
	return nil, ""
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
	for _, line := range m.linesOf(d.DocLine, d.StartLine) {
		decorator, is := strings.CutPrefix(strings.TrimSpace(line), "@")
		name, _, _ := strings.Cut(decorator, "(")
		if is && !slices.Contains(harmless, strings.TrimSpace(name[strings.LastIndexByte(name, '.')+1:])) {
			return true
		}
	}
	return false
}

func joinContainer(container, name string) string {
	if container == "" {
		return name
	}
	return container + "." + name
}
