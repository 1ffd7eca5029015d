package similar

import (
	"math"
	"path"
	"strings"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/run"
	"tandem/workspace/terms"
)

// A Query is a place in a text, and what the user said.
type Query struct {
	Path     string // of the place's file, whose code is not estimated; "" for none
	Language string
	Text     string  // of the file, or enough of it
	At       int     // the place in Text
	Words    string  // of the user
	Pairs    float32 // what a pair of neighbouring words is worth; a name is worth 1

	Few   bool     // little will be shown: less is judged
	Open  []string // open files, the latest first
	Fresh []string // words that the user typed lately, here or elsewhere

	Group *run.Group    // does a part of the work; nil: all of it is the caller's
	Trace func(*Judged) // receives what was judged, before it is used; may be nil
}

// A queryWord is a word of the place with what its use in other code is worth.
type queryWord struct {
	word             word
	near, wide, prev float32
}

// below is how much farther a line below the place counts than one above it.
const below = 2

// prevLines is within how many lines a word belongs to what was written last.
const prevLines = 4

// readPlace notes the words of the text and how far from the place they are.
func (e *estimator) readPlace() {
	s := e.s
	s.own.Reset(e.numWords)
	s.ownPairs.reset()
	cursor := strings.Count(e.q.Text[:e.q.At], "\n")
	line := 0
	last := word(0)
	var lately recentWords
	scanWords(e.q.Text, func(text string, lines int) {
		line += lines
		if text == "" {
			return
		}
		d := cursor - line
		if d < 0 {
			d = -d*below + 1
		}
		w, ok := lately.number(e.c, text)
		if !ok {
			last = 0
			return
		}
		if !s.own.Has(uint32(w)) || s.own.Get(uint32(w)) > float32(d)+1 {
			s.own.Set(uint32(w), float32(d)+1)
		}
		if last != 0 && !s.ownPairs.full() {
			s.ownPairs.add(pairKey(last, w))
		}
		last = w
	})
	said := map[word]bool{}
	scanWords(e.q.Words, func(text string, _ int) {
		if w, ok := e.c.number(text); ok && text != "" {
			said[w] = true
			if !s.own.Has(uint32(w)) {
				s.own.Set(uint32(w), 1)
			}
		}
	})
	e.readQuery(said)
	e.readParts()
}

// recentWords are the numbers of words that were read lately: a document has few different
// words, and the table of all words of a workspace is in no processor's cache.
type recentWords [1 << 10]struct {
	text string
	w    word
	ok   bool
}

// number is Corpus.number of a word that is not empty.
func (r *recentWords) number(c *Corpus, text string) (word, bool) {
	n := len(text)
	one := &r[(int(text[0])*31+int(text[n/2])*7+int(text[n-1])*131+n*17+int(text[n/3])*67)&(len(r)-1)]
	if one.text != text {
		one.text = text
		one.w, one.ok = c.number(text)
	}
	return one.w, one.ok
}

// saidWeight is what a word of the user counts more than one at the place.
const saidWeight = 2

func (e *estimator) readQuery(said map[word]bool) {
	s := e.s
	s.query = s.query[:0]
	for _, id := range s.own.IDs {
		w := word(id)
		if e.c.inPieces.at(w) == 0 {
			continue
		}
		rare, d := e.c.rarePieces.at(w), s.own.Get(id)-1
		q := queryWord{word: w, near: rare / (1 + d/8) / (1 + d/30), wide: rare / (1 + d/60)}
		if d <= prevLines {
			q.prev = rare
		}
		if said[w] {
			q.near, q.wide, q.prev = saidWeight*rare, saidWeight*rare, saidWeight*rare
		}
		s.query = append(s.query, q)
	}
}

// readParts notes the parts of the names of the place and of its file.
func (e *estimator) readParts() {
	s := e.s
	s.partNear.Reset(len(e.c.columns.partWeight))
	s.partPath.Reset(len(e.c.columns.partWeight))
	for _, id := range s.own.IDs {
		near := 1 / (1 + (s.own.Get(id)-1)/10)
		for _, part := range e.c.partsOf(word(id)) {
			s.partNear.Max(part, near)
		}
	}
	base := path.Base(e.q.Path)
	e.stem = e.stem[:0]
	eachPart(strings.TrimSuffix(base, path.Ext(base)), func(text string) {
		if part, ok := e.c.part(text); ok {
			s.partPath.Set(part, 1)
			e.stem = append(e.stem, part)
		}
	})
}

