package names

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/disk"
	"tandem/workspace/dynamic"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A scriptCheck is the check of one file of JavaScript or TypeScript.
type scriptCheck struct {
	fileCheck
	t       dynamic.Script         // of the window
	typed   bool                   // a compiler must know its names
	names   *dynamic.File          // of the window, made at the first use
	uses    map[string]dynamic.Use // by name, in all pieces; made at the first use
	globals map[string]bool        // by name: see isGlobal
	lacks   *bool                  // see missing
}

// script checks the parts that are looked at of a file of JavaScript or TypeScript.
func (r *dynamicCheck) script(f *change) []edits.Finding {
	c := &scriptCheck{fileCheck: r.checkOf(f, dynamic.ScriptTokens), uses: map[string]dynamic.Use{}, globals: map[string]bool{}}
	c.t = dynamic.ScriptOf(f.Text, c.tokens)
	tags := f.lang == "typescriptreact" && (strings.Contains(f.Text, "</") || strings.Contains(f.Text, "/>"))
	c.typed = strings.HasPrefix(f.lang, "typescript") && !tags && !strings.Contains(filepath.Base(f.abs), ".d.")
	c.checkImports()
	for i, t := range c.t.Tokens {
		if !r.lookedUp(f, t) {
			continue
		}
		if len(c.found) >= r.mostFindings {
			r.verdict.addUnknown(beyondFindings(f, r.mostFindings))
			break
		}
		switch prev := c.t.Word(i - 1); {
		case prev == "." || prev == "?.":
			c.member(i)
		case c.t.Called(i) && !c.t.Declares(i), c.typed && c.t.ReadsValue(i) && !runtimeGlobals[c.t.Word(i)] && !standardGlobals()[c.t.Word(i)]:
			c.name(i)
		default:
			continue
		}
		if c.t.Word(c.t.Generics(i+1)) == "(" && !c.t.Declares(i) {
			c.call(i)
		}
	}
	return c.found
}

// use is how the file uses a name.
func (c *scriptCheck) use(name string) dynamic.Use {
	u, known := c.uses[name]
	if !known {
		for _, p := range c.self.pieces {
			u = u.And(p.uses[name], p.at)
		}
		c.uses[name] = u
	}
	return u
}

func (c *scriptCheck) report(i int, kind, severity, message, near, where string, inLibrary bool) {
	t := c.tokens[i]
	if !pardonedAbove(c.f.Text, t.Start) && !pardoned.MatchString(lineAround(c.f.Text, t.Start)) && !c.files.unread(c.f, t) {
		c.add(i, kind, severity, message, near, where, inLibrary)
	}
}

// resolve finds the file that an import of a file means.
func (r *dynamicCheck) resolve(fromFile, module string) deps.Place {
	return r.placed(fromFile, module, func() deps.Place { return r.locateScript(fromFile, module) })
}

func (r *dynamicCheck) locateScript(fromFile, module string) deps.Place {
	if query := strings.IndexByte(module, '?'); query >= 0 {
		module = module[:query]
	}
	if strings.Contains(module, "${") {
		return deps.Place{Status: deps.Unknown}
	}
	if strings.HasPrefix(module, ".") || strings.HasPrefix(module, "/") {
		at := filepath.Join(filepath.Dir(fromFile), filepath.FromSlash(module))
		if strings.HasPrefix(module, "/") {
			return deps.Place{Status: deps.Unknown}
		}
		if file, ok := deps.ScriptFile(at, r.fileExists); ok {
			return deps.Place{Status: deps.Found, File: file, Own: true}
		}
		if disk.IsFile(filepath.Join(at, "package.json")) || r.deps.Node.Replaces(at) || r.chosen(fromFile, at) {
			return deps.Place{Status: deps.Unknown}
		}
		return deps.Place{Status: deps.Missing, Own: true}
	}
	place := r.deps.Node.Module(fromFile, module, r.fileExists)
	if place.Status == deps.Found || place.Status == deps.Missing {
		return place
	}
	// A folder of the workspace that is called as the package may be it, and may be anything.
	ix, root, rel := r.ws.Index(fromFile)
	id, ok := ix.FileID(rel)
	if !ok {
		return place
	}
	files := index.Resolve(ix, id, language.Import{Path: module})
	alias := strings.ContainsAny(module[:1], "~#") || strings.HasPrefix(module, "@/")
	switch {
	case len(files) == 1 && alias:
		return deps.Place{Status: deps.Found, File: filepath.Join(root, filepath.FromSlash(ix.Path(files[0]))), Own: true}
	case len(files) > 0:
		return deps.Place{Status: deps.Unknown}
	}
	return place
}

