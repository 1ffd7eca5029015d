package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/index"
)

// How next edits are measured.
const (
	minGroup  = 3 // changes that make a repetitive group: two are made, the others are expected
	perGroup  = 5 // the most offers that are judged per group
	maxGroups = 300
)

// A hunk is one run of lines that differ between two versions of a file.
type hunk struct {
	path     string
	line     int // of the old text, from 0
	old, new string
	above    string // the line before it
	below    string
}

// nextEdits replays what changed between two versions of a tree: of every
// change that occurs at least three times, two are replayed, and the engine's
// offers after that are compared with the new version.
func nextEdits(out io.Writer, before, after *tree) {
	groups := repetitive(differences(before, after))
	offered, right, groupsOffered := 0, 0, 0
	for _, g := range groups {
		n, ok := replay(before, after, g)
		offered += n
		right += ok
		if n > 0 {
			groupsOffered++
		}
	}
	fmt.Fprintf(out, "next edits, %s to %s: %d repetitive groups, offered in %.1f %%; %d offers, exactly right %.1f %%\n", before.name, after.name, len(groups),
		100*float64(groupsOffered)/float64(max(len(groups), 1)), offered, 100*float64(right)/float64(max(offered, 1)))
}

// differences returns the hunks between two trees, in files that both have.
func differences(before, after *tree) []hunk {
	var out []hunk
	for _, path := range before.files() {
		a, _ := before.Text(path)
		b, ok := after.Text(path)
		if !ok || a == b {
			continue
		}
		out = append(out, hunksOf(path, a, b)...)
	}
	return out
}

// hunksOf returns the hunks of one file.
func hunksOf(path, a, b string) []hunk {
	lines := strings.Split(a, "\n")
	at := func(i int) string {
		if i < 0 || i >= len(lines) {
			return ""
		}
		return lines[i]
	}
	var out []hunk
	var h *hunk
	line := 0
	flush := func() {
		if h != nil {
			h.below = at(line)
			out = append(out, *h)
			h = nil
		}
	}
	for text := range strings.Lines(edits.Unified(path, a, b)) {
		switch {
		case strings.HasPrefix(text, "@@"):
			flush()
			fmt.Sscanf(text, "@@ -%d", &line)
			line = max(line-1, 0)
		case strings.HasPrefix(text, "---"), strings.HasPrefix(text, "+++"), line == 0 && len(out) == 0 && text[0] != '-' && text[0] != '+' && text[0] != ' ':
		case text[0] == ' ':
			flush()
			line++
		case text[0] == '-', text[0] == '+':
			if h == nil {
				h = &hunk{path: path, line: line, above: at(line - 1)}
			}
			if text[0] == '-' {
				h.old += text[1:]
				line++
			} else {
				h.new += text[1:]
			}
		}
	}
	flush()
	return out
}

// repetitive groups hunks that are the same change except for names: their tokens
// are of the same kinds, and equal wherever most of the group agree.
func repetitive(all []hunk) [][]hunk {
	byKind := map[string][]hunk{}
	var kinds []string
	for _, h := range all {
		if len(h.old)+len(h.new) > 1500 {
			continue
		}
		kind := kindOf(words(h.old)) + " => " + kindOf(words(h.new))
		if byKind[kind] == nil {
			kinds = append(kinds, kind)
		}
		byKind[kind] = append(byKind[kind], h)
	}
	var out [][]hunk
	for _, kind := range kinds {
		for _, g := range alike(byKind[kind]) {
			if len(g) >= minGroup {
				out = append(out, g)
			}
		}
	}
	return out[:min(len(out), maxGroups)]
}

// kindOf returns tokens with every word replaced by a number; equal words get equal
// numbers.
func kindOf(tokens []string) string {
	number := map[string]int{}
	var b strings.Builder
	for _, t := range tokens {
		if wordByte(t[0]) {
			if number[t] == 0 {
				number[t] = len(number) + 1
			}
			fmt.Fprintf(&b, " %d", number[t])
			continue
		}
		b.WriteString(" " + t)
	}
	return b.String()
}

// alike splits hunks of one kind. The first group has the first hunk and those that
// agree with it; the rest is split in the same way.
func alike(group []hunk) (out [][]hunk) {
	for len(group) >= minGroup {
		count := map[string]int{}
		for _, h := range group {
			for i, t := range words(h.old + "\x00" + h.new) {
				count[fmt.Sprint(i, t)]++
			}
		}
		var same, rest []hunk
		for _, h := range group {
			if agrees(h, group[0], count, len(group)) {
				same = append(same, h)
			} else {
				rest = append(rest, h)
			}
		}
		out = append(out, same)
		group = rest
	}
	return out
}

// agrees reports whether a hunk has the words of the first that at least half
// of the group have.
func agrees(h, first hunk, count map[string]int, n int) bool {
	a, b := words(h.old+"\x00"+h.new), words(first.old+"\x00"+first.new)
	if len(a) != len(b) {
		return false
	}
	shared := 0
	for i := range a {
		if a[i] != b[i] && (2*count[fmt.Sprint(i, b[i])] >= n || !wordByte(b[i][0])) {
			return false
		}
		if a[i] == b[i] && wordByte(a[i][0]) {
			shared++
		}
	}
	return shared > 0
}

