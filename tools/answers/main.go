// Command answers gives tandem what models answer when they obey badly or fail, through every
// road by which an answer is written, and judges the text on disk: what was meant, the text
// as it was, or a wrong one.
//
// Invariant: what is right is made with the file, and not by the code under test; a seed
// makes the same answers again.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	tandem := flag.String("tandem", "bin/tandem", "the `PROGRAM`")
	seed := flag.Uint64("seed", 1, "which answers")
	n := flag.Int("n", 300, "answers for each road")
	show := flag.Int("show", 5, "how many wrong texts and refusals of plain answers to print")
	flag.Parse()
	dir, err := os.MkdirTemp("", "answers")
	if err == nil {
		defer os.RemoveAll(dir)
		var program string
		if program, err = filepath.Abs(*tandem); err == nil {
			err = run(program, dir, *seed, *n, *show)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "answers:", err)
		os.Exit(1)
	}
}

// A score counts what became of answers.
type score struct{ meant, right, refused, wrong int }

const leastRight = 0.9

// run draws answers for every road and prints what became of them.
func run(tandem, dir string, seed uint64, n, show int) error {
	u, err := newUser(tandem, dir)
	if err != nil {
		return err
	}
	defer u.close()
	fmt.Printf("seed %d\n%-14s %8s %8s %8s %8s\n", seed, "road", "meant", "right", "refused", "wrong")
	wrong, low := 0, []string{}
	for i, r := range ways {
		var s score
		for _, a := range answers(seed+uint64(i), n, i*n, r.whole) {
			got, said, err := u.try(r, a)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", r.name, a.kind, err)
			}
			s.add(a, got)
			if o := a.judge(got); show > 0 && (o == "wrong" || o == "refused" && a.meant) {
				show--
				fmt.Printf("%s: %s: %s in %s\n%s\n--- answer\n%s\n--- text\n%s\n", o, r.name, a.kind, a.format, said, a.text, got)
			}
		}
		fmt.Printf("%-14s %8d %8d %8d %8d\n", r.name, s.meant, s.right, s.refused, s.wrong)
		wrong += s.wrong
		if float64(s.right) < leastRight*float64(s.meant) {
			low = append(low, r.name)
		}
	}
	switch {
	case wrong > 0:
		return fmt.Errorf("%d wrong texts were written", wrong)
	case len(low) > 0:
		return fmt.Errorf("too few of what was meant is right: %v", low)
	}
	return nil
}

func (a *answer) judge(got string) string {
	switch {
	case got == a.disk(a.after):
		return "right"
	case got == a.disk(a.lines):
		return "refused"
	}
	return "wrong"
}

// add counts an answer. One that is not meant plainly may be read right or refused.
func (s *score) add(a *answer, got string) {
	if a.meant {
		s.meant++
	}
	switch o := a.judge(got); {
	case o == "wrong":
		s.wrong++
	case o == "right" && a.meant:
		s.right++
	case o == "refused":
		s.refused++
	}
}