// scanWords calls do with every word of a text and how many lines it is below
// the one before; the last call has no word.
func scanWords(text string, do func(word string, lines int)) {
	lines := 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			lines++
			i++
		case identStart(c):
			end := i + 1
			for end < len(text) && edits.IsWordByte(text[end]) {
				end++
			}
			do(text[i:end], lines)
			lines = 0
			i = end
		default:
			i++
		}
	}
	do("", lines)
}

func identStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

// A pooled file is one whose pieces are judged.
type pooled struct {
	id   index.FileID
	file *file
	x    [numFileFeatures]float32
}

// What is known of a file.
const (
	fileAlike = iota // how alike its words and the place's are
	fileDir          // it is in the same folder
	fileImported
	fileTwin // how alike the files' names are
	fileTest
	fileFamily // its language can use the place's names
	fileJoined // how often it changed when the place's file did
	fileRecent // how lately it changed
	numFileFeatures
)

// A breadth is how much is judged: little more than half as much serves a small window
// as well, in half the time. Windows of 8,000 tokens need all of it.
type breadth struct {
	files, pieces int // that are judged
	dense, like   int // pieces that become chunks: with most names for their size, and most like the place
}

var wide, narrow = breadth{files: 96, pieces: 3000, dense: 350, like: 250}, breadth{files: 60, pieces: 1600, dense: 260, like: 140}

func (q *Query) breadth() breadth {
	if q.Few {
		return narrow
	}
	return wide
}

const (
	commonWord   = 1500 // a word of more files is no evidence for one
	mostFolder   = 24   // files of the folder that are considered for being there
	mostImported = 32
)

// choosePool chooses the files whose pieces are judged: those that share rare
// words with the place, near it above all, its folder's, and those it imports.
func (e *estimator) choosePool() {
	c, s := e.c, e.s
	n := e.fileBound()
	s.fileLike.Reset(n)
	s.fileNear.Reset(n)
	s.imported.Reset(n)
	e.readHistory(n)
	var own float32
	for _, q := range s.query {
		rare := c.rare.at(q.word)
		own += rare * rare
		if users := c.usersOf(q.word); len(users) <= commonWord {
			for _, row := range users {
				f := uint32(c.ids[row])
				s.fileLike.Add(f, rare*rare)
				s.fileNear.Add(f, q.near)
			}
		}
	}
	for i, id := range c.folders[path.Dir(e.q.Path)] {
		if i == mostFolder {
			break
		}
		s.fileLike.Add(uint32(id), 0)
	}
	if e.known {
		for _, im := range e.ix.Imports(e.self) {
			for _, id := range index.Resolve(e.ix, e.self, im) {
				if int(id) < n && len(s.imported.IDs) < mostImported { // a file that was just opened is in the index before
					s.imported.Set(uint32(id), 1)
					s.fileLike.Add(uint32(id), 0)
				}
			}
		}
	}
	for _, list := range [][]uint32{s.joined.IDs, s.recent.IDs} {
		for _, id := range list {
			s.fileLike.Add(id, 0)
		}
	}
	for _, id := range e.changed {
		if f := e.fresh[id]; f != nil {
			s.fileLike.Set(uint32(id), 0)
			c.distinct(f, func(w word) {
				if s.own.Has(uint32(w)) {
					rare := c.rare.at(w)
					s.fileLike.Add(uint32(id), rare*rare)
					s.fileNear.Add(uint32(id), rare/(1+(s.own.Get(uint32(w))-1)/8))
				}
			})
		}
	}
	e.orderPool(own)
}

// fileBound is more than the number of every file that may be marked. Files without code
// have numbers too, and change with those that have code.
func (e *estimator) fileBound() int {
	n := max(len(e.c.files), e.c.history.bound)
	if e.known {
		n = max(n, int(e.self)+1) // it may import itself
	}
	for _, id := range e.changed {
		n = max(n, int(id)+1)
	}
	for _, rel := range e.q.Open {
		if id, ok := e.ix.FileID(rel); ok {
			n = max(n, int(id)+1)
		}
	}
	return n
}

