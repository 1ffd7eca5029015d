package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	n := flag.Int("n", 200, "how often to kill")
	seed := flag.Uint64("seed", 1, "of the random moments")
	repo := flag.String("repo", ".", "the repository for the trivial task")
	flag.Parse()
	if err := run(flag.Arg(0), *n, *seed, *repo); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(what string, n int, seed uint64, repo string) error {
	dir, err := os.MkdirTemp("", "tandem-tasks")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := build(dir)
	if err != nil {
		return err
	}
	switch what {
	case "bench":
		return bench(p, dir, repo)
	case "kill":
		report, err := killed(p, dir, n, seed)
		fmt.Println(report)
		return err
	}
	return fmt.Errorf("say bench or kill, not %q", what)
}

func rule(lines ...string) string { return "[[rule]]\n" + strings.Join(lines, "\n") + "\n" }
