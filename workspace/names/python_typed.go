package names

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// What a value is follows from what it is made of: exactly, or as a type checker follows it,
// through annotations and results. Then it may be of a subclass, and what its class lacks is wrong
// only where nothing anywhere has it.

// closedType is the class of the receiver of the attribute at i, whose attributes are all read and
// do not have that name; "" if it is not known.
func (c *pyCheck) closedType(i int) (class string, library bool) {
	from := i - 2
	for more := true; more; {
		if w := c.p.Word(from); w == ")" || w == "]" || w == "}" {
			from = c.p.Opening(from)
			if more = from > 0 && w != "}" && (c.p.IsName(from-1) || c.p.Word(from-1) == ")" || c.p.Word(from-1) == "]"); more {
				from--
			}
		} else if more = c.p.IsName(from) && c.p.Word(from-1) == "."; more {
			from -= 2
		}
	}
	t := c.value(max(from, 0), i-1, false)
	switch {
	case !t.ok || !t.instance:
		return "", false
	case t.mod == nil:
		return t.class, true
	}
	all := c.files.class(t.mod, t.class)
	if _, has := all.members[c.p.Word(i)]; has || all.open || t.mod.private() {
		return "", false
	}
	return t.class, t.mod.library()
}

// pyPlain are types of the language whose values have no attributes but the language's own.
var pyPlain = terms.Set("str bytes list dict set frozenset tuple int float bool")

func plain(name string) pyValue { return pyValue{class: name, instance: true, ok: true} }

// value is that of the expression from i to end, where it is a name or a literal with attributes
// and calls behind it; exact is whether annotations do not count.
func (c *pyCheck) value(i, end int, exact bool) (t pyValue) {
	switch w := c.p.Word(i); {
	case i >= end || exact && !c.p.IsName(i):
		return t
	case c.p.Kind(i) == language.String:
		t = plain("str")
		if strings.ContainsAny(w[:strings.IndexAny(w, `'"`)+1], "bB") {
			t = plain("bytes")
		}
	case w == "[":
		t, i = plain("list"), c.p.Closing(i)
	case w == "{" && (c.p.Word(i+1) == "}" || c.p.Word(i+2) == ":"):
		t, i = plain("dict"), c.p.Closing(i)
	case !exact && pyPlain[w] && c.p.Word(i+1) == "(" && c.binds(w) == 0:
		t, i = plain(w), c.p.Closing(i+1)
	case c.p.IsName(i):
		t = c.base(i)
		_, function := c.enclosing(i)
		if !t.ok && !exact {
			t = c.loose(w, function)
		}
	}
	for i++; t.ok && i < end; i++ {
		name, called := c.p.Word(i+1), c.p.Word(i+2) == "("
		switch {
		case c.p.Word(i) == "(" && t.class != "" && !t.instance && t.mod != nil:
			i, t.instance = c.p.Closing(i), true
		case c.p.Word(i) != ".":
			return pyValue{}
		case t.class == "":
			t, i = c.member(t, name), i+1
		case exact:
			return pyValue{}
		default:
			if t, i = c.memberOf(t, name, called), i+1; called {
				i = c.p.Closing(i + 1)
			}
		}
	}
	return t
}

// memberOf is the value of a field or property of a class's instance, or what a method returns.
func (c *pyCheck) memberOf(t pyValue, name string, called bool) pyValue {
	if t.mod == nil {
		return pyValue{}
	}
	class := c.files.class(t.mod, t.class)
	d, m := class.members[name], class.mods[name]
	switch {
	case m == nil || callable(d) != called || hasUnknownDecorator(m, d, "staticmethod", "classmethod", "abstractmethod", "property", "cached_property", "override", "lru_cache", "cache"),
		called && strings.HasPrefix(strings.TrimSpace(strings.Join(m.linesOf(d.StartLine, d.StartLine+1), "")), "async "):
		return pyValue{}
	case called && d.Type == "Self":
		t.instance = true
		return t
	case d.Type == "" && m == c.self && d.Kind == language.KindField:
		return c.assignedIn(d.StartLine, name)
	}
	return c.annotated(m, d.Type)
}

