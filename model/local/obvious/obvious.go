package obvious

import (
	"cmp"
	"slices"
	"strings"

	"tandem/model"
	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A Candidate is a line that the language makes plain.
type Candidate struct {
	Text       string    // from the cursor to the end of the line
	Confidence float64   // how often such a candidate is exactly right, 0 to 1
	Features   []float64 // what Confidence was computed from, for evaluation
}

// A Learned is a line that the learned model suggests at the cursor.
type Learned struct {
	Text       string
	Confidence float64
}

// A Place is a cursor where the language makes something plain.
type Place struct {
	site   *site   // in a Go function, or nil
	layout *layout // elsewhere, or nil
}

// Installed are packages outside the workspace that a file in a folder imports.
type Installed interface {
	// Package is the index of what a package declares; ok is false where that is not known.
	Package(dir, importPath string) (ix *index.Index, ok bool)
}

// At returns the place of the cursor. Where nothing is plain it has no candidates and
// every line fits. installed may be nil.
func At(c source.Corpus, installed Installed, f *model.Fill) (p Place) {
	switch language.Family(language.OfFile(f.Path)) {
	case "go":
		if s, ok := newSite(c, installed, f); ok {
			p.site = s
			return p
		}
		fallthrough
	case "python", "script":
		if l, ok := newLayout(c, installed, f); ok {
			p.layout = l
		}
	}
	return p
}

// Fits reports whether a line, from the cursor to its end, may stand at the place: after
// an error check, a return has as many results as its function.
func (p Place) Fits(line string) bool {
	if p.site == nil || !p.site.checksError() {
		return true
	}
	results := len(flatten(p.site.function().typ.Results))
	list, ok := strings.CutPrefix(p.site.typed+line, "return")
	if list = strings.TrimSpace(list); !ok || list == "" {
		return ok || results == 0
	}
	n := len(split(list))
	return n == results || n == 1 && strings.HasSuffix(list, ")")
}

// Candidates returns what is plain at the cursor, the most confident first. What the
// learned model suggests there is judged with it: those lines are among the candidates
// where the place has any.
func (p Place) Candidates(learned []Learned) []Candidate {
	if p.layout != nil {
		return p.layout.candidates(learned)
	}
	s := p.site
	if s == nil {
		return nil
	}
	learned = learned[:min(len(learned), maxLearned)]
	options := s.returns(learned)
	options = append(options, s.fields(learned)...)
	options = append(options, s.cases(learned)...)
	var out []Candidate
	all := 0.0
	test := truth(language.IsTest(s.path))
	for _, o := range options {
		o.evidence[featTest] = test
		rest, ok := strings.CutPrefix(o.text, s.typed)
		if ok && strings.TrimSpace(rest) != "" {
			sure := o.confidence()
			all += sure
			out = append(out, Candidate{rest, sure, slices.Clone(o.evidence[:])})
		}
	}
	for i := range out {
		c, least := &out[i], doubtful
		if c.Features[featReturn] == 0 {
			c.Confidence, least = among(c.Confidence, all), doubtfulField
		}
		if c.Confidence < least {
			c.Confidence *= 0.4
		}
	}
	sortByConfidence(out)
	return out
}

func sortByConfidence(list []Candidate) {
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(b.Confidence, a.Confidence) })
}

// candidates returns what is plain by the lines around the cursor, and with it what is
// learned; what both suggest is surer than each.
func (l *layout) candidates(learned []Learned) []Candidate {
	var plain []Candidate
	for _, c := range slices.Concat(l.early(), l.listedCases(), l.listedFields(), l.lacking()) {
		if rest, ok := strings.CutPrefix(c.Text, l.typed); ok && strings.TrimSpace(rest) != "" {
			plain = append(plain, Candidate{Text: rest, Confidence: c.Confidence})
		}
	}
	if len(plain) == 0 {
		return nil
	}
	for _, c := range learned {
		line, _, _ := strings.Cut(c.Text, "\n")
		if i := slices.IndexFunc(plain, func(p Candidate) bool { return p.Text == line }); i >= 0 {
			plain[i].Confidence = 1 - (1-plain[i].Confidence)*(1-c.Confidence)
		} else {
			plain = append(plain, Candidate{Text: line, Confidence: c.Confidence})
		}
	}
	sortByConfidence(plain)
	return plain
}

// The confidences below which a line is only suggested to who asks: a return, where mostly
// the author adds a message, which nothing shows; a field or a case that is one of many.
const (
	doubtful      = 0.3
	doubtfulField = 0.35
)

// maxLearned bounds the learned lines that are judged.
const maxLearned = 10
