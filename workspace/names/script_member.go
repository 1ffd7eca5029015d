package names

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/cut"
	"tandem/workspace/deps"
	"tandem/workspace/dynamic"
	"tandem/workspace/language"
)

// member checks the name after a dot.
func (c *scriptCheck) member(i int) {
	name := c.t.Word(i)
	base := c.t.Word(i - 2)
	simple := c.t.IsName(i-2) && c.t.Word(i-3) != "." && c.t.Word(i-3) != "?."
	if simple {
		if im, ok := c.imported(base); ok && c.unshadowed(i-2) {
			if c.ofImport(i, im) {
				return
			}
			if place := c.files.resolve(c.f.abs, im.Module); place.Status != deps.Found && !place.Own && !c.f.had(base+"."+name) {
				c.doubt(i, doubtScript, unknownImport(im.Module, place))
				return
			}
		}
		if base == "this" && c.ofThis(i) || c.typed && (c.ofGlobal(i) || c.ofTyped(i)) {
			return
		}
	}
	if !c.t.Called(i) || strings.HasPrefix(name, "#") || c.memberKnown(i) {
		return
	}
	if c.missing() {
		c.doubt(i, doubtScript, "method "+name+": packages that the file imports are not installed")
		return
	}
	if left := cut.Join(c.files.ws.Cut(c.files.family), c.files.once.unread); !left.None() {
		c.doubt(i, doubtUnread, "method "+name+": "+left.String())
		return
	}
	near, where := c.files.suggest(c.f, name, isMember)
	c.report(i, KindMember, severityWarning, "nothing in the workspace or its libraries has a method "+name, near, where, false)
}

// unshadowed reports whether the name at i, which is imported, is no other one's of a function or
// block there.
func (c *scriptCheck) unshadowed(i int) bool {
	b := c.reference(i).Binding
	return b == nil || b.Module
}

// ofImport checks a member of an imported module; it reports whether it could
// check it.
func (c *scriptCheck) ofImport(i int, im dynamic.Import) bool {
	if im.Name != "*" {
		return false
	}
	m := c.files.moduleOf(c.files.resolve(c.f.abs, im.Module))
	name := c.t.Word(i)
	has, known := c.files.exports(m, name)
	if !known {
		return false
	}
	if !has {
		near := nearest(name, slices.Values(c.files.exportedNames(m)))
		where := m.where()
		if d := m.top(near); len(d) > 0 {
			where = m.at(d[0])
		}
		c.report(i, UnknownName, severityError, fmt.Sprintf("%s exports no %s", im.Module, name), near, where, m.library())
	}
	return true
}

// classAround is the class whose lines hold a token.
func (c *scriptCheck) classAround(i int) (language.Def, bool) {
	line := c.around.lines.of(c.t.Tokens[i].Start)
	var out language.Def
	for _, d := range c.around.defs {
		if d.Kind == language.KindClass && d.StartLine <= line && line <= d.EndLine {
			out = d
		}
	}
	return out, out.Name != ""
}

// ofThis checks a member of this, where the class and its bases are known.
func (c *scriptCheck) ofThis(i int) bool {
	class, ok := c.classAround(i)
	if !ok || class.Local || class.Container != "" {
		return false
	}
	self, name := c.files.class(c.self, class.Name), c.t.Word(i)
	if _, ok := self.members[name]; ok {
		return true
	}
	switch {
	case self.open, strings.HasPrefix(name, "#"), strings.Contains(c.f.Text, "this instanceof"), c.inUse(name), c.f.vouches(name):
		return false
	}
	near := nearest(name, self.told)
	where := cmp.Or(self.members[near].where, c.self.where())
	c.report(i, KindMember, severityError, fmt.Sprintf("%s has no member %s", class.Name, name), near, where, false)
	return true
}

// ofGlobal checks a member of a value that every file may use, as of Math, where the language's
// library is installed.
func (c *scriptCheck) ofGlobal(i int) bool {
	base, name := c.t.Word(i-2), c.t.Word(i)
	lib := c.files.deps.Node.Library(c.f.abs)
	if len(lib) == 0 || dynamic.ScriptKeyword(base) || c.declares(i-2) {
		return false
	}
	members := c.declared(lib).of(base)
	if members == nil || members[name] {
		return members != nil
	}
	if c.augmented(c.declared(lib).types[base], name) || c.f.had(base+"."+name) {
		return false
	}
	c.report(i, KindMember, severityError, fmt.Sprintf("%s has no member %s", base, name), nearest(name, maps.Keys(members)), "", true)
	return true
}

