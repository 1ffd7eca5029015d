// Command local measures the built-in engine on trees that are not in the
// repository: held-out lines, changes between versions, and definitions.
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
	"runtime/pprof"

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
		hide    = flag.Int("hide", 0, "also hide up to so many lines after the one asked for")
		keep    = flag.Bool("keep", false, "leave the lines of the file that are identical to the one asked for")
		what    = flag.String("what", "lines", "lines, returns, next or where")
		learned = flag.String("learned", "", "folder that keeps what is learned")
		profile = flag.String("cpuprofile", "", "write a CPU profile to this file")
		fit     = flag.String("fit", "", "grow a forest on a file that nextedits -ghost -evidence wrote, and print it")
	)
	flag.Parse()
	if *fit != "" {
		fitForest(os.Stdout, *fit)
		return
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	trees := openTrees(flag.Args())
	out := os.Stdout
	var total outcome
	for _, t := range trees {
		switch *what {
		case "returns":
			total.add(t.returns(out, *seed, *lines/len(trees)+1))
		case "where":
			t.where(out, *seed, 500)
		}
	}
	if *what == "returns" && !returnsTotal(out, total) {
		os.Exit(1)
	}
	if *what == "next" && len(trees) == 2 {
		nextEdits(out, trees[0], trees[1])
		return
	}
	for _, t := range trees {
		if *what != "lines" {
			continue
		}
		t.train(out, *learned)
		for _, n := range typedLengths(*typed) {
			t.heldOut(out, *seed, *lines, n, *keep, *hide)
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
