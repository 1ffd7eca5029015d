package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"tandem/model"
)

// choicesOf are the answers to one request, with what ended it.
func choicesOf(ctx context.Context, c model.Client, n int) (texts []string, final *model.Final, finals int, err error) {
	req := hello()
	req.N = n
	texts = make([]string, n)
	for d, failed := range c.Stream(ctx, req) {
		if err = failed; err == nil && d.Final == nil {
			texts[d.Choice] += d.Text
		}
		if d.Final != nil {
			final, finals = d.Final, finals+1
		}
	}
	return texts, final, finals, err
}

// severalAnswers answers with texts, word by word, alternating or one after the other, in pieces of
// so many bytes.
func severalAnswers(texts []string, inTurn bool, chunk int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		event := func(index int, text string, end any) string {
			choice := map[string]any{"index": index, "text": text, "finish_reason": end}
			if strings.HasSuffix(r.URL.Path, "/chat/completions") {
				choice = map[string]any{"index": index, "delta": map[string]any{"content": text}, "finish_reason": end}
			}
			data, _ := json.Marshal(map[string]any{"choices": []any{choice}})
			return fmt.Sprintf("data: %s\n\n", data)
		}
		var rounds [][]string // the events of the nth word of each answer
		for i, text := range texts {
			for n, word := range strings.SplitAfter(text, " ") {
				if inTurn {
					n = len(rounds)
				}
				for len(rounds) <= n {
					rounds = append(rounds, nil)
				}
				rounds[n] = append(rounds[n], event(i, word, nil))
			}
		}
		body := strings.Join(slices.Concat(rounds...), "")
		for i := range texts {
			body += event(i, "", "stop")
		}
		body += "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":11,\"total_tokens\":16}}\n\ndata: [DONE]\n\n"
		w.Header().Set("Content-Type", "text/event-stream")
		for len(body) > 0 {
			n := min(chunk, len(body))
			_, _ = io.WriteString(w, body[:n])
			w.(http.Flusher).Flush()
			body = body[n:]
		}
	}
}

// TestSeveralAnswersToOnePrompt holds that the pieces of each answer are its own, in which
// order ever they come, and that the use of all is reported once.
func TestSeveralAnswersToOnePrompt(t *testing.T) {
	for _, c := range []struct {
		name   string
		want   []string
		inTurn bool
		chunk  int // bytes that arrive at a time
	}{
		{"alternating", []string{"one thing", "two words more than that", "three"}, false, 1 << 20},
		{"in turn", []string{"one thing", "two", "three words of it"}, true, 1 << 20},
		{"one is empty", []string{"one thing", "", "three"}, false, 1 << 20},
		{"split inside words", []string{"one thing", "zwö 世界", "three"}, false, 3},
	} {
		for _, wire := range []string{"chat", "completions"} {
			t.Run(c.name+" "+wire, func(t *testing.T) {
				s := httptest.NewServer(severalAnswers(c.want, c.inTurn, c.chunk))
				defer s.Close()
				client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{s.URL + "/v1"}, WireAPI: wire},
					model.ModelConfig{Name: "m", Model: "m", Choices: true}, Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				got, final, finals, err := choicesOf(t.Context(), client, 3)
				if err != nil || !slices.Equal(got, c.want) || finals != 1 || final.Choices != 3 || final.Usage.Output != 11 {
					t.Errorf("%q, %v, %d ends: %+v; want %q of 11 tokens", got, err, finals, final, c.want)
				}
			})
		}
	}
}

