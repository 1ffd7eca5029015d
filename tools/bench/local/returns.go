package main

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"regexp"
	"strings"

	"tandem/model"
	"tandem/model/local/complete"
	"tandem/tools/bench/figures"
)

// The bars of returns after an error check, in per cent.
const (
	returnsShown = 80
	returnsRight = 75
)

// A heldLine is where a line was removed.
type heldLine struct {
	path  string
	lines []string
	at    int
}

var errorCheck = regexp.MustCompile(`(?:^|[\s(;])(?:\w*[eE]rr(?:or)?|e) != nil(?: [&|].*)? \{$`)

// An outcome counts requested lines.
type outcome struct{ asked, shown, right int }

func (o *outcome) add(p outcome) {
	o.asked, o.shown, o.right = o.asked+p.asked, o.shown+p.shown, o.right+p.right
}

// rates are the shares of lines that were shown, and of these that were right, in per cent.
func (o outcome) rates() (shown, right float64) {
	return figures.Percent(o.shown, o.asked), figures.Percent(o.right, o.shown)
}

func (o outcome) print(out io.Writer, name, kind string) {
	shown, right := o.rates()
	fmt.Fprintf(out, "%-12s %-40s %5d lines: shown %5.1f %%, first line right %5.1f %%\n", name, kind, o.asked, shown, right)
}

// returnsTotal prints the outcome of all trees with its bars.
func returnsTotal(out io.Writer, o outcome) bool {
	shown, right := o.rates()
	passed := shown >= returnsShown && right >= returnsRight
	fmt.Fprintf(out, "%-12s %-40s %5d lines: shown %5.1f %% (bar %d), first line right %5.1f %% (bar %d)  %s\n", "all", "returns after an error check", o.asked, shown, returnsShown, right, returnsRight, figures.Verdict(passed))
	return passed
}

// returns requests the returns after error checks and prints how many were shown and right:
// all, and those with a message of their own, which nothing shows before it is written.
func (t *tree) returns(out io.Writer, seed int64, n int) outcome {
	var held []heldLine
	for _, path := range t.files() {
		if strings.Contains(path, "testdata/") || strings.Contains(path, "zz_generated") || strings.Contains(path, ".pb.") {
			continue
		}
		text, _ := t.Text(path)
		lines := strings.Split(text, "\n")
		for i := 1; i+1 < len(lines); i++ {
			body, above, below := strings.TrimSpace(lines[i]), strings.TrimSpace(lines[i-1]), strings.TrimSpace(lines[i+1])
			if (body == "return" || strings.HasPrefix(body, "return ")) && errorCheck.MatchString(above) && below == "}" {
				held = append(held, heldLine{path, lines, i})
			}
		}
	}
	rng := rand.New(rand.NewSource(seed))
	rng.Shuffle(len(held), func(i, j int) { held[i], held[j] = held[j], held[i] })
	engine := complete.New(nil)
	var all, worded outcome
	for _, h := range held[:min(n, len(held))] {
		o := t.askReturn(engine, h)
		all.add(o)
		if strings.ContainsAny(h.lines[h.at], "\"'`") {
			worded.add(o)
		}
	}
	all.print(out, t.name, "returns after an error check")
	worded.print(out, t.name, "of these, with messages of their own")
	return all
}

// same reports whether two lines are equal but for white space.
func same(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}

// askReturn requests a line.
func (t *tree) askReturn(engine *complete.Engine, h heldLine) outcome {
	line := h.lines[h.at]
	want := strings.TrimSpace(line)
	prefix := strings.Join(h.lines[:h.at], "\n") + "\n" + line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	suffix := "\n" + strings.Join(h.lines[h.at+1:], "\n")
	f := &model.Fill{Path: h.path, Prefix: prefix[max(len(prefix)-maxPrefix, 0):], Suffix: suffix[:min(len(suffix), maxSuffix)]}
	o := outcome{asked: 1}
	got := engine.Suggest(context.Background(), t, f, 1, complete.Likely)
	if len(got) > 0 {
		first, _, _ := strings.Cut(got[0], "\n")
		o.shown, o.right = 1, figures.One(same(first, want))
	}
	return o
}
