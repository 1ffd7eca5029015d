package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
)

func frameOf(body string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

// session sends input to a stream and returns the bodies it returned, what it
// wrote and why it ended.
func session(t testing.TB, input string) (bodies []string, output string, end error) {
	t.Helper()
	var out bytes.Buffer
	s := New(io.NopCloser(strings.NewReader(input)), &out, func(string) {}, nil)
	done := make(chan struct{})
	go func() { defer close(done); s.Ahead() }()
	for {
		body, _, err := s.ReadFrame(context.Background())
		if err != nil {
			end = err
			break
		}
		bodies = append(bodies, string(body))
		if m, fault := check(body); fault == nil && m.kind == kindRequest {
			s.Call(m.id).Done()
		}
	}
	<-done
	s.Flush(1e9)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return bodies, out.String(), end
}

const good = `{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}}`

func TestBadFrames(t *testing.T) {
	nested := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprintf(`"k%d":1`, i)
	}
	with := func(params string) string { return `{"jsonrpc":"2.0","id":1,"method":"m","params":` + params + `}` }
	// answer is the error code of the reply; 0 means that the stream ends.
	cases := []struct {
		name, input string
		answer      int
	}{
		{"length is a word", "Content-Length: abc\r\n\r\n" + good, 0},
		{"length is negative", "Content-Length: -1\r\n\r\n", 0},
		{"length has a sign", "Content-Length: +54\r\n\r\n" + good, 0},
		{"length of 8 GiB", "Content-Length: 8589934592\r\n\r\n", 0},
		{"length of 2 GB", "Content-Length: 2000000000\r\n\r\n", 0},
		{"length beyond 64 bits", "Content-Length: 99999999999999999999999\r\n\r\n", 0},
		{"length is a fraction", "Content-Length: 5.0\r\n\r\n", 0},
		{"length is hexadecimal", "Content-Length: 0x10\r\n\r\n", 0},
		{"length is empty", "Content-Length:\r\n\r\n", 0},
		{"length twice", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 0},
		{"no length", "Content-Type: application/json\r\n\r\n{}", 0},
		{"empty header", "\r\n\r\n", 0},
		{"no colon", "Content-Length 5\r\n\r\n", 0},
		{"no carriage return", "Content-Length: 2\n\n{}", 0},
		{"NUL in the header", "Content-\x00Length: 2\r\n\r\n{}", 0},
		{"endless header", strings.Repeat("A", 1<<20), 0},
		{"many headers", strings.Repeat("X-A: b\r\n", 10_000), 0},
		{"plain JSON", good, 0},
		{"JSON as a header", `{"jsonrpc":"2.0"}` + "\r\n", 0},
		{"HTTP request", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 0},
		{"body cut short", "Content-Length: 100\r\n\r\n{}", 0},
		{"header cut short", "Content-Le", 0},

		{"other charset", "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=latin1\r\n\r\n{}", -32600},
		{"no body", "Content-Length: 0\r\n\r\n", -32700},
		{"not JSON", frameOf("hello"), -32700},
		{"NUL body", frameOf("\x00\x00"), -32700},
		{"cut JSON", frameOf(good[:20]), -32700},
		{"two messages", frameOf(good + good), -32700},
		{"text after", frameOf(good + "x"), -32700},
		{"100,000 arrays", frameOf(nested), -32700},
		{"nested params", frameOf(with(strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300))), -32700},
		{"control character", frameOf(with("{\"a\":\"\x01\"}")), -32700},
		{"bad escape", frameOf(with(`{"a":"\x"}`)), -32700},
		{"half an escape", frameOf(with(`{"a":"\u12"}`)), -32700},
		{"leading zero", frameOf(with(`[01]`)), -32700},
		{"bare minus", frameOf(with(`[-]`)), -32700},
		{"comma at the end", frameOf(with(`[1,]`)), -32700},
		{"single quotes", frameOf(with(`{'a':1}`)), -32700},
		{"NaN", frameOf(with(`[NaN]`)), -32700},
		{"same name twice", frameOf(with(`{"a":1,"a":2}`)), -32700},
		{"same name twice, escaped", frameOf(with(`{"a":1,"\u0061":2}`)), -32700},
		{"same name among many", frameOf(with("{" + strings.Join(many, ",") + `,"k5":2}`)), -32700},
		{"two methods", frameOf(`{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`), -32700},

		{"a number", frameOf("42"), -32600},
		{"a batch", frameOf("[" + good + "]"), -32600},
		{"no version", frameOf(`{"id":1,"method":"m"}`), -32600},
		{"version 1.0", frameOf(`{"jsonrpc":"1.0","id":1,"method":"m"}`), -32600},
		{"Method", frameOf(`{"jsonrpc":"2.0","id":1,"Method":"m"}`), -32600},
		{"method and METHOD", frameOf(`{"jsonrpc":"2.0","id":1,"method":"m","METHOD":"n"}`), -32600},
		{"method is a number", frameOf(`{"jsonrpc":"2.0","id":1,"method":1}`), -32600},
		{"empty method", frameOf(`{"jsonrpc":"2.0","id":1,"method":""}`), -32600},
		{"id is a fraction", frameOf(`{"jsonrpc":"2.0","id":1.5,"method":"m"}`), -32600},
		{"id is null", frameOf(`{"jsonrpc":"2.0","id":null,"method":"m"}`), -32600},
		{"id is an object", frameOf(`{"jsonrpc":"2.0","id":{},"method":"m"}`), -32600},
		{"params are text", frameOf(with(`"x"`)), -32600},
		{"result and error", frameOf(`{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}`), -32600},
		{"neither", frameOf(`{"jsonrpc":"2.0","id":1}`), -32600},
	}
	for _, c := range cases {
		bodies, output, end := session(t, c.input+frameOf(good))
		if c.answer == 0 {
			var header *HeaderError
			if len(bodies) != 0 || !errors.As(end, &header) && !errors.Is(end, io.ErrUnexpectedEOF) {
				t.Errorf("%s: handed out %q and ended with %v, want nothing and a broken stream", c.name, bodies, end)
			}
			continue
		}
		want := fmt.Sprintf(`"code":%d`, c.answer)
		if len(bodies) != 1 || bodies[0] != good || strings.Count(output, want) != 1 || end != io.EOF {
			t.Errorf("%s: answered %q and handed out %q (%v), want one %s and the next message", c.name, output, bodies, end, want)
		}
	}
}

