package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"tandem/tools/bench/figures"
	"tandem/tools/client"
	"tandem/workspace/language"
	"tandem/workspace/tokens"
)

// A place is a run of lines in a file that is typed again.
type place struct {
	path, language     string
	before, run, after string
}

const (
	runLines     = 12
	fewestLines  = 80 // of a file
	largestBytes = 256 << 10
)

// draw draws places in source files of a tree, each in another file.
func draw(root string, n int, random *rand.Rand) ([]place, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (strings.HasPrefix(name, ".") && path != root || name == "vendor" || name == "node_modules" || name == "third_party") {
			return fs.SkipDir
		}
		switch filepath.Ext(name) {
		case ".go", ".py", ".ts", ".tsx", ".rs", ".java":
			if !strings.Contains(name, "generated") && !strings.Contains(name, ".pb.") {
				files = append(files, path)
			}
		}
		return nil
	})
	var out []place
	for _, i := range random.Perm(len(files)) {
		if len(out) == n {
			break
		}
		data, err := os.ReadFile(files[i])
		lines := strings.SplitAfter(string(data), "\n")
		if err != nil || len(data) > largestBytes || len(lines) < fewestLines || strings.Contains(string(data[:min(len(data), 2000)]), "DO NOT EDIT") {
			continue
		}
		first := 10 + random.IntN(len(lines)-20-runLines)
		rel, err := filepath.Rel(root, files[i])
		if err != nil {
			return nil, err
		}
		p := place{path: filepath.ToSlash(rel), language: language.OfFile(filepath.Base(rel)), before: strings.Join(lines[:first], ""),
			run: strings.TrimSuffix(strings.Join(lines[first:first+runLines], ""), "\n"), after: "\n" + strings.Join(lines[first+runLines:], "")}
		if len(pieces(p.run)) >= 20 {
			out = append(out, p)
		}
	}
	return out, err
}

// A request is what the model was sent, up to the cursor and as a whole.
type request struct {
	upto          string // everything that stands before the cursor
	before, after string // of the file
}

// readRequests reads the completions that were recorded from an offset on.
func readRequests(file string, from int64) ([]request, error) {
	prompts, err := client.Prompts(file, from)
	var out []request
	for _, text := range prompts {
		last := text[max(0, strings.LastIndex(text, "<file path=")):]
		if upto := strings.LastIndex(text, cursor); upto >= 0 && strings.Contains(last, cursor) {
			one := request{upto: text[:upto]}
			_, one.before, _ = strings.Cut(last[:strings.LastIndex(last, cursor)], ">\n")
			if i := strings.LastIndex(text[:upto], "<after>\n"); i >= 0 {
				one.after, _, _ = strings.Cut(text[i+len("<after>\n"):], "\n</after>\n<file ")
			} else {
				_, one.after, _ = strings.Cut(last, cursor)
				one.after, _, _ = strings.Cut(one.after, "\n</file>")
			}
			out = append(out, one)
		}
	}
	return out, err
}

const cursor = "<|cursor|>"

// shares are what consecutive requests have in common.
type shares struct {
	prefix []float64 // of consecutive requests
	short  int       // requests whose text after the cursor is cut below a quarter of the region
	all    int       // requests
}

// add compares consecutive requests of one trace; after is what follows its place.
func (f *shares) add(list []request, after string) {
	var last []uint32
	for _, r := range list {
		now := tokens.Encode(r.upto)
		if last != nil {
			n := 0
			for n < min(len(now), len(last)) && now[n] == last[n] {
				n++
			}
			f.prefix = append(f.prefix, float64(n)/float64(max(1, len(now))))
		}
		last = now
		f.all++
		shown, above := tokens.O200k.Count(r.after), tokens.O200k.Count(r.before)
		if whole := strings.HasSuffix(strings.TrimSpace(after), strings.TrimSpace(tail(r.after))); !whole && shown*4 < shown+above {
			f.short++
		}
	}
}

// tail is the end of a text: where the file's is the same, all of it was shown.
func tail(s string) string { return s[max(0, len(s)-200):] }

func (f *shares) join(other *shares) {
	f.prefix, f.short, f.all = append(f.prefix, other.prefix...), f.short+other.short, f.all+other.all
}

func (f *shares) mean() float64 {
	sum := 0.0
	for _, s := range f.prefix {
		sum += s
	}
	return 100 * sum / float64(max(1, len(f.prefix)))
}

func (f *shares) broken() float64 {
	n := 0
	for _, s := range f.prefix {
		n += figures.One(s < 0.5)
	}
	return figures.Percent(n, len(f.prefix))
}

func (f *shares) print(out io.Writer, name string) {
	low := 100 * figures.Percentile(f.prefix, 5)
	fmt.Fprintf(out, "%-24s %4d requests: shared prefix mean %.1f %%, 5 %% of pairs below %.1f %%, below half %.1f %%; text after the cursor below a quarter %d times\n", name, f.all, f.mean(), low, f.broken(), f.short)
}

// judge prints the bars.
func (f *shares) judge(out io.Writer) error {
	if len(f.prefix) == 0 {
		return errors.New("no two requests followed one another")
	}
	figures.Print(out, figures.Row{What: "shared prefix, mean", Value: f.mean(), Bar: 97},
		figures.Row{What: "shared prefix, pairs below half", Value: f.broken(), Bar: 3, Most: true},
		figures.Row{What: "text after the cursor below a quarter of the region", Value: figures.Percent(f.short, f.all), Most: true})
	return nil
}
