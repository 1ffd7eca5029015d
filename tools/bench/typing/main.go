// Command typing counts the prompt tokens of typing, and what a day of it costs: a real
// `tandem serve`, driven as an editor drives it, against the scripted model server.
//
// Invariant: it uses the built programs from outside alone, over LSP and HTTP. It needs no
// network and no model.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/tools/bench/figures"
	"tandem/tools/client"
	"tandem/workspace/tokens"
)

// A bench says what to measure and how much of it.
type bench struct {
	tandem, scripted string
	characters       int
	tree             string
	seed             uint64
	work             string // for the user's home, the script and the record
}

// A priceList is USD per million tokens.
type priceList struct {
	name            string
	in, cached, out float64
	bar             float64 // of a day, in USD
	settings        string  // of the configuration, besides
}

var prices = map[string]priceList{
	"mercury":  {"Mercury", 0.25, 0.025, 0.75, 0.90, ""},
	"groq":     {"gpt-oss-120b where half is asked for what is cached (Groq)", 0.15, 0.075, 0.60, 1.20, ""},
	"cerebras": {"gpt-oss-120b where nothing is cheaper for being cached (Cerebras), with completions_day_usd = 0.8", 0.35, 0.35, 0.75, 1.20, "completions_day_usd = 0.8"},
}

const configuration = "fast = \"m\"\n%s\n[models.m]\nprovider = \"p\"\nmodel = \"scripted-fast\"\ntokenizer = \"o200k_base\"\ncontext_window = 128000\nmax_output_tokens = 256\ninput_price = %v\ncached_price = %v\noutput_price = %v\n" +
	"[providers.p]\nbase_url = \"%s/v1\"\nwire_api = \"chat\"\n"

const typedFiles = 4

func main() {
	var b bench
	flag.StringVar(&b.tandem, "tandem", "bin/tandem", "the `PROGRAM` to measure")
	flag.StringVar(&b.scripted, "scripted", "bin/scripted", "the scripted model server")
	flag.IntVar(&b.characters, "characters", 2000, "characters of the typing whose tokens are counted")
	flag.StringVar(&b.tree, "tree", "", "the tree in which they are typed")
	name := flag.String("prices", "groq", "whose `PRICES` a day of the typing costs: cerebras, groq or mercury")
	flag.Uint64Var(&b.seed, "seed", 1, "the `SEED` of the rhythm")
	flag.Parse()
	p, known := prices[*name]
	err := fmt.Errorf("name the tree with -tree, and with -prices one of %q", slices.Sorted(maps.Keys(prices)))
	held := false
	if known && b.tree != "" {
		held, err = b.run(p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "typing:", err)
	}
	if !held || err != nil {
		os.Exit(1)
	}
}

// run types in a real tree at a human rhythm, with a model that knows only what it is shown.
func (b *bench) run(p priceList) (held bool, err error) {
	if b.work, err = os.MkdirTemp("", "tandem-typing"); err != nil {
		return false, err
	}
	defer os.RemoveAll(b.work)
	record, script := filepath.Join(b.work, "requests.jsonl"), filepath.Join(b.work, "script.toml")
	if err := os.WriteFile(script, []byte("[[rule]]\ndelay_ms = 300\ntokens_per_second = 1000\n"), 0o600); err != nil {
		return false, err
	}
	address, stop, err := client.StartScripted(b.scripted, "--show-only", "--script", script, "--record", record)
	if err != nil {
		return false, err
	}
	defer stop()
	if err := client.Configure(b.work, fmt.Sprintf(configuration, p.settings, p.in, p.cached, p.out, address)); err != nil {
		return false, err
	}
	command := exec.Command(b.tandem, "serve", "--stdio")
	command.Env = client.Home(b.work)
	e, err := client.StartEditor(command, b.tree, false, nil, "inline", "status", "proposals")
	if err != nil {
		return false, err
	}
	defer e.Kill()
	if err := e.AwaitIndex(); err != nil {
		return false, err
	}
	places, err := b.places()
	if err != nil {
		return false, err
	}
	typed := 0
	random := rand.New(rand.NewPCG(b.seed, 1))
	for _, place := range places {
		n, err := place.typeIn(e, random)
		if err != nil {
			return false, err
		}
		typed += n
	}
	time.Sleep(2 * time.Second) // for the last answer
	return b.report(record, p, typed)
}

// A place is where lines of a file are typed again.
type place struct{ path, above, lines, below string }

// places draws lines from files of the tree: bodies, as many characters as asked for.
func (b *bench) places() ([]place, error) {
	var files []string
	err := filepath.WalkDir(filepath.Join(b.tree, "pkg"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasPrefix(d.Name(), "zz_") && !strings.Contains(path, "generated") {
			if info, err := d.Info(); err == nil && info.Size() > 5<<10 && info.Size() < 40<<10 {
				files = append(files, path)
			}
		}
		return err
	})
	if err != nil || len(files) < typedFiles {
		return nil, fmt.Errorf("%s has too few files: %w", b.tree, err)
	}
	r := rand.New(rand.NewPCG(b.seed, 2))
	var out []place
	for len(out) < typedFiles {
		path := files[r.IntN(len(files))]
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text := string(raw)
		at := strings.Index(text, "{\n")
		for range r.IntN(8) {
			if next := strings.Index(text[at+1:], ") {\n"); next >= 0 {
				at += 1 + next
			}
		}
		at += strings.IndexByte(text[at:], '\n') + 1
		end := at
		for end < len(text) && keys(text[at:end]) < b.characters/typedFiles {
			end += strings.IndexByte(text[end:]+"\n", '\n') + 1
		}
		if name, err := filepath.Rel(b.tree, path); err == nil && end < len(text) {
			out = append(out, place{filepath.ToSlash(name), text[:at], text[at:end], "\n" + text[end:]})
		}
	}
	return out, nil
}

