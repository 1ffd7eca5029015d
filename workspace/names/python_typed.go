package names

import (
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/deps"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A pyTyping follows the types of values through annotations, results and what variables are
// assigned, as a type checker does. What it says is no proof by itself: a value may be of a
// subclass. It makes one of a name that nothing anywhere mentions.
type pyTyping struct {
	*pyCheck
	steps int
}

// maxSteps bounds how many values are looked at for one.
const maxSteps = 40

// pyPlain are types of the language whose values have no attributes but the language's own.
var pyPlain = terms.Set("str bytes list dict set frozenset tuple int float bool")

// closedType is the type of the receiver of the attribute at i, where all attributes of its values
// are read and the name is none of them. "" if that is not known.
func (c *pyCheck) closedType(i int) (class string, library bool) {
	from := i - 2
	for {
		switch s := c.p.Word(from); {
		case s == ")" || s == "]" || s == "}":
			if from = c.p.Opening(from); from < 0 {
				return "", false
			}
			if c.p.IsName(from-1) && s != "}" || s != "}" && (c.p.Word(from-1) == ")" || c.p.Word(from-1) == "]") {
				from--
				continue
			}
		case c.p.Word(from-1) == "." && c.p.IsName(from):
			from -= 2
			continue
		}
		break
	}
	t := (&pyTyping{pyCheck: c}).value(from, i-1)
	if !t.ok || !t.instance {
		return "", false
	}
	if t.mod == nil {
		return t.class, true
	}
	all := c.files.class(t.mod, t.class)
	if _, has := all.members[c.p.Word(i)]; has || all.open || t.mod.private() {
		return "", false
	}
	return t.class, t.mod.library()
}

// value is what the expression of the tokens from i to end has, where it is a name or a literal
// with attributes and calls behind it.
func (v *pyTyping) value(i, end int) (t pyValue) {
	p, awaited := v.p, v.p.Word(i) == "await"
	if v.steps++; v.steps > maxSteps || i >= end {
		return t
	}
	if awaited {
		i++
	}
	switch s := p.Word(i); {
	case p.Kind(i) == language.String:
		t = plain("str")
		if strings.ContainsAny(s[:strings.IndexAny(s, `'"`)+1], "bB") {
			t = plain("bytes")
		}
	case s == "[":
		t, i = plain("list"), p.Closing(i)
	case s == "{" && (p.Word(i+1) == "}" || p.Word(i+2) == ":"):
		t, i = plain("dict"), p.Closing(i)
	case pyPlain[s] && p.Word(i+1) == "(" && v.binds(s) == 0:
		t, i = plain(s), p.Closing(i+1)
	case p.IsName(i):
		if t = v.base(i); !t.ok && p.Word(i+1) == "(" && v.binds(s) == 1 {
			after := p.Closing(i+1) + 1
			t, i = v.result(v.self, s, awaited && after >= end, 0), after-1
		} else if !t.ok {
			t = v.variable(i)
		}
	}
	for i++; t.ok && i < end; i++ {
		switch {
		case p.Word(i) == "(" && t.class != "" && !t.instance && t.mod != nil:
			i, t.instance = p.Closing(i), true
		case p.Word(i) == "." && p.Word(i+2) == "(" && t.class != "":
			after := p.Closing(i+2) + 1
			t, i = v.memberOf(t, p.Word(i+1), true, awaited && after >= end), after-1
		case p.Word(i) == "." && p.Word(i+2) == "(":
			if next := v.member(t, p.Word(i+1)); next.ok {
				t, i = next, i+1
				continue
			}
			after := p.Closing(i+2) + 1
			t, i = v.result(t.mod, p.Word(i+1), awaited && after >= end, 0), after-1
		case p.Word(i) == "." && t.class != "":
			t, i = v.memberOf(t, p.Word(i+1), false, false), i+1
		case p.Word(i) == ".":
			t, i = v.member(t, p.Word(i+1)), i+1
		default:
			return pyValue{}
		}
	}
	return t
}

func plain(name string) pyValue { return pyValue{class: name, instance: true, ok: true} }

// memberOf is the value of a field or property of a class's instance, or what a method returns.
func (v *pyTyping) memberOf(t pyValue, name string, called, awaited bool) pyValue {
	if t.mod == nil {
		return pyValue{}
	}
	class := v.files.class(t.mod, t.class)
	d, m := class.members[name], class.mods[name]
	switch {
	case m == nil || callable(d) != called:
		return pyValue{}
	case called && d.Type == "Self":
		t.instance = true
		return t
	case d.Type == "" && m == v.self && d.Kind == language.KindField:
		return v.assignedIn(d.StartLine, name)
	}
	return v.of(m, d, awaited)
}

// result is what a module's function of a name returns.
func (v *pyTyping) result(m *module, name string, awaited bool, depth int) pyValue {
	for _, at := range v.files.reach(deps.Place{}, m) {
		if at == nil || depth > 8 {
			continue
		}
		if d := at.top(name); len(d) == 1 && d[0].Kind == language.KindFunc {
			return v.of(at, d[0], awaited)
		}
		for _, l := range at.links {
			if place := v.files.findPython(at.path, l.module); l.local == name && l.name != "" && place.File != "" {
				return v.result(v.files.module(place.File, place), l.name, awaited, depth+1)
			}
		}
	}
	return pyValue{}
}

// of is what a definition is annotated with, which a decorator may change.
func (v *pyTyping) of(m *module, d language.Def, awaited bool) pyValue {
	async := false
	for _, line := range m.linesOf(d.StartLine, d.StartLine+1) {
		async = strings.HasPrefix(strings.TrimSpace(line), "async ")
	}
	if async != awaited || hasUnknownDecorator(m, d, "staticmethod", "classmethod", "abstractmethod", "property", "cached_property", "override", "lru_cache", "cache") {
		return pyValue{}
	}
	return v.annotated(m, d.Type)
}

var optional = regexp.MustCompile(`^(?:\w+\.)?(?:Optional|Final|ClassVar)\[(.*)\]$`)

// annotated is an instance of the class that an annotation names; one may be None as well.
func (v *pyTyping) annotated(m *module, text string) pyValue {
	text = optional.ReplaceAllString(strings.Trim(text, `"' `), "$1")
	parts := slices.DeleteFunc(strings.Split(text, "|"), func(p string) bool { return strings.TrimSpace(p) == "None" })
	if len(parts) != 1 {
		return pyValue{}
	}
	name, _, _ := strings.Cut(strings.TrimSpace(parts[0]), "[")
	if pyPlain[name] && !m.binds(name) {
		return plain(name)
	}
	t := v.files.named(m, name)
	t.instance, t.ok = true, t.ok && t.class != ""
	return t
}

// variable is the value of a name that its function, or the module, binds once: a parameter with
// an annotation, or what is assigned.
func (v *pyTyping) variable(i int) (t pyValue) {
	name := v.p.Word(i)
	_, function := v.enclosing(i)
	if function.Name == "" || !slices.Contains(function.Params, name) && v.binds(name) == 1 {
		if d := v.self.top(name); len(d) == 1 && d[0].Kind == language.KindVar {
			return v.assignedIn(d[0].StartLine, name)
		}
	}
	if function.Name == "" {
		return t
	}
	bound := -1
	for j := v.atLine(function.StartLine); j < len(v.p.Tokens) && v.around.lines.of(v.p.Tokens[j].Start) <= function.EndLine; j++ {
		if v.p.Kind(j) == language.Name && v.p.Word(j) == name && v.p.Word(j-1) != "." && !v.p.OnlyRead(j) {
			if bound >= 0 {
				return t
			}
			bound = j
		}
	}
	return v.bound(bound)
}

// atLine is the first token of a line, or after it.
func (v *pyTyping) atLine(line int) int {
	at, _ := slices.BinarySearchFunc(v.p.Tokens, v.around.lines.start(line), func(t language.Token, at int) int { return t.Start - at })
	return at
}

// assignedIn is what the line that binds a name of a module or an object gives it.
func (v *pyTyping) assignedIn(line int, name string) pyValue {
	for j := v.atLine(line); j < len(v.p.Tokens) && v.around.lines.of(v.p.Tokens[j].Start) == line; j++ {
		if v.p.Word(j) == name {
			return v.bound(j)
		}
	}
	return pyValue{}
}

// bound is the value that the name at j is bound to there.
func (v *pyTyping) bound(j int) pyValue {
	end := j + 2
	for level := 0; end < len(v.p.Tokens) && v.p.Kind(end) != language.Newline; end++ {
		switch v.p.Word(end) {
		case "(", "[", "{":
			level++
		case ")", "]", "}":
			level--
		}
		if level < 0 || level == 0 && v.p.Word(j+1) == ":" && (v.p.Word(end) == "," || v.p.Word(end) == "=") {
			break
		}
	}
	switch lead := v.p.Kind(j - 1); {
	case j < 0 || end > len(v.p.Tokens):
	case v.p.Word(j+1) == ":" && (v.p.Word(j-1) == "(" || v.p.Word(j-1) == "," || lead == language.Newline || lead == language.Indent || lead == language.Dedent):
		return v.annotated(v.self, v.p.Text[v.p.Tokens[j+2].Start:v.p.Tokens[end-1].End])
	case v.p.Word(j+1) == "=" && v.p.Word(j-1) != "(" && v.p.Word(j-1) != ",":
		return v.value(j+2, end)
	}
	return pyValue{}
}
