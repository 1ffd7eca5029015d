package names

import (
	"cmp"
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
	"tandem/workspace/language"
)

// A pyCheck is the check of one Python file.
type pyCheck struct {
	fileCheck
	p         dynamic.Python               // of the window
	importing []bool                       // by token: whether it is part of an import statement
	starred   map[string]int               // names of modules of which the file has every name, and of how many
	names     *dynamic.File                // of the window, made at the first use
	values    map[*dynamic.Binding]pyValue // what local variables hold
	tops      map[string]bool              // see libraries
	complete  bool
}

// mostFindings bounds what is found in one file: somebody who reads so many knows enough, and
// a finding costs as much as its statement is long.
const mostFindings = 150

func beyondFindings(f *change, most int) string {
	return fmt.Sprintf("names in %s behind its first %d findings are not judged", f.Path, most)
}

// python checks the parts of a Python file that are looked at.
func (r *dynamicCheck) python(f *change) []edits.Finding {
	if conditional.MatchString(f.Text) {
		r.verdict.addUnknown("names in " + f.Path + " are not judged: its tests may be skipped")
		return nil
	}
	c := &pyCheck{fileCheck: r.checkOf(f, dynamic.PythonTokens), starred: map[string]int{}, values: map[*dynamic.Binding]pyValue{}}
	c.p = dynamic.PythonOf(f.Text, c.tokens)
	c.importing = c.p.Importing()
	starred := c.checkImports()
	for i := range c.p.Tokens {
		t := c.p.Tokens[i]
		if !c.p.IsName(i) || !r.lookedUp(f, t) {
			continue
		}
		if len(c.found) >= r.mostFindings {
			r.verdict.addUnknown(beyondFindings(f, r.mostFindings))
			break
		}
		if c.p.Word(i-1) == "." {
			c.attribute(i)
		} else if !starred {
			c.name(i)
		}
		if c.p.Word(i+1) == "(" {
			c.call(i)
		}
	}
	return c.found
}

func (c *pyCheck) report(i int, kind, severity, message, near, where string, inLibrary bool) {
	if !guardedPython(c.f.Text, c.p.Word(i), c.tokens[i].Start, c.p.StatementEnd(i)) && !c.files.unread(c.f, c.tokens[i]) {
		c.add(i, kind, severity, message, near, where, inLibrary)
	}
}

// binds counts how often the file binds a name.
func (c *pyCheck) binds(name string) (count int) {
	for _, p := range c.self.pieces {
		count += p.python.Names[name]
	}
	return count + c.starred[name]
}

// outer reports whether the file binds a name outside of all functions, or by global.
func (m *module) outer(name string) bool {
	return slices.ContainsFunc(m.pieces, func(p piece) bool { return p.python.Outer[name] })
}

// ownNames are the names that the file binds.
func (c *pyCheck) ownNames(yield func(string) bool) {
	for _, p := range c.self.pieces {
		for name := range p.python.Names {
			if !yield(name) {
				return
			}
		}
	}
	for name := range c.starred {
		if !yield(name) {
			return
		}
	}
}

// addsNames are the marks of code that gives its module names which no
// statement binds.
var addsNames = []string{"globals()", "global_enum", "_convert_(", "sys.modules[", "LazyModule"}

// pythonFacts are the facts of a Python text, or of a piece of one.
func pythonFacts(scan *language.FileScan, text string) (*facts, []language.Token) {
	f, p := factsOf(scan), dynamic.ReadPython(text)
	b := p.Bindings()
	f.python, f.imports, f.begins, f.ends = b, b.Imports, p.Begins(), p.Ends()
	for _, d := range scan.Defs {
		if atTop(d) {
			f.bound[d.Name] = true
		}
	}
	for name := range b.Top {
		f.bound[name] = true
	}
	f.open = b.Dynamic || f.bound["__getattr__"] || slices.ContainsFunc(addsNames, func(s string) bool { return strings.Contains(text, s) })
	for _, im := range b.Imports {
		if im.Name == "*" {
			f.stars = append(f.stars, im.Module)
			continue
		}
		if im.Depth > 0 {
			continue
		}
		target := im.Module
		if im.Name == "" && im.Local != im.Module {
			if !strings.HasPrefix(im.Module, im.Local+".") {
				f.links = append(f.links, link{im.Local, target, "", 0})
				continue
			}
			target = im.Local
		}
		f.links = append(f.links, link{im.Local, target, im.Name, 0})
	}
	return f, p.Tokens
}

