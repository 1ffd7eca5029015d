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
		all.Shares = append(all.Shares, one.Shares...)
		for i, t := range one.Times {
			if i == len(all.Times) {
				all.Times = append(all.Times, timing{Budget: t.Budget})
			}
			all.Times[i].Same = append(all.Times[i].Same, t.Same...)
			all.Times[i].New = append(all.Times[i].New, t.New...)
		}
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
	if len(one.Shares) > 0 {
		out = append(out, figure{"shared prefix, mean", 100 * mean(one.Shares), "%", len(one.Shares)},
			figure{"shared prefix, pairs below half", one.broken().percent(), "%", len(one.Shares)})
	}
	for _, t := range one.Times {
		out = append(out, figure{fmt.Sprintf("window of %d tokens, same function, p50", t.Budget), median(t.Same), "ms", len(t.Same)},
			figure{fmt.Sprintf("window of %d tokens, new place, p50", t.Budget), median(t.New), "ms", len(t.New)})
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

// broken are the consecutive windows that share less than half.
func (one *repository) broken() (s share) {
	for _, v := range one.Shares {
		s.count(v < 0.5)
	}
	return s
}
