// Command mutants plants small faults in the code, one at a time, and reports
// which of them no test notices.
//
// Invariant: the work tree is never changed; a mutant exists in a build overlay
// alone. The same seed and the same code give the same mutants.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An area is code whose faults must not go unnoticed, and the suites that have to
// notice them.
type area struct {
	name  string
	share int // of 100 mutants
	files []string
	tests []suite
}

// A suite is the tests of a package, or those of them whose names match run: where an
// area has a second package, its tests that are about something else only take time.
type suite struct{ pkg, run string }

var areas = []area{
	{"lsp", 35, []string{"lsp/*.go"}, []suite{{"./lsp", ""}, {"./tools/tasks", "Scenarios"}}},
	{"assist", 35, []string{"model/assist/*.go"}, []suite{{"./model/assist", ""}, {"./lsp", "Markers|Draft|Reopened|Streams"}, {"./tools/tasks", "Scenarios"}}},
	{"gate", 15, []string{"workspace/gate.go", "workspace/ignore/*.go"}, []suite{{"./workspace/ignore", ""}, {"./workspace", "Gate|Deny|Allowed|Ignor|Link|Private|Alone|Outside|Recent|Canar"}}},
	{"ledger", 15, []string{"workspace/state/ledger.go"}, []suite{{"./workspace/state", ""}}},
}

// least is the share of mutants, in percent, that tests have to notice.
const least = 85

func main() {
	n := flag.Int("n", 200, "how many mutants")
	seed := flag.Uint64("seed", 1, "of the choice of mutants")
	only := flag.String("area", "", "lsp, assist, gate or ledger alone")
	list := flag.Bool("list", false, "print the mutants and run nothing")
	excused := flag.String("survivors", "tools/mutants/survivors.txt", "mutants that may survive, with reasons")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *seed, *only, *list, *excused); err != nil {
		fmt.Fprintln(os.Stderr, "mutants: "+err.Error())
		os.Exit(1)
	}
}

// A tally counts the outcomes.
type tally struct{ killed, survived, excused int }

func run(ctx context.Context, n int, seed uint64, only string, list bool, excusedFile string) error {
	reasons, err := readSurvivors(excusedFile)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var all tally
	for _, a := range areas {
		if only != "" && a.name != only {
			continue
		}
		want := n * a.share / 100
		if only != "" {
			want = n
		}
		if err := a.run(ctx, dir, want, seed, list, reasons, &all); err != nil {
			return err
		}
	}
	if list {
		return nil
	}
	counted := all.killed + all.survived
	share := 100 * float64(all.killed) / float64(max(counted, 1))
	fmt.Printf("%d mutants: %d killed, %d survived, %d excused: %.1f %% killed, at least %d\n", counted+all.excused, all.killed, all.survived, all.excused, share, least)
	if share < least {
		return fmt.Errorf("%.1f %% of the mutants were killed, at least %d must be", share, least)
	}
	return nil
}

// run makes mutants of an area until want of them compile.
func (a area) run(ctx context.Context, dir string, want int, seed uint64, list bool, reasons map[string]string, all *tally) error {
	candidates, err := a.mutants()
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, uint64(len(a.name))))
	random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	if list {
		for _, m := range candidates[:min(want, len(candidates))] {
			fmt.Println(m)
		}
		return nil
	}
	start := time.Now()
	if out, err := a.test(ctx, "", time.Hour); err != nil {
		return fmt.Errorf("%s: the tests fail without a mutant: %w\n%s", a.name, err, out)
	}
	timeout := 3*time.Since(start) + 30*time.Second
	for _, m := range candidates {
		if want == 0 || ctx.Err() != nil {
			break
		}
		overlay, err := m.overlay(dir)
		if err != nil {
			return err
		}
		out, err := a.test(ctx, "-overlay="+overlay, timeout)
		outcome := "killed"
		switch {
		case err != nil && bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
			continue // it does not compile: no mutant
		case err != nil:
			all.killed++
		case reasons[m.key()] != "":
			all.excused++
			outcome = "excused"
		default:
			all.survived++
			outcome = "SURVIVED"
		}
		want--
		fmt.Printf("%-8s %s\n", outcome, m)
	}
	return ctx.Err()
}

// test runs the area's tests; a test that hangs is ended after timeout.
func (a area) test(ctx context.Context, flag string, timeout time.Duration) ([]byte, error) {
	args := []string{"test", "-vet", "off", "-count", "1", "-failfast", "-short", "-timeout", timeout.String()}
	for _, s := range a.tests { // one after the other: most mutants end at the first
		c := exec.CommandContext(ctx, "go", append(slices.Clone(args), "-run", s.run, s.pkg)...)
		c.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" "+flag) // for programs that the tests build, too
		if out, err := c.CombinedOutput(); err != nil {
			return out, err
		}
	}
	return nil, nil
}

// mutants lists what can be planted in the area.
func (a area) mutants() ([]mutant, error) {
	var out []mutant
	for _, pattern := range a.files {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			found, err := mutantsOf(file)
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to mutate in %s", a.name, strings.Join(a.files, ", "))
	}
	return out, nil
}

// readSurvivors reads the mutants that may survive: a line each, its key and,
// after " -- ", the reason.
func readSurvivors(file string) (map[string]string, error) {
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, reason, ok := strings.Cut(line, " -- ")
		if !ok || reason == "" {
			return nil, fmt.Errorf("%s: %q has no reason", file, line)
		}
		out[key] = reason
	}
	return out, nil
}
