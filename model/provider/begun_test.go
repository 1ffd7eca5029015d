package provider

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tandem/model"
	"tandem/workspace/redact"
)

// TestAWordIsAskedForFromItsBeginning: llama.cpp gets a prompt that does not end within a word,
// and must repeat what there is of it; what comes back continues at the cursor. How likely its
// tokens are counts also for those that were repeated.
func TestAWordIsAskedForFromItsBeginning(t *testing.T) {
	for _, c := range []struct {
		name, prefix  string
		ahead         bool
		answer        []string
		sent, grammar string
		want          string
	}{
		{"in a word", "x := com", false, []string{"c", "ompute", "(1)"}, "x := ", `root ::= "com" [^\x00]*`, "pute(1)"},
		{"in a name of two", "\tmax_w", false, []string{"max_width"}, "\t", `root ::= "max_w" [^\x00]*`, "idth"},
		{"after a word", "return ", false, []string{"1"}, "return ", "", "1"},
		{"other letters", "x := é2", false, []string{"é", "2x"}, "x := ", `root ::= "é2" [^\x00]*`, "x"},
		{"a server that does not repeat it", "x := com", false, []string{"pute"}, "x := ", `root ::= "com" [^\x00]*`, "pute"},
		{"a beginning that goes on otherwise", "x := com", false, []string{"co", "de"}, "x := ", `root ::= "com" [^\x00]*`, "code"},
		{"reading ahead", "x := com", true, nil, "x := ", "", ""},
		{"a long word", "x" + strings.Repeat("y", 100), false, []string{"z"}, "x" + strings.Repeat("y", 100), "", "z"},
	} {
		var got struct{ Prompt, Grammar string }
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
				t.Error(err)
			}
			for _, piece := range c.answer {
				_, _ = fmt.Fprintf(w, "data: {\"content\":%q,\"stop\":false,\"completion_probabilities\":[{\"token\":%[1]q,\"logprob\":-0.5}]}\n\n", piece)
			}
			_, _ = fmt.Fprint(w, "data: {\"content\":\"\",\"stop\":true,\"stop_type\":\"eos\"}\n\n")
		}))
		client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{s.URL}, WireAPI: "infill"}, model.ModelConfig{Name: "m", Model: "qwen2.5-coder"}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		req := fillRequest()
		req.Fill.Prefix, req.Fill.Suffix, req.Ahead = redact.Said(c.prefix), redact.Said("\n"), c.ahead
		answer := ask(t, t.Context(), client, req)
		if answer.err != nil || answer.text != c.want || got.Grammar != c.grammar {
			t.Errorf("%s: %q, grammar %q, %v", c.name, answer.text, got.Grammar, answer.err)
		}
		if answer.logProb != -0.5*float64(len(c.answer)) {
			t.Errorf("%s: %g for the tokens %q", c.name, answer.logProb, c.answer)
		}
		before, _, _ := strings.Cut(got.Prompt, "<|fim_suffix|>")
		if !strings.HasSuffix(before, "<|fim_prefix|>"+c.sent) && !strings.HasSuffix(before, "\n"+c.sent) {
			t.Errorf("%s: the prompt ends with %q, want %q", c.name, before, c.sent)
		}
		client.Close()
		s.Close()
	}
}
