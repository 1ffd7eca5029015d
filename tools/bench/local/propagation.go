package main

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"slices"
	"strings"
	"time"

	"tandem/model/local/nextedit"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// maxReferences excludes functions with more users, by the reference tool, than a
// person would visit.
const maxReferences = 400

// propagation compares the users of sampled Go functions with those of gopls.
func (t *tree) propagation(out io.Writer, gopls string, seed int64, n int) {
	session, err := startGopls(gopls, t.dir)
	if err != nil {
		fmt.Fprintf(out, "propagation is not compared: gopls does not start: %v\n", err)
		return
	}
	defer session.Kill() // it has nothing to lose
	found, wanted, right, asked := 0, 0, 0, 0
	var times []time.Duration
	for _, d := range t.functions(seed, 3*n) {
		if asked == n {
			break
		}
		want, err := t.references(session, d)
		if err != nil || len(want) > maxReferences {
			continue
		}
		asked++
		start := time.Now()
		got := t.users(d)
		times = append(times, time.Since(start))
		both := 0
		for site := range got {
			if want[site] {
				both++
			}
		}
		if os.Getenv("SHOW") != "" && (both != len(want) || both != len(got)) {
			fmt.Printf("%s %s.%s: got %d, want %d, both %d\n", t.ix.Path(d.File), d.Container, d.Name, len(got), len(want), both)
			for site := range want {
				if !got[site] {
					fmt.Println("   missed", site)
					break
				}
			}
			for site := range got {
				if !want[site] {
					fmt.Println("   extra", site)
					break
				}
			}
		}
		found, wanted, right = found+len(got), wanted+len(want), right+both
	}
	slices.Sort(times)
	fmt.Fprintf(out, "propagation, %s, seed %d: %d functions, %d sites by gopls; recall %.1f %%, precision %.1f %%; %.0f ms at the median\n", t.name, seed, asked, wanted,
		100*float64(right)/float64(max(wanted, 1)), 100*float64(right)/float64(max(found, 1)), ms(times[len(times)/2]))
}

// functions returns a sample of functions and methods outside tests.
func (t *tree) functions(seed int64, n int) []index.Def {
	var all []index.Def
	for _, id := range t.ix.Files() {
		if t.ix.Language(id) != "go" || strings.HasSuffix(t.ix.Path(id), "_test.go") || strings.Contains(t.ix.Path(id), "testdata/") {
			continue
		}
		for _, d := range t.ix.Defs(id) {
			if (d.Kind == language.KindFunc || d.Kind == language.KindMethod) && !d.Local && d.Name != "_" && d.Name != "init" && d.Name != "main" {
				all = append(all, d)
			}
		}
	}
	rng := rand.New(rand.NewSource(seed))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))]
}

// users returns the engine's sites as path:line:column.
func (t *tree) users(d index.Def) map[string]bool {
	out := map[string]bool{}
	for _, p := range nextedit.Users(context.Background(), t, d) {
		text, _ := t.Text(p.Path)
		out[fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Span.Start-strings.LastIndexByte(text[:p.Span.Start], '\n'))] = true
	}
	return out
}

// references asks gopls for a function's users.
func (t *tree) references(s *goplsSession, d index.Def) (map[string]bool, error) {
	text, _ := t.Text(t.ix.Path(d.File))
	line := strings.Split(text, "\n")[d.StartLine-1]
	column := nameColumn(line, d.Name)
	if column == 0 {
		return nil, fmt.Errorf("no %s in %q", d.Name, line)
	}
	return s.references(t.ix.Path(d.File), d.StartLine, column)
}

// nameColumn returns the column of the name in a definition's line, from 1, or 0.
func nameColumn(line, name string) int {
	for at := 0; ; {
		i := strings.Index(line[at:], name)
		if i < 0 {
			return 0
		}
		at += i
		end := at + len(name)
		if (at == 0 || !wordByte(line[at-1])) && end < len(line) && (line[end] == '(' || line[end] == '[') {
			return at + 1
		}
		at = end
	}
}
