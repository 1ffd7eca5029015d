package model

import (
	"slices"

	"tandem/workspace/redact"
)

// scrub removes from a request the characters that a model reads and a person does
// not see: tags, directional and zero-width marks. Every request to every provider
// passes here, so no source of context can skip it. Data that r shares with the
// caller is not changed.
func (r *Request) scrub() {
	r.Input = slices.Clone(r.Input)
	for i := range r.Input {
		r.Input[i].Text = visible(r.Input[i].Text)
		r.Input[i].Call.Arguments = visible(r.Input[i].Call.Arguments)
	}
	r.Prediction = visible(r.Prediction)
	r.Raw = visible(r.Raw)
	if r.Fill == nil {
		return
	}
	f := *r.Fill
	f.Path, f.Repository, f.Prefix, f.Suffix = visible(f.Path), visible(f.Repository), visible(f.Prefix), visible(f.Suffix)
	f.Extra = slices.Clone(f.Extra)
	for i := range f.Extra {
		f.Extra[i] = ExtraFile{visible(f.Extra[i].Path), visible(f.Extra[i].Text)}
	}
	r.Fill = &f
}

func visible(text string) string {
	clean, _ := redact.Scrub(text)
	return clean
}
