package main

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"regexp"
	"strings"

	"tandem/model/local"
	"tandem/workspace/index"
)

// where asks where sampled symbols are defined, with two wordings. An answer is
// right if its first citation is a file that defines the symbol.
func (t *tree) where(out io.Writer, seed int64, n int) {
	rng := rand.New(rand.NewSource(seed))
	engine := local.New(nil)
	var all []index.Def
	for _, id := range t.ix.Files() {
		if t.ix.Language(id) != t.lang {
			continue
		}
		for _, d := range t.ix.Defs(id) {
			if !d.Local && d.Container == "" && len(d.Name) > 2 {
				all = append(all, d)
			}
		}
	}
	strict, loose := 0, 0
	for i := range n {
		d := all[rng.Intn(len(all))]
		asked := []string{"where is %s defined?", "which file owns %s"}[i%2]
		answer, _ := engine.Answer(context.Background(), t, fmt.Sprintf(asked, d.Name))
		first := firstCitation(answer)
		if first == t.ix.Path(d.File) {
			strict++
		}
		if t.defines(first, d.Name) {
			loose++
		} else if os.Getenv("SHOW") != "" {
			fmt.Printf("%s: %q, in %s\n", d.Name, answer, t.ix.Path(d.File))
		}
	}
	fmt.Fprintf(out, "where is X, %s, seed %d: first file defines X in %.1f %% of %d; it is the one sampled (others may share the name) in %.1f %%\n", t.name, seed,
		100*float64(loose)/float64(n), n, 100*float64(strict)/float64(n))
}

var citation = regexp.MustCompile(`([^\s()]+\.\w+):\d+`)

func firstCitation(answer string) string {
	if m := citation.FindStringSubmatch(answer); m != nil {
		return m[1]
	}
	return ""
}

func (t *tree) defines(path, name string) bool {
	for _, d := range t.ix.Lookup(name) {
		if t.ix.Path(d.File) == path && !strings.HasSuffix(path, ".md") {
			return true
		}
	}
	return false
}
