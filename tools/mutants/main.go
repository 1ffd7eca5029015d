// Command mutants plants small faults in the code, one at a time, and reports
// which of them no test notices.
//
// Invariant: the work tree is never changed; a mutant exists in a build overlay
// alone. The same seed and the same code give the same mutants.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// An area is code whose faults must not go unnoticed, and the packages whose tests have
// to notice them after those of the fault's own.
type area struct {
	name  string
	share int // of 100 mutants, where all areas are tried
	files []string
	tests []string // in the order in which they are tried
}

var areas = []area{
	{"edits", 15, []string{"edits/*.go"}, []string{"./model/answer", "./model/assist/edit", "./lsp", "./cmd/tandem"}},
	{"workspace", 15, []string{"workspace/*.go", "workspace/window/*.go", "workspace/watch/*.go"}, []string{"./workspace", "./model/assist", "./lsp", "./cmd/tandem"}},
	{"assist", 25, []string{"model/assist/*.go", "model/assist/*/*.go", "model/task/*.go"}, []string{"./model/assist", "./model/assist/edit", "./model/task", "./lsp", "./cmd/tandem"}},
	{"lsp", 25, []string{"lsp/*.go"}, []string{"./cmd/tandem"}},
	{"gate", 10, []string{"workspace/gate.go", "workspace/ignore/*.go"}, []string{"./workspace"}},
	{"ledger", 10, []string{"workspace/state/ledger.go"}, nil},
}

func main() {
	least := flag.Float64("least", 85, "the share of an area's mutants, in percent, that tests have to notice")
	n := flag.Int("n", 200, "how many mutants")
	seed := flag.Uint64("seed", 1, "of the choice of mutants")
	only := flag.String("area", "", "these areas alone, with a comma between, as many mutants in each: edits, workspace, assist, lsp, gate, ledger")
	matching := flag.String("match", "", "only mutants whose line of the report matches this regular expression")
	excused := flag.String("survivors", "tools/mutants/survivors.txt", "mutants that may survive, with reasons")
	table := flag.String("faults", "", "plant the faults of this table, and nothing else")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	want, err := regexp.Compile(*matching)
	chosen := areas
	if *only != "" {
		names := strings.Split(*only, ",")
		if chosen = slices.DeleteFunc(slices.Clone(areas), func(a area) bool { return !slices.Contains(names, a.name) }); len(chosen) != len(names) {
			err = fmt.Errorf("there is no such area in %q", *only)
		}
		for i := range chosen {
			chosen[i].share = 100 / len(chosen)
		}
	}
	if err == nil && *table != "" {
		err = runFaults(ctx, *table, want)
	} else if err == nil {
		err = run(ctx, choice{*n, *seed, *least, chosen, want}, *excused)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants: "+err.Error())
		os.Exit(1)
	}
}

// A choice says which mutants are made.
type choice struct {
	n        int
	seed     uint64
	least    float64
	areas    []area
	matching *regexp.Regexp
}

// A tally counts the outcomes.
type tally struct{ killed, survived, excused int }

func (t tally) share() float64 { return 100 * float64(t.killed) / float64(max(t.killed+t.survived, 1)) }

func (t tally) String() string {
	return fmt.Sprintf("%d mutants: %d killed, %d survived, %d excused: %.1f %% killed", t.killed+t.survived+t.excused, t.killed, t.survived, t.excused, t.share())
}

func run(ctx context.Context, c choice, excusedFile string) error {
	reasons, err := readSurvivors(excusedFile)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var everything []mutant
	seen, candidates := map[string]bool{}, map[string][]mutant{}
	for _, a := range c.areas {
		found, err := a.mutants(c)
		if err != nil {
			return err
		}
		candidates[a.name] = found
		for _, m := range found { // some code is in two areas
			if !seen[m.place()] {
				seen[m.place()], everything = true, append(everything, m)
			}
		}
	}
	suites, err := newSuites(ctx, dir, everything)
	if err != nil {
		return err
	}
	var all tally
	var low []string
	for _, a := range c.areas {
		t, err := a.run(ctx, suites, candidates[a.name], c.n*a.share/100, reasons)
		if err != nil {
			return err
		}
		fmt.Printf("%s, seed %d: %s\n", a.name, c.seed, t)
		if t.share() < c.least {
			low = append(low, a.name)
		}
		all = tally{all.killed + t.killed, all.survived + t.survived, all.excused + t.excused}
	}
	fmt.Println("all, " + all.String())
	if len(low) > 0 {
		return fmt.Errorf("fewer than %g %% of the mutants were killed in: %s", c.least, strings.Join(low, ", "))
	}
	return nil
}

// run makes mutants of an area until want of them compile.
func (a area) run(ctx context.Context, suites *suites, candidates []mutant, want int, reasons map[string]string) (tally, error) {
	var t tally
	for _, m := range candidates {
		if t.killed+t.survived+t.excused == want {
			break
		}
		start := time.Now()
		own := "./" + filepath.ToSlash(filepath.Dir(m.file))
		tests := append([]string{own}, slices.DeleteFunc(slices.Clone(a.tests), func(pkg string) bool { return pkg == own })...)
		by, ok, err := suites.kill(ctx, tests, m)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return t, err
		}
		if !ok {
			continue // no mutant
		}
		outcome := "killed"
		switch {
		case by != "":
			t.killed++
		case reasons[m.key()] != "":
			t.excused++
			outcome = "excused"
		default:
			t.survived++
			outcome = "SURVIVED"
		}
		fmt.Printf("%-8s %s (%s%.0fs)\n", outcome, m, by, time.Since(start).Seconds())
	}
	return t, nil
}

// mutants lists what can be planted in the area, in the order of the seed.
func (a area) mutants(c choice) ([]mutant, error) {
	var out []mutant
	for _, pattern := range a.files {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(filepath.Dir(file), "test") { // assisttest is a test's
				continue
			}
			found, err := mutantsOf(file)
			if err != nil {
				return nil, err
			}
			for _, m := range found {
				if c.matching.MatchString(m.String()) {
					out = append(out, m)
				}
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to mutate in %s", a.name, strings.Join(a.files, ", "))
	}
	random := rand.New(rand.NewPCG(c.seed, uint64(len(a.name))))
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
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
