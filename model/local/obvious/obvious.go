package obvious

import (
	"strings"

	"tandem/model"
	"tandem/model/local/source"
	"tandem/workspace/language"
)

// A Candidate is a line that the language makes plain.
type Candidate struct {
	Text       string  // from the cursor to the end of the line
	Confidence float64 // how often such a candidate is exactly right, 0 to 1
}

// A Place is a cursor where the language makes something plain.
type Place struct{ site *site }

// At returns the place of the cursor. Where nothing is plain it has no candidates and
// every line fits.
func At(c source.Corpus, f *model.Fill) Place {
	if language.OfFile(f.Path) == "go" {
		if s, ok := newSite(c, f); ok {
			return Place{s}
		}
	}
	return Place{}
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

// Candidates returns what is plain at the cursor, the most confident first.
func (p Place) Candidates() []Candidate {
	s := p.site
	if s == nil {
		return nil
	}
	var out []Candidate
	for _, line := range append(s.returns(), s.missing()...) {
		rest, ok := strings.CutPrefix(line.Text, s.typed)
		if ok && strings.TrimSpace(rest) != "" {
			out = append(out, Candidate{rest, line.Confidence})
		}
	}
	return out
}
