package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"tandem/model/format"
	"tandem/tools/bench/figures"
	"tandem/tools/client"
)

// A publicCase is one next-edit case: what was edited, where the cursor is, and what
// may come next.
type publicCase struct {
	name     string
	path     string
	before   string   // the excerpt before the last edit; "" where it is not known
	text     string   // the excerpt as it is now
	cursor   int      // in text
	expected []string // the excerpt after each of the accepted patches
	place    []change // what the first patch replaces
}

// A change is lines that are replaced.
type change struct{ old, new string }

// readCase reads a case in the form of the public ones: front matter, the edit history as
// diffs, an excerpt with the cursor marked, the patches that may follow. Nothing but the
// excerpt of the file is needed.
func readCase(file string) (publicCase, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return publicCase{}, err
	}
	c := publicCase{name: strings.TrimSuffix(filepath.Base(file), ".md")}
	_, rest, _ := strings.Cut(string(data), "## Edit History")
	history, rest, _ := strings.Cut(rest, "## Cursor Position")
	cursor, patches, ok := strings.Cut(rest, "## Expected Patch")
	if !ok {
		return c, errors.New("it has no expected patch")
	}
	blocks := fences(cursor)
	if len(blocks) == 0 {
		return c, errors.New("it has no cursor")
	}
	c.path = blocks[0].info
	if c.text, c.cursor, ok = unmarked(blocks[0].text); !ok {
		return c, errors.New("the cursor is not marked")
	}
	list := fences(history)
	if len(list) > 0 {
		if before, _, ok := patched(c.text, list[len(list)-1].text, true); ok {
			c.before = before
		}
	}
	for _, p := range fences(patches) {
		if after, changes, ok := patched(c.text, p.text, false); ok {
			c.expected = append(c.expected, after)
			if c.place == nil {
				c.place = changes
			}
		}
	}
	if len(c.expected) == 0 {
		return c, errors.New("no expected patch applies to the excerpt")
	}
	return c, nil
}

type fence struct{ info, text string }

func fences(text string) (out []fence) {
	for {
		_, rest, ok := strings.Cut(text, "\n```")
		if !ok {
			return out
		}
		info, rest, _ := strings.Cut(rest, "\n")
		body, after, ok := strings.Cut(rest, "\n```")
		if !ok {
			return out
		}
		out = append(out, fence{strings.TrimSpace(info), body + "\n"})
		text = after
	}
}

// unmarked removes the line that marks the cursor: a caret below its column, or an arrow
// at the line's beginning.
func unmarked(text string) (string, int, bool) {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		at := strings.Index(line, "[CURSOR_POSITION]")
		if at < 1 || i == 0 {
			continue
		}
		column := at - 1
		if line[at-1] == '<' {
			column = len(line[:at]) - len(strings.TrimLeft(line[:at], " \t"))
		}
		above := strings.Join(lines[:i-1], "")
		out := strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")
		return out, len(above) + min(column, len(strings.TrimSuffix(lines[i-1], "\n"))), true
	}
	return text, 0, false
}

// patched applies the hunks of a diff to an excerpt by their lines alone, or takes them
// back; the excerpt's line numbers are not the file's, and it may end before the context
// of a hunk does.
func patched(text, diff string, reverse bool) (string, []change, bool) {
	var changes []change
	for _, h := range diffHunks(diff) {
		if reverse {
			for i := range h {
				h[i].old, h[i].new = h[i].new, h[i].old
			}
		}
		at, old, now, ok := placed(text, h)
		if !ok {
			continue // about another part of the file
		}
		text = text[:at] + now + text[at+len(old):]
		changes = append(changes, change{old, now})
	}
	return text, changes, len(changes) > 0
}

// A diffLine is one line of a hunk: on both sides, or on one.
type diffLine struct {
	text     string
	old, new bool
}

func diffHunks(diff string) (out [][]diffLine) {
	var h []diffLine
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.Contains(line, "[CURSOR_POSITION]"):
		case strings.HasPrefix(line, "@@"):
			out, h = append(out, h), nil
		case strings.HasPrefix(line, "-"):
			h = append(h, diffLine{line[1:], true, false})
		case strings.HasPrefix(line, "+"):
			h = append(h, diffLine{line[1:], false, true})
		default:
			h = append(h, diffLine{strings.TrimPrefix(line, " "), true, true})
		}
	}
	out = append(out, h)
	return slices.DeleteFunc(out, func(h []diffLine) bool {
		return !slices.ContainsFunc(h, func(l diffLine) bool { return l.old != l.new })
	})
}

// placed finds a hunk in an excerpt, with as much of its context as is there.
func placed(text string, h []diffLine) (at int, old, now string, ok bool) {
	first := slices.IndexFunc(h, func(l diffLine) bool { return l.old != l.new })
	last := len(h)
	for last > 0 && h[last-1].old == h[last-1].new {
		last--
	}
	for from := 0; from <= first; from++ {
		for to := len(h); to >= last; to-- {
			old, now = "", ""
			for _, l := range h[from:to] {
				if l.old {
					old += l.text
				}
				if l.new {
					now += l.text
				}
			}
			if i := strings.Index("\n"+text, "\n"+old); strings.TrimSpace(old) != "" && i >= 0 {
				return i, old, now, true
			}
		}
	}
	return 0, "", "", false
}

