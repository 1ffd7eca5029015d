// Command lines prints the lines of code of each package: Go lines outside comments
// that are not blank, of files that no program generated, with those of tests apart.
// Tools are not counted.
//
// Invariant: a line counts if a token of it is code, by Go's own scanner, so that the
// layout of comments changes no figure.
package main

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "lines:", err)
		os.Exit(1)
	}
}

// A count is the lines of one package.
type count struct{ code, tests int }

func run(root string) error {
	packages := map[string]*count{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (skipped[d.Name()] || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || generated.Match(text) {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		if packages[dir] == nil {
			packages[dir] = &count{}
		}
		if n := codeLines(text); strings.HasSuffix(path, "_test.go") {
			packages[dir].tests += n
		} else {
			packages[dir].code += n
		}
		return nil
	})
	if err != nil {
		return err
	}
	var all count
	fmt.Printf("%8s %8s  package\n", "code", "tests")
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		c := packages[dir]
		all.code, all.tests = all.code+c.code, all.tests+c.tests
		fmt.Printf("%8d %8d  %s\n", c.code, c.tests, dir)
	}
	fmt.Printf("%8d %8d  all: %d, tests per line of code %.2f\n", all.code, all.tests, all.code+all.tests, float64(all.tests)/float64(max(all.code, 1)))
	return nil
}

// skipped are folders without code of the program.
var skipped = map[string]bool{"tools": true, "testdata": true, "node_modules": true, "dist": true, "bin": true}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// codeLines counts the lines that have code.
func codeLines(text []byte) int {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, func(token.Position, string) {}, 0)
	n, last := 0, 0
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			return n
		}
		if kind == token.SEMICOLON && literal == "\n" {
			continue
		}
		first := file.Line(at)
		end := first + bytes.Count([]byte(literal), []byte("\n"))
		n += end - max(first, last+1) + 1
		last = max(last, end)
	}
}
