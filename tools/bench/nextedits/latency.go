package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tandem/model/format"
	"tandem/tools/bench/figures"
	"tandem/tools/client"
	"tandem/workspace/tokens"
)

// Of the latency: the document, and how often it is asked about.
const (
	latencyBytes = 200 << 10
	latencyAsked = 40
	latencyFirst = 5 // questions that are not counted: the connection is new
	promptOver   = 10
)

// nextEditLatency measures what a next edit takes beyond the model's time in a document of
// 200 KB, and how much of the tokens that each format was trained on its prompts have.
func nextEditLatency(bin string) ([]figures.Row, error) {
	var rows []figures.Row
	for _, name := range []string{format.Sweep, format.SweepV2, format.Zeta2, format.Mercury} {
		beyond, busy, most, err := latencyOf(bin, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		trained := format.For(name).Trained
		rows = append(rows,
			figures.Row{What: name + ": next edit beyond the model's time, p50 at 200 KB", Value: float64(beyond.Microseconds()) / 1000, Bar: 5, Most: true, Unit: "ms", Note: fmt.Sprintf("%d questions", latencyAsked)},
			figures.Row{What: name + ": processor time of the server for each", Value: float64(busy.Microseconds()) / 1000, None: true, Unit: "ms"},
			figures.Row{What: name + ": the longest prompt, of the tokens it was trained on", Value: figures.Percent(most, trained), Bar: 100 + promptOver, Most: true, Note: fmt.Sprintf("%d of %d, as o200k counts", most, trained)})
	}
	return rows, nil
}

// A meter is a proxy before the model that notes how long it takes and what it is asked.
type meter struct {
	running sync.WaitGroup // requests

	mu    sync.Mutex // guards all below
	took  time.Duration
	asked [][]byte // the requests
}

func (m *meter) proxy(target string) (*httptest.Server, error) {
	to, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	pass := httputil.NewSingleHostReverseProxy(to)
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		m.running.Add(1)
		defer m.running.Done()
		body, _ := io.ReadAll(r.Body) // a broken request is the model's to refuse
		r.Body = io.NopCloser(bytes.NewReader(body))
		pass.ServeHTTP(w, r)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.took += time.Since(start)
		m.asked = append(m.asked, body)
	})), nil
}

// most is how many tokens the longest prompt has. They are counted at the end, since
// the answer ends before a count would.
func (m *meter) most() (most int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, body := range m.asked {
		var asked struct {
			Prompt   string
			Messages []struct{ Content string }
		}
		_ = json.Unmarshal(body, &asked) // what is no question has no prompt
		for _, message := range asked.Messages {
			asked.Prompt += message.Content
		}
		most = max(most, tokens.Count(asked.Prompt))
	}
	return most
}

// taken is the model's time since the last call, with that of a request whose answer has
// just been read.
func (m *meter) taken() time.Duration {
	m.running.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	took := m.took
	m.took = 0
	return took
}

func latencyOf(bin, name string) (beyond, busy time.Duration, most int, err error) {
	dir, err := os.MkdirTemp("", "latency")
	if err != nil {
		return 0, 0, 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	address, stop, err := publicCase{path: "none.go"}.scripted(bin, dir)
	if err != nil {
		return 0, 0, 0, err
	}
	defer stop()
	var m meter
	proxy, err := m.proxy(address)
	if err != nil {
		return 0, 0, 0, err
	}
	defer proxy.Close()
	root := filepath.Join(dir, "work")
	if err := os.MkdirAll(root, 0o700); err != nil {
		return 0, 0, 0, err
	}
	var text strings.Builder
	text.WriteString("package work\n")
	for i := 0; text.Len() < latencyBytes; i++ {
		fmt.Fprintf(&text, "\n// area%d is the area of a shape with %d sides.\nfunc area%d(width, height int) int {\n\tif width < %d {\n\t\treturn height\n\t}\n\treturn width * height\n}\n", i, i, i, i)
	}
	for file, content := range map[string]string{"go.mod": "module work\n", "work.go": text.String()} {
		if err := os.WriteFile(filepath.Join(root, file), []byte(content), 0o600); err != nil {
			return 0, 0, 0, err
		}
	}
	e, err := startEditor(bin, dir, modelOf(name, proxy.URL))
	if err != nil {
		return 0, 0, 0, err
	}
	defer func() { _ = e.Quit() }()
	if err := e.open("work.go", "go", text.String()); err != nil {
		return 0, 0, 0, err
	}
	var times []time.Duration
	var before time.Duration
	for i := range latencyFirst + latencyAsked {
		if i == latencyFirst {
			before = client.ProcessorTime(e.Pid())
		}
		now := e.texts["work.go"]
		at := strings.Index(now, fmt.Sprintf("func area%d(", 25*i+7))
		at += strings.Index(now[at:], "return width") + len("return width")
		typed := fmt.Sprintf(" + extra%d", i) // another one each time: nothing is repeated
		if err := e.change("work.go", now[:at]+typed+now[at:]); err != nil {
			return 0, 0, 0, err
		}
		m.taken()
		start := time.Now()
		if _, err := e.nextEdit("work.go", at+len(typed)); err != nil {
			return 0, 0, 0, err
		}
		took := time.Since(start)
		if i >= latencyFirst {
			times = append(times, max(0, took-m.taken()))
		}
	}
	busy = (client.ProcessorTime(e.Pid()) - before) / latencyAsked
	if most = m.most(); most == 0 {
		return 0, 0, 0, fmt.Errorf("the model was not asked")
	}
	return figures.Percentile(times, 50), busy, most, nil
}
