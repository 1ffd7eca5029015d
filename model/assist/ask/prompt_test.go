package ask

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
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

// TestPathsHoldNoSecrets: the name of a file may hold a secret too.
func TestPathsHoldNoSecrets(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	fast := replies("x")
	b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, map[string]string{secret + ".go": "package main\n\nfunc other() {}\n"})
	req := Request{Question: "what is other?", Place: core.Place{URI: strings.Replace(b.URI, "main.go", secret+".go", 1)}}
	if _, err := b.engine.Asker.Ask(t.Context(), b.Session.Snapshot(), req); err != nil {
		t.Fatal(err)
	}
	if sent := shownTo(fast.Requests()[0]); strings.Contains(sent, secret) || !strings.Contains(sent, "func other() {}") {
		t.Errorf("%s", sent)
	}
}