// augmented reports whether the workspace, or a package that the file imports, may give a type a member.
func (c *scriptCheck) augmented(typ, name string) bool {
	ix, _, _ := c.files.ws.Index(c.f.abs)
	for _, d := range ix.Lookup(name) {
		if d.Container == typ || strings.HasSuffix(d.Container, "."+typ) {
			return true
		}
	}
	lib := c.files.deps.Node.Library(c.f.abs) // what declares the type itself
	return c.inPackages(func(dir string, words *deps.Vocabulary) bool {
		return words.Has(typ) && words.Has(name) && (len(lib) == 0 || !strings.HasPrefix(lib[0], dir+string(filepath.Separator)))
	})
}

// ofTyped checks a member of a parameter or variable whose type is a class, where nothing says
// that it is more than that.
func (c *scriptCheck) ofTyped(i int) bool {
	base, name := c.t.Word(i-2), c.t.Word(i)
	at := c.soleDeclaration(i - 2)
	if at < 0 || c.t.Word(at+1) != ":" || !c.t.IsName(at+2) || c.use(c.t.Word(at+2)).IsWithin(c.t.Tokens[i].Start) {
		return false
	}
	switch end := c.t.Generics(at + 3); c.t.Word(end) {
	case ",", ")", "=", ";":
	default:
		return false
	}
	m, class := c.files.classNamed(c.self, c.t.Word(at+2))
	if m == nil {
		return false
	}
	typed := c.files.class(m, class)
	_, is := typed.members[name]
	switch {
	case is:
		return true
	case typed.open, strings.HasPrefix(name, "#"), c.f.had(base + "." + name), m.library() && c.memberKnown(i), c.augmented(class, name), stored(m.text, name), inString(m.text, name):
		return false
	}
	near := nearest(name, typed.told)
	c.report(i, KindMember, severityError, fmt.Sprintf("%s has no member %s", class, name), near, typed.members[near].where, m.library())
	return true
}

// soleDeclaration is the token that alone declares the name at i there, or -1 where that is not
// certain, or where a condition before it may tell more of its type.
func (c *scriptCheck) soleDeclaration(i int) int {
	b, at := c.reference(i).Binding, -1
	if b == nil {
		return -1
	}
	for _, u := range b.Uses {
		j := c.names.Token(u.Start)
		switch {
		case u.Declares && at < 0:
			at = j
		case u.Declares, c.t.Word(j+1) == "in", c.t.Word(j-1) == "in", c.t.Word(j+1) == "instanceof", j < i && c.t.Argument(j):
			return -1
		}
	}
	return at
}

// memberKnown reports whether the member at i has a name that is mentioned anywhere that a
// value could come from.
func (c *scriptCheck) memberKnown(i int) bool {
	name := c.t.Word(i)
	switch {
	case len(name) < 3, dynamic.ScriptKeyword(name), c.use(name).Plain, standardMembers()[name],
		c.mentioned(i, name), c.library().Has(name), askedFor(c.f.Text, name):
		return true
	}
	return c.inPackages(func(_ string, words *deps.Vocabulary) bool { return words.Has(name) })
}

// inPackages reports whether the words of a package that the file imports, or of one that such a
// package requires, are as is says.
func (c *scriptCheck) inPackages(is func(dir string, words *deps.Vocabulary) bool) bool {
	var imported []string
	for _, im := range c.imports {
		imported = append(imported, im.Module)
	}
	return slices.ContainsFunc(c.files.deps.Node.Closure(c.f.abs, imported, c.files.fileExists), func(dir string) bool {
		return is(dir, c.files.vocabulary(dir, func() []string { return c.packageFiles(dir) }))
	})
}

// packageFiles are the declarations of a package, or its code where it has
// none.
func (c *scriptCheck) packageFiles(dir string) []string {
	if files := c.files.deps.SourceFiles(dir, ".d.ts", ".d.mts", ".d.cts"); len(files) > 0 {
		return files
	}
	return c.files.deps.SourceFiles(dir, ".js", ".mjs", ".cjs", ".ts")
}

// ofPage reports whether the file imports nothing, in JavaScript: a page may load it beside any
// library.
func (c *scriptCheck) ofPage() bool {
	return len(c.imports) == 0 && strings.HasPrefix(c.f.lang, "javascript")
}

// loadsAny is a module that is loaded by a name which the text does not have.
var loadsAny = regexp.MustCompile(`\b(?:import|require)\(\s*[^"'\s)]|\bcreateRequire\b`)

