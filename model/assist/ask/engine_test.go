package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/local"
	"testing"
)

// says is a built-in engine with one answer, or none.
type says struct {
	core.Local
	answer string
}

func (s says) Answer(context.Context, local.Corpus, string) (string, bool) {
	return s.answer, s.answer != ""
}

// TestWhoAnswersAQuestion: the model, with its figures; without one the index, or an error that
// one is needed.
func TestWhoAnswersAQuestion(t *testing.T) {
	for _, c := range []struct {
		models lanes
		local  core.Local
		want   string
	}{
		{lanes{model.Fast: replies("see ", "main.go:1")}, says{answer: "index"}, "see main.go:1|fake|fast|main.go 1|see ;main.go:1"}, {lanes{}, says{answer: "in main.go:3"}, "in main.go:3|built-in|local|main.go 3|in main.go:3"},
		{lanes{}, says{}, "needs_model"}, {lanes{}, nil, "needs_model"},
	} {
		b := newBench(t, c.models, assisttest.Source, nil)
		b.engine.Asker.Core.Local = c.local
		var pieces []string
		got := ""
		answer, err := b.engine.Asker.Ask(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI}, Question: "where?", Lane: model.Fast, Piece: func(p string) { pieces = append(pieces, p) }})
		if err != nil {
			var known *model.Error
			if errors.As(err, &known) {
				got = string(known.Code)
			}
		} else {
			got = fmt.Sprintf("%s|%s|%s|%s %d|%s", answer.Text, answer.From.Model, answer.From.Lane, answer.Citations[0].Path, answer.Citations[0].Line, strings.Join(pieces, ";"))
		}
		if got != c.want || answer.End.Whole() != (err == nil) || (err == nil) != (answer.From.Reason != "") {
			t.Errorf("%s, want %s: %+v", got, c.want, answer)
		}
	}
}
