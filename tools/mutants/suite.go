package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// scenarios are the tests that drive the built programs. They cost the most and are asked
// last; what they reach is not known, since their programs are killed.
const scenarios = "./tools/tasks"

// A suite is the tests of a package, each with what it reaches.
type suite struct {
	units  []unit
	binary string // of scenarios, whose own code holds no mutants
}

// A unit is a test, or a subtest where a test takes long.
type unit struct {
	pattern string
	took    time.Duration
	blocks  map[string][]block // by file
}

// A block is a piece of code as the coverage profile has it.
type block struct {
	fromLine, fromColumn, toLine, toColumn int
	reached                                bool
}

func (b block) holds(line, column int) bool {
	return (line > b.fromLine || line == b.fromLine && column >= b.fromColumn) && (line < b.toLine || line == b.toLine && column <= b.toColumn)
}

// reaches reports whether a unit runs the code of a mutant. Conditions of case clauses are
// in no block: the unit reaches those of a function that it enters.
func (u unit) reaches(m mutant) bool {
	entered, known, reached := false, false, false
	for _, b := range u.blocks["tandem/"+m.file] {
		entered = entered || b.reached && b.fromLine >= m.first && b.toLine <= m.last
		if b.holds(m.line, m.column) {
			known, reached = true, reached || b.reached
		}
	}
	return reached || !known && entered
}

// suites are those that have been prepared.
type suites struct {
	dir   string
	ready map[string]suite
}

// kill runs the tests that reach a mutant and returns the one that failed with a colon and
// a space, or "".
func (s *suites) kill(ctx context.Context, packages []string, m mutant, overlay string) (string, error) {
	for _, pkg := range packages {
		known, ok := s.ready[pkg]
		if !ok {
			var err error
			if known, err = s.prepare(ctx, pkg); err != nil {
				return "", fmt.Errorf("%s: %w", pkg, err)
			}
			s.ready[pkg] = known
		}
		by, err := s.killIn(ctx, pkg, known, m, overlay)
		if by != "" || err != nil {
			return by, err
		}
	}
	return "", nil
}

func (s *suites) killIn(ctx context.Context, pkg string, known suite, m mutant, overlay string) (string, error) {
	if known.binary != "" {
		return failed(ctx, known.binary, pkg, "Scenarios", 5*time.Minute, "GOFLAGS=-ldflags=-s -overlay="+overlay), nil
	}
	var units []unit
	for _, u := range known.units {
		if u.reaches(m) {
			units = append(units, u)
		}
	}
	if len(units) == 0 {
		return "", nil
	}
	binary := filepath.Join(s.dir, "mutant.test")
	if out, err := command(ctx, "go", "test", "-c", "-vet", "off", "-ldflags", "-s", "-overlay", overlay, "-o", binary, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", m, err, out)
	}
	slices.SortFunc(units, func(a, b unit) int { return cmp.Compare(a.took, b.took) })
	for len(units) > 0 { // the quick ones first, in processes that take a few seconds
		n, took, patterns := 0, time.Duration(0), []string{}
		for n < len(units) && (n == 0 || took < 2*time.Second) {
			took += units[n].took
			patterns = append(patterns, units[n].pattern)
			n++
		}
		if by := failed(ctx, binary, pkg, strings.Join(patterns, "|"), 4*took+15*time.Second); by != "" {
			return by, nil
		}
		units = units[n:]
	}
	return "", nil
}

func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.WaitDelay = time.Second // a program that a test has left behind keeps the pipes
	return c
}

// compiles reports whether a package compiles with an overlay.
func compiles(ctx context.Context, overlay, file string) bool {
	return command(ctx, "go", "build", "-overlay", overlay, "./"+filepath.Dir(file)).Run() == nil
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// failed runs tests of a package and returns the first that fails with a colon and a space, or "".
func failed(ctx context.Context, binary, pkg, pattern string, timeout time.Duration, env ...string) string {
	c := command(ctx, binary, "-test.run", pattern, "-test.short", "-test.failfast", "-test.timeout", timeout.String())
	c.Dir = pkg
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	switch m := failure.FindSubmatch(out); {
	case err == nil:
		return ""
	case m != nil:
		return string(m[1]) + ": "
	case bytes.Contains(out, []byte("panic: test timed out")):
		return "time: "
	}
	return "exit: "
}

// prepare runs each test of a package alone, without a mutant, to know what it reaches.
func (s *suites) prepare(ctx context.Context, pkg string) (suite, error) {
	binary := filepath.Join(s.dir, strings.ReplaceAll(strings.TrimPrefix(pkg, "./"), "/", "-")+".test")
	args := []string{"test", "-c", "-vet", "off", "-o", binary}
	if pkg != scenarios {
		args = append(args, "-cover", "-coverpkg", covered)
	}
	if out, err := command(ctx, "go", append(args, pkg)...).CombinedOutput(); err != nil {
		return suite{}, fmt.Errorf("%w\n%s", err, out)
	}
	if pkg == scenarios {
		if by := failed(ctx, binary, pkg, "Scenarios", 5*time.Minute); by != "" {
			return suite{}, fmt.Errorf("without a mutant %sit fails", by)
		}
		return suite{binary: binary}, nil
	}
	c := command(ctx, binary, "-test.list", "^(Test|Fuzz|Example)")
	c.Dir = pkg
	out, err := c.Output()
	if err != nil {
		return suite{}, err
	}
	var known suite
	for _, name := range strings.Fields(string(out)) {
		units, err := s.measure(ctx, binary, pkg, "^"+name+"$", true)
		if err != nil {
			return suite{}, err
		}
		known.units = append(known.units, units...)
	}
	return known, os.Remove(binary)
}

// long is how much time a test may take before its subtests count as tests.
const long = 2 * time.Second

var subtest = regexp.MustCompile(`(?m)^    --- PASS: \w+/([^/\s]+) `)

// measure runs one test alone.
func (s *suites) measure(ctx context.Context, binary, pkg, pattern string, divide bool) ([]unit, error) {
	profile := filepath.Join(s.dir, "cover.out")
	c := command(ctx, binary, "-test.run", pattern, "-test.short", "-test.v", "-test.coverprofile", profile)
	c.Dir = pkg
	start := time.Now()
	out, err := c.CombinedOutput()
	took := time.Since(start)
	if err != nil {
		return nil, fmt.Errorf("without a mutant %s fails: %w\n%s", pattern, err, out)
	}
	if inner := subtest.FindAllSubmatch(out, -1); divide && took > long && len(inner) > 1 {
		var units []unit
		for _, m := range inner {
			more, err := s.measure(ctx, binary, pkg, pattern+"/^"+regexp.QuoteMeta(string(m[1]))+"$", false)
			if err != nil {
				return nil, err
			}
			units = append(units, more...)
		}
		return units, nil
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	return []unit{{pattern, took, blocksOf(string(text))}}, nil
}

var profileLine = regexp.MustCompile(`(?m)^(\S+):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)$`)

// blocksOf reads a coverage profile.
func blocksOf(profile string) map[string][]block {
	out := map[string][]block{}
	for _, m := range profileLine.FindAllStringSubmatch(profile, -1) {
		var n [5]int
		for i := range n {
			n[i], _ = strconv.Atoi(m[i+2]) // digits
		}
		out[m[1]] = append(out[m[1]], block{n[0], n[1], n[2], n[3], n[4] > 0})
	}
	return out
}
