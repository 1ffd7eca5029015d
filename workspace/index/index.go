package index

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// A File is the recorded data of one file, without its text.
type File struct {
	ID       FileID
	Path     string // relative to the folder, with slashes
	Language string
	Package  string // package, module or namespace that the file declares
	Lines    int
	Size     int
	ModTime  time.Time // zero for an open buffer
	Hash     uint64    // of the text
}

// An Index describes what one folder defined and used at one instant. It never
// changes; the nil Index is that of an empty folder.
//
// It consists of a few segments, the first of which holds all files of the last
// build; each later one holds files that changed since, and the latest state of
// a file is the current one.
type Index struct {
	root  string
	base  *Index // as it was built; itself in an index that With did not make
	segs  []*segment
	over  []override        // the files that are not as in the first segment, by FileID
	ids   int               // FileIDs given so far; the first segment's files have their row's
	added map[string]FileID // files that are not in the first segment
	live  int               // current files
	list  *listing          // shared by all states with the same files in the same packages
}

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

// New returns the index of the files given.
func New(changes ...Change) *Index { return (*Index)(nil).With(changes...) }

// of returns the index that has one segment.
func of(root string, seg *segment) *Index {
	ix := &Index{root: root, segs: []*segment{seg}, added: map[string]FileID{}, live: seg.numFiles(), list: &listing{}, ids: seg.numFiles()}
	ix.base = ix
	for row := range ix.ids {
		seg.ids[row] = FileID(row)
	}
	return ix
}

// With returns the next index, in which the files given have their new state.
// It takes time in proportion to the changes.
func (ix *Index) With(changes ...Change) *Index {
	p := newPacker()
	var gone []string
	last := map[string]int{}
	for i, c := range changes {
		last[c.Path] = i
	}
	for i, c := range changes {
		switch {
		case last[c.Path] != i:
		case c.Removed:
			gone = append(gone, c.Path)
		default:
			p.change(c)
		}
	}
	return ix.next(merge([]*packer{p}), gone)
}

// change packs one change. It keeps the text of an open buffer, since no file
// has it.
func (p *packer) change(c Change) {
	st := stamp{size: uint64(len(c.Text)), hash: hashOf([]byte(c.Text))}
	if !c.ModTime.IsZero() {
		st.modTime = c.ModTime.UnixNano()
	}
	if c.Scan != nil {
		p.addScan(p.scanner.Take(c.Scan), c.Path, c.Text, st)
	} else {
		p.add(c.Language, c.Path, c.Text, st)
	}
	if st.modTime == 0 {
		p.held[len(p.held)-1] = c.Text
	}
}

