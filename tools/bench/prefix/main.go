// Command prefix measures how much consecutive completion requests share at their
// start: it types in real files through tandem serve, and reads what the requests held
// as a model server recorded them.
//
// Invariant: it sees what a model server sees and nothing of tandem's inside; the
// scripted server records and knows no answer. Trees are never written.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"tandem/tools/client"
	"time"
)

// A bench says what to measure.
type bench struct {
	trees, tandem, scripted string
	traces, steps           int
	seed                    uint64
	settle                  time.Duration
}

func main() {
	var b bench
	flag.StringVar(&b.trees, "trees", ".", "comma-separated `FOLDERS` to type in")
	flag.StringVar(&b.tandem, "tandem", "bin/tandem", "the `PROGRAM` to measure")
	flag.StringVar(&b.scripted, "scripted", "bin/scripted", "the scripted model `SERVER`")
	flag.IntVar(&b.traces, "traces", 6, "type `N` traces a tree")
	flag.IntVar(&b.steps, "steps", 40, "type `N` words a trace")
	flag.Uint64Var(&b.seed, "seed", 1, "the `SEED` by which places are drawn")
	flag.DurationVar(&b.settle, "settle", 10*time.Second, "how `LONG` a tree is given to be indexed")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	defer cancel()
	if err := b.run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "prefix:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, out io.Writer) error {
	for _, program := range []*string{&b.tandem, &b.scripted} {
		abs, err := filepath.Abs(*program)
		if err != nil {
			return err
		}
		*program = abs
	}
	var all shares
	for _, tree := range strings.Split(b.trees, ",") {
		f, err := b.tree(ctx, tree)
		if err != nil {
			return fmt.Errorf("%s: %w", tree, err)
		}
		f.print(out, filepath.Base(tree))
		all.join(f)
	}
	all.print(out, "all")
	return all.judge(out)
}

// tree types in one tree.
func (b *bench) tree(ctx context.Context, tree string) (*shares, error) {
	tree, err := filepath.Abs(tree)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "prefix-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	places, err := draw(tree, b.traces, rand.New(rand.NewPCG(b.seed, 1)))
	if err != nil {
		return nil, err
	}
	record := filepath.Join(dir, "record.jsonl")
	address, stop, err := client.StartScripted(b.scripted, "--record", record, "--show-only") // its answers continue nothing
	if err != nil {
		return nil, err
	}
	defer stop()
	config := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(config, []byte(fmt.Sprintf(settings, address)), 0o600); err != nil {
		return nil, err
	}
	e, err := startEditor(ctx, b.tandem, tree, config, dir, b.settle)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Quit() }()
	total := &shares{}
	for i := range places {
		recorded, err := os.Stat(record)
		if err != nil {
			return nil, err
		}
		if err := e.typeAt(ctx, &places[i], b.steps); err != nil {
			return nil, err
		}
		requests, err := readRequests(record, recorded.Size())
		if err != nil {
			return nil, err
		}
		total.add(requests, places[i].after)
	}
	return total, nil
}

// settings are tandem's: the scripted server completes, and nothing is guessed.
const settings = `fast = "scripted"
[editor]
debounce_ms = 0
[models.scripted]
provider = "scripted"
model = "scripted-fast"
context_window = 128000
max_output_tokens = 256
[providers.scripted]
base_url = "%s/v1"
wire_api = "chat"
`
