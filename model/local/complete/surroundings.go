package complete

import (
	"math"
	"path"
	"strings"
)

// A likeness compares a find's surroundings with the infill site's.
type likeness struct {
	in *infill
	f  *find
}

// measure computes how far a find's surroundings agree with the infill site's.
func (l likeness) measure() {
	in, f := l.in, l.f
	c := &f.ctx
	c.back, c.backSame, c.backAlike = l.agree(-1)
	c.fore, c.foreSame, c.foreAlike = l.agree(+1)
	if f.constructed != "" {
		c.back, c.fore = 0, 0
		c.backSame, c.backAlike, c.foreSame, c.foreAlike = 0, 0, 0, 0
		if in.doc.shapeAt(in.at-1) == in.doc.shapeAt(in.at) {
			c.sequence = 2
		}
	}
	c.near = l.nearness()
	c.indent = l.indentation()
	score := 1 + 0.6*float64(c.back+c.fore) + 0.8*float64(c.backSame+c.foreSame) + 2*c.backAlike + 2*c.foreAlike + c.indent + 0.5*c.near + float64(c.gram) + 3*float64(c.binds) + 2*c.sequence
	if c.back > 0 && c.fore > 0 {
		score += 3
	}
	c.weight = math.Max(score, 0.1)
	c.weight *= c.weight * c.weight
}

// agree compares the lines in one direction, the nearest first.
func (l likeness) agree(dir int) (lines, same int, alike float64) {
	in, f := l.in, l.f
	ours, theirs := in.at, f.place+1
	if dir < 0 {
		ours, theirs = in.at-1, f.place-1
	}
	if f.b.seg == f.b.doc && theirs == ours {
		return 0, 0, 0 // the line next to the infill site, compared with itself
	}
	all := true
	for lines < deepest && f.b.shapeAt(ours) == f.b.seg.shapeAt(theirs) {
		bound := f.b.doc.shapeAt(ours) == 0
		part := 1.0
		if !bound {
			part = f.b.alike(ours, theirs)
		}
		if lines == 0 {
			alike = part
		}
		if all = all && part == 1; all {
			same++
		}
		lines++
		if bound {
			break
		}
		ours, theirs = ours+dir, theirs+dir
	}
	return lines, same, alike
}

// nearness returns how close a find's file is to the document.
func (l likeness) nearness() float64 {
	in, f := l.in, l.f
	if f.b.seg == f.b.doc {
		return 3
	}
	file := f.b.seg.path(f.b.seg.rowAt(f.place))
	ours, theirs := path.Dir(in.path), path.Dir(file)
	if ours == theirs {
		return 2
	}
	shared := 0
	for shared < len(ours) && shared < len(theirs) && ours[shared] == theirs[shared] {
		shared++
	}
	all := strings.Count(ours, "/") + 1
	return float64(strings.Count(ours[:shared], "/")) / float64(all)
}

// indentation returns whether a find's line is indented relative to the line
// before or after it as the cursor's line is: 1 yes, -1 no, 0 unknown.
func (l likeness) indentation() float64 {
	in, f := l.in, l.f
	if in.space == "" && in.typed == "" {
		return 0
	}
	ours := width(in.space)
	there := int(f.b.seg.indent[f.place])
	if f.ctx.back > 0 && in.doc.shapeAt(in.at-1) != 0 {
		return sign(there-int(f.b.seg.indent[f.place-1]) == ours-int(in.doc.indent[in.at-1]))
	}
	if f.ctx.fore > 0 && in.doc.shapeAt(in.at) != 0 {
		return sign(there-int(f.b.seg.indent[f.place+1]) == ours-int(in.doc.indent[in.at]))
	}
	return sign(there == ours)
}

func sign(yes bool) float64 {
	if yes {
		return 1
	}
	return -1
}
