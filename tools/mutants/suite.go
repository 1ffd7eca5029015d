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

// A suite is the tests of a package, each with what it reaches.
type suite struct {
	units  []unit
	binary string // with every mutant that can be switched
}

// A unit is a test, or a subtest where a test takes long.
type unit struct {
	pattern string
	took    time.Duration
	reached map[int]bool // switches
}

// suites are those that have been prepared.
type suites struct {
	dir    string
	build  *build
	within map[string][]int // switches of the mutants of a function, by its file and name
	ready  map[string]suite
	whole  bool // the tests run in full, as make test runs them
}

// flags run tests in their short form, or in full, and end those that hang.
func (s *suites) flags(pattern string, timeout time.Duration, more ...string) []string {
	out := append([]string{"-test.run", pattern, "-test.timeout", timeout.String()}, more...)
	if !s.whole {
		out = append(out, "-test.short")
	}
	return out
}

// newSuites plants those of the mutants that can be switched.
func newSuites(ctx context.Context, dir string, all []mutant) (*suites, error) {
	b, err := switched(ctx, dir, all)
	if err != nil {
		return nil, err
	}
	s := &suites{dir: dir, build: b, within: map[string][]int{}, ready: map[string]suite{}}
	for _, m := range all {
		if id := b.ids[m.place()]; id > 0 {
			s.within[m.file+" "+m.function] = append(s.within[m.file+" "+m.function], id)
		}
	}
	return s, nil
}

// reaches reports whether a unit runs the code of a mutant; of one that has no switch, that
// of its function.
func (s *suites) reaches(u unit, m mutant) bool {
	if id := s.build.ids[m.place()]; id > 0 {
		return u.reached[id]
	}
	return slices.ContainsFunc(s.within[m.file+" "+m.function], func(id int) bool { return u.reached[id] })
}

// kill runs the tests that reach a mutant and returns the one that failed with a colon and
// a space, or "". ok is false for a mutant that does not compile.
func (s *suites) kill(ctx context.Context, packages []string, m mutant) (by string, ok bool, err error) {
	id := s.build.ids[m.place()]
	overlay := ""
	if id == 0 {
		if overlay, err = m.overlay(s.dir); err != nil {
			return "", false, err
		}
		if !compiles(ctx, overlay, m.file) {
			return "", false, ctx.Err()
		}
	}
	for _, pkg := range packages {
		known, ready := s.ready[pkg]
		if !ready {
			if known, err = s.prepare(ctx, pkg); err != nil {
				return "", true, fmt.Errorf("%s: %w", pkg, err)
			}
			s.ready[pkg] = known
		}
		if by, err = s.killIn(ctx, pkg, known, m, id, overlay); by != "" || err != nil {
			return by, true, err
		}
	}
	return "", true, nil
}

func (s *suites) killIn(ctx context.Context, pkg string, known suite, m mutant, id int, overlay string) (string, error) {
	var units []unit
	for _, u := range known.units {
		if s.reaches(u, m) {
			units = append(units, u)
		}
	}
	if len(units) == 0 {
		return "", nil
	}
	binary, env := known.binary, fmt.Sprintf("MUTANT_ON=%d", id)
	if id == 0 {
		binary = filepath.Join(s.dir, "mutant.test")
		if out, err := command(ctx, "go", "test", "-c", "-vet", "off", "-ldflags", "-s", "-overlay", overlay, "-o", binary, pkg).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", m, err, out)
		}
	}
	slices.SortFunc(units, func(a, b unit) int { return cmp.Compare(a.took, b.took) })
	for len(units) > 0 { // the quick ones first, in processes that take a few seconds
		n, took, patterns := 0, time.Duration(0), []string{}
		for n < len(units) && (n == 0 || took < 2*time.Second) {
			took += units[n].took
			patterns = append(patterns, units[n].pattern)
			n++
		}
		if by := s.failed(ctx, binary, pkg, strings.Join(patterns, "|"), 4*took+15*time.Second, env); by != "" {
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
func (s *suites) failed(ctx context.Context, binary, pkg, pattern string, timeout time.Duration, env ...string) string {
	c := command(ctx, binary, s.flags(pattern, timeout, "-test.failfast")...)
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

// prepare runs each test of a package alone, with every mutant off, to know what it reaches.
func (s *suites) prepare(ctx context.Context, pkg string) (suite, error) {
	binary := filepath.Join(s.dir, strings.ReplaceAll(strings.TrimPrefix(pkg, "./"), "/", "-")+".test")
	if out, err := command(ctx, "go", "test", "-c", "-vet", "off", "-o", binary, "-overlay", s.build.overlay, pkg).CombinedOutput(); err != nil {
		return suite{}, fmt.Errorf("%w\n%s", err, out)
	}
	c := command(ctx, binary, "-test.list", "^(Test|Fuzz|Example)")
	c.Dir = pkg
	out, err := c.Output()
	if err != nil {
		return suite{}, err
	}
	known := suite{binary: binary}
	for _, name := range strings.Fields(string(out)) {
		units, err := s.measure(ctx, binary, pkg, "^"+name+"$", true)
		if err != nil {
			return suite{}, err
		}
		known.units = append(known.units, units...)
	}
	return known, nil
}

// long is how much time a test may take before its subtests count as tests.
const long = 2 * time.Second

var subtest = regexp.MustCompile(`(?m)^    --- PASS: \w+/([^/\s]+) `)

// measure runs one test alone. One that fails without a mutant notices none.
func (s *suites) measure(ctx context.Context, binary, pkg, pattern string, divide bool) ([]unit, error) {
	reached := filepath.Join(s.dir, "reached")
	if err := os.WriteFile(reached, nil, 0o600); err != nil {
		return nil, err
	}
	c := command(ctx, binary, s.flags(pattern, 5*time.Minute, "-test.v")...)
	c.Dir = pkg
	c.Env = append(os.Environ(), "MUTANTS_REACHED="+reached)
	start := time.Now()
	out, err := c.CombinedOutput()
	took := time.Since(start)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		fmt.Printf("not used, since it fails without a mutant: %s of %s\n", pattern, pkg)
		return nil, nil
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
	text, err := os.ReadFile(reached)
	if err != nil {
		return nil, err
	}
	u := unit{pattern, took, map[int]bool{}}
	for line := range strings.FieldsSeq(string(text)) {
		id, err := strconv.Atoi(line)
		u.reached[id] = err == nil
	}
	return []unit{u}, nil
}
