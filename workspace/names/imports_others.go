package names

import (
	"path"
	"strings"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A habit is an import that other files of the workspace use for a name.
type habit struct {
	language.Import
	from index.FileID // a file that has it
	to   string       // the file of the workspace that it means; "" where it is not one
}

// usual is the import by which the other files of the workspace know a name: those of the
// file's own package, or all of them if these do not. It is false where none imports it, or
// fewer than two thirds agree: there is more than one answer then.
func (u unbound) usual() (habit, bool) {
	var others, near []index.FileID
	own := packageOf(u.ix, u.rel, u.family)
	for _, id := range u.ix.Users(u.name) {
		if at := u.ix.Path(id); at != u.rel && family(u.ix.Language(id)) == u.family {
			others = append(others, id)
			if packageOf(u.ix, at, u.family) == own {
				near = append(near, id)
			}
		}
	}
	if h, ok := u.agreed(near); ok {
		return h, true
	}
	h, ok := u.agreed(others)
	return h, ok && (h.to == "" || packageOf(u.ix, h.to, u.family) == own) // another package is not imported by a path
}

// packageOf is the folder of the package.json that a script belongs to, "" if there is none;
// in other languages the workspace counts as one package.
func packageOf(ix *index.Index, at, fam string) string {
	if fam != "script" {
		return ""
	}
	for dir := path.Dir(at); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if id, ok := ix.FileID(dir + "/package.json"); ok {
			if _, there := ix.File(id); there {
				return dir
			}
		}
	}
	return ""
}

// agreed is the import by which two thirds of the files that import the name know it.
func (u unbound) agreed(files []index.FileID) (habit, bool) {
	type key struct{ module, name string }
	count, found, total := map[key]int{}, map[key]habit{}, 0
	for _, id := range files {
		for _, im := range u.ix.Imports(id) {
			if knownAs(im, u.family) != u.name {
				continue
			}
			h := habit{Import: im, from: id}
			if relativeImport(im.Path, u.family) {
				if files := index.Resolve(u.ix, id, im); len(files) == 1 {
					h.to = u.ix.Path(files[0])
				}
			}
			k := key{im.Path, im.Name}
			if h.to != "" {
				k.module = "\x00" + h.to
			}
			count[k]++
			total++
			if _, known := found[k]; !known {
				found[k] = h
			}
			break
		}
	}
	for k, h := range found {
		if 3*count[k] >= 2*total && h.to != u.rel {
			return h, true
		}
	}
	return habit{}, false
}

// knownAs is what a file calls what it imports.
func knownAs(im language.Import, fam string) string {
	switch {
	case im.Alias != "":
		return im.Alias
	case im.Name != "" && im.Name != "*":
		return im.Name
	case fam == "go":
		return path.Base(im.Path)
	case fam == "python" && im.Name == "":
		first, _, _ := strings.Cut(im.Path, ".")
		return first
	}
	return ""
}

func relativeImport(module, fam string) bool {
	return fam != "go" && strings.HasPrefix(module, ".")
}

// asOthers is the edit that imports the name as the other files of the workspace do.
func (u unbound) asOthers() (edits.Edit, bool) {
	h, ok := u.usual()
	if !ok {
		return edits.Edit{}, false
	}
	module := h.Path
	if relativeImport(module, u.family) {
		adjacent := path.Dir(u.ix.Path(h.from)) == path.Dir(u.rel)
		switch {
		case h.to == "" && !adjacent:
			return edits.Edit{}, false
		case h.to != "" && u.family == "python" && !adjacent:
			module = pythonModuleName(u.root, h.to, u.rel)
		case h.to != "" && u.family == "script":
			module = scriptSpecifier(u.text, u.rel, h.to)
		}
	}
	switch u.family {
	case "go":
		if h.Alias != "" {
			return edits.Edit{}, false
		}
		return addGoImport(u.text, module)
	case "python":
		line := "import " + module
		if h.Name != "" {
			line = "from " + module + " import " + h.Name
		}
		if h.Alias != "" {
			line += " as " + h.Alias
		}
		return addPythonImport(u.text, line), true
	}
	switch h.Name {
	case "default":
		return addScriptLine(u.text, u.name, module), true
	case "*":
		return addScriptLine(u.text, "* as "+u.name, module), true
	case u.name:
		return addScriptImport(u.text, u.name, module), true
	}
	return edits.Edit{}, false
}
