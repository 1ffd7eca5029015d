package main

import "fmt"

// A figure is one number of a repository.
type figure struct {
	what   string
	number float64
	unit   string
	of     int // samples
}

func (f figure) value() string { return fmt.Sprintf("%.1f %s", f.number, f.unit) }

// together is all repositories as one.
func (r *report) together() *repository {
	all := &repository{Name: pooled}
	for _, one := range r.Repositories {
		all.Messages = append(all.Messages, one.Messages...)
		all.Functions = append(all.Functions, one.Functions...)
		all.Steps = append(all.Steps, one.Steps...)
		all.Callees = append(all.Callees, one.Callees...)
	}
	return all
}

// figures are the numbers of the parts that were measured.
func (one *repository) figures() []figure {
	var out []figure
	if mine, theirs := one.messages(); mine.Trials > 0 {
		out = append(out, figure{"commit messages: files shown with a body", mine.percent(), "%", mine.Trials},
			figure{"commit messages: files with a body in BM25 chunks", theirs.percent(), "%", theirs.Trials})
	}
	for _, form := range forms {
		if s := one.functions(form); s.Trials > 0 {
			out = append(out, figure{"functions whole, by " + form, s.percent(), "%", s.Trials})
		}
	}
	if fits, large := one.steps(); large.Trials > 0 {
		out = append(out, figure{"step files whole, default budget, where they fit", fits.percent(), "%", fits.Trials},
			figure{"step files whole, 64000 tokens", large.percent(), "%", large.Trials})
	}
	if s := one.callees(); s.Trials > 0 {
		out = append(out, figure{"edits: called functions shown whole", s.percent(), "%", s.Trials})
	}
	return out
}

// messages are the files shown of those that commits with questions touched.
func (one *repository) messages() (mine, theirs share) {
	for _, m := range one.Messages {
		mine.add(m.Ours, m.Files)
		theirs.add(m.BM25, m.Files)
	}
	return mine, theirs
}

func (one *repository) functions(form string) (s share) {
	for _, f := range one.Functions {
		if f.Form == form {
			s.count(f.Shown)
		}
	}
	return s
}

func (one *repository) steps() (fits, large share) {
	for _, s := range one.Steps {
		if s.Fits {
			fits.count(s.Default)
		}
		large.count(s.Large)
	}
	return fits, large
}

func (one *repository) callees() (s share) {
	for _, c := range one.Callees {
		s.count(c.Shown)
	}
	return s
}
