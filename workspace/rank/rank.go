package rank

import (
	"math"
	"path"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A Query is a place in a text.
type Query struct {
	Path     string // of the file, as the index names it
	Language string
	Text     string
	Line     int                                         // of Text, from 0; negative: no place in particular
	Least    float32                                     // the part of similar files that must use a name for it to be offered on that ground
	Trace    func(d index.DefID, x []float32, used bool) // receives the features of each candidate; may be nil
}

// A Candidate is a definition that the place may need.
type Candidate struct {
	Def      index.DefID
	Score    float32 // estimate of the chance that the place needs it
	Line     int32   // nearest use in the text, from 0; -1: not used yet
	Bytes    uint16  // of its signature
	Imported bool    // the file of the place imports it
}

const (
	similarFiles = 48   // whose names count as those of similar files
	commonName   = 1500 // a name in more files is no evidence of similarity
	mostDefs     = 64   // definitions of one name that are checked
	mostUnused   = 24   // and of one that the text does not use yet
	offeredDefs  = 10   // and those that become candidates
)

// unreachable is the factor for a definition that the language does not let the
// place use: unrelated things often have the same name.
const unreachable = 0.3

// others is what another definition of the same name is worth, by its place
// among them.
var others = [offeredDefs]float32{1, 0.25, 0.15, 0.1, 0.08, 0.06, 0.05, 0.04, 0.04, 0.04}

// Rank appends the definitions that the place may need to out, in no order.
// Definitions in the place's own file are not among them, but other definitions
// of the same names may be.
func (m *Model) Rank(q Query, out []Candidate) []Candidate {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	r := &ranking{Model: m, s: s, q: q, dir: path.Dir(q.Path), out: out,
		weights: weightsOf(q.Language), rarity: log1p(float32(len(m.files)))}
	r.self, r.known = m.ix.FileID(q.Path)
	r.findOwn()
	line := int32(q.Line)
	if q.Line < 0 {
		line = -far
	}
	m.scanNames(s, q.Text, line)
	s.imported.Reset(m.numFiles())
	for _, im := range r.imports() {
		for _, f := range index.Resolve(m.ix, r.self, im) {
			s.imported.Max(uint32(f), 1)
		}
	}
	r.findAlike()
	r.findCohort()
	r.findAdjacent()
	r.findActivity()
	r.findWords()
	r.offerAll()
	return r.out
}

// imports are those of the place's file, if the index knows it.
func (r *ranking) imports() []language.Import {
	if !r.known {
		return nil
	}
	return r.ix.Imports(r.self)
}

// A ranking is one call of Rank.
type ranking struct {
	*Model
	s      *scratch
	q      Query
	dir    string
	self   index.FileID
	known  bool // the index has the place's file, as self
	out    []Candidate
	found  []fitting
	judged features // of the current candidate

	weights *weights
	rarity  float32 // of a name that one file uses
}

// findOwn marks the names that the place's file used when the base was made.
func (r *ranking) findOwn() {
	r.s.own.Reset(r.numNames())
	if r.known {
		for _, id := range r.names.of(uint32(r.self)) {
			r.s.own.Add(uint32(id), 1)
		}
	}
}

// findAlike finds the files most similar to the text by the names they share; a
// rare name counts more.
func (r *ranking) findAlike() {
	s := r.s
	s.alike.Reset(len(r.files))
	var own float32
	for i := range s.mentions {
		id := s.mentions[i].name
		if int(id) >= len(r.idf) {
			continue
		}
		w := r.idf[id] * r.idf[id]
		own += w
		if users := r.users.of(uint32(id)); len(users) <= commonName {
			for _, f := range users {
				s.alike.Add(uint32(f), w)
			}
		}
	}
	r.choose(float32(math.Sqrt(float64(own))))
}

// choose keeps the most alike files.
func (r *ranking) choose(norm float32) {
	s := r.s
	s.order = s.order[:0]
	for _, f := range s.alike.IDs {
		if r.known && index.FileID(f) == r.self {
			continue
		}
		like := s.alike.Get(f) / (r.files[f].norm*norm + 1)
		if r.files[f].dir == r.dir {
			like *= 1.3
		}
		s.order = append(s.order, uint64(^math.Float32bits(like))<<32|uint64(f))
	}
	s.nearest()
}

// findCohort finds which names the similar files use.
func (r *ranking) findCohort() {
	s := r.s
	s.cohort.Reset(r.numNames())
	var total float32
	for _, n := range s.neighbour {
		total += n.like
	}
	for _, n := range s.neighbour {
		for _, id := range r.names.of(uint32(n.file)) {
			s.cohort.Add(uint32(id), n.like/total)
		}
	}
}

// mostAdjacent is how many files of a folder are examined.
const mostAdjacent = 40

// findAdjacent finds which names the other files of the folder use.
func (r *ranking) findAdjacent() {
	s := r.s
	s.adjacent.Reset(r.numNames())
	files := r.folders[r.dir]
	files = files[:min(len(files), mostAdjacent)]
	for _, f := range files {
		if r.known && f == r.self {
			continue
		}
		for _, id := range r.names.of(uint32(f)) {
			s.adjacent.Add(uint32(id), 1/float32(len(files)))
		}
	}
}

// bestOfManyDefs is how many definitions a name may have and still show which file
// or type is used.
const bestOfManyDefs = 12

// findActivity finds which files and types the text near the place uses.
func (r *ranking) findActivity() {
	s := r.s
	s.fileActivity.Reset(r.numFiles())
	s.ownerActivity.Reset(r.numNames())
	for i := range s.mentions {
		m := &s.mentions[i]
		defs := r.Base.defs.of(uint32(m.name))
		if len(defs) == 0 || len(defs) > bestOfManyDefs {
			continue
		}
		each := 1 / (1 + float32(m.nearest())/8) / float32(len(defs))
		for _, id := range defs {
			s.fileActivity.Add(uint32(id.File()), each)
			if owner := r.row(id).owner; owner != 0 {
				s.ownerActivity.Add(uint32(owner), each)
			}
		}
	}
}

// offerAll makes candidates of the names in the text, those that similar files
// use, and what the folder and the imports define.
func (r *ranking) offerAll() {
	s := r.s
	s.tried.Reset(r.numNames())
	for i := range s.mentions {
		r.offer(s.mentions[i].name)
	}
	for _, id := range s.cohort.IDs {
		if s.cohort.Get(id) >= r.q.Least {
			r.offer(nameID(id))
		}
	}
	for _, f := range r.folders[r.dir] {
		for _, d := range r.rowsOf(f) {
			if d.flags&local == 0 {
				r.offer(d.name)
			}
		}
	}
	for _, f := range s.imported.IDs {
		for _, d := range r.rowsOf(index.FileID(f)) {
			if d.flags&(local|exported) == exported {
				r.offer(d.name)
			}
		}
	}
}

// A fitting is how well one definition of a name fits the place.
type fitting struct {
	def index.DefID
	fit float32
}

// offer makes candidates of a name's definitions, the best fitting first.
func (r *ranking) offer(id nameID) {
	if id == 0 || r.s.tried.Has(uint32(id)) {
		return
	}
	r.s.tried.Add(uint32(id), 1)
	defs, own := r.find(id)
	if len(r.found) == 0 {
		return
	}
	best := r.judge(id, r.found[0].def, defs, own)
	for i, f := range r.found {
		c := best
		c.Def, c.Score = f.def, best.Score*others[i]
		dir, _, d := r.at(f.def)
		if dir != r.dir && d.flags&exported == 0 && r.q.Language == "go" {
			c.Score *= unreachable
		}
		c.Bytes = d.bytes
		r.out = append(r.out, c)
	}
}

// find fills found with the definitions of a name that fit best, the best
// first, and returns how many were examined. Those in the place's own file are not
// among them; own reports whether there are some.
func (r *ranking) find(id nameID) (defs int, own bool) {
	r.found = r.found[:0]
	most := mostUnused
	if r.s.slot.Has(uint32(id)) {
		most = mostDefs
	}
	consider := func(list []index.DefID, based bool) {
		for _, d := range list {
			switch f := d.File(); {
			case based && len(r.fresh) > 0 && r.fresh[f] != nil: // changed since the base was made
			case r.known && f == r.self:
				own = true
			case defs < most:
				defs++
				r.keep(fitting{d, r.fit(d)})
			}
		}
	}
	consider(r.Base.defs.of(uint32(id)), true)
	if len(r.Model.defs) > 0 {
		consider(r.Model.defs[id], false)
	}
	return defs, own
}

// keep inserts a definition among those that fit best.
func (r *ranking) keep(f fitting) {
	at := len(r.found)
	for at > 0 && r.found[at-1].fit < f.fit {
		at--
	}
	if at == offeredDefs {
		return
	}
	if len(r.found) < offeredDefs {
		r.found = append(r.found, f)
	}
	copy(r.found[at+1:], r.found[at:])
	r.found[at] = f
}

// fit returns how well a definition fits the place, among those of its name.
func (r *ranking) fit(id index.DefID) float32 {
	dir, language, d := r.at(id)
	f := uint32(id.File())
	var fit float32
	if dir == r.dir {
		fit += 4
	}
	if r.s.imported.Has(f) {
		fit += 5
	}
	if language != r.q.Language {
		fit -= 3
	}
	if d.flags&local != 0 {
		fit -= 4
	}
	if d.flags&exported != 0 {
		fit++
	}
	if d.kind.IsFunc() || d.kind.IsType() {
		fit++
	}
	if d.owner != 0 && r.s.slot.Has(uint32(d.owner)) {
		fit += 2
	}
	return fit + min(2, r.s.fileActivity.Get(f))
}

// judge estimates the probability that the place needs a name whose best
// definition is best.
func (r *ranking) judge(id nameID, best index.DefID, defs int, own bool) Candidate {
	x := &r.judged
	clear(x[:])
	c := Candidate{Def: best, Line: -1}
	used := r.describe(x, &c, id, best, defs)
	x[fOwn] = flag(own)
	c.Score = x.probability(r.weights, used)
	c.Imported = x[fImported] > 0
	if r.q.Trace != nil {
		r.q.Trace(best, x[:], used)
	}
	return c
}
