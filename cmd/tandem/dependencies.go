package main

import (
	"os"
	"path/filepath"
	"strings"

	"tandem/workspace/api"
	"tandem/workspace/deps"
	"tandem/workspace/language"
)

// locateDependency finds the sources of an import. It skips the workspace's own
// packages, because the index has them.
func locateDependency(r *deps.Resolver) api.Locate {
	return func(lang, root, file string, im language.Import) (api.Source, bool) {
		var p deps.Place
		switch lang {
		case "go":
			p = r.Go.Package(filepath.Dir(file), im.Path)
		case "python":
			if !strings.HasPrefix(im.Path, ".") {
				p = r.Python.Module(root, im.Path, []string{root, filepath.Dir(file)}, exists)
			}
		case "typescript", "typescriptreact", "javascript", "javascriptreact":
			if !strings.HasPrefix(im.Path, ".") && !filepath.IsAbs(im.Path) {
				p = r.Node.Module(file, im.Path, exists)
			}
		}
		return sourceOf(p, im.Path)
	}
}

// warmDependencies reads what the workspace imports most before a window needs it, which
// without a model is seldom.
func (a *app) warmDependencies() {
	library, ok := a.made.Dependencies.(*api.Library)
	if !ok || withoutModel(a.config()) {
		return
	}
	for _, v := range a.session.Snapshot().Views() {
		library.Warm(v.Root, v.Index())
	}
}

// sourceOf returns the files to read for a place: the module's one file, else
// the files of the package's folder, because a Python package's __init__
// collects names from them.
func sourceOf(p deps.Place, name string) (api.Source, bool) {
	src := api.Source{Name: name, Where: p.Where()}
	switch {
	case p.Status != deps.Found || p.Own:
		return src, false
	case strings.HasPrefix(filepath.Base(p.File), "__init__."):
		src.Dir = filepath.Dir(p.File)
	case p.File != "":
		src.Files = []string{p.File}
	default:
		src.Dir = p.Dir
	}
	return src, src.Dir != "" || len(src.Files) > 0
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
