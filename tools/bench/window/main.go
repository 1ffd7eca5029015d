// Command window measures the context window.
//
// Invariant: it judges by universal-ctags, not by tandem's own index.
package main

import (
	"flag"
	"strings"
)

func main() {
	mode := flag.String("mode", "eval", "")
	trees := flag.String("trees", "", "")
	seed := flag.Uint64("seed", 42, "")
	count := flag.Int("count", 300, "")
	verbose := flag.Bool("v", false, "")
	flag.Parse()
	roots := strings.Split(*trees, ",")
	if *mode == "fit" {
		fit(roots, *seed, *count)
		return
	}
	for _, r := range roots {
		evaluate(r, *seed, *count, []int{2000, 8000, 32000, 128000}, *verbose)
	}
}
