// Command typing measures inline completion as a user feels and pays it: a real
// `tandem serve`, driven as an editor drives it, against the scripted model
// server.
//
// Invariant: it uses the built programs from outside alone, over LSP and HTTP,
// and measures time at the editor's end of the connection. It needs no network
// and no model.
package main

import (
	"flag"
	"fmt"
	"os"
)

// A bench says what to measure and how much of it.
type bench struct {
	tandem, scripted string
	bursts, parallel int
	characters       int
	tree             string
	prices           string // of a day: one of prices
	seed             uint64
}

func main() {
	var b bench
	part := flag.String("part", "latency", "what to measure: latency, tokens or stream")
	flag.StringVar(&b.tandem, "tandem", "bin/tandem", "the `PROGRAM` to measure")
	flag.StringVar(&b.scripted, "scripted", "bin/scripted", "the scripted model server")
	flag.IntVar(&b.bursts, "bursts", 200, "bursts of typing for each row")
	flag.IntVar(&b.parallel, "parallel", 2, "servers that type the bursts of a row")
	flag.IntVar(&b.characters, "characters", 2000, "characters of the typing whose tokens are counted")
	flag.StringVar(&b.tree, "tree", "", "the tree in which they are typed")
	flag.StringVar(&b.prices, "prices", "groq", "whose `PRICES` a day of the typing costs: cerebras, groq or mercury")
	flag.Uint64Var(&b.seed, "seed", 1, "the `SEED` of the rhythm")
	flag.Parse()
	parts := map[string]func() (bool, error){"latency": b.latency, "tokens": b.tokens, "stream": b.stream}
	run, ok := parts[*part]
	if !ok {
		fmt.Fprintf(os.Stderr, "typing: there is no part %q\n", *part)
		os.Exit(2)
	}
	held, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "typing:", err)
		os.Exit(1)
	}
	if !held {
		os.Exit(1)
	}
}
