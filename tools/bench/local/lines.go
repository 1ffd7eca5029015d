package main

import (
	"fmt"
	"io"
	"log"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"tandem/model"
	"tandem/model/local/complete"
	"tandem/tools/bench/figures"
	"tandem/workspace/index"
)

// How much of a document the engine gets, the same as from model/assist.
const (
	maxPrefix = 48 << 10
	maxSuffix = 16 << 10
)

func splitArg(arg string) [3]string {
	parts := strings.SplitN(arg, "=", 3)
	if len(parts) != 3 {
		log.Fatalf("%s is no NAME=LANGUAGE=FOLDER", arg)
	}
	return [3]string(parts)
}

// Root, Index and Text make a tree a source.Corpus.
func (t *tree) Root() string        { return t.dir }
func (t *tree) Index() *index.Index { return t.ix }
func (t *tree) Text(path string) (string, bool) {
	b, err := os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(path)))
	return string(b), err == nil
}

// train trains on a tree and prints the time and memory used.
func (t *tree) train(out io.Writer) {
	before := heap()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start, cpu := time.Now(), cpuTime()
	t.engine = complete.New(nil)
	t.engine.Consider(t, &model.Fill{Path: "new" + filepath.Ext(t.files()[0])})
	took, computed := time.Since(start), cpuTime()-cpu
	fmt.Fprintf(out, "%s: learned in %.2f s (CPU %.2f), %.0f MB\n", t.name, took.Seconds(), computed.Seconds(), float64(heap()-before)/1e6)
}

func heap() int64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A held line is a line that was removed from its file.
type held struct {
	path, text     string // the line, without indentation
	indent         string
	prefix, suffix string
}

// A result is what was suggested for a held line.
type result struct {
	confidence float64
	right      bool
}

// sample draws random lines from the tree's files.
func (t *tree) sample(seed int64, n int) []held {
	files := t.files()
	common := t.commonest(files, 200)
	type at struct{ file, line int }
	var all []at
	texts := make([][]string, len(files))
	for i, path := range files {
		text, _ := t.Text(path)
		texts[i] = strings.Split(text, "\n")
		for j, line := range texts[i] {
			if body := strings.TrimSpace(line); body != "" && !common[body] {
				all = append(all, at{i, j})
			}
		}
	}
	rng := rand.New(rand.NewSource(seed))
	var out []held
	for range n {
		p := all[rng.Intn(len(all))]
		out = append(out, cut(files[p.file], texts[p.file], p.line))
	}
	return out
}

func (t *tree) files() []string {
	var out []string
	for _, id := range t.ix.Files() {
		if f, ok := t.ix.File(id); ok && f.Language == t.lang && f.Size <= 1<<20 {
			out = append(out, f.Path)
		}
	}
	return out
}

// commonest returns the n most frequent lines of the tree.
func (t *tree) commonest(files []string, n int) map[string]bool {
	count := map[string]int{}
	for _, path := range files {
		text, _ := t.Text(path)
		for line := range strings.Lines(text) {
			if body := strings.TrimSpace(line); body != "" {
				count[body]++
			}
		}
	}
	lines := make([]string, 0, len(count))
	for line := range count {
		lines = append(lines, line)
	}
	slices.SortFunc(lines, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	out := map[string]bool{}
	for _, line := range lines[:min(n, len(lines))] {
		out[line] = true
	}
	return out
}

// cut removes a line from a file, and all identical ones.
func cut(path string, lines []string, i int) held {
	body := strings.TrimSpace(lines[i])
	h := held{path: path, text: body, indent: lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " \t"))]}
	without := func(part []string) string {
		var b strings.Builder
		for _, line := range part {
			if strings.TrimSpace(line) != body {
				b.WriteString(line)
				b.WriteByte('\n')
			}
		}
		return b.String()
	}
	h.prefix, h.suffix = without(lines[:i]), "\n"+without(lines[i+1:])
	h.prefix = h.prefix[max(len(h.prefix)-maxPrefix, 0):]
	h.suffix = h.suffix[:min(maxSuffix, len(h.suffix))]
	return h
}

// heldOut requests a suggestion for every line of the sample and prints the
// figures.
func (t *tree) heldOut(out io.Writer, seed int64, n, typed int) {
	var results []result
	var times, cpus []time.Duration
	runtime.LockOSThread() // so that cpuTime covers exactly the measured code
	defer runtime.UnlockOSThread()
	for _, h := range t.sample(seed, n) {
		k := min(typed, len(h.text)-1)
		f := &model.Fill{Path: h.path, Prefix: h.prefix + h.indent + h.text[:k], Suffix: h.suffix}
		start, cpu := time.Now(), cpuTime()
		found := t.engine.Consider(t, f)
		times, cpus = append(times, time.Since(start)), append(cpus, cpuTime()-cpu)
		if len(found) > 0 {
			results = append(results, result{found[0].Confidence, found[0].Text == strings.TrimRight(h.text[k:], " \t")})
		}
	}
	shown, right := at(results, shownFrom)
	fmt.Fprintf(out, "%s, seed %d, %d typed: shown on %.1f %%, exactly right %.1f %%; p50 %.2f ms, p99 %.2f ms (CPU %.2f, %.2f)\n", t.name, seed, typed,
		figures.Percent(shown, n), figures.Percent(right, shown), ms(figures.Percentile(times, 50)), ms(figures.Percentile(times, 99)), ms(figures.Percentile(cpus, 50)), ms(figures.Percentile(cpus, 99)))
	for _, threshold := range []float64{0.2, 0.3, 0.4, 0.6, 0.8} {
		n1, n2 := at(results, threshold)
		fmt.Fprintf(out, "  from %.2f: shown %.1f %%, right %.1f %%\n", threshold, figures.Percent(n1, n), figures.Percent(n2, n1))
	}
}

// shownFrom is about the confidence from which a line is shown while its user types.
const shownFrom = 0.5

// at counts the suggestions shown at a threshold, and those of them that are right.
func at(results []result, threshold float64) (shown, right int) {
	for _, r := range results {
		if r.confidence >= threshold {
			shown++
			if r.right {
				right++
			}
		}
	}
	return shown, right
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
