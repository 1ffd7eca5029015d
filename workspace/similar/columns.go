package similar

import (
	"math"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/mapped"
)

// columns are what is known of the files of an index as it was built, without pointers, so
// that it can stay in a file. They never change.
type columns struct {
	names language.NameTable

	// By word.
	inPieces        []uint32
	userEnds, users []uint32 // rows of the files that have it

	rows   []row
	paths  []byte // and languages
	words  []byte
	pieces []piece
	defs   []word
	totals []uint64 // pieces, and the mean of their words as bits
}

// A row is one file of an index; one without code that could be read has no language.
type row struct {
	hash           uint64
	path, language extent // in paths
	words, pieces  extent
	defs           extent
}

// An extent is a part of a column.
type extent struct{ from, to uint32 }

// format changes with the columns and with how a file is cut and its words are judged.
var format = mapped.Format{Kind: "similar", Version: 2}

func (c *columns) list() []mapped.Column {
	return []mapped.Column{
		mapped.Of(&c.names.Text), mapped.Of(&c.names.Ends), mapped.Of(&c.names.Hashes), mapped.Of(&c.names.Slots),
		mapped.Of(&c.inPieces), mapped.Of(&c.userEnds), mapped.Of(&c.users),
		mapped.Of(&c.rows), mapped.Of(&c.paths), mapped.Of(&c.words), mapped.Of(&c.pieces), mapped.Of(&c.defs), mapped.Of(&c.totals),
	}
}

// readColumns maps the columns that are stored in a file; nil if there are none of use.
func readColumns(file string) *columns {
	c := &columns{}
	if file == "" {
		return nil
	}
	if _, err := format.Map(file, c.list()...); err != nil || !c.names.Reserved() || len(c.totals) != 2 || len(c.inPieces) != c.names.Len() {
		return nil // it is made anew
	}
	return c
}

func (c *columns) pathOf(r *row) string { return mapped.String(c.paths[r.path.from:r.path.to]) }

// byPath is the row of each path.
func (c *columns) byPath() map[string]int32 {
	out := make(map[string]int32, len(c.rows))
	for i := range c.rows {
		out[c.pathOf(&c.rows[i])] = int32(i)
	}
	return out
}

// file is what a row says of a file; nil for one without code.
func (c *columns) file(r *row) *file {
	if r.language.from == r.language.to {
		return nil
	}
	return &file{path: c.pathOf(r), language: mapped.String(c.paths[r.language.from:r.language.to]),
		pieces: c.pieces[r.pieces.from:r.pieces.to:r.pieces.to], words: c.words[r.words.from:r.words.to:r.words.to], defs: c.defs[r.defs.from:r.defs.to:r.defs.to]}
}

// put adds a file; f is nil for one without code.
func (c *columns) put(path string, hash uint64, f *file) {
	r := row{hash: hash, path: add(&c.paths, []byte(path))}
	r.language = add(&c.paths, nil)
	if f != nil {
		r.language = add(&c.paths, []byte(f.language))
		r.words, r.pieces, r.defs = add(&c.words, f.words), add(&c.pieces, f.pieces), add(&c.defs, f.defs)
	}
	c.rows = append(c.rows, r)
}

// add appends values to a column.
func add[T any](column *[]T, values []T) extent {
	from := uint32(len(*column))
	*column = append(*column, values...)
	return extent{from, uint32(len(*column))}
}

// current pairs the rows with the files of an index; ok is false if the index has files
// that the columns lack or know in another state.
func (c *columns) current(ix *index.Index) (ids []index.FileID, ok bool) {
	at := 0
	for _, id := range ix.Files() {
		f, _ := ix.File(id)
		if !isCode(f.Language) {
			continue
		}
		if at == len(c.rows) || c.rows[at].hash != f.Hash || c.pathOf(&c.rows[at]) != f.Path {
			return nil, false
		}
		ids = append(ids, id)
		at++
	}
	return ids, at == len(c.rows)
}

func (c *columns) mean() float32 { return float32(math.Float64frombits(c.totals[1])) }

// list of a word in a column with the ends of each.
func listAt(ends, values []uint32, w word) []uint32 {
	from := uint32(0)
	if w > 0 {
		from = ends[w-1]
	}
	return values[from:ends[w]]
}
