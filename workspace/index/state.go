package index

import (
	"cmp"
	"maps"
	"slices"
	"sort"
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

// A place is a row of a segment.
type place struct {
	seg *segment
	row uint32
}

// A position is where a file's current state is; its segment is nil when the file was removed.
type position struct {
	place           // the file's row, or that of its first piece
	doc   *document // what the file consists of; nil: the row is all of it
}

// pieces are the file, in order.
func (p *position) pieces() []piece {
	if p.doc != nil {
		return p.doc.pieces
	}
	return []piece{{place: p.place}}
}

// content is the package that the file declares, and how large it is.
func (p *position) content() (pkg string, lines, size int) {
	if p.doc != nil {
		return p.doc.pkg, p.doc.lines, len(p.doc.text)
	}
	row := &p.seg.files[p.row]
	return p.seg.text(row.pkg), int(row.lines), int(row.size)
}

// An override is the current state of a file that changed since the last build. There are
// few, so that the next index costs little.
type override struct {
	id FileID
	position
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

// next is the state in which the files of seg and some documents replace their former states
// and the files in gone are removed.
func (s *state) next(seg *segment, docs []*document, gone []string) *state {
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
	next.admit(seg, docs)
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

// admit makes the files of seg, and documents, current.
func (s *state) admit(seg *segment, docs []*document) {
	var now []override
	owned := false
	enter := func(path string, p position) FileID {
		id, known := s.number(path)
		if !known {
			if id = FileID(s.ids); !owned {
				s.added, owned = maps.Clone(s.added), true
			}
			s.added[path] = id
		}
		old, has := s.at(id)
		s.ids = max(s.ids, int(id)+1)
		if !has {
			s.live++
		}
		if !has || pkgOf(old) != pkgOf(p) {
			s.list = &listing{}
		}
		now = append(now, override{id, p})
		return id
	}
	documented := map[string]FileID{}
	for _, doc := range docs {
		documented[doc.path] = enter(doc.path, position{doc.pieces[0].place, doc})
	}
	for row := range seg.numFiles() {
		path := seg.text(seg.files[row].path)
		id, ok := documented[path]
		if !ok {
			id = enter(path, position{place: place{seg, uint32(row)}})
		}
		seg.ids[row] = id
	}
	s.override(now)
}

func pkgOf(p position) string {
	pkg, _, _ := p.content()
	return pkg
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
func (s *state) overridden(id FileID) (position, bool) {
	if len(s.over) == 0 || id < s.over[0].id || id > s.over[len(s.over)-1].id {
		return position{}, false
	}
	i, ok := slices.BinarySearchFunc(s.over, id, func(o override, id FileID) int { return cmp.Compare(o.id, id) })
	if !ok {
		return position{}, false
	}
	return s.over[i].position, true
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
	for i := range s.over {
		for _, p := range s.over[i].pieces() {
			used[p.seg] = true
		}
	}
	s.segs = slices.DeleteFunc(s.segs, func(s *segment) bool { return !used[s] })
}

// compact makes one segment of all but the first, and but for one that has more than all others
// together: that of a large document, which each key would copy.
func (s *state) compact() {
	p := newPacker()
	var from []place
	segs := s.segs[:1:1]
	large := s.large()
	for _, seg := range s.segs[1:] {
		if seg == large {
			segs = append(segs, seg)
			continue
		}
		p.repack(seg, func(row int) bool {
			current := s.current(seg, uint32(row))
			if current {
				from = append(from, place{seg, uint32(row)})
			}
			return current
		})
	}
	seg, order := merge(p)
	moved := make(map[place]place, len(from))
	for row, at := range order {
		old := from[at.row]
		moved[old], seg.ids[row] = place{seg, uint32(row)}, old.seg.ids[old.row]
	}
	to := func(at place) place {
		if now, ok := moved[at]; ok {
			return now
		}
		return at
	}
	s.segs, s.over = append(segs, seg), slices.Clone(s.over)
	for i := range s.over {
		p := &s.over[i].position
		if p.doc != nil {
			p.doc = p.doc.moved(to)
		}
		p.place = to(p.place)
	}
}

// large is the segment but the first that has more of what is current than all others together,
// and not much else; nil if none has.
func (s *state) large() *segment {
	has, all := map[*segment]int{}, 0
	for i := range s.over {
		for _, p := range s.over[i].pieces() {
			if p.seg != nil {
				n := 1 + p.numDefs()
				has[p.seg], all = has[p.seg]+n, all+n
			}
		}
	}
	for seg, n := range has {
		if 2*n > all && 2*n > seg.numFiles()+len(seg.defs) {
			return seg
		}
	}
	return nil
}

// current reports whether a row of a segment is of the latest state of its file.
func (s *state) current(seg *segment, row uint32) bool {
	_, ok := s.piece(seg, row)
	return ok
}

// piece is the piece of a file that a row of a segment is; ok is false if it is not of the latest
// state of the file.
func (s *state) piece(seg *segment, row uint32) (p piece, ok bool) {
	now, changed := s.overridden(seg.ids[row])
	switch {
	case !changed:
		return piece{place: place{seg, row}}, seg == s.segs[0]
	case now.doc == nil:
		return piece{place: now.place}, now.place == place{seg, row}
	}
	i, ok := now.doc.number[place{seg, row}]
	if ok {
		p = now.doc.pieces[i]
	}
	return p, ok
}

// document is the open document that has a path, nil if it is not recorded part by part.
func (s *state) document(path string) *document {
	id, ok := s.number(path)
	if !ok {
		return nil
	}
	p, _ := s.at(id)
	return p.doc
}

// at is the position of a file; ok is false when the file was removed.
func (s *state) at(id FileID) (p position, ok bool) {
	if int(id) >= s.ids {
		return position{}, false
	}
	p, changed := s.overridden(id)
	if !changed {
		p.place = place{s.segs[0], uint32(id)}
	}
	return p, p.seg != nil
}

// row is the row of a definition, and the piece of its file that it is in; ok is false when the
// file is gone, or has no such definition any more.
func (s *state) row(id DefID) (in piece, row uint32, ok bool) {
	p, ok := s.at(id.File())
	if !ok {
		return piece{}, 0, false
	}
	n, pieces := int(uint32(id)), p.pieces()
	below := sort.Search(len(pieces), func(i int) bool { return pieces[i].def > n })
	in = pieces[below-1]
	row, ok = in.at(n)
	return in, row, ok
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
	p, row, ok := s.row(id)
	if !ok {
		return Def{}
	}
	return p.defAt(row, id)
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
	for _, seg := range s.segs {
		id, ok := seg.nameID(name)
		if !ok {
			continue
		}
		for _, row := range list(seg, id) {
			file := seg.fileOf(row)
			p, ok := s.piece(seg, file)
			if !ok {
				continue
			}
			if n, ok := p.ordinal(row); ok {
				out = append(out, defID(seg.ids[file], n))
			}
		}
	}
	if len(s.segs) > 1 {
		slices.SortFunc(out, func(a, b DefID) int { return cmp.Or(s.order(a.File(), b.File()), cmp.Compare(a, b)) })
	}
	return out
}

// order compares files by their paths, in which order those of the first segment have their IDs.
func (s *state) order(a, b FileID) int {
	if n := FileID(s.segs[0].numFiles()); a < n && b < n {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(s.path(a), s.path(b))
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
	seg, _ := merge(p)
	return seg
}
