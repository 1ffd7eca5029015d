// Command names measures the check of names on real code: how often it reports
// correct code, and how many planted inventions it finds.
//
// Invariant: every figure comes from code of the given tree, proposed again
// unchanged or with one invention in it; the same tree and seed give the same
// samples. Deliberately absent: any dependency on how the check works.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/names"
)

// A bench is one tree under measurement.
type bench struct {
	root    string
	lang    string
	ix      *index.Index
	check   edits.Names
	rnd     *rand.Rand
	verbose bool
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
	alarms := flag.Int("alarms", 0, "how many bodies to re-propose as they are; 0 is all, -1 none")
	plants := flag.Int("plants", 400, "how many inventions to plant, of each kind")
	seed := flag.Uint64("seed", 1, "of the samples")
	verbose := flag.Bool("v", false, "print every alarm and everything missed")
	tests := flag.Bool("tests", false, "test files too")
	program := flag.String("roads", "", "go over every road of this program instead, with so many answers for each")
	road := flag.String("road", "", "this road alone")
	flag.Parse()
	root, err := filepath.Abs(*tree)
	if err == nil {
		err = measure(root, *lang, *under, *alarms, *plants, *seed, *verbose, *tests, *program, *road)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(root, lang, under string, alarms, plants int, seed uint64, verbose, tests bool, program, road string) error {
	ix, _, err := index.Build(context.Background(), index.Options{Root: root})
	if err != nil {
		return err
	}
	checker := names.New(names.Options{Deps: deps.New(deps.Options{}), Private: true, Many: true})
	b := &bench{root: root, lang: lang, ix: ix, rnd: rand.New(rand.NewPCG(seed, 7)), verbose: verbose,
		check: checker.For(names.Folder(root, ix))}
	bodies := b.bodies(under, tests)
	fmt.Printf("%s (%s): %d bodies\n", root, lang, len(bodies))
	if program != "" {
		if program, err = filepath.Abs(program); err != nil {
			return err
		}
		return b.measureRoads(program, road, bodies, plants)
	}
	b.falseAlarms(bodies, alarms)
	for _, kind := range plantKinds {
		b.planted(bodies, kind, plants)
	}
	return nil
}

// bodies returns the bodies of all functions that have one.
func (b *bench) bodies(under string, tests bool) []body {
	var out []body
	for _, id := range b.ix.Files() {
		f, _ := b.ix.File(id)
		if !inFamily(b.lang, f.Language) || !strings.HasPrefix(f.Path, under) || strings.HasSuffix(f.Path, ".d.ts") || !tests && isTest(f.Path) || installed(f.Path) {
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

func isTest(path string) bool {
	return strings.Contains(path, "test") || strings.Contains(path, "fixtures")
}

// installed reports whether a file is a dependency's, which nobody edits.
func installed(path string) bool {
	return strings.Contains("/"+path, "/node_modules/") || strings.Contains("/"+path, "/site-packages/")
}

func inFamily(family, lang string) bool {
	if family == "script" {
		return strings.HasPrefix(lang, "typescript") || strings.HasPrefix(lang, "javascript")
	}
	return lang == family
}

func bodiesOf(lang, path, text string, defs []index.Def) []body {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	starts = append(starts, len(text))
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

// change returns the proposal of a text as the body.
func (y body) change(text string) edits.FileChange {
	before := y.text[:y.start] + y.text[y.end:]
	return edits.FileChange{Path: y.path, Before: before, After: y.text[:y.start] + text + y.text[y.end:],
		Edits: []edits.Edit{{Span: edits.Span{Start: y.start, End: y.start}, New: text}}}
}

func (b *bench) falseAlarms(bodies []body, n int) {
	if n < 0 {
		return
	}
	if n > 0 && n < len(bodies) {
		bodies = slices.Clone(bodies)
		b.rnd.Shuffle(len(bodies), func(i, j int) { bodies[i], bodies[j] = bodies[j], bodies[i] })
		bodies = bodies[:n]
		slices.SortFunc(bodies, func(x, y body) int { return strings.Compare(x.path, y.path) })
	}
	var wrong, failed, doubted int
	start := time.Now()
	for _, y := range bodies {
		found, v := b.judge(y.change(y.text[y.start:y.end]))
		switch {
		case v.Failed():
			failed++
		case !v.Passed():
			doubted++
			if b.verbose {
				fmt.Printf("  not judged %s in %s: %s\n", y.path, y.name, v.Reason())
			}
		}
		if len(found) == 0 {
			continue
		}
		wrong++
		if b.verbose {
			for _, f := range found {
				fmt.Printf("  alarm %s:%d in %s: %s %s [%s]\n", f.Path, 1+strings.Count(y.text[:min(f.Span.Start, len(y.text))], "\n"), y.name, f.Kind, f.Message, f.Severity)
			}
		}
	}
	fmt.Printf("false alarms: %d of %d bodies = %.2f %% (failed %.1f %%, not judged %.1f %%), %.2f ms a check\n", wrong, len(bodies), percent(wrong, len(bodies)), percent(failed, len(bodies)), percent(doubted, len(bodies)), time.Since(start).Seconds()*1e3/float64(max(1, len(bodies))))
}

// judge checks the names of a change.
func (b *bench) judge(f edits.FileChange) ([]edits.Finding, edits.Verdict) {
	found, doubts := b.check.Check([]edits.FileChange{f})
	return found, edits.Judge([]edits.FileChange{f}, edits.Check{Kind: edits.CheckNames, Findings: found, Unknown: doubts})
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }

func (b *bench) planted(bodies []body, kind plantKind, n int) {
	var seen, exact, failed, doubted, total int
	for tries := 0; total < n && tries < n*60; tries++ {
		y := bodies[b.rnd.IntN(len(bodies))]
		text, what, ok := kind.plant(b, y)
		if !ok {
			continue
		}
		f := y.change(text)
		if kind.whole {
			f = edits.FileChange{Path: y.path, Before: y.text, After: text}
		}
		total++
		found, v := b.judge(f)
		switch {
		case v.Failed():
			failed++
		case !v.Passed():
			doubted++
		}
		if len(found) > 0 {
			seen++
			if slices.ContainsFunc(found, func(f edits.Finding) bool { return strings.Contains(what, f.Name) }) {
				exact++
			}
		} else if b.verbose {
			fmt.Printf("  missed %s: %s in %s (%s) %v\n", kind.name, what, y.path, y.name, v.Reason())
		}
	}
	fmt.Printf("planted %-10s %d of %d seen = %.1f %% (%d named; failed %.1f %%, not judged %.1f %%)\n", kind.name, seen, total, percent(seen, total), exact, percent(failed, total), percent(doubted, total))
}
