package similar

import (
	"math"
	"strings"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/terms"
)

// A Query is a place in a text, and what the user said.
type Query struct {
	Path  string // of the place's file, whose code is left out; "" for none
	Text  string // of the file, or enough of it
	At    int    // the place in Text
	Words string // of the user
}

// A Chunk is some lines of a file that resemble the place.
type Chunk struct {
	File        index.FileID
	First, Last int     // lines, from 1, inclusive
	Bytes       int     // of their text
	Score       float32 // BM25: comparable within one query alone
}

const (
	queryLines = 20   // on either side of the place, whose words are looked for
	saidWeight = 2    // what a word of the user counts more than one at the place
	commonWord = 1500 // a word of more files is no evidence for one
	mostFiles  = 96   // whose pieces are scored
	mostPieces = 3000 // of these files
	mostChunks = 200
)

// The usual constants of BM25: how soon a repeated word counts no more, and how much
// length counts.
const bm25K, bm25B = 1.2, 0.75

// Rank returns the code that resembles a place most, the best first. The index is one that
// With made of the corpus's, or that itself.
func (c *Corpus) Rank(ix *index.Index, q Query) []Chunk {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &ranker{c: c, ix: ix, fresh: map[index.FileID]*file{}}
	r.self, r.hasSelf = ix.FileID(q.Path)
	r.readChanged()
	c.scratch.query.Reset(c.scanner.Names().Len())
	at := min(max(q.At, 0), len(q.Text))
	r.ask(linesAround(q.Text, at, queryLines), 1)
	r.ask(q.Words, saidWeight)
	return r.best(r.pool())
}

// A ranker answers one query.
type ranker struct {
	c       *Corpus
	ix      *index.Index
	self    index.FileID
	hasSelf bool
	fresh   map[index.FileID]*file // those that changed since the corpus was built; nil is gone
	changed []index.FileID         // the same, in order
	words   []word                 // of the query, each once
}

// readChanged reads the files that changed since the corpus was built.
func (r *ranker) readChanged() {
	for _, id := range r.ix.Changed() {
		if r.hasSelf && id == r.self {
			continue
		}
		r.changed = append(r.changed, id)
		if len(r.fresh) < mostChanged {
			r.fresh[id] = r.c.at(r.ix, id)
		} else {
			r.fresh[id] = nil
		}
	}
}

// ask adds the words of a text to the query.
func (r *ranker) ask(text string, weight float32) {
	eachName(text, func(name string) {
		w, ok := r.c.number(name)
		if !ok {
			return
		}
		n := float64(max(1, r.c.inPieces.at(w))) // a word that came later is in few
		if !r.c.scratch.query.Has(uint32(w)) {
			r.words = append(r.words, w)
		}
		r.c.scratch.query.Set(uint32(w), weight*float32(math.Log(1+max(0, float64(r.c.numPieces)-n+0.5)/(n+0.5))))
	})
}

// pool are the files that share most of the query, for their size: the best piece is
// seldom in another.
func (r *ranker) pool() []index.FileID {
	n := len(r.c.files)
	for _, id := range r.changed {
		n = max(n, int(id)+1)
	}
	shared, asked := &r.c.scratch.shared, &r.c.scratch.query
	shared.Reset(n)
	for _, w := range r.words {
		if users := r.c.usersOf(w); len(users) <= commonWord {
			for _, row := range users {
				shared.Add(uint32(r.c.ids[row]), asked.Get(uint32(w)))
			}
		}
	}
	for _, id := range r.changed {
		shared.Set(uint32(id), 0)
		if f := r.fresh[id]; f != nil {
			r.c.distinct(f, func(w word) { shared.Add(uint32(id), asked.Get(uint32(w))) })
		}
	}
	order := make([]uint64, 0, len(shared.IDs))
	for i, id := range shared.IDs {
		f := r.file(index.FileID(id))
		if f == nil || len(f.pieces) == 0 || r.hasSelf && index.FileID(id) == r.self || shared.Get(id) == 0 {
			continue
		}
		order = append(order, descending(shared.Get(id)/float32(math.Sqrt(math.Sqrt(float64(len(f.words)+1)))), i))
	}
	var out []index.FileID
	pieces := 0
	for _, o := range terms.Least(order, mostFiles) {
		id := index.FileID(shared.IDs[uint32(o)])
		if pieces += len(r.file(id).pieces); pieces > mostPieces && len(out) > 0 {
			break
		}
		out = append(out, id)
	}
	return out
}

// best are the best pieces of some files.
func (r *ranker) best(pool []index.FileID) []Chunk {
	var all []Chunk
	counts, asked := &r.c.scratch.counts, &r.c.scratch.query
	for _, id := range pool {
		f := r.file(id)
		for _, p := range f.pieces {
			counts.Reset(r.c.scanner.Names().Len())
			size := 0
			eachWord(f.words[p.at:p.end], func(w word) {
				size++
				if asked.Has(uint32(w)) {
					counts.Add(uint32(w), 1)
				}
			})
			norm := bm25K * (1 - bm25B + bm25B*float32(size)/r.c.mean)
			var score float32
			for _, w := range counts.IDs {
				n := counts.Get(w)
				score += asked.Get(w) * n * (bm25K + 1) / (n + norm)
			}
			if score > 0 {
				all = append(all, Chunk{File: id, First: int(p.first), Last: int(p.last), Bytes: int(p.bytes), Score: score})
			}
		}
	}
	order := make([]uint64, len(all))
	for i := range all {
		order[i] = descending(all[i].Score, i)
	}
	var out []Chunk
	for _, o := range terms.Least(order, mostChunks) {
		out = append(out, all[uint32(o)])
	}
	return out
}

// file is a file of the corpus as the index knows it.
func (r *ranker) file(id index.FileID) *file {
	if f, changed := r.fresh[id]; changed {
		return f
	}
	if int(id) < len(r.c.files) {
		return r.c.files[id]
	}
	return nil
}

// descending is a number that sorts like value, the greatest first, and then by i.
func descending(value float32, i int) uint64 {
	return uint64(^math.Float32bits(value))<<32 | uint64(uint32(i))
}

// linesAround is the line of a place with so many lines on either side.
func linesAround(text string, at, lines int) string {
	from, to := at, at
	for range lines + 1 {
		if from = strings.LastIndexByte(text[:max(from, 0)], '\n'); from < 0 {
			break
		}
	}
	for range lines + 1 {
		i := strings.IndexByte(text[to:], '\n')
		if i < 0 {
			to = len(text)
			break
		}
		to += i + 1
	}
	return text[from+1 : to]
}

// eachName calls do with every word of a text.
func eachName(text string, do func(name string)) {
	for i := 0; i < len(text); {
		c := text[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && c < 0x80 {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && edits.IsWordByte(text[end]) {
			end++
		}
		do(text[i:end])
		i = end
	}
}

// NewWords are the words of a text that the text before it does not have.
func NewWords(before, after string) []string {
	had := map[string]bool{}
	eachName(before, func(w string) { had[w] = true })
	var out []string
	eachName(after, func(w string) {
		if len(w) >= terms.ShortPart && !had[w] {
			had[w] = true
			out = append(out, w)
		}
	})
	return out
}
