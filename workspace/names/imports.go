package names

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/disk"
	"tandem/workspace/dynamic"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// Imports returns the edits on a text that add the imports which findings in it lack, where
// there is exactly one candidate for each.
func (n *Names) Imports(f File, found []edits.Finding) []edits.Edit {
	var out []edits.Edit
	done := map[string]bool{}
	for _, one := range found {
		if one.Path != f.Path || one.Kind != UnknownName || done[one.Name] {
			continue
		}
		done[one.Name] = true
		if e, ok := n.importFor(f, one); ok {
			out = append(out, e)
		}
	}
	return merged(out)
}

// merged joins insertions at the same offset, in order.
func merged(list []edits.Edit) []edits.Edit {
	slices.SortStableFunc(list, func(a, b edits.Edit) int { return cmp.Or(a.Start-b.Start, strings.Compare(a.New, b.New)) })
	var out []edits.Edit
	for _, e := range list {
		if k := len(out) - 1; k >= 0 && out[k].Span == e.Span {
			if out[k].New != e.New {
				out[k].New += e.New
			}
			continue
		}
		out = append(out, e)
	}
	return out
}

// An unbound is a name of a file that an import may bind.
type unbound struct {
	*Names
	text, name string
	member     string // behind a dot that follows the name; "" if none does
	family     string
	ix         *index.Index
	root, rel  string // the file's workspace folder, and its path in it
	abs        string
}

// importFor is the edit that imports an unknown name.
func (n *Names) importFor(f File, one edits.Finding) (edits.Edit, bool) {
	if strings.HasSuffix(f.Text[:one.Span.Start], ".") { // a member is not imported
		return edits.Edit{}, false
	}
	u := unbound{Names: n, text: f.Text, name: one.Name, family: family(language.OfFile(path.Base(f.Path))), abs: n.ws.Abs(f.Path)}
	u.ix, u.root, u.rel = n.ws.Index(u.abs)
	if at := one.Span.End; strings.HasPrefix(f.Text[at:], ".") {
		u.member = f.Text[at+1 : wordAt(f.Text, at+1).End]
	}
	switch u.family {
	case "go":
		return u.golang()
	case "python":
		return u.python()
	case "script":
		return u.script()
	}
	return edits.Edit{}, false
}

func (u unbound) golang() (edits.Edit, bool) {
	if u.member == "" {
		return edits.Edit{}, false
	}
	candidates := u.c.golang.importCandidates(u.ws, u.abs, u.text, u.name, u.member)
	if len(candidates) != 1 { // several packages of the name, or one that is not on the disk
		return u.asOthers()
	}
	return addGoImport(u.text, candidates[0])
}

// providers are the files of the workspace that define the name at their top.
func (u unbound) providers() (files []string) {
	for _, d := range u.ix.Lookup(u.name) {
		at := u.ix.Path(d.File)
		if d.Container != "" || !d.Exported || d.Local {
			continue
		}
		if at == u.rel || family(u.ix.Language(d.File)) != u.family || strings.HasSuffix(at, ".d.ts") {
			continue
		}
		if !slices.Contains(files, at) {
			files = append(files, at)
		}
	}
	return files
}

func (u unbound) python() (edits.Edit, bool) {
	if e, ok := u.asOthers(); ok {
		return e, true
	}
	files := u.providers()
	if u.member == "" {
		if len(files) != 1 {
			return edits.Edit{}, false
		}
		return addPythonImport(u.text, "from "+pythonModuleName(u.root, files[0], u.rel)+" import "+u.name), true
	}
	env := u.c.options.Deps.Python.Env(u.root)
	if env == nil || len(files) > 0 {
		return edits.Edit{}, false
	}
	place := u.c.options.Deps.Python.Module(u.root, u.name, nil, disk.IsFile)
	return addPythonImport(u.text, "import "+u.name), place.Status == deps.Found && place.Standard
}

// pythonModuleName is the module name by which one file of the workspace
// imports another.
func pythonModuleName(root, file, from string) string {
	file = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(file, "i"), ".py"), "/__init__")
	if rest, ok := strings.CutPrefix(file, "src/"); ok && !disk.IsFile(filepath.Join(root, "src", "__init__.py")) {
		file = rest
	}
	if dir := path.Dir(from); dir != "." && path.Dir(file) == dir && !disk.IsFile(filepath.Join(root, filepath.FromSlash(dir), "__init__.py")) {
		file = path.Base(file)
	}
	return strings.ReplaceAll(file, "/", ".")
}

// addPythonImport adds an import line to the block of imports at the top,
// sorted among those of its own kind, or its name to the import of its module.
func addPythonImport(text, line string) edits.Edit {
	p := dynamic.ReadPython(text)
	if e, ok := intoImport(p, text, line); ok {
		return e
	}
	kind, _, _ := strings.Cut(line, " ")
	at, start, seen := -1, 0, false
	for i := range p.Tokens {
		if p.Tokens[i].Kind != language.Newline {
			continue
		}
		if head := p.Word(start); head == "import" || head == "from" {
			begin := strings.LastIndexByte(text[:p.Tokens[start].Start], '\n') + 1
			end := lineEnd(text, p.Tokens[i].End)
			later := head == kind && strings.TrimSpace(text[begin:end]) > line
			if later && !seen && p.Word(start+1) != "__future__" {
				return insertion(begin, line+"\n")
			}
			seen = seen || later
			at = end
		} else if at >= 0 || start > 0 || p.Tokens[start].Kind != language.String {
			break
		}
		start = i + 1
	}
	if at >= 0 {
		return insertion(at, "\n"+line)
	}
	return insertion(0, line+"\n")
}

