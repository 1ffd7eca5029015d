package index

import (
	"sort"
	"strings"
	"time"

	"tandem/workspace/language"
	"tandem/workspace/mapped"
)

// A defRow is one definition of a segment.
type defRow struct {
	name, container, typ uint32 // container and typ are texts
	params               uint32 // first of its parameters in segment.params
	start, end           uint32
	sigAt, sigLen        uint32 // the signature's text in segment.sigs
	doc, sig             uint16 // lines before start, and after it
	numParams            uint16
	min, max             int16
	kind                 language.Kind
	flags                uint8
}

const (
	flagExported = 1 << iota
	flagLocal
)

// A fileRow is one file of a segment. The row after the last one marks where
// the last one's parts end.
type fileRow struct {
	size          uint64
	modTime       int64 // in nanoseconds since 1970; 0 for an open buffer
	hash          uint64
	path          uint32 // text
	lang, pkg     uint32 // text
	lines         uint32
	defs, imports uint32 // first of its rows
}

// An importRow is one import of a segment; all but line are texts.
type importRow struct{ path, name, alias, line uint32 }

// columns are the parts of a segment that are saved to disk as they are: flat,
// without pointers, and never written again once the segment is made.
type columns struct {
	files   []fileRow // sorted by path, and one more
	defs    []defRow  // by file, in source order
	params  []uint32  // names
	imports []importRow

	nameAt    []uint32 // where each name begins in nameBytes, and one more
	nameBytes []byte   // names in order
	nameSlots []uint32 // hash table of names: 0 is free, else the name's number+1
	textAt    []uint32
	textBytes []byte

	defAt    []uint32 // by name, where its definitions begin in byName, and one more
	byName   []uint32 // rows of defs
	memberAt []uint32 // by name of a type, the same for byType
	byType   []uint32
	useAt    []uint32 // by name, the same for useFile and useCount
	useFile  []uint32 // rows of files
	useCount []uint8  // 255 means 255 or more

	sigs []byte // the lines of all signatures
}

// A segment is an immutable part of an index: some files and all that is
// recorded about them. The Index decides whether a file of it is still current.
type segment struct {
	columns
	data *mapped.Data // that the columns are in; nil if they are in the heap
	made time.Time    // when all of its files were read
	ids  []FileID     // by row of files: the file's number in the index
	held []string     // by row of files: the text of open buffers; nil when there are none
}

func (s *segment) numFiles() int { return max(len(s.files)-1, 0) }
func (s *segment) numNames() int { return max(len(s.nameAt)-1, 0) }

// text and name return strings in the memory of the segment: what leaves the package is a copy.
func (s *segment) text(id uint32) string {
	return mapped.String(s.textBytes[s.textAt[id]:s.textAt[id+1]])
}
func (s *segment) name(id uint32) string {
	return mapped.String(s.nameBytes[s.nameAt[id]:s.nameAt[id+1]])
}

// nameID finds a name.
func (s *segment) nameID(name string) (uint32, bool) {
	if len(s.nameSlots) == 0 {
		return 0, false
	}
	mask := uint32(len(s.nameSlots) - 1)
	for at := language.Hash(name) & mask; ; at = (at + 1) & mask {
		slot := s.nameSlots[at]
		if slot == 0 {
			return 0, false
		}
		if s.name(slot-1) == name {
			return slot - 1, true
		}
	}
}

// fileAt finds a file's row by its path.
func (s *segment) fileAt(path string) (uint32, bool) {
	n := s.numFiles()
	at := sort.Search(n, func(i int) bool { return s.text(s.files[i].path) >= path })
	return uint32(at), at < n && s.text(s.files[at].path) == path
}

// fileOf is the row of the file that a definition is in.
func (s *segment) fileOf(def uint32) uint32 {
	return uint32(sort.Search(s.numFiles(), func(i int) bool { return s.files[i+1].defs > def }))
}

func (s *segment) def(row uint32, id DefID) Def {
	d := &s.defs[row]
	out := Def{ID: id, File: id.File(), Def: language.Def{Name: strings.Clone(s.name(d.name)), Kind: d.kind, Container: strings.Clone(s.text(d.container)),
		DocLine: int(d.start) - int(d.doc), StartLine: int(d.start), SigEndLine: int(d.start) + int(d.sig), EndLine: int(d.end),
		Exported: d.flags&flagExported != 0, Local: d.flags&flagLocal != 0,
		MinParams: int(d.min), MaxParams: int(d.max), Type: strings.Clone(s.text(d.typ))}}
	if d.numParams > 0 {
		out.Params = make([]string, d.numParams)
		for i := range out.Params {
			out.Params[i] = strings.Clone(s.name(s.params[int(d.params)+i]))
		}
	}
	return out
}

func (s *segment) sigText(row uint32) string {
	d := &s.defs[row]
	return string(s.sigs[d.sigAt : d.sigAt+d.sigLen])
}

func (s *segment) fileImports(row uint32) []language.Import {
	rows := s.imports[s.files[row].imports:s.files[row+1].imports]
	out := make([]language.Import, len(rows))
	for i, r := range rows {
		out[i] = language.Import{Path: strings.Clone(s.text(r.path)), Name: strings.Clone(s.text(r.name)), Alias: strings.Clone(s.text(r.alias)), Line: int(r.line)}
	}
	return out
}

// named calls yield for each name that begins with prefix and has definitions,
// in order, until it returns false.
func (s *segment) named(prefix string, yield func(name string) bool) {
	n := s.numNames()
	for i := sort.Search(n, func(i int) bool { return s.name(uint32(i)) >= prefix }); i < n; i++ {
		name := s.name(uint32(i))
		if !strings.HasPrefix(name, prefix) || s.defAt[i] < s.defAt[i+1] && !yield(name) {
			return
		}
	}
}
