package index

import (
	"path"
	"slices"
	"strings"

	"tandem/workspace/language"
)

// Resolve are the files of the workspace that an import of a file means, in
// the order of their paths: a Go package's, a Python or TypeScript module, a
// Java or C# package's, a Rust module, an included header. None when the path
// leads out of the workspace.
func (ix *Index) Resolve(from FileID, im language.Import) []FileID {
	f, ok := ix.File(from)
	if !ok {
		return nil
	}
	switch f.Language {
	case "go":
		return ix.resolveGo(f, im.Path)
	case "python":
		return ix.resolvePython(f, im)
	case "typescript", "typescriptreact", "javascript", "javascriptreact", "vue", "svelte":
		return ix.resolveScript(f, im.Path)
	case "java", "kotlin", "scala", "csharp":
		return ix.resolvePackage(f, im)
	case "rust":
		return ix.resolveRust(f, im)
	case "c", "cpp", "objective-c", "objective-cpp":
		return ix.resolveInclude(f, im.Path)
	}
	return nil
}

// ExportedIn are the exported definitions at the top of the files that an
// import means; those of one name only, if the import takes just that.
func (ix *Index) ExportedIn(from FileID, im language.Import) []Def {
	var out []Def
	for _, file := range ix.Resolve(from, im) {
		for _, d := range ix.Defs(file) {
			if d.Exported && !d.Local && (d.Container == "" || ix.spansFile(file, d)) {
				out = append(out, d)
			}
		}
	}
	return out
}

// spansFile reports whether the container of a definition is a namespace, which
// is not a type.
func (ix *Index) spansFile(file FileID, d Def) bool {
	pkg, _ := ix.File(file)
	return pkg.Package != "" && d.Container == pkg.Package
}

// tried are the files at the given paths that exist.
func (ix *Index) tried(paths ...string) []FileID {
	for _, p := range paths {
		if id, ok := ix.FileID(path.Clean(p)); ok {
			return []FileID{id}
		}
	}
	return nil
}

// resolveGo finds the package's directory through the modules in the
// workspace, the longest module path first.
func (ix *Index) resolveGo(f File, importPath string) []FileID {
	best, dir := "", ""
	for _, id := range ix.Named("go.mod") {
		mod, _ := ix.File(id)
		if rest, ok := strings.CutPrefix(importPath, mod.Package); ok && mod.Package != "" && len(mod.Package) > len(best) && (rest == "" || rest[0] == '/') {
			best, dir = mod.Package, path.Join(dirOf(mod.Path), rest)
		}
	}
	if best == "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(ix.Dir(dir)), func(id FileID) bool {
		p := ix.Path(id)
		return !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go")
	})
}

// resolvePython tries the module under the importing file's package and each
// directory above it, then under src.
func (ix *Index) resolvePython(f File, im language.Import) []FileID {
	module := strings.TrimLeft(im.Path, ".")
	up := len(im.Path) - len(module)
	rel := strings.ReplaceAll(module, ".", "/")
	dir := dirOf(f.Path)
	if up > 0 {
		for ; up > 1; up-- {
			dir = dirOf(dir)
		}
		return ix.pythonModule(path.Join(dir, rel), im.Name)
	}
	for {
		if found := ix.pythonModule(path.Join(dir, rel), im.Name); found != nil {
			return found
		}
		if dir == "." {
			return ix.pythonModule(path.Join("src", rel), im.Name)
		}
		dir = dirOf(dir)
	}
}

// pythonModule is a module or package, or the submodule called name.
func (ix *Index) pythonModule(base, name string) []FileID {
	var found []FileID
	if name != "" && name != "*" {
		found = ix.tried(base+"/"+name+".py", base+"/"+name+".pyi", base+"/"+name+"/__init__.py")
	}
	return append(found, ix.tried(base+".py", base+".pyi", base+"/__init__.py", base+"/__init__.pyi")...)
}

var scriptEndings = []string{"", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte",
	"/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.d.ts"}