// An edited tree is a tree of which some files are open and changed.
type edited struct {
	*tree
	ix    *index.Index
	texts map[string]string
}

func (e *edited) Index() *index.Index { return e.ix }
func (e *edited) Text(path string) (string, bool) {
	if text, ok := e.texts[path]; ok {
		return text, true
	}
	return e.tree.Text(path)
}

// make makes a change and returns it as a recent edit, as the workspace would.
func (e *edited) make(path string, edit edits.Edit) workspace.RecentEdit {
	old, _ := e.Text(path)
	now := old[:edit.Start] + edit.New + old[edit.End:]
	e.texts[path] = now
	e.ix = e.ix.With(index.Change{Path: path, Text: now})
	hs := hunksOf(path, old, now)
	r := workspace.RecentEdit{Path: path, Time: time.Now()}
	if len(hs) > 0 {
		h := hs[0]
		r.Line, r.Old, r.New = h.line+1, h.old, h.new
		at := 0
		for range h.line {
			at += strings.IndexByte(now[at:], '\n') + 1
		}
		r.Place, r.Placed = edits.Span{Start: at, End: at + len(h.new)}, strings.HasPrefix(now[at:], h.new)
		r.Hunk = "@@ -1 +1 @@\n " + h.above + "\n" + prefixed("-", h.old) + prefixed("+", h.new) + " " + h.below + "\n"
	}
	return r
}

func prefixed(mark, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(mark + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

// replay makes two changes of a group and judges what is offered next.
func replay(before, after *tree, group []hunk) (offered, right int) {
	e := &edited{tree: before, ix: before.ix, texts: map[string]string{}}
	engine := local.New(nil)
	var recent []workspace.RecentEdit
	offset := 0
	moved := 0
	for _, h := range group[:2] {
		edit := h.edit(before)
		if h.path == group[0].path {
			edit.Start, edit.End = edit.Start+moved, edit.End+moved
		}
		moved = len(edit.New) - edit.Len()
		made := e.make(h.path, edit)
		for i := range recent {
			if r := &recent[i]; r.Path == h.path && edit.Start <= r.Place.Start {
				r.Place.Start, r.Place.End = r.Place.Start+moved, r.Place.End+moved
			}
		}
		recent = append(recent, made)
		offset = edit.Start + len(edit.New)
	}
	path := group[1].path
	for range min(perGroup, len(group)-2) {
		n, ok := first(engine.NextEdits(context.Background(), e, recent, path, offset))
		if !ok {
			break
		}
		offered++
		if !real(e, after, n) {
			if os.Getenv("SHOW") != "" {
				text, _ := e.Text(n.Path)
				fmt.Printf("WRONG %s %q -> %q after %q -> %q\n", n.Path, text[max(n.Edit.Start-40, 0):min(n.Edit.End+40, len(text))], n.Edit.New, group[0].old, group[0].new)
			}
			break
		}
		right++
		recent = append(recent, e.make(n.Path, n.Edit))
		path, offset = n.Path, n.Edit.Start+len(n.Edit.New)
	}
	if offered == 0 && os.Getenv("SHOW") != "" {
		fmt.Printf("NONE %d %s %q -> %q | %q -> %q\n", len(group), group[0].path, group[0].old, group[0].new, group[1].old, group[1].new)
	}
	return offered, right
}

// edit returns the hunk as an edit of the tree's file.
func (h hunk) edit(t *tree) edits.Edit {
	text, _ := t.Text(h.path)
	at := 0
	for range h.line {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	return edits.Edit{Span: edits.Span{Start: at, End: at + len(h.old)}, New: h.new}
}

// real reports whether an offered edit is part of the real change: it reduces the
// difference from the new version and adds no other text.
func real(e *edited, after *tree, n local.NextEdit) bool {
	was, _ := e.Text(n.Path)
	want, ok := after.Text(filepath.ToSlash(n.Path))
	if !ok {
		return false
	}
	now := was[:n.Edit.Start] + n.Edit.New + was[n.Edit.End:]
	a, b := weigh(hunksOf(n.Path, was, want)), weigh(hunksOf(n.Path, now, want))
	return b < a && a-b >= len(strings.TrimSpace(n.Edit.New))/2
}

// weigh returns the size of the tokens that the two sides do not share.
func weigh(hunks []hunk) int {
	n := 0
	for _, h := range hunks {
		o, w := words(h.old), words(h.new)
		common := lcs(o, w)
		for _, t := range o {
			n += len(t)
		}
		for _, t := range w {
			n += len(t)
		}
		n -= 2 * common
	}
	return n
}

// lcs returns the length in bytes of the tokens that two lists share in order.
func lcs(a, b []string) int {
	if len(a)*len(b) > 1<<20 {
		return 0
	}
	row := make([]int, len(b)+1)
	for _, x := range slices.Backward(a) {
		diagonal := 0
		for j := len(b) - 1; j >= 0; j-- {
			above := row[j]
			if x == b[j] {
				row[j] = diagonal + len(x)
			} else {
				row[j] = max(row[j], row[j+1])
			}
			diagonal = above
		}
	}
	return row[0]
}

// first is the first edit of a sequence.
func first(list iter.Seq[local.NextEdit]) (local.NextEdit, bool) {
	for n := range list {
		return n, n.Jump == ""
	}
	return local.NextEdit{}, false
}
