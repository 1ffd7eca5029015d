// Command reliability runs the tests that hold the rows of the reliability table
// and prints the table: what was measured, the figure to beat, and whether the
// row holds.
//
// Invariant: a row with no test that ran has failed; nothing is measured here,
// every figure is one that a test logged.
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
)

// table is every property, and the tests that hold it: those that need a process are in
// lsp/reliability, the others in the packages that have the property.
//
//go:embed rows.tsv
var table string

const process = "./lsp/reliability"

// A row is one property.
type row struct {
	id, property, beat, elsewhere string
	suites                        [][2]string // packages and expressions of tests
	counts                        bool        // the tests that pass are the figure
}

func rows(table string) (out []row) {
	for line := range strings.Lines(table) {
		c := append(strings.Split(strings.TrimSpace(line), "\t"), "", "")
		if strings.HasPrefix(line, "#") {
			continue
		}
		r := row{id: c[0], property: c[1], beat: c[2], elsewhere: c[4], counts: c[5] != ""}
		for _, s := range strings.Split(c[3], " ; ") {
			pkg, tests, _ := strings.Cut(s, " ")
			r.suites = append(r.suites, [2]string{pkg, tests})
		}
		out = append(out, r)
	}
	return out
}

func main() {
	all := rows(table)
	r := results{}
	if err := r.runAll(all); err != nil {
		fmt.Fprintln(os.Stderr, "reliability: "+err.Error())
		os.Exit(1)
	}
	if !r.print(os.Stdout, all) {
		os.Exit(1)
	}
}

// An outcome is how one test ended, and the figures that it logged.
type outcome struct {
	ended   string // pass, fail, skip
	figures []string
	output  strings.Builder
}

// results are the outcomes by package and test. That of a package, whose goroutines are looked
// at when its tests have ended, is named "package".
type results map[string]map[string]*outcome

// runAll runs the tests of all rows. Those that need a process mostly wait: the others run beside them.
func (r results) runAll(all []row) error {
	tests := map[string][]string{}
	for _, x := range all {
		for _, s := range x.suites {
			r[s[0]] = map[string]*outcome{}
			tests[s[0]] = append(tests[s[0]], s[1])
		}
	}
	var beside sync.WaitGroup
	var failed error
	beside.Go(func() {
		for _, pkg := range slices.Sorted(maps.Keys(tests)) {
			if pkg != process && failed == nil {
				failed = read(r[pkg], strings.Join(tests[pkg], "|"), pkg)
			}
		}
	})
	err := read(r[process], strings.Join(tests[process], "|"), "-tags=reliability", process)
	beside.Wait()
	if err == nil {
		err = failed
	}
	return err
}

// read runs tests of a package. Tests that fail are outcomes, not errors.
func read(into map[string]*outcome, tests string, args ...string) error {
	fmt.Fprintln(os.Stderr, "running", args[len(args)-1])
	c := exec.Command("go", append([]string{"test", "-json", "-count=1", "-timeout=30m", "-parallel=4", "-run", tests}, args...)...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	err = note(into, out)
	_ = c.Wait() // what failed is an outcome
	return err
}

// figure is what a test logs about a bound: "WHAT: VALUE (bar BOUND)".
var figure = regexp.MustCompile(`_test\.go:\d+: (.*\(bar .*)`)

// note reads the events of go test -json.
func note(into map[string]*outcome, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Action == "build-output" {
			fmt.Fprintln(os.Stderr, lines.Text())
			continue
		}
		if e.Test == "" {
			e.Test = "package"
		}
		top, _, _ := strings.Cut(e.Test, "/")
		if into[top] == nil {
			into[top] = &outcome{}
		}
		o := into[top]
		switch e.Action {
		case "output":
			o.output.WriteString(e.Output)
			if m := figure.FindStringSubmatch(e.Output); m != nil {
				o.figures = append(o.figures, strings.TrimSpace(m[1]))
			}
		case "pass", "fail", "skip":
			if e.Test == top {
				o.ended = e.Action
			}
		}
	}
	return lines.Err()
}

// print prints the table and, for what failed, what the tests printed. It reports whether
// every row holds: each of its expressions has a test that ran, and none that did not pass.
func (r results) print(out io.Writer, all []row) (held bool) {
	held = true
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ROW\tPROPERTY\tMEASURED\tTO BEAT\t")
	problems := ""
	for _, x := range all {
		passed, failed, figures, verdict := 0, 0, []string{}, "pass"
		for _, s := range x.suites {
			ran := false
			for _, name := range slices.Sorted(maps.Keys(r[s[0]])) {
				o := r[s[0]][name]
				if !regexp.MustCompile(s[1]).MatchString(name) || o.ended == "skip" {
					continue
				}
				ran = true
				figures = append(figures, o.figures...)
				if passed++; o.ended != "pass" { // also one that did not end
					passed, failed = passed-1, failed+1
					problems += fmt.Sprintf("\n%s %s:\n%s", x.id, name, o.output.String())
				}
			}
			if !ran {
				failed++
				problems += fmt.Sprintf("\n%s: no test ran: %s %s\n", x.id, s[0], s[1])
			}
		}
		if failed > 0 {
			verdict, held = "FAIL", false
		}
		measured := worst(figures)
		if measured == "" || x.counts {
			measured = fmt.Sprintf("%d of %d tests", passed, passed+failed)
		}
		if x.elsewhere != "" {
			measured += "; also " + x.elsewhere
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", x.id, x.property, measured, x.beat, verdict)
	}
	_ = w.Flush()
	fmt.Fprint(out, problems)
	return held
}

var number = regexp.MustCompile(`: ([0-9.]+)(ms|s|µs| MiB)? \(bar ([0-9.]+)(ms|s|µs)?`)

// worst is the figure that is nearest to its bar; "" without figures.
func worst(figures []string) (found string) {
	most := -1.0
	for _, f := range figures {
		share := 0.0
		if m := number.FindStringSubmatch(f); m != nil {
			amount := func(n, unit string) float64 {
				v, _ := strconv.ParseFloat(n, 64)
				if u := map[string]float64{"µs": 1e-6, "ms": 1e-3}[unit]; u != 0 {
					v *= u
				}
				return v
			}
			if bar := amount(m[3], m[4]); bar > 0 {
				share = amount(m[1], m[2]) / bar
			}
		}
		if share > most {
			found, most = f, share
		}
	}
	return found
}
