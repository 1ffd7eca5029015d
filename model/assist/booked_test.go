package assist_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tandem/model"
	"tandem/model/provider"
	"tandem/model/provider/dialect"
	"tandem/workspace/redact"
	"tandem/workspace/run"
	"tandem/workspace/tokens"
)

// A book is a ledger that keeps what the last request was booked with.
type book struct{ done model.Done }

func (*book) Spent(time.Time) (float64, error)                 { return 0, nil }
func (*book) Sent(model.Lane, model.Purpose, model.Sent) error { return nil }
func (b *book) Done(d model.Done) error                        { b.done = d; return nil }

// sentTokens are the tokens of the text in a body: of the values that are no settings.
func sentTokens(key string, value any) (n int) {
	switch v := value.(type) {
	case string:
		switch key {
		case "model", "role", "type", "stop", "prompt_cache_key", "keep_alive", "filename":
			return 0
		}
		return tokens.Count(v)
	case []any:
		for _, one := range v {
			n += sentTokens(key, one)
		}
	case map[string]any:
		for name, one := range v {
			n += sentTokens(name, one)
		}
	}
	return n
}

// TestLedgerBooksWhatWasSent: where a server reports no use, the text that it was sent is
// booked, in each wire form, whatever else the request holds; and the estimate for the limits
// is of the same size.
func TestLedgerBooksWhatWasSent(t *testing.T) {
	for _, wire := range dialect.WireAPIs() {
		t.Run(wire, func(t *testing.T) {
			sent := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var body any
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Error(err)
				}
				sent = sentTokens("", body)
				w.WriteHeader(http.StatusBadRequest)
			}))
			defer server.Close()
			group := run.NewGroup(t.Context(), func(p *run.Panic) { t.Error(p) })
			defer group.Close()
			books := &book{}
			p := model.ProviderConfig{Name: "p", BaseURLs: []string{server.URL}, WireAPI: wire, AllowHTTP: true}
			models := map[string]model.ModelConfig{}
			for _, name := range []string{"gpt-5.3-codex", "qwen3-coder", "unheard-of"} {
				models[name] = model.ModelConfig{Name: name, Model: name, Provider: "p", ContextWindow: 128000, MaxOutputTokens: 64, Tokenizer: "o200k_base", Prediction: true}
			}
			lanes := model.NewLanes(model.Setup{Fast: "qwen3-coder", Models: models, Providers: map[string]model.ProviderConfig{"p": p}},
				model.Parts{Ledger: books, Open: func(m model.ModelConfig, o model.Observer) (model.Client, error) {
					return provider.New(p, m, provider.Options{Observe: o, Group: group})
				}})
			defer func() { _ = lanes.Close() }()
			random := rand.New(rand.NewPCG(1, 2))
			lines := func(most int) redact.Text {
				var b strings.Builder
				for i := range 2 + random.IntN(most) {
					fmt.Fprintf(&b, "func name%d(a, b int) int { return a + b*%d } // adds\n", i, random.IntN(1000))
				}
				return redact.Said(b.String())
			}
			for i := range 200 {
				name := []string{"gpt-5.3-codex", "qwen3-coder", "unheard-of"}[i%3]
				p := model.Prompt{Kind: model.KindComplete, Window: lines(200), Path: redact.Said("a.go"), Before: lines(80), After: lines(30), Files: []model.Excerpt{{Path: redact.Said("b.go"), Text: lines(200)}}}
				if i%2 == 1 && wire != "mistral-fim" {
					p.Kind, p.Selected, p.Request = model.KindEdit, lines(20), lines(3)
				}
				req, err := model.Render(models[name], p)
				if err != nil {
					t.Fatal(err)
				}
				if p.Kind == model.KindComplete { // what the window and the other files say is the same
					req.Input[0].Text = redact.Format("<context>\n# b.go\n%s</context>", p.Files[0].Text)
				}
				sent = 0
				for range lanes.Stream(t.Context(), model.Fast, req) {
				}
				if got := books.done.Usage.Input; sent == 0 || math.Abs(float64(got-sent)) > 0.02*float64(sent) {
					t.Fatalf("%s, request %d: %d tokens were sent and %d are booked", name, i, sent, got)
				}
				if got := model.EstimateTokens(req); got > 2*sent || 2*got < sent {
					t.Fatalf("%s, request %d: %d tokens were sent and %d are reserved", name, i, sent, got)
				}
			}
		})
	}
}
