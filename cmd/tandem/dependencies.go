package main

import (
	"path/filepath"

	"tandem/workspace/api"
	"tandem/workspace/deps"
	"tandem/workspace/index"
)

// locateDependency finds the sources of what an import means. The workspace's
// own packages are none of its business: the index has them.
func locateDependency(r *deps.Resolver) api.Locate {
	return func(language, file string, im index.Import) (api.Source, bool) {
		if language != "go" {
			return api.Source{}, false
		}
		p := r.GoPackage(filepath.Dir(file), im.Path)
		return api.Source{Dir: p.Dir, Name: im.Path, Where: p.Where()}, p.Status == deps.Found && !p.Own && p.Dir != ""
	}
}