// resolveScript finds a relative module, or one of a package whose name ends
// the path of a directory in the workspace.
func (ix *Index) resolveScript(f File, spec string) []FileID {
	var bases []string
	switch {
	case strings.HasPrefix(spec, "."):
		bases = []string{path.Join(dirOf(f.Path), spec)}
	case strings.HasPrefix(spec, "@/"), strings.HasPrefix(spec, "~/"):
		bases = []string{"src/" + spec[2:], spec[2:]}
	default:
		bases = ix.scriptPackages(spec)
	}
	for _, base := range bases {
		plain := strings.TrimSuffix(strings.TrimSuffix(base, ".js"), ".mjs")
		for _, ending := range scriptEndings {
			if found := ix.tried(base+ending, plain+ending); found != nil {
				return found
			}
		}
	}
	return nil
}

// scriptPackages are the paths that the module of a package may have, for the
// packages of a workspace that have the same names as their directories.
func (ix *Index) scriptPackages(spec string) []string {
	parts := strings.SplitN(strings.TrimPrefix(spec, "@"), "/", 3)
	if strings.HasPrefix(spec, "@") && len(parts) > 1 {
		parts = parts[1:]
	}
	rest := strings.Join(parts[1:], "/")
	var out []string
	for _, id := range ix.Named("package.json") {
		if dir := dirOf(ix.Path(id)); path.Base(dir) == parts[0] {
			out = append(out, path.Join(dir, "src", rest), path.Join(dir, rest))
		}
	}
	return out
}

// resolvePackage finds the files that declare that they belong to a package, or
// the one that has the name of the type imported from it.
func (ix *Index) resolvePackage(f File, im language.Import) []FileID {
	var out []FileID
	for _, id := range ix.Package(im.Path) {
		p, _ := ix.File(id)
		if p.Language != f.Language {
			continue
		}
		if base := path.Base(p.Path); im.Name == "" || im.Name == "*" || strings.TrimSuffix(base, path.Ext(base)) == im.Name {
			out = append(out, id)
		}
	}
	return out
}

// resolveRust finds the module that a path leads to: crate, self and super from
// the importing file, anything else from a crate's directory of that name.
func (ix *Index) resolveRust(f File, im language.Import) []FileID {
	parts := strings.Split(im.Path, "::")
	if im.Name != "" && im.Name != "*" {
		parts = append(parts, im.Name)
	}
	dir := rustDir(f.Path)
	switch parts[0] {
	case "crate":
		dir = ix.crateRoot(f.Path)
	case "super":
		dir = dirOf(dir)
		for len(parts) > 1 && parts[1] == "super" {
			dir, parts = dirOf(dir), parts[1:]
		}
	case "self":
	default:
		dir = ix.otherCrate(parts[0])
	}
	if dir == "" {
		return nil
	}
	for n := len(parts); n >= 1; n-- { // the last parts name items, not modules
		base := path.Join(append([]string{dir}, parts[1:n]...)...)
		if found := ix.tried(base+".rs", base+"/mod.rs", base+"/lib.rs", base+"/main.rs"); found != nil {
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

func (ix *Index) crateRoot(file string) string {
	for dir := dirOf(file); ; dir = dirOf(dir) {
		if ix.tried(dir+"/lib.rs", dir+"/main.rs") != nil {
			return dir
		}
		if dir == "." {
			return ""
		}
	}
}

func (ix *Index) otherCrate(name string) string {
	for _, id := range ix.Named("Cargo.toml") {
		if dir := dirOf(ix.Path(id)); strings.ReplaceAll(path.Base(dir), "-", "_") == name {
			return path.Join(dir, "src")
		}
	}
	return ""
}

// resolveInclude finds a header in the directory of the file, then under
// include, then by the end of its path.
func (ix *Index) resolveInclude(f File, spec string) []FileID {
	if found := ix.tried(path.Join(dirOf(f.Path), spec), "include/"+spec, spec, "src/"+spec); found != nil {
		return found
	}
	for _, id := range ix.Named(path.Base(spec)) {
		if strings.HasSuffix(ix.Path(id), "/"+spec) {
			return []FileID{id}
		}
	}
	return nil
}
