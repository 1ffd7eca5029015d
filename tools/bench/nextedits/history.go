package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tandem/edits"
	"tandem/edits/hunks"
	"tandem/model/local/complete"
	"tandem/model/local/nextedit"
	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// Bounds of a replayed commit: larger ones are imports or renames of folders.
const (
	maxHunks     = 40
	maxFileBytes = 400 << 10
	maxLeft      = 5 // commits that are named as left out
)

// A memory is a tree of one commit as the built-in engine sees it.
type memory struct {
	clone  *clones.Clone
	ix     *index.Index
	texts  map[string]string
	names  map[string]string // of the objects that the texts are, by path, but of those that were edited
	recent []workspace.RecentEdit
	serial int // of the next edit
}

func newMemory(c *clones.Clone) *memory {
	return &memory{clone: c, ix: index.New(), texts: map[string]string{}, names: map[string]string{}}
}

func (m *memory) Root() string                        { return m.clone.Dir }
func (m *memory) Index() *index.Index                 { return m.ix }
func (m *memory) RecentEdits() []workspace.RecentEdit { return m.recent }
func (m *memory) Text(path string) (text string, ok bool) {
	text, ok = m.texts[path]
	return text, ok
}

// moveTo makes a memory the source files of a revision, without edits. Most of them are
// those of the revision before.
func (m *memory) moveTo(revision string) error {
	all, err := m.clone.Objects(context.Background(), revision)
	if err != nil {
		return err
	}
	var wanted []clones.Object
	there := map[string]bool{}
	for _, o := range all {
		if o.Size < 0 || o.Size > maxFileBytes || language.OfFile(o.Path) == "" && filepath.Base(o.Path) != "go.mod" {
			continue
		}
		there[o.Path] = true
		if m.names[o.Path] != o.Name {
			wanted = append(wanted, o)
		}
	}
	texts := map[string]string{}
	for _, o := range wanted {
		text, ok, err := m.clone.Read(o.Name)
		if err != nil {
			return err
		}
		if there[o.Path] = ok; ok {
			texts[o.Path] = text
		}
	}
	var list []index.Change
	for path := range m.texts {
		if !there[path] {
			delete(m.texts, path)
			delete(m.names, path)
			list = append(list, index.Change{Path: path, Removed: true})
		}
	}
	for _, o := range wanted {
		if text, ok := texts[o.Path]; ok {
			m.texts[o.Path], m.names[o.Path] = text, o.Name
			list = append(list, index.Change{Path: o.Path, Text: text, ModTime: time.Unix(1, 0)})
		}
	}
	m.ix, m.recent = m.ix.With(list...), nil
	return nil
}

// write replaces a file.
func (m *memory) write(path, text string) {
	m.texts[path] = text
	delete(m.names, path)
	m.ix = m.ix.With(index.Change{Path: path, Text: text, ModTime: time.Unix(1, 0)})
}

// edit makes a change as a user does, and moves the places of earlier ones.
func (m *memory) edit(path string, e edits.Edit) {
	m.serial++
	text := m.texts[path]
	from := strings.LastIndexByte(text[:e.Start], '\n') + 1
	to := e.End
	if i := strings.IndexByte(text[to:], '\n'); i >= 0 && (to == from || text[to-1] != '\n') {
		to += i + 1
	} else if i < 0 {
		to = len(text)
	}
	old := text[from:to]
	now := text[from:e.Start] + e.New + text[e.End:to]
	shift := e.Delta()
	for i := range m.recent {
		r := &m.recent[i]
		switch {
		case r.Path != path || !r.Placed:
		case r.Place.Start >= to:
			r.Place.Start, r.Place.End = r.Place.Start+shift, r.Place.End+shift
		case r.Place.End > from:
			r.Placed = false
		}
	}
	m.write(path, text[:e.Start]+e.New+text[e.End:])
	m.recent = append(m.recent, workspace.RecentEdit{URI: path, Path: path, Time: time.Unix(int64(m.serial), 0), Line: 1 + strings.Count(text[:from], "\n"),
		Old: old, New: now, Place: edits.Span{Start: from, End: from + len(now)}, Placed: true})
}

// A tally counts offers.
type tally struct{ hunks, spoke, right, partly, wrong, jumps, landed int }

func (t *tally) add(o tally) {
	t.hunks, t.spoke, t.right, t.partly, t.wrong = t.hunks+o.hunks, t.spoke+o.spoke, t.right+o.right, t.partly+o.partly, t.wrong+o.wrong
	t.jumps, t.landed = t.jumps+o.jumps, t.landed+o.landed
}

