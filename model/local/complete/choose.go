package complete

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tandem/model/local/source"
)

// A Candidate is a text that the user may be about to write, with the engine's
// confidence in it.
type Candidate struct {
	Text       string  // from the cursor to the end of the line
	Confidence float64 // 0 to 1: how often such a candidate is exactly right
	unsound    bool    // a bracket is missing, or a name is nobody's
	finds      []*find
	infill     *infill
}

// A group is the finds that produce the same text.
type group struct {
	text   string
	weight float64
	finds  []*find
}

// candidates returns the texts for the infill site, the most confident first.
func (in *infill) candidates(known trained) []Candidate {
	finds := gatherShards(in, known.shards)
	for _, path := range known.separate() {
		if path != in.path {
			finds = append(finds, search{in, &bridge{doc: in.doc, seg: known.since[path].seg}}.all()...)
		}
	}
	finds = append(finds, search{in, &bridge{doc: in.doc, seg: in.doc}}.all()...)
	in.learned = known
	for i := range finds {
		likeness{in, &finds[i]}.measure()
	}
	slices.SortStableFunc(finds, func(a, b find) int { return cmp.Compare(b.ctx.weight, a.ctx.weight) })
	groups, total := in.groups(finds[:min(len(finds), adapted)])
	return in.judge(groups, total)
}

// groups adapts the finds and groups those of the same text.
func (in *infill) groups(finds []find) ([]*group, float64) {
	byText := map[string]*group{}
	var out []*group
	total := 0.0
	for i := range finds {
		f := &finds[i]
		total += f.ctx.weight
		if !in.adapt(f) {
			continue
		}
		g := byText[f.text]
		if g == nil {
			g = &group{text: f.text}
			byText[f.text] = g
			out = append(out, g)
		}
		g.weight += f.ctx.weight
		g.finds = append(g.finds, f)
	}
	slices.SortStableFunc(out, func(a, b *group) int { return cmp.Compare(b.weight, a.weight) })
	return out, total
}

// adapt computes the text that a find suggests. It returns false if that does not
// fit the typed text or the rest of the line.
func (in *infill) adapt(f *find) bool {
	tokens := f.b.seg.line(f.place)
	var r renaming
	if !f.asIs && f.constructed == "" {
		r = in.renames(f)
	}
	if f.token >= 0 {
		tokens = tokens[f.token:]
		if len(tokens) == 0 {
			return false
		}
		lead := ""
		if tokens[0]&spacedBit != 0 && !strings.HasSuffix(in.typed, " ") && in.half == "" {
			lead = " "
		}
		if f.ctx.back+f.ctx.fore == 0 {
			r = renaming{}
		}
		f.text, f.notes = r.apply(in, f.b.seg, tokens)
		if !strings.HasPrefix(f.text, in.half) {
			return false
		}
		f.text = lead + f.text[len(in.half):]
	} else {
		if f.text = f.constructed; f.constructed == "" {
			f.text, f.notes = r.apply(in, f.b.seg, tokens)
		}
		rest, ok := strings.CutPrefix(f.text, in.typed)
		if !ok {
			return false
		}
		f.text = rest
	}
	if in.tail != "" {
		rest, ok := strings.CutSuffix(f.text, in.tail)
		if !ok {
			return false
		}
		f.text = rest
	}
	return strings.TrimSpace(f.text) != ""
}

// judged is the number of groups that are scored.
const judged = 8

