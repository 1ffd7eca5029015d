package core

import (
	"strings"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"testing"
)

// TestCollectedAnswers: what came of a stream, by how it ends: all of it, a part with the
// reason, or why nothing came.
func TestCollectedAnswers(t *testing.T) {
	broke := &model.Error{Code: model.CodeServer, Message: "broke"}
	most := strings.Repeat("x", maxAnswer)
	cut := model.Ended(model.WhyFilter, "SAFETY")
	for _, c := range []struct {
		name   string
		pieces []string
		end    model.End
		err    error
		want   model.Answer
		code   model.Code
	}{
		{"whole", []string{"a", "b"}, model.End{}, nil, model.Whole{Text: "ab"}, ""},
		{"broken", []string{"a"}, model.End{}, broke, model.Part{Text: "a", End: model.EndBy(broke)}, ""},
		{"broken before its text", nil, model.End{}, broke, nil, model.CodeServer},
		{"cut", []string{"a"}, cut, nil, model.Part{Text: "a", End: cut}, ""},
		{"cut before its text", []string{" \n"}, cut, nil, nil, model.CodeInterrupted},
		{"empty", nil, model.End{}, nil, nil, model.CodeEmpty},
		{"blank", []string{" \n"}, model.End{}, nil, nil, model.CodeEmpty},
		{"as long as it may be", []string{most}, model.End{}, nil, model.Whole{Text: most}, ""},
	} {
		b := newBench(t, lanes{model.Deep: {Answer: func(*model.Request) ([]string, error) { return c.pieces, c.err }, End: c.end}}, assisttest.Source, nil)
		var streamed strings.Builder
		got, err := b.engine.Stream(t.Context(), model.Deep, &model.Request{}, func(piece string) { streamed.WriteString(piece) })
		text, _ := model.Came(got)
		if got != c.want || (err == nil) != (c.code == "") || err != nil && model.AsError(err).Code != c.code || err == nil && streamed.String() != text {
			t.Errorf("%s: %d bytes, %v", c.name, len(text), err)
		}
	}
	b := newBench(t, lanes{model.Deep: replies(most, "y", "z")}, assisttest.Source, nil)
	got, err := b.engine.Stream(t.Context(), model.Deep, &model.Request{}, nil)
	if text, end := model.Came(got); err != nil || text != most+"y" || end.Why != model.WhyBroken {
		t.Errorf("an answer without end: %d bytes, %s, %v", len(text), end.Why, err)
	}
}
