package main

import (
	"regexp"
	"strings"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

const (
	mostWithCallee = 34 // functions of a repository
	longestCallee  = 60 // lines of a called function that is looked for
)

// A call by a bare name, or of a member of the object itself.
var calledName = regexp.MustCompile(`(?:^|[^\p{L}\p{N}_.:>])((?:self|this)\.)?([\p{L}_][\p{L}\p{N}_]*)\(`)

// askCallees asks for the window of an edit in random functions that call others of the
// tree: are these shown whole? A call is sure to mean a function where the whole tree defines
// its name once, and no value stands before the name.
func (v *visit) askCallees(t *clones.Tandem, g *clones.Tree) error {
	known := map[string]*namedFunction{}
	var all []namedFunction
	for _, f := range g.Files {
		for _, d := range f.Definitions() {
			if n := (&namedFunction{f, d, d.Name}); known[d.Name] != nil {
				known[d.Name] = &namedFunction{} // several: the name means none
			} else {
				known[d.Name] = n
			}
			if size := d.Last - d.First; f.Source() && d.Function && size >= shortestFunction && size <= longestFunction {
				all = append(all, namedFunction{f, d, d.Name})
			}
		}
	}
	left := mostWithCallee
	for _, i := range v.random(8).Perm(len(all)) {
		if left == 0 {
			break
		}
		f := &all[i]
		called := f.calls(known)
		if len(called) == 0 {
			continue
		}
		left--
		w, err := v.window(t, clones.Request{ID: f.file.Path, File: f.file.Path, Line: (f.First+f.Last)/2 + 1, Column: 1, Purpose: "edit"})
		if err != nil {
			return err
		}
		for _, c := range called {
			v.counts.add(callees, figures.One(clones.ShownWhole(w.Text, c.file.Lines[c.First:c.Last])), 1)
		}
	}
	return nil
}

// calls are the functions of the same language that a function calls, once each.
func (f *namedFunction) calls(known map[string]*namedFunction) (out []*namedFunction) {
	_, body, _ := strings.Cut(clones.Code(f.file.Path, f.file.Text(f.First, f.Last)), "\n")
	seen := map[string]bool{f.Name: true}
	for _, m := range calledName.FindAllStringSubmatch(body, -1) {
		name, c := m[2], known[m[2]]
		if seen[name] || c == nil || c.file == nil || !c.Function || !c.file.Source() || c.file.Lang != f.file.Lang || c.Last-c.First > longestCallee {
			continue
		}
		if own := c.Outer == f.Outer && c.file == f.file; !own && (m[1] != "" || c.Outer != "") {
			continue
		}
		seen[name] = true
		if c.file != f.file || c.First < f.First || c.Last > f.Last { // not a function inside this one
			out = append(out, c)
		}
	}
	return out
}
