package ask

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
)

// TestWhoAnswersAQuestion: the model, with its figures; without one the index, the functions
// that the question is about, or an error that a model is needed.
func TestWhoAnswersAQuestion(t *testing.T) {
	for _, c := range []struct {
		models         lanes
		question, want string
	}{
		{lanes{model.Fast: replies("see ", "main.go:1")}, "where?", "see main.go:1|fake|fast|main.go 1|see ;main.go:1"},
		{lanes{}, "what changed?", "Nothing was edited in this session yet.|built-in|local||Nothing was edited in this session yet."},
		{lanes{}, "xyzzy?", "needs_model"},
	} {
		b := newBench(t, c.models, assisttest.Source, nil)
		var pieces []string
		got := ""
		answer, err := b.engine.Asker.Ask(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI}, Question: c.question, Lane: model.Fast, Piece: func(p string) { pieces = append(pieces, p) }})
		if err != nil {
			var known *model.Error
			if errors.As(err, &known) {
				got = string(known.Code)
			}
		} else {
			cited := ""
			for _, c := range answer.Citations {
				cited += fmt.Sprintf("%s %d", c.Path, c.Line)
			}
			got = fmt.Sprintf("%s|%s|%s|%s|%s", answer.Text, answer.From.Model, answer.From.Lane, cited, strings.Join(pieces, ";"))
		}
		if got != c.want || answer.End.Whole() != (err == nil) || (err == nil) != (answer.From.Reason != "") {
			t.Errorf("%s, want %s: %+v", got, c.want, answer)
		}
	}
}