// next is the index in which the files of seg replace their former states and
// the files in gone are removed.
func (ix *Index) next(seg *segment, gone []string) *Index {
	if ix == nil {
		return of("", seg)
	}
	next := &Index{root: ix.root, base: ix.base, segs: append(slices.Clone(ix.segs), seg), over: ix.over, ids: ix.ids, added: ix.added, live: ix.live, list: ix.list}
	var removed []override
	for _, path := range gone {
		if id, ok := next.FileID(path); ok {
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

// admit makes the files of seg current.
func (ix *Index) admit(seg *segment) {
	var fresh []uint32
	var now []override
	for row := range seg.numFiles() {
		path := seg.text(seg.files[row].path)
		id, known := ix.number(path)
		if !known {
			fresh = append(fresh, uint32(row))
			continue
		}
		switch old, _ := ix.at(id); {
		case old.seg == nil:
			ix.live++
			ix.list = &listing{}
		case old.seg.text(old.seg.files[old.row].pkg) != seg.text(seg.files[row].pkg):
			ix.list = &listing{}
		}
		seg.ids[row] = id
		now = append(now, override{id, place{seg, uint32(row)}})
	}
	if len(fresh) > 0 {
		ix.added = maps.Clone(ix.added)
		ix.list = &listing{}
	}
	for _, row := range fresh {
		id := FileID(ix.ids)
		ix.ids++
		seg.ids[row] = id
		now = append(now, override{id, place{seg, row}})
		ix.added[seg.text(seg.files[row].path)] = id
		ix.live++
	}
	ix.override(now)
}

// override makes places the current ones of files, of which each is named once.
func (ix *Index) override(now []override) {
	if len(now) == 0 {
		return
	}
	byID := func(a, b override) int { return cmp.Compare(a.id, b.id) }
	slices.SortFunc(now, byID)
	out := make([]override, 0, len(ix.over)+len(now))
	for _, old := range ix.over {
		for len(now) > 0 && now[0].id < old.id {
			out, now = append(out, now[0]), now[1:]
		}
		if len(now) > 0 && now[0].id == old.id {
			old, now = now[0], now[1:]
		}
		out = append(out, old)
	}
	ix.over = append(out, now...)
}

// overridden is the current state of a file that changed since the last build.
func (ix *Index) overridden(id FileID) (place, bool) {
	if len(ix.over) == 0 || id < ix.over[0].id || id > ix.over[len(ix.over)-1].id {
		return place{}, false
	}
	i, ok := slices.BinarySearchFunc(ix.over, id, func(o override, id FileID) int { return cmp.Compare(o.id, id) })
	if !ok {
		return place{}, false
	}
	return ix.over[i].place, true
}

// number is the FileID that a path has or had.
func (ix *Index) number(path string) (FileID, bool) {
	if row, ok := ix.segs[0].fileAt(path); ok {
		return ix.segs[0].ids[row], true
	}
	id, ok := ix.added[path]
	return id, ok
}

// prune drops the segments that hold no current file, but the first.
func (ix *Index) prune() {
	used := map[*segment]bool{ix.segs[0]: true}
	for _, o := range ix.over {
		used[o.seg] = true
	}
	ix.segs = slices.DeleteFunc(ix.segs, func(s *segment) bool { return !used[s] })
}

// compact makes one segment of all but the first.
func (ix *Index) compact() {
	p := newPacker()
	for _, seg := range ix.segs[1:] {
		p.repack(seg, func(row int) bool { return ix.current(seg, uint32(row)) })
	}
	seg := merge([]*packer{p})
	ix.segs = []*segment{ix.segs[0], seg}
	ix.admit(seg)
}

// current reports whether a segment's file is the latest state of the file.
func (ix *Index) current(seg *segment, row uint32) bool {
	now, changed := ix.overridden(seg.ids[row])
	return now == place{seg, row} || !changed && seg == ix.segs[0]
}

// at is the position of a file; ok is false when the file was removed.
func (ix *Index) at(id FileID) (p place, ok bool) {
	if ix == nil || int(id) >= ix.ids {
		return place{}, false
	}
	p, changed := ix.overridden(id)
	if !changed {
		p = place{ix.segs[0], uint32(id)}
	}
	return p, p.seg != nil
}

// Root is the folder the index was built from; "" when it was made by New.
func (ix *Index) Root() string { return ix.root }

// Base is the index as it was built, before With: the same for all indexes that
// With made from it, so that data derived from it can be kept.
func (ix *Index) Base() *Index {
	if ix == nil {
		return nil
	}
	return ix.base
}

// Changed are the files that differ from Base, removed files included, in no
// order of paths.
func (ix *Index) Changed() []FileID {
	if ix == nil {
		return nil
	}
	var out []FileID
	for _, o := range ix.over {
		out = append(out, o.id)
	}
	return out
}

// NumFiles is how many files the index holds.
func (ix *Index) NumFiles() int {
	if ix == nil {
		return 0
	}
	return ix.live
}

// NumDefs is how many definitions the index holds. It may count those of files
// that changed since the index was built.
func (ix *Index) NumDefs() int {
	n := 0
	for _, seg := range ix.segments() {
		n += len(seg.defs)
	}
	return n
}

func (ix *Index) segments() []*segment {
	if ix == nil {
		return nil
	}
	return ix.segs
}

// FileID finds a file by its path, relative to the folder, with slashes.
func (ix *Index) FileID(path string) (FileID, bool) {
	if ix == nil {
		return 0, false
	}
	id, ok := ix.number(path)
	if !ok {
		return 0, false
	}
	_, ok = ix.at(id)
	return id, ok
}

// File returns the data of a file; ok is false when the file was removed.
func (ix *Index) File(id FileID) (f File, ok bool) {
	p, ok := ix.at(id)
	if !ok {
		return File{}, false
	}
	row := &p.seg.files[p.row]
	f = File{ID: id, Path: p.seg.text(row.path), Language: p.seg.text(row.lang), Package: p.seg.text(row.pkg),
		Lines: int(row.lines), Size: int(row.size), Hash: row.hash}
	if row.modTime != 0 {
		f.ModTime = time.Unix(0, row.modTime)
	}
	return f, true
}

// Path is the path of a file, "" when it was removed.
func (ix *Index) Path(id FileID) string {
	p, ok := ix.at(id)
	if !ok {
		return ""
	}
	return p.seg.text(p.seg.files[p.row].path)
}

// Language is the language id of a file.
func (ix *Index) Language(id FileID) string { f, _ := ix.File(id); return f.Language }