// moduleOf reads the module at a place, when it is a script.
func (r *dynamicCheck) moduleOf(place deps.Place) *module {
	switch filepath.Ext(place.File) {
	case ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts":
		return r.module(place.File, place)
	}
	return nil
}

// exports reports whether a module exports a name, and whether that is known.
func (r *dynamicCheck) exports(m *module, name string) (has, known bool) {
	known = true
	for _, at := range r.reach(deps.Place{}, m) {
		switch {
		case at == nil:
			known = false
		case at.binds(name):
			return true, true
		case at.open, at.empty() && len(at.stars) == 0,
			name == "default" && !strings.HasSuffix(at.path, ".ts") && !strings.HasSuffix(at.path, ".tsx"):
			known = false
		}
	}
	return false, known
}

// exportedNames are all names that a module exports, as far as they can be
// determined.
func (r *dynamicCheck) exportedNames(m *module) (out []string) {
	for _, at := range r.reach(deps.Place{}, m) {
		if at != nil {
			out = append(out, at.names()...)
		}
	}
	return out
}

// exportedDefs are the definitions of an exported name, nil where they are
// not certain.
func (r *dynamicCheck) exportedDefs(m *module, name string, depth int) (*module, []language.Def) {
	if depth > 12 {
		return nil, nil
	}
	for _, at := range r.reach(deps.Place{}, m) {
		if at == nil {
			continue
		}
		for _, l := range at.links {
			if l.local != name || l.line == 0 {
				continue
			}
			if l.module == "" {
				return at, at.top(l.name)
			}
			if l.name == "*" {
				return nil, nil
			}
			return r.exportedDefs(r.moduleOf(r.resolve(at.path, l.module)), l.name, depth+1)
		}
		if list := at.top(name); len(list) > 0 {
			return at, list
		}
	}
	return nil, nil
}

// checkImports checks the new import and export statements.
func (c *scriptCheck) checkImports() {
	for _, im := range c.imports {
		if im.Module == "" || im.NameToken < 0 {
			continue
		}
		name, mod := c.t.Tokens[im.NameToken], c.t.Tokens[im.ModuleToken]
		before := name.Start // what stood between the tokens may have been taken out
		if im.NameToken > 0 {
			before = c.t.Tokens[im.NameToken-1].End
		}
		module := c.f.looks(edits.Span{Start: mod.Start, End: mod.End})
		if !module && !c.f.looks(edits.Span{Start: before, End: name.End}) {
			continue
		}
		place := c.files.resolve(c.f.abs, im.Module)
		switch place.Status {
		case deps.Missing, deps.NotRequired:
			if module && !im.Tried {
				c.missingScript(im, place)
			}
			continue
		case deps.Found:
		default:
			c.doubt(im.ModuleToken, doubtScript, unknownImport(im.Module, place))
			continue
		}
		m := c.files.moduleOf(place)
		if im.Name == "" || im.Name == "*" || m == nil {
			continue
		}
		if has, known := c.files.exports(m, im.Name); !has && known {
			near := nearest(im.Name, slices.Values(c.files.exportedNames(m)))
			c.report(im.NameToken, UnknownName, severityError, fmt.Sprintf("%s exports no %s", im.Module, im.Name), near, m.where(), m.library())
		}
	}
}

func (c *scriptCheck) missingScript(im dynamic.Import, place deps.Place) {
	if reason, why := c.mayExist(im.Module, place); reason != "" {
		c.doubt(im.ModuleToken, reason, "names of "+im.Module+": "+why)
		return
	}
	message, severity := "there is no module "+im.Module, severityError
	if place.Status == deps.NotRequired {
		message = "no package that package.json names provides " + im.Module
		if !c.files.deps.Node.Installed(c.f.abs) { // what the packages require may provide it
			severity = severityWarning
		}
	}
	near := ""
	if strings.HasPrefix(im.Module, ".") {
		dir, last := filepath.Split(filepath.FromSlash(im.Module))
		at := filepath.Join(filepath.Dir(c.f.abs), dir)
		var list []string
		for _, e := range c.files.deps.Entries(at) {
			if !c.files.shows(filepath.Join(at, e.Name())) {
				continue
			}
			name := e.Name()
			if !strings.Contains(last, ".") {
				name, _, _ = strings.Cut(name, ".")
			}
			list = append(list, name)
		}
		if n := nearest(last, slices.Values(list)); n != "" {
			near = strings.TrimSuffix(im.Module, last) + n
		}
	}
	c.report(im.ModuleToken, kindImport, severity, message, near, place.Where(), false)
}