// TestAnswersThatEndEarly holds that an answer counts as whole only if it has ended, and
// that those nobody asked for are not delivered.
func TestAnswersThatEndEarly(t *testing.T) {
	piece := func(index int, text, end string) string {
		return fmt.Sprintf("data: {\"choices\":[{\"index\":%d,\"delta\":{\"content\":%q},\"finish_reason\":%s}]}\n\n", index, text, end)
	}
	two := piece(0, "a", "null") + piece(1, "x", "null") + piece(0, "b", `"stop"`)
	for _, c := range []struct {
		name, body string
		n          int
		want       []string
		whole      int
	}{
		{"the second was cut", two, 2, []string{"ab", "x"}, 1},
		{"the second has ended", two + piece(1, "y", `"stop"`), 2, []string{"ab", "xy"}, 2},
		{"the server says that all have", two + "data: [DONE]\n\n", 2, []string{"ab", "x"}, 2},
		{"one was asked for", two + "data: [DONE]\n\n", 1, []string{"ab"}, 1},
		{"an index beyond all bounds", two + piece(1<<40, "z", `"stop"`) + "data: [DONE]\n\n", 2, []string{"ab", "x"}, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := newFakeNet(t)
			defer n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, c.body)
			}))()
			client, _ := newTestClient(t, n, func(p *model.ProviderConfig, m *model.ModelConfig, _ *Options) { p.WireAPI, m.Choices = "chat", true })
			defer client.Close()
			got, final, _, err := choicesOf(t.Context(), client, c.n)
			if err != nil || !slices.Equal(got, c.want) || final.Choices != c.whole {
				t.Errorf("%s: %q, %v: %+v; want %q, %d whole", c.name, got, err, final, c.want, c.whole)
			}
		})
	}
}

// TestSeveralAnswersRefused holds that a server that takes one answer a request is asked for
// one, in whatever words it refuses, and from then on at once; and that it is not blamed for
// a request that it refuses for another reason.
func TestSeveralAnswersRefused(t *testing.T) {
	for _, c := range []struct {
		name, refusal string
		always        bool // it refuses without n too
		bodies        []bool
	}{
		{"by the parameter's name", `{"error":{"code":"unsupported_parameter","param":"n","message":"no"}}`, false, []bool{true, false, false}},
		{"in other words", `{"error":{"message":"only one completion choice is allowed"}}`, false, []bool{true, false, false}},
		{"for another reason", `{"error":{"message":"bad request"}}`, true, []bool{true, false, true, false}},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := newFakeNet(t)
			var mu sync.Mutex // guards bodies
			var bodies []bool // whether they ask for several
			defer n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				several := strings.Contains(string(b), `"n":3`)
				mu.Lock()
				bodies = append(bodies, several)
				mu.Unlock()
				if several || c.always {
					fail(w, 400, c.refusal)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"one two\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
			}))()
			client, obs := newTestClient(t, n, func(p *model.ProviderConfig, m *model.ModelConfig, _ *Options) { p.WireAPI, m.Choices = "chat", true })
			defer client.Close()
			for range 2 {
				got, final, _, err := choicesOf(t.Context(), client, 3)
				if c.always != (err != nil) || !c.always && (got[0] != "one two" || final.Choices != 1) {
					t.Errorf("%s: %q, %+v, %v", c.name, got, final, err)
				}
			}
			if !slices.Equal(bodies, c.bodies) || c.always != (len(obs.dropped) == 0) {
				t.Errorf("%s: requests for several: %v, want %v; dropped %q", c.name, bodies, c.bodies, obs.dropped)
			}
		})
	}
}

// TestSeveralAnswersCancelled holds that a caller that stops in the middle of several answers
// gets nothing more, and that the server notices it.
func TestSeveralAnswersCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFakeNet(t)
		gone := make(chan struct{})
		defer n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for i := range 2 {
				_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":%d,\"delta\":{\"content\":\"a\"}}]}\n\n", i)
			}
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			close(gone)
		}))()
		client, _ := newTestClient(t, n, func(p *model.ProviderConfig, m *model.ModelConfig, _ *Options) { p.WireAPI, m.Choices = "chat", true })
		defer client.Close()
		req := hello()
		req.N = 3
		pieces := 0
		for d, err := range client.Stream(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			if pieces++; d.Choice == 1 {
				break
			}
		}
		<-gone
		if pieces != 2 {
			t.Errorf("%d pieces before the caller stopped, want 2", pieces)
		}
	})
}
