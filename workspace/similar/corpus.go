package similar

import (
	"encoding/binary"
	"sync"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A word numbers an identifier.
type word = language.NameID

// A Corpus is the code of an index as it was built: the words of its files in
// their order, in pieces. It serves one query at a time.
type Corpus struct {
	mu      sync.Mutex // what is below the columns changes with queries
	columns *columns
	ids     []index.FileID // by row
	files   []*file        // by FileID; nil is none

	numPieces int
	mean      float32        // words of a piece
	inPieces  byWord[uint32] // how many have it

	scanner *language.Scanner
	cutter  cutter
	built   int // words of the files as they were built
	changed map[index.FileID]changedFile
	scratch scratch
}

// scratch is the memory of one computation.
type scratch struct {
	seen   terms.Marks // by word
	shared terms.Marks // by file: how much of the query it has
	query  terms.Marks // by word: its weight in the query
	counts terms.Marks // by word: how often a piece has it
}

// byWord holds a value for each word: those of the columns, and of words that came later.
type byWord[T any] struct{ built, more []T }

func (b *byWord[T]) at(w word) T {
	if int(w) < len(b.built) {
		return b.built[w]
	}
	return b.more[int(w)-len(b.built)]
}

// grow makes room for n words.
func (b *byWord[T]) grow(n int) {
	if more := n - len(b.built) - len(b.more); more > 0 {
		b.more = append(b.more, make([]T, more)...)
	}
}

// A file is what a corpus knows of one.
type file struct {
	path     string
	language string
	pieces   []piece
	words    []byte // of all pieces, as numbers of variable length
	defs     []word // the names that it defines
}

// A changedFile is a file that is not as the corpus was built, for one content.
type changedFile struct {
	hash uint64
	file *file
}

const (
	largestText = 1 << 20 // bytes; a larger file is data
	mostChanged = 64      // files that changed since the corpus was built and are read
	mostFresh   = 1 << 16 // words that no file had when the corpus was built
)

// open returns the corpus of columns. The rows are the files given of an index.
func open(cols *columns, ids []index.FileID) *Corpus {
	c := &Corpus{columns: cols, ids: ids, changed: map[index.FileID]changedFile{},
		scanner: language.NewScannerOver(&cols.names), built: cols.names.Len(), numPieces: int(cols.totals[0]), mean: cols.mean()}
	c.inPieces.built = cols.inPieces
	for i, id := range ids {
		for int(id) >= len(c.files) {
			c.files = append(c.files, nil)
		}
		c.files[id] = cols.file(&cols.rows[i])
	}
	c.inPieces.grow(c.built)
	return c
}

// number is the number of a word that is known.
func (c *Corpus) number(text string) (word, bool) { return c.scanner.Names().Find(text) }

// usersOf are the rows of the files that have a word.
func (c *Corpus) usersOf(w word) []uint32 {
	if int(w) >= c.built {
		return nil
	}
	return listAt(c.columns.userEnds, c.columns.users, w)
}

// distinct calls do once with every word of a file.
func (c *Corpus) distinct(f *file, do func(word)) {
	seen := &c.scratch.seen
	seen.Reset(c.scanner.Names().Len())
	for _, p := range f.pieces {
		eachWord(f.words[p.at:p.end], func(w word) {
			if !seen.Has(uint32(w)) {
				seen.Set(uint32(w), 1)
				do(w)
			}
		})
	}
}

// read reads a file; nil is one without code.
func (c *Corpus) read(ix *index.Index, id index.FileID) *file {
	info, ok := ix.File(id)
	if !ok || !isCode(info.Language) {
		return nil
	}
	text, err := ix.Text(id)
	if err != nil || len(text) > largestText {
		return nil
	}
	n := c.scanner.Scan(info.Language, info.Path, text)
	f := &file{path: info.Path, language: info.Language}
	f.pieces = append(f.pieces, c.cutter.cut(text, n.Defs)...)
	c.readWords(f)
	for i := range n.Defs {
		if d := &n.Defs[i]; !d.Local && d.Name != 0 {
			f.defs = append(f.defs, d.Name)
		}
	}
	return f
}

// readWords keeps the words of the file scanned last, by piece.
func (c *Corpus) readWords(f *file) {
	piece := -1
	c.scanner.Words(func(w language.Word) bool {
		for piece+1 < len(f.pieces) && f.pieces[piece+1].first <= w.Line {
			piece++
			f.pieces[piece].at, f.pieces[piece].end = uint32(len(f.words)), uint32(len(f.words))
		}
		if !w.Reserved && piece >= 0 && w.Line <= f.pieces[piece].last {
			f.words = binary.AppendUvarint(f.words, uint64(w.Name))
			f.pieces[piece].end = uint32(len(f.words))
		}
		return true
	})
	for piece++; piece < len(f.pieces); piece++ {
		f.pieces[piece].at, f.pieces[piece].end = uint32(len(f.words)), uint32(len(f.words))
	}
}

// eachWord calls do with the words of a piece, in order.
func eachWord(words []byte, do func(w word)) {
	for i := 0; i < len(words); {
		v, n := uint64(words[i]), 1
		if v >= 0x80 {
			v, n = binary.Uvarint(words[i:])
		}
		i += n
		do(word(v))
	}
}

// at is a file as an index knows it: as it was built, or as it changed.
func (c *Corpus) at(ix *index.Index, id index.FileID) *file {
	info, ok := ix.File(id)
	if !ok || !isCode(info.Language) {
		return nil
	}
	if cached, ok := c.changed[id]; ok && cached.hash == info.Hash {
		return cached.file
	}
	if c.scanner.Names().Len() > c.built+mostFresh {
		return nil
	}
	f := c.read(ix, id)
	c.inPieces.grow(c.scanner.Names().Len())
	if f == nil {
		return nil
	}
	if len(c.changed) >= mostChanged {
		clear(c.changed)
	}
	c.changed[id] = changedFile{info.Hash, f}
	return f
}

// isCode reports whether files of a language hold code: prose, data and settings do not.
func isCode(language string) bool {
	switch language {
	case "", "plaintext", "markdown", "restructuredtext", "go.mod", "yaml", "json", "jsonc", "toml", "xml", "html", "css", "scss", "less", "ini", "dockerfile", "makefile", "properties", "csv", "diff", "latex", "asciidoc":
		return false
	}
	return true
}
