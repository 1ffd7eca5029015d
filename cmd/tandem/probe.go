package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"tandem/model"
	"tandem/model/format"
)

// An ended is how a model's answer to a question ended whose answer is known.
type ended struct {
	whole   bool
	learned string // the word of a whole answer that nobody knew
	end     model.End
}

// said is what a person should know of it, as a sentence; "" if there is nothing.
func (e ended) said(name string) string {
	switch {
	case e.learned != "":
		return fmt.Sprintf("the server of %s ends whole answers with “%s”, which counts as their end from now on.", name, e.learned)
	case !e.whole:
		return fmt.Sprintf("the answer of %s to a question that is known was cut: %s.", name, e.end.Reason())
	}
	return ""
}

// tried sends a request of tinyRequest. A server that ends its answer with a word that nobody
// knows is asked the question whose answer is known, if the request was another one, and its word
// is learned if that answer is whole.
func tried(ctx context.Context, lanes *model.Lanes, lane model.Lane, m model.ModelConfig, req *model.Request) (ended, error) {
	answer, _, err := model.Collect(lanes.Stream(ctx, lane, req), nil)
	if err != nil {
		return ended{}, err
	}
	text, end := model.Came(answer)
	if end.Unclear() && !isKnown(m, text) && !m.FillOnly {
		plain := *req
		plain.ID, plain.Fill = req.ID+"-end", nil
		if answer, _, err = model.Collect(lanes.Stream(ctx, lane, &plain), nil); err != nil {
			return ended{}, err
		}
		text, end = model.Came(answer)
	}
	switch known := isKnown(m, text); {
	case known && end.Unclear():
		return ended{whole: true, learned: lanes.LearnEnd(m.Name, end)}, nil
	case end.Whole(), m.FillOnly, !known && end.Why == model.WhyLength: // it is whole, or as long as it was asked for
		return ended{whole: true}, nil
	}
	return ended{end: end}, nil
}

// isKnown reports whether a text is the whole answer to a tinyRequest.
func isKnown(m model.ModelConfig, text string) bool {
	if f := format.For(m.Format); f != nil {
		a := f.Answer(tinyRegion, "", text)
		return a.None || strings.TrimSpace(a.Region) == strings.TrimSpace(tinyRegion)
	}
	return counts(text)
}

// counted is the last number of the answer that is known.
const counted = 30

// counts reports whether a text is the numbers from one, or ends with them.
func counts(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if len(words) < counted {
		return false
	}
	for i, word := range words[len(words)-counted:] {
		if word != strconv.Itoa(i+1) {
			return false
		}
	}
	return true
}
