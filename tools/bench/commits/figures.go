package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"tandem/tools/bench/figures"
)

// A report is everything that was measured.
type report struct {
	Seed         uint64        `json:"seed"`
	Seconds      float64       `json:"seconds"`
	Bars         []figures.Row `json:"bars"`
	Repositories []*repository `json:"repositories"`
}

// A share is hits among trials.
type share struct{ hits, trials int }

func (s *share) add(hits, trials int) { s.hits, s.trials = s.hits+hits, s.trials+trials }

func (s share) percent() float64 { return figures.Percent(s.hits, s.trials) }

// A figure is a share that was measured, and the bar of all repositories together.
type figure struct {
	what string
	share
	bar float64 // in percent; 0 is none
}

// together is all repositories as one.
func (r *report) together() *repository {
	all := &repository{Name: "all"}
	for _, one := range r.Repositories {
		all.Messages = append(all.Messages, one.Messages...)
		all.Functions = append(all.Functions, one.Functions...)
		all.Steps = append(all.Steps, one.Steps...)
		all.Callees = append(all.Callees, one.Callees...)
	}
	return all
}

// figures are the shares of the parts that were measured.
func (one *repository) figures() []figure {
	mine, theirs := one.messages()
	out := []figure{{"commit messages: files shown with a body", mine, 40}, {"commit messages: files with a body in BM25 chunks", theirs, 0}}
	for _, form := range forms {
		whole := figure{what: "functions whole, by " + form, bar: 100}
		for _, f := range one.Functions {
			if f.Form == form {
				whole.add(figures.One(f.Shown), 1)
			}
		}
		out = append(out, whole)
	}
	fits, large := figure{what: "step files whole, default budget, where they fit", bar: 100}, figure{what: "step files whole, 64000 tokens", bar: 100}
	for _, s := range one.Steps {
		if s.Fits {
			fits.add(figures.One(s.Default), 1)
		}
		large.add(figures.One(s.Large), 1)
	}
	called := figure{what: "edits: called functions shown whole", bar: 90}
	for _, c := range one.Callees {
		called.add(figures.One(c.Shown), 1)
	}
	return append(out, fits, large, called)
}

// messages are the files shown of those that commits with questions touched.
func (one *repository) messages() (mine, theirs share) {
	for _, m := range one.Messages {
		mine.add(m.Ours, m.Files)
		theirs.add(m.BM25, m.Files)
	}
	return mine, theirs
}

// judge compares what was measured in all repositories with what is wanted.
func (r *report) judge() {
	all := r.together()
	for _, f := range all.figures() {
		if f.bar > 0 && f.trials > 0 {
			r.Bars = append(r.Bars, figures.Row{What: f.what, Value: f.percent(), Bar: f.bar})
		}
	}
	if mine, theirs := all.messages(); mine.trials > 0 {
		times := figures.Row{What: "commit messages: times BM25's", Unit: "x", Bar: 1.3}
		if theirs.hits > 0 {
			times.Value = mine.percent() / theirs.percent()
		}
		r.Bars = append(r.Bars, times)
	}
}

// print writes what was measured, by repository, and the bars.
func (r *report) print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "REPOSITORY\tWHAT\tSHARE\tOF")
	for _, one := range append(append([]*repository{}, r.Repositories...), r.together()) {
		for _, f := range one.figures() {
			if f.trials > 0 {
				fmt.Fprintf(table, "%s\t%s\t%.1f %%\t%d\n", one.Name, f.what, f.percent(), f.trials)
			}
		}
		for why, times := range one.Refused {
			fmt.Fprintf(table, "%s\trefused: %s\t%d\t\n", one.Name, why, times)
		}
	}
	table.Flush()
	fmt.Fprintln(out)
	figures.Print(out, r.Bars...)
	fmt.Fprintf(out, "\nseed %d, %.0f s\n", r.Seed, r.Seconds)
}
