package ask

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
)

func TestAskCitesOnlyWhatExists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("It is in `main.go:3`, not in nowhere.go:1 or main.go:999; see also ", "lib/a.go:1.")
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, map[string]string{"lib/a.go": "package lib\n", ".env": "SECRET=1\n"})
		var pieces strings.Builder
		got, err := b.engine.Asker.Ask(context.Background(), b.Session.Snapshot(), Request{Question: "where", Place: core.Place{URI: b.URI}, Thread: "t", Piece: func(s string) { pieces.WriteString(s) }})
		if err != nil || pieces.String() != got.Text {
			t.Fatalf("%v, streamed %q", err, pieces.String())
		}
		var cited []string
		for _, c := range got.Citations {
			cited = append(cited, fmt.Sprintf("%s:%d", c.Path, c.Line))
		}
		if strings.Join(cited, " ") != "main.go:3 lib/a.go:1" {
			t.Errorf("cites %q", cited)
		}
		if _, err := b.engine.Asker.Ask(context.Background(), b.Session.Snapshot(), Request{Question: "and why", Place: core.Place{URI: b.URI}, Thread: "t"}); err != nil {
			t.Fatal(err)
		}
		if last := fast.Requests()[1]; !strings.Contains(fmt.Sprint(last.Input), "not in nowhere.go") {
			t.Error("the follow-up question did not see the answer before it")
		}
	})
}

func TestInterruptedAnswerIsMarked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cut := &script{Answer: func(*model.Request) ([]string, error) {
			return []string{"It is"}, &model.Error{Code: model.CodeInterrupted, Message: "The answer was cut short; ask again."}
		}}
		b := newBench(t, lanes{model.Fast: cut}, assisttest.Source, nil)
		got, err := b.engine.Asker.Ask(context.Background(), b.Session.Snapshot(), Request{Question: "where", Place: core.Place{URI: b.URI}})
		if err != nil || got.End.Why != model.WhyBroken || got.Text != "It is" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestReviewFindings(t *testing.T) {
	answer := "main.go:4:2: error: always one\nfix: return the argument\n- main.go:8: warning: two\nother.go:1: error: elsewhere\nmain.go:99: error: no such line\nprose\n"
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies(answer)}, assisttest.Source, nil)
		got, err := b.engine.Reviewer.Review(context.Background(), b.Session.Snapshot(), ReviewRequest{URIs: []string{b.URI}})
		if err != nil || len(got.Findings) != 2 {
			t.Fatalf("%+v, %v", got, err)
		}
		if f := got.Findings[0]; f.Severity != "error" || f.Message != "always one" || f.Fix != "return the argument" || b.Text()[f.Span.Start:f.Span.End] != "return 1" {
			t.Errorf("%+v on %q", f, b.Text()[f.Span.Start:f.Span.End])
		}
	})
}
