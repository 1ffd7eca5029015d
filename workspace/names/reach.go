package names

import (
	"iter"

	"tandem/workspace/deps"
)

// maxReach bounds the modules of which one module has every name.
const maxReach = 1000

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
				place := r.star(at.m, star)
				if !seen[place.File] {
					seen[place.File] = place.File != ""
					queue = append(queue, reached{place, r.starModule(place)})
				}
			}
		}
	}
}

// star is the place of a module as another one names it.
func (r *dynamicCheck) star(m *module, name string) deps.Place {
	if m.python {
		return r.findPython(m.path, name)
	}
	return r.resolve(m.path, name)
}

// starModule reads the module at a place, nil if there is none of this language.
func (r *dynamicCheck) starModule(place deps.Place) *module {
	if r.family != "python" {
		return r.moduleOf(place)
	}
	if place.File == "" {
		return nil
	}
	return r.module(place.File, place)
}
