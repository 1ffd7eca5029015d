package inline

import (
	"sync"

	"tandem/edits"
)

// vets are the checks of one request's suggestions. Candidates often say the same, and the
// first line may be all of an answer: each text is checked once.
type vets struct {
	mu     sync.Mutex // guards byText
	byText map[vetted]*vetting
}

// A vetted is what two suggestions of a request have in common if their checks are the same.
type vetted struct {
	replace edits.Span
	text    string
}

// A vetting is the check of a text, which runs once.
type vetting struct {
	once   sync.Once
	result candidate
}

// of returns the result of check for a suggestion, or what it was for another one with the
// same text.
func (v *vets) of(item Completion, check func(Completion) candidate) candidate {
	key := vetted{item.Replace, item.Text}
	v.mu.Lock()
	one := v.byText[key]
	if one == nil {
		if v.byText == nil {
			v.byText = map[vetted]*vetting{}
		}
		one = &vetting{}
		v.byText[key] = one
	}
	v.mu.Unlock()
	one.once.Do(func() { one.result = check(item) })
	out := one.result
	item.Verdict, item.Imports = out.completion.Verdict, out.completion.Imports
	out.completion = item
	return out
}
