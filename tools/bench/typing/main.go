// Command typing counts the prompt tokens of typing, and what a day of it costs: a real
// `tandem serve`, driven as an editor drives it, against the scripted model server.
//
// Invariant: it uses the built programs from outside alone, over LSP and HTTP. It needs no
// network and no model.
package main

import (
	"flag"
	"fmt"
	"os"
)

// A bench says what to measure and how much of it.
type bench struct {
	tandem, scripted string
	characters       int
	tree             string
	prices           string // of a day: one of prices
	seed             uint64
}

func main() {
	var b bench
	flag.StringVar(&b.tandem, "tandem", "bin/tandem", "the `PROGRAM` to measure")
	flag.StringVar(&b.scripted, "scripted", "bin/scripted", "the scripted model server")
	flag.IntVar(&b.characters, "characters", 2000, "characters of the typing whose tokens are counted")
	flag.StringVar(&b.tree, "tree", "", "the tree in which they are typed")
	flag.StringVar(&b.prices, "prices", "groq", "whose `PRICES` a day of the typing costs: cerebras, groq or mercury")
	flag.Uint64Var(&b.seed, "seed", 1, "the `SEED` of the rhythm")
	flag.Parse()
	held, err := b.tokens()
	if err != nil {
		fmt.Fprintln(os.Stderr, "typing:", err)
	}
	if !held {
		os.Exit(1)
	}
}
