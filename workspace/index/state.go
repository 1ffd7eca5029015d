package index

import (
	"cmp"
	"maps"
	"slices"
)

// A state is which files an index has and where the current data of each is. It never
// changes once next has returned it.
//
// It consists of a few segments, the first of which holds all files of the last
// build; each later one holds files that changed since, and the latest state of
// a file is the current one.
type state struct {
	segs  []*segment
	over  []override        // the files that are not as in the first segment, by FileID
	ids   int               // FileIDs given so far; the first segment's files have their row's
	added map[string]FileID // files that are not in the first segment
	live  int               // current files
	list  *listing          // shared by all states with the same files in the same packages
}

// empty is the state of a folder without files.
var empty = &state{list: &listing{}}

// A place is the position of a file's current state; its segment is nil when
// the file was removed.
type place struct {
	seg *segment
	row uint32
}

// An override is the current state of a file that changed since the last build. There are
// few, so that the next index costs little.
type override struct {
	id FileID
	place
}

// maxSegments is how many segments there may be before the small ones are
// merged: each of them costs a lookup a fraction of a microsecond.
const maxSegments = 8

// stateOf is the state that has one segment, all of whose files are current.
func stateOf(seg *segment) *state {
	n := seg.numFiles()
	for row := range n {
		seg.ids[row] = FileID(row)
	}
	return &state{segs: []*segment{seg}, added: map[string]FileID{}, live: n, list: &listing{}, ids: n}
}

// next is the state in which the files of seg replace their former states and
// the files in gone are removed.
func (s *state) next(seg *segment, gone []string) *state {
	next := &state{segs: append(slices.Clone(s.segs), seg), over: s.over, ids: s.ids, added: s.added, live: s.live, list: s.list}
	var removed []override
	for _, path := range gone {
		if id, ok := next.find(path); ok {
			removed = append(removed, override{id: id})
			next.live--
			next.list = &listing{}
		}
	}
	next.override(removed)
	next.admit(seg)
	next.prune()
	if len(next.segs) > maxSegments {
		next.compact()
	}
	return next
}

// revive is the state in which files that were removed are as in the first segment again.
func (s *state) revive(ids []FileID) *state {
	if len(ids) == 0 {
		return s
	}
	next := *s
	next.live, next.list = s.live+len(ids), &listing{}
	next.over = slices.DeleteFunc(slices.Clone(s.over), func(o override) bool {
		_, back := slices.BinarySearch(ids, o.id)
		return back
	})
	return &next
}

// spread reports whether so many files are other ones than in the first segment that it is to be
// made anew: changed ones are in the heap, and each costs a lookup.
func (s *state) spread() bool {
	changed, removed := 0, 0
	for _, o := range s.over {
		switch {
		case o.seg == nil:
			removed++
		case o.seg.files[o.row].modTime != 0: // no open buffer
			changed++
		}
	}
	base := s.segs[0].numFiles()
	return changed > max(leastSpread, min(base/8, mostChanged)) || removed > max(leastSpread, base/2)
}

// leastSpread is how many files may always be other ones than in the first segment, and
// mostChanged how many at most may have changed: the next start reads them again.
const leastSpread, mostChanged = 64, 4096

// admit makes the files of seg current.
func (s *state) admit(seg *segment) {
	var fresh []uint32
	var now []override
	for row := range seg.numFiles() {
		path := seg.text(seg.files[row].path)
		id, known := s.number(path)
		if !known {
			fresh = append(fresh, uint32(row))
			continue
		}
		switch old, _ := s.at(id); {
		case old.seg == nil:
			s.live++
			s.list = &listing{}
		case old.seg.text(old.seg.files[old.row].pkg) != seg.text(seg.files[row].pkg):
			s.list = &listing{}
		}
		seg.ids[row] = id
		now = append(now, override{id, place{seg, uint32(row)}})
	}
	if len(fresh) > 0 {
		s.added = maps.Clone(s.added)
		s.list = &listing{}
	}
	for _, row := range fresh {
		id := FileID(s.ids)
		s.ids++
		seg.ids[row] = id
		now = append(now, override{id, place{seg, row}})
		s.added[seg.text(seg.files[row].path)] = id
		s.live++
	}
	s.override(now)
}

// override makes places the current ones of files, of which each is named once.
func (s *state) override(now []override) {
	if len(now) == 0 {
		return
	}
	byID := func(a, b override) int { return cmp.Compare(a.id, b.id) }
	slices.SortFunc(now, byID)
	out := make([]override, 0, len(s.over)+len(now))
	for _, old := range s.over {
		for len(now) > 0 && now[0].id < old.id {
			out, now = append(out, now[0]), now[1:]
		}
		if len(now) > 0 && now[0].id == old.id {
			old, now = now[0], now[1:]
		}
		out = append(out, old)
	}
	s.over = append(out, now...)
}

