package names

import (
	"fmt"
	"iter"

	"tandem/workspace/cut"
	"tandem/workspace/deps"
	"tandem/workspace/dynamic"
)

const (
	maxReach  = 1000 // modules of which one module has every name
	maxLinked = 100  // modules of the workspace that are followed to the libraries they import
)

// find is what an import of a file leads to.
func (r *dynamicCheck) find(fromFile, module string) deps.Place {
	if r.family == "python" {
		return r.findPython(fromFile, module)
	}
	return r.resolve(fromFile, module)
}

// reach yields a module and those of which it has every name, each once, however they import
// one another. A module is nil that cannot be read, as is one in place of those beyond
// maxReach.
func (r *dynamicCheck) reach(place deps.Place, m *module) iter.Seq2[deps.Place, *module] {
	type reached struct {
		place deps.Place
		m     *module
	}
	return func(yield func(deps.Place, *module) bool) {
		queue, seen := []reached{{place, m}}, map[string]bool{}
		for i := 0; i < len(queue); i++ {
			at := queue[i]
			if i == maxReach {
				at = reached{}
			}
			if !yield(at.place, at.m) || i == maxReach {
				return
			}
			if at.m == nil {
				continue
			}
			seen[at.m.path] = true
			for _, star := range at.m.stars {
				place := r.find(at.m.path, star)
				if !seen[place.File] {
					seen[place.File] = place.File != ""
					queue = append(queue, reached{place, r.at(place)})
				}
			}
		}
	}
}

// A linked is what a file imports.
type linked struct {
	file, module string
	tried        bool // the code goes on without it
}

func linksOf(file string, imports []dynamic.Import) (out []linked) {
	for _, im := range imports {
		if im.Module != "" {
			out = append(out, linked{file, im.Module, im.Tried})
		}
	}
	return out
}

// linked are the modules that one imports.
func (m *module) linked() (out []linked) {
	for _, p := range m.pieces {
		if p.python != nil {
			out = append(out, linksOf(m.path, p.imports)...)
			continue
		}
		for _, l := range p.links {
			if l.module != "" {
				out = append(out, linked{file: m.path, module: l.module})
			}
		}
		for _, star := range p.stars {
			out = append(out, linked{file: m.path, module: star})
		}
	}
	return out
}

// follow yields modules, and what those of them import that are the workspace's own.
func (r *dynamicCheck) follow(queue []linked) iter.Seq2[linked, deps.Place] {
	return func(yield func(linked, deps.Place) bool) {
		seen := map[string]bool{}
		for i := 0; i < len(queue); i++ {
			place := r.find(queue[i].file, queue[i].module)
			if !yield(queue[i], place) {
				return
			}
			if !place.Own || seen[place.File] {
				continue
			}
			if len(seen) == maxLinked {
				r.once.unread = cut.Join(r.once.unread, cut.Because(fmt.Sprintf("modules behind the first %d that a file has values of are not read", maxLinked)))
				continue
			}
			seen[place.File] = true
			if m := r.at(place); m != nil {
				queue = append(queue, m.linked()...)
			}
		}
	}
}
