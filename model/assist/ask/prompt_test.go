package ask

import (
	"context"
	"strings"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"testing"
	"testing/synctest"
)

// TestQuestionsSeeLineNumbers: the model is shown the line numbers that its answer has
// to cite.
func TestQuestionsSeeLineNumbers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("main.go:3")
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, map[string]string{"lib/a.go": "package lib\n\nfunc Widget() {}\n"})
		for _, uri := range []string{b.URI, ""} {
			if _, err := b.engine.Asker.Ask(context.Background(), b.Session.Snapshot(), Request{Question: "where is Widget?", Place: core.Place{URI: uri}}); err != nil {
				t.Fatalf("%q: %v", uri, err)
			}
		}
		shown := func(i int) string {
			var all strings.Builder
			for _, m := range fast.Requests()[i].Input {
				all.WriteString(m.Text.String())
			}
			return all.String()
		}
		if got := shown(0); !strings.Contains(got, "7\tfunc beta()") || !strings.Contains(got, "3\tfunc Widget() {}") {
			t.Errorf("a question at a place is shown\n%s", got)
		}
		if got := shown(1); !strings.Contains(got, "3\tfunc Widget() {}") || strings.Contains(got, b.Root) {
			t.Errorf("a question about no document is shown\n%s", got)
		}
	})
}

// TestTheEstimateOfAQuestionSendsNothing: it has the size of the request that would be
// sent.
func TestTheEstimateOfAQuestionSendsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("main.go:3")
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, map[string]string{"lib/a.go": "package lib\n\nfunc Widget() {}\n"})
		req := Request{Question: "where is Widget?", Place: core.Place{URI: b.URI}}
		e, err := b.engine.Asker.Estimate(context.Background(), b.Session.Snapshot(), req)
		if err != nil || len(fast.Requests()) != 0 {
			t.Fatalf("%v, %d requests", err, len(fast.Requests()))
		}
		if _, err := b.engine.Asker.Ask(context.Background(), b.Session.Snapshot(), req); err != nil {
			t.Fatal(err)
		}
		if sent := model.EstimateTokens(fast.Requests()[0]); sent != e.Tokens {
			t.Errorf("estimated at %d tokens, sent %d", e.Tokens, sent)
		}
	})
}
