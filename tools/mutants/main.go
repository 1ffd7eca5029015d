// Command mutants plants small faults in the code, one at a time, and reports
// which of them no test notices.
//
// Invariant: the work tree is never changed; a mutant exists in a build overlay
// alone. The same seed and the same code give the same mutants.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
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

// A bench says what is planted and how much of it.
type bench struct {
	n        int
	seed     uint64
	matching *regexp.Regexp
	dir      string // for the overlay
}

func main() {
	least := flag.Float64("least", 85, "the share of an area's mutants, in percent, that tests have to notice")
	n := flag.Int("n", 200, "how many mutants")
	seed := flag.Uint64("seed", 1, "of the choice of mutants")
	only := flag.String("area", "", "these areas alone, with a comma between, as many mutants in each: edits, workspace, assist, lsp, gate, ledger")
	match := flag.String("match", "", "only mutants whose line of the report matches this regular expression")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := bench{n: *n, seed: *seed}
	var err error
	if b.matching, err = regexp.Compile(*match); err == nil {
		err = b.run(ctx, *only, *least)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants: "+err.Error())
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, only string, least float64) (err error) {
	if b.dir, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	chosen := areas
	if only != "" {
		names := strings.Split(only, ",")
		if chosen = slices.DeleteFunc(slices.Clone(areas), func(a area) bool { return !slices.Contains(names, a.name) }); len(chosen) != len(names) {
			return fmt.Errorf("there is no such area in %q", only)
		}
		for i := range chosen {
			chosen[i].share = 100 / len(chosen)
		}
	}
	var low []string
	for _, a := range chosen {
		killed, tried, err := b.measure(ctx, a)
		if err != nil {
			return err
		}
		share := 100 * float64(killed) / float64(max(tried, 1))
		fmt.Printf("%s, seed %d: %d mutants, %d noticed: %.1f %%\n", a.name, b.seed, tried, killed, share)
		if share < least {
			low = append(low, a.name)
		}
	}
	if len(low) > 0 {
		return fmt.Errorf("fewer than %g %% of the mutants were noticed in: %s", least, strings.Join(low, ", "))
	}
	return nil
}

// measure plants mutants of an area until its share of them compiled.
func (b *bench) measure(ctx context.Context, a area) (killed, tried int, err error) {
	all, err := b.mutants(a)
	if err != nil {
		return 0, 0, err
	}
	for _, m := range all {
		if tried == b.n*a.share/100 {
			break
		}
		start := time.Now()
		overlay, err := b.overlay(m)
		if err != nil {
			return killed, tried, err
		}
		own := "./" + filepath.Dir(m.file)
		if run(ctx, "build", "-overlay", overlay, own) != nil {
			continue // no mutant
		}
		by := ""
		for _, pkg := range append([]string{own}, a.tests...) {
			if by == "" && run(ctx, "test", "-vet=off", "-ldflags=-s", "-short", "-failfast", "-count=1", "-timeout=5m", "-overlay", overlay, pkg) != nil {
				by = pkg
			}
		}
		if ctx.Err() != nil {
			return killed, tried, ctx.Err()
		}
		outcome := "SURVIVED"
		if tried++; by != "" {
			killed++
			outcome = "noticed"
		}
		fmt.Printf("%-8s %s (%s %.0fs)\n", outcome, m, by, time.Since(start).Seconds())
	}
	return killed, tried, nil
}

func run(ctx context.Context, args ...string) error {
	c := exec.CommandContext(ctx, "go", args...)
	c.WaitDelay = time.Second // a program that a test has left behind keeps the pipes
	return c.Run()
}

// mutants lists what can be planted in an area, in the order of the seed.
func (b *bench) mutants(a area) ([]mutant, error) {
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
			out = append(out, slices.DeleteFunc(found, func(m mutant) bool { return !b.matching.MatchString(m.String()) })...)
		}
	}
	if len(out) == 0 {
		return nil, errors.New(a.name + " has nothing to mutate")
	}
	random := rand.New(rand.NewPCG(b.seed, uint64(len(a.name))))
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out, nil
}

// overlay writes a mutant and the overlay that puts it in the file's place.
func (b *bench) overlay(m mutant) (string, error) {
	abs, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	mutated, overlay := filepath.Join(b.dir, "mutant.go"), filepath.Join(b.dir, "overlay.json")
	data, err := json.Marshal(map[string]map[string]string{"Replace": {abs: mutated}})
	if err != nil {
		return "", err
	}
	return overlay, errors.Join(os.WriteFile(mutated, []byte(m.mutated()), 0o600), os.WriteFile(overlay, data, 0o600))
}
