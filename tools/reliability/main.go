// Command reliability runs the tests that hold the rows of the reliability table
// and prints the table: what was measured, the figure to beat, and whether the
// row holds.
//
// Invariant: a row with no test that ran has failed; nothing is measured here,
// every figure is one that a test logged.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	r := results{}
	if err := r.runAll(); err != nil {
		fmt.Fprintln(os.Stderr, "reliability: "+err.Error())
		os.Exit(1)
	}
	if !r.table(os.Stdout, rows) {
		os.Exit(1)
	}
}

// An outcome is how one test ended, and the figures that it logged.
type outcome struct {
	ended   string // pass, fail, skip
	figures []string
	output  []string
}

// results are the outcomes by package and test.
type results map[string]map[string]*outcome

func (r results) runAll() error {
	byPackage := map[string][]string{}
	var order []string
	for _, row := range rows {
		for _, s := range row.suites {
			if byPackage[s.pkg] == nil {
				order = append(order, s.pkg)
			}
			byPackage[s.pkg] = append(byPackage[s.pkg], s.run)
		}
	}
	// The rows that need a process mostly wait: the others run beside them.
	ended := make(chan error)
	others := results{}
	go func() {
		for _, pkg := range order {
			if pkg != process {
				if err := others.run(pkg, strings.Join(byPackage[pkg], "|")); err != nil {
					ended <- err
					return
				}
			}
		}
		ended <- nil
	}()
	err := r.run(process, strings.Join(byPackage[process], "|"))
	err = errors.Join(err, <-ended)
	maps.Copy(r, others)
	return err
}

// whole is the name of the outcome of a package: its goroutines are looked at when
// its tests have ended.
const whole = "package"

// run runs tests of a package. Tests that fail are outcomes, not errors.
func (r results) run(pkg, names string) error {
	fmt.Fprintln(os.Stderr, "running", pkg)
	args := []string{"test", "-json", "-count", "1", "-timeout", "30m", "-parallel", "4", "-run", names}
	if pkg == process {
		args = append(args, "-tags", "reliability")
	}
	c := exec.Command("go", append(args, pkg)...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	r[pkg] = map[string]*outcome{}
	if err := r.read(pkg, out); err != nil {
		return err
	}
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}

// figure is what a test logs about a bound: "WHAT: VALUE (bar BOUND)".
var figure = regexp.MustCompile(`_test\.go:\d+: (.*\(bar .*)`)

// read reads the events of go test -json.
func (r results) read(pkg string, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(os.Stderr, lines.Text())
			continue
		}
		if e.Test == "" {
			e.Test = whole
			if e.Action == "build-output" {
				fmt.Fprint(os.Stderr, e.Output)
			}
		}
		top, _, _ := strings.Cut(e.Test, "/")
		o := r[pkg][top]
		if o == nil {
			o = &outcome{}
			r[pkg][top] = o
		}
		switch e.Action {
		case "output":
			o.output = append(o.output, e.Output)
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

// of returns a row's outcomes by name of the test.
func (r results) of(x row) (passed, failed, notRun []string, figures []string) {
	for _, s := range x.suites {
		matches := regexp.MustCompile(s.run)
		found := false
		for _, name := range slices.Sorted(maps.Keys(r[s.pkg])) {
			if !matches.MatchString(name) {
				continue
			}
			o := r[s.pkg][name]
			switch o.ended {
			case "pass":
				found = true
				passed = append(passed, name)
			case "skip":
			default: // a test that did not end has failed
				found = true
				failed = append(failed, name)
			}
			figures = append(figures, o.figures...)
		}
		if !found {
			notRun = append(notRun, s.pkg+" "+s.run)
		}
	}
	return passed, failed, notRun, figures
}

// table prints the table and, for what failed, what the tests printed. It
// reports whether every row holds.
func (r results) table(out io.Writer, rows []row) bool {
	ok := true
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ROW\tPROPERTY\tMEASURED\tTO BEAT\t")
	var problems strings.Builder
	for _, x := range rows {
		passed, failed, notRun, figures := r.of(x)
		verdict := "pass"
		if len(failed)+len(notRun) > 0 {
			verdict, ok = "FAIL", false
		}
		measured := worst(figures)
		if measured == "" || x.counts {
			measured = fmt.Sprintf("%d of %d tests", len(passed), len(passed)+len(failed)+len(notRun))
		}
		if x.elsewhere != "" {
			measured += "; also " + x.elsewhere
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", x.id, x.property, measured, x.beat, verdict)
		for _, name := range failed {
			for _, s := range x.suites {
				if o := r[s.pkg][name]; o != nil {
					fmt.Fprintf(&problems, "\n%s %s:\n%s", x.id, name, strings.Join(o.output, ""))
				}
			}
		}
		for _, what := range notRun {
			fmt.Fprintf(&problems, "\n%s: no test ran: %s\n", x.id, what)
		}
	}
	_ = w.Flush()
	fmt.Fprint(out, problems.String())
	return ok
}

var number = regexp.MustCompile(`: ([0-9.]+)(ms|s|µs| MiB)? \(bar ([0-9.]+)(ms|s|µs)?`)

// worst is the figure that is nearest to its bar; "" without figures.
func worst(figures []string) string {
	share := func(f string) float64 {
		m := number.FindStringSubmatch(f)
		if m == nil {
			return 0
		}
		got, _ := strconv.ParseFloat(m[1], 64)
		bar, _ := strconv.ParseFloat(m[3], 64)
		unit := map[string]float64{"µs": 1e-6, "ms": 1e-3, "s": 1}
		if u := unit[m[2]]; u != 0 {
			got *= u
		}
		if u := unit[m[4]]; u != 0 {
			bar *= u
		}
		if bar == 0 {
			return 0
		}
		return got / bar
	}
	best := ""
	for _, f := range figures {
		if best == "" || share(f) > share(best) {
			best = f
		}
	}
	return best
}