func TestGoodFrames(t *testing.T) {
	for _, body := range []string{
		good,
		`{"jsonrpc":"2.0","id":"a","method":"m"}`,
		`{"jsonrpc":"2.0","id":-9007199254740993,"method":"m","params":null}`,
		`{"jsonrpc":"2.0","method":"textDocument\/didOpen","params":[]}`,
		` {"params" : {"text":"\ud83d\ude00 \ud800 é` + "\x7f\xff" + `"},"method":"n","jsonrpc":"2.0"} `,
		`{"jsonrpc":"2.0","id":3,"result":null}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`,
		`{"jsonrpc":"2.0","method":"m","params":{"a":{"x":1},"b":{"x":1},"x":[{"x":-0.5e+7}]},"trace":1}`,
	} {
		if bodies, output, _ := session(t, frameOf(body)); len(bodies) != 1 || bodies[0] != body || output != "" {
			t.Errorf("%s: handed out %q and answered %q", body, bodies, output)
		}
	}
}

// TestRefusalNamesTheRequest checks that a request with a readable id gets a
// response with that id, even when another part of the request is wrong.
func TestRefusalNamesTheRequest(t *testing.T) {
	_, output, _ := session(t, frameOf(`{"jsonrpc":"2.0","id":"q","method":1}`))
	if !strings.Contains(output, `"id":"q"`) {
		t.Errorf("answered %s, want the id", output)
	}
}

func TestLargeFrameIsAllocatedAsItComes(t *testing.T) {
	r := newFrameReader(io.MultiReader(strings.NewReader("Content-Length: 60000000\r\n\r\n"), strings.NewReader("{}")))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := r.next()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; err != io.ErrUnexpectedEOF || got > 4<<20 {
		t.Errorf("got %v after %d bytes of memory, want an unexpected end after about %d", err, got, growStep)
	}
	body := strings.Repeat("x", 3<<20)
	r = newFrameReader(strings.NewReader(frameOf(body)))
	if got, err := r.next(); err != nil || string(got) != body {
		t.Errorf("a large body came back with %d bytes (%v), want %d", len(got), err, len(body))
	}
}

