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
	find := r.resolve
	if r.family == "python" {
		find = r.findPython
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
				place := find(at.m.path, star)
				if !seen[place.File] {
					seen[place.File] = place.File != ""
					queue = append(queue, reached{place, r.at(place)})
				}
			}
		}
	}
}
