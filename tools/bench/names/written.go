package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"tandem/tools/bench/figures"
	"tandem/workspace/language"
)

// A writtenLine is what a model wrote in place of the rest of a line (make real-lines).
type writtenLine struct {
	Model        string
	Path         string
	Line, Column int // from 1
	Was, Text    string
}

// nameErrors are what compilers say of names, members and arguments that there are not.
var nameErrors = regexp.MustCompile(`undefined|has no field or method|not declared by|unknown field|TS(?:2304|2305|2339|2551|2552|2561|2724)\b|reportUndefinedVariable|reportAttributeAccessIssue|No parameter named`)

// measureWritten puts the lines of a model into the files of a tree, one a file at a time, and counts how
// many of those at which a compiler misses a name the check notices, and what it says of the
// lines that the compiler takes. Lines that do not parse where they stand are left out. The
// files are then as they were.
func (b *bench) measureWritten(program, compiler, file string) error {
	lines, err := readWritten(file)
	if err != nil {
		return err
	}
	var invented, found, noted, taken, alarms, exact, held int
	atOnce := perRound
	if b.lang == "go" {
		atOnce = 1 // it says nothing of the packages that import one with an error
	}
	for left := lines; len(left) > 0; {
		var some []writtenLine
		left = slices.DeleteFunc(slices.Clone(left), func(l writtenLine) bool {
			now := len(some) < atOnce && !slices.ContainsFunc(some, func(o writtenLine) bool { return o.Path == l.Path })
			if now {
				some = append(some, l)
			}
			return now
		})
		compiled, checked, err := b.judged(program, compiler, some)
		if err != nil {
			return err
		}
		for _, l := range some {
			if slices.ContainsFunc(checked, func(f finding) bool { return f.Path == l.Path && f.Kind == "syntax" }) {
				continue
			}
			at := func(f finding) bool { return f.Path == l.Path && f.Line == l.Line }
			wrong := slices.ContainsFunc(compiled, func(f finding) bool { return at(f) && nameErrors.MatchString(f.Message) })
			says := slices.ContainsFunc(checked, at)
			isError := slices.ContainsFunc(checked, func(f finding) bool { return at(f) && f.Severity == "error" })
			switch {
			case l.Was == l.Text:
				exact, held = exact+1, held+figures.One(says)
			case wrong:
				invented, found, noted = invented+1, found+figures.One(isError), noted+figures.One(says)
				if b.verbose && !says {
					fmt.Printf("  missed %s:%d %q\n", l.Path, l.Line, l.Text)
				}
			case !slices.ContainsFunc(compiled, at):
				if taken, alarms = taken+1, alarms+figures.One(isError); b.verbose && isError {
					fmt.Printf("  alarm %s:%d %q\n", l.Path, l.Line, l.Text)
				}
			}
		}
	}
	fmt.Printf("%s: %d lines of a model; a name is missing by the compiler in %d: %d as error = %.1f %%, %d as error or warning = %.1f %%; of %d that it takes %d have an error; of %d exact ones %d are held back\n",
		filepath.Base(b.root), len(lines), invented, found, figures.Percent(found, invented), noted, figures.Percent(noted, invented), taken, alarms, exact, held)
	return nil
}

// readWritten reads the lines.
func readWritten(file string) (out []writtenLine, err error) {
	all, err := figures.ReadLog[writtenLine](file)
	for _, l := range all {
		if l.Text = strings.TrimRight(l.Text, " \t"); l.Text != "" && !language.IsTest(l.Path) {
			out = append(out, l)
		}
	}
	return out, err
}

// judged puts some lines into their files, and says what the compiler and the check say. A file
// that no longer parses is put back before the compiler looks: it would say nothing else of the
// whole package.
func (b *bench) judged(program, compiler string, lines []writtenLine) (compiled, checked []finding, err error) {
	was := map[string][]byte{}
	restore := func(path string) { err = errors.Join(err, os.WriteFile(path, was[path], 0o644)) }
	defer func() {
		for path := range was {
			restore(path)
		}
	}()
	for _, l := range lines {
		path := filepath.Join(b.root, filepath.FromSlash(l.Path))
		if was[path], err = os.ReadFile(path); err != nil {
			return nil, nil, err
		}
		all := strings.SplitAfter(string(was[path]), "\n")
		old := all[min(l.Line, len(all))-1]
		rest, same := strings.CutPrefix(old[min(l.Column-1, len(old)):], l.Was)
		if !same {
			return nil, nil, fmt.Errorf("%s is not as it was when the model wrote in it", l.Path)
		}
		all[l.Line-1] = old[:l.Column-1] + l.Text + rest
		if err := os.WriteFile(path, []byte(strings.Join(all, "")), 0o644); err != nil {
			return nil, nil, err
		}
	}
	if checked, err = b.checked(program); err != nil {
		return nil, nil, err
	}
	for _, f := range checked {
		if path := filepath.Join(b.root, filepath.FromSlash(f.Path)); f.Kind == "syntax" && was[path] != nil {
			restore(path)
		}
	}
	return b.errorsOf(compiler), checked, err
}
