package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
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

// noteHistory replays the commits of repositories hunk by hunk and notes what the built-in
// engine considers after each, for fitted.
func noteHistory(list []*clones.Clone, commits, traces int, path string) error {
	log, err := figures.OpenLog[step](path)
	if err != nil {
		return err
	}
	defer log.Close()
	for _, c := range list {
		hunks, single, err := noteRepository(c, commits, traces/len(list)+1, log)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		fmt.Printf("%-12s %4d hunks after the first, %d single edits\n", c.Name, hunks, single)
	}
	return nil
}

// historyRows are the figures of the history.
func historyRows(what string, all tally, quiet, shown int) []figures.Row {
	return []figures.Row{
		{What: what + ": right, of what it shows", Value: figures.Percent(all.right, all.spoke), Bar: 85, Note: fmt.Sprintf("%d of %d", all.right, all.spoke)},
		{What: what + ": wrong, of what it shows", Value: figures.Percent(all.wrong, all.spoke), Bar: 5, Most: true, Note: fmt.Sprintf("%d, partly right %d", all.wrong, all.partly)},
		{What: what + ": hunks at which it speaks", Value: figures.Percent(all.spoke, all.hunks), Bar: 12, Note: fmt.Sprintf("%d of %d", all.spoke, all.hunks)},
		{What: "noise: edits without a follow-up at which it speaks", Value: figures.Percent(shown, quiet), Bar: 1, Most: true, Note: fmt.Sprintf("%d of %d", shown, quiet)},
	}
}

func noteRepository(c *clones.Clone, commits, traces int, log *evidence) (after, single int, err error) {
	hashes, err := newest(c, commits*12)
	if err != nil {
		return 0, 0, err
	}
	m, engine := newMemory(c), nextedit.New(complete.New(nil))
	for _, commit := range hashes {
		if commits == 0 && single >= traces {
			break
		}
		before, then, _, err := changed(c, commit)
		steps := hunks.Steps(before, then)
		if err != nil || len(steps) == 0 || len(steps) > maxHunks || len(steps) == 1 && single >= traces || len(steps) > 1 && commits == 0 {
			continue
		}
		if err := m.moveTo(commit + "^"); err != nil {
			fmt.Printf("%-12s left out: %s: %v\n", c.Name, commit[:9], err)
			continue
		}
		if len(steps) == 1 {
			single++
			m.edit(steps[0].Path, steps[0].Edit)
			if err := note(log, engine, m, steps[0], then, commit, true); err != nil {
				return after, single, err
			}
			continue
		}
		commits--
		for _, s := range steps[:len(steps)-1] {
			m.edit(s.Path, s.Edit)
			after++
			if err := note(log, engine, m, s, then, commit, false); err != nil {
				return after, single, err
			}
		}
	}
	return after, single, nil
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

// changed are the source files that a commit changes, before and after it; lacks says that the
// repository lacks the content of some.
func changed(c *clones.Clone, commit string) (before, after map[string]string, lacks bool, err error) {
	paths, err := c.Modified(context.Background(), commit)
	if err != nil {
		return nil, nil, false, err
	}
	before, after, lacks, err = c.Versions(commit, slices.DeleteFunc(paths, func(path string) bool { return language.OfFile(path) == "" }))
	maps.DeleteFunc(before, func(path, text string) bool { return max(len(text), len(after[path])) > maxFileBytes })
	return before, after, lacks, err
}
