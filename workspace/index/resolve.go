package index

import (
	"path"
	"runtime"
	"slices"
	"strings"

	"tandem/workspace/language"
)

// Resolve are the files of the workspace that an import of a file means, in
// the order of their paths: a Go package's, a Python or TypeScript module, a
// Java or C# package's, a Rust module, an included header. None when the path
// leads out of the workspace.
func Resolve(ix *Index, from FileID, im language.Import) []FileID {
	defer runtime.KeepAlive(ix)
	f, ok := ix.File(from)
	if !ok {
		return nil
	}
	r := resolver{ix, f}
	switch f.Language {
	case "go":
		return r.golang(im.Path)
	case "python":
		return r.python(im)
	case "typescript", "typescriptreact", "javascript", "javascriptreact", "vue", "svelte":
		return r.script(im.Path)
	case "java", "kotlin", "scala", "csharp":
		return r.declared(im)
	case "rust":
		return r.rust(im)
	case "c", "cpp", "objective-c", "objective-cpp":
		return r.include(im.Path)
	}
	return nil
}

// A resolver finds what the imports of one file mean.
type resolver struct {
	ix   *Index
	from File
}

// tried are the files at the given paths that exist.
func (r resolver) tried(paths ...string) []FileID {
	for _, p := range paths {
		if id, ok := r.ix.FileID(path.Clean(p)); ok {
			return []FileID{id}
		}
	}
	return nil
}

// golang finds the package's directory through the modules in the
// workspace, the longest module path first.
func (r resolver) golang(importPath string) []FileID {
	best, dir := "", ""
	for _, id := range r.ix.Named("go.mod") {
		mod, _ := r.ix.File(id)
		if rest, ok := strings.CutPrefix(importPath, mod.Package); ok && mod.Package != "" && len(mod.Package) > len(best) && (rest == "" || rest[0] == '/') {
			best, dir = mod.Package, path.Join(dirOf(mod.Path), rest)
		}
	}
	if best == "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.ix.Dir(dir)), func(id FileID) bool {
		p := r.ix.Path(id)
		return !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go")
	})
}

// python tries the module in the directory of the importing file's outermost package,
// and each directory above it, then under src. A directory that is part of a package is
// left out: only a relative import means its modules.
func (r resolver) python(im language.Import) []FileID {
	module := strings.TrimLeft(im.Path, ".")
	up := len(im.Path) - len(module)
	rel := strings.ReplaceAll(module, ".", "/")
	dir := dirOf(r.from.Path)
	if up > 0 {
		for ; up > 1; up-- {
			dir = dirOf(dir)
		}
		return r.pythonModule(path.Join(dir, rel), im.Name)
	}
	for {
		inPackage := dir != "." && len(r.tried(dir+"/__init__.py")) > 0
		if found := r.pythonModule(path.Join(dir, rel), im.Name); found != nil && !inPackage {
			return found
		}
		if dir == "." {
			return r.pythonModule(path.Join("src", rel), im.Name)
		}
		dir = dirOf(dir)
	}
}

// pythonModule is a module or package, or the submodule called name.
func (r resolver) pythonModule(base, name string) []FileID {
	var found []FileID
	if name != "" && name != "*" {
		found = r.tried(base+"/"+name+".py", base+"/"+name+".pyi", base+"/"+name+"/__init__.py")
	}
	return append(found, r.tried(base+".py", base+".pyi", base+"/__init__.py", base+"/__init__.pyi")...)
}

var scriptEndings = []string{"", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte",
	"/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.d.ts"}

// script finds a relative module, or one of a package whose name ends
// the path of a directory in the workspace.
func (r resolver) script(spec string) []FileID {
	var bases []string
	switch {
	case strings.HasPrefix(spec, "."):
		bases = []string{path.Join(dirOf(r.from.Path), spec)}
	case strings.HasPrefix(spec, "@/"), strings.HasPrefix(spec, "~/"):
		bases = []string{"src/" + spec[2:], spec[2:]}
	default:
		bases = r.scriptPackages(spec)
	}
	for _, base := range bases {
		plain := strings.TrimSuffix(strings.TrimSuffix(base, ".js"), ".mjs")
		for _, ending := range scriptEndings {
			if found := r.tried(base+ending, plain+ending); found != nil {
				return found
			}
		}
	}
	return nil
}

