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
func (n *Names) usual(f File, name, fam string) (habit, bool) {
	ix, _, rel := n.ws.Index(n.ws.Abs(f.Path))
	var others, near []index.FileID
	own := packageOf(ix, rel, fam)
	for _, id := range ix.Users(name) {
		if at := ix.Path(id); at != rel && family(ix.Language(id)) == fam {
			others = append(others, id)
			if packageOf(ix, at, fam) == own {
				near = append(near, id)
			}
		}
	}
	if h, ok := agreed(ix, near, name, fam, rel); ok {
		return h, true
	}
	h, ok := agreed(ix, others, name, fam, rel)
	return h, ok && (h.to == "" || packageOf(ix, h.to, fam) == own) // another package is not imported by a path
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

// agreed is the import by which two thirds of the files that import a name know it.
func agreed(ix *index.Index, files []index.FileID, name, fam, rel string) (habit, bool) {
	type key struct{ module, name string }
	count, found, total := map[key]int{}, map[key]habit{}, 0
	for _, id := range files {
		for _, im := range ix.Imports(id) {
			if knownAs(im, fam) != name {
				continue
			}
			h := habit{Import: im, from: id}
			if relativeImport(im.Path, fam) {
				if files := index.Resolve(ix, id, im); len(files) == 1 {
					h.to = ix.Path(files[0])
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
		if 3*count[k] >= 2*total && h.to != rel {
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

// asOthers is the edit that imports a name as the other files of the workspace do.
func (n *Names) asOthers(f File, name, fam string) (edits.Edit, bool) {
	h, ok := n.usual(f, name, fam)
	if !ok {
		return edits.Edit{}, false
	}
	ix, root, rel := n.ws.Index(n.ws.Abs(f.Path))
	module := h.Path
	if relativeImport(module, fam) {
		adjacent := path.Dir(ix.Path(h.from)) == path.Dir(rel)
		switch {
		case h.to == "" && !adjacent:
			return edits.Edit{}, false
		case h.to != "" && fam == "python" && !adjacent:
			module = pythonModuleName(root, h.to, rel)
		case h.to != "" && fam == "script":
			module = scriptSpecifier(f.Text, rel, h.to)
		}
	}
	switch fam {
	case "go":
		if h.Alias != "" {
			return edits.Edit{}, false
		}
		return addGoImport(f.Text, module)
	case "python":
		line := "import " + module
		if h.Name != "" {
			line = "from " + module + " import " + h.Name
		}
		if h.Alias != "" {
			line += " as " + h.Alias
		}
		return addPythonImport(f.Text, line), true
	}
	switch h.Name {
	case "default":
		return addScriptLine(f.Text, name, module), true
	case "*":
		return addScriptLine(f.Text, "* as "+name, module), true
	case name:
		return addScriptImport(f.Text, name, module), true
	}
	return edits.Edit{}, false
}
