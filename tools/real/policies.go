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
	open   []string // files that an editor would have open, the latest first
	region region   // what of the file each policy shows
	budget int      // tokens for what else is shown
}

// A region is what is shown of the file itself.
type region struct{ before, after string }

// A Policy chooses what a model sees besides the region, and may choose another region. It
// gets as many tokens as any other.
type Policy func(*moment) ([]excerpt, region)

type policy struct {
	name   string
	choose Policy
}

// policies are compared at each place, in this order; the first is what the others are
// compared with.
var policies = []policy{
	{"region alone", alone},
	{"BM25 windows", byBM25},
	{"open tabs", byTabs},
	{"declarations then BM25", byDeclarations},
	{"tandem", byTandem},
	{"larger region", larger},
}

// compared are the policies that this run asks for.
func (r *rig) compared() []policy {
	if r.policies == "" {
		return policies
	}
	var out []policy
	for _, p := range policies {
		if slices.Contains(strings.Split(r.policies, ","), p.name) {
			out = append(out, p)
		}
	}
	return out
}

func alone(m *moment) ([]excerpt, region) { return nil, m.region }

// larger spends the tokens on lines before and after the region, three to one.
func larger(m *moment) ([]excerpt, region) {
	before, after := m.region.before, m.region.after
	have := clones.Count(before) + clones.Count(after)
	for {
		grown := region{lastLines(m.before, lineCount(before)+3), firstLines(m.after, lineCount(after)+1)}
		if grown == (region{before, after}) || clones.Count(grown.before)+clones.Count(grown.after) > have+m.budget {
			return nil, region{before, after}
		}
		before, after = grown.before, grown.after
	}
}

func lineCount(text string) int { return strings.Count(text, "\n") + 1 }

func byBM25(m *moment) ([]excerpt, region) {
	return excerpts(clones.BM25(m.tree, m.at.Query(), m.at.Path), m.budget), m.region
}

func byTabs(m *moment) ([]excerpt, region) {
	return excerpts(clones.OpenTabs(m.tree, m.open, m.at), m.budget), m.region
}

const (
	nearLines    = 12 // above the cursor: their names are in question
	manyDefiners = 3  // a name that more files define says little
	headOfType   = 12 // lines of a type that are shown, and of a function
	headOfFunc   = 3
)

// byDeclarations shows how the names round the cursor are declared in other files, with a
// third of the tokens at most, and then windows.
func byDeclarations(m *moment) ([]excerpt, region) {
	near := map[string]bool{}
	clones.EachWord(lastLines(m.before, nearLines), func(w string) { near[w] = len(w) >= shortestName && !m.at.Lang.Keywords[w] })
	found := map[string][]clones.Piece{}
	for _, f := range m.tree.Files {
		if !f.Source() || f.Path == m.at.Path || f.Lang != m.at.Lang {
			continue
		}
		for _, d := range f.Definitions() {
			if !near[d.Name] {
				continue
			}
			head := headOfType
			if d.Function {
				head = headOfFunc
			}
			found[d.Name] = append(found[d.Name], clones.Piece{File: f, First: d.First, Last: min(d.Last, d.First+head)})
		}
	}
	var heads []clones.Piece
	for _, list := range found {
		for _, p := range list {
			if len(list) <= manyDefiners {
				p.Score = 1 / float64(len(list))
				heads = append(heads, p)
			}
		}
	}
	clones.SortPieces(heads)
	declared := excerpts(heads, m.budget/3)
	left := m.budget
	for _, e := range declared {
		left -= clones.Count(e.path + "\n" + e.text)
	}
	return append(excerpts(clones.BM25(m.tree, m.at.Query(), m.at.Path), left), declared...), m.region
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
func byTandem(m *moment) ([]excerpt, region) {
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
	return out, m.region
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