// findPython resolves a module by the name that a file uses.
func (r *dynamicCheck) findPython(fromFile, dotted string) deps.Place {
	return r.placed(fromFile, dotted, func() deps.Place { return r.locatePython(fromFile, dotted) })
}

func (r *dynamicCheck) locatePython(fromFile, dotted string) deps.Place {
	_, root, _ := r.ws.Index(fromFile)
	if strings.HasPrefix(dotted, ".") {
		at := candidates(root, fromFile, dotted)[0]
		if place, ok := deps.PythonFile(at, r.fileExists); ok {
			place.Status, place.Own = deps.Found, true
			return place
		}
		if disk.IsDir(at) {
			return deps.Place{Status: deps.Found, Dir: at, Own: true}
		}
		if r.variants(at) {
			return deps.Place{Status: deps.Unknown} // written in another language
		}
		return deps.Place{Status: deps.Missing, Own: true}
	}
	place := r.deps.Python.Module(root, dotted, ownRoots(root, fromFile), r.fileExists)
	if place.Own && place.Status == deps.Found {
		place.Partial = place.Partial || namesake(root, fromFile, dotted, place)
	}
	return place
}

// namesake reports whether a module of the workspace may only be called as a library that is
// meant: a folder that holds the file which imports it, and is no package of the workspace's
// own roots.
func namesake(root, fromFile, dotted string, place deps.Place) bool {
	at := cmp.Or(place.Dir, place.File)
	for range strings.Count(dotted, ".") {
		at = filepath.Dir(at)
	}
	if _, inside := disk.Below(at, fromFile); !inside {
		return false
	}
	parent := filepath.Dir(at)
	rooted := parent == root || parent == filepath.Join(root, "src") || parent == filepath.Join(root, "lib")
	return !rooted || !disk.IsFile(filepath.Join(at, "__init__.py"))
}

