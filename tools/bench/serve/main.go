// Command serve measures what a running server costs: memory while somebody edits for an
// hour, the processor time of a start, and of each key in documents of three sizes. It
// drives the built program as an editor does.
//
// Invariant: processor time and memory are those that the kernel counts for the server's
// process, so other work of the machine does not count.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"tandem/tools/bench/figures"
)

func main() {
	log.SetFlags(0)
	if !measured() {
		os.Exit(1)
	}
}

func measured() bool {
	var (
		what   = flag.String("what", "memory", "memory or keys")
		tandem = flag.String("tandem", "bin/tandem", "the program")
		root   = flag.String("root", "", "the folder that is edited; it is not changed")
		most   = flag.Float64("most", 150, "the most MB of anonymous memory after the hour")
		model  = flag.String("scripted", "", "the scripted model server, which is the fast model then; without it there is none")
	)
	flag.Parse()
	home, err := os.MkdirTemp("", "tandem-bench-serve")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(home)
	if *model != "" {
		stop, err := withModel(*model, home)
		if err != nil {
			log.Fatal(err)
		}
		defer stop()
		fmt.Println("with a model:")
	}
	ok := false
	switch *what {
	case "memory":
		ok, err = memory(*tandem, home, abs(*root), *most)
	case "keys":
		ok, err = keys(*tandem, home, *model != "")
	default:
		err = fmt.Errorf("-what %s is unknown: memory or keys", *what)
	}
	if err != nil {
		log.Print(err)
	}
	return ok && err == nil
}

func abs(path string) string {
	out, err := filepath.Abs(path)
	if err != nil {
		log.Fatal(err)
	}
	return out
}

// row prints one figure with its bar, and returns whether it passes.
func row(what, unit string, got, bar float64) bool {
	return figures.Print(os.Stdout, figures.Row{What: what, Value: got, Unit: unit, Bar: bar, Most: true})
}

// plain prints one that has no bar.
func plain(what, unit string, got float64) {
	figures.Print(os.Stdout, figures.Row{What: what, Value: got, Unit: unit, None: true})
}
