package provider

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/workspace/redact"
)

// TestSpeed holds what is learned of a server's speed from what it says, and that a request
// which its caller stops teaches as much.
func TestSpeed(t *testing.T) {
	const timings = `"timings":{"cache_n":900,"prompt_n":100,"prompt_ms":500.5,"predicted_n":8,"predicted_ms":400}`
	for _, c := range []struct {
		name, wire, answer string
		stop               bool
		want               model.Speed
	}{
		{name: "llama.cpp", wire: "infill", answer: `data: {"content":"y","stop":false}` + "\n\n" + `data: {"content":"","stop":true,"stop_type":"eos","tokens_evaluated":1000,"tokens_predicted":8,` + timings + "}\n\n",
			want: model.Speed{Evaluated: 100, EvaluatedIn: 500500 * time.Microsecond, Written: 8, WrittenIn: 400 * time.Millisecond}},
		{name: "llama.cpp, stopped", wire: "infill", stop: true, answer: `data: {"content":"y","stop":false,` + timings + "}\n\n" + `data: {"content":"z","stop":false}` + "\n\n",
			want: model.Speed{Evaluated: 100, EvaluatedIn: 500500 * time.Microsecond, Written: 8, WrittenIn: 400 * time.Millisecond}},
		{name: "a conversation with llama.cpp", wire: "chat", answer: `data: {"choices":[{"index":0,"delta":{"content":"y"},"finish_reason":"stop"}],` + timings + "}\n\ndata: [DONE]\n\n",
			want: model.Speed{Evaluated: 100, EvaluatedIn: 500500 * time.Microsecond, Written: 8, WrittenIn: 400 * time.Millisecond}},
		{name: "Ollama", wire: "ollama", answer: `{"response":"y","done":false}` + "\n" + `{"response":"","done":true,"done_reason":"stop","prompt_eval_count":300,"prompt_eval_duration":2000000000,"eval_count":10,"eval_duration":1000000000}` + "\n",
			want: model.Speed{Evaluated: 300, EvaluatedIn: 2 * time.Second, Written: 10, WrittenIn: time.Second}},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if strings.HasPrefix(c.answer, "data") {
				w.Header().Set("Content-Type", "text/event-stream")
			}
			_, _ = io.WriteString(w, c.answer)
		}))
		obs := &recordingObserver{}
		client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{s.URL}, WireAPI: c.wire}, model.ModelConfig{Name: "m", Model: "qwen2.5-coder"}, Options{Observe: obs})
		if err != nil {
			t.Fatal(err)
		}
		var final *model.Final
		for d, err := range client.Stream(t.Context(), fillRequest()) {
			if err != nil {
				t.Fatal(c.name, err)
			}
			final = d.Final
			if c.stop && d.Text != "" {
				break
			}
		}
		if len(obs.speeds) != 1 || obs.speeds[0] != c.want || !c.stop && final.Speed != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, obs.speeds, c.want)
		}
		_ = client.Close()
		s.Close()
	}
}

// TestSpeedByTheClock holds that a server which says nothing is measured, and that what two
// requests begin with alike counts once: the server has it in its cache.
func TestSpeedByTheClock(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"text\":\"%dabcd\"}]}\n\n", i)
			_ = http.NewResponseController(w).Flush()
			time.Sleep(2 * time.Millisecond)
		}
		_, _ = io.WriteString(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":3}}\n\ndata: [DONE]\n\n")
	}))
	defer s.Close()
	obs := &recordingObserver{}
	client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{s.URL}, WireAPI: "completions"}, model.ModelConfig{Name: "m", Model: "qwen2.5-coder"}, Options{Observe: obs})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, typed := range []string{"", "x"} {
		req := fillRequest()
		req.Fill.Extra[0].Text = redact.Said(strings.Repeat("a = 1\n", 1000))
		req.Fill.Prefix = redact.Said(req.Fill.Prefix.String() + typed)
		if got := ask(t, t.Context(), client, req); got.err != nil {
			t.Fatal(got.err)
		}
	}
	if len(obs.speeds) != 2 {
		t.Fatalf("%+v", obs.speeds)
	}
	first, second := obs.speeds[0], obs.speeds[1]
	if first.Evaluated != 1000 || first.EvaluatedIn <= 0 || first.Written != 0 { // three pieces in an instant say nothing
		t.Errorf("the first: %+v", first)
	}
	if second.Evaluated != 0 {
		t.Errorf("what one letter more takes is the network's time, and counts %d tokens", second.Evaluated)
	}
}

// TestAServerThatIsTooLateIsMeasured holds that a prompt which is too long for a slow server
// teaches how slow it is: else the next one would be as long.
func TestAServerThatIsTooLateIsMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFakeNet(t)
		stop := n.serve("model.test:443", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}))
		defer time.Sleep(time.Second)
		defer stop()
		client, obs := newTestClient(t, n, func(p *model.ProviderConfig, m *model.ModelConfig, _ *Options) {
			p.WireAPI, m.Model = "completions", "qwen2.5-coder"
		})
		defer client.Close()
		req := fillRequest()
		req.Deadline.FirstByte = 5 * time.Second
		req.Fill.Extra[0].Text = redact.Said(strings.Repeat("a = 1\n", 2000))
		if got := ask(t, t.Context(), client, req); got.err == nil || got.err.Code != model.CodeTimeout {
			t.Fatalf("%+v", got)
		}
		if len(obs.speeds) != 1 || obs.speeds[0].EvaluatedIn != 5*time.Second || obs.speeds[0].Evaluated < 3000 {
			t.Errorf("%+v", obs.speeds)
		}
	})
}

// TestRequestsThatShareAServer: the speed of a request is its server's only where no other one
// ran meanwhile, before or behind it, and none that was dropped is still being read.
func TestRequestsThatShareAServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l load
		first := l.begin()
		second := l.begin()
		if !first(false) || !second(false) {
			t.Error("two at once are taken for one")
		}
		if third := l.begin(); third(true) {
			t.Error("one alone is taken for one of several")
		}
		time.Sleep(finishing - time.Nanosecond)
		if behind := l.begin(); !behind(false) {
			t.Error("one behind a dropped one is taken for one alone")
		}
		time.Sleep(time.Nanosecond)
		if later := l.begin(); later(false) {
			t.Error("a dropped one is taken for one that is still read")
		}
	})
}
