package main

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

const (
	mostFunctions                     = 34     // of a repository
	shortestFunction, longestFunction = 4, 150 // lines
	sameName                          = 2      // definitions that a name may have to be asked for
)

// A named function is one that words can ask for.
type namedFunction struct {
	file *clones.File
	clones.Definition
	qualified string
}

// The forms in which functions are asked for.
const (
	qualifiedName = "qualified name"
	fileLine      = "file:line"
	stackTrace    = "stack trace"
)

// words are how a person asks for the function in one form.
func (f *namedFunction) words(form string) string {
	line := (f.First+f.Last)/2 + 1
	switch form {
	case qualifiedName:
		return "What does " + f.qualified + " do?"
	case fileLine:
		return fmt.Sprintf("Why does it fail at %s:%d?", f.file.Path, line)
	}
	return f.trace(line)
}

// trace is what the function's language prints when it fails there.
func (f *namedFunction) trace(line int) string {
	switch f.file.Lang {
	case "go":
		return fmt.Sprintf("panic: runtime error: index out of range [3] with length 2\n\ngoroutine 1 [running]:\n%s(...)\n\t/build/%s:%d +0x1d", f.symbol(), f.file.Path, line)
	case "python":
		return fmt.Sprintf("Traceback (most recent call last):\n  File \"%s\", line %d, in %s\nValueError: bad value", f.file.Path, line, f.Name)
	case "rust":
		return fmt.Sprintf("thread 'main' panicked at %s:%d:9:\nindex out of bounds: the len is 2 but the index is 3", f.file.Path, line)
	case "java", "kotlin":
		return fmt.Sprintf("Exception in thread \"main\" java.lang.IllegalStateException: bad state\n\tat %s(%s:%d)", f.qualified, path.Base(f.file.Path), line)
	}
	return fmt.Sprintf("TypeError: Cannot read properties of undefined\n    at %s (%s:%d:5)", f.qualified, f.file.Path, line)
}

// symbol is a Go function as its traces name it.
func (f *namedFunction) symbol() string {
	if f.Outer == "" {
		return f.qualified
	}
	return packageOf(f.file) + ".(*" + f.Outer + ")." + f.Name
}

// drawFunctions draws functions whose qualified name is not too common.
func drawFunctions(t *clones.Tree, most int, random *rand.Rand) []namedFunction {
	var all []namedFunction
	times := map[string]int{}
	for _, f := range t.Files {
		if !f.Source() {
			continue
		}
		real := clones.Written(f.Path, strings.Join(f.Lines[:min(len(f.Lines), 40)], "\n"))
		for _, d := range f.Definitions() {
			name := qualified(f, d)
			times[name]++
			if size := d.Last - d.First; real && d.Function && size >= shortestFunction && size <= longestFunction {
				all = append(all, namedFunction{f, d, name})
			}
		}
	}
	var out []namedFunction
	for _, i := range random.Perm(len(all)) {
		if len(out) < most && times[all[i].qualified] <= sameName {
			out = append(out, all[i])
		}
	}
	return out
}

// qualified is a definition's name with its type, class or Go package.
func qualified(f *clones.File, d clones.Definition) string {
	switch {
	case d.Outer != "" && f.Lang == "rust":
		return d.Outer + "::" + d.Name
	case d.Outer != "":
		return d.Outer + "." + d.Name
	case f.Lang == "go":
		return packageOf(f) + "." + d.Name
	}
	return d.Name
}

// packageOf is the name in a Go file's package clause.
func packageOf(f *clones.File) string {
	for _, line := range f.Lines {
		if words := clones.WordsOf(line); len(words) > 1 && words[0] == "package" {
			return words[1]
		}
	}
	return ""
}

// askFunctions asks for functions in every form: is the whole body shown?
func (v *visit) askFunctions(t *clones.Tandem, g *clones.Tree) error {
	for _, f := range drawFunctions(g, mostFunctions, v.random(3)) {
		for _, form := range []string{qualifiedName, fileLine, stackTrace} {
			w, err := v.window(t, clones.Request{ID: f.file.Path, Purpose: "ask", Words: f.words(form)})
			if err != nil {
				return err
			}
			v.counts.add(wholeBy+form, figures.One(clones.ShownWhole(w.Text, f.file.Lines[f.First:f.Last])), 1)
		}
	}
	return nil
}
