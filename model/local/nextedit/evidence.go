package nextedit

import (
	"math"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// Evidence is what is known of an offer, its place and the change that it goes on with, as
// numbers from 0 to about 1 or logarithms of counts. None depends on a name or a language.
type Evidence [NumEvidence]float64

// The numbers of an Evidence.
const (
	bias = iota
	// The kind of the offer; none is a change that was made at least twice.
	renamed   // the users of a definition or variable that was renamed
	sameLines // the same whole lines as those that were changed once
	samePart  // the same part of a line as one that was changed once
	// The examples.
	examplesMade
	filesMade // in more than one file
	since     // edits since the newest
	// The change.
	inStrings
	oneName
	inserts
	removes
	linesAdded
	linesRemoved
	numbers
	onlyLiterals
	changedNames
	contextNames
	variables
	renders // variables in the new text
	// The places.
	places
	shareDone
	otherFile
	otherFolder
	behind  // the user went through the places in order, and passed it
	skipped // the user has edited something below it since the newest example, or its file from another one
	above
	distance
	onSameLine // the line is as an example's was
	comment
	dataFile
	proseFile
	otherTest // a test, and no example was in one; or the reverse
	hadName
	lacksName
	// What some of these mean together.
	onceElsewhere
	onceInData
	onceNumbers
	numbersInData
	insertsInData
	nameElsewhere
	renamedLate

	byName // in a language whose names nothing here binds: it may be another definition's
	copied // lines that were added twice, with the same lines around them here
	alike  // a line of code that is as two others of its file were that were changed in the same way

	NumEvidence
)

func (e Evidence) plus(o Evidence) Evidence {
	for i, x := range o {
		e[i] += x
	}
	return e
}

// Together is the evidence with what some of its numbers mean together.
func (e Evidence) Together() Evidence {
	once := e[sameLines] + e[samePart]
	e[onceElsewhere] = once * e[otherFile]
	e[onceInData] = once * e[dataFile]
	e[onceNumbers] = once * e[numbers]
	e[numbersInData] = e[numbers] * e[dataFile]
	e[insertsInData] = e[inserts] * e[dataFile]
	e[nameElsewhere] = e[oneName] * e[otherFile]
	e[renamedLate] = e[renamed] * e[since]
	return e
}

// A Decision is how sure an offer must be to be made: the logarithms of odds by which each
// number of its evidence counts, and the least chances, of a change that was made at least
// twice and of one that was made once.
type Decision struct {
	Weights        Evidence
	Repeated, Once float64
}

// Decisions are those for each Class.
type Decisions [Classes]Decision

// The classes of places: in code, and in data and texts for people, where what looks alike
// mostly is.
const (
	Code = iota
	NoCode

	Classes
)

// Class is the class of an offer's place.
func (e Evidence) Class() int {
	if e[dataFile]+e[proseFile] > 0 {
		return NoCode
	}
	return Code
}

// Chance is the probability that an offer is right, as far as its evidence shows.
func (e Evidence) Chance(d Decisions) float64 {
	if e.Follows() {
		return 1
	}
	sum := 0.0
	for i, x := range e.Together() {
		sum += x * d[e.Class()].Weights[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// Follows reports whether an offer is about the users of what was renamed a moment ago:
// they follow by the language, whatever is usual; or about lines that were just added, or changed in
// the same way, twice. What is found by name alone may be
// another definition's; of a rename, it is taken for the same one after the user has renamed a use.
func (e Evidence) Follows() bool {
	return e[since] <= log2(1+maxFresh) && (e[copied]+e[alike] > 0 || e[renamed] > 0 && (e[byName] == 0 || e[shareDone] > 0))
}

// Enough reports whether an offer that has a chance is made. A place that the user has passed
// on the way through the others is none.
func (e Evidence) Enough(chance float64, d Decisions) bool {
	if e[behind] > 0 {
		return false
	}
	if e[sameLines]+e[samePart] > 0 {
		return chance >= d[e.Class()].Once
	}
	return chance >= d[e.Class()].Repeated
}

// maxFresh is after how many more edits a change is no longer a moment ago.
const maxFresh = 2

func truth(b bool) float64 { return float64(flagInt(b)) }

func log2(n int) float64 { return math.Log2(float64(max(n, 1))) }

// names counts the names among tokens.
func names(tokens []flat) (n int) {
	for _, t := range tokens {
		n += flagInt(t.class == source.Word)
	}
	return n
}

// changeEvidence is what a change itself shows.
func changeEvidence(c *change) (e Evidence) {
	e[bias] = 1
	e[oneName] = truth(len(c.old) == 1 && len(c.new) == 1 && c.old[0].class == source.Word)
	e[inserts] = truth(len(c.old) == 0)
	e[removes] = truth(len(c.new) == 0)
	e[linesAdded] = log2(1 + max(0, lineEnds(c.new)-lineEnds(c.old)))
	e[linesRemoved] = log2(1 + max(0, lineEnds(c.old)-lineEnds(c.new)))
	e[numbers] = truth(len(c.old) > 0 && unnumbered(c.old) == unnumbered(c.new))
	e[onlyLiterals] = truth(len(c.old) > 0 && !slices.ContainsFunc(c.old, func(t flat) bool { return t.class != source.Literal }))
	e[changedNames] = log2(1 + names(c.old))
	return e
}

// evidence is what a pattern and its examples show.
func (p *pattern) evidence() Evidence {
	e := changeEvidence(p.like)
	madeIn := map[string]bool{}
	for _, x := range p.examples {
		madeIn[x.path] = true
	}
	e[examplesMade] = log2(len(p.examples))
	e[filesMade] = truth(len(madeIn) > 1)
	for i, s := range p.tokens {
		switch {
		case s.variable > 0:
			e[variables] = 1
		case (i < p.from || i >= p.to) && source.IsWordByte(s.text[0]) && !source.Keywords[s.text]:
			e[contextNames]++
		}
	}
	e[contextNames] = log2(1 + int(e[contextNames]))
	e[renders] = truth(slices.ContainsFunc(p.template, func(s slot) bool { return s.variable > 0 }))
	return e
}

// Languages without code.
var (
	dataLanguages = terms.Set("json yaml toml xml ini go.mod dockerfile makefile")
	textLanguages = terms.Set("markdown restructuredtext html plaintext")
)

// at is what the place of an offer shows, seen from the cursor and from the examples, the
// newest first; it is age edits since the newest one.
func (f *follower) at(n NextEdit, made []example, age int) (e Evidence) {
	src := currentText(f.corpus, n.Path)
	e[since] = log2(1 + age)
	e[otherFile] = truth(n.Path != f.path)
	e[otherFolder] = truth(source.Folder(n.Path) != source.Folder(f.path))
	e[above] = truth(n.Path == f.path && n.Edit.Start < f.offset)
	if n.Path == f.path {
		from, to := min(n.Edit.Start, f.offset), min(max(n.Edit.Start, f.offset), len(src))
		e[distance] = log2(1+strings.Count(src[from:to], "\n")) / 8
	}
	e[behind] = truth(passed(n, made))
	e[skipped] = truth(slices.ContainsFunc(f.recent[len(f.recent)-min(age, len(f.recent)):], func(r workspace.RecentEdit) bool {
		return r.Path == n.Path && (n.Path != f.path || r.Placed && r.Place.Start > n.Edit.Start)
	}))
	line := lineAround(src, []flat{{start: n.Edit.Start}}, 0)
	e[comment] = truth(source.IsComment(line))
	lang := language.OfFile(n.Path)
	e[dataFile], e[proseFile] = truth(dataLanguages[lang]), truth(textLanguages[lang])
	test := language.IsTest(n.Path)
	e[otherTest] = truth(len(made) > 0 && !slices.ContainsFunc(made, func(x example) bool { return language.IsTest(x.path) == test }))
	e[onSameLine] = truth(slices.ContainsFunc(made, func(x example) bool { return x.oldLine() == line }))
	return e
}

// oldLine is the line, or the first one, that a change was made in.
func (c *change) oldLine() string {
	switch {
	case len(c.old) > 0:
		return lineAround(c.was, c.old, 0)
	case len(c.left) > 0 && c.left[len(c.left)-1].text != lineEnd:
		return lineAround(c.was, c.left, len(c.left)-1)
	case len(c.right) > 0:
		return lineAround(c.was, c.right, 0)
	}
	return ""
}

// passed reports whether the examples, of which there are several, were made from the top
// of a file, or of the list of files, down, and the last one is below a place.
func passed(n NextEdit, made []example) bool {
	files := false
	var last *example
	for age := maxRecent; age >= 0; age-- { // those of one edit are in the text's order
		for i := range made {
			x := &made[i]
			if x.edit != age {
				continue
			}
			if x.at < 0 || last != nil && (x.path < last.path || x.path == last.path && x.at < last.at) {
				return false
			}
			files = files || last != nil && x.path != last.path
			last = x
		}
	}
	return last != nil && len(made) > 1 && (n.Path == last.path && n.Edit.Start < last.at || files && n.Path < last.path)
}

// fromOneEdit are offers whose places follow from an edit that was made once, age edits ago.
// Edits that go on with the change keep it new.
func (f *follower) fromOneEdit(o offers, age int) offers {
	for i := range age { // the newest first
		if r := f.recent[len(f.recent)-1-i]; o.name != "" && strings.Contains(r.New, o.name) {
			age = i
			break
		}
	}
	for i := range o.edits {
		n := &o.edits[i]
		n.Evidence = n.Evidence.plus(f.at(*n, nil, age))
		n.Evidence[bias] = 1
		n.Evidence[places] = log2(1 + len(o.edits))
	}
	return o
}

// evidenceOf is that of places of one kind, of which some are done.
func evidenceOf(kind, done, total int) (e Evidence) {
	e[kind], e[shareDone] = 1, float64(done)/float64(max(total, 1))
	return e
}
