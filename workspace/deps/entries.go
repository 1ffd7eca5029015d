package deps

import (
	"context"
	"path/filepath"
	"time"

	"tandem/workspace"
	"tandem/workspace/language"
)

var _ workspace.Dependencies = (*Resolver)(nil)

// entriesWait is how long Entries reads packages that no earlier request read.
const entriesWait = 20 * time.Millisecond

// Entries returns the definitions that a document's imports offer under the
// given names, in the order of the names. It reads for a short time only; what
// it could not read in that time is available at a later call.
func (r *Resolver) Entries(ctx context.Context, root, path, lang string, imports []language.Import, names []string) []workspace.DependencyEntry {
	from := filepath.Join(root, filepath.FromSlash(path))
	end := time.Now().Add(entriesWait)
	var apis []*API
	seen := map[string]bool{}
	for _, im := range imports {
		if seen[im.Path] || ctx.Err() != nil {
			continue
		}
		seen[im.Path] = true
		if a := r.packageWithin(lang, root, from, im.Path, end); a != nil {
			apis = append(apis, a)
		}
	}
	var out []workspace.DependencyEntry
	for _, e := range find(apis, names) {
		out = append(out, workspace.DependencyEntry{Name: e.Name, Package: displayName(e.api), File: displayName(e.api) + "/" + filepath.Base(e.Path), Line: e.StartLine, Signature: e.Signature})
	}
	return out
}

// displayName is a package's name with its version.
func displayName(a *API) string {
	if a.Version == "" {
		return a.Name
	}
	return a.Name + "@" + a.Version
}

// packageWithin returns the API of a package: at once when it is in memory, or
// while there is time; otherwise it is read in the background and the result is
// nil.
func (r *Resolver) packageWithin(lang, root, from, importPath string, end time.Time) *API {
	id := lang + " " + root + " " + filepath.Dir(from) + " " + importPath
	r.mu.Lock()
	r.expire()
	a, requested := r.requested[id]
	r.mu.Unlock()
	if requested {
		return a
	}
	load := func() *API {
		a, _ := r.Package(lang, root, from, importPath)
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.requested) > maxAPIs {
			clear(r.requested)
		}
		r.requested[id] = a
		return a
	}
	if r.options.Group == nil || time.Now().Before(end) {
		return load()
	}
	r.options.Group.Go("read "+importPath, func(context.Context) { load() })
	return nil
}
