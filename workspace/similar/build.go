package similar

import (
	"context"
	"math"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// Options are how a corpus is read.
type Options struct {
	Texts Texts
	Keep  string // file that keeps what is known of the files for the next start; "" keeps nothing
}

// NewCorpus reads the files of an index as it was built; those that are kept in the same
// state are not read again. It returns nil when ctx ends.
func NewCorpus(ctx context.Context, ix *index.Index, o Options) *Corpus {
	ix = ix.Base()
	kept := readColumns(o.Keep)
	if kept != nil {
		if ids, ok := kept.current(ix); ok {
			return open(kept, ids, o)
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
	return open(built, ids, o)
}

// A builder reads the files of an index into columns.
type builder struct {
	corpus Corpus // of what was read until now
	kept   *columns
	paths  map[string]int32 // rows of kept
	users  [][]uint32       // by word
	pieces int
}

// build reads the files of an index, and takes those that are kept in the same state from
// there.
func build(ctx context.Context, ix *index.Index, texts Texts, kept *columns) *columns {
	b := &builder{kept: kept}
	b.corpus.texts = texts
	b.useKept(ix)
	out := &columns{}
	words := 0
	var infos []index.File
	var files []*file // by row
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
			f = b.corpus.read(ix, id)
		}
		infos, files = append(infos, info), append(files, f)
		if f != nil {
			words += b.count(uint32(len(files)-1), f)
		}
	}
	b.finish(out)
	for i, f := range files {
		out.put(infos[i].Path, infos[i].Hash, f)
	}
	out.totals = []uint64{uint64(b.pieces), math.Float64bits(float64(words) / float64(max(1, b.pieces)))}
	return out
}

// fewUnused is how many names that no file has are not worth numbering all anew; the
// reserved words are among them.
const fewUnused = 2000

// useKept begins with the names that are kept, if they are of most of the files: names that
// no file has any more are not removed.
func (b *builder) useKept(ix *index.Index) {
	b.corpus.scanner = language.NewScanner()
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
	for _, n := range b.kept.inPieces {
		if n == 0 {
			unused++
		}
	}
	if 2*same < all || 3*(unused-fewUnused) > len(b.kept.inPieces) {
		b.kept = nil
		return
	}
	b.corpus.scanner = language.NewScannerOver(&b.kept.names)
	b.corpus.inPieces.grow(b.kept.names.Len())
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
	return b.kept.file(&b.kept.rows[at])
}

// count adds a file to what is counted by word, and returns its words.
func (b *builder) count(at uint32, f *file) (words int) {
	b.corpus.inPieces.grow(b.corpus.scanner.Names().Len())
	for len(b.users) < b.corpus.scanner.Names().Len() {
		b.users = append(b.users, nil)
	}
	b.corpus.distinct(f, func(w word) { b.users[w] = append(b.users[w], at) })
	for _, p := range f.pieces {
		seen := &b.corpus.scratch.seen
		seen.Reset(b.corpus.scanner.Names().Len())
		eachWord(f.words[p.at:p.end], func(w word) {
			words++
			if !seen.Has(uint32(w)) {
				seen.Set(uint32(w), 1)
				b.corpus.inPieces.more[w]++
			}
		})
	}
	b.pieces += len(f.pieces)
	return words
}

// finish computes what needs all files.
func (b *builder) finish(out *columns) {
	names := b.corpus.scanner.Names()
	b.corpus.inPieces.grow(names.Len())
	for w := range names.Len() {
		if w < len(b.users) {
			out.users = append(out.users, b.users[w]...)
			b.users[w] = nil
		}
		out.userEnds = append(out.userEnds, uint32(len(out.users)))
	}
	out.names, out.inPieces = *names.Table(), b.corpus.inPieces.more
}
