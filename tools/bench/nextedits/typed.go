package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"tandem/model/local/source"
	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

// replayTyped types the commits of repositories piece by piece into a running tandem without a
// model, and judges what it offers at each pause by the commit.
func replayTyped(list []*clones.Clone, bin string, commits int, verbose bool) ([]figures.Row, error) {
	var all tally
	for _, c := range list {
		t, err := typedRepository(c, bin, commits, verbose)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		fmt.Printf("%-12s typed %d hunks, spoke %d: right %d, partly %d, wrong %d; jumps %d, right %d\n", c.Name, t.hunks, t.spoke(), t.edits[right], t.edits[partly], t.edits[wrong], t.jumps, t.landed)
		all.add(t)
	}
	return []figures.Row{
		{What: "typed commits: next edits right, partly counts half", Value: figures.Percent(2*all.edits[right]+all.edits[partly], 2*all.spoke()), Bar: 90, Note: fmt.Sprintf("%d right, %d partly of %d", all.edits[right], all.edits[partly], all.spoke())},
		{What: "typed commits: jumps to a line that the commit changes", Value: figures.Percent(all.landed, all.jumps), Bar: 95, Note: fmt.Sprintf("%d of %d", all.landed, all.jumps)},
		{What: "typed commits: edits and jumps that the commit does not contain, an hour at 40 words a minute", Value: all.besideAnHour(), Bar: 4, Most: true, Unit: "/h", Note: fmt.Sprintf("%d in %d characters of %d hunks", all.edits[wrong]+all.jumps-all.landed, all.typed, all.hunks)},
	}, nil
}

// A tally counts offers by what they were worth.
type tally struct {
	hunks, jumps, landed int
	typed                int    // characters
	edits                [3]int // by verdict
}

func (t *tally) add(o tally) {
	t.hunks, t.jumps, t.landed, t.typed = t.hunks+o.hunks, t.jumps+o.jumps, t.landed+o.landed, t.typed+o.typed
	for v, n := range o.edits {
		t.edits[v] += n
	}
}

// besideAnHour is how many edits and jumps the commits do not contain, in an hour of typing.
func (t *tally) besideAnHour() float64 {
	return float64(t.edits[wrong]+t.jumps-t.landed) * keysAnHour / float64(max(t.typed, 1))
}

func (t *tally) spoke() int { return t.edits[right] + t.edits[partly] + t.edits[wrong] }

func typedRepository(c *clones.Clone, bin string, commits int, verbose bool) (t tally, err error) {
	err = eachTyped(c, commits, func(commit string, steps []step, before, after map[string]string) error {
		e, end, err := editorAt(c, bin, commit+"^")
		if err != nil {
			return err
		}
		defer end()
		w := &typist{editor: e, after: after, commit: commit, verbose: verbose, seen: map[string]bool{}, random: rand.New(rand.NewPCG(1, 2))}
		for _, s := range steps {
			if err := e.Open(s.Path, before[s.Path]); err != nil {
				return err
			}
			w.hunks++
			if err := w.step(s); err != nil {
				return err
			}
		}
		t.add(w.tally)
		return nil
	})
	return t, err
}

// eachTyped calls do for the newest commits of a repository that change some places of files
// that were there.
func eachTyped(c *clones.Clone, commits int, do func(commit string, steps []step, before, after map[string]string) error) error {
	hashes, err := newest(c, commits*8)
	if err != nil {
		return err
	}
	done := 0
	for _, commit := range hashes {
		if done == commits {
			break
		}
		before, after, lacks, err := changed(c, commit)
		maps.DeleteFunc(before, func(path, text string) bool { return source.Written(path, text) || strings.ContainsRune(text, 0) }) // nobody types them
		if err != nil || lacks || len(before) == 0 {
			continue
		}
		steps := stepsOf(before, after)
		if len(steps) < 2 || len(steps) > maxHunks {
			continue
		}
		done++
		if err := do(commit, steps, before, after); err != nil {
			return err
		}
	}
	return nil
}

// editorAt starts tandem without a model on a revision of a repository.
func editorAt(from *clones.Clone, bin, revision string) (e *editor, end func(), err error) {
	dir, err := os.MkdirTemp("", "typed-")
	if err != nil {
		return nil, nil, err
	}
	remove := func() { _ = os.RemoveAll(dir) }
	defer func() {
		if err != nil {
			remove()
		}
	}()
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		return nil, nil, err
	}
	tree, err := from.Git(context.Background(), "archive", revision)
	if err != nil {
		return nil, nil, err
	}
	tar := exec.Command("tar", "x", "-C", work)
	tar.Stdin = bytes.NewReader(tree)
	if err := tar.Run(); err != nil {
		return nil, nil, fmt.Errorf("tar: %w", err)
	}
	e, err = startEditor(bin, dir)
	return e, func() { e.Kill(); remove() }, err
}

// A typist types one commit.
type typist struct {
	tally
	*editor
	after   map[string]string
	commit  string
	verbose bool
	seen    map[string]bool
	random  *rand.Rand
}

// step types one hunk: what goes is removed, then what comes is typed word by word, with a
// pause at the ends of lines, of the hunk, and after some words.
func (w *typist) step(s step) error {
	text := w.Text(s.Path)
	if !s.Edit.Valid(len(text)) {
		return nil
	}
	head, added, tail, removes := s.typed(text)
	w.typed += len(added)
	typed := ""
	pieces := strings.SplitAfter(added, " ")
	if removes {
		pieces = slices.Insert(pieces, 0, "")
	}
	for i, piece := range pieces {
		typed += piece
		if err := w.Change(s.Path, head+typed+tail); err != nil {
			return err
		}
		if i == len(pieces)-1 || strings.Contains(piece, "\n") || w.random.IntN(4) == 0 {
			if err := w.pause(s.Path, len(head+typed)); err != nil {
				return err
			}
		}
	}
	return nil
}

// pause asks for a next edit and judges what is new.
func (w *typist) pause(path string, at int) error {
	offer, err := w.nextEdit(path, at)
	if err != nil || offer == nil {
		return err
	}
	now := w.Text(offer.path)
	key := fmt.Sprintf("%s\x00%s\x00%s\x00%s", offer.path, lineAt(now, offer.Start), offer.jump, offer.New)
	if w.seen[key] {
		return nil
	}
	w.seen[key] = true
	judged := judge(now, w.after[offer.path], offer.Edit)
	if offer.jump == "" {
		w.edits[judged]++
	} else {
		w.jumps++
		judged = wrong
		if touches(now, w.after[offer.path], offer.Start) {
			w.landed++
			judged = right
		}
	}
	if w.verbose {
		fmt.Printf("  %s %s %s:%d %q -> %q jump %q (%s) at %s:%d\n", judged, w.commit[:9], offer.path, 1+strings.Count(now[:offer.Start], "\n"), now[offer.Start:offer.End], offer.New, offer.jump, offer.title, path, 1+strings.Count(w.Text(path)[:at], "\n"))
	}
	if judged != right {
		_, err = w.Call("notifyNextEditRejected", map[string]any{"uuid": offer.id})
	}
	return err
}

// touches reports whether what makes a text another one changes the line at an offset.
func touches(now, want string, at int) bool {
	if want == "" {
		return false
	}
	from := strings.LastIndexByte(now[:at], '\n') + 1
	to := at + len(now[at:])
	if i := strings.IndexByte(now[at:], '\n'); i >= 0 {
		to = at + i
	}
	for _, d := range udiff.Lines(now, want) {
		if d.Start <= to && d.End > from || d.Start == d.End && (d.Start == from || d.Start == to+1) {
			return true
		}
	}
	return false
}
