package main

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"regexp"
	"strings"

	"tandem/model"
	"tandem/model/local/complete"
)

// The bars of what the language makes obvious, in per cent.
const (
	obviousShown = 80
	obviousRight = 75
)

// A heldLine is where a line that the language makes obvious was removed.
type heldLine struct {
	path  string
	lines []string
	at    int
}

var (
	errorCheck = regexp.MustCompile(`(?:^|[\s(;])(?:\w*[eE]rr(?:or)?|e) != nil(?: [&|].*)? \{$`)
	caseLine   = regexp.MustCompile(`^case [\w.]+:$`)
	fieldLine  = regexp.MustCompile(`^[A-Za-z_]\w*:\s+\S.*,$`)
)

// obviousKinds are what is requested. The last is for comparison and has no bar.
var obviousKinds = [3]string{"returns after an error check", "last fields and cases", "the same in tests, where values are data"}

// An outcome counts requested lines.
type outcome struct{ asked, shown, right int }

func (o *outcome) add(p outcome) {
	o.asked, o.shown, o.right = o.asked+p.asked, o.shown+p.shown, o.right+p.right
}

// rates are the shares of lines that were shown, and of these that were right, in per cent.
func (o outcome) rates() (shown, right float64) {
	return 100 * float64(o.shown) / float64(max(o.asked, 1)), 100 * float64(o.right) / float64(max(o.shown, 1))
}

func (o outcome) print(out io.Writer, name, kind string) {
	shown, right := o.rates()
	fmt.Fprintf(out, "%-12s %-40s %5d lines: shown %5.1f %%, first line right %5.1f %%\n", name, kind, o.asked, shown, right)
}

// obviousTotal prints the outcomes of all trees with their bars.
func obviousTotal(out io.Writer, total [3]outcome) bool {
	passed := true
	for i, o := range total[:2] {
		shown, right := o.rates()
		verdict := "pass"
		if shown < obviousShown || right < obviousRight {
			verdict, passed = "MISS", false
		}
		fmt.Fprintf(out, "%-12s %-40s %5d lines: shown %5.1f %% (bar %d), first line right %5.1f %% (bar %d)  %s\n", "all", obviousKinds[i], o.asked, shown, obviousShown, right, obviousRight, verdict)
	}
	return passed
}

// obvious requests returns after error checks, and the last fields and cases, prints how
// many were shown and right, and adds them to the total.
func (t *tree) obvious(out io.Writer, seed int64, returns, rest int, total *[3]outcome) {
	var checks, last, data []heldLine
	for _, path := range t.files() {
		if strings.Contains(path, "testdata/") || strings.Contains(path, "zz_generated") || strings.Contains(path, ".pb.") {
			continue
		}
		text, _ := t.Text(path)
		lines := strings.Split(text, "\n")
		for i := 1; i+1 < len(lines); i++ {
			body, above, below := strings.TrimSpace(lines[i]), strings.TrimSpace(lines[i-1]), strings.TrimSpace(lines[i+1])
			switch {
			case (body == "return" || strings.HasPrefix(body, "return ")) && errorCheck.MatchString(above) && below == "}":
				checks = append(checks, heldLine{path, lines, i})
			case caseLine.MatchString(body) && lastCase(lines, i), fieldLine.MatchString(body) && (below == "}" || strings.HasPrefix(below, "},") || below == "})") && fieldLine.MatchString(above):
				if h := (heldLine{path, lines, i}); strings.HasSuffix(path, "_test.go") {
					data = append(data, h)
				} else {
					last = append(last, h)
				}
			}
		}
	}
	engine := complete.New(nil)
	rng := rand.New(rand.NewSource(seed))
	for i, held := range [][]heldLine{pick(rng, checks, returns), pick(rng, last, rest), pick(rng, data, rest)} {
		o := t.ask(out, engine, held)
		o.print(out, t.name, obviousKinds[i])
		total[i].add(o)
	}
}

// lastCase reports whether no other case follows in a switch, by indentation.
func lastCase(lines []string, at int) bool {
	indent := lines[at][:strings.Index(lines[at], "case")]
	for _, line := range lines[at+1:] {
		if rest, ok := strings.CutPrefix(line, indent); ok && rest != "" && rest[0] != '\t' && rest[0] != ' ' {
			return rest[0] == '}' || strings.HasPrefix(rest, "default:")
		}
	}
	return false
}

func pick(rng *rand.Rand, from []heldLine, n int) []heldLine {
	rng.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
	return from[:min(n, len(from))]
}

func (t *tree) ask(out io.Writer, engine *complete.Engine, held []heldLine) outcome {
	o := outcome{asked: len(held)}
	for _, h := range held {
		line := h.lines[h.at]
		want := strings.TrimSpace(line)
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		prefix := strings.Join(h.lines[:h.at], "\n") + "\n" + indent
		suffix := "\n" + strings.Join(h.lines[h.at+1:], "\n")
		f := &model.Fill{Path: h.path, Prefix: prefix[max(len(prefix)-maxPrefix, 0):], Suffix: suffix[:min(len(suffix), maxSuffix)]}
		got := engine.Suggest(context.Background(), t, f, 1, complete.Likely)
		if len(got) == 0 {
			if os.Getenv("SHOW") != "" {
				fmt.Fprintf(out, "none  %s\n", want)
			}
			continue
		}
		o.shown++
		first, _, _ := strings.Cut(got[0], "\n")
		if strings.Join(strings.Fields(first), " ") == strings.Join(strings.Fields(want), " ") {
			o.right++
		} else if os.Getenv("SHOW") != "" {
			fmt.Fprintf(out, "wrong %s\n   got %s\n", want, first)
		}
	}
	return o
}
