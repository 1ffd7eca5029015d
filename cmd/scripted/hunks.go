package main

import (
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// A hunk is a run of lines that differs, with enough lines around it to make it
// unique in the old text.
type hunk struct{ from, to, newFrom, newTo int }

// context is how many lines at the start and the end of a hunk are the same.
func (h hunk) context(old, now []string) (head, tail int) {
	a, b := old[h.from:h.to], now[h.newFrom:h.newTo]
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// hunks are the differences of two texts, in order, each extended until it is
// unique; those that touch are merged.
func hunks(old, now []string) []hunk {
	var out []hunk
	for _, d := range lcs.DiffLines(old, now) {
		h := unique(old, hunk{d.Start, d.End, d.ReplStart, d.ReplEnd})
		if n := len(out); n > 0 && h.from <= out[n-1].to {
			last := &out[n-1]
			last.to, last.newTo = max(last.to, h.to), max(last.newTo, h.newTo)
			continue
		}
		out = append(out, h)
	}
	return out
}

// unique extends a hunk by lines below and above until its old lines occur once.
func unique(old []string, h hunk) hunk {
	grow := func(below bool) bool {
		switch {
		case below && h.to < len(old):
			h.to, h.newTo = h.to+1, h.newTo+1
		case !below && h.from > 0 && h.newFrom > 0:
			h.from, h.newFrom = h.from-1, h.newFrom-1
		default:
			return false
		}
		return true
	}
	for below := true; h.to == h.from || occurrences(old, old[h.from:h.to]) > 1 || blank(old[h.from:h.to]); below = !below {
		if !grow(below) && !grow(!below) {
			break
		}
	}
	return h
}

func blank(lines []string) bool { return strings.TrimSpace(strings.Join(lines, "")) == "" }

func occurrences(lines, part []string) int {
	return strings.Count("\n"+strings.Join(lines, "\n")+"\n", "\n"+strings.Join(part, "\n")+"\n")
}
