package provider

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"tandem/model"
)

// TestRefusedParametersAreLeftOut holds that a request is sent again without a parameter in
// whatever words a server refuses it, that the next one is sent without it at once, and that
// the answer is the same.
func TestRefusedParametersAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		wire, param, body string
		status            int
	}{
		{"chat", "stream_options", `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error"}`, 422},
		{"chat", "stream_options", `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"stream_options\": Cannot find field.","status":"INVALID_ARGUMENT"}}]`, 400},
		{"chat", "temperature", "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"`temperature` is deprecated for this model.\"}}", 400},
		{"chat", "reasoning_effort", `{"error":{"message":"Unrecognized request argument supplied: reasoning_effort"}}`, 400},
		{"chat", "max_tokens", `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`, 400},
		{"chat", "stream", `{"error":{"message":"Streaming is not supported for this model"}}`, 400},
		{"messages", "temperature", "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"temperature: Extra inputs are not permitted\"}}", 400},
		{"responses", "reasoning", `{"error":{"message":"Unknown parameter: 'reasoning'.","param":"reasoning","code":"unknown_parameter"}}`, 400},
		{"ollama", "keep_alive", `{"error":"json: unknown field \"keep_alive\""}`, 400},
		{"completions", "stream_options", `{"detail":"stream_options: extra fields not permitted"}`, 422},
	} {
		var sent []map[string]any
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			var fields map[string]any
			if json.Unmarshal(body, &fields) != nil {
				t.Errorf("%s: a body that is no JSON", c.wire)
			}
			sent = append(sent, fields)
			if _, has := fields[c.param]; has {
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
				return
			}
			whole := map[string]string{"chat": wholeChat(`"content":"A returns one."`, `,"finish_reason":"stop"`), "messages": nv(mStart, mBlock, mText(one), mEnd, mWhy, mStop),
				"responses": nv(rMade, rText(0, one), rEnd("completed", "completed", rItem(one, ""), "")), "ollama": line(one, `,"done":false`) + lineEnd,
				"completions": ev(`{"choices":[{"index":0,"text":"A returns one.","finish_reason":"stop"}]}`) + done}[c.wire]
			(&form{wire: c.wire, body: whole, kind: map[string]string{"chat": "application/json"}[c.wire]}).serve(w)
		}))
		warm := 0.1
		obs := &recordingObserver{}
		client, err := New(model.ProviderConfig{Name: "lab", BaseURLs: []string{s.URL}, WireAPI: c.wire, EnvKey: "LAB_KEY"},
			model.ModelConfig{Name: "m", Model: "small", MaxOutputTokens: 512, Temperature: &warm, ReasoningEffort: "low"}, Options{Observe: obs})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := ask(t, t.Context(), client, hello()); got.err != nil || got.text != one {
				t.Errorf("%s, %s: %q, %v", c.wire, c.param, got.text, got.err)
			}
		}
		if len(sent) != 3 || !slices.Equal(obs.dropped, []string{c.param}) {
			t.Errorf("%s, %s: %d requests, dropped %q, want 3 and it once", c.wire, c.param, len(sent), obs.dropped)
		}
		_ = client.Close()
		s.Close()
	}
}
