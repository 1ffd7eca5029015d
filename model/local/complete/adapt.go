package complete

import (
	"slices"
	"strings"

	"tandem/model/local/source"
)

// A renaming maps names around a find to the names used around the infill site.
type renaming struct {
	words []renamed
	parts []part
}

// A renamed word has another name at the infill site. differ reports that it
// has more than one.
type renamed struct {
	from   uint32 // in the find's segment
	to     string
	differ bool
}

// A part is what differs between two names that are built alike:
// DeploymentList and PodList differ in Deployment and Pod.
type part struct{ from, to string }

// Notes count what was changed or unclear when a line was adapted.
type notes struct {
	renamed  int // words changed
	differ   int // words for which the surroundings disagree
	unknown  int // names that the document does not have
	members  int // and of those, the ones after a dot
	invented int // names that were made by adapting, and that nothing has
	names    int // names in the line
}

// maxHeaders is how many enclosing lines are compared.
const maxHeaders = 3

// renames learns from the lines that agree in shape, and from the lines that
// enclose both places.
func (in *infill) renames(f *find) renaming {
	var r renaming
	for k := range f.ctx.back {
		r.learn(f.b, in.at-1-k, f.place-1-k)
	}
	for k := range f.ctx.fore {
		r.learn(f.b, in.at+k, f.place+1+k)
	}
	ours, theirs := in.at, f.place
	indent, there := width(in.space), int(f.b.seg.indent[f.place])
	if in.space == "" && in.typed == "" {
		indent = there
	}
	for range maxHeaders {
		ours, indent = in.doc.header(ours, indent)
		theirs, there = f.b.seg.header(theirs, there)
		if ours < 0 || theirs < 0 || f.b.shapeAt(ours) != f.b.seg.shapeAt(theirs) {
			break
		}
		r.learn(f.b, ours, theirs)
	}
	return r
}

// header returns the nearest line above that is indented less, or -1.
func (s *segment) header(place, indent int) (int, int) {
	for p := place - 1; p > 0 && s.lines[p] != 0 && place-p < 400; p-- {
		if int(s.indent[p]) < indent {
			return p, int(s.indent[p])
		}
	}
	return -1, 0
}

// learn compares two lines of one shape word by word.
func (r *renaming) learn(b *bridge, docPlace, segPlace int) {
	ours, theirs := b.doc.line(docPlace), b.seg.line(segPlace)
	if len(ours) != len(theirs) {
		return
	}
	for i := range ours {
		our, their := ours[i]&^spacedBit, theirs[i]&^spacedBit
		if b.seg.classes[their] == source.Word || b.seg.classes[their] == source.Literal || b.seg.classes[their] == source.Number {
			r.note(b.seg, their, b.doc.name(our))
		}
	}
}

// blank is what takes the place of a name that nothing reads.
const blank = "_"

// note records that a word of the segment has a name in the document. Two
// different names for one word make it ambiguous.
func (r *renaming) note(s *segment, from uint32, to string) {
	if to == blank || s.name(from) == blank {
		return
	}
	for i := range r.words {
		if r.words[i].from == from {
			r.words[i].differ = r.words[i].differ || r.words[i].to != to
			return
		}
	}
	r.words = append(r.words, renamed{from: from, to: to})
	if name := s.name(from); name != to && s.classes[from] != source.Number {
		if p, ok := differing(name, to); ok && !slices.Contains(r.parts, p) {
			r.parts = append(r.parts, p)
		}
	}
}

// differing returns the part in which two names differ, cut at word boundaries.
func differing(a, b string) (part, bool) {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for head > 0 && !(boundary(a, head) && boundary(b, head)) {
		head--
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	for tail > 0 && !(boundary(a, len(a)-tail) && boundary(b, len(b)-tail)) {
		tail--
	}
	p := part{a[head : len(a)-tail], b[head : len(b)-tail]}
	return p, len(p.from) >= 3 && len(p.to) >= 2
}

// boundary reports whether a word of a compound name may begin at i.
func boundary(s string, i int) bool {
	if i == 0 || i >= len(s) {
		return true
	}
	return !source.IsWordByte(s[i]) || !source.IsWordByte(s[i-1]) || isUpper(s[i]) || s[i-1] == '_' || s[i] == '_' || isUpper(s[i-1]) && !isUpper(s[i])
}

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

// apply returns the text of tokens under the renaming.
func (r *renaming) apply(in *infill, s *segment, tokens []uint32) (string, notes) {
	var n notes
	out := make([]byte, 0, 64)
	for i, t := range tokens {
		if t&spacedBit != 0 && i > 0 {
			out = append(out, ' ')
		}
		id := t &^ spacedBit
		name := r.name(s, id, &n)
		out = append(out, name...)
		if s.classes[id] == source.Word {
			n.names++
			if _, ok := in.doc.id(name); !ok {
				if name != s.name(id) && !in.hasName(name) {
					n.invented++
				}
				if i > 0 && s.name(tokens[i-1]&^spacedBit) == "." {
					n.members++
				} else {
					n.unknown++
				}
			}
		}
	}
	return string(out), n
}

// hasName reports whether something that was learned has a name.
func (in *infill) hasName(name string) bool {
	for _, sh := range in.learned.shards {
		if _, ok := sh.seg.id(name); ok {
			return true
		}
	}
	for _, f := range in.learned.since {
		if f.seg != nil {
			if _, ok := f.seg.id(name); ok {
				return true
			}
		}
	}
	return false
}

// name returns the name of a token at the infill site.
func (r *renaming) name(s *segment, id uint32, n *notes) string {
	was := s.name(id)
	if c := s.classes[id]; c != source.Word && c != source.Literal && c != source.Number {
		return was
	}
	for _, w := range r.words {
		if w.from == id {
			if w.differ {
				n.differ++
			}
			if w.to != was {
				n.renamed++
			}
			return w.to
		}
	}
	now := was
	for _, p := range r.parts {
		now = replacePart(now, p)
	}
	if now != was {
		n.renamed++
	}
	return now
}

// replacePart replaces the part where it forms whole words of a name, with its
// first letter in either case.
func replacePart(name string, p part) string {
	for _, q := range [2]part{p, {flip(p.from), flip(p.to)}} {
		i := strings.Index(name, q.from)
		if i >= 0 && boundary(name, i) && boundary(name, i+len(q.from)) {
			return name[:i] + q.to + name[i+len(q.from):]
		}
	}
	return name
}

// flip changes the case of the first letter.
func flip(s string) string {
	if s == "" {
		return s
	}
	if b := s[0]; b|0x20 >= 'a' && b|0x20 <= 'z' {
		return string(b^0x20) + s[1:]
	}
	return s
}
