// Command remainder writes what the forest of model/remainder is grown on: places in the
// lines that commits add, as numbers, and whether the rest of the line was code of words
// that the document has.
//
// Invariant: it asks no model and no simulated user, so what is learned is about texts
// alone; and the newest commits, which benchmarks replay, are left out.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"tandem/model/remainder"
	"tandem/tools/bench/pinned"
	"tandem/workspace/git"
	"tandem/workspace/language"
)

const (
	linesPerCommit = 8
	placesPerLine  = 2
	maxFile        = 200 << 10
	leastKnown     = 0.7 // share of the words of a familiar rest that the document has
)

func main() {
	log.SetFlags(0)
	seed := flag.Uint64("seed", 3, "seed of the places")
	newest := flag.Int("skip", 300, "the newest commits of each clone, which are left out")
	commits := flag.Int("commits", 900, "commits of each clone")
	anyClone := flag.Bool("any-tree", false, "take clones that are not pinned for this fit")
	flag.Parse()
	if !*anyClone {
		if err := pinned.ForFit("remainder", flag.Args()); err != nil {
			log.Fatal(err)
		}
	}
	out := bufio.NewWriter(os.Stdout)
	for i, dir := range flag.Args() {
		n, err := dump(out, dir, rand.New(rand.NewPCG(*seed, uint64(i))), *newest, *commits)
		if err != nil {
			log.Fatalf("%s: %v", dir, err)
		}
		log.Printf("%s: %d places", filepath.Base(dir), n)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

// dump writes the places of a clone and counts them.
func dump(out *bufio.Writer, dir string, r *rand.Rand, newest, commits int) (n int, err error) {
	temp, err := os.MkdirTemp("", "remainder")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp)
	clone := filepath.Join(temp, "clone") // a bare one has no work tree
	if err := exec.Command("git", "clone", "-q", "--shared", "--no-checkout", dir, clone).Run(); err != nil {
		return 0, err
	}
	repo, err := git.Open(context.Background(), clone)
	if err != nil {
		return 0, err
	}
	defer repo.Close()
	list, err := repo.Log(context.Background(), newest+commits)
	if err != nil {
		return 0, err
	}
	for _, c := range list[min(newest, len(list)):] {
		n += dumpCommit(out, r, c)
	}
	return n, nil
}

// dumpCommit writes places in some of the lines that a commit adds.
func dumpCommit(out *bufio.Writer, r *rand.Rand, c git.Commit) (n int) {
	for _, change := range c.Changes {
		if change.Unread != nil || change.AbsentAfter || len(change.After) > maxFile {
			continue
		}
		was := map[string]bool{}
		for line := range strings.Lines(change.Before) {
			was[strings.TrimSpace(line)] = true
		}
		at := 0
		for line := range strings.Lines(change.After) {
			start := at
			at += len(line)
			text := strings.TrimRight(line, "\r\n")
			body := strings.TrimLeft(text, " \t")
			if len(body) < 4 || was[strings.TrimSpace(line)] || n >= linesPerCommit*placesPerLine || r.IntN(3) > 0 {
				continue
			}
			for range placesPerLine {
				cut := len(text) - len(body)
				if r.IntN(3) > 0 {
					cut += r.IntN(len(body) - 2)
				}
				before, after := change.After[:start+cut], "\n"+change.After[at:]
				lang := language.OfFile(filepath.Base(change.Path))
				write(out, remainder.Features(before, after, lang), familiar(body, text[cut:], before, after, lang))
				n++
			}
		}
	}
	return n
}

func write(out *bufio.Writer, features [remainder.FeatureCount]float64, yes bool) {
	label := 0
	if yes {
		label = 1
	}
	fmt.Fprint(out, label)
	for _, x := range features {
		fmt.Fprintf(out, " %.4g", x)
	}
	fmt.Fprintln(out)
}

var (
	commentMarks = []string{"//", "#", "*", "/*", "--", ";", "<!--", `"""`}
	declarations = []string{"func ", "def ", "class ", "fn ", "pub ", "function ", "type ", "interface "}
	prose        = []string{"markdown", "plaintext", "restructuredtext", ""}
)

// familiar reports whether the rest of a line is code of which most words are in the
// document around it.
func familiar(line, rest, before, after, lang string) bool {
	begins := func(mark string) bool { return strings.HasPrefix(line, mark) }
	if slices.ContainsFunc(commentMarks, begins) || slices.ContainsFunc(declarations, begins) || slices.Contains(prose, lang) ||
		strings.Contains(line, " // ") || strings.Contains(line, " # ") {
		return false
	}
	words := strings.FieldsFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	known := 0
	for _, w := range words {
		if strings.Contains(before, w) || strings.Contains(after, w) {
			known++
		}
	}
	return len(words) > 0 && float64(known) > leastKnown*float64(len(words))
}