// mayExist is why a module that is not found may be there, "" if nothing says so.
func (c *scriptCheck) mayExist(module string, place deps.Place) (reason, why string) {
	if place.Own {
		switch at := filepath.Join(filepath.Dir(c.f.abs), filepath.FromSlash(module)); {
		case generated(c.files.deps, []string{at}, "", ".ts", ".tsx", ".js", ".d.ts", ".json", "/index.ts", "/index.js"):
			return doubtOther, "git ignores it, so that a build may make it"
		case c.files.deps.Node.Overlaid(c.f.abs):
			return doubtOther, "tsconfig.json lays folders over one another, or extends a file that is not there"
		}
		return "", ""
	}
	if host := c.files.hostModule(c.f, module); host != "" {
		return doubtHost, host + " may give it"
	}
	if place.Status != deps.NotRequired {
		return "", ""
	}
	switch {
	case c.importedElsewhere(module), c.files.proposal.declares(deps.PackageOf(module)):
		return doubtScript, "it is not installed"
	case c.f.stage == Standing && !c.files.deps.Node.Installed(c.f.abs):
		return doubtScript, "the packages of package.json are not installed"
	}
	return "", ""
}

// importedElsewhere reports whether a file imports a module without the change, or the
// package.json of another folder names its package: what one of several packages requires
// is mostly installed for all.
func (c *scriptCheck) importedElsewhere(module string) bool {
	ix, root, own := c.files.ws.Index(c.f.abs)
	imports := func(id index.FileID) bool {
		return ix.Path(id) != own && !c.files.proposal.has(root, ix.Path(id)) && slices.ContainsFunc(ix.Imports(id), func(o language.Import) bool { return o.Path == module })
	}
	imported := func(other *change) bool {
		text := other.vouching()
		return strings.Contains(text, `"`+module+`"`) || strings.Contains(text, "'"+module+"'")
	}
	names := func(id index.FileID) bool {
		return c.files.deps.Node.Requires(filepath.Join(root, filepath.FromSlash(path.Dir(ix.Path(id)))), module)
	}
	if c.f.stage != Standing && imported(c.f) || c.files.proposal.other(c.f, module, imported) {
		return true
	}
	return slices.ContainsFunc(ix.Files(), imports) || slices.ContainsFunc(ix.Named("package.json"), names)
}

// imported is the import that binds a name, if it is the only thing that does.
func (c *scriptCheck) imported(name string) (dynamic.Import, bool) {
	for _, im := range c.imports {
		if im.Local == name && !im.Export {
			return im, true
		}
	}
	return dynamic.Import{}, false
}

// needs reports whether a text uses a name that nothing in it declares there, and does not ask
// whether there is one.
func needs(names *dynamic.File, name string) bool {
	return slices.ContainsFunc(names.Of(name), func(o dynamic.Occurrence) bool {
		return o.Role == dynamic.Reference && o.Binding == nil && names.Word(names.Token(o.Start)-1) != "typeof"
	})
}

// reference is the name at i in the window, as a reference.
func (c *scriptCheck) reference(i int) dynamic.Occurrence {
	if c.names == nil {
		c.names = c.t.File(c.f.lang)
	}
	o, _ := c.names.At(c.t.Tokens[i].Start)
	return o
}

// declares reports whether the file may declare the name at i so that it is known there.
func (c *scriptCheck) declares(i int) bool {
	name := c.t.Word(i)
	for _, d := range c.self.defs(name) {
		switch {
		case d.Local:
			if !c.typed {
				return true
			}
		case d.Container == "", d.Kind == language.KindFunc:
			return true
		}
	}
	if c.typed {
		return c.use(name).MayBeKnown(c.t.Tokens[i].Start) || c.t.InNamespace(i)
	}
	return c.use(name).Plain || c.use(name).MayBeDeclared()
}