// missing reports whether the file imports something that is not installed, or nobody knows
// what, or a file of the workspace that does.
func (c *scriptCheck) missing() bool {
	if c.lacks != nil {
		return *c.lacks
	}
	lacks := c.ofPage() || !c.files.deps.Node.Installed(c.f.abs) || loadsAny.MatchString(c.f.Text)
	declared := standardGlobals()
	if lib := c.files.deps.Node.Library(c.f.abs); len(lib) > 0 {
		declared = c.declared(lib).names
	}
	// What a call returns whose declaration was not read, as a test runner's, has any members.
	lacks = lacks || slices.ContainsFunc(c.self.pieces, func(p piece) bool {
		for name, u := range p.uses {
			if u.Called && !dynamic.ScriptKeyword(name) && !c.use(name).MayBeDeclared() && !declared[name] && len(c.self.defs(name)) == 0 {
				return true
			}
		}
		return false
	})
	for _, place := range c.files.follow(linksOf(c.f.abs, c.imports)) {
		known := place.Status == deps.Found || place.Status == deps.Missing && place.Own
		if lacks = lacks || !known; lacks {
			break
		}
	}
	c.lacks = &lacks
	return lacks
}

// call checks the number of arguments of a call. JavaScript accepts any number.
func (c *scriptCheck) call(i int) {
	if strings.HasPrefix(c.f.lang, "javascript") {
		return
	}
	open := c.t.Generics(i + 1)
	count, ok := c.t.Arguments(open)
	if !ok {
		return
	}
	list := c.callees(i)
	for _, d := range list {
		if accepts(d.Def, count) || !callable(d.Def) {
			return
		}
	}
	if len(list) == 0 {
		return
	}
	d := list[0]
	c.report(i, KindArguments, severityError, fmt.Sprintf("%s takes %s, this call has %d", c.t.Word(i), parameters(d.Def), count), "", d.where, ofLibrary(d.where))
}

// callees are the definitions of which the call of the name at i certainly means one.
func (c *scriptCheck) callees(i int) []callee {
	name, prev := c.t.Word(i), c.t.Word(i-1)
	switch {
	case prev == "new":
		return c.constructors(name)
	case prev != "." && prev != "?.":
		return c.plainCallees(name, c.t.Tokens[i].Start)
	}
	base := c.t.Word(i - 2)
	if simple := c.t.Word(i-3) != "." && c.t.Word(i-3) != "?."; simple {
		if im, ok := c.imported(base); ok && c.unshadowed(i-2) {
			if im.Name != "*" {
				return nil
			}
			m, defs := c.files.exportedDefs(c.files.moduleOf(c.files.resolve(c.f.abs, im.Module)), name, 0)
			return calleesOf(m, defs)
		}
		if class, ok := c.classAround(i); ok && base == "this" {
			own := c.self.in(joinContainer(class.Container, class.Name))[name]
			if len(own) > 0 {
				return calleesOf(c.self, own)
			}
		}
	}
	return nil
}

func calleesOf(m *module, defs []language.Def) []callee {
	var out []callee
	for _, d := range defs {
		if typedElsewhere(m, d) {
			return nil
		}
		out = append(out, callee{d, m.at(d)})
	}
	return out
}

// typedElsewhere reports whether a definition is a value with a declared type:
// this type, and not the function that the value holds, determines how it is
// called.
func typedElsewhere(m *module, d language.Def) bool {
	lines := m.linesOf(d.StartLine, d.StartLine+1)
	return len(lines) == 1 && d.Kind == language.KindFunc && strings.Contains(lines[0], " "+d.Name+":")
}

func (c *scriptCheck) plainCallees(name string, at int) []callee {
	if !c.plainUnshadowed(name) {
		return nil
	}
	if im, ok := c.imported(name); ok {
		if im.Name == "*" || im.Name == "default" || im.Module == "" || c.use(name).IsWithin(at) {
			return nil
		}
		m, defs := c.files.exportedDefs(c.files.moduleOf(c.files.resolve(c.f.abs, im.Module)), im.Name, 0)
		return calleesOf(m, defs)
	}
	var out []callee
	containers := map[string]bool{}
	for _, d := range c.self.defs(name) {
		if d.Container != "" && !d.Local {
			continue
		}
		if c.use(name).IsNearer(at, c.around.lines.start(d.StartLine)) {
			return nil // something nearer to the call may declare it
		}
		containers[d.Container] = true
		out = append(out, callee{d, c.self.at(d)})
	}
	if len(containers) != 1 {
		return nil
	}
	return out
}

// plainUnshadowed reports whether a name has one meaning in the whole file: it
// is declared once, and is nowhere a parameter or a variable that gets another
// value.
func (c *scriptCheck) plainUnshadowed(name string) bool {
	u := c.use(name)
	_, imported := c.imported(name)
	return !u.Shadowed && (u.Constants == 0 || u.Constants == 1 && !imported && !u.Function)
}

func (c *scriptCheck) constructors(name string) []callee {
	m, class := c.files.classNamed(c.self, name)
	if m == nil || m == c.self && !c.plainUnshadowed(name) {
		return nil
	}
	return calleesOf(m, m.in(class)["constructor"])
}
