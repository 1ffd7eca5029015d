package deps

import (
	"context"
	"path/filepath"
	"time"

	"tandem/workspace"
	"tandem/workspace/index"
)

var _ workspace.Dependencies = (*Resolver)(nil)

// entriesWait is how long Entries reads packages that nobody asked for before.
const entriesWait = 20 * time.Millisecond

// Entries are the definitions of what a document imports that it may use:
// those of the names given first. It reads for a moment only; what it did not
// get to is there the next time.
func (r *Resolver) Entries(ctx context.Context, root, path, language string, imports []index.Import, names []string) []workspace.DependencyEntry {
	from := filepath.Join(root, filepath.FromSlash(path))
	end := time.Now().Add(entriesWait)
	var apis []*API
	seen := map[string]bool{}
	for _, im := range imports {
		if seen[im.Path] || ctx.Err() != nil {
			continue
		}
		seen[im.Path] = true
		if a := r.soon(language, root, from, im.Path, end); a != nil {
			apis = append(apis, a)
		}
	}
	var out []workspace.DependencyEntry
	for _, e := range find(apis, names) {
		out = append(out, workspace.DependencyEntry{Name: e.Name, Package: shown(e.api), File: shown(e.api) + "/" + filepath.Base(e.Path), Line: e.StartLine, Signature: e.Signature})
	}
	return out
}

// shown is a package's name with its version.
func shown(a *API) string {
	if a.Version == "" {
		return a.Name
	}
	return a.Name + "@" + a.Version
}

// soon is the API of a package: at once when it is in memory, or while there is
// time; else it is read behind the caller's back.
func (r *Resolver) soon(lang, root, from, importPath string, end time.Time) *API {
	id := lang + " " + root + " " + filepath.Dir(from) + " " + importPath
	r.mu.Lock()
	r.age()
	a, asked := r.asked[id]
	r.mu.Unlock()
	if asked {
		return a
	}
	load := func() *API {
		a, _ := r.Package(lang, root, from, importPath)
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.asked) > maxAPIs {
			clear(r.asked)
		}
		r.asked[id] = a
		return a
	}
	if r.options.Group == nil || time.Now().Before(end) {
		return load()
	}
	r.options.Group.Go("read "+importPath, func(context.Context) { load() })
	return nil
}
