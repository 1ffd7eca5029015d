package rank

import (
	"math"
	"path"
	"slices"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A nameID numbers the names that a workspace defines. 0 is no name.
type nameID uint32

// A Model is what ranking needs to know of a workspace, made from its index:
// a Base, and the files that changed since.
type Model struct {
	*Base
	ix    *index.Index
	fresh map[index.FileID]*freshFile
	defs  map[nameID][]index.DefID // of the fresh files
	ids   map[string]nameID        // of names that the base does not know
}

// A freshFile is a file that is not as the base knows it.
type freshFile struct {
	dir      string // "" when the file is gone
	language string
	rows     []row
}

// A Base is made once for an index as it was built, and serves all that With
// makes of it.
type Base struct {
	ids   map[string]nameID
	files []file // by FileID
	rows  []row  // definitions, by file

	defs  lists[index.DefID]  // by name
	users lists[index.FileID] // by name: the files that use it
	names lists[nameID]       // by file: the names it uses
	parts lists[partID]       // by name: the words it is made of

	idf     []float32                 // by name
	partIdf []float32                 // by partID
	folders map[string][]index.FileID // the files directly in them
}

// A file is what a Base knows of one file; its path is "" when it is none.
type file struct {
	path, dir, language string
	first               uint32  // of its rows
	norm                float32 // length of the vector of its names' weights
}

// A row is a definition, reduced to what ranking needs.
type row struct {
	name, owner nameID
	bytes       uint16 // of its signature
	kind        language.Kind
	flags       uint8
}

const (
	exported = 1 << iota
	local
)

// lists are many short lists in one piece of memory.
type lists[T any] struct {
	start []uint32
	all   []T
}

func (l lists[T]) of(i uint32) []T {
	if int(i)+1 >= len(l.start) {
		return nil
	}
	return l.all[l.start[i]:l.start[i+1]]
}

// gather makes the lists of pairs that each calls with, in the order of calls.
func gather[T any](n int, each func(put func(list uint32, v T))) lists[T] {
	l := lists[T]{start: make([]uint32, n+1)}
	each(func(list uint32, _ T) { l.start[list+1]++ })
	for i := range n {
		l.start[i+1] += l.start[i]
	}
	l.all = make([]T, l.start[n])
	next := slices.Clone(l.start)
	each(func(list uint32, v T) {
		l.all[next[list]] = v
		next[list]++
	})
	return l
}

// NewBase makes the base of an index; it ignores the changes that With added to
// the index.
func NewBase(ix *index.Index) *Base {
	ix = ix.Base()
	b := &Base{ids: map[string]nameID{"": 0}}
	for _, f := range ix.Files() {
		b.addFile(ix, f)
	}
	b.files = append(b.files, file{first: uint32(len(b.rows))})
	b.defs = gather(len(b.ids), func(put func(uint32, index.DefID)) {
		b.eachRow(func(f index.FileID, i int, r row) { put(uint32(r.name), defID(f, i)) })
	})
	b.addUsers(ix)
	b.weigh()
	b.folders = foldersOf(b.files)
	return b
}

func defID(f index.FileID, ordinal int) index.DefID {
	return index.DefID(f)<<32 | index.DefID(uint32(ordinal))
}

// addFile adds a file and its definitions. Files come in the order of their
// ids.
func (b *Base) addFile(ix *index.Index, id index.FileID) {
	info, _ := ix.File(id)
	for int(id) > len(b.files) {
		b.files = append(b.files, file{first: uint32(len(b.rows))})
	}
	b.files = append(b.files, file{path: info.Path, dir: path.Dir(info.Path), language: info.Language, first: uint32(len(b.rows))})
	for _, d := range ix.DefIDs(id) {
		b.rows = append(b.rows, newRow(ix.Brief(d), b.intern))
	}
}

func newRow(d index.Brief, intern func(string) nameID) row {
	r := row{name: intern(d.Name), owner: intern(lastPart(d.Container)), kind: d.Kind, bytes: uint16(min(d.SigBytes, math.MaxUint16))}
	if d.Kind == language.KindHeading {
		r.name = 0
	}
	if d.Exported {
		r.flags |= exported
	}
	if d.Local {
		r.flags |= local
	}
	return r
}

func lastPart(dotted string) string {
	for i := len(dotted) - 1; i >= 0; i-- {
		if dotted[i] == '.' {
			return dotted[i+1:]
		}
	}
	return dotted
}

func (b *Base) intern(name string) nameID {
	id, ok := b.ids[name]
	if !ok {
		id = nameID(len(b.ids))
		b.ids[name] = id
	}
	return id
}

// eachRow calls f with every definition that has a name, by file and place.
func (b *Base) eachRow(f func(id index.FileID, ordinal int, r row)) {
	for id := range b.files[:len(b.files)-1] {
		for i, r := range b.rows[b.files[id].first:b.files[id+1].first] {
			if r.name != 0 {
				f(index.FileID(id), i, r)
			}
		}
	}
}

// addUsers notes which file uses which of the names.
func (b *Base) addUsers(ix *index.Index) {
	b.users.start = make([]uint32, len(b.ids)+1)
	names := make([]string, len(b.ids))
	for name, id := range b.ids {
		names[id] = name
	}
	b.addParts(names)
	for id, name := range names {
		if id != 0 && len(b.defs.of(uint32(id))) > 0 {
			b.users.all = append(b.users.all, ix.Users(name)...)
		}
		b.users.start[id+1] = uint32(len(b.users.all))
	}
	b.names = gather(len(b.files), func(put func(uint32, nameID)) {
		for id := range names {
			for _, f := range b.users.of(uint32(id)) {
				put(uint32(f), nameID(id))
			}
		}
	})
}

// weigh computes the weights that depend on how many files use a name.
func (b *Base) weigh() {
	b.idf = make([]float32, len(b.ids))
	n := float64(len(b.files))
	for id := range b.idf {
		uses := float64(len(b.users.of(uint32(id))))
		b.idf[id] = float32(math.Log(1 + n/max(uses, 1)))
	}
	for f := range b.files {
		var sum float32
		for _, id := range b.names.of(uint32(f)) {
			sum += b.idf[id] * b.idf[id]
		}
		b.files[f].norm = float32(math.Sqrt(float64(sum)))
	}
}

func (b *Base) row(id index.DefID) *row { return &b.rows[b.files[id.File()].first+uint32(id)] }

// Of returns the model of an index that With made of the base's, or of the
// base's own.
func (b *Base) Of(ix *index.Index) *Model {
	m := &Model{Base: b, ix: ix, fresh: map[index.FileID]*freshFile{}, defs: map[nameID][]index.DefID{}, ids: map[string]nameID{}}
	for _, id := range ix.Changed() {
		m.add(id)
	}
	return m
}

func (m *Model) add(id index.FileID) {
	f := &freshFile{}
	m.fresh[id] = f
	info, ok := m.ix.File(id)
	if !ok {
		return
	}
	f.dir, f.language = path.Dir(info.Path), info.Language
	ids := m.ix.DefIDs(id)
	f.rows = make([]row, 0, len(ids))
	for i, d := range ids {
		r := newRow(m.ix.Brief(d), m.intern)
		f.rows = append(f.rows, r)
		if r.name != 0 {
			m.defs[r.name] = append(m.defs[r.name], defID(id, i))
		}
	}
}

func (m *Model) intern(name string) nameID {
	if id, ok := m.name(name); ok {
		return id
	}
	id := nameID(m.numNames())
	m.ids[name] = id
	return id
}

// name finds a name that the workspace defines.
func (m *Model) name(name string) (nameID, bool) {
	if id, ok := m.Base.ids[name]; ok {
		return id, true
	}
	if len(m.ids) == 0 {
		return 0, false
	}
	id, ok := m.ids[name]
	return id, ok
}

func (m *Model) numNames() int { return len(m.Base.ids) + len(m.ids) }

// numFiles is above every FileID of the index.
func (m *Model) numFiles() int {
	n := len(m.files)
	for id := range m.fresh {
		n = max(n, int(id)+1)
	}
	return n
}

// at returns what is known of a file and of its definition.
func (m *Model) at(id index.DefID) (dir, language string, r *row) {
	if len(m.fresh) > 0 {
		if f := m.fresh[id.File()]; f != nil {
			return f.dir, f.language, &f.rows[uint32(id)]
		}
	}
	f := &m.files[id.File()]
	return f.dir, f.language, m.row(id)
}

// rowsOf are the definitions of a file.
func (m *Model) rowsOf(f index.FileID) []row {
	if fresh := m.fresh[f]; fresh != nil {
		return fresh.rows
	}
	if int(f)+1 >= len(m.files) {
		return nil
	}
	return m.rows[m.files[f].first:m.files[f+1].first]
}
