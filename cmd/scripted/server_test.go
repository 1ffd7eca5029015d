package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves a script until the test ends.
func start(t *testing.T, text string) (*server, string) {
	t.Helper()
	sc, err := parseScript(text)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := newRecorder(filepath.Join(t.TempDir(), "record.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(sc, rec)
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.Close()
		http.DefaultClient.CloseIdleConnections()
		rec.close()
	})
	return s, h.URL
}

// A peer is a client of the socket that sends and receives plain JSON.
type peer struct {
	t    *testing.T
	conn *websocket.Conn
}

func connect(t *testing.T, url string) *peer {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), url+"/v1/responses", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &peer{t, conn}
}

func (p *peer) send(format string, args ...any) {
	p.t.Helper()
	if err := p.conn.Write(context.Background(), websocket.MessageText, fmt.Appendf(nil, format, args...)); err != nil {
		p.t.Fatal(err)
	}
}

// An event holds the members that tests check.
type event struct {
	Type     string
	Seq      int    `json:"sequence_number"`
	StreamID string `json:"stream_id"`
	Delta    string
	Response struct {
		ID                string
		IncompleteDetails struct{ Reason string } `json:"incomplete_details"`
	}
	Error struct{ Code string }
}

func (p *peer) receive() event {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, b, err := p.conn.Read(ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	var e event
	if err := json.Unmarshal(b, &e); err != nil {
		p.t.Fatalf("%v in %s", err, b)
	}
	return e
}

// waitEnd receives events until a response ends or an error arrives.
func (p *peer) waitEnd() event {
	for {
		switch e := p.receive(); e.Type {
		case "response.completed", "response.incomplete", "response.failed", "error":
			return e
		}
	}
}

const createRequest = `{"type":"response.create","model":"m","input":"hello"%s}`

func TestSocketSendsEventsInOrder(t *testing.T) {
	_, url := start(t, `[[rules]]
answer = "one two"`)
	p := connect(t, url)
	p.send(createRequest, `,"stream":true`)
	want := []string{"response.created", "response.in_progress", "response.output_item.added", "response.content_part.added", "response.output_text.delta",
		"response.output_text.delta", "response.output_text.done", "response.content_part.done", "response.output_item.done", "response.completed"}
	for i, kind := range want {
		if e := p.receive(); e.Type != kind || e.Seq != i {
			t.Errorf("event %d is %s with number %d, want %s", i, e.Type, e.Seq, kind)
		}
	}
}

// TestChainMemory holds that only the latest response of each stream of this
// socket can be continued, and that it cannot be continued after an error.
func TestChainMemory(t *testing.T) {
	_, url := start(t, `[[rules]]
contains = "broken"
fault = {status = 400, code = "bad"}
[[rules]]
answer = "x"`)
	p := connect(t, url)
	step := func(more, code string) string {
		t.Helper()
		p.send(createRequest, more)
		e := p.waitEnd()
		if e.Error.Code != code {
			t.Fatalf("%s gives error %q, want %q", more, e.Error.Code, code)
		}
		return e.Response.ID
	}
	warm := step(`,"generate":false`, "")
	first := step(`,"previous_response_id":"`+warm+`"`, "")
	step(`,"previous_response_id":"`+warm+`"`, "previous_response_not_found")
	second := step(`,"previous_response_id":"`+first+`"`, "")
	fork := step(`,"stream_id":"side","previous_response_id":"`+second+`"`, "")
	second = step(`,"previous_response_id":"`+second+`"`, "")
	step(`,"input":"broken","previous_response_id":"`+second+`"`, "bad")
	step(`,"previous_response_id":"`+second+`"`, "previous_response_not_found")
	step(`,"stream_id":"side","previous_response_id":"`+fork+`"`, "")
	if other := connect(t, url); other != nil {
		other.send(createRequest, `,"previous_response_id":"`+fork+`"`)
		if e := other.waitEnd(); e.Error.Code != "previous_response_not_found" {
			t.Errorf("another socket continues the chain: %+v", e)
		}
	}
}

// TestStreamIDs: a stream is named by what clients may name one, and other events are none.
func TestStreamIDs(t *testing.T) {
	_, url := start(t, "[[rules]]\nanswer = \"x\"")
	p := connect(t, url)
	for _, c := range []struct{ streamID, code string }{{"a", ""}, {"b", ""}, {"a", ""}, {"", "invalid_stream_id"}, {"no spaces", "invalid_stream_id"}} {
		p.send(createRequest, fmt.Sprintf(`,"stream_id":%q`, c.streamID))
		if e := p.waitEnd(); e.Error.Code != c.code {
			t.Errorf("stream id %q gives %q, want %q", c.streamID, e.Error.Code, c.code)
		}
	}
	p.send(`{"type":"response.cancel"}`)
	if e := p.waitEnd(); e.Type != "error" {
		t.Errorf("an unknown event is answered by %+v", e)
	}
}

// TestFaultsOnHTTP holds that the server produces a script's faults as written.
func TestFaultsOnHTTP(t *testing.T) {
	_, url := start(t, `[[rules]]
model = "once"
times = 1
headers = {Retry-After = "2"}
fault = {status = 429}
[[rules]]
model = "cut"
answer = "one two three"
fault = {cut_bytes = 100}
[[rules]]
model = "page"
fault = {status = 200, body = "<html>hi</html>"}
[[rules]]
model = "picky"
answer = "x"
fault = {unsupported = ["tools"]}
[[rules]]
answer = "fine"
served_model = "other"`)
	post := func(body string) (int, http.Header, string, error) {
		resp, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		return resp.StatusCode, resp.Header, string(b), err
	}
	if status, h, body, _ := post(`{"model":"once"}`); status != 429 || h.Get("Retry-After") != "2" || !strings.Contains(body, "rate_limit_exceeded") {
		t.Errorf("the first answer is %d %v %s", status, h, body)
	}
	if status, h, body, _ := post(`{"model":"once"}`); status != 200 || h.Get("Openai-Model") != "other" || !strings.Contains(body, "fine") {
		t.Errorf("the second answer is %d %v %s", status, h, body)
	}
	if _, _, body, err := post(`{"model":"cut","stream":true}`); err == nil || len(body) != 100 {
		t.Errorf("the cut answer has %d bytes and error %v, want 100 and one", len(body), err)
	}
	if _, h, body, _ := post(`{"model":"page"}`); !strings.HasPrefix(h.Get("Content-Type"), "text/html") || body != "<html>hi</html>" {
		t.Errorf("the page is %v %s", h, body)
	}
	if status, _, body, _ := post(`{"model":"picky","tools":[]}`); status != 400 || !strings.Contains(body, `"param":"tools"`) {
		t.Errorf("a refused parameter gives %d %s", status, body)
	}
	if status, _, _, _ := post(`{"model":"picky"}`); status != 200 {
		t.Errorf("what is not refused gives %d", status)
	}
	if status, _, _, _ := post(`{"model":`); status != 400 {
		t.Errorf("broken JSON gives %d", status)
	}
}

// TestCutSocket: a socket is reset before the event that would exceed the bytes.
func TestCutSocket(t *testing.T) {
	_, url := start(t, "[[rules]]\nanswer = \"one two three\"\nfault = {cut_bytes = 1500}")
	p := connect(t, url)
	p.send(createRequest, "")
	bytes := 0
	for {
		_, b, err := p.conn.Read(t.Context())
		if err != nil {
			break
		}
		bytes += len(b)
	}
	if bytes == 0 || bytes > 1500 {
		t.Errorf("%d bytes came, want some and at most 1500", bytes)
	}
}

func TestScriptMistakesAreNamed(t *testing.T) {
	for text, want := range map[string]string{"[[rules]]\nanwser = \"x\"": "anwser", "[[rules]]\nregexp = \"(\"": "rule 1", "[[rules": "not TOML"} {
		if _, err := parseScript(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want it to name %q", text, err, want)
		}
	}
}

// TestRecordHoldsEveryRequest reads the record back.
func TestRecordHoldsEveryRequest(t *testing.T) {
	s, url := start(t, "[[rules]]\nanswer = \"x\"")
	resp, err := http.Post(url+"/infill", "application/json", strings.NewReader(`{"input_prefix":"a","n_predict":1}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	p := connect(t, url)
	p.send(createRequest, "")
	p.waitEnd()
	file, err := os.Open(s.rec.file.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var paths []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r struct {
			Transport, Path string
			Body            json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, r.Transport+" "+r.Path+" "+string(r.Body[:1]))
	}
	want := "http /infill {,websocket /v1/responses \",websocket /v1/responses {"
	if got := strings.Join(paths, ","); got != want {
		t.Errorf("the record has %s, want %s", got, want)
	}
}
