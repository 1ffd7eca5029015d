// Command names plants inventions into real code whose dependencies are installed, and counts
// how many are found by tandem check.
//
// Invariant: an invention counts only where the language's compiler says that it is one; the
// same tree and seed give the same samples. Deliberately absent: any dependency on how the check
// works.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A bench is one tree under measurement.
type bench struct {
	root    string
	lang    string
	ix      *index.Index
	rnd     *rand.Rand
	verbose bool
	swap    [2]string // what the latest plant replaced, and by what
}

// A body is a definition's body in a file, which is removed and proposed again.
type body struct {
	path       string
	text       string
	start, end int // bytes
	name       string
}

func main() {
	tree := flag.String("tree", ".", "folder to measure on")
	lang := flag.String("lang", "go", "go, python or script")
	under := flag.String("under", "", "only files whose path begins so")
	plants := flag.Int("plants", 150, "how many inventions to plant")
	seed := flag.Uint64("seed", 1, "of the samples")
	verbose := flag.Bool("v", false, "print everything missed")
	program := flag.String("check", "bin/tandem", "let this program check the tree, a git work tree without changes, with inventions in it")
	compiler := flag.String("compiler", "", "command that says what is wrong in the tree, for -check")
	flag.Parse()
	root, err := filepath.Abs(*tree)
	if err == nil {
		b := &bench{root: root, lang: *lang, rnd: rand.New(rand.NewPCG(*seed, 7)), verbose: *verbose}
		err = b.measure(*under, *plants, *program, *compiler)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (b *bench) measure(under string, n int, check, compiler string) (err error) {
	if b.ix, _, err = index.Build(context.Background(), index.Options{Root: b.root}); err != nil {
		return err
	}
	bodies := b.bodies(under)
	fmt.Printf("%s (%s): %d bodies\n", b.root, b.lang, len(bodies))
	if check, err = filepath.Abs(check); err != nil {
		return err
	}
	return b.measureCheck(check, compiler, bodies, n)
}

// bodies returns the bodies of all functions that have one.
func (b *bench) bodies(under string) []body {
	var out []body
	for _, id := range b.ix.Files() {
		f, _ := b.ix.File(id)
		if language.Family(f.Language) != b.lang || !strings.HasPrefix(f.Path, under) || strings.HasSuffix(f.Path, ".d.ts") || language.IsTest(f.Path) || installed(f.Path) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(b.root, filepath.FromSlash(f.Path)))
		if err != nil {
			continue
		}
		out = append(out, bodiesOf(b.lang, f.Path, string(data), b.ix.Defs(id))...)
	}
	return out
}

// installed reports whether a file is a dependency's, which nobody edits.
func installed(path string) bool {
	return strings.Contains("/"+path, "/node_modules/") || strings.Contains("/"+path, "/site-packages/")
}

func bodiesOf(lang, path, text string, defs []index.Def) []body {
	starts := append(language.LineStarts(text), len(text))
	at := func(line int) int { return starts[min(max(line-1, 0), len(starts)-1)] }
	var out []body
	for _, d := range defs {
		if d.Kind != language.KindFunc && d.Kind != language.KindMethod && d.Kind != language.KindConstructor {
			continue
		}
		first, last := d.SigEndLine+1, d.EndLine+1
		if lang != "python" {
			last = d.EndLine
		}
		if from, to := at(first), at(last); first < last && strings.TrimSpace(text[from:to]) != "" {
			out = append(out, body{path, text, from, to, d.Name})
		}
	}
	return out
}
