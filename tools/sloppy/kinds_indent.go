package main

import (
	"math/rand/v2"
	"strings"
)

func indented(s string) bool { return strings.TrimSpace(s) != "" && (s[0] == ' ' || s[0] == '\t') }

// step is one level of the file's indentation, "" where it has none or mixes them.
func (e *edit) step() string {
	tabs, steps, last := 0, map[int]int{}, 0
	for text := range strings.Lines(e.before) {
		if strings.TrimSpace(text) == "" {
			continue
		}
		if text[0] == '\t' {
			tabs++
			continue
		}
		n := len(text) - len(strings.TrimLeft(text, " "))
		if n > last {
			steps[n-last]++
		}
		last = n
	}
	best := 0
	for n, times := range steps {
		if n > 1 && (times > steps[best] || times == steps[best] && n < best) {
			best = n
		}
	}
	switch {
	case tabs > 0 && len(steps) == 0:
		return "\t"
	case tabs == 0 && best > 0:
		return strings.Repeat(" ", best)
	}
	return ""
}

func deeper(e *edit, _ *rand.Rand) bool {
	step := e.step()
	return step != "" && e.each(func(l *line) {
		if strings.TrimSpace(l.text) != "" {
			l.text = step + l.text
		}
	})
}

func shallower(e *edit, _ *rand.Rand) bool { return e.less(e.step()) }

// less takes a prefix off every line; all lines must have it.
func (e *edit) less(prefix string) bool {
	fits := prefix != ""
	e.each(func(l *line) {
		if strings.TrimSpace(l.text) == "" {
			fits = fits && (l.op == ' ' || l.text == "") // nobody could put its space back
		} else {
			fits = fits && strings.HasPrefix(l.text, prefix)
		}
	})
	return fits && e.each(func(l *line) { l.text = strings.TrimPrefix(l.text, prefix) })
}

// atMargin takes off each hunk the indentation that all its lines share.
func atMargin(e *edit, _ *rand.Rand) bool {
	changed := false
	for i := range e.hunks {
		one := &edit{change: change{hunks: e.hunks[i : i+1]}}
		shared, first := "", true
		one.each(func(l *line) {
			indent := l.text[:len(l.text)-len(strings.TrimLeft(l.text, " \t"))]
			switch {
			case strings.TrimSpace(l.text) == "":
			case first:
				shared, first = indent, false
			default:
				for !strings.HasPrefix(indent, shared) {
					shared = shared[:len(shared)-1]
				}
			}
		})
		changed = one.less(shared) || changed
	}
	return changed
}

func tabsForSpaces(addedOnly bool) func(*edit, *rand.Rand) bool {
	return func(e *edit, _ *rand.Rand) bool {
		step := e.step()
		if !strings.HasPrefix(step, " ") {
			return false
		}
		if (addedOnly || !e.indents('-')) && e.reindents() || e.adds("\t") {
			return false
		}
		return e.each(func(l *line) {
			if addedOnly && l.op != '+' || !indented(l.text) {
				return
			}
			n := 0
			for strings.HasPrefix(l.text[n*len(step):], step) {
				n++
			}
			l.text = strings.Repeat("\t", n) + l.text[n*len(step):]
		})
	}
}

func spacesForTabs(addedOnly bool) func(*edit, *rand.Rand) bool {
	return func(e *edit, random *rand.Rand) bool {
		if e.step() != "\t" && !e.tabs {
			return false
		}
		if addedOnly && e.reindents() || e.adds(" ") {
			return false
		}
		width := strings.Repeat(" ", 2<<random.IntN(2))
		return e.each(func(l *line) {
			if addedOnly && l.op != '+' || strings.TrimSpace(l.text) == "" {
				return
			}
			rest := strings.TrimLeft(l.text, "\t")
			l.text = strings.Repeat(width, len(l.text)-len(rest)) + rest
		})
	}
}

// mixedFile gives a file in tabs a last line in spaces, where no hunk is near it.
func mixedFile(e *edit, _ *rand.Rand) bool {
	last := e.hunks[len(e.hunks)-1]
	if e.tabs = e.step() == "\t"; !e.tabs || last.oldStart+last.count('+')+1 >= strings.Count(e.before, "\n") || !strings.HasSuffix(e.before, "\n") {
		return false
	}
	e.before += "  a line of another style\n"
	e.after += "  a line of another style\n"
	return true
}

// indents reports whether a line with this sign, or a kept one, is indented.
func (e *edit) indents(sign byte) bool {
	found := false
	e.each(func(l *line) { found = found || (l.op == sign || l.op == ' ') && indented(l.text) })
	return found
}

// reindents reports whether a line is added that was removed with another
// indentation: its new one may then be meant, whatever it is.
func (e *edit) reindents() bool {
	removed := map[string]bool{}
	e.each(func(l *line) {
		if l.op == '-' {
			removed[strings.TrimSpace(l.text)] = true
		}
	})
	found := false
	e.each(func(l *line) { found = found || l.op == '+' && indented(l.text) && removed[strings.TrimSpace(l.text)] })
	return found
}

// adds reports whether the indentation of an added line has the character that
// others are about to be written with: then nothing shows that it alone means it.
func (e *edit) adds(character string) bool {
	found := false
	e.each(func(l *line) {
		found = found || l.op == '+' && indented(l.text) && strings.Contains(l.text[:len(l.text)-len(strings.TrimLeft(l.text, " \t"))], character)
	})
	return found
}
