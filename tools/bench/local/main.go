// Command local measures the built-in engine on trees that are not in the
// repository: held-out lines, and returns after error checks.
//
// Invariant: the engine never sees the requested line: that line and all identical
// lines of its file are removed from the file, before and after the requested
// place.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"tandem/model/local/complete"
	"tandem/workspace/ignore"
	"tandem/workspace/index"
	"tandem/workspace/run"
)

// A tree is a folder to measure on.
type tree struct {
	name, dir, lang string
	ix              *index.Index
	engine          *complete.Engine
}

func main() {
	log.SetFlags(0)
	var (
		seed    = flag.Int64("seed", 1, "seed of the sample")
		lines   = flag.Int("lines", 2000, "held-out lines of each tree")
		typed   = flag.Int("typed", -1, "characters typed before asking; -1 asks with none and with 4")
		returns = flag.Bool("returns", false, "ask for Go's returns after error checks")
		fit     = flag.String("fit", "", "grow a forest on a file that nextedits -ghost -evidence wrote, and print it")
	)
	flag.Parse()
	out := os.Stdout
	if *fit != "" {
		fitForest(out, *fit)
		return
	}
	trees := openTrees(flag.Args())
	if *returns {
		var total outcome
		for _, t := range trees {
			total.add(t.returns(out, *seed, *lines/len(trees)+1))
		}
		if !returnsTotal(out, total) {
			os.Exit(1)
		}
		return
	}
	for _, t := range trees {
		t.train(out)
		for _, n := range typedLengths(*typed) {
			t.heldOut(out, *seed, *lines, n)
		}
	}
}

func typedLengths(n int) []int {
	if n < 0 {
		return []int{0, 4}
	}
	return []int{n}
}

// openTrees indexes the trees: name=language=folder.
func openTrees(args []string) []*tree {
	var out []*tree
	for _, arg := range args {
		parts := splitArg(arg)
		t := &tree{name: parts[0], lang: parts[1], dir: parts[2]}
		dir, err := filepath.Abs(t.dir)
		if err != nil {
			log.Fatal(err)
		}
		group := run.NewGroup(context.Background(), nil)
		t.ix, _, err = index.Build(context.Background(), index.Options{Root: dir, Matcher: ignore.New(dir), Group: group})
		if err != nil {
			log.Fatalf("%s cannot be indexed: %v", dir, err)
		}
		group.Close()
		t.dir = dir
		out = append(out, t)
	}
	if len(out) == 0 {
		log.Fatal(fmt.Errorf("no tree given: NAME=LANGUAGE=FOLDER; make bench-local fetches three"))
	}
	return out
}
