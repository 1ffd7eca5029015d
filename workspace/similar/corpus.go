package similar

import (
	"context"
	"encoding/binary"
	"math"
	"path"
	"strings"
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

	mu      sync.Mutex // held by Estimate: what is below the files changes
	files   []*file    // by FileID; nil is none
	folders map[string][]index.FileID
	users   [][]index.FileID // by word: the files that have it
	pieces  int
	mean    float32 // words of a piece

	inFiles, inPieces []uint32  // by word: how many have it
	rare, rarePieces  []float32 // by word: weights by how few have it
	defined           []uint16  // by word: how many define it
	prior             []float32 // by word: what is known of it alone, weighed
	parts             [][]uint32
	partOf            map[string]uint32
	partWeight        []float32 // by part
	numbers           map[string]word
	history           history

	scanner *language.Scanner
	cutter  cutter
	known   int // words of the files as they were built
	changed map[index.FileID]changedFile
	scratch scratch
	marks   []uint32
	mark    uint32
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

// NewCorpus reads the files of an index as it was built. The steps are what lately
// changed them, the newest first; there may be none. It returns nil when ctx ends.
func NewCorpus(ctx context.Context, ix *index.Index, texts Texts, steps []Step) *Corpus {
	ix = ix.Base()
	c := &Corpus{texts: texts, folders: map[string][]index.FileID{}, numbers: map[string]word{}, partOf: map[string]uint32{},
		scanner: language.NewScanner(), changed: map[index.FileID]changedFile{}}
	words := 0
	for _, id := range ix.Files() {
		if ctx.Err() != nil {
			return nil
		}
		for int(id) > len(c.files) {
			c.files = append(c.files, nil)
		}
		f := c.read(ix, id)
		c.files = append(c.files, f)
		if f == nil {
			continue
		}
		c.folders[f.dir] = append(c.folders[f.dir], id)
		words += c.count(id, f)
	}
	c.mean = float32(words) / float32(max(1, c.pieces))
	c.known = len(c.scanner.Names().Names())
	c.finish()
	c.history = c.readHistory(ix, steps)
	return c
}

// finish computes what needs all files.
func (c *Corpus) finish() {
	names := c.scanner.Names().Names()
	c.grow(len(names))
	c.parts = make([][]uint32, len(names))
	for i, name := range names {
		c.numbers[name] = word(i)
		eachPart(name, func(part string) {
			id, ok := c.partOf[part]
			if !ok {
				id = uint32(len(c.partWeight))
				c.partOf[strings.Clone(part)] = id
				c.partWeight = append(c.partWeight, 0)
			}
			c.parts[i] = append(c.parts[i], id)
			c.partWeight[id]++
		})
	}
	for id, n := range c.partWeight {
		c.partWeight[id] = float32(1 / math.Log(3+float64(n)))
	}
	for w := range c.inFiles {
		c.weighWord(word(w))
	}
	for _, f := range c.files {
		if f != nil {
			c.weigh(f)
		}
	}
}

// weighWord computes a word's weights by how few files and pieces have it.
func (c *Corpus) weighWord(w word) {
	c.rare[w] = float32(math.Log(1 + float64(len(c.files))/float64(max(1, c.inFiles[w]))))
	n, df := float64(c.pieces), float64(c.inPieces[w])
	c.rarePieces[w] = float32(math.Log(1 + max(0, n-df+0.5)/(df+0.5)))
	var x [numNameFeatures]float32
	c.describe(w, &x)
	c.prior[w] = weigh(nameWeights[:], x[:])
}

// weigh computes what a file's vector needs of the whole corpus.
func (c *Corpus) weigh(f *file) {
	var sum float32
	c.distinct(f, func(w word) {
		x := c.rare[w]
		sum += x * x
	})
	f.norm = float32(math.Sqrt(float64(sum)))
	base := path.Base(f.path)
	eachPart(strings.TrimSuffix(base, path.Ext(base)), func(part string) {
		if id, ok := c.partOf[part]; ok {
			f.stem = append(f.stem, id)
		}
	})
}

// count adds a file to what is counted by word, and returns its words.
func (c *Corpus) count(id index.FileID, f *file) (words int) {
	c.grow(len(c.scanner.Names().Names()))
	c.distinct(f, func(w word) {
		c.inFiles[w]++
		c.users[w] = append(c.users[w], id)
	})
	for _, p := range f.pieces {
		c.mark++
		eachWord(f.words[p.at:p.end], func(w word, _, _ bool) {
			words++
			if c.marks[w] != c.mark {
				c.marks[w] = c.mark
				c.inPieces[w]++
			}
		})
	}
	c.pieces += len(f.pieces)
	for _, d := range f.defs {
		if c.defined[d.name] < math.MaxUint16 {
			c.defined[d.name]++
		}
	}
	return words
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

// grow prepares what is kept by word for more words.
func (c *Corpus) grow(words int) {
	if more := words - len(c.marks); more > 0 {
		c.marks = append(c.marks, make([]uint32, more)...)
		c.inFiles = append(c.inFiles, make([]uint32, more)...)
		c.inPieces = append(c.inPieces, make([]uint32, more)...)
		c.defined = append(c.defined, make([]uint16, more)...)
		c.prior = append(c.prior, make([]float32, more)...)
		c.rare = append(c.rare, make([]float32, more)...)
		c.rarePieces = append(c.rarePieces, make([]float32, more)...)
		c.users = append(c.users, make([][]index.FileID, more)...)
	}
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
	if !readable || len(text) > largestText || len(c.scanner.Names().Names()) > c.known+mostFresh {
		return nil
	}
	if ok && info.ModTime.IsZero() && known.text == text {
		return known.file
	}
	f := c.parse(info, text)
	c.grow(len(c.scanner.Names().Names()))
	for i := len(c.numbers); i < len(c.scanner.Names().Names()); i++ {
		c.numbers[c.scanner.Names().Name(word(i))] = word(i)
		c.weighWord(word(i))
	}
	c.weigh(f)
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
