package deps

import (
	"cmp"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/disk"
)

// A scriptConfig is what the tsconfig.json and jsconfig.json files of a folder tell about
// names that mean files and no packages.
type scriptConfig struct {
	names []string // as in "paths": exact, or with one "*"
	bases []string // the folders of "baseUrl"
	types []string // packages, or files of them, whose declarations hold everywhere
}

// aliased reports whether a name may mean files of the project, which lies at and above dir
// up to top. A configuration of TypeScript tells so; those of bundlers are code, but what
// they map is mostly a folder under its own name.
func (r *Node) aliased(dir, top, name string) bool {
	scope, _, scoped := strings.Cut(name, "/")
	scoped = scoped && strings.HasPrefix(scope, "@") && r.isScope(dir, top, scope)
	first, _, _ := strings.Cut(strings.TrimLeft(name, "@~#$"), "/")
	for dir := range upTo(dir, top) {
		c := r.scriptConfig(dir)
		if slices.ContainsFunc(c.names, func(pattern string) bool { return fits(pattern, name) }) {
			return true
		}
		if scoped || first == "" {
			continue
		}
		for _, base := range append([]string{dir, filepath.Join(dir, "src")}, c.bases...) {
			at := filepath.Join(base, first)
			if _, isFile := ScriptFile(at, disk.IsFile); isFile || disk.IsDir(at) {
				return true
			}
		}
	}
	return false
}

// overlays is the list of folders that a configuration lays over one another.
const overlays = "rootDirs"

// Overlaid reports whether a configuration of TypeScript around a file may lay other folders over
// the file's: then a relative path that leads to nothing may mean a file there.
func (r *Node) Overlaid(file string) bool {
	dir := filepath.Dir(file)
	for at := range upTo(dir, cmp.Or(above(dir, "package.json"), dir)) {
		if slices.Contains(r.scriptConfig(at).names, overlays) {
			return true
		}
	}
	return false
}

// maps reports whether Deno maps names in a project.
func (r *Node) maps(dir, top string) bool {
	for dir := range upTo(dir, top) {
		if disk.IsFile(filepath.Join(dir, "deno.json")) || disk.IsFile(filepath.Join(dir, "deno.jsonc")) {
			return true
		}
	}
	return false
}

// isScope reports whether packages that the project consists of, requires or has
// installed have a scope, so that no folder is mapped to it.
func (r *Node) isScope(dir, top, scope string) bool {
	for dir := range upTo(dir, top) {
		if r.manifest(dir).has(scope+"/") || disk.IsDir(filepath.Join(dir, "node_modules", scope)) {
			return true
		}
	}
	return false
}

// upTo are a folder and those above it up to top.
func upTo(dir, top string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for range maxUp {
			if !yield(dir) || dir == top || dir == filepath.Dir(dir) {
				return
			}
			dir = filepath.Dir(dir)
		}
	}
}

// namedTypes are the installed declarations that the configurations of the project name.
func (r *Node) namedTypes(dir string) []string {
	top := above(dir, "package.json")
	if top == "" {
		return nil
	}
	var out []string
	for at := range upTo(dir, top) {
		for _, name := range r.scriptConfig(at).types {
			for up := range upTo(at, "") {
				place := filepath.Join(up, "node_modules", filepath.FromSlash(name))
				if disk.IsFile(place + ".d.ts") {
					place += ".d.ts"
				}
				if disk.IsFile(place) || disk.IsDir(place) {
					out = append(out, place)
					break
				}
			}
		}
	}
	return out
}

// fits reports whether a pattern of "paths" fits a name.
func fits(pattern, name string) bool {
	before, after, open := strings.Cut(pattern, "*")
	if !open {
		return pattern == name
	}
	return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
}

func (r *Node) scriptConfig(dir string) scriptConfig {
	return r.configs.get(dir, func() scriptConfig {
		r.disk.Allow(dir)
		return r.readConfigs(r.disk.Glob(r.life(), dir, "tsconfig*.json", "jsconfig*.json"))
	})
}

const (
	// maxConfigs bounds how many configurations of a folder are read, with those that
	// they extend.
	maxConfigs = 32
	// maxMapped bounds how many names and folders they map.
	maxMapped = 1000
)

// These files have comments and commas that JSON does not have, so that they are searched
// and not parsed: a list that is not one of "paths", or is in a comment, only makes a name
// unknown that would be reported.
var (
	configList    = regexp.MustCompile(`"([^"\n]*)"\s*:\s*\[`)
	configBase    = regexp.MustCompile(`"baseUrl"\s*:\s*"([^"\n]*)"`)
	configTypes   = regexp.MustCompile(`"types"\s*:\s*\[([^\]]*)\]`)
	configExtends = regexp.MustCompile(`"extends"\s*:\s*(?:("[^"\n]*")|\[([^\]]*)\])`)
	configText    = regexp.MustCompile(`"([^"\n]*)"`)
)

// readConfigs is what configurations tell, and those that they extend. Where one of these
// cannot be read, or there are too many, any name may be mapped.
func (r *Node) readConfigs(files []string) (c scriptConfig) {
	for i := 0; i < len(files); i++ {
		if slices.Contains(files[:i], files[i]) {
			continue
		}
		dir, name := filepath.Split(files[i])
		data, ok := r.manifestIn(dir, name)
		if !ok || i >= maxConfigs {
			c = scriptConfig{names: []string{"*"}}
			if !strings.Contains(dir, modulesFolder) { // one that a framework makes
				c.names = append(c.names, overlays)
			}
			return c
		}
		for _, m := range configList.FindAllSubmatch(data, maxMapped) {
			c.names = append(c.names, string(m[1]))
		}
		for _, m := range configBase.FindAllSubmatch(data, maxMapped) {
			c.bases = append(c.bases, filepath.Join(dir, filepath.FromSlash(string(m[1]))))
		}
		for _, m := range configTypes.FindAllSubmatch(data, maxConfigs) {
			for name := range listed(m[1]) {
				if filepath.IsLocal(name) && len(c.types) < maxConfigs {
					c.types = append(c.types, name)
				}
			}
		}
		if len(c.names) >= maxMapped || len(c.bases) >= maxConfigs {
			return scriptConfig{names: []string{"*"}}
		}
		for _, m := range configExtends.FindAllSubmatch(data, maxConfigs) {
			for other := range listed(slices.Concat(m[1], m[2])) {
				if len(files) <= maxMapped {
					files = append(files, r.extended(dir, other))
				}
			}
		}
	}
	return c
}

// extended is the file that a configuration in dir extends: one beside it, or one of an
// installed package.
func (r *Node) extended(dir, name string) string {
	place := filepath.FromSlash(strings.TrimSuffix(name, ".json"))
	if strings.HasPrefix(name, ".") || !filepath.IsLocal(place) {
		return filepath.Join(dir, place+".json")
	}
	for at := range upTo(dir, "") {
		modules := filepath.Join(at, "node_modules")
		for _, file := range []string{place + ".json", filepath.Join(place, "tsconfig.json")} {
			if disk.IsFile(filepath.Join(modules, file)) {
				r.disk.Allow(modules)
				return filepath.Join(modules, file)
			}
		}
	}
	return filepath.Join(dir, "node_modules", place+".json")
}

// listed are the texts in the inside of a list, whatever is between them.
func listed(inside []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, m := range configText.FindAllSubmatch(inside, maxMapped) {
			if !yield(string(m[1])) {
				return
			}
		}
	}
}
