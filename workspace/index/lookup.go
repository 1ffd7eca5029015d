package index

import (
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"

	"tandem/workspace/language"
)

// dirOf is path.Dir for a path that is already clean.
func dirOf(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i]
	}
	return "."
}

// Def is one definition, or the zero Def when it does not exist any more.
func (ix *Index) Def(id DefID) Def {
	defer runtime.KeepAlive(ix)
	return ix.state().def(id)
}

// A Brief is the part of a definition that choosing it needs.
type Brief struct {
	Name, Container    string
	Kind               language.Kind
	Exported, Local    bool
	DocLine, StartLine int
	EndLine            int
	SigBytes           int // length of SigText
}

// Brief is the short form of Def.
func (ix *Index) Brief(id DefID) Brief {
	defer runtime.KeepAlive(ix)
	p, row, ok := ix.state().row(id)
	if !ok {
		return Brief{}
	}
	d, start := &p.seg.defs[row], p.line+int(p.seg.defs[row].start)
	return Brief{Name: strings.Clone(p.seg.name(d.name)), Container: strings.Clone(p.seg.text(d.container)), Kind: d.kind, Exported: d.flags&flagExported != 0,
		Local: d.flags&flagLocal != 0, DocLine: start - int(d.doc), StartLine: start, EndLine: p.line + int(d.end), SigBytes: int(d.sigLen)}
}

// DefIDs are the definitions of a file in source order.
func (ix *Index) DefIDs(f FileID) []DefID {
	defer runtime.KeepAlive(ix)
	p, ok := ix.state().at(f)
	if !ok {
		return nil
	}
	pieces := p.pieces()
	last := &pieces[len(pieces)-1]
	out := make([]DefID, last.def+last.numDefs())
	for i := range out {
		out[i] = defID(f, i)
	}
	return out
}

// Defs are the definitions of a file in source order.
func (ix *Index) Defs(f FileID) []Def {
	defer runtime.KeepAlive(ix)
	return ix.state().defs(ix.DefIDs(f))
}

// LookupIDs are the definitions of a name, by file and position.
func (ix *Index) LookupIDs(name string) []DefID {
	defer runtime.KeepAlive(ix)
	return ix.state().collect(name, func(seg *segment, id uint32) []uint32 { return seg.byName[seg.defAt[id]:seg.defAt[id+1]] })
}

// Lookup are the definitions of a name, by file and position.
func (ix *Index) Lookup(name string) []Def {
	defer runtime.KeepAlive(ix)
	return ix.state().defs(ix.LookupIDs(name))
}

// Members are the members of the types and namespaces of that name (the innermost part of
// Def.Container), by file and position.
func (ix *Index) Members(typ string) []Def {
	defer runtime.KeepAlive(ix)
	return ix.state().defs(ix.state().collect(typ, func(seg *segment, id uint32) []uint32 { return seg.byType[seg.memberAt[id]:seg.memberAt[id+1]] }))
}

// A Use is how often a file's code contains an identifier.
type Use struct {
	File  FileID
	Count int // 255 means 255 or more
}

// Uses are the files whose code contains an identifier, by file. Its own
// definitions count, strings and comments do not.
func (ix *Index) Uses(name string) []Use {
	defer runtime.KeepAlive(ix)
	s, out := ix.state(), slices.Collect(ix.EachUse(name))
	if len(s.segs) == 1 {
		return out
	}
	slices.SortFunc(out, func(a, b Use) int { return s.order(a.File, b.File) })
	whole := out[:0]
	for _, u := range out {
		if n := len(whole); n > 0 && whole[n-1].File == u.File { // pieces of one file
			whole[n-1].Count = min(whole[n-1].Count+u.Count, math.MaxUint8)
			continue
		}
		whole = append(whole, u)
	}
	return whole
}

// EachUse yields what Uses returns, in no order; the pieces of a file come one by one.
func (ix *Index) EachUse(name string) iter.Seq[Use] {
	return func(yield func(Use) bool) {
		defer runtime.KeepAlive(ix)
		s := ix.state()
		for _, seg := range s.segs {
			id, ok := seg.nameID(name)
			if !ok {
				continue
			}
			for k := seg.useAt[id]; k < seg.useAt[id+1]; k++ {
				if file := seg.useFile[k]; s.current(seg, file) && !yield(Use{seg.ids[file], int(seg.useCount[k])}) {
					return
				}
			}
		}
	}
}

