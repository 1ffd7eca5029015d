package main

import (
	"math/rand/v2"
	"regexp"
	"strings"
)

// longestCallee is how many lines a called function may have to be looked for.
const longestCallee = 60

// An askedCallee says whether the body of a function stood in the window of an edit in
// a function that calls it.
type askedCallee struct {
	Path   string `json:"path"`
	Line   int    `json:"line"` // of the function that is edited, from 1
	Callee string `json:"callee"`
	From   string `json:"from"` // its file
	Shown  bool   `json:"shown"`
}

// A call by a bare name, or of a member of the object itself.
var calledName = regexp.MustCompile(`(?:^|[^\p{L}\p{N}_.:>])((?:self|this)\.)?([\p{L}_][\p{L}\p{N}_]*)\(`)

// askCallees asks for the window of an edit in random functions that call others of the
// tree. A call is sure to mean a function where the whole tree defines its name once, and
// no value stands before the name.
func askCallees(t *tandem, g *tree, most int, random *rand.Rand, refused func(error) error) ([]askedCallee, error) {
	known := map[string]*namedFunction{}
	var all []namedFunction
	for _, f := range g.files {
		for _, d := range f.definitions() {
			if n := (&namedFunction{f, d, d.name}); known[d.name] != nil {
				known[d.name] = &namedFunction{} // several: the name means none
			} else {
				known[d.name] = n
			}
			if size := d.last - d.first; f.source() && d.function && size >= shortestFunction && size <= longestFunction {
				all = append(all, namedFunction{f, d, d.name})
			}
		}
	}
	var out []askedCallee
	for _, i := range random.Perm(len(all)) {
		if most == 0 {
			break
		}
		f := &all[i]
		called := f.calls(known)
		if len(called) == 0 {
			continue
		}
		most--
		line := (f.first+f.last)/2 + 1
		w, err := t.ask(request{ID: f.file.path, File: f.file.path, Line: line, Column: 1, Purpose: "edit", Text: true})
		if err := refused(err); err != nil {
			return nil, err
		}
		for _, c := range called {
			out = append(out, askedCallee{Path: f.file.path, Line: line, Callee: c.name, From: c.file.path,
				Shown: w != nil && shownWhole(w.Text, c.file.lines[c.first:c.last])})
		}
	}
	return out, nil
}

// calls are the functions of the same language that a function calls, once each.
func (f *namedFunction) calls(known map[string]*namedFunction) (out []*namedFunction) {
	code, _ := stripAll(f.file.lines[f.first:f.last], f.file.lang)
	seen := map[string]bool{f.name: true}
	for _, m := range calledName.FindAllStringSubmatch(strings.Join(code[min(1, len(code)):], "\n"), -1) {
		name, c := m[2], known[m[2]]
		if seen[name] || c == nil || c.file == nil || !c.function || !c.file.source() || c.file.lang != f.file.lang || c.last-c.first > longestCallee {
			continue
		}
		if own := c.outer == f.outer && c.file == f.file; !own && (m[1] != "" || c.outer != "") {
			continue
		}
		seen[name] = true
		if c.file != f.file || c.first < f.first || c.last > f.last { // not a function inside this one
			out = append(out, c)
		}
	}
	return out
}