// keys is how many characters of a text are typed: editors indent.
func keys(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		n += len([]rune(strings.TrimLeft(line, " \t")))
	}
	return n
}

// gap is how long a person waits between two keys: little within words, more between them,
// with pauses to think, most of them at the ends of lines.
func gap(random *rand.Rand, before, next byte) time.Duration {
	middle, spread, think := 110.0, 0.35, 0.01
	switch {
	case before == '\n':
		middle, spread, think = 350, 0.6, 0.35
	case !wordByte(before) || !wordByte(next):
		middle, spread, think = 160, 0.4, 0.05
	}
	ms := middle * math.Exp(spread*random.NormFloat64())
	if random.Float64() < think {
		ms += 500 + 1500*random.Float64()
	}
	return time.Duration(ms * float64(time.Millisecond))
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// typeIn types the lines and asks for what follows at each key; the request before is
// cancelled. The indentation comes with the line end, as editors do.
func (p *place) typeIn(e *client.Editor, random *rand.Rand) (typed int, err error) {
	if err := e.Open(p.path, p.above+p.below); err != nil {
		return 0, err
	}
	time.Sleep(time.Second)
	before, pending := byte('\n'), int64(0)
	for i := 0; i < len(p.lines); typed++ {
		rest := p.lines[i:]
		key := rest[:1]
		if key == "\n" {
			key = rest[:1+len(rest[1:])-len(strings.TrimLeft(rest[1:], " \t"))]
		} else if i == 0 {
			key = rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))+1]
		}
		time.Sleep(gap(random, before, rest[0]))
		if err := e.Cancel(pending); err != nil {
			return typed, err
		}
		at := len(p.above) + i
		if err := e.Replace(p.path, at, at, key); err != nil {
			return typed, err
		}
		before = rest[0]
		i += len(key)
		if pending, _, err = e.AskInline(p.path, len(p.above)+i, client.Automatic); err != nil {
			return typed, err
		}
	}
	return typed, nil
}

// leastCached is the part of the prompts, in percent, that a server which keeps prefixes need not read anew.
const leastCached = 75

// report prints the rows.
func (b *bench) report(record string, p priceList, typed int) (bool, error) {
	prompts, err := client.Prompts(record)
	if err != nil {
		return false, err
	}
	sent, fresh, last := 0, 0, ""
	for _, prompt := range prompts {
		shared, _ := client.Common(last, prompt)
		n := tokens.Count(prompt)
		sent += n
		fresh += n - tokens.Count(prompt[:shared])
		last = prompt
	}
	aborted, output, err := b.ledger()
	if err != nil {
		return false, err
	}
	n := max(len(prompts), 1)
	fmt.Printf("%d characters typed; %d requests, %d tokens each on average\n", typed, len(prompts), sent/n)
	// A day is 2,800 completions, 60 edits and 40 questions.
	share := float64(fresh) / float64(max(sent, 1))
	input := func(tokens, fresh float64) float64 { return tokens * (fresh*p.in + (1-fresh)*p.cached) }
	usd := (2800*(input(float64(sent)/float64(n), share)+float64(output)/float64(n)*p.out) + 60*(input(8000, 1)+600*p.out) + 40*(input(16000, 1)+500*p.out)) / 1e6
	return figures.Print(os.Stdout,
		figures.Row{What: "prompt tokens per character: sent", Value: float64(sent) / float64(typed), Unit: "tokens", Bar: 330, Most: true},
		figures.Row{What: "prompt tokens per character: not shared with the request before", Value: float64(fresh) / float64(typed), Unit: "tokens", Bar: 80, Most: true},
		figures.Row{What: "requests aborted after their first token", Value: figures.Percent(aborted, n), Bar: 30, Most: true},
		figures.Row{What: "of the prompts a server that keeps prefixes has read", Value: 100 * (1 - share), Bar: leastCached},
		figures.Row{What: "a day at the prices of " + p.name, Value: usd, Unit: "$", Bar: p.bar, Most: true, Note: fmt.Sprintf("completions of %d tokens, edits of 8,000, questions of 16,000", sent/n)},
	), nil
}

// ledger reads what became of the completions: how many were cancelled after their first
// token, and the tokens that were written.
func (b *bench) ledger() (aborted, output int, err error) {
	c := exec.Command(b.tandem, "ledger", "--json")
	c.Env = client.Home(b.work)
	out, err := c.Output()
	if err != nil {
		return 0, 0, fmt.Errorf("read the ledger: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		var r struct {
			Purpose, Error string
			Output         int `json:"output_tokens"`
		}
		if json.Unmarshal([]byte(line), &r) != nil || r.Purpose != "complete" {
			continue
		}
		output += r.Output
		if r.Error == "cancelled" && r.Output > 0 {
			aborted++
		}
	}
	return aborted, output, nil
}
