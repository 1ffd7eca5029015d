package provider

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/workspace/redact"
)

// TestUsageAsWritten holds that no way of writing usage loses an answer, and
// that no sum of it overflows.
func TestUsageAsWritten(t *testing.T) {
	for written, want := range map[string]model.Usage{
		`{"input_tokens":7,"output_tokens":2}`:                                 {Input: 7, Output: 2, Known: true},
		`{"input_tokens":7.0,"output_tokens":2e0,"input_tokens_details":null}`: {Input: 7, Output: 2, Known: true},
		`{"input_tokens":-7,"output_tokens":-1000000}`:                         {Input: -7, Output: -1000000, Known: true},
		`{"input_tokens":1e400,"output_tokens":99999999999999999999999}`:       {Input: 1 << 40, Output: 1 << 40, Known: true},
		`{"input_tokens":"seven","output_tokens":[2]}`:                         {Input: -1, Output: -1, Known: true},
		`{"input_tokens":null,"output_tokens":2}`:                              {Output: 2, Known: true},
		`{"input_tokens":7,"output_tokens_details":"none"}`:                    {},
		`null`:    {},
		`"a lot"`: {},
	} {
		end := strings.Replace(whole[5], `{"input_tokens":7,"output_tokens":2}`, written, 1)
		synctest.Test(t, func(t *testing.T) {
			n := newFakeNet(t)
			stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				stream(w, append(slices.Clone(whole[:5]), end))
			}))
			defer stop()
			client, _ := newTestClient(t, n, nil)
			defer client.Close()
			got := ask(t, t.Context(), client, hello())
			if got.text != "one two" || got.final == nil || got.final.Usage != want {
				t.Errorf("usage %s gives %q, %+v, %v, want %+v", written, got.text, got.final, got.err, want)
			}
		})
	}
}

// TestSentSaysItsLimit holds that the observer learns which bound on the answer
// each body has, and none where it was left out.
func TestSentSaysItsLimit(t *testing.T) {
	for _, wire := range dialect.WireAPIs() {
		for _, omit := range [][]string{nil, {"max_output_tokens", "max_tokens", "max_completion_tokens", "n_predict", "options.num_predict"}} {
			synctest.Test(t, func(t *testing.T) {
				n := newFakeNet(t)
				stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fail(w, 400, "{}") }))
				defer stop()
				client, obs := newTestClient(t, n, func(p *model.ProviderConfig, m *model.ModelConfig, _ *Options) {
					p.WireAPI, m.FIM, m.Omit = wire, "qwen", omit
				})
				defer client.Close()
				req := hello()
				req.MaxOutputTokens, req.Fill = 300, &model.Infill{Prefix: redact.Said("a"), Suffix: redact.Said("b")}
				ask(t, t.Context(), client, req)
				want := 300
				if omit != nil {
					want = 0
				}
				if got := obs.sent[0].MaxOutputTokens; got != want {
					t.Errorf("%s without %v: %d, want %d", wire, omit, got, want)
				}
			})
		}
	}
}

// TestModelIsNeverOmitted holds that no server is left to choose the model.
func TestModelIsNeverOmitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFakeNet(t)
		stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { ok(w) }))
		defer stop()
		client, obs := newTestClient(t, n, func(_ *model.ProviderConfig, m *model.ModelConfig, _ *Options) {
			m.Omit = []string{"model", "temperature"}
		})
		defer client.Close()
		ask(t, t.Context(), client, hello())
		if body := string(obs.sent[0].Body); !strings.Contains(body, `"model":"m-1"`) {
			t.Errorf("the body names no model: %s", body)
		}
	})
}

// TestSentSaysWhatIsContinued holds that the observer learns where the server
// adds context that it holds.
func TestSentSaysWhatIsContinued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFakeNet(t)
		stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn := accept(w, r)
			defer conn.CloseNow()
			serveSocket(conn, func(n int, _ string) []string { return responseEvents(fmt.Sprint("r", n), "one ", "two") })
		}))
		defer stop()
		client, obs := newTestClient(t, n, withSockets)
		defer client.Close()
		req := hello()
		ask(t, context.Background(), client, req)
		req.Input = append(req.Input, model.Message{Role: "assistant", Text: redact.Said("one two")}, model.Message{Role: "user", Text: redact.Said("more")})
		ask(t, context.Background(), client, req)
		if len(obs.sent) != 2 || obs.sent[0].Continued || !obs.sent[1].Continued {
			t.Errorf("%+v", obs.sent)
		}
	})
}
