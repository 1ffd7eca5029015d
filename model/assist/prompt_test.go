package assist

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/model"
)

func TestNumbered(t *testing.T) {
	before, selected, after := numbered(7, "a\nb ", "c\nd", "\ne\n")
	if before != "7\ta\n8\tb " || selected != "c\n9\td" || after != "\n10\te\n" {
		t.Errorf("%q %q %q", before, selected, after)
	}
}

// TestQuestionsSeeLineNumbers: the model is shown the line numbers that its answer has
// to cite.
func TestQuestionsSeeLineNumbers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("main.go:3")
		b := newBench(t, lanes{model.Fast: fast}, source, map[string]string{"lib/a.go": "package lib\n\nfunc Widget() {}\n"})
		for _, uri := range []string{b.uri, ""} {
			if _, err := b.engine.Asker.Ask(context.Background(), b.session.Snapshot(), AskRequest{Question: "where is Widget?", Place: Place{URI: uri}}); err != nil {
				t.Fatalf("%q: %v", uri, err)
			}
		}
		shown := func(i int) string {
			var all strings.Builder
			for _, m := range fast.requests()[i].Input {
				all.WriteString(m.Text)
			}
			return all.String()
		}
		if got := shown(0); !strings.Contains(got, "7\tfunc beta()") || !strings.Contains(got, "3\tfunc Widget() {}") {
			t.Errorf("a question at a place is shown\n%s", got)
		}
		if got := shown(1); !strings.Contains(got, "3\tfunc Widget() {}") || strings.Contains(got, b.root) {
			t.Errorf("a question about no document is shown\n%s", got)
		}
	})
}

// TestTheEstimateOfAQuestionSendsNothing: it has the size of the request that would be
// sent.
func TestTheEstimateOfAQuestionSendsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("main.go:3")
		b := newBench(t, lanes{model.Fast: fast}, source, map[string]string{"lib/a.go": "package lib\n\nfunc Widget() {}\n"})
		req := AskRequest{Question: "where is Widget?", Place: Place{URI: b.uri}}
		e, err := b.engine.Asker.Estimate(context.Background(), b.session.Snapshot(), req)
		if err != nil || len(fast.requests()) != 0 {
			t.Fatalf("%v, %d requests", err, len(fast.requests()))
		}
		if _, err := b.engine.Asker.Ask(context.Background(), b.session.Snapshot(), req); err != nil {
			t.Fatal(err)
		}
		if sent := model.EstimateTokens(fast.requests()[0]); sent != e.Tokens {
			t.Errorf("estimated at %d tokens, sent %d", e.Tokens, sent)
		}
	})
}
