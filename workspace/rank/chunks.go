package rank

import (
	"math"
	"path"
	"slices"

	"tandem/workspace/index"
)

// Texts reads the text of a file as an index knows it; ok is false when it is not
// there any more.
type Texts func(ix *index.Index, file index.FileID) (text string, ok bool)

// Chunks are the chunks of all files of a base, and which words they have. They
// never change and hold no text.
type Chunks struct {
	texts Texts
	list  []Chunk
	first []uint32          // by FileID: its first chunk, and one more
	sizes []uint16          // by chunk: its number of terms
	terms map[uint32]uint32 // hash of a word -> its number from 1
	posts lists[posting]    // by number
	mean  float32           // of sizes
}

// A posting is how often a chunk has a word.
type posting struct {
	chunk uint32
	count uint8
}

// NewChunks reads the files of an index as it was built.
func NewChunks(ix *index.Index, texts Texts) *Chunks {
	ix = ix.Base()
	c := &Chunks{texts: texts, terms: map[uint32]uint32{}}
	b := chunkBuilder{Chunks: c}
	for _, id := range ix.Files() {
		for int(id) > len(c.first) {
			c.first = append(c.first, uint32(len(c.list)))
		}
		c.first = append(c.first, uint32(len(c.list)))
		b.file(ix, id)
	}
	c.first = append(c.first, uint32(len(c.list)))
	b.finish()
	return c
}

// largestText is the size of a file, in bytes, beyond which it has no chunks:
// it is data.
const largestText = 1 << 20

type chunkBuilder struct {
	*Chunks
	starts []uint32
	marks  []uint32 // by term: chunk+1 that had it last
	counts []uint8  // by term: how often that chunk has it
	used   []uint32 // terms of the current chunk
	term   []uint32 // of each posting, in the order of chunks
	post   []posting
}

func (b *chunkBuilder) file(ix *index.Index, id index.FileID) {
	text, ok := b.texts(ix, id)
	if !ok || len(text) > largestText {
		return
	}
	b.starts = lineStarts(text, b.starts[:0])
	for _, chunk := range cut(ix, id, text, b.starts) {
		b.list = append(b.list, chunk)
		b.chunk(text[b.starts[chunk.First-1]:b.starts[chunk.Last]], ix.Path(id))
	}
}

func (b *chunkBuilder) chunk(text, path string) {
	b.used = b.used[:0]
	now := uint32(len(b.list))
	size := 0
	add := func(hash uint32) {
		size++
		term, ok := b.terms[hash]
		if !ok {
			term = uint32(len(b.terms)) + 1
			b.terms[hash] = term
			b.marks, b.counts = append(b.marks, 0), append(b.counts, 0)
		}
		if b.marks[term-1] != now {
			b.marks[term-1], b.counts[term-1] = now, 0
			b.used = append(b.used, term)
		}
		if b.counts[term-1] < math.MaxUint8 {
			b.counts[term-1]++
		}
	}
	eachTerm(text, add)
	eachTerm(path, add)
	b.sizes = append(b.sizes, uint16(min(size, math.MaxUint16)))
	for _, term := range b.used {
		b.term = append(b.term, term)
		b.post = append(b.post, posting{now - 1, b.counts[term-1]})
	}
}

func (b *chunkBuilder) finish() {
	b.posts = gather(len(b.terms)+1, func(put func(uint32, posting)) {
		for i, term := range b.term {
			put(term, b.post[i])
		}
	})
	sum := 0
	for _, size := range b.sizes {
		sum += int(size)
	}
	b.mean = float32(sum) / float32(max(1, len(b.sizes)))
}

// eachTerm calls each with the hash of every word of a text that has three
// letters and more, and of the words that it is made of.
func eachTerm(text string, each func(hash uint32)) {
	eachWord(text, func(word string) { termsOf(word, func(hash uint32, _ bool) { each(hash) }) })
}

