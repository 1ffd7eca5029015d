package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"tandem/tools/bench/figures"
	"tandem/tools/client"
	"time"
)

const (
	streamTokens = 3000
	streamGap    = time.Millisecond // 1,000 tokens/s

	streamQuestions = 5
)

// A streamingModel answers every question with numbered tokens and remembers when each
// was written.
type streamingModel struct {
	mu   sync.Mutex // guards sent
	sent []time.Time
}

func (s *streamingModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	s.mu.Lock()
	s.sent = s.sent[:0]
	s.mu.Unlock()
	begin := time.Now()
	for i := range streamTokens {
		time.Sleep(time.Until(begin.Add(time.Duration(i) * streamGap)))
		s.mu.Lock()
		s.sent = append(s.sent, time.Now())
		s.mu.Unlock()
		fmt.Fprintf(w, "data: {\"model\":\"scripted-fast\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"n%d \"}}]}\n\n", i)
		w.(http.Flusher).Flush()
		if r.Context().Err() != nil {
			return
		}
	}
	fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// stream measures how late the pieces of a stream of 1,000 tokens/s are at the editor.
func (b *bench) stream() (bool, error) {
	m := &streamingModel{}
	server := httptest.NewServer(m)
	defer server.Close()
	folder, err := os.MkdirTemp("", "tandem-workspace")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(aboveLine+belowLine), 0o600); err != nil {
		return false, err
	}
	p := &pieces{}
	e, err := startEditor(b.tandem, configure(server.URL, prices["groq"]), folder, true, p.notified)
	if err != nil {
		return false, err
	}
	defer e.close()
	time.Sleep(time.Second)
	var firsts, lates []time.Duration
	var shares []float64
	for range streamQuestions {
		p.reset()
		before, began := client.ProcessorTime(e.Pid()), time.Now()
		if _, err := e.Call("tandem/ask", client.Object{"question": "What does compute do?", "partialResultToken": "t"}); err != nil {
			return false, err
		}
		if used, took := client.ProcessorTime(e.Pid())-before, time.Since(began); took > 0 {
			shares = append(shares, used.Seconds()/took.Seconds())
		}
		m.mu.Lock()
		for token, at := range p.at() {
			if token < len(m.sent) {
				late := at.Sub(m.sent[token])
				if lates = append(lates, late); token == 0 {
					firsts = append(firsts, late)
				}
			}
		}
		m.mu.Unlock()
	}
	if len(firsts) == 0 {
		return false, fmt.Errorf("no piece of the answers came")
	}
	share := figures.Percentile(shares, 50)
	first, late := figures.Percentile(firsts, 50), figures.Percentile(lates, 50)
	ok := first <= 2*time.Millisecond && late <= 20*time.Millisecond && share <= 0.06
	fmt.Printf("stream of 1,000 tokens/s: first piece late by %.1f ms, tokens by %.1f ms (p50), p95 %.1f; %.1f %% of a core (bars 2 ms, 20 ms, 6 %%) %s\n",
		milliseconds(first), milliseconds(late), milliseconds(figures.Percentile(lates, 95)), 100*share, figures.Verdict(ok))
	return ok, nil
}

// pieces remembers when each numbered token of an answer came.
type pieces struct {
	mu    sync.Mutex // guards times
	times map[int]time.Time
}

func (p *pieces) reset() {
	p.mu.Lock()
	p.times = map[int]time.Time{}
	p.mu.Unlock()
}

func (p *pieces) at() map[int]time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.times
}

func (p *pieces) notified(method string, params json.RawMessage) any {
	at := time.Now()
	var progress struct {
		Value struct {
			Answer string `json:"answer"`
		} `json:"value"`
	}
	if method != "$/progress" || json.Unmarshal(params, &progress) != nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, word := range strings.Fields(progress.Value.Answer) {
		if n, err := strconv.Atoi(strings.TrimPrefix(word, "n")); err == nil {
			p.times[n] = at
		}
	}
	return nil
}
