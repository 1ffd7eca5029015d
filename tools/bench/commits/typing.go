package main

import (
	"strings"

	"tandem/workspace/tokens"
)

// mostSteps is how many words of a run are typed.
const mostSteps = 40

// typeRun types what was taken out at a place, word by word, and returns for
// each window after the first how much of what stands before its cursor it
// shares with the window before, from the start.
func typeRun(t *tandem, p *place, refused func(error) error) ([]float64, error) {
	var shares []float64
	var last []uint32
	for _, end := range wordEnds(p.run, p.column-1) {
		text, line, column := p.typed(p.run[:end])
		w, err := t.ask(request{ID: "typing", File: p.path, Line: line, Column: column, Purpose: "complete",
			Overlay: map[string]string{p.path: text}, Text: true})
		if err := refused(err); err != nil {
			return nil, err
		}
		if w == nil {
			return shares, nil
		}
		now := tokens.Encode(w.Text)
		if last != nil {
			upto := count(w.Text[:cursorIn(w.Text, p.before()+p.run[:end])])
			shares = append(shares, min(1, float64(sharedStart(last, now))/float64(max(1, upto))))
		}
		last = now
	}
	return shares, nil
}

// wordEnds are the places in a run where a word has just been typed.
func wordEnds(run string, from int) []int {
	ends := []int{min(from, len(run))}
	for at := from; at < len(run) && len(ends) <= mostSteps; at++ {
		if wordByte(run[at]) && (at+1 == len(run) || !wordByte(run[at+1])) {
			ends = append(ends, at+1)
		}
	}
	return ends
}

// before is the file up to the line of the place.
func (p *place) before() string {
	lines := strings.SplitAfter(p.text, "\n")
	return strings.Join(lines[:p.line-1], "")
}

// typed is the file with the beginning of the run in it, and where the cursor
// stands then, from 1.
func (p *place) typed(part string) (text string, line, column int) {
	lines := strings.SplitAfter(p.text, "\n")
	after := ""
	if p.line < len(lines) {
		after = "\n" + strings.Join(lines[p.line:], "")
	}
	line = p.line + strings.Count(part, "\n")
	column = len(part) - strings.LastIndexByte(part, '\n')
	return p.before() + part + after, line, column
}

// cursorIn is where in a prompt the cursor stands: after the longest end of
// what precedes it that the prompt has.
func cursorIn(prompt, before string) int {
	for size := min(len(before), 400); size > 0; size /= 2 {
		tail := before[len(before)-size:]
		if at := strings.LastIndex(prompt, tail); at >= 0 {
			return at + len(tail)
		}
	}
	return len(prompt)
}

func sharedStart(a, b []uint32) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
