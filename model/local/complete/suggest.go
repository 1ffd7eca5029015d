package complete

import (
	"context"
	"slices"
	"strings"

	"tandem/model"
	"tandem/model/local/returns"
	"tandem/model/local/source"
)

// A Certainty is how sure the engine must be of a suggestion.
type Certainty int

// The certainties, from the least.
const (
	Possible Certainty = iota // for a user who explicitly asked: it interrupts no typing
	Likely                    // for a user who is typing: two of three are right
	Sure                      // nearly sure: nine of ten are right
)

// The thresholds. While typing they are where forests of half of the fitted repositories are
// right in two of three cases, and wrong 30 times an hour, on commits of the other half.
const (
	possibleThreshold = 0.05
	likelyThreshold   = 0.5
	sureThreshold     = 0.8
	perLength         = 2.0 // what is short saves less to type than it takes to read
)

// threshold is the lowest confidence of a certainty in a text.
func (c Certainty) threshold(text string) float64 {
	switch c {
	case Possible:
		return possibleThreshold
	case Sure:
		return sureThreshold
	}
	return likelyThreshold + perLength/float64(len(text))
}

// A suggestion is a text with the confidence in it.
type suggestion struct {
	text       string
	confidence float64
}

// Suggest returns up to n texts for an infill site of which the engine is certain
// enough, the most confident first.
func (e *Engine) Suggest(ctx context.Context, c source.Corpus, f *model.Fill, n int, certainty Certainty) []string {
	if ctx.Err() != nil || strings.ContainsRune(f.Prefix, 0) {
		return nil
	}
	var out []string
	for _, s := range e.ranked(c, f) {
		if len(out) == n {
			break
		}
		if s.confidence >= certainty.threshold(s.text) && !slices.Contains(out, s.text) {
			out = append(out, s.text)
		}
	}
	return out
}

// ranked returns what is learned and, in an error check of Go, its returns, the most
// confident first.
func (e *Engine) ranked(c source.Corpus, f *model.Fill) []suggestion {
	plain, learned := e.Returns(c, f)
	var out []suggestion
	if len(plain) == 0 {
		for _, l := range learned {
			out = append(out, suggestion{l.Block(), l.Confidence})
		}
		return out
	}
	for _, p := range plain {
		text := p.Text
		if i := slices.IndexFunc(learned, func(l Candidate) bool { return l.Text == text }); i >= 0 {
			text = learned[i].Block() // with the lines that follow it
		}
		out = append(out, suggestion{text, p.Confidence})
	}
	return out
}

// maxJudged bounds the learned lines that are judged beside returns.
const maxJudged = 10

// Returns returns the returns that may stand at an infill site, judged with what is learned;
// and what is learned and may stand there.
func (e *Engine) Returns(c source.Corpus, f *model.Fill) ([]returns.Candidate, []Candidate) {
	at := returns.At(c, f)
	var lines []returns.Candidate
	var fitting []Candidate
	for _, learned := range e.Consider(c, f) {
		if learned.unsound {
			continue
		}
		if line, _, _ := strings.Cut(learned.Text, "\n"); at.Fits(line) {
			lines, fitting = append(lines, returns.Candidate{Text: line, Confidence: learned.Confidence}), append(fitting, learned)
		}
	}
	return at.Candidates(lines[:min(len(lines), maxJudged)]), fitting
}