func TestCancelOvertakes(t *testing.T) {
	reader, writer := io.Pipe()
	s := New(reader, io.Discard, func(string) {}, nil)
	done := make(chan struct{})
	go func() { defer close(done); s.Ahead() }()
	input := frameOf(good) + frameOf(`{"jsonrpc":"2.0","id":8,"method":"m"}`) +
		frameOf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":8}}`) + frameOf(`{"jsonrpc":"2.0","method":"sync"}`)
	go func() { _, _ = io.WriteString(writer, input) }()
	if _, _, err := s.ReadFrame(context.Background()); err != nil {
		t.Fatal(err)
	}
	first := s.Call(jsonrpc2.NewNumberID(7))
	ctx := first.Context(context.Background())
	for s.queuedFrames() < 2 { // until Ahead is past the cancel
		runtime.Gosched()
	}
	queued := s.Call(jsonrpc2.NewNumberID(8))
	if cause := context.Cause(queued.Context(context.Background())); !errors.Is(cause, ErrCancelled) {
		t.Errorf("the queued request's context has cause %v, want %v", cause, ErrCancelled)
	}
	if ctx.Err() != nil {
		t.Errorf("the other request was cancelled too: %v", ctx.Err())
	}
	if _, err := io.WriteString(writer, frameOf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}`)); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	first.Done()
	queued.Done()
	writer.Close()
	<-done
}

func (s *Stream) queuedFrames() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue)
}

// A stuck is a client that does not read until release is closed.
type stuck struct {
	release chan struct{}
	got     bytes.Buffer
}

func (s *stuck) Write(p []byte) (int, error) {
	<-s.release
	return s.got.Write(p)
}

// TestClientThatDoesNotRead checks that the server stops reading from a client
// that reads nothing, and that every response arrives, in order, once it reads.
func TestClientThatDoesNotRead(t *testing.T) {
	const n = 60_000
	client := &stuck{release: make(chan struct{})}
	reader, writer := io.Pipe()
	s := New(reader, client, func(string) {}, nil)
	var taken atomic.Int64
	var all sync.WaitGroup
	all.Go(s.Ahead)
	all.Go(func() {
		for i := range n {
			if _, err := io.WriteString(writer, frameOf(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m"}`, i))); err != nil {
				t.Error(err)
			}
			taken.Store(int64(i))
		}
		writer.Close()
	})
	all.Go(func() {
		for body, _, err := s.ReadFrame(context.Background()); err == nil; body, _, err = s.ReadFrame(context.Background()) {
			m, _ := check(body)
			s.Call(m.id).Done()
			if _, err := s.WriteFrame(context.Background(), fmt.Appendf(nil, `{"id":%v,"result":"%0100d"}`, m.id, 0)); err != nil {
				t.Error(err)
			}
		}
	})
	for s.queuedFrames() < aheadFrames {
		runtime.Gosched()
	}
	if got := taken.Load(); got >= n-1 {
		t.Errorf("all %d requests were taken from a client that reads nothing", n)
	}
	if got := s.backlog(); got > readMark+1<<20 {
		t.Errorf("%d bytes of output wait for a client that reads nothing, want about %d", got, readMark)
	}
	close(client.release)
	all.Wait()
	s.Flush(time.Minute)
	at := 0
	for i := range n {
		next := bytes.Index(client.got.Bytes()[at:], fmt.Appendf(nil, `{"id":%d,`, i))
		if next < 0 {
			t.Fatalf("the answer to request %d is missing or out of order", i)
		}
		at += next
	}
}

func (s *Stream) backlog() int {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	return len(s.out.buf)
}

func TestAppendFrame(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 99, 12345} {
		body := strings.Repeat("x", n)
		got := string(appendFrame([]byte("before"), func(b []byte) []byte { return append(b, body...) }))
		if want := "before" + frameOf(body); got != want {
			t.Errorf("a body of %d bytes is framed as %.60q, want %.60q", n, got, want)
		}
	}
}

func FuzzFrame(f *testing.F) {
	f.Add([]byte(frameOf(good)))
	f.Add([]byte("Content-Length: 5\r\n\r\nhello" + frameOf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)))
	f.Add([]byte(frameOf(`{"jsonrpc":"2.0","id":"\u0041","method":"a","params":{"a":[1,2.5e3,"\ud800"]}}`)))
	f.Fuzz(func(t *testing.T, input []byte) {
		bodies, output, end := session(t, string(input))
		if end == nil {
			t.Fatal("the stream did not end")
		}
		for _, body := range bodies {
			if !json.Valid([]byte(body)) {
				t.Errorf("handed out %q, which is not JSON", body)
			}
			if _, err := jsonrpc2.DecodeMessage([]byte(body)); err != nil {
				t.Errorf("handed out %q, which the connection cannot decode: %v", body, err)
			}
		}
		if replies, _, err := session(t, output); err != io.EOF || strings.Count(output, "Content-Length") != len(replies) {
			t.Errorf("answered %q, which is not whole frames: %v", output, err)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	body := []byte(`{"jsonrpc":"2.0","id":12,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///home/user/project/main.go"},"position":{"line":120,"character":14}}}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, fault := check(body); fault != nil {
			b.Fatal(fault)
		}
	}
}

func BenchmarkCheckLargeText(b *testing.B) {
	body := []byte(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"text":"` + strings.Repeat(`func main() {\n\tfmt.Println(\"hello\")\n}\n`, 20_000) + `"}}`)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, fault := check(body); fault != nil {
			b.Fatal(fault)
		}
	}
}
