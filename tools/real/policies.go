package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tandem/tools/bench/clones"
)

// A moment is a cursor in a line that a commit wrote: the lines above it are there, the rest
// of the run is not.
type moment struct {
	*drawn
	tree   *clones.Tree
	window *clones.Window // tandem's, of the budget
	root   string
	at     *clones.Place // the file at this moment
	before string        // the file up to the cursor, and after it
	after  string
	region region // what of the file each policy shows
	budget int    // tokens for what else is shown
}

// A region is what is shown of the file itself.
type region struct{ before, after string }

// A policy chooses what a model sees besides the region. It gets as many tokens as any other.
type policy struct {
	name   string
	choose func(*moment) []excerpt
}

// policies are compared at each place, in this order; the first is what the others are
// compared with.
var policies = []policy{
	{"region alone", func(*moment) []excerpt { return nil }},
	{"BM25 windows", byBM25},
	{"tandem", byTandem},
}

func lineCount(text string) int { return strings.Count(text, "\n") + 1 }

func byBM25(m *moment) []excerpt {
	return excerpts(clones.BM25(m.tree, m.at.Query(), m.at.Path), m.budget)
}

// excerpts are the best pieces that fit, the best one last: next to the file.
func excerpts(pieces []clones.Piece, budget int) []excerpt {
	_, shown := clones.Fill(pieces, budget)
	out := make([]excerpt, 0, len(shown))
	for _, p := range slices.Backward(shown) {
		out = append(out, excerpt{p.File.Path, p.File.Text(p.First, p.Last)})
	}
	return out
}

// byTandem shows the fragments of tandem's window in its order; those of one file that
// follow each other are one excerpt.
func byTandem(m *moment) []excerpt {
	var out []excerpt
	for _, f := range m.window.Fragments {
		if f.Kind == "cursor" {
			continue
		}
		text := m.lines(f)
		if last := len(out) - 1; last >= 0 && out[last].path == f.Path {
			out[last].text += text
		} else if text != "" {
			out = append(out, excerpt{f.Path, text})
		}
	}
	return out
}

// lines are a fragment's lines as the file has them.
func (m *moment) lines(f clones.Fragment) string {
	text := m.at.Text
	if f.Path != m.at.Path {
		data, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(f.Path)))
		if err != nil {
			return "" // a name that is no file's
		}
		text = string(data)
	}
	lines := strings.SplitAfter(text, "\n")
	if f.StartLine < 1 || f.StartLine > len(lines) {
		return ""
	}
	return strings.TrimSuffix(strings.Join(lines[f.StartLine-1:min(f.EndLine, len(lines))], ""), "\n") + "\n"
}

// regionOf is what tandem's window shows around the cursor.
func regionOf(w *clones.Window, before, after string) region {
	first, last := 0, 0
	for _, f := range w.Fragments {
		if f.Kind == "cursor" {
			if first == 0 || f.StartLine < first {
				first = f.StartLine
			}
			last = max(last, f.EndLine)
		}
	}
	line := lineCount(before)
	return region{lastLines(before, line-min(max(first, 1), line)+1), firstLines(after, max(last, line)-line+1)}
}
