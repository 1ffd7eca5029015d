// Command headline measures what tandem promises and prints it as one table:
// each figure with its limit and the best figure that others have published.
//
// Invariant: a figure is read from the output of a benchmark that anyone can
// run alone; nothing is measured here, rounded in tandem's favour or left out
// when it misses its limit.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"tandem/tools/bench/figures"
	"time"
)

func main() {
	folder := flag.String("outputs", ".cache/bench", "`FOLDER` for what the benchmarks print")
	only := flag.String("only", "", "run what matches this `REGEXP` alone, such as lsp or index")
	reuse := flag.Bool("reuse", false, "read the outputs of the last run instead of running anything")
	doc := flag.String("doc", "", "write the figures into the markdown `FILE` as well")
	flag.Parse()
	if err := run(*folder, *only, *reuse, *doc); err != nil {
		fmt.Fprintln(os.Stderr, "headline:", err)
		os.Exit(1)
	}
}

func run(folder, only string, reuse bool, doc string) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	begun, loadBefore := time.Now(), load()
	outputs := map[string]string{}
	for _, j := range jobs() {
		if !pattern.MatchString(j.name) {
			continue
		}
		file := filepath.Join(folder, j.name+".txt")
		if !reuse {
			j.run(file)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		outputs[j.name] = string(text)
	}
	where := conditions(begun, loadBefore)
	fmt.Print(where + "\n")
	printTable(outputs)
	if doc == "" {
		return nil
	}
	return figures.Insert(doc, figuresBegin, figuresEnd, "\n"+where+markdown(outputs))
}

// A job is a benchmark to run.
type job struct {
	name    string
	command string // for sh -c, in the repository
}

// run writes the job's output to a file and its outcome to stderr.
func (j job) run(file string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	start := time.Now()
	c := exec.CommandContext(ctx, "sh", "-c", j.command)
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	outcome := "done"
	if err != nil {
		outcome = err.Error()
		out = append(out, "\nended: "+outcome+"\n"...)
	}
	fmt.Fprintf(os.Stderr, "%-10s %5.1f s  %s\n", j.name, time.Since(start).Seconds(), outcome)
	if err := os.WriteFile(file, out, 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// conditions describes the conditions under which the figures were measured.
func conditions(begun time.Time, loadBefore string) string {
	return fmt.Sprintf("%s, %d × %s, %s, %s.\nCommit %s; load average %s before, %s after; %.0f s in all.\n", time.Now().Format("2006-01-02 15:04"),
		runtime.NumCPU(), figures.Processor(), system(), runtime.Version(), commit(), loadBefore, load(), time.Since(begun).Seconds())
}

func load() string { return strings.Join(strings.Fields(read("/proc/loadavg"))[:1], "") }

func system() string {
	return strings.TrimSpace(runtime.GOOS + " " + strings.TrimSpace(read("/proc/sys/kernel/osrelease")))
}

func commit() string {
	out, err := exec.Command("git", "describe", "--tags", "--always", "--dirty").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

func read(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "unknown"
	}
	return string(text)
}

// A cell is a row with what was measured.
type cell struct {
	row
	measured string
	missed   bool
}

// cells are the rows of the jobs that ran, by group, in the order of the table.
func cells(outputs map[string]string) (groups []string, rows map[string][]cell) {
	rows = map[string][]cell{}
	for _, r := range table {
		text, ran := outputs[r.job]
		if !ran {
			continue
		}
		c := cell{r, "not measured", false}
		if v, ok := r.value(text); ok {
			c.measured, c.missed = strings.TrimSpace(figure(v)+" "+r.unit), !r.holds(v)
		}
		if len(rows[r.group]) == 0 {
			groups = append(groups, r.group)
		}
		rows[r.group] = append(rows[r.group], c)
	}
	return groups, rows
}

// printTable prints one line per row, by group.
func printTable(outputs map[string]string) {
	groups, rows := cells(outputs)
	missed := 0
	for _, group := range groups {
		fmt.Println(group)
		for _, c := range rows[group] {
			mark := " "
			if c.missed {
				mark = "✗"
				missed++
			}
			fmt.Printf(" %s %-66s %16s   %-12s %s\n", mark, c.what, c.measured, c.bar(), c.best)
		}
	}
	fmt.Printf("\n%d missed (✗). Best others: public figures, see docs/performance.md.\n", missed)
}

// The figures of a document are between these lines.
const (
	figuresBegin = "<!-- figures: written by make bench-doc -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

// markdown returns one table per group, with the command that measures each figure.
func markdown(outputs map[string]string) string {
	var b strings.Builder
	groups, rows := cells(outputs)
	for _, group := range groups {
		fmt.Fprintf(&b, "\n### %s\n\n| what | bar | measured | best known of others | `make bench BENCH=` |\n|---|---|---|---|---|\n", group)
		for _, c := range rows[group] {
			if c.missed {
				c.measured = "**" + c.measured + " (missed)**"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", c.what, strings.TrimSpace(c.bar()+" "+c.unit), c.measured, c.best, c.job)
		}
	}
	return b.String() + "\n"
}

// figure formats a number with about three significant digits.
func figure(v float64) string {
	switch {
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}