// eachWord calls each with every word of a text that has at least shortPart
// letters and longestWord at most.
func eachWord(text string, each func(word string)) {
	for i := 0; i < len(text); {
		if !identStart(text[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && identPart(text[end]) {
			end++
		}
		if n := end - i; n >= shortPart && n <= longestWord {
			each(text[i:end])
		}
		i = end
	}
}

const longestWord = 64

// termsOf calls each with the hash of a word, whole, and with those of the words
// it is made of in small letters, where they are others.
func termsOf(word string, each func(hash uint32, part bool)) {
	whole := hashOf(word, 0)
	each(whole, false)
	from := 0
	put := func(end int) {
		if end-from >= shortPart {
			if hash := hashOf(word[from:end], 0x20); hash != whole {
				each(hash, true)
			}
		}
	}
	for i := range len(word) {
		c := word[i]
		switch upper := c >= 'A' && c <= 'Z'; {
		case c == '_' || c >= '0' && c <= '9':
			put(i)
			from = i + 1
		case upper && i > from && (word[i-1] < 'A' || word[i-1] > 'Z' || i+1 < len(word) && word[i+1] >= 'a' && word[i+1] <= 'z'):
			put(i)
			from = i
		}
	}
	put(len(word))
}

// hashOf is FNV-1a, of letters made small when fold is 0x20.
func hashOf(s string, fold byte) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= fold
		}
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// A ChunkQuery is what code should be like: the text around a place and what the user said.
type ChunkQuery struct {
	Path  string // of the place's file, which has no chunks in the answer; "" for none
	Text  string // around the place
	At    int    // the place in Text
	Words string // of the user
	Most  int    // chunks in the answer
}

const (
	chunkK, chunkB = 1.2, 0.5
	queryReach     = 6 << 10 // bytes of Text on either side of the place
	nearReach      = 1500    // bytes from the place at which a word counts half
	partWeight     = 0.35    // of a word that is only part of a name
	saidWeight     = 3       // of a word of the user
	commonShare    = 6       // a word in more than one chunk in so many is no evidence
)

// A queryTerm is a word with its weight.
type queryTerm struct {
	term   uint32
	weight float32
}

// Similar returns the chunks most like a query, the best first. Chunks of the
// place's own file are not among them. A score is about the share of the query's words,
// by weight, that a chunk has.
func (m *Model) Similar(c *Chunks, q ChunkQuery) []Chunk {
	if len(c.list) == 0 {
		return nil
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	query := c.query(m, q)
	s.chunks.reset(len(c.list))
	for _, t := range query {
		posts := c.posts.of(t.term)
		for _, p := range posts {
			s.chunks.add(p.chunk, t.weight*c.gain(float32(p.count), c.sizes[p.chunk]))
		}
	}
	self, known := m.ix.FileID(q.Path)
	out := m.best(c, s, q, func(f index.FileID) bool { return known && f == self || m.fresh[f] != nil })
	out = append(out, m.similarFresh(c, q, query, func(f index.FileID) bool { return known && f == self })...)
	sortChunks(out)
	out = out[:min(len(out), q.Most)]
	var all float32
	for _, t := range query {
		all += t.weight
	}
	for i := range out {
		out[i].Score /= all
	}
	return out
}

// gain is BM25's for a word's count in a chunk.
func (c *Chunks) gain(count float32, size uint16) float32 {
	return count * (chunkK + 1) / (count + chunkK*(1-chunkB+chunkB*float32(size)/c.mean))
}

// query weighs the words of a query by their nearness and rarity.
func (c *Chunks) query(m *Model, q ChunkQuery) []queryTerm {
	weights := map[uint32]float32{}
	add := func(word string, weight float32) {
		termsOf(word, func(hash uint32, part bool) {
			w := weight
			if part {
				w *= partWeight
			}
			if term := c.terms[hash]; term != 0 {
				weights[term] = max(weights[term], w)
			}
		})
	}
	from, to := max(0, q.At-queryReach), min(len(q.Text), q.At+queryReach)
	near := q.Text[from:to]
	for i := 0; i < len(near); {
		if !identStart(near[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(near) && identPart(near[end]) {
			end++
		}
		if n := end - i; n >= shortPart && n <= longestWord {
			distance := float32(max(i+from-q.At, q.At-i-from))
			add(near[i:end], 1/(1+distance/nearReach))
		}
		i = end
	}
	eachWord(q.Words, func(word string) { add(word, saidWeight) })
	out := make([]queryTerm, 0, len(weights))
	total := float32(len(c.list))
	for term, weight := range weights {
		df := float32(len(c.posts.of(term)))
		if df*commonShare > total && total > 200 {
			continue
		}
		idf := float32(math.Log(1 + float64((total-df+0.5)/(df+0.5))))
		out = append(out, queryTerm{term, weight * idf})
	}
	slices.SortFunc(out, func(a, b queryTerm) int { return int(a.term) - int(b.term) })
	return out
}

// best returns the best chunks of a scratch.
func (m *Model) best(c *Chunks, s *scratch, q ChunkQuery, without func(index.FileID) bool) []Chunk {
	dir := path.Dir(q.Path)
	s.order = s.order[:0]
	for _, id := range s.chunks.ids {
		chunk := c.list[id]
		value := s.chunks.value[id]
		if f := &m.files[chunk.File]; q.Path != "" && f.dir == dir {
			value *= 1.2
		}
		s.order = append(s.order, uint64(^math.Float32bits(value))<<32|uint64(id))
	}
	count := min(len(s.order), q.Most+32)
	Lowest(s.order, count)
	out := make([]Chunk, 0, count)
	for _, o := range s.order[:count] {
		chunk := c.list[uint32(o)]
		if without(chunk.File) {
			continue
		}
		chunk.Score = math.Float32frombits(^uint32(o >> 32))
		out = append(out, chunk)
	}
	return out
}

// mostFresh is how many files that changed since the base was made are searched.
const mostFresh = 16

// similarFresh scores the chunks of files that changed since the base was made.
func (m *Model) similarFresh(c *Chunks, q ChunkQuery, query []queryTerm, without func(index.FileID) bool) []Chunk {
	ids := make([]index.FileID, 0, len(m.fresh))
	for id := range m.fresh {
		if !without(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	var out []Chunk
	for _, id := range ids[:min(len(ids), mostFresh)] {
		text, ok := c.texts(m.ix, id)
		if !ok || len(text) > largestText {
			continue
		}
		starts := lineStarts(text, nil)
		for _, chunk := range cut(m.ix, id, text, starts) {
			counts, size := map[uint32]int{}, 0
			eachTerm(text[starts[chunk.First-1]:starts[chunk.Last]], func(hash uint32) {
				counts[c.terms[hash]]++
				size++
			})
			for _, t := range query {
				if n := counts[t.term]; n > 0 {
					chunk.Score += t.weight * c.gain(float32(n), uint16(min(size, math.MaxUint16)))
				}
			}
			if chunk.Score > 0 {
				out = append(out, chunk)
			}
		}
	}
	return out
}