// name checks a plain name that is called or read.
func (c *scriptCheck) name(i int) {
	name := c.t.Word(i)
	if strings.HasPrefix(name, "#") || c.declares(i) {
		return
	}
	if dynamic.ScriptKeyword(name) {
		if used := strings.Contains(".(", c.t.Word(i+1)); !used || dynamic.Reserved(name) || !c.withdrew(name) {
			return
		}
	}
	if inTags(c.f.lang, lineBefore(c.f.Text, c.t.Tokens[i].Start)) {
		return
	}
	if c.withdrew(name) {
		c.report(i, UnknownName, severityError, name+" is declared nowhere in the file and not imported", "", "", false)
		return
	}
	if c.isGlobal(name) {
		return
	}
	node := c.files.deps.Node
	if open := !node.Installed(c.f.abs) || node.ProvidesGlobals(c.f.abs); open || c.ofPage() || c.mayBeOfTool(name) {
		c.doubt(i, doubtScript, name+": packages that may declare it everywhere are not installed or tell no names")
		return
	}
	if host := c.files.hostName(c.f, name); host != "" {
		c.doubt(i, doubtHost, fmt.Sprintf("%s: %s may give it", name, host))
		return
	}
	near, where := nearest(name, maps.Keys(c.ownNames())), ""
	if near == "" {
		near, where = c.files.suggest(c.f, name, atTop)
	} else if len(c.self.top(near)) > 0 {
		where = c.self.at(c.self.top(near)[0])
	}
	c.report(i, UnknownName, severityError, name+" is declared nowhere in the file and not imported", near, where, false)
}

// givenByTools are names that tests and tags have without an import, where a tool is told so.
var givenByTools = terms.Set("describe context it test suite bench expect assert vi jest mock cy beforeEach afterEach beforeAll afterAll before after React h")

// withdrew reports whether the change takes away what declares a name in its own file. Nothing else
// does then, unless a tool imports by itself what a file lacks.
func (c *scriptCheck) withdrew(name string) bool {
	if c.f.stage != Finished || c.f.Was == "" || c.f.Was == c.f.Text {
		return false
	}
	if standardGlobals()[name] || c.calledInChange(name) {
		return false
	}
	if given, _ := c.files.someUser(c.f, name, c.callsUnchanged(name)); given { // of many files one would show it
		return false
	}
	was := c.before()
	imported := slices.IndexFunc(was.links, func(l link) bool { return l.local == name && l.module != "" })
	switch {
	case imported < 0 && len(was.top(name)) == 0:
		return false
	case givenByTools[name] && (imported < 0 || !c.importsTests(was.links[imported].module)):
		return false
	}
	_, root, _ := c.files.ws.Index(c.f.abs)
	manifest, err := c.files.deps.ReadFile(c.files.around(root, c.f.abs, []string{"package.json"}), maxModule)
	return err != nil || !importing.Match(manifest)
}

// importing is what a manifest requires that imports what a file lacks.
var importing = regexp.MustCompile(`auto-import|"nuxt3?"|"unimport"|"@nuxt/`)

func (c *scriptCheck) ownNames() map[string]bool {
	out := map[string]bool{}
	for d := range c.self.all() {
		if d.Container == "" || d.Local {
			out[d.Name] = true
		}
	}
	for _, im := range c.imports {
		out[im.Local] = true
	}
	return out
}

// inTags reports whether a name behind the beginning of a line may be a word of text between tags.
func inTags(lang, line string) bool {
	tags := strings.HasSuffix(lang, "react") || strings.HasPrefix(lang, "javascript")
	code := strings.Contains(line, "=>") || strings.Contains(line, "{")
	return tags && !code && strings.Contains(line, ">")
}

// runtimeGlobals are values of the runtimes beside browsers, whose types a project may lack.
var runtimeGlobals = terms.Set("process Buffer global __dirname __filename module exports Bun Deno")

// explicit are the modules of test runners whose tests import all that they use.
var explicit = terms.Set("ava tape tap uvu zora brittle poku node:test @japa/runner @playwright/test @std/testing/bdd")

// importsTests reports whether a file that imports a name from a test runner's module has it from
// nowhere else. Vitest gives it to all files only where it is configured to.
func (c *scriptCheck) importsTests(module string) bool {
	if module != "vitest" {
		return explicit[module]
	}
	ix, _, _ := c.files.ws.Index(c.f.abs)
	return !slices.ContainsFunc(ix.Users("globals"), func(id index.FileID) bool { return strings.Contains(path.Base(ix.Path(id)), "config") })
}
