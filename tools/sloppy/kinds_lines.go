package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

func bareContext(share float64) func(*edit, *rand.Rand) bool {
	return func(e *edit, random *rand.Rand) bool {
		return e.each(func(l *line) { l.bare = l.op == ' ' && random.Float64() < share })
	}
}

// bareAddition takes the + off one added line.
func bareAddition(e *edit, random *rand.Rand) bool {
	var at []*line
	e.each(func(l *line) {
		if l.op == '+' && strings.TrimSpace(l.text) != "" {
			at = append(at, l)
		}
	})
	if len(at) == 0 {
		return false
	}
	at[random.IntN(len(at))].bare = true
	return true
}

func fileInCRLF(e *edit, _ *rand.Rand) bool {
	if !e.created && !strings.Contains(e.before, "\n") {
		return false // nothing shows the file's line ends
	}
	e.before, e.after = strings.ReplaceAll(e.before, "\n", "\r\n"), strings.ReplaceAll(e.after, "\n", "\r\n")
	return true
}

func wrongNumbers(e *edit, random *rand.Rand) bool {
	for i := range e.hunks {
		if strings.Count(e.before, e.hunks[i].side('+')) > 1 {
			return false // its number alone says which is meant
		}
		off := random.IntN(41) - 20
		e.hunks[i].oldStart = max(e.hunks[i].oldStart+off, 1)
		e.hunks[i].newStart = max(e.hunks[i].newStart+off, 1)
	}
	return true
}

func wrongCounts(e *edit, random *rand.Rand) bool {
	e.miscount = []int{-2, -1, 1, 2}[random.IntN(4)]
	return true
}

// lessContext leaves at most n kept lines at each end of every hunk. A hunk that
// then looks for nothing needs its line number, which only a diff has.
func lessContext(n int) func(*edit, *rand.Rand) bool {
	return func(e *edit, _ *rand.Rand) bool {
		changed := false
		for i := range e.hunks {
			h := &e.hunks[i]
			above := leadingKept(h.lines)
			below := leadingKept(reversed(h.lines))
			top, end := max(above-n, 0), max(below-n, 0)
			changed = changed || top+end > 0
			if slices.ContainsFunc(h.lines[:top], func(l line) bool { return l.text != "" && !indented(l.text) }) {
				h.section = "" // the lines left out may begin another one
			}
			h.lines = h.lines[top : len(h.lines)-end]
			h.oldStart += top
			h.newStart += top
			if h.count('+') == 0 {
				if e.format != "unified_diff" {
					return false
				}
				h.oldStart--
			}
			if h.count('-') == 0 {
				h.newStart--
			}
		}
		return changed
	}
}

func reversed(lines []line) []line {
	out := slices.Clone(lines)
	slices.Reverse(out)
	return out
}

func leadingKept(lines []line) int {
	n := 0
	for n < len(lines) && lines[n].op == ' ' {
		n++
	}
	return n
}

// inner picks a kept line that is not the first or last of its hunk, nor beside
// an added one: without that one the edit would be another.
func (e *edit) inner(random *rand.Rand) (h *hunk, at int, ok bool) {
	h = &e.hunks[random.IntN(len(e.hunks))]
	var places []int
	for i := 1; i+1 < len(h.lines); i++ {
		if h.lines[i-1].op != '+' && h.lines[i+1].op != '+' && h.lines[i].op == ' ' && len(strings.TrimSpace(h.lines[i].text)) > 3 {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return h, 0, false
	}
	return h, places[random.IntN(len(places))], true
}

func leaveOut(e *edit, random *rand.Rand) bool {
	h, at, ok := e.inner(random)
	if ok {
		h.lines = slices.Delete(h.lines, at, at+1)
	}
	return ok && !strings.Contains(e.before, h.side('+')) // else that other place is meant
}

func invent(e *edit, random *rand.Rand) bool {
	h, at, ok := e.inner(random)
	if ok {
		indent := h.lines[at].text[:len(h.lines[at].text)-len(strings.TrimLeft(h.lines[at].text, " \t"))]
		h.lines = slices.Insert(h.lines, at, line{op: ' ', text: indent + "prepare_everything(now)"})
	}
	return ok
}

func misspell(e *edit, random *rand.Rand) bool {
	h, at, ok := e.inner(random)
	if ok {
		text := []byte(h.lines[at].text)
		for i := len(text) / 2; i < len(text); i++ {
			if c := text[i]; c >= 'a' && c < 'z' {
				text[i]++
				h.lines[at].text = string(text)
				return true
			}
		}
	}
	return false
}

// elide puts dots for the kept lines between two changes.
func elide(e *edit, _ *rand.Rand) bool {
	for i := range e.hunks {
		h := &e.hunks[i]
		from := -1
		for j, l := range h.lines {
			switch {
			case l.op != ' ':
				if from > 0 && j-from > 2 {
					h.lines = slices.Replace(h.lines, from+1, j-1, line{op: ' ', text: "..."})
					return true
				}
				from = -1
			case from < 0 && j > 0 && h.lines[j-1].op != ' ':
				from = j
			}
		}
	}
	return false
}