var optional = regexp.MustCompile(`^(?:\w+\.)?(?:Optional|Final|ClassVar)\[(.*)\]$`)

// annotated is an instance of the class that an annotation names; it may be None as well.
func (c *pyCheck) annotated(m *module, text string) pyValue {
	text = optional.ReplaceAllString(strings.Trim(text, `"' `), "$1")
	parts := slices.DeleteFunc(strings.Split(text, "|"), func(p string) bool { return strings.TrimSpace(p) == "None" })
	if len(parts) != 1 {
		return pyValue{}
	}
	name, _, _ := strings.Cut(strings.TrimSpace(parts[0]), "[")
	if pyPlain[name] && !m.binds(name) {
		return plain(name)
	}
	t := c.files.named(m, name)
	t.instance, t.ok = true, t.ok && t.class != ""
	return t
}

// once is a value that is made once. One that is made of itself is not known.
func (c *pyCheck) once(value func() pyValue, key ...any) pyValue {
	k := fmt.Sprint(key...)
	made, known := c.made[k]
	if !known {
		c.made[k] = pyValue{}
		made = value()
		c.made[k] = made
	}
	return made
}

// loose is the value of a name that its function binds once; if not exact, also of a parameter
// that is annotated, and of what the module binds.
func (c *pyCheck) loose(name string, function language.Def) pyValue {
	if d := c.self.top(name); len(d) == 1 && d[0].Kind == language.KindVar && c.binds(name) == 1 {
		return c.assignedIn(d[0].StartLine, name)
	}
	if function.Name == "" {
		return pyValue{}
	}
	return c.once(func() pyValue {
		bound := -1
		for j := c.atLine(function.StartLine); j < len(c.p.Tokens) && c.around.lines.of(c.p.Tokens[j].Start) <= function.EndLine; j++ {
			if c.p.Kind(j) == language.Name && c.p.Word(j) == name && c.p.Word(j-1) != "." && !c.p.OnlyRead(j) {
				if bound >= 0 {
					return pyValue{}
				}
				bound = j
			}
		}
		return c.bound(bound, false)
	}, function.StartLine, " loose ", name)
}

// atLine is the first token of a line, or after it.
func (c *pyCheck) atLine(line int) int {
	at, _ := slices.BinarySearchFunc(c.p.Tokens, c.around.lines.start(line), func(t language.Token, at int) int { return t.Start - at })
	return at
}

// assignedIn is what the line that binds a name of the module or of an object gives it.
func (c *pyCheck) assignedIn(line int, name string) pyValue {
	return c.once(func() pyValue {
		for j := c.atLine(line); j < len(c.p.Tokens) && c.around.lines.of(c.p.Tokens[j].Start) == line; j++ {
			if c.p.Word(j) == name {
				return c.bound(j, false)
			}
		}
		return pyValue{}
	}, line, name)
}

// bound is the value that the name at j is bound to there.
func (c *pyCheck) bound(j int, exact bool) pyValue {
	if j < 0 {
		return pyValue{}
	}
	annotated, end := c.p.Word(j+1) == ":", j+2
	for level := 0; end < len(c.p.Tokens) && c.p.Kind(end) != language.Newline; end++ {
		switch c.p.Word(end) {
		case "(", "[", "{":
			level++
		case ")", "]", "}":
			level--
		}
		if level < 0 || level == 0 && annotated && (c.p.Word(end) == "," || c.p.Word(end) == "=") {
			break
		}
	}
	prev := c.p.Word(j - 1)
	switch {
	case annotated && !exact && prev != "lambda" && prev != "." && prev != "*" && prev != "**":
		return c.annotated(c.self, c.p.Text[c.p.Tokens[j+2].Start:c.p.Tokens[end-1].End])
	case c.p.Assigned(j) || !exact && c.p.Word(j+1) == "=" && prev == ".":
		if t := c.value(j+2, end, exact); t.instance {
			return t
		}
	}
	return pyValue{}
}