// judged counts an offer, and reports whether a user dismisses it.
func (t *tally) judged(v hunks.Verdict) (dismissed bool) {
	t.spoke++
	switch v {
	case hunks.Right:
		t.right++
	case hunks.Partly:
		t.partly++
	default:
		t.wrong++
		return true
	}
	return false
}

// replayHistory replays the commits of repositories hunk by hunk. After each, the
// built-in engine says what it would change next.
func replayHistory(list []*clones.Clone, commits, traces int, verbose bool, seen *evidence) ([]figures.Row, error) {
	var all tally
	quiet, shown := 0, 0
	for _, c := range list {
		t, q, s, err := replayRepository(c, commits, traces/len(list)+1, verbose, seen)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		if seen != nil {
			fmt.Printf("%-12s %4d hunks after the first, %d single edits\n", c.Name, t.hunks, q)
			continue
		}
		fmt.Printf("%-12s %4d hunks after the first, spoke at %d: right %d, partly %d, wrong %d; %d single edits, shown at %d\n",
			c.Name, t.hunks, t.spoke, t.right, t.partly, t.wrong, q, s)
		all.add(t)
		quiet, shown = quiet+q, shown+s
	}
	if seen != nil {
		return nil, nil
	}
	return historyRows("history, built-in engine", all, quiet, shown), nil
}

// historyRows are the figures of the history.
func historyRows(what string, all tally, quiet, shown int) []figures.Row {
	return []figures.Row{
		{What: what + ": right, of what it shows", Value: figures.Percent(all.right, all.spoke), Bar: 85, Note: fmt.Sprintf("%d of %d", all.right, all.spoke)},
		{What: what + ": wrong, of what it shows", Value: figures.Percent(all.wrong, all.spoke), Bar: 5, Most: true, Note: fmt.Sprintf("%d, partly right %d", all.wrong, all.partly)},
		{What: what + ": hunks at which it speaks", Value: figures.Percent(all.spoke, all.hunks), Bar: 12, Note: fmt.Sprintf("%d of %d", all.spoke, all.hunks)},
		{What: what + ": jumps to a line that the commit changes", Value: figures.Percent(all.landed, all.jumps), Bar: 75, Note: fmt.Sprintf("%d of %d", all.landed, all.jumps)},
		{What: "noise: edits without a follow-up at which it speaks", Value: figures.Percent(shown, quiet), Bar: 1, Most: true, Note: fmt.Sprintf("%d of %d", shown, quiet)},
	}
}

func replayRepository(c *clones.Clone, commits, traces int, verbose bool, seen *evidence) (t tally, quiet, shown int, err error) {
	hashes, err := newest(c, commits*12)
	if err != nil {
		return t, 0, 0, err
	}
	done, partial := 0, 0
	m, engine := newMemory(c), nextedit.New(complete.New(nil))
	var left []string
	defer func() {
		if partial > 0 {
			fmt.Printf("%-12s %d commits replayed without files that the repository lacks\n", c.Name, partial)
		}
		for _, l := range left[:min(len(left), maxLeft)] {
			fmt.Printf("%-12s left out: %s\n", c.Name, l)
		}
		if len(left) > maxLeft {
			fmt.Printf("%-12s left out: %d more commits\n", c.Name, len(left)-maxLeft)
		}
	}()
	for _, commit := range hashes {
		if done >= commits && quiet >= traces {
			break
		}
		before, after, lacking, err := changed(c, commit)
		if err != nil {
			left = append(left, fmt.Sprintf("%s: %v", commit[:9], err))
			continue
		}
		if len(lacking) > 0 {
			partial++
		}
		if len(before) == 0 {
			continue
		}
		steps := hunks.Steps(before, after)
		single := len(steps) == 1
		if len(steps) == 0 || len(steps) > maxHunks || single && quiet >= traces || !single && done >= commits {
			continue
		}
		if err := m.moveTo(commit + "^"); err != nil {
			left = append(left, fmt.Sprintf("%s: %v", commit[:9], err))
			continue
		}
		if single {
			quiet++
			m.edit(steps[0].Path, steps[0].Edit)
			if seen != nil {
				if err := note(seen, engine, m, steps[0], after, commit, true); err != nil {
					return t, quiet, shown, err
				}
			} else if offer, ok := offered(engine, m, steps[0]); ok && offer.Jump == "" {
				shown++
			} else if ok {
				t.jumps++
				if verbose {
					fmt.Printf("  jump wrong %s %s:%d (%s)\n", commit[:9], offer.Path, 1+strings.Count(m.texts[offer.Path][:offer.Edit.Start], "\n"), offer.Title)
				}
			}
			continue
		}
		done++
		counted, err := replayed(engine, m, steps, after, commit, verbose, seen)
		if err != nil {
			return t, quiet, shown, err
		}
		t.add(counted)
	}
	return t, quiet, shown, nil
}

