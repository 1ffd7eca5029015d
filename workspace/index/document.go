package index

import (
	"slices"
	"sync"

	"tandem/workspace/language"
	"tandem/workspace/mapped"
)

// A document is an open file that is recorded part by part: the parts that an edit leaves alone
// stay in the segments that they are in, at other lines. It never changes.
type document struct {
	path   string
	text   string
	pkg    string
	lines  int
	pieces []piece // in the order of the text
	number map[place]int
	hash   func() uint64
}

// A piece is some lines of a file, of which a row of a segment is the record.
type piece struct {
	place
	line   int                // how many lines are above it
	def    int                // how many definitions
	hidden []int32            // numbers of the row's definitions that are none of the file's, in order
	scan   *language.FileScan // that the row was made of
}

// defs are the rows of a piece's definitions, the hidden ones among them.
func (p *piece) defs() (from, to uint32) { return p.seg.files[p.row].defs, p.seg.files[p.row+1].defs }

func (p *piece) numDefs() int {
	from, to := p.defs()
	return int(to-from) - len(p.hidden)
}

// ordinal is the position of a definition in the file, unless it is hidden.
func (p *piece) ordinal(row uint32) (n int, ok bool) {
	from, _ := p.defs()
	above, hidden := slices.BinarySearch(p.hidden, int32(row-from))
	return p.def + int(row-from) - above, !hidden
}

// at is the row of the definition that has a position in the file.
func (p *piece) at(ordinal int) (row uint32, ok bool) {
	n := int32(ordinal - p.def)
	for _, hidden := range p.hidden {
		if hidden <= n {
			n++
		}
	}
	from, to := p.defs()
	return from + uint32(n), from+uint32(n) < to
}

func (p *piece) defAt(row uint32, id DefID) Def {
	d := p.seg.def(row, id)
	d.Def = d.Def.Below(p.line)
	return d
}

// document packs the parts of a file that old does not have. Their pieces have no segment yet, and
// the packer's rows.
func (p *packer) document(c Change, old *document) *document {
	doc := &document{path: c.Path.String(), text: c.Text, pieces: make([]piece, len(c.Parts)), hash: sync.OnceValue(func() uint64 { return hashOf(mapped.Bytes(c.Text)) })}
	known := map[*language.FileScan]place{}
	if old != nil {
		for i := range old.pieces {
			known[old.pieces[i].scan] = old.pieces[i].place
		}
	}
	defs := 0
	for i, part := range c.Parts {
		at, ok := known[part.Scan]
		if !ok {
			at.row = uint32(len(p.files))
			p.addScan(p.scanner.Take(part.Scan), doc.path, part.Text, stamp{})
		}
		doc.pieces[i] = piece{at, part.Line, defs, part.Hidden, part.Scan}
		defs += len(part.Scan.Defs) - len(part.Hidden)
		if doc.pkg == "" {
			doc.pkg = part.Scan.Package
		}
		if part.Text != "" {
			doc.lines = part.Line + part.Scan.Lines
		}
	}
	return doc
}

// moved is the document with its pieces where they are in new segments.
func (d *document) moved(to func(place) place) *document {
	next := *d
	next.pieces, next.number = slices.Clone(d.pieces), make(map[place]int, len(d.pieces))
	for i := range next.pieces {
		p := &next.pieces[i]
		p.place = to(p.place)
		next.number[p.place] = i
	}
	return &next
}
