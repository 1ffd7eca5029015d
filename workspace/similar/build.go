package similar

import (
	"context"
	"math"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// NewCorpus reads the files of an index as it was built. What is known of them is stored in
// a file for the next start ("" stores nothing): those that it has in the same state are not
// read again. It returns nil when ctx ends.
func NewCorpus(ctx context.Context, ix *index.Index, file string) *Corpus {
	ix = ix.Base()
	stored := readColumns(file)
	if stored != nil {
		if ids, ok := stored.current(ix); ok {
			return open(stored, ids)
		}
	}
	built := build(ctx, ix, stored)
	if built == nil {
		return nil
	}
	if again := (&columns{}); file != "" && format.Keep(file, built.list(), again.list()) == nil {
		built = again // in place of the memory that building took
	}
	ids, ok := built.current(ix)
	if !ok {
		return nil
	}
	return open(built, ids)
}

// A builder reads the files of an index into columns.
type builder struct {
	corpus Corpus // of what was read until now
	stored *columns
	paths  map[string]int32 // rows of stored
	users  [][]uint32       // by word
	pieces int
}

// build reads the files of an index, and takes those that are stored in the same state from
// there.
func build(ctx context.Context, ix *index.Index, stored *columns) *columns {
	b := &builder{stored: stored}
	b.useStored()
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
		f := b.storedFile(info)
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

// useStored begins with the names that are stored, if files have most of them: names that no
// file has any more are not removed.
func (b *builder) useStored() {
	b.corpus.scanner = language.NewScanner()
	if b.stored == nil {
		return
	}
	unused := 0
	for _, n := range b.stored.inPieces {
		if n == 0 {
			unused++
		}
	}
	if 3*(unused-fewUnused) > len(b.stored.inPieces) {
		b.stored = nil
		return
	}
	b.paths = b.stored.byPath()
	b.corpus.scanner = language.NewScannerOver(&b.stored.names)
	b.corpus.inPieces.grow(b.stored.names.Len())
}

// storedFile is a file that is stored in its state; nil if it is not.
func (b *builder) storedFile(info index.File) *file {
	at, ok := b.paths[info.Path]
	if !ok || b.stored.rows[at].hash != info.Hash {
		return nil
	}
	return b.stored.file(&b.stored.rows[at])
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
