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
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"tandem/tools/bench/clones"
)

func main() {
	repos := flag.String("repos", "", "`DIR` of git repositories, bare or not")
	tandem := flag.String("tandem", "bin/tandem", "the `PROGRAM` that applies the edits")
	changes := flag.Int("changes", 60, "changed files taken from each repository")
	seed := flag.Uint64("seed", 1, "which of them, and where the errors are")
	show := flag.Int("show", 5, "how many wrong texts to print")
	only := flag.String("only", "", "this `KIND` of error alone")
	refusals := flag.String("refusals", "", "print the refusals of this `KIND`")
	least := flag.Float64("least", 0, "fail if less than this percentage is right")
	flag.Parse()
	if err := run(*repos, *tandem, *changes, *seed, *show, *only, *refusals, *least); err != nil {
		fmt.Fprintln(os.Stderr, "sloppy:", err)
		os.Exit(1)
	}
}

func run(repos, tandem string, changes int, seed uint64, show int, only, refusals string, least float64) error {
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
	cases := slices.DeleteFunc(casesOf(all, seed), func(c testCase) bool { return only != "" && c.kind != only })
	outcomes, err := judge(tandem, cases)
	if err != nil {
		return err
	}
	t := newTable(cases, outcomes)
	fmt.Printf("%d repositories, %d changed files, seed %d\n\n", len(list), len(all), seed)
	t.print(os.Stdout)
	for i, o := range outcomes {
		if o.kind == wrong && show > 0 {
			show--
			fmt.Printf("\nWRONG %s\n%s\n--- answer\n%.3000s\n", cases[i].ID, difference(cases[i].After[cases[i].path], o.after[cases[i].path]), cases[i].Patch)
		}
		if o.kind == refused && cases[i].kind == refusals {
			fmt.Printf("refused %s: %s\n", cases[i].ID, o.message)
		}
	}
	return t.judge(least)
}

// judge is an error where a text is wrong, or too few are right.
func (t *table) judge(least float64) error {
	if t.total.wrong > 0 {
		return fmt.Errorf("%d texts are wrong", t.total.wrong)
	}
	if share := t.total.share(); share < least {
		return fmt.Errorf("%.2f %% are right, %.2f %% were", share, least)
	}
	return nil
}

// A testCase is one line of `tandem apply --jsonl` and what should come out.
type testCase struct {
	ID     string            `json:"id"`
	Format string            `json:"format"`
	Before map[string]string `json:"before"`
	Patch  string            `json:"patch"`
	After  map[string]string `json:"-"`
	kind   string
	path   string
}

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

type outcomeKind int

const (
	right outcomeKind = iota
	refused
	wrong
)

// An outcome is what became of one case.
type outcome struct {
	kind    outcomeKind
	after   map[string]string
	message string
}

// judge runs the cases through the program.
func judge(tandem string, cases []testCase) ([]outcome, error) {
	var in bytes.Buffer
	requests := json.NewEncoder(&in)
	for _, c := range cases {
		if err := requests.Encode(c); err != nil {
			return nil, err
		}
	}
	command := exec.Command(tandem, "apply", "--jsonl")
	command.Stdin, command.Stderr = &in, os.Stderr
	data, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tandem, err)
	}
	answers := json.NewDecoder(bytes.NewReader(data))
	out := make([]outcome, len(cases))
	for i := range cases {
		var got struct {
			After map[string]string `json:"after"`
			Error *struct{ Code, Message string }
		}
		if err := answers.Decode(&got); err != nil {
			return nil, fmt.Errorf("%s: %w", cases[i].ID, err)
		}
		message := ""
		if got.Error != nil {
			message = got.Error.Code + ": " + got.Error.Message
		}
		out[i] = cases[i].judge(got.After, message)
	}
	return out, nil
}

func (c *testCase) judge(after map[string]string, refusal string) outcome {
	switch {
	case refusal != "" && c.After == nil:
		return outcome{kind: right}
	case refusal != "":
		return outcome{kind: refused, message: refusal}
	case c.After != nil && maps.Equal(after, c.After):
		return outcome{kind: right}
	}
	return outcome{kind: wrong, after: after}
}

// kindNames lists the kinds that occur, in the order of kinds.
func kindNames(cases []testCase) []string {
	var out []string
	for _, k := range kinds {
		if slices.ContainsFunc(cases, func(c testCase) bool { return c.kind == k.name }) {
			out = append(out, k.name)
		}
	}
	return out
}
