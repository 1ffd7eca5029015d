// Command window measures the context window on source trees: how many of the
// definitions that a blanked line needs are in the window, and how long it takes.
//
// Invariant: the reference is universal-ctags, never tandem's own index.
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

// A bench holds the settings of a measurement.
type bench struct {
	trees, seeds, budgets string // lists
	lines, typing, times  int
	plain                 bool
	command               string
	misses, profile       string
}

func main() {
	var b bench
	flag.StringVar(&b.trees, "trees", "", "comma-separated `FOLDERS` to measure")
	flag.StringVar(&b.seeds, "seeds", "42", "comma-separated `SEEDS` by which lines are drawn")
	flag.IntVar(&b.lines, "lines", 300, "how many `LINES` to draw from each tree")
	flag.StringVar(&b.budgets, "budgets", "2000,8000,32000,128000", "comma-separated budgets in `TOKENS`")
	flag.IntVar(&b.typing, "typing", 0, "measure how much consecutive windows share, over `N` typing traces a tree")
	flag.IntVar(&b.times, "times", 0, "measure how long windows take at `N` places of a tree, and nothing else")
	flag.BoolVar(&b.plain, "plain", false, "take every tag of ctags for a definition: package clauses, import aliases, other languages' names")
	flag.StringVar(&b.command, "command", "", "ask `TANDEM` window --jsonl, with the blanked file as overlay, instead of the package")
	flag.StringVar(&b.misses, "misses", "", "write what was missing to `FILE`")
	flag.StringVar(&b.profile, "cpuprofile", "", "write a CPU profile to `FILE`")
	flag.Parse()
	if err := b.run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "window:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, out io.Writer) error {
	if b.profile != "" {
		f, err := os.Create(b.profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	trees, seeds := strings.Split(b.trees, ","), numbers(b.seeds)
	misses := io.Discard
	if b.misses != "" {
		f, err := os.Create(b.misses)
		if err != nil {
			return err
		}
		defer f.Close()
		misses = f
	}
	for _, tree := range trees {
		if err := b.measureTree(ctx, out, misses, tree, seeds); err != nil {
			return err
		}
	}
	return nil
}

// measureTree measures one tree for every seed.
func (b *bench) measureTree(ctx context.Context, out, misses io.Writer, root string, seeds []int) error {
	t, err := readTree(root, b.plain)
	if err != nil {
		return err
	}
	if b.times > 0 {
		return t.measureTimes(ctx, out, uint64(seeds[0]), b.times)
	}
	if b.typing > 0 {
		if err := t.measureTyping(ctx, out, uint64(seeds[0]), b.typing, []int{3_000, 8_000, 32_000}); err != nil {
			return err
		}
	}
	w, err := b.open(ctx, root)
	if err != nil {
		return err
	}
	defer w.close()
	for _, seed := range seeds {
		if err := t.measure(ctx, out, misses, w, uint64(seed), b.lines, numbers(b.budgets)); err != nil {
			return err
		}
	}
	return nil
}

// open opens a tree in this process, or in a separate tandem process.
func (b *bench) open(ctx context.Context, root string) (windows, error) {
	if b.command != "" {
		return startCommand(ctx, b.command, root)
	}
	return openTree(ctx, root)
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
