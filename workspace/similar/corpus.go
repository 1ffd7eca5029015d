package similar

import (
	"encoding/binary"
	"math"
	"path"
	"sync"
	"time"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// Texts returns the text of a file as an index knows it; ok is false when there is
// none any more.
type Texts func(ix *index.Index, file index.FileID) (text string, ok bool)

// A word numbers an identifier.
type word = language.NameID

// A Corpus is the code of an index as it was built: the words of its files in
// their order, in pieces. It serves one estimate at a time.
type Corpus struct {
	texts Texts

	mu      sync.Mutex // held by Estimate: what is below the columns changes
	columns *columns
	ids     []index.FileID // by row
	files   []*file        // by FileID; nil is none
	folders map[string][]index.FileID
	history history

	numFiles, numPieces int
	mean                float32 // words of a piece

	inFiles, inPieces byWord[uint32]  // how many have it
	rare, rarePieces  byWord[float32] // weights by how few have it
	prior             byWord[float32] // what is known of it alone, weighed
	defined           byWord[uint16]  // how many define it

	scanner *language.Scanner
	cutter  cutter
	known   int // words of the files as they were built
	changed map[index.FileID]changedFile
	scratch scratch
	marks   []uint32
	mark    uint32
}

// byWord holds a value for each word: those of the columns, and of words that came later.
type byWord[T any] struct{ built, more []T }

func (b *byWord[T]) at(w word) T {
	if int(w) < len(b.built) {
		return b.built[w]
	}
	return b.more[int(w)-len(b.built)]
}

func (b *byWord[T]) set(w word, v T) { b.more[int(w)-len(b.built)] = v }

// grow makes room for n words.
func (b *byWord[T]) grow(n int) {
	if more := n - len(b.built) - len(b.more); more > 0 {
		b.more = append(b.more, make([]T, more)...)
	}
}

// A file is what a corpus knows of one.
type file struct {
	path, dir string
	language  string
	test      bool
	pieces    []piece
	words     []byte // of all pieces: see readWords
	defs      []definition
	norm      float32 // length of the vector of its words' weights
	stem      []uint32
}

// A definition is a name that a file defines.
type definition struct {
	name, owner word // owner is 0 for none
	kind        language.Kind
}

// A changedFile is a file that is not as the corpus was built, for one content.
type changedFile struct {
	size    int
	modTime time.Time
	text    string // of an open document, which has no time
	file    *file
}

const (
	largestText = 1 << 20 // bytes; a larger file is data
	mostChanged = 64      // files that changed since the corpus was built and are read
	mostFresh   = 1 << 16 // words that no file had when the corpus was built
)

// open returns the corpus of columns. The rows are the files given of an index.
func open(cols *columns, ids []index.FileID, ix *index.Index, o Options) *Corpus {
	c := &Corpus{texts: o.Texts, columns: cols, ids: ids, folders: map[string][]index.FileID{}, changed: map[index.FileID]changedFile{},
		scanner: language.NewScannerOver(&cols.names), known: cols.names.Len(), numFiles: int(cols.totals[0]), numPieces: int(cols.totals[1]), mean: cols.mean()}
	c.inFiles.built, c.inPieces.built, c.defined.built = cols.inFiles, cols.inPieces, cols.defined
	c.rare.built, c.rarePieces.built, c.prior.built = cols.rare, cols.rarePieces, cols.prior
	for i, id := range ids {
		for int(id) >= len(c.files) {
			c.files = append(c.files, nil)
		}
		if f := cols.file(&cols.rows[i]); f != nil {
			c.files[id] = f
			c.folders[f.dir] = append(c.folders[f.dir], id)
		}
	}
	c.grow(c.known)
	c.history = c.readHistory(ix, o.Steps)
	return c
}

// number is the number of a word that is known.
func (c *Corpus) number(text string) (word, bool) { return c.scanner.Names().Find(text) }

// partsOf are the parts of a word that the columns have.
func (c *Corpus) partsOf(w word) []uint32 {
	if int(w) >= c.known {
		return nil
	}
	return listAt(c.columns.partEnds, c.columns.partIDs, w)
}

// part is the number of a part of names.
func (c *Corpus) part(text string) (uint32, bool) {
	id, ok := c.columns.parts.Find(text)
	return uint32(id) - 1, ok && id > 0
}

// usersOf are the rows of the files that have a word.
func (c *Corpus) usersOf(w word) []uint32 {
	if int(w) >= c.known {
		return nil
	}
	return listAt(c.columns.userEnds, c.columns.users, w)
}

// weighWord computes a word's weights by how few files and pieces have it.
func (c *Corpus) weighWord(w word) {
	c.rare.set(w, float32(math.Log(1+float64(c.numFiles)/float64(max(1, c.inFiles.at(w))))))
	n, df := float64(c.numPieces), float64(c.inPieces.at(w))
	c.rarePieces.set(w, float32(math.Log(1+max(0, n-df+0.5)/(df+0.5))))
	var x [numNameFeatures]float32
	c.describe(w, &x)
	c.prior.set(w, weigh(nameWeights[:], x[:]))
}

// normOf is the length of the vector of a file's words' weights.
func (c *Corpus) normOf(f *file) float32 {
	var sum float32
	c.distinct(f, func(w word) {
		x := c.rare.at(w)
		sum += x * x
	})
	return float32(math.Sqrt(float64(sum)))
}

// distinct calls do once with every word of a file.
func (c *Corpus) distinct(f *file, do func(word)) {
	c.mark++
	for _, p := range f.pieces {
		eachWord(f.words[p.at:p.end], func(w word, _, _ bool) {
			if c.marks[w] != c.mark {
				c.marks[w] = c.mark
				do(w)
			}
		})
	}
}

// grow prepares what is kept by word for so many words.
func (c *Corpus) grow(words int) {
	if more := words - len(c.marks); more > 0 {
		c.marks = append(c.marks, make([]uint32, more)...)
	}
	c.inFiles.grow(words)
	c.inPieces.grow(words)
	c.defined.grow(words)
	c.prior.grow(words)
	c.rare.grow(words)
	c.rarePieces.grow(words)
}

// read reads a file; nil is one without code.
func (c *Corpus) read(ix *index.Index, id index.FileID) *file {
	info, ok := ix.File(id)
	if !ok || !isCode(info.Language) {
		return nil
	}
	text, ok := c.texts(ix, id)
	if !ok || len(text) > largestText {
		return nil
	}
	return c.parse(info, text)
}

// parse takes a text apart.
func (c *Corpus) parse(info index.File, text string) *file {
	n := c.scanner.Scan(info.Language, info.Path, text)
	f := &file{path: info.Path, dir: path.Dir(info.Path), language: info.Language, test: language.IsTest(info.Path)}
	f.pieces = append(f.pieces, c.cutter.cut(text, n.Defs)...)
	c.readWords(f)
	for i := range n.Defs {
		d := &n.Defs[i]
		if d.Local || d.Name == 0 {
			continue
		}
		out := definition{name: d.Name, kind: d.Kind}
		if d.Container != "" {
			out.owner = c.scanner.Names().Intern(language.LastPart(d.Container))
		}
		f.defs = append(f.defs, out)
	}
	return f
}

// A file's words are numbers of variable length: a line's start, and words by
// their number and firstWord.
const (
	lineStart  = iota
	shortStart // of a line with few words, which says little of how they are used
	firstWord
)

// fewWords is how many words, reserved ones included, a line must have to show how
// a name is used.
const fewWords = 3

// readWords keeps the words of the file scanned last, by piece.
func (c *Corpus) readWords(f *file) {
	at, piece := uint32(0), -1
	var line []word
	number, all := uint32(0), 0
	flush := func() {
		if len(line) == 0 {
			all = 0
			return
		}
		for piece+1 < len(f.pieces) && f.pieces[piece+1].first <= number {
			piece++
			f.pieces[piece].at, f.pieces[piece].end = at, at
		}
		if piece >= 0 && number <= f.pieces[piece].last {
			start := byte(lineStart)
			if all < fewWords {
				start = shortStart
			}
			f.words = append(f.words, start)
			for _, w := range line {
				f.words = binary.AppendUvarint(f.words, uint64(w)+firstWord)
			}
			at = uint32(len(f.words))
			f.pieces[piece].end = at
		}
		line, all = line[:0], 0
	}
	c.scanner.Words(func(w language.Word) bool {
		if w.Line != number {
			flush()
			number = w.Line
		}
		if all++; !w.Reserved {
			line = append(line, w.Name)
		}
		return true
	})
	flush()
	for piece++; piece < len(f.pieces); piece++ {
		f.pieces[piece].at, f.pieces[piece].end = at, at
	}
}

// eachWord calls do with the words of a piece, in order; first is true of the
// first of a line, short of those of lines with few words.
func eachWord(words []byte, do func(w word, first, short bool)) {
	first, short := false, false
	for i := 0; i < len(words); {
		v := uint64(words[i])
		i++
		if v >= 0x80 {
			v &= 0x7f
			for shift := 7; i < len(words); shift += 7 {
				b := words[i]
				i++
				v |= uint64(b&0x7f) << shift
				if b < 0x80 {
					break
				}
			}
		}
		if v < firstWord {
			first, short = true, v == shortStart
			continue
		}
		do(word(v-firstWord), first, short)
		first = false
	}
}

// at is a file as an index knows it: as it was built, or as it changed.
func (c *Corpus) at(ix *index.Index, id index.FileID) *file {
	info, ok := ix.File(id)
	if !ok || !isCode(info.Language) {
		return nil
	}
	known, ok := c.changed[id]
	if ok && !info.ModTime.IsZero() && known.size == info.Size && known.modTime.Equal(info.ModTime) {
		return known.file
	}
	text, readable := c.texts(ix, id)
	if !readable || len(text) > largestText || c.scanner.Names().Len() > c.known+mostFresh {
		return nil
	}
	if ok && info.ModTime.IsZero() && known.text == text {
		return known.file
	}
	f := c.parse(info, text)
	from := len(c.marks)
	c.grow(c.scanner.Names().Len())
	for w := from; w < len(c.marks); w++ {
		c.weighWord(word(w))
	}
	f.norm = c.normOf(f)
	eachPart(stemOf(f.path), func(text string) {
		if part, ok := c.part(text); ok {
			f.stem = append(f.stem, part)
		}
	})
	kept := changedFile{size: info.Size, modTime: info.ModTime, file: f}
	if info.ModTime.IsZero() {
		kept.text = text
	}
	if len(c.changed) >= mostChanged {
		clear(c.changed)
	}
	c.changed[id] = kept
	return f
}
