package similar

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/terms"
)

// The usual constants of BM25: how soon a repeated word counts no more, and the weight of
// length.
const bm25K, bm25B = 1.2, 0.75

const (
	pieceLines = 30
	mostPieces = 200
	mostShared = 3 // words that a piece names
	// Words in more than an eighth of the files do not count, unless these are few.
	commonPart, commonLeast = 8, 64
)

// A Piece is some lines of a file that resemble the words of a query.
type Piece struct {
	File        index.FileID
	First, Last int      // lines, from 1, inclusive
	Score       float32  // BM25: comparable within one query alone
	Part        float32  // the share of the weight of all words of the query
	Words       []string // at most three, those that count most
}

// A Query is some words with their weights.
type Query struct {
	words   []string // each once, in the order of their first use
	weights []float32
	number  map[string]int
}

// Add adds the words of a text.
func (q *Query) Add(text string, weight float32) {
	if q.number == nil {
		q.number = map[string]int{}
	}
	EachName(text, func(from, to int) {
		i, known := q.number[text[from:to]]
		if to-from < terms.ShortPart {
			return
		}
		if !known {
			i = len(q.words)
			q.number[text[from:to]] = i
			q.words, q.weights = append(q.words, text[from:to]), append(q.weights, 0)
		}
		q.weights[i] = max(q.weights[i], weight)
	})
}

// A Hit is a file that resembles words.
type Hit struct {
	File  index.FileID
	Score float32
}

// Rank returns the pieces that resemble a query most, the best first, of as many files as are
// given: those that share most of the query's rare words. read returns a file's text, "" for
// one to leave out.
func Rank(ix *index.Index, q *Query, files int, read func(index.FileID) string) []Piece {
	rare, pool := q.lookUp(ix, files)
	var pieces []counted
	words := 0
	for _, hit := range pool {
		for text, first := read(hit.File), 1; text != ""; first += pieceLines {
			p := counted{Piece: Piece{File: hit.File, First: first}, counts: make([]float32, len(q.words))}
			text = p.take(text, q, rare)
			pieces, words = append(pieces, p), words+p.words
		}
	}
	q.score(pieces, rare, float32(words)/float32(max(1, len(pieces))))
	slices.SortFunc(pieces, func(x, y counted) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(ix.Path(x.File), ix.Path(y.File)), x.First-y.First)
	})
	var out []Piece
	for _, p := range pieces[:min(len(pieces), mostPieces)] {
		if p.Score > 0 {
			out = append(out, p.Piece)
		}
	}
	return out
}

// lookUp returns how rare each word is among the files, 0 if no code has it or it is too common,
// and the files that share most of the query for their size: the best piece is seldom in
// another.
func (q *Query) lookUp(ix *index.Index, most int) (rare []float32, files []Hit) {
	rare = make([]float32, len(q.words))
	common := max(commonLeast, ix.NumFiles()/commonPart)
	at := map[index.FileID]int{}
	for i, w := range q.words {
		if n := ix.DocFreq(w); n == 0 || n > common {
			continue
		}
		uses := ix.Uses(w)
		rare[i] = rarity(ix.NumFiles(), len(uses))
		for _, use := range uses {
			if _, known := at[use.File]; !known {
				at[use.File] = len(files)
				files = append(files, Hit{File: use.File})
			}
			files[at[use.File]].Score += rare[i] * q.weights[i]
		}
	}
	for i := range files {
		f, _ := ix.File(files[i].File)
		if files[i].Score /= float32(math.Sqrt(math.Sqrt(float64(f.Size + 1)))); !isCode(f.Language) {
			files[i].Score = 0
		}
	}
	return rare, best(ix, files, most)
}

// rarity returns the weight of a word that some of the texts have.
func rarity(all, has int) float32 {
	return float32(math.Log(1 + max(0, float64(all-has)+0.5)/(float64(has)+0.5)))
}

// best returns the files with the greatest scores, the best first, equal ones by path.
func best(ix *index.Index, files []Hit, most int) []Hit {
	scores := make([]float32, len(files))
	for i, hit := range files {
		scores[i] = -hit.Score
	}
	if scores = terms.Least(scores, most); len(scores) == 0 {
		return nil
	}
	least := -slices.Max(scores)
	files = slices.DeleteFunc(files, func(hit Hit) bool { return hit.Score < least || hit.Score == 0 })
	slices.SortFunc(files, func(x, y Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(ix.Path(x.File), ix.Path(y.File)))
	})
	return files[:min(len(files), most)]
}

// A counted piece knows how often it has each word of the query.
type counted struct {
	Piece
	counts []float32
	words  int
}

// take takes the first lines of a text as the piece, and returns the rest.
func (p *counted) take(text string, q *Query, rare []float32) string {
	end := 0
	for p.Last = p.First - 1; p.Last < p.First-1+pieceLines && end < len(text); p.Last++ {
		if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(text)
		}
	}
	EachName(text[:end], func(from, to int) {
		p.words++
		if i, asked := q.number[text[from:to]]; asked && rare[i] > 0 {
			p.counts[i]++
		}
	})
	return text[end:]
}

// score scores pieces. A word is as rare as it is among the files, by their code, or among the
// pieces, comments included, whichever is less.
func (q *Query) score(pieces []counted, rare []float32, mean float32) {
	weights, all := make([]float32, len(q.words)), float32(0)
	for i := range q.words {
		has := 0
		for _, p := range pieces {
			has += min(1, int(p.counts[i]))
		}
		weights[i] = q.weights[i] * min(rare[i], rarity(len(pieces), has))
		all += weights[i]
	}
	byWeight := make([]int, len(q.words))
	for i := range byWeight {
		byWeight[i] = i
	}
	slices.SortStableFunc(byWeight, func(x, y int) int { return cmp.Compare(weights[y], weights[x]) })
	for at := range pieces {
		p := &pieces[at]
		norm := bm25K * (1 - bm25B + bm25B*float32(p.words)/mean)
		for _, i := range byWeight {
			if n := p.counts[i]; n > 0 {
				p.Score += weights[i] * n * (bm25K + 1) / (n + norm)
				if p.Part += weights[i] / all; len(p.Words) < mostShared {
					p.Words = append(p.Words, q.words[i])
				}
			}
		}
	}
}

// EachName calls do with the start and end of each word of a text that can be a name.
func EachName(text string, do func(from, to int)) {
	for i := 0; i < len(text); {
		c := text[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && c < 0x80 {
			i++
			continue
		}
		from := i
		for i < len(text) && edits.IsWordByte(text[i]) {
			i++
		}
		do(from, i)
	}
}

// NewWords returns the words of a text that the text before it does not have.
func NewWords(before, after string) []string {
	var had, has Query
	had.Add(before, 1)
	has.Add(after, 1)
	return slices.DeleteFunc(has.words, func(w string) bool { _, known := had.number[w]; return known })
}

// isCode reports whether files of a language hold code: prose, data and settings do not.
func isCode(language string) bool {
	switch language {
	case "", "plaintext", "markdown", "restructuredtext", "go.mod", "yaml", "json", "jsonc", "toml", "xml", "html", "css", "scss", "less", "ini", "dockerfile", "makefile", "properties", "csv", "diff", "latex", "asciidoc":
		return false
	}
	return true
}