// replayed shows the steps one after another and judges what is offered before each.
func replayed(engine *nextedit.Engine, m *memory, steps []hunks.Step, after map[string]string, commit string, verbose bool, seen *evidence) (t tally, err error) {
	m.edit(steps[0].Path, steps[0].Edit)
	refused := map[string]bool{}
	for i, s := range steps[1:] {
		t.hunks++
		if seen != nil {
			if err := note(seen, engine, m, steps[i], after, commit, false); err != nil {
				return t, err
			}
			m.edit(s.Path, s.Edit)
			continue
		}
		offer, ok := offered(engine, m, steps[i])
		jump := fmt.Sprintf("%s\x00%s", offer.Path, lineAt(m.texts[offer.Path], offer.Edit.Start))
		if ok && offer.Jump != "" && !refused[jump] {
			refused[jump] = true // each is shown once
			t.jumps++
			landed := hunks.Touches(m.texts[offer.Path], after[offer.Path], offer.Edit.Start)
			if landed {
				t.landed++
			}
			if verbose {
				fmt.Printf("  jump %v %s %s:%d (%s)\n", landed, commit[:9], offer.Path, 1+strings.Count(m.texts[offer.Path][:offer.Edit.Start], "\n"), offer.Title)
			}
		}
		if key := offer.Path + "\x00" + offer.Edit.New; ok && offer.Jump == "" && !refused[key] {
			verdict := judge(m.texts[offer.Path], after[offer.Path], offer.Edit)
			refused[key] = t.judged(verdict)
			if verbose && verdict != hunks.Right {
				text := m.texts[offer.Path]
				fmt.Printf("  %s %s %s:%d %q -> %q (%s)\n", verdict, commit[:9], offer.Path, 1+strings.Count(text[:offer.Edit.Start], "\n"), text[offer.Edit.Start:offer.Edit.End], offer.Edit.New, offer.Title)
			}
		}
		m.edit(s.Path, s.Edit)
	}
	return t, nil
}

// offered is the built-in engine's first offer after a step.
func offered(engine *nextedit.Engine, m *memory, last hunks.Step) (nextedit.NextEdit, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	at := min(last.Edit.Start+len(last.Edit.New), len(m.texts[last.Path]))
	for next := range engine.Pending(ctx, m, m.recent, last.Path, at) {
		return next, true
	}
	return nextedit.NextEdit{}, false
}

// lineAt is the line of a text at an offset.
func lineAt(text string, at int) string {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[from:], "\n")
	return line
}

// judge judges an offer by the text after the commit, "" if it does not touch the file.
func judge(now, want string, e edits.Edit) hunks.Verdict {
	if want == "" {
		return hunks.Wrong
	}
	return hunks.Judge(now, want, e)
}

// newest are the hashes of the newest commits.
func newest(c *clones.Clone, most int) ([]string, error) {
	out, err := c.Git(context.Background(), "log", "--no-merges", "--format=%H", "-n", strconv.Itoa(most))
	return strings.Fields(string(out)), err
}

// changed are the source files that a commit changes, before and after it, and those
// whose content the repository lacks.
func changed(c *clones.Clone, commit string) (before, after map[string]string, lacking []string, err error) {
	paths, err := c.Modified(context.Background(), commit)
	before, after = map[string]string{}, map[string]string{}
	for _, path := range paths {
		if language.OfFile(path) == "" {
			continue
		}
		a, had, errA := c.Read(commit + "^:" + path)
		b, has, errB := c.Read(commit + ":" + path)
		if err := errors.Join(errA, errB); err != nil {
			return nil, nil, nil, err
		}
		if !had || !has {
			lacking = append(lacking, path)
		} else if len(a) <= maxFileBytes && len(b) <= maxFileBytes {
			before[path], after[path] = a, b
		}
	}
	return before, after, lacking, err
}
