package index

import (
	"iter"
	"maps"
	"path"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"tandem/workspace/rel"
)

// A listing is data about the set of files, computed at its first use.
type listing struct {
	once     sync.Once
	sorted   []FileID
	dirs     map[string][]FileID // by directory
	bases    map[string][]FileID // by the path's last part
	packages map[string][]FileID // by the package that the file declares
}

// listed is the state's listing, computed.
func (s *state) listed() *listing {
	s.list.once.Do(func() { s.list.fill(s) })
	return s.list
}

func (l *listing) fill(s *state) {
	l.sorted = make([]FileID, 0, s.live)
	for id := range s.ids {
		if _, ok := s.at(FileID(id)); ok {
			l.sorted = append(l.sorted, FileID(id))
		}
	}
	slices.SortFunc(l.sorted, s.order)
	l.dirs, l.bases, l.packages = map[string][]FileID{}, map[string][]FileID{}, map[string][]FileID{}
	for _, id := range l.sorted {
		p, _ := s.at(id)
		file := s.path(id)
		dir, base := dirOf(file), path.Base(file)
		enter(l.dirs, dir, id)
		enter(l.bases, base, id)
		if pkg, _, _ := p.content(); pkg != "" {
			enter(l.packages, pkg, id)
		}
	}
}

// enter adds a file to a key's, of which the map has a copy.
func enter(into map[string][]FileID, key string, id FileID) {
	list, known := into[key]
	if !known {
		key = strings.Clone(key)
	}
	into[key] = append(list, id)
}

// Files are all files, in the order of their paths. The slice is shared.
func (ix *Index) Files() []FileID {
	defer runtime.KeepAlive(ix)
	return ix.state().listed().sorted
}

// Below are the files below a directory, in the order of their paths. The slice is shared.
func (ix *Index) Below(dir rel.Path) []FileID {
	defer runtime.KeepAlive(ix)
	all, s := ix.Files(), ix.state()
	if dir.IsRoot() {
		return all
	}
	from := func(path string) int {
		return sort.Search(len(all), func(i int) bool { return s.path(all[i]) >= path })
	}
	return all[from(dir.String()+"/"):from(dir.String()+"0")] // 0 follows /
}

// Dir are the files directly in a directory ("." is the folder itself), in the
// order of their paths. The slice is shared.
func (ix *Index) Dir(dir string) []FileID {
	defer runtime.KeepAlive(ix)
	return ix.state().listed().dirs[dir]
}

// Dirs yields the directories that have files, as Dir takes them, in no order.
func (ix *Index) Dirs() iter.Seq[string] {
	defer runtime.KeepAlive(ix)
	return maps.Keys(ix.state().listed().dirs)
}

// Package are the files that declare that they belong to a package, module or
// namespace, in the order of their paths. The slice is shared.
func (ix *Index) Package(name string) []FileID {
	defer runtime.KeepAlive(ix)
	return ix.state().listed().packages[name]
}

// Named are the files whose path ends with a name (go.mod, main.py), in the
// order of their paths. The slice is shared.
func (ix *Index) Named(base string) []FileID {
	defer runtime.KeepAlive(ix)
	return ix.state().listed().bases[base]
}