// judge scores groups and returns them as candidates.
func (in *infill) judge(groups []*group, total float64) []Candidate {
	groups = groups[:min(len(groups), judged)]
	var out []Candidate
	for i, g := range groups {
		rival := 0.0
		for j, other := range groups {
			if j != i {
				rival = math.Max(rival, other.weight)
			}
		}
		features := in.features(g, rival, total)
		out = append(out, Candidate{Text: g.text, Confidence: confidence(features[:]), unsound: in.unsound(g), finds: g.finds, infill: in})
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return out
}

// unsound reports whether a text is nothing that anybody writes: it leaves a bracket open in
// the middle of a line, or each of its finds has a name that adapting made up.
func (in *infill) unsound(g *group) bool {
	return !balanced(in.typed+g.text) || !slices.ContainsFunc(g.finds, func(f *find) bool { return f.notes.invented == 0 })
}

// features returns the values that confidence is computed from. The forest refers
// to each by its index in this list.
func (in *infill) features(g *group, rival, total float64) *[featureCount]float64 {
	var best surroundings
	var n notes
	top := math.Inf(-1)
	both, sequences := 0.0, 0
	type file struct {
		seg *segment
		row int
	}
	seen, files := 0, map[file]bool{}
	for _, f := range g.finds {
		c := f.ctx
		if f.notes.renamed == 0 && f.constructed == "" {
			seen = max(seen, in.occurrences(f))
		}
		files[file{f.b.seg, f.b.seg.rowAt(f.place)}] = true
		if c.weight > top {
			top, n = c.weight, f.notes
		}
		best.back, best.fore = max(best.back, c.back), max(best.fore, c.fore)
		best.backSame, best.foreSame = max(best.backSame, c.backSame), max(best.foreSame, c.foreSame)
		best.backAlike, best.foreAlike = math.Max(best.backAlike, c.backAlike), math.Max(best.foreAlike, c.foreAlike)
		best.near, best.gram = math.Max(best.near, c.near), max(best.gram, c.gram)
		best.binds, best.sequence = max(best.binds, c.binds), math.Max(best.sequence, c.sequence)
		if c.sequence > 0 {
			sequences++
		}
		if c.back > 0 && c.fore > 0 {
			both = math.Max(both, float64(min(c.back+c.fore, 8))/8)
		}
	}
	first := g.finds[0]
	lines := float64(len(g.finds))
	share := g.weight / total
	text := strings.TrimSpace(in.typed + g.text)
	wanted, unused := in.supplies(text)
	return &[...]float64{
		1,
		log1(best.back), log1(best.fore), log1(best.backSame), log1(best.foreSame),
		best.backAlike, best.foreAlike, both, best.near, first.ctx.indent, log1(best.gram),
		math.Log(share + 1e-3), share, math.Log((g.weight + 1) / (rival + 1)),
		math.Log(lines), math.Log(top),
		flag(n.unknown > 0), math.Min(float64(n.unknown), 4), math.Min(float64(n.members), 4), flag(n.differ > 0), log1(n.renamed),
		math.Log(float64(len(g.text)) + 1), flag(len(text) <= 3), flag(in.typed != ""), flag(source.IsComment(text)),
		flag(text == in.lineText(in.at) || text == in.lineText(in.at-1)),
		log1(n.names),
		flag(best.binds > 0), log1(best.binds), flag(best.sequence > 0), flag(best.sequence > 1), log1(sequences),
		math.Min(float64(wanted), 3), flag(unused), in.sorted(text), flag(isImport(source.Lex(text, nil)) && best.binds == 0),
		in.opens(text), in.deeper(in.at - 1), in.deeper(in.at), log1(seen), log1(len(files)), g.weight / math.Max(rival, g.weight),
		log1(len(in.typed)), log1(len(in.half)), flag(!balanced(text)), flag(n.invented > 0), log1(in.since(text)), math.Log(total + 1),
	}
}

// occurrences is how often a find's line occurs in all that was learned like it.
func (in *infill) occurrences(f *find) int {
	id := f.b.seg.lines[f.place]
	if f.b.shard == nil {
		return int(f.b.seg.count[id])
	}
	n := 0
	for _, sh := range in.learned.shards {
		n += sh.seg.occurrences(f.b.seg.text[id])
	}
	return n
}

// repeats is how many lines above the infill site are looked at for the same one.
const repeats = 60

// since is how many lines above the infill site a line with a text is; 0: there is none near.
func (in *infill) since(text string) int {
	for k := 1; k <= repeats && in.doc.shapeAt(in.at-k) != 0; k++ {
		if in.lineText(in.at-k) == text {
			return k
		}
	}
	return 0
}

func log1(n int) float64 { return math.Log1p(float64(n)) }

func flag(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// lineText returns the text of the document's line at a place.
func (in *infill) lineText(place int) string { return string(in.doc.write(nil, in.doc.line(place))) }
