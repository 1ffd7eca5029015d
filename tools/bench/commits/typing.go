package main

import (
	"strings"

	"tandem/tools/bench/clones"

	"tandem/workspace/tokens"
)

// mostSteps is how many words of a run are typed.
const mostSteps = 40

// typeRun types what was taken out at a place, word by word, and returns for
// each window after the first how much of what stands before its cursor it
// shares with the window before, from the start.
func typeRun(t *clones.Tandem, p *clones.Place, refused func(error) error) ([]float64, error) {
	var shares []float64
	var last []uint32
	for _, end := range wordEnds(p.Run, p.Column-1) {
		text, line, column := p.Typed(p.Run[:end])
		w, err := t.Ask(clones.Request{ID: "typing", File: p.Path, Line: line, Column: column, Purpose: "complete",
			Overlay: map[string]string{p.Path: text}, Text: true})
		if err := refused(err); err != nil {
			return nil, err
		}
		if w == nil {
			return shares, nil
		}
		now := tokens.Encode(w.Text)
		if last != nil {
			upto := clones.Count(w.Text[:cursorIn(w.Text, p.Before()+p.Run[:end])])
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
		if clones.WordByte(run[at]) && (at+1 == len(run) || !clones.WordByte(run[at+1])) {
			ends = append(ends, at+1)
		}
	}
	return ends
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