// overridden is the current state of a file that changed since the last build.
func (s *state) overridden(id FileID) (place, bool) {
	if len(s.over) == 0 || id < s.over[0].id || id > s.over[len(s.over)-1].id {
		return place{}, false
	}
	i, ok := slices.BinarySearchFunc(s.over, id, func(o override, id FileID) int { return cmp.Compare(o.id, id) })
	if !ok {
		return place{}, false
	}
	return s.over[i].place, true
}

// number is the FileID that a path has or had.
func (s *state) number(path string) (FileID, bool) {
	if len(s.segs) == 0 {
		return 0, false
	}
	if row, ok := s.segs[0].fileAt(path); ok {
		return s.segs[0].ids[row], true
	}
	id, ok := s.added[path]
	return id, ok
}

// find is the FileID of a current file.
func (s *state) find(path string) (FileID, bool) {
	id, ok := s.number(path)
	if !ok {
		return 0, false
	}
	_, ok = s.at(id)
	return id, ok
}

// prune drops the segments that hold no current file, but the first.
func (s *state) prune() {
	used := map[*segment]bool{s.segs[0]: true}
	for _, o := range s.over {
		used[o.seg] = true
	}
	s.segs = slices.DeleteFunc(s.segs, func(s *segment) bool { return !used[s] })
}

// compact makes one segment of all but the first.
func (s *state) compact() {
	p := newPacker()
	for _, seg := range s.segs[1:] {
		p.repack(seg, func(row int) bool { return s.current(seg, uint32(row)) })
	}
	seg := merge([]*packer{p})
	s.segs = []*segment{s.segs[0], seg}
	s.admit(seg)
}

// current reports whether a segment's file is the latest state of the file.
func (s *state) current(seg *segment, row uint32) bool {
	now, changed := s.overridden(seg.ids[row])
	return now == place{seg, row} || !changed && seg == s.segs[0]
}

// at is the position of a file; ok is false when the file was removed.
func (s *state) at(id FileID) (p place, ok bool) {
	if int(id) >= s.ids {
		return place{}, false
	}
	p, changed := s.overridden(id)
	if !changed {
		p = place{s.segs[0], uint32(id)}
	}
	return p, p.seg != nil
}

// row is the row of a definition in its file's segment; ok is false when the
// file is gone, or has no such definition any more.
func (s *state) row(id DefID) (seg *segment, row uint32, ok bool) {
	p, ok := s.at(id.File())
	if !ok {
		return nil, 0, false
	}
	row = p.seg.files[p.row].defs + uint32(id)
	return p.seg, row, row < p.seg.files[p.row+1].defs
}

// path is the path of a file, "" when it was removed.
func (s *state) path(id FileID) string {
	p, ok := s.at(id)
	if !ok {
		return ""
	}
	return p.seg.text(p.seg.files[p.row].path)
}

// def is one definition, or the zero Def when it does not exist any more.
func (s *state) def(id DefID) Def {
	seg, row, ok := s.row(id)
	if !ok {
		return Def{}
	}
	return seg.def(row, id)
}

func (s *state) defs(ids []DefID) []Def {
	out := make([]Def, len(ids))
	for i, id := range ids {
		out[i] = s.def(id)
	}
	return out
}

// collect are the current rows of those that list returns for a name.
func (s *state) collect(name string, list func(*segment, uint32) []uint32) (out []DefID) {
	from := 0
	for _, seg := range s.segs {
		id, ok := seg.nameID(name)
		if !ok {
			continue
		}
		for _, row := range list(seg, id) {
			file := seg.fileOf(row)
			if s.current(seg, file) {
				out = append(out, defID(seg.ids[file], int(row-seg.files[file].defs)))
			}
		}
		if len(out) > 0 {
			from++
		}
	}
	if from > 1 {
		slices.Sort(out)
	}
	return out
}

// numDefs is how many definitions there are. It may count those of files
// that changed since the index was built.
func (s *state) numDefs() int {
	n := 0
	for _, seg := range s.segs {
		n += len(seg.defs)
	}
	return n
}

// whole is one segment with all current files but open buffers.
func (s *state) whole() *segment {
	first := s.segs[0]
	if len(s.segs) == 1 && s.live == first.numFiles() && first.held == nil {
		return first
	}
	p := newPacker()
	for _, seg := range s.segs {
		p.repack(seg, func(row int) bool {
			return s.current(seg, uint32(row)) && seg.files[row].modTime != 0
		})
	}
	return merge([]*packer{p})
}
