// Command window measures the context window on source trees: how many of the
// definitions that a blanked line needs it holds, and how long it takes.
//
// Invariant: it judges by universal-ctags, never by tandem's own index.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"strconv"
	"strings"
)

func main() {
	trees := flag.String("trees", "", "comma-separated `FOLDERS` to measure")
	seeds := flag.String("seeds", "42", "comma-separated `SEEDS` by which lines are drawn")
	count := flag.Int("lines", 300, "how many `LINES` to draw from each tree")
	budgets := flag.String("budgets", "2000,8000,32000,128000", "comma-separated budgets in `TOKENS`")
	typing := flag.Int("typing", 0, "measure how much consecutive windows share, over `N` typing traces a tree")
	fitting := flag.Bool("fit", false, "print ranking weights fitted to the trees instead of measuring")
	missing := flag.String("misses", "", "write what was missing to `FILE`")
	profile := flag.String("cpuprofile", "", "write a CPU profile to `FILE`")
	flag.Parse()
	if err := run(strings.Split(*trees, ","), numbers(*seeds), *count, numbers(*budgets), *typing, *fitting, *missing, *profile); err != nil {
		fmt.Fprintln(os.Stderr, "window:", err)
		os.Exit(1)
	}
}

func run(trees []string, seeds []int, count int, budgets []int, typing int, fitting bool, missing, profile string) error {
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	if fitting {
		return fit(os.Stdout, trees, uint64(seeds[0]), count)
	}
	misses := io.Discard
	if missing != "" {
		f, err := os.Create(missing)
		if err != nil {
			return err
		}
		defer f.Close()
		misses = f
	}
	for _, tree := range trees {
		if typing > 0 {
			if err := measureTyping(context.Background(), os.Stdout, tree, uint64(seeds[0]), typing, []int{32_000, 128_000}); err != nil {
				return err
			}
		}
		for _, seed := range seeds {
			if err := measure(context.Background(), os.Stdout, misses, tree, uint64(seed), count, budgets); err != nil {
				return err
			}
		}
	}
	return nil
}

func numbers(list string) []int {
	var out []int
	for _, field := range strings.Split(list, ",") {
		if n, err := strconv.Atoi(field); err == nil {
			out = append(out, n)
		}
	}
	return out
}
