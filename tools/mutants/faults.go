package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

// A fault is a mutant that a person wrote: the table says what it does, which tests have
// to notice it, and what stands in place of a text of the code.
//
//	# KIND: what it does
//	FILE: PACKAGE PACKAGE
//	-the text, which stands once in the file
//	+what replaces it, with PLANTED where the fault is on
type fault struct {
	mutant
	about string // with its kind
	tests []string
}

// leastFaults is the share of the faults, in percent, that tests have to notice.
const leastFaults = 95

// readFaults reads the table. A fault whose text is not in the code any more is an error.
func readFaults(table string) ([]fault, error) {
	data, err := os.ReadFile(table)
	if err != nil {
		return nil, err
	}
	var out []fault
	for block := range strings.SplitSeq(string(data), "\n# ") {
		lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
		f := fault{about: strings.TrimPrefix(lines[0], "# ")}
		var file string
		var old, with []string
		for _, line := range lines[1:] {
			switch {
			case strings.HasPrefix(line, "-"):
				old = append(old, line[1:])
			case strings.HasPrefix(line, "+"):
				with = append(with, line[1:])
			case line != "":
				var packages string
				file, packages, _ = strings.Cut(line, ": ")
				f.tests = strings.Fields(packages)
			}
		}
		if f.mutant, err = replaced(file, strings.Join(old, "\n"), strings.Join(with, "\n")); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", table, f.about, err)
		}
		f.kind = f.about
		out = append(out, f)
	}
	return out, nil
}

var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

// replaced is a mutant of a file in which a text takes the place of another.
func replaced(file, old, with string) (mutant, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return mutant{}, err
	}
	source := string(data)
	clause := packageClause.FindStringSubmatch(source)
	switch {
	case strings.Count(source, old) != 1:
		return mutant{}, fmt.Errorf("its text stands %d times in %s, and has to stand there once", strings.Count(source, old), file)
	case !strings.Contains(with, "PLANTED"):
		return mutant{}, errors.New("it has no PLANTED")
	}
	at := strings.Index(source, old)
	return mutant{file: file, line: strings.Count(source[:at], "\n") + 1, function: clause[1] + ".fault", start: at, end: at + len(old), old: old, source: source,
		rewrite: rewrite{first: at, behind: at + len(old), at: at, end: at + len(old), by: strings.ReplaceAll(with, "PLANTED", "mutantIs(%d)")}}, nil
}

// runFaults plants the faults of a table, one at a time, and reports which no test notices.
func runFaults(ctx context.Context, table string, matching *regexp.Regexp) error {
	faults, err := readFaults(table)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var all []mutant
	for _, f := range faults {
		all = append(all, f.mutant)
	}
	suites, err := newSuites(ctx, dir, all)
	if err != nil {
		return err
	}
	suites.whole = true
	tried, noticed := 0, 0
	for _, f := range faults {
		if suites.build.ids[f.place()] == 0 {
			return fmt.Errorf("%s: %s: it does not compile", table, f.about)
		}
		if !matching.MatchString(f.about) {
			continue
		}
		start := time.Now()
		by, _, err := suites.kill(ctx, f.tests, f.mutant)
		if err != nil {
			return err
		}
		tried++
		outcome := "UNNOTICED"
		if by != "" {
			outcome = "noticed"
			noticed++
		}
		fmt.Printf("%-9s %s (%s%.0fs)\n", outcome, f.about, by, time.Since(start).Seconds())
	}
	fmt.Printf("%d of %d faults noticed, at least %d %%\n", noticed, tried, leastFaults)
	if 100*noticed < leastFaults*tried {
		return errors.New("too many faults go unnoticed")
	}
	return nil
}
