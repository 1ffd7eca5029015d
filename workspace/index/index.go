package index

import (
	"runtime"
	"strings"
	"time"

	"tandem/workspace/mapped"
	"tandem/workspace/rel"
)

// A File is the recorded data of one file, without its text.
type File struct {
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
// Its methods look things up. What follows from several lookups is a function:
// Resolve (what an import means), Implementations, Prefix and Nearest.
//
// An index may lie in mapped memory, which is given back when the index is garbage. So whatever
// leaves the package is a copy, and what reads the memory keeps the index alive until it returns.
type Index struct {
	root string // the folder it was built from; "" when it was made by New
	base *Index // as it was built; itself in an index that With did not make
	now  *state
}

// New returns the index of the files given.
func New(changes ...Change) *Index { return (*Index)(nil).With(changes...) }

// of returns the index that has one segment.
func of(root string, seg *segment) *Index {
	ix := &Index{root: root, now: stateOf(seg)}
	ix.base = ix
	return ix
}

// With returns the next index, in which the files given have their new state.
// It takes time in proportion to the changes.
func (ix *Index) With(changes ...Change) *Index {
	defer runtime.KeepAlive(ix)
	p := packers.Get().(*packer)
	defer func() {
		p.reset()
		packers.Put(p)
	}()
	var gone []string
	var docs []*document
	last := map[rel.Path]int{}
	for i, c := range changes {
		last[c.Path] = i
	}
	for i, c := range changes {
		switch {
		case last[c.Path] != i:
		case c.Removed:
			gone = append(gone, c.Path.String())
		case ix != nil && len(c.Parts) > 1:
			docs = append(docs, p.document(c, ix.now.document(c.Path.String())))
		default:
			p.change(c)
		}
	}
	seg, order := merge(p)
	if ix == nil {
		return of("", seg)
	}
	rows := make([]uint32, len(order))
	for row, from := range order {
		rows[from.row] = uint32(row)
	}
	for i, doc := range docs {
		docs[i] = doc.moved(func(at place) place {
			if at.seg == nil {
				return place{seg, rows[at.row]}
			}
			return at
		})
	}
	return &Index{root: ix.root, base: ix.base, now: ix.now.next(seg, docs, gone)}
}

// state is where the files of the index are.
func (ix *Index) state() *state {
	if ix == nil {
		return empty
	}
	return ix.now
}

// Base is the index as it was built, before With: the same for all indexes that
// With made from it, so that data derived from it can be kept.
func (ix *Index) Base() *Index {
	defer runtime.KeepAlive(ix)
	if ix == nil {
		return nil
	}
	return ix.base
}

// Rebased is an equal index that is its own base, without open buffers.
func (ix *Index) Rebased() *Index {
	defer runtime.KeepAlive(ix)
	if ix == nil || ix == ix.base {
		return ix
	}
	whole := ix.now.whole()
	return of(ix.root, whole)
}

// Changed are the files that differ from Base, removed files included, in no
// order of paths.
func (ix *Index) Changed() []FileID {
	defer runtime.KeepAlive(ix)
	var out []FileID
	for _, o := range ix.state().over {
		out = append(out, o.id)
	}
	return out
}

// Spread reports whether so many files on disk are other ones than in Base that it is worth what
// it costs to make a new one.
func (ix *Index) Spread() bool {
	defer runtime.KeepAlive(ix)
	return ix != nil && ix.now.spread()
}

// Saved reports whether the data of Base is in a file.
func (ix *Index) Saved() bool {
	defer runtime.KeepAlive(ix)
	return ix != nil && ix.now.segs[0].data != nil
}

// NumFiles is how many files the index holds.
func (ix *Index) NumFiles() int {
	defer runtime.KeepAlive(ix)
	return ix.state().live
}

// FileID finds a file by its path, relative to the folder, with slashes.
func (ix *Index) FileID(path string) (FileID, bool) {
	defer runtime.KeepAlive(ix)
	return ix.state().find(path)
}

// Has reports whether a change of a file on disk would change nothing.
func (ix *Index) Has(c Change) bool {
	defer runtime.KeepAlive(ix)
	id, ok := ix.FileID(c.Path.String())
	if c.Removed || !ok {
		return c.Removed != ok
	}
	p, _ := ix.state().at(id)
	row := &p.seg.files[p.row]
	return p.doc == nil && row.size == uint64(len(c.Text)) && row.hash == hashOf(mapped.Bytes(c.Text))
}

// File returns the data of a file; ok is false when the file was removed.
func (ix *Index) File(id FileID) (f File, ok bool) {
	defer runtime.KeepAlive(ix)
	p, ok := ix.state().at(id)
	if !ok {
		return File{}, false
	}
	row := &p.seg.files[p.row]
	pkg, lines, size := p.content()
	f = File{Path: strings.Clone(p.seg.text(row.path)), Language: strings.Clone(p.seg.text(row.lang)), Package: strings.Clone(pkg), Lines: lines, Size: size, Hash: row.hash}
	if p.doc != nil {
		f.Hash = p.doc.hash()
	}
	if row.modTime != 0 {
		f.ModTime = time.Unix(0, row.modTime)
	}
	return f, true
}

// Path is the path of a file, "" when it was removed.
func (ix *Index) Path(id FileID) string {
	defer runtime.KeepAlive(ix)
	return strings.Clone(ix.state().path(id))
}

// Language is the language id of a file.
func (ix *Index) Language(id FileID) string {
	defer runtime.KeepAlive(ix)
	p, ok := ix.state().at(id)
	if !ok {
		return ""
	}
	return strings.Clone(p.seg.text(p.seg.files[p.row].lang))
}