// scriptPackages are the paths that the module of a package may have, for the
// packages of a workspace that have the same names as their directories.
func (r resolver) scriptPackages(spec string) []string {
	parts := strings.SplitN(strings.TrimPrefix(spec, "@"), "/", 3)
	if strings.HasPrefix(spec, "@") && len(parts) > 1 {
		parts = parts[1:]
	}
	rest := strings.Join(parts[1:], "/")
	var out []string
	for _, id := range r.ix.Named("package.json") {
		if dir := dirOf(r.ix.Path(id)); path.Base(dir) == parts[0] {
			out = append(out, path.Join(dir, "src", rest), path.Join(dir, rest))
		}
	}
	return out
}

// declared finds the files that declare that they belong to a package, or
// the one that has the name of the type imported from it.
func (r resolver) declared(im language.Import) []FileID {
	var out []FileID
	for _, id := range r.ix.Package(im.Path) {
		p, _ := r.ix.File(id)
		if p.Language != r.from.Language {
			continue
		}
		if base := path.Base(p.Path); im.Name == "" || im.Name == "*" || strings.TrimSuffix(base, path.Ext(base)) == im.Name {
			out = append(out, id)
		}
	}
	return out
}

// rust finds the module that a path leads to: crate, self and super from
// the importing file, anything else from a crate's directory of that name.
func (r resolver) rust(im language.Import) []FileID {
	parts := strings.Split(im.Path, "::")
	if im.Name != "" && im.Name != "*" {
		parts = append(parts, im.Name)
	}
	dir := rustDir(r.from.Path)
	switch parts[0] {
	case "crate":
		dir = r.crateRoot()
	case "super":
		dir = dirOf(dir)
		for len(parts) > 1 && parts[1] == "super" {
			dir, parts = dirOf(dir), parts[1:]
		}
	case "self":
	default:
		dir = r.otherCrate(parts[0])
	}
	if dir == "" {
		return nil
	}
	for n := len(parts); n >= 1; n-- { // the last parts name items, not modules
		base := path.Join(append([]string{dir}, parts[1:n]...)...)
		if found := r.tried(base+".rs", base+"/mod.rs", base+"/lib.rs", base+"/main.rs"); found != nil {
			return found
		}
	}
	return nil
}

// rustDir is where the submodules of a file are.
func rustDir(file string) string {
	switch path.Base(file) {
	case "mod.rs", "lib.rs", "main.rs":
		return dirOf(file)
	}
	return strings.TrimSuffix(file, ".rs")
}

func (r resolver) crateRoot() string {
	for dir := dirOf(r.from.Path); ; dir = dirOf(dir) {
		if r.tried(dir+"/lib.rs", dir+"/main.rs") != nil {
			return dir
		}
		if dir == "." {
			return ""
		}
	}
}

func (r resolver) otherCrate(name string) string {
	for _, id := range r.ix.Named("Cargo.toml") {
		if dir := dirOf(r.ix.Path(id)); strings.ReplaceAll(path.Base(dir), "-", "_") == name {
			return path.Join(dir, "src")
		}
	}
	return ""
}

// include finds a header in the directory of the file, then under
// include, then by the end of its path.
func (r resolver) include(spec string) []FileID {
	if found := r.tried(path.Join(dirOf(r.from.Path), spec), "include/"+spec, spec, "src/"+spec); found != nil {
		return found
	}
	for _, id := range r.ix.Named(path.Base(spec)) {
		if strings.HasSuffix(r.ix.Path(id), "/"+spec) {
			return []FileID{id}
		}
	}
	return nil
}