// orderPool keeps the files most likely to help, the best first.
func (e *estimator) orderPool(own float32) {
	s := e.s
	ids := s.fileLike.IDs
	mostLike, mostNear := e.measureFiles(ids, own)
	s.values = append(s.values[:0], make([]uint64, len(ids))...)
	x := [2]*placeOf{}
	for i := range x {
		x[i] = &placeOf{dir: path.Dir(e.q.Path), family: language.Family(e.q.Language)}
	}
	e.q.Group.Share("comparing files", parts(len(ids)), func(worker, part int) {
		for i := part * partSize; i < min(len(ids), (part+1)*partSize); i++ {
			s.values[i] = e.fileValue(x[worker], i, mostLike, mostNear)
		}
	})
	s.order = s.order[:0]
	for _, v := range s.values {
		if v != noValue {
			s.order = append(s.order, v)
		}
	}
	s.pool = s.pool[:0]
	pieces, most := 0, e.q.breadth()
	for _, o := range terms.Least(s.order, most.files) {
		id := ids[uint32(o)]
		p := e.pooled(x[0], id, e.file(index.FileID(id)), mostLike)
		if pieces += len(p.file.pieces); pieces > most.pieces && len(s.pool) > 0 {
			break
		}
		s.pool = append(s.pool, p)
	}
}

// measureFiles makes fileLike how alike files are for their size, and returns the most of
// that, and of how much of what is near the place a file has.
func (e *estimator) measureFiles(ids []uint32, own float32) (mostLike, mostNear float32) {
	s := e.s
	most := [2][2]float32{{1e-9, 1e-9}, {1e-9, 1e-9}} // by worker
	e.q.Group.Share("measuring files", parts(len(ids)), func(worker, part int) {
		m := &most[worker]
		for _, id := range ids[part*partSize : min(len(ids), (part+1)*partSize)] {
			if f := e.file(index.FileID(id)); f != nil {
				s.fileLike.Set(id, s.fileLike.Get(id)/sqrt(f.norm*f.norm*own+1))
				m[0], m[1] = max(m[0], s.fileLike.Get(id)), max(m[1], e.nearOf(id))
			}
		}
	})
	return max(most[0][0], most[1][0]), max(most[0][1], most[1][1])
}

// noValue is the value of a file that cannot be in the pool.
const noValue = math.MaxUint64

// fileValue is a number that sorts the files of fileLike by how likely they help.
func (e *estimator) fileValue(x *placeOf, i int, mostLike, mostNear float32) uint64 {
	id := e.s.fileLike.IDs[i]
	f := e.file(index.FileID(id))
	if f == nil || len(f.pieces) == 0 || e.known && index.FileID(id) == e.self {
		return noValue
	}
	p := e.pooled(x, id, f, mostLike)
	value := p.x[fileJoined] + 0.3*p.x[fileRecent] + p.x[fileAlike] + 2*e.nearOf(id)/mostNear + 0.5*(p.x[fileDir]+p.x[fileImported]+p.x[fileTwin])
	if p.x[fileFamily] == 0 && e.q.Language != "" {
		value /= 2
	}
	return descending(value, i)
}

// A placeOf is what files are compared with.
type placeOf struct {
	dir, family string
	language    string // of the file before
	same        bool   // and whether that is
}

// sameFamily reports whether code of a language can use the place's names.
func (x *placeOf) sameFamily(of string) bool {
	if of != x.language {
		x.language, x.same = of, language.Family(of) == x.family
	}
	return x.same
}

// pooled describes a file of which fileLike says how alike it is.
func (e *estimator) pooled(x *placeOf, id uint32, f *file, mostLike float32) pooled {
	s := e.s
	p := pooled{id: index.FileID(id), file: f}
	p.x[fileAlike] = s.fileLike.Get(id) / mostLike
	p.x[fileDir] = number(f.dir == x.dir)
	p.x[fileImported] = number(s.imported.Has(id))
	p.x[fileTwin] = e.twin(f)
	p.x[fileTest] = number(f.test)
	p.x[fileFamily] = number(x.sameFamily(f.language))
	p.x[fileJoined] = s.joined.Get(id) / (1 + s.joined.Get(id))
	p.x[fileRecent] = s.recent.Get(id)
	return p
}

// nearOf is how much of what is near the place a file has, for its size.
func (e *estimator) nearOf(id uint32) float32 {
	if !e.s.fileNear.Has(id) {
		return 0
	}
	return e.s.fileNear.Get(id) / sqrt(e.file(index.FileID(id)).norm+10)
}

// twin is how alike the names of a file and of the place's are.
func (e *estimator) twin(f *file) float32 {
	both := 0
	for _, part := range f.stem {
		if e.s.partPath.Has(part) {
			both++
		}
	}
	all := len(f.stem) + len(e.stem) - both
	if all == 0 {
		return 0
	}
	return float32(both) / float32(all)
}

// file is a file of the corpus as the index knows it.
func (e *estimator) file(id index.FileID) *file {
	if len(e.fresh) > 0 {
		if f, changed := e.fresh[id]; changed {
			return f
		}
	}
	if int(id) < len(e.c.files) {
		return e.c.files[id]
	}
	return nil
}