// ownRoots are the folders from which a workspace's own modules are imported:
// the outermost folders that are not packages, those above the file first.
func ownRoots(root, fromFile string) []string {
	var out []string
	for dir := filepath.Dir(fromFile); ; dir = filepath.Dir(dir) {
		if !disk.IsFile(filepath.Join(dir, "__init__.py")) {
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

// checkImports checks the import statements; it reports whether names may come from
// a module that cannot be read.
func (c *pyCheck) checkImports() (starred bool) {
	starred = slices.ContainsFunc(c.self.pieces, func(p piece) bool { return p.python.Dynamic })
	for _, im := range c.imports {
		looked := im.NameToken >= 0 && c.f.looks(edits.Span{Start: c.p.Tokens[im.ModuleToken].Start, End: c.p.Tokens[im.NameToken].End})
		if !looked && im.Name != "*" {
			continue
		}
		place := c.files.findPython(c.f.abs, im.Module)
		var m *module
		if place.File != "" && im.Name != "" {
			m = c.files.module(place.File, place)
		}
		if im.Name == "*" && !c.addStar(place, m) {
			starred = true
		}
		if !looked {
			continue
		}
		switch {
		case place.Status == deps.Missing || place.Status == deps.NotRequired:
			c.missingModule(im, place)
		case place.Status != deps.Found:
			c.doubt(im.NameToken, doubtPython, fmt.Sprintf("names of %s: it is not installed", im.Module))
		case im.Name != "" && im.Name != "*" && !im.Tried:
			c.importedName(im, place, m)
		}
	}
	return starred
}

// addStar binds all names of a module; it is false where they are not known.
func (c *pyCheck) addStar(place deps.Place, m *module) bool {
	for _, at := range c.files.reach(place, m) {
		if at == nil || at.open {
			return false
		}
		for name := range at.bound() {
			c.starred[name]++
		}
	}
	return true
}

// pythonEndings are those of files that may be a module.
var pythonEndings = []string{".py", ".pyi", "/__init__.py"}

func (c *pyCheck) missingModule(im dynamic.Import, place deps.Place) {
	top, _, _ := strings.Cut(im.Module, ".")
	_, root, _ := c.files.ws.Index(c.f.abs)
	paths := candidates(root, c.f.abs, im.Module)
	if place.Status == deps.NotRequired && c.files.proposal.deletes(paths, pythonEndings...) {
		place = deps.Place{Status: deps.Missing, Own: true}
	}
	start := c.p.Tokens[im.ModuleToken].Start
	told := slices.ContainsFunc(c.found, func(f edits.Finding) bool { return f.Span.Start == start }) // of another name of the same statement
	if told || im.Tried || c.bindsModule(c.f.abs, im.Module) {
		return
	}
	if reason, why := c.mayExist(im, place, top, paths); reason != "" {
		c.doubt(im.ModuleToken, reason, "names of "+im.Module+": "+why)
		return
	}
	message, severity := "there is no module "+im.Module, severityError
	if place.Status == deps.NotRequired {
		if !pythonInstalled(c.files, c.f.abs) || len(c.files.proposal.manifests) > 0 {
			severity = severityWarning
		}
		message = fmt.Sprintf("no module %s is in the workspace, the standard library or the packages installed", im.Module)
	}
	last := im.ModuleToken
	for last+1 < len(c.tokens) && c.tokens[last+1].End <= start+len(im.Module) {
		last++
	}
	c.report(last, kindImport, severity, message, c.nearestModule(im.Module), place.Where(), false)
	if n := len(c.found); n > 0 && c.found[n-1].Kind == kindImport {
		c.found[n-1].Name = im.Module
		c.found[n-1].Span.Start = start
	}
}

// mayExist is why a module that is not found may be there, "" if nothing says so.
func (c *pyCheck) mayExist(im dynamic.Import, place deps.Place, top string, paths []string) (reason, why string) {
	if place.Own {
		if c.files.makes(c.f.abs, im.Module, paths) {
			return doubtOther, "a build may make it"
		}
		return "", ""
	}
	if place.Status == deps.Missing {
		if c.f.stage == Standing && im.Depth > 0 {
			return doubtPython, "another version of it may have it"
		}
		return "", ""
	}
	if c.files.proposal.uses(c.files.ws, c.f, top) || c.f.had(top) || c.files.proposal.declares(top) {
		return doubtPython, "it is not installed"
	}
	if host := c.files.hostModule(c.f, top); host != "" {
		return doubtHost, host + " may give it"
	}
	switch {
	case inString(c.f.Text, top):
		return doubtPython, "the file names it in a string"
	case c.files.anyCalled(top):
		return doubtPython, "a folder or file of the workspace that is called so may be on the path"
	case c.f.stage == Standing && (im.Depth > 0 || !pythonInstalled(c.files, c.f.abs)):
		return doubtPython, "it is not installed"
	}
	return "", ""
}

// anyCalled reports whether a folder or a module of the workspace has a name.
func (r *dynamicCheck) anyCalled(name string) bool {
	if r.once.called == nil {
		r.once.called = map[string]bool{}
		for _, ix := range r.ws.Indexes() {
			for _, id := range ix.Files() {
				folders, file := path.Split(ix.Path(id))
				if module, ok := strings.CutSuffix(file, ".py"); ok {
					r.once.called[module] = true
				}
				for folder := range strings.SplitSeq(folders, "/") {
					r.once.called[folder] = true
				}
			}
		}
	}
	return r.once.called[name]
}

// nearestModule is the most similar sibling of a module that does not exist.
func (c *pyCheck) nearestModule(dotted string) string {
	cut := strings.LastIndexByte(dotted, '.')
	parent, last := dotted[:max(cut, 0)], dotted[cut+1:]
	if cut >= 0 && strings.Trim(parent, ".") == "" {
		parent = dotted[:cut+1]
	}
	var list []string
	if parent != "" {
		if place := c.files.findPython(c.f.abs, parent); place.Dir != "" {
			list = c.files.modulesIn(place.Dir)
		}
	} else {
		_, root, _ := c.files.ws.Index(c.f.abs)
		list = c.files.modulesIn(root)
		if env := c.files.deps.Python.Env(root); env != nil {
			list = append(list, c.files.modulesIn(env.Lib)...)
			for _, site := range env.Sites {
				list = append(list, c.files.modulesIn(site)...)
			}
		}
	}
	if n := nearest(last, slices.Values(list)); n != "" {
		return strings.TrimSuffix(dotted, last) + n
	}
	return ""
}

// modulesIn are the modules in a folder that may be named.
func (c *dynamicCheck) modulesIn(dir string) []string {
	if known, ok := c.once.listed[dir]; ok {
		return known
	}
	var out []string
	for _, e := range c.deps.Entries(dir) {
		name := e.Name()
		if !c.shows(filepath.Join(dir, name)) {
			continue
		}
		if base, ok := strings.CutSuffix(name, ".py"); ok && base != "__init__" {
			out = append(out, base)
		} else if !strings.Contains(name, ".") && !strings.HasPrefix(name, "_") {
			out = append(out, name)
		}
	}
	c.once.listed[dir] = slices.Clip(out) // callers add to it
	return c.once.listed[dir]
}

// importedName checks a name that is imported from a module.
func (c *pyCheck) importedName(im dynamic.Import, place deps.Place, m *module) {
	has, known := c.files.moduleHas(place, m, im.Name)
	if has {
		return
	}
	if !known {
		c.computedName(im, place, m)
		return
	}
	if place.Own && place.Dir != "" && c.files.makes(c.f.abs, im.Name, []string{filepath.Join(place.Dir, im.Name)}) {
		c.doubt(im.NameToken, doubtOther, fmt.Sprintf("names of %s: a build may make it", im.Name))
		return
	}
	if m == nil && place.Names == "" || place.Partial {
		c.missingPart(im, place)
		return
	}
	near, where := nearIn(place, m, im.Name)
	c.report(im.NameToken, UnknownName, severityError, fmt.Sprintf("module %s has no %s", im.Module, im.Name), near, where, ofLibrary(place.Where()) || m.library())
}

// computedName is for a name that a module may give when it is asked. If it compares what it is
// asked for with names, these stand in its code.
func (c *pyCheck) computedName(im dynamic.Import, place deps.Place, m *module) {
	if m == nil || !c.files.namesAll(place, m) || c.memberKnown(im.NameToken) {
		c.doubt(im.NameToken, doubtOther, fmt.Sprintf("names of %s: not all of them can be read", im.Module))
		return
	}
	near, where := nearIn(place, m, im.Name)
	c.report(im.NameToken, UnknownName, severityWarning, fmt.Sprintf("module %s has no %s, and its __getattr__ names none", im.Module, im.Name), near, where, false)
}

// getattr is the function of a module that is asked for the names which it does not bind.
var getattr = regexp.MustCompile(`(?m)^def __getattr__\(\s*(\w+).*\n((?:(?:[ \t].*)?\n)*)`)

// namesAll reports whether a module, and those that it has all names of, show every name that they
// have: none makes names otherwise than by a __getattr__ that compares.
func (r *dynamicCheck) namesAll(place deps.Place, m *module) bool {
	for _, at := range r.reach(place, m) {
		if at == nil || at.open && !at.compares() {
			return false
		}
	}
	return true
}

// compares reports whether a module is open by a __getattr__ alone that compares what it is asked for.
func (m *module) compares() bool {
	makes := func(p piece) bool { return p.python.Dynamic }
	found := getattr.FindStringSubmatch(m.text)
	if found == nil || slices.ContainsFunc(m.pieces, makes) || slices.ContainsFunc(addsNames, func(s string) bool { return strings.Contains(m.text, s) }) {
		return false
	}
	return anyWord(found[2], found[1], func(_, after string) bool {
		rest := strings.TrimLeft(after, " ")
		return strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, "in ") || strings.HasPrefix(rest, "not in ")
	})
}

// missingPart is for a name that is imported from a folder without __init__ and
// is no module in it. Such a folder is one part of a package whose other parts
// may be in any place that Python searches.
func (c *pyCheck) missingPart(im dynamic.Import, place deps.Place) {
	if place.Partial {
		c.doubt(im.NameToken, doubtPython, fmt.Sprintf("names of %s: it is not installed", im.Module))
		return
	}
	near := nearest(im.Name, slices.Values(c.files.modulesIn(place.Dir)))
	c.report(im.NameToken, UnknownName, severityError, fmt.Sprintf("package %s has no module %s", im.Module, im.Name), near, "", false)
}

func (m *module) whereOf(name string) string {
	if d := m.top(name); len(d) > 0 {
		return m.at(d[0])
	}
	return m.where()
}

// names are the names of a module that a finding may tell.
func (m *module) names() []string {
	if m.private() {
		return nil
	}
	return keysOf(m.bound())
}

func keysOf(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }

// moduleHas reports whether a module has a name, and whether that is known.
func (r *dynamicCheck) moduleHas(place deps.Place, m *module, name string) (has, known bool) {
	known = true
	for place, at := range r.reach(place, m) {
		if place.Dir != "" {
			part := filepath.Join(place.Dir, name)
			if _, ok := deps.PythonFile(part, r.fileExists); ok || disk.IsDir(part) || r.variants(part) {
				return true, true
			}
		}
		switch {
		case at == nil:
			known = known && place.Dir != "" && place.File == ""
		case at.binds(name), strings.HasPrefix(name, "__"), at.open && quoted(at.text, name) && at.compares():
			return true, true
		case at.open, strings.HasSuffix(at.path, ".pyi") && (name[0] == '_' || place.Standard && r.pythonMentions(name)):
			known = false // stubs omit private names, and may be outdated
		}
	}
	if public := name[0] != '_' && name != strings.ToUpper(name); public && !known && place.Names != "" { // constants differ by platform
		return deps.StandardNames(place.Names)[name], true
	}
	return false, known
}

// name checks a plain name.
func (c *pyCheck) name(i int) {
	name := c.p.Word(i)
	bound := c.starred[name] > 0 || c.self.outer(name) || c.binding(i) != nil
	if word := dynamic.PythonBuiltin(name) || c.p.IsKeyword(i); bound || word || c.importing[i] {
		return
	}
	if host := c.files.hostName(c.f, name); host != "" {
		c.doubt(i, doubtHost, fmt.Sprintf("%s: %s may give it", name, host))
		return
	}
	message := " is bound nowhere in the file"
	if c.withdrew(name) && !pardonsNames(lineAround(c.f.Text, c.tokens[i].Start)) {
		c.add(i, UnknownName, severityError, name+message, "", "", false)
		return
	}
	if c.binds(name) > 0 {
		message = " is bound in other functions alone"
	}
	near := nearest(name, c.ownNames)
	where := ""
	if near != "" {
		where = c.self.whereOf(near)
	} else {
		near, where = c.files.suggest(c.f, name, atTop)
	}
	c.report(i, UnknownName, severityError, name+message, near, where, false)
}

// withdrew reports whether the change takes away what binds a name in its own file. Then it is bound
// nowhere, whatever the code that uses it depends on.
func (c *pyCheck) withdrew(name string) bool {
	return c.f.stage == Finished && hasWord(c.f.Was, name) && c.binds(name) == 0 && c.before().outer(name)
}

// pythonInstalled reports whether most imports of packages that the workspace has without the change
// find them installed: then its environment is the one that runs it.
func pythonInstalled(c *dynamicCheck, from string) bool {
	ix, root, _ := c.ws.Index(from)
	if known, ok := c.once.installed[root]; ok {
		return known
	}
	found, lacking := 0, 0
	for _, id := range ix.Files() {
		if ix.Language(id) != "python" || c.proposal.has(root, ix.Path(id)) {
			continue
		}
		for _, im := range ix.Imports(id) {
			top, _, _ := strings.Cut(im.Path, ".")
			if top == "" {
				continue
			}
			place := c.findPython(filepath.Join(root, filepath.FromSlash(ix.Path(id))), top)
			switch {
			case place.Status != deps.Found && place.Instead == "":
				lacking++
			case !place.Own && !place.Standard:
				found++
			}
		}
	}
	c.once.installed[root] = found >= lacking
	return c.once.installed[root]
}

// candidates are the paths, without an ending, at which a module of the workspace may be.
func candidates(root, fromFile, dotted string) (out []string) {
	rest := strings.TrimLeft(dotted, ".")
	parts := filepath.FromSlash(strings.ReplaceAll(rest, ".", "/"))
	if dots := len(dotted) - len(rest); dots > 0 {
		return []string{filepath.Join(filepath.Dir(fromFile), strings.Repeat("../", dots-1), parts)}
	}
	for _, dir := range ownRoots(root, fromFile) {
		out = append(out, filepath.Join(dir, parts))
	}
	return out
}

// bindsModule reports whether a module that is no file may be a name of the nearest one above it that
// is: os.path is such a module, and six.moves.
func (c *pyCheck) bindsModule(from, dotted string) bool {
	for cut := strings.LastIndexByte(dotted, '.'); cut > 0; cut = strings.LastIndexByte(dotted[:cut], '.') {
		if place := c.files.findPython(from, dotted[:cut]); place.File != "" {
			m := c.files.module(place.File, place)
			return m != nil && (m.open || m.binds(dotted[strings.LastIndexByte(dotted, '.')+1:]))
		}
	}
	return false
}
