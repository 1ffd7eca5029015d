package clones

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"tandem/workspace/language"
)

// A commit is one of a repository's history, which is numbered from the newest.
type Commit struct {
	Hash, Parent, Author string
	At                   int
}

// History lists commits with one parent, newest first.
func History(ctx context.Context, c *Clone, most int) ([]Commit, error) {
	out, err := c.Git(ctx, "log", "--no-merges", "--max-count="+strconv.Itoa(most), "--format=%H%x00%P%x00%an")
	if err != nil {
		return nil, err
	}
	var list []Commit
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		f := strings.Split(line, "\x00")
		if len(f) == 3 && f[1] != "" {
			list = append(list, Commit{f[0], f[1], f[2], len(list)})
		}
	}
	return list, nil
}

// A change is a commit with the place where the model is asked to write.
type Change struct {
	Commit
	Place *Place // nil without a run of the right length
}

const (
	shortestRun, longestRun = 3, 60
	inARow                  = 3 // commits of one author: they repeat themselves
)

// A drawer draws commits that have a place, in a random order.
type drawer struct {
	clone *Clone
	list  []Commit
	order []int // of those not yet drawn
}

func NewDrawer(c *Clone, list []Commit, random *rand.Rand) *drawer {
	return &drawer{c, list, random.Perm(len(list))}
}

// Draw returns up to count further commits in the order of history, oldest
// first: near trees follow each other, which costs less. Commits that would
// make a row of one author with those drawn wait for a later draw.
func (d *drawer) Draw(ctx context.Context, count int) ([]Change, error) {
	var drawn []Change
	var waiting []int
	var row []signed // a commit without a place may stay in its memory: which are drawn by a seed, and published, depends on it
	for len(d.order) > 0 && len(drawn) < count {
		i := d.order[0]
		d.order = d.order[1:]
		longer, ok := signedBy(row, signed{d.list[i].At, d.list[i].Author})
		if !ok {
			waiting = append(waiting, i)
			continue
		}
		h, err := readChange(ctx, d.clone, d.list[i])
		if err != nil {
			return nil, err
		}
		if h.Place != nil {
			drawn, row = append(drawn, h), longer
		}
	}
	d.order = append(d.order, waiting...)
	slices.SortFunc(drawn, func(a, b Change) int { return b.At - a.At })
	return drawn, nil
}

// A signed is a commit's number in history and its author.
type signed struct {
	at     int
	author string
}

// signedBy puts a commit into those in the order of history, oldest first; ok
// is false where that makes a row of its author too long.
func signedBy(list []signed, s signed) (longer []signed, ok bool) {
	at, _ := slices.BinarySearchFunc(list, s, func(a, b signed) int { return b.at - a.at })
	row := 1
	for i := at - 1; i >= 0 && list[i].author == s.author; i-- {
		row++
	}
	for i := at; i < len(list) && list[i].author == s.author; i++ {
		row++
	}
	if row > inARow {
		return list, false
	}
	return slices.Insert(list, at, s), true
}

// readChange reads what a commit did.
func readChange(ctx context.Context, c *Clone, m Commit) (Change, error) {
	h := Change{Commit: m}
	patch, err := c.Git(ctx, "diff-tree", "-p", "-U0", "--no-renames", "--diff-filter=M", "--no-ext-diff", "--no-color", "-r", m.Parent, m.Hash)
	if err != nil {
		return h, nil // an object is missing: the commit has no place
	}
	var best run
	for _, r := range addedRuns(string(patch)) {
		if !slices.Contains(placed, language.Family(LanguageOf(r.path))) || testPath.MatchString(r.path) || vendorPath.MatchString(r.path) {
			continue
		}
		if r.count >= shortestRun && r.count <= longestRun && r.count > best.count {
			best = r
		}
	}
	if best.count == 0 {
		return h, nil
	}
	text, ok, err := c.Read(m.Hash + ":" + best.path)
	if err != nil || !ok || !Written(best.path, text) || strings.IndexByte(text, 0) >= 0 {
		return h, err
	}
	h.Place = newPlace(text, best)
	return h, nil
}

// A run is consecutive lines that a commit added; none (count 0) says only
// that the file was modified.
type run struct {
	path         string
	first, count int // from 0, in the file after the commit
}

// addedRuns reads a patch without context lines.
func addedRuns(patch string) []run {
	var out []run
	name, header := "", false
	for _, line := range strings.Split(patch, "\n") {
		switch {
		case strings.HasPrefix(line, "diff --git "):
			header = true
		case header && strings.HasPrefix(line, "+++ b/"):
			name = strings.TrimSuffix(line[len("+++ b/"):], "\t")
			out = append(out, run{path: name})
		case strings.HasPrefix(line, "@@ "):
			header = false
			if fields := strings.Fields(line); len(fields) > 2 {
				first, count := hunkRange(fields[2])
				out = append(out, run{name, first - 1, count})
			}
		}
	}
	return out
}

// hunkRange reads "+12,3".
func hunkRange(s string) (first, count int) {
	start, size, found := strings.Cut(strings.TrimPrefix(s, "+"), ",")
	first, _ = strconv.Atoi(start)
	if count = 1; found {
		count, _ = strconv.Atoi(size)
	}
	return first, count
}