// intoImport adds the name of an import line to a line at the start of which the text imports
// others of the same module, in their order.
func intoImport(p dynamic.Python, text, line string) (edits.Edit, bool) {
	head, name, ok := strings.Cut(line, " import ")
	if !ok || !strings.HasPrefix(head, "from ") {
		return edits.Edit{}, false
	}
	start := 0
	for i := range p.Tokens {
		if p.Tokens[i].Kind != language.Newline {
			continue
		}
		begin, end := p.Tokens[start].Start, p.Tokens[i].Start
		first := start == 0 || begin == 0 || text[begin-1] == '\n'
		start = i + 1
		own, list, ok := strings.Cut(strings.TrimRight(text[begin:end], " \t\r"), " import ")
		if same := ok && own == head && first; !same || strings.ContainsAny(list, "(*\\#\n;") {
			continue
		}
		names := strings.Split(list, ", ")
		at := begin + len(own) + len(" import ")
		for _, other := range names {
			if slices.IsSorted(names) && name < other {
				return insertion(at, name+", "), true
			}
			at += len(other) + len(", ")
		}
		return insertion(at-len(", "), ", "+name), true
	}
	return edits.Edit{}, false
}

func (u unbound) script() (edits.Edit, bool) {
	if e, ok := u.asOthers(); ok {
		return e, true
	}
	files := u.providers()
	if len(files) > 0 {
		own := packageOf(u.ix, u.rel, u.family) // another one is not imported by a path
		files = slices.DeleteFunc(files, func(at string) bool { return packageOf(u.ix, at, u.family) != own })
	}
	if len(files) != 1 {
		return edits.Edit{}, false
	}
	return addScriptImport(u.text, u.name, scriptSpecifier(u.text, u.rel, files[0])), true
}

// scriptSpecifier is the import path by which one file of the workspace imports
// another, in the style of the file's other imports.
func scriptSpecifier(text, from, to string) string {
	rel, err := filepath.Rel(filepath.FromSlash(path.Dir(from)), filepath.FromSlash(to))
	if err != nil {
		return to
	}
	spec := filepath.ToSlash(rel)
	if !strings.HasPrefix(spec, ".") {
		spec = "./" + spec
	}
	ext := path.Ext(spec)
	base := strings.TrimSuffix(spec, ext)
	for _, im := range dynamic.ReadScript(text).Imports() {
		if strings.HasPrefix(im.Module, ".") {
			switch path.Ext(im.Module) {
			case ".js", ".mjs":
				return base + ".js"
			case ".ts", ".tsx":
				return spec
			}
			break
		}
	}
	return strings.TrimSuffix(base, "/index")
}

// addScriptImport adds a name to the import of its module, or an import after
// the others, with the file's quotes and semicolons.
func addScriptImport(text, name, module string) edits.Edit {
	t := dynamic.ReadScript(text)
	for _, im := range t.Imports() {
		list := t.Word(im.ModuleToken-2) == "}" && t.Word(im.ModuleToken-1) == "from"
		if im.Export || im.Module != module || !list {
			continue
		}
		if typesOnly(t, im) && usedAsValue(text, name) {
			continue
		}
		at := t.Tokens[im.ModuleToken-3].End
		if t.Word(im.ModuleToken-3) == "," {
			return insertion(at, " "+name)
		}
		return insertion(at, ", "+name)
	}
	return addScriptLine(text, "{ "+name+" }", module)
}

// typesOnly reports whether an import is one of types: no value can be imported by it.
func typesOnly(t dynamic.Script, im dynamic.Import) bool {
	i := im.ModuleToken - 1
	for i > 0 && t.Word(i) != "import" {
		i--
	}
	return t.Word(i+1) == "type" && t.Word(i+2) == "{"
}

// usedAsValue reports whether a text calls a name, or uses a member of it.
func usedAsValue(text, name string) bool {
	return anyWord(text, name, func(before, after string) bool { return !endsIn(before, ".$") && beginsWith(after, "(.") })
}

// addScriptLine adds an import after the others, with the file's quotes and semicolons.
func addScriptLine(text, clause, module string) edits.Edit {
	t := dynamic.ReadScript(text)
	quote, semicolon, last := `"`, strings.Contains(text, ";\n"), -1
	for _, im := range t.Imports() {
		if !im.Export && im.Module != "" && im.ModuleToken > last {
			last = im.ModuleToken
			quote = t.Word(im.ModuleToken)[:1]
			semicolon = t.Word(im.ModuleToken+1) == ";"
		}
	}
	line := "import " + clause + " from " + quote + module + quote
	if semicolon {
		line += ";"
	}
	if last < 0 {
		return insertion(0, line+"\n")
	}
	return insertion(lineEnd(text, t.Tokens[last].End), "\n"+line)
}

// A Fix is a change that would remove a finding.
type Fix struct {
	Title string
	Edits []edits.Edit // on the text that the finding is about
	// Likely is whether an author probably meant it: an import that is the only one, or a name
	// that differs by a few letters. What is merely the most similar name of all is a guess.
	Likely bool
}

// Fixes are the changes that would remove a finding without a model: the
// missing import, where there is one candidate, and the most similar existing
// name.
func (n *Names) Fixes(f File, found edits.Finding) []Fix {
	var out []Fix
	if found.Kind == UnknownName {
		if e, ok := n.importFor(f, found); ok {
			out = append(out, Fix{"Add the import for " + found.Name, []edits.Edit{e}, true})
		}
	}
	if found.Nearest == "" {
		return out
	}
	if span := found.Span; span.Valid(len(f.Text)) && f.Text[span.Start:span.End] == found.Name {
		out = append(out, Fix{"Change to " + found.Nearest, []edits.Edit{{Span: span, New: found.Nearest}}, misspelt(found.Name, found.Nearest)})
	}
	return out
}
