package deps

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tandem/workspace/language"
)

// An API is what a package offers to its importers. It never changes.
type API struct {
	Name    string // import path
	Version string // of its module; "" for the standard library, or where no file on disk records it
	Where   string // module@version, "standard library", or a folder of the workspace
	Defs    []Exported

	byName map[string][]int
}

// An Exported is one definition of an API: a function, type, value, or a member
// of a type.
type Exported struct {
	language.Def
	Path      string // absolute path of its file
	Signature string // whole lines
}

// Named returns the definitions of a name, members included.
func (a *API) Named(name string) []Exported {
	var out []Exported
	for _, i := range a.byName[name] {
		out = append(out, a.Defs[i])
	}
	return out
}

const (
	maxAPIs      = 256     // kept in memory
	maxAPIFile   = 2 << 20 // bytes of a file that is read
	maxAPIFiles  = 400     // of one package
	maxSignature = 4 << 10 // bytes of one signature
)

// Package returns the API that a file imports by a path; known is false when it
// is not on the disk, or belongs to the workspace itself.
func (r *Resolver) Package(lang, root, fromFile, importPath string) (api *API, known bool) {
	place := r.find(lang, root, fromFile, importPath)
	if place.Status != Found || place.Own {
		return nil, false
	}
	return r.api(lang, importPath, place), true
}

func (r *Resolver) find(lang, root, fromFile, importPath string) Place {
	switch lang {
	case "go":
		return r.GoPackage(filepath.Dir(fromFile), importPath)
	case "python":
		if strings.HasPrefix(importPath, ".") {
			return Place{}
		}
		return r.PythonModule(root, importPath, nil, isFile)
	case "typescript", "typescriptreact", "javascript", "javascriptreact":
		if strings.HasPrefix(importPath, ".") || strings.HasPrefix(importPath, "/") {
			return Place{}
		}
		return r.NodeModule(fromFile, importPath, isFile)
	case "rust":
		return r.Crate(fromFile, importPath)
	}
	return Place{}
}

// files returns the files whose definitions make up a package.
func (p Place) files(lang string) []string {
	switch lang {
	case "go":
		found, _ := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		return slices.DeleteFunc(found, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	case "rust":
		return SourceFiles(p.Dir, ".rs")
	case "python":
		if p.File == "" {
			return nil
		}
		return []string{p.File}
	}
	if p.File == "" {
		return nil
	}
	if strings.Contains(filepath.Base(p.File), ".d.") {
		return SourceFiles(filepath.Dir(p.File), ".d.ts", ".d.mts", ".d.cts")
	}
	return []string{p.File}
}

func (r *Resolver) api(lang, importPath string, place Place) *API {
	id := lang + " " + importPath + " " + place.Dir + place.File
	r.mu.Lock()
	a := r.apis[id]
	r.mu.Unlock()
	if a != nil {
		return a
	}
	files := place.files(lang)
	files = files[:min(len(files), maxAPIFiles)]
	key := stampsOf(files)
	if a = r.loadAPI(key); a == nil || a.Name != importPath {
		a = readAPI(lang, importPath, place, files)
		r.saveAPI(key, a)
	}
	a.byName = map[string][]int{}
	for i, d := range a.Defs {
		a.byName[d.Name] = append(a.byName[d.Name], i)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.apis) >= maxAPIs {
		clear(r.apis)
	}
	r.apis[id] = a
	return a
}

func readAPI(lang, importPath string, place Place, files []string) *API {
	a := &API{Name: importPath, Version: place.Version, Where: place.Where()}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || info.Size() > maxAPIFile {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		text := string(data)
		lines := strings.SplitAfter(text, "\n")
		for _, d := range language.Scan(lang, filepath.Base(file), text).Defs {
			if !d.Exported || d.Local {
				continue
			}
			sig := strings.Join(lines[min(d.StartLine-1, len(lines)):min(d.SigEndLine, len(lines))], "")
			if len(sig) <= maxSignature {
				a.Defs = append(a.Defs, Exported{Def: d, Path: file, Signature: strings.Clone(sig)})
			}
		}
	}
	return a
}

func (r *Resolver) apiFile(key string) string {
	if r.options.StateDir == "" {
		return ""
	}
	return filepath.Join(r.options.StateDir, "deps", key+".api")
}

func (r *Resolver) loadAPI(key string) *API {
	file := r.apiFile(key)
	if file == "" {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	a := &API{}
	if gob.NewDecoder(bytes.NewReader(data)).Decode(a) != nil {
		return nil // written by another version; it is written again
	}
	return a
}

func (r *Resolver) saveAPI(key string, a *API) {
	file := r.apiFile(key)
	if file == "" {
		return
	}
	var data bytes.Buffer
	if gob.NewEncoder(&data).Encode(a) == nil {
		writeFileAtomic(file, data.Bytes())
	}
}

// An entry is a definition with its package, and the position of its name in
// the list of requested names.
type entry struct {
	Exported
	api  *API
	rank int
}

// maxEntries is how many definitions Entries returns.
const maxEntries = 48

// find returns the definitions with the requested names in the given packages,
// in the order of the names.
func find(apis []*API, names []string) []entry {
	rank := map[string]int{}
	for i, n := range names {
		if _, ok := rank[n]; !ok {
			rank[n] = i
		}
	}
	var out []entry
	for _, a := range apis {
		for name, at := range a.byName {
			i, requested := rank[name]
			if !requested {
				continue
			}
			for _, k := range at {
				out = append(out, entry{a.Defs[k], a, i})
			}
		}
	}
	slices.SortFunc(out, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), strings.Compare(x.Path, y.Path), cmp.Compare(x.StartLine, y.StartLine))
	})
	return out[:min(len(out), maxEntries)]
}