// replayCases replays every case in every format, with a stand-in that writes the
// expected patch, and with the built-in engine alone.
func replayCases(dir, bin string, verbose bool) ([]figures.Row, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there are no cases in %s; make cases-next-edits fetches them", dir)
	}
	var cases []publicCase
	for _, f := range files {
		c, err := readCase(f)
		if err != nil {
			fmt.Printf("left out: %s: %v\n", filepath.Base(f), err)
			continue
		}
		cases = append(cases, c)
	}
	var rows []figures.Row
	for _, name := range []string{format.Sweep, format.SweepV2, format.Zeta2, format.Mercury, ""} {
		right, inside := 0, 0
		for _, c := range cases {
			if name != "" && !c.within(format.For(name)) {
				fmt.Printf("%s: the expected change of %s lies outside the region\n", name, c.name)
				continue
			}
			inside++
			got, err := c.play(bin, name)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", c.name, name, err)
			}
			if slices.Contains(c.expected, got) {
				right++
			} else if verbose {
				fmt.Printf("%s: %s is wrong:\n%s\n", name, c.name, got)
			}
		}
		r := figures.Row{What: "public cases, " + name + ", perfect stand-in: applied text right", Value: figures.Percent(right, inside), Bar: 100, Note: fmt.Sprintf("%d of %d whose change lies in the region", right, inside)}
		if name == "" {
			r = figures.Row{What: "public cases, built-in engine alone", Value: figures.Percent(right, inside), None: true, Note: fmt.Sprintf("%d of %d", right, inside)}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// within reports whether the region around the cursor holds all that the first patch
// replaces.
func (c publicCase) within(f *format.Format) bool {
	r := f.Cut(c.text[:c.cursor], c.text[c.cursor:], 1, func(s string) int { return (5*len(s) + 15) / 16 })
	for _, ch := range c.parts() {
		if !strings.Contains(r.Region, ch.old) {
			return false
		}
	}
	return true
}

// play opens the excerpt in a running tandem, makes the last edit, and applies next edits
// until there is none. It returns the text.
func (c publicCase) play(bin, name string) (string, error) {
	dir, err := os.MkdirTemp("", "nextedits")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	config := noModel
	if name != "" {
		address, stop, err := c.scripted(bin, dir)
		if err != nil {
			return "", err
		}
		defer stop()
		config = modelOf(name, address)
	}
	e, err := startEditor(bin, dir, config)
	if err != nil {
		return "", err
	}
	defer func() { _ = e.Quit() }()
	return c.applied(e)
}

// maxApplied bounds the next edits of one case.
const maxApplied = 12

// applied makes the last edit of the history in an editor, then applies what is offered.
// It returns the text.
func (c publicCase) applied(e *editor) (string, error) {
	before := c.before
	if before == "" { // the history is not about the excerpt: something else is typed and stays
		before = c.text + "\n"
	}
	if err := e.open(c.path, strings.TrimPrefix(filepath.Ext(c.path), "."), before); err != nil {
		return "", err
	}
	if err := e.change(c.path, c.text); err != nil {
		return "", err
	}
	at := c.cursor
	for range maxApplied {
		o, err := e.nextEdit(c.path, at)
		if err != nil {
			return "", err
		}
		if o == nil || o.path != c.path {
			break
		}
		if err := e.change(c.path, o.applied(e.texts[c.path])); err != nil {
			return "", err
		}
		at = o.start + len(o.text)
		if _, err := e.Call("notifyAccepted", map[string]any{"uuid": o.id}); err != nil {
			return "", err
		}
	}
	return e.texts[c.path], nil
}

// parts are the lines that the first patch replaces, each run of them by itself: what the
// stand-in would write, whichever part of the file it is asked about. An insertion
// comes with the lines around it, which are no longer neighbours once it is made.
func (c publicCase) parts() (out []change) {
	for _, ch := range c.place {
		for _, d := range udiff.Lines(ch.old, ch.new) {
			start, end := d.Start, d.End
			if start == end {
				start = strings.LastIndexByte(strings.TrimSuffix(ch.old[:d.Start], "\n"), '\n') + 1
				end += strings.IndexByte(ch.old[d.End:], '\n') + 1
			}
			out = append(out, change{ch.old[start:end], ch.old[start:d.Start] + d.New + ch.old[d.End:end]})
		}
	}
	return out
}

// scripted starts the stand-in with one rule: the expected patch.
func (c publicCase) scripted(bin, dir string) (address string, stop func(), err error) {
	script := "[server]\nshow_only = true\nmodels = [\"m\"]\n[[rules]]\nmodel = \"m\"\ntokens_per_second = 100000\n"
	for _, ch := range c.parts() {
		script += fmt.Sprintf("[[rules.edit]]\npath = %s\nold = %s\nnew = %s\n", quoted(c.path), quoted(ch.old), quoted(ch.new))
	}
	file := filepath.Join(dir, "script.toml")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return "", nil, err
	}
	return client.StartScripted(filepath.Join(bin, "scripted"), "--script", file)
}

// quoted is a TOML string.
func quoted(s string) string {
	b, _ := json.Marshal(s) // TOML has JSON's escapes
	return string(b)
}