// Users is Uses without the counts.
func (ix *Index) Users(name string) []FileID {
	defer runtime.KeepAlive(ix)
	uses := ix.Uses(name)
	out := make([]FileID, len(uses))
	for i, u := range uses {
		out[i] = u.File
	}
	return out
}

// DocFreq is the number of files whose code contains an identifier. It costs
// one lookup, and one of each file that changed since the index was built.
func (ix *Index) DocFreq(name string) int {
	defer runtime.KeepAlive(ix)
	n, s := 0, ix.state()
	var later []FileID // that are not as in the first segment, some of them in pieces
	for i, seg := range s.segs {
		id, ok := seg.nameID(name)
		if !ok {
			continue
		}
		files := seg.useFile[seg.useAt[id]:seg.useAt[id+1]] // in order
		if i > 0 {
			for _, file := range files {
				if s.current(seg, file) {
					later = append(later, seg.ids[file])
				}
			}
			continue
		}
		n += len(files)
		if len(files) < len(s.over) {
			for _, file := range files {
				if !s.current(seg, file) {
					n--
				}
			}
			continue
		}
		for _, o := range s.over {
			if _, has := slices.BinarySearch(files, uint32(o.id)); has {
				n--
			}
		}
	}
	slices.Sort(later)
	return n + len(slices.Compact(later))
}

// Imports are the imports of a file in source order.
func (ix *Index) Imports(f FileID) []language.Import {
	defer runtime.KeepAlive(ix)
	p, ok := ix.state().at(f)
	if !ok {
		return nil
	}
	var out []language.Import
	for _, piece := range p.pieces() {
		for _, im := range piece.seg.fileImports(piece.row) {
			im.Line += piece.line
			out = append(out, im)
		}
	}
	return out
}

// SigText is the text of a definition's signature, lines StartLine to
// SigEndLine with their line ends, as it was when the file was indexed. It
// reads no file.
func (ix *Index) SigText(id DefID) string {
	defer runtime.KeepAlive(ix)
	p, row, ok := ix.state().row(id)
	if !ok {
		return ""
	}
	return p.seg.sigText(row)
}

// Around yields the definitions of a file that have a line, or above which a comment has it,
// the last one first.
func (ix *Index) Around(f FileID, line int) iter.Seq2[DefID, Brief] {
	return func(yield func(DefID, Brief) bool) {
		defer runtime.KeepAlive(ix)
		p, ok := ix.state().at(f)
		if !ok {
			return
		}
		for _, piece := range slices.Backward(p.pieces()) {
			from, to := piece.defs()
			for row := to; row > from; row-- {
				d, line := &piece.seg.defs[row-1], line-piece.line
				if line < int(d.start)-int(d.doc) || int(d.end) < line {
					continue
				}
				if i, ok := piece.ordinal(row - 1); ok && !yield(defID(f, i), ix.Brief(defID(f, i))) {
					return
				}
			}
		}
	}
}

// Enclosing are the definitions of a file whose lines contain the given one,
// the outermost first.
func (ix *Index) Enclosing(f FileID, line int) []Def {
	defer runtime.KeepAlive(ix)
	return ix.Between(f, line, line)
}

// Between are the definitions of a file that have one of some lines, from first to last,
// in the file's order.
func (ix *Index) Between(f FileID, first, last int) []Def {
	defer runtime.KeepAlive(ix)
	p, ok := ix.state().at(f)
	if !ok {
		return nil
	}
	var out []Def
	for _, piece := range p.pieces() {
		from, to := piece.defs()
		for row := from; row < to; row++ {
			d := &piece.seg.defs[row]
			if piece.line+int(d.start) > last {
				return out
			}
			if i, ok := piece.ordinal(row); ok && first <= piece.line+int(d.end) {
				out = append(out, piece.defAt(row, defID(f, i)))
			}
		}
	}
	return out
}
