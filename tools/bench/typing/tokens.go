package main

import (
	"encoding/json"
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

const (
	typedFiles = 4
	readTime   = 250 * time.Millisecond // after the last key of a file
)

// tokens counts the prompt tokens of typing in a real tree at a human rhythm, with a
// model that knows only what it is shown.
func (b *bench) tokens() (bool, error) {
	if b.tree == "" || prices[b.prices].name == "" {
		return false, fmt.Errorf("name the tree with -tree, and with -prices one of %q", slices.Sorted(maps.Keys(prices)))
	}
	work, err := os.MkdirTemp("", "tandem-tokens")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	record := filepath.Join(work, "requests.jsonl")
	script := filepath.Join(work, "script.toml")
	if err := os.WriteFile(script, []byte("[[rule]]\ndelay_ms = 300\ntokens_per_second = 1000\n"), 0o600); err != nil {
		return false, err
	}
	address, stop, err := client.StartScripted(b.scripted, "--show-only", "--script", script, "--record", record)
	if err != nil {
		return false, err
	}
	defer stop()
	t := &typist{}
	if t.editor, err = startEditor(b.tandem, configure(address, prices[b.prices]), b.tree); err != nil {
		return false, err
	}
	defer t.editor.close()
	time.Sleep(15 * time.Second) // the index of a large tree
	places, err := b.places()
	if err != nil {
		return false, err
	}
	typed := 0
	random := rand.New(rand.NewPCG(b.seed, 1))
	for _, p := range places {
		t.uri, t.text, t.below, t.pending = client.URI(p.path), p.above, p.below, 0
		if err := t.open(); err != nil {
			return false, err
		}
		time.Sleep(time.Second)
		n, err := t.retype(p.lines, random)
		if err != nil {
			return false, err
		}
		typed += n
		time.Sleep(readTime)
	}
	time.Sleep(2 * time.Second)
	return b.report(record, t, typed)
}

// A place is where lines of a file are typed again.
type typedPlace struct{ path, above, lines, below string }

// places draws lines from files of the tree: bodies, as many characters as asked for.
func (b *bench) places() ([]typedPlace, error) {
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
	var out []typedPlace
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
		want := b.characters / typedFiles
		end := at
		for end < len(text) && keys(text[at:end]) < want {
			end += strings.IndexByte(text[end:]+"\n", '\n') + 1
		}
		if end < len(text) && keys(text[at:end]) >= want {
			out = append(out, typedPlace{path, text[:at], text[at:end], "\n" + text[end:]})
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

// retype types lines; the indentation comes with the line end, as editors do.
func (t *typist) retype(lines string, random *rand.Rand) (typed int, err error) {
	before := byte('\n')
	for i := 0; i < len(lines); {
		key := lines[i : i+1]
		if key == "\n" {
			rest := lines[i+1:]
			key += rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]
		} else if i == 0 {
			key = lines[:len(lines)-len(strings.TrimLeft(lines, " \t"))+1]
		}
		time.Sleep(gap(random, before, lines[i]))
		back, err := t.press(key)
		if err != nil {
			return typed, err
		}
		go drain(back)
		before = lines[i]
		i += len(key)
		typed++
	}
	return typed, nil
}

func drain(back <-chan client.Reply) {
	select {
	case <-back:
	case <-time.After(10 * time.Second):
	}
}

// report prints the row.
func (b *bench) report(record string, t *typist, typed int) (bool, error) {
	prompts, err := client.Prompts(record)
	if err != nil {
		return false, err
	}
	sent, fresh := 0, 0
	last := ""
	for _, p := range prompts {
		shared := 0
		for shared < min(len(p), len(last)) && p[shared] == last[shared] {
			shared++
		}
		n := tokens.Count(p)
		sent += n
		fresh += n - tokens.Count(p[:shared])
		last = p
	}
	ended, err := ledgerOf(b.tandem, t.editor)
	if err != nil {
		return false, err
	}
	aborted, unbegun, output := 0, 0, 0
	for _, e := range ended {
		output += e.Output
		if e.Error == "cancelled" {
			aborted++
			if e.Output == 0 {
				unbegun++
			}
		}
	}
	n := max(len(prompts), 1)
	perKey, freshPerKey := float64(sent)/float64(typed), float64(fresh)/float64(typed)
	abortedShare := 100 * float64(aborted-unbegun) / float64(n)
	fmt.Printf("%d characters typed; %d requests, %d tokens each on average\n", typed, len(prompts), sent/n)
	fmt.Printf("prompt tokens per character: sent %.0f (bar 330), not shared with the request before %.0f (bar 80) %s\n", perKey, freshPerKey, figures.Verdict(perKey <= 330 && freshPerKey <= 80))
	fmt.Printf("requests aborted after their first token: %.0f %% (bar 30 %%) %s; aborted before it, which a server that bills nothing then does not count: %.0f %%\n",
		abortedShare, figures.Verdict(abortedShare <= 30), 100*float64(unbegun)/float64(n))
	cached := 100 * float64(sent-fresh) / float64(max(sent, 1))
	fmt.Printf("of the prompts a server that keeps prefixes has read: %.0f %% (bar %d %%) %s\n", cached, leastCached, figures.Verdict(cached >= leastCached))
	return b.dayCost(sent, fresh, output, n) && perKey <= 330 && freshPerKey <= 80 && abortedShare <= 30 && cached >= leastCached, nil
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

// leastCached is the part of the prompts, in percent, that a server which keeps prefixes need not read anew.
const leastCached = 75

// dayCost prints what a day of 2,800 completions, 60 edits and 40 questions costs.
func (b *bench) dayCost(sent, fresh, output, n int) bool {
	p := prices[b.prices]
	prompt, share, answer := float64(sent)/float64(n), float64(fresh)/float64(max(sent, 1)), float64(output)/float64(n)
	input := func(tokens, fresh float64) float64 { return tokens * (fresh*p.in + (1-fresh)*p.cached) }
	usd := (2800*(input(prompt, share)+answer*p.out) + 60*(input(8000, 1)+600*p.out) + 40*(input(16000, 1)+500*p.out)) / 1e6
	held := usd <= p.bar
	fmt.Printf("a day of 2,800 completions of %.0f tokens, 60 edits of 8,000 and 40 questions of 16,000 at the prices of %s: $%.2f (bar $%.2f) %s\n", prompt, p.name, usd, p.bar, figures.Verdict(held))
	return held
}

// A ledgerRequest is a line of `tandem ledger --json`.
type ledgerRequest struct {
	Purpose string `json:"purpose"`
	Output  int    `json:"output_tokens"`
	Error   string `json:"error"`
}

func ledgerOf(program string, e *editor) ([]ledgerRequest, error) {
	c := exec.Command(program, "ledger", "--json")
	c.Env = e.cmd.Env
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	var list []ledgerRequest
	for line := range strings.Lines(string(out)) {
		var r ledgerRequest
		if json.Unmarshal([]byte(line), &r) == nil {
			list = append(list, r)
		}
	}
	return slices.DeleteFunc(list, func(r ledgerRequest) bool { return r.Purpose != "complete" }), nil
}
