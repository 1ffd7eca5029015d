// Command sloppy writes the changes of real commits the way models write edits:
// in every format, clean and with each kind of error that models make. It gives
// them to `tandem apply --jsonl` and counts what comes out: the text that the
// commit made, a refusal, or another text, which is the one thing that may not be.
//
// Invariant: what is expected comes from git and from line numbers alone, never
// from the code under test.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
	"tandem/tools/client"
)

func main() {
	repos := flag.String("repos", "", "`DIR` of git repositories, bare or not")
	tandem := flag.String("tandem", "bin/tandem", "the `PROGRAM` that applies the edits")
	changes := flag.Int("changes", 60, "changed files taken from each repository")
	seed := flag.Uint64("seed", 1, "which of them, and where the errors are")
	only := flag.String("only", "", "this `KIND` of error alone, whose refusals are printed too")
	least := flag.Float64("least", 0, "fail if less than this percentage is right")
	formed := flag.Int("forms", 0, "write so many changes in every usual form of an answer, through apply and edit --write, instead")
	flag.Parse()
	if err := run(*repos, *tandem, *changes, *seed, *only, *least, *formed); err != nil {
		fmt.Fprintln(os.Stderr, "sloppy:", err)
		os.Exit(1)
	}
}

// mostShown is how many wrong texts are printed.
const mostShown = 5

func run(repos, tandem string, changes int, seed uint64, only string, least float64, formed int) error {
	list, err := clones.OpenAll(context.Background(), repos, "")
	if err != nil {
		return err
	}
	var all []change
	for _, c := range list {
		found, err := readChanges(c, changes, seed)
		c.Close()
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	if formed > 0 {
		program, err := filepath.Abs(tandem)
		if err != nil {
			return err
		}
		return runForms(program, all, formed, seed, only)
	}
	cases := slices.DeleteFunc(casesOf(all, seed), func(c testCase) bool { return only != "" && c.kind != only })
	if err := apply(tandem, cases); err != nil {
		return err
	}
	fmt.Printf("%d repositories, %d changed files, seed %d\n\n", len(list), len(all), seed)
	total := table(os.Stdout, cases)
	for _, c := range cases {
		if c.outcome == wrong {
			if total.show++; total.show <= mostShown {
				fmt.Printf("\nWRONG %s\n%s\n--- answer\n%.3000s\n", c.ID, c.difference(), c.Patch)
			}
		}
		if c.outcome == refused && only != "" {
			fmt.Printf("refused %s: %s\n", c.ID, c.refusal)
		}
	}
	switch {
	case total.n[wrong] > 0:
		return fmt.Errorf("%d texts are wrong", total.n[wrong])
	case total.share() < least:
		return fmt.Errorf("%.2f %% are right, %.2f %% were", total.share(), least)
	}
	return nil
}

// A testCase is one line of `tandem apply --jsonl` and what should come out.
type testCase struct {
	ID     string            `json:"id"`
	Format string            `json:"format"`
	Before map[string]string `json:"before"`
	Patch  string            `json:"patch"`
	After  map[string]string `json:"-"` // nil where whatever is applied is a guess
	kind   string
	path   string

	outcome outcome
	got     map[string]string
	refusal string
}

type outcome int

const (
	right outcome = iota
	refused
	wrong
)

// casesOf writes every change in every format with every kind of error that it can have.
func casesOf(all []change, seed uint64) []testCase {
	var out []testCase
	for i, c := range all {
		for _, format := range formats {
			for k, kind := range kinds {
				random := rand.New(rand.NewPCG(seed, uint64(i)<<16|uint64(k)))
				if one, ok := kind.on(c, format, random); ok {
					one.ID = fmt.Sprintf("%s/%s/%s/%s", c.name, c.path, format, kind.name)
					out = append(out, one)
				}
			}
		}
	}
	return out
}

// apply runs the cases through the program.
func apply(tandem string, cases []testCase) error {
	var in bytes.Buffer
	requests := json.NewEncoder(&in)
	for _, c := range cases {
		if err := requests.Encode(c); err != nil {
			return err
		}
	}
	command := exec.Command(tandem, "apply", "--jsonl")
	command.Stdin, command.Stderr = &in, os.Stderr
	data, err := command.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", tandem, err)
	}
	answers := json.NewDecoder(bytes.NewReader(data))
	for i := range cases {
		var got struct {
			After map[string]string `json:"after"`
			Error *struct{ Code, Message string }
		}
		if err := answers.Decode(&got); err != nil {
			return fmt.Errorf("%s: %w", cases[i].ID, err)
		}
		refusal := ""
		if got.Error != nil {
			refusal = got.Error.Code + ": " + got.Error.Message
		}
		cases[i].judge(got.After, refusal)
	}
	return nil
}

// judge notes what became of a case.
func (c *testCase) judge(after map[string]string, refusal string) outcome {
	c.got, c.refusal = after, refusal
	switch {
	case refusal != "" && c.After == nil, refusal == "" && c.After != nil && maps.Equal(after, c.After):
		c.outcome = right
	case refusal != "":
		c.outcome = refused
	default:
		c.outcome = wrong
	}
	return c.outcome
}

// difference shows where the text begins to differ from the one that is wanted.
func (c *testCase) difference() string {
	want, got := c.After[c.path], c.got[c.path]
	i, _ := client.Common(want, got)
	part := func(s string) string { return s[max(0, i-60):min(len(s), i+100)] }
	return fmt.Sprintf("want %q\ngot  %q", part(want), part(got))
}

// A score counts outcomes.
type score struct {
	n    [3]int
	show int // wrong texts so far
}

// share is the percentage of right ones.
func (s score) share() float64 {
	return figures.Percent(s.n[right], s.n[right]+s.n[refused]+s.n[wrong])
}

// table prints outcomes by kind of error and by format, and returns those of all.
func table(w io.Writer, cases []testCase) score {
	scores := map[string]*score{}
	var order []string
	for _, c := range cases {
		for _, key := range []string{c.kind, "in " + c.Format, "all"} {
			if scores[key] == nil {
				scores[key], order = &score{}, append(order, key)
			}
			scores[key].n[c.outcome]++
		}
	}
	place := func(key string) int { return slices.IndexFunc(kinds, func(k kind) bool { return k.name == key }) }
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(uint(place(a)), uint(place(b))) }) // what is no kind last
	fmt.Fprintf(w, "%-26s %7s %8s %6s %8s\n", "kind", "right", "refused", "wrong", "right %")
	for _, key := range order {
		s := scores[key]
		fmt.Fprintf(w, "%-26s %7d %8d %6d %8.2f\n", key, s.n[right], s.n[refused], s.n[wrong], s.share())
	}
	if all := scores["all"]; all != nil {
		return *all
	}
	return score{}
}
