package similar

import (
	"context"
	"math"
	"path"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// Options are how a corpus is read.
type Options struct {
	Texts Texts
	Steps []Step // what lately changed the files, the newest first; there may be none
	Keep  string // file that keeps what is known of the files for the next start; "" keeps nothing
}

// NewCorpus reads the files of an index as it was built; those that are kept in the same
// state are not read again. It returns nil when ctx ends.
func NewCorpus(ctx context.Context, ix *index.Index, o Options) *Corpus {
	ix = ix.Base()
	kept := readColumns(o.Keep)
	if kept != nil {
		if ids, ok := kept.current(ix); ok {
			return open(kept, ids, ix, o)
		}
	}
	built := build(ctx, ix, o.Texts, kept)
	if built == nil {
		return nil
	}
	if again := (&columns{}); o.Keep != "" && format.Keep(o.Keep, built.list(), again.list()) == nil {
		built = again // in place of the memory that building took
	}
	ids, ok := built.current(ix)
	if !ok {
		return nil
	}
	return open(built, ids, ix, o)
}

// A builder reads the files of an index into columns.
type builder struct {
	Corpus
	kept     *columns
	paths    map[string]int32 // rows of kept
	files    []*file          // by row
	users    [][]uint32       // by word
	pieces   int
	partOf   map[string]uint32
	partList []string
	weights  []float32 // by part
}

// build reads the files of an index, and takes those that are kept in the same state from
// there.
func build(ctx context.Context, ix *index.Index, texts Texts, kept *columns) *columns {
	b := &builder{kept: kept, partOf: map[string]uint32{}}
	b.texts = texts
	b.useKept(ix)
	b.numFiles = len(ix.Files())
	out := &columns{}
	words := 0
	var infos []index.File
	for _, id := range ix.Files() {
		if ctx.Err() != nil {
			return nil
		}
		info, ok := ix.File(id)
		if !ok || !isCode(info.Language) {
			continue
		}
		f := b.keptFile(info)
		if f == nil {
			f = b.read(ix, id)
		}
		infos, b.files = append(infos, info), append(b.files, f)
		if f != nil {
			words += b.count(uint32(len(b.files)-1), f)
		}
	}
	b.finish(out)
	for i, f := range b.files {
		out.put(infos[i].Path, infos[i].Hash, f)
	}
	out.totals = []uint64{uint64(b.numFiles), uint64(b.pieces), math.Float64bits(float64(words) / float64(max(1, b.pieces)))}
	return out
}

// fewUnused is how many names that no file has are not worth numbering all anew; the
// reserved words are among them.
const fewUnused = 2000

// useKept begins with the names that are kept, if they are of most of the files: names that
// no file has any more are not removed.
func (b *builder) useKept(ix *index.Index) {
	b.scanner = language.NewScanner()
	if b.kept == nil {
		return
	}
	b.paths = b.kept.byPath()
	same, all := 0, 0
	for _, id := range ix.Files() {
		info, _ := ix.File(id)
		if !isCode(info.Language) {
			continue
		}
		all++
		if at, ok := b.paths[info.Path]; ok && b.kept.rows[at].hash == info.Hash {
			same++
		}
	}
	unused := 0
	for _, n := range b.kept.inFiles {
		if n == 0 {
			unused++
		}
	}
	if 2*same < all || 3*(unused-fewUnused) > len(b.kept.inFiles) {
		b.kept = nil
		return
	}
	b.scanner = language.NewScannerOver(&b.kept.names)
	b.grow(b.kept.names.Len())
}

// keptFile is a file that is kept in its state; nil if it is not.
func (b *builder) keptFile(info index.File) *file {
	if b.kept == nil {
		return nil
	}
	at, ok := b.paths[info.Path]
	if !ok || b.kept.rows[at].hash != info.Hash {
		return nil
	}
	f := b.kept.file(&b.kept.rows[at])
	if f != nil {
		f.stem = nil // parts are numbered anew
	}
	return f
}

// count adds a file to what is counted by word, and returns its words.
func (b *builder) count(at uint32, f *file) (words int) {
	b.grow(b.scanner.Names().Len())
	for len(b.users) < b.scanner.Names().Len() {
		b.users = append(b.users, nil)
	}
	b.distinct(f, func(w word) {
		b.inFiles.more[w]++
		b.users[w] = append(b.users[w], at)
	})
	for _, p := range f.pieces {
		b.mark++
		eachWord(f.words[p.at:p.end], func(w word, _, _ bool) {
			words++
			if b.marks[w] != b.mark {
				b.marks[w] = b.mark
				b.inPieces.more[w]++
			}
		})
	}
	b.pieces += len(f.pieces)
	for _, d := range f.defs {
		if b.defined.more[d.name] < math.MaxUint16 {
			b.defined.more[d.name]++
		}
	}
	return words
}

// finish computes what needs all files.
func (b *builder) finish(out *columns) {
	names := b.scanner.Names()
	b.grow(names.Len())
	b.numPieces = b.pieces
	for w := range word(names.Len()) {
		eachPart(names.Name(w), func(part string) {
			id := b.part(part)
			b.weights[id]++
			out.partIDs = append(out.partIDs, id)
		})
		out.partEnds = append(out.partEnds, uint32(len(out.partIDs)))
		if int(w) < len(b.users) {
			out.users = append(out.users, b.users[w]...)
			b.users[w] = nil
		}
		out.userEnds = append(out.userEnds, uint32(len(out.users)))
		b.weighWord(w)
	}
	for _, n := range b.weights {
		out.partWeight = append(out.partWeight, float32(1/math.Log(3+float64(n))))
	}
	for _, f := range b.files {
		if f != nil {
			f.norm = b.normOf(f)
			f.stem = nil
			eachPart(stemOf(f.path), func(part string) {
				if id, ok := b.partOf[part]; ok {
					f.stem = append(f.stem, id)
				}
			})
		}
	}
	parts := language.NewInterner()
	for _, part := range b.partList { // an interner begins with the empty name
		parts.Intern(part)
	}
	out.names, out.parts = *names.Table(), *parts.Table()
	out.inFiles, out.inPieces, out.defined = b.inFiles.more, b.inPieces.more, b.defined.more
	out.rare, out.rarePieces, out.prior = b.rare.more, b.rarePieces.more, b.prior.more
}

// part numbers a part of names.
func (b *builder) part(text string) uint32 {
	id, ok := b.partOf[text]
	if !ok {
		id = uint32(len(b.partList))
		text = strings.Clone(text)
		b.partOf[text] = id
		b.partList = append(b.partList, text)
		b.weights = append(b.weights, 0)
	}
	return id
}

// stemOf is the name of a file without its ending.
func stemOf(rel string) string {
	base := path.Base(rel)
	return strings.TrimSuffix(base, path.Ext(base))
}

func folderOf(rel string) string { return path.Dir(rel) }
