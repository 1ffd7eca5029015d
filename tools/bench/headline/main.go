// Command headline measures what tandem promises and prints it as one table:
// each figure with its limit and the best figure that others have published.
//
// Invariant: a figure is read from the output of a benchmark that anyone can
// run alone; nothing is measured here, rounded in tandem's favour or left out
// when it misses its limit.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"tandem/tools/bench/figures"
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

// The figures of a document are between these lines.
const (
	figuresBegin = "<!-- figures: written by make bench-doc -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

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
	for _, j := range jobs {
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
	where := fmt.Sprintf("%s, %d × %s, %s %s, %s.\nCommit %s; load average %s before, %s after; %.0f s in all.\n", time.Now().Format("2006-01-02 15:04"), runtime.NumCPU(), figures.Processor(),
		runtime.GOOS, output("uname", "-r"), runtime.Version(), output("git", "describe", "--tags", "--always", "--dirty"), loadBefore, load(), time.Since(begun).Seconds())
	text, page := tables(outputs)
	fmt.Print(where + "\n" + text)
	if doc == "" {
		return nil
	}
	return figures.Insert(doc, figuresBegin, figuresEnd, "\n"+where+page+"\n")
}

func load() string { return strings.Fields(output("cat", "/proc/loadavg"))[0] }

func output(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// A job is a benchmark to run, by sh -c in the repository.
type job struct{ name, command string }

var jobs = []job{
	{"process", "go test -tags reliability -run '^$' -bench 'Start|Ping|Pipelined|Change|Tokens' -benchtime 1s ./lsp/reliability"},
	{"inline", "go test -tags reliability -run '^$' -bench Inline -benchtime 50x ./lsp/reliability"},
	{"protocol", "go test -run '^$' -bench Inline -benchtime 1s ./lsp"},
	{"model", "go test -run '^$' -bench . -benchtime 1s ./model/provider"},
	{"index", "go test -run '^$' -bench 'Cold|Ctags' -benchtime 3x ./workspace/index; go test -run '^$' -bench 'Warm|OneFile|Lookup' ./workspace/index; bin/tandem index --json --workspace $(go env GOMODCACHE)/k8s.io/kubernetes@v1.34.1"},
	{"window", "go test -run '^$' -bench Window -benchtime 100x ./workspace/window"},
	{"tokens", "go test -run '^$' -bench Count ./workspace/tokens"},
	{"files", "go test -run '^$' -bench 'Watch50000|Open100000' -benchtime 1x ./workspace; go test -run '^$' -bench 'Keystroke|FileEvent' ./workspace; go test -run '^$' -bench . ./workspace/ignore ./workspace/redact"},
	{"edits", "go test -run '^$' -bench 'Parse|Apply' ./edits"},
	{"local", "go test -run '^$' -bench . ./model/local/complete"},
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

// promises is every promise, in the order of the architecture's layers.
//
//go:embed table.tsv
var promises string

// tables are the rows of the jobs that ran, by group, as text and as a page, which names the
// command that measures each figure.
func tables(outputs map[string]string) (text, page string) {
	group, missed := "", 0
	for line := range strings.Lines(promises) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) == 1 {
			group = c[0]
			continue
		}
		c = append(c, "")
		job, unit, bar, what, best := c[0], c[4], c[5], c[6], c[7]
		out, ran := outputs[job]
		if !ran {
			continue
		}
		if group != "" { // its first row
			text += group + "\n"
			page += fmt.Sprintf("\n### %s\n\n| what | bar | measured | best known of others | `make bench BENCH=` |\n|---|---|---|---|---|\n", group)
			group = ""
		}
		measured, mark, bold := "not measured", " ", "%s"
		if v, ok := value(out, c[1], c[2], c[3]); ok {
			measured = strings.TrimSpace(figure(v) + " " + unit)
			limit, _ := strconv.ParseFloat(bar[strings.IndexByte(bar, ' ')+1:], 64)
			if least := strings.HasPrefix(bar, "≥"); least && v < limit || !least && v > limit {
				missed++
				mark, bold = "✗", "**%s (missed)**"
			}
		}
		text += fmt.Sprintf(" %s %-66s %16s   %-12s %s\n", mark, what, measured, bar, best)
		page += fmt.Sprintf("| %s | %s | "+bold+" | %s | %s |\n", what, strings.TrimSpace(bar+" "+unit), measured, best, job)
	}
	return text + fmt.Sprintf("\n%d missed (✗). Best others: public figures, see docs/measurements/bench.md.\n", missed), page
}

// value reads a figure from a job's output; over is the figure by which it is divided, "" for
// none, and scale a factor.
func value(output, find, over, scale string) (float64, bool) {
	v, ok := number(find, output)
	if by, err := strconv.ParseFloat(scale, 64); err == nil {
		v *= by
	}
	if over != "" && ok {
		by, has := number(over, output)
		return v / by, has && by != 0
	}
	return v, ok
}

// number finds a benchmark's figure by its name and unit, or what an expression finds.
func number(find, output string) (float64, bool) {
	if !strings.Contains(find, `\`) {
		name, unit, _ := strings.Cut(find, " ")
		find = `^Benchmark` + regexp.QuoteMeta(name) + `(?:-\d+)?\s.*?\s([\d.e+-]+) ` + regexp.QuoteMeta(unit) + `(?:\s|$)`
	}
	m := regexp.MustCompile("(?m)" + find).FindStringSubmatch(output)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	return v, err == nil
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
