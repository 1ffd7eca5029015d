//go:build reliability && linux

package reliability

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// within fails a row that took longer than its limit, times how much slower the
// machine's other work made programs in that time, which ends now.
func within(t *testing.T, what string, got, bar time.Duration) {
	t.Helper()
	withinSince(t, what, time.Now().Add(-got), got, bar)
}

// withinSince is within for what was measured since a time.
func withinSince(t *testing.T, what string, since time.Time, got, bar time.Duration) {
	t.Helper()
	if got > bar {
		if slower := machine.slower(since); got > time.Duration(float64(bar)*slower) {
			t.Errorf("%s took %v, the bar is %v on a machine that is %.1f times slower than when idle", what, got, bar, slower)
		}
	}
	t.Logf("%s: %v (bar %v)", what, got.Round(time.Millisecond), bar)
}

func below(t *testing.T, what string, got, bar float64) {
	t.Helper()
	if got > bar {
		t.Errorf("%s is %.1f MiB, the bar is %.0f", what, got, bar)
	}
	t.Logf("%s: %.1f MiB (bar %.0f)", what, got, bar)
}

func TestA1ClientDeath(t *testing.T) {
	for range 5 {
		client := exec.Command("sleep", "60")
		if err := client.Start(); err != nil {
			t.Fatal(err)
		}
		s := launch(t)
		s.initialize(client.Process.Pid, "")
		_ = client.Process.Kill()
		_ = client.Wait()
		_, took := s.ends(patience)
		within(t, "end after the client's death", took, 2*time.Second)
	}
}

func TestA1ClientInAnotherNamespace(t *testing.T) {
	t.Parallel()
	s := launch(t)
	s.initialize(1<<22-1, "") // a process that never existed
	select {
	case <-s.exited:
		t.Error("the server ended because of a process it never saw")
	case <-time.After(20 * time.Second):
	}
}

func TestA2EndOfInput(t *testing.T) {
	var worst time.Duration
	for i := range 50 {
		s := launch(t)
		switch i % 3 {
		case 0:
			s.initialize(nil, "")
		case 1:
			s.initialize(nil, "")
			s.send("Content-Length: 1000\r\n\r\n{\"jsonrpc\":")
		case 2:
			s.initialize(nil, "")
			s.send(notification("textDocument/didOpen", object{"textDocument": object{"uri": "untitled:a", "languageId": "go", "version": 1, "text": "package a\n"}}))
			s.send(request(1, "textDocument/inlineCompletion", object{"textDocument": object{"uri": "untitled:a"}, "position": object{"line": 0, "character": 9}, "context": object{"triggerKind": 1}}))
		}
		_ = s.in.Close()
		_, took := s.ends(patience)
		worst = max(worst, fairly(took, 500*time.Millisecond))
	}
	within(t, "slowest end of 50 after the end of input", worst, 500*time.Millisecond)
}

func TestA3ExitCodes(t *testing.T) {
	check := func(name string, s *server, want int) {
		t.Helper()
		code, took := s.ends(patience)
		if code != want {
			t.Errorf("%s: exit code %d, want %d", name, code, want)
		}
		within(t, name, took, 500*time.Millisecond)
	}
	s := launch(t)
	s.send(request(1, "textDocument/hover", object{}))
	if m := s.wait("1", patience); m.Error == nil || m.Error.Code != -32002 {
		t.Errorf("a request before initialize gave %+v, want -32002", m.Error)
	}
	s.initialize(nil, "")
	s.send(request(2, "shutdown", nil))
	s.wait("2", patience)
	s.send(request(3, "textDocument/hover", object{}))
	if m := s.wait("3", patience); m.Error == nil || m.Error.Code != -32600 {
		t.Errorf("a request after shutdown gave %+v, want -32600", m.Error)
	}
	s.send(notification("exit", nil))
	check("shutdown and exit", s, 0)

	s = launch(t)
	s.initialize(nil, "")
	s.send(notification("exit", nil))
	check("exit alone", s, 1)

	s = launch(t)
	s.initialize(nil, "")
	s.signal(syscall.SIGTERM)
	check("SIGTERM", s, 0)
}

func TestA4MalformedFrames(t *testing.T) {
	raw := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	with := func(params string) string {
		return raw(`{"jsonrpc":"2.0","id":"bad","method":"m","params":` + params + `}`)
	}
	bad := map[string]string{
		"length abc": "Content-Length: abc\r\n\r\n", "length -1": "Content-Length: -1\r\n\r\n", "length 8 GiB": "Content-Length: 8589934592\r\n\r\n",
		"length 2 GB": "Content-Length: 2000000000\r\n\r\n", "length huge": "Content-Length: 999999999999999999999\r\n\r\n", "length 1.5": "Content-Length: 1.5\r\n\r\n",
		"length empty": "Content-Length: \r\n\r\n", "length twice": "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "no length": "X: y\r\n\r\n",
		"no header": "\r\n\r\n", "no colon": "Content-Length 2\r\n\r\n{}", "LF only": "Content-Length: 2\n\n{}", "NUL header": "\x00\x00\x00\x00\r\n\r\n",
		"endless line": strings.Repeat("a", 1<<20), "HTTP": "POST / HTTP/1.1\r\nHost: a\r\n\r\n", "JSON alone": `{"jsonrpc":"2.0"}` + "\r\n",
		"empty body": raw(""), "not JSON": raw("hello"), "NUL body": raw("\x00"), "half JSON": raw(`{"jsonrpc":`), "two values": raw("{}{}"),
		"100k arrays": raw(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)), "100k objects": raw(strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)),
		"control": with("{\"a\":\"\x01\"}"), "escape": with(`{"a":"\q"}`), "short \\u": with(`{"a":"\u00"}`), "leading zero": with("[00]"), "comma": with("[1,]"),
		"NaN": with("[NaN]"), "duplicate": with(`{"a":1,"a":2}`), "duplicate method": raw(`{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`),
		"number": raw("1"), "string": raw(`"x"`), "batch": raw("[]"), "no version": raw(`{"id":1,"method":"m"}`), "wrong version": raw(`{"jsonrpc":"1.0","id":1,"method":"m"}`),
		"Method": raw(`{"jsonrpc":"2.0","id":1,"Method":"m"}`), "method 1": raw(`{"jsonrpc":"2.0","id":1,"method":1}`), "id 1.5": raw(`{"jsonrpc":"2.0","id":1.5,"method":"m"}`),
		"id object": raw(`{"jsonrpc":"2.0","id":{},"method":"m"}`), "params text": with(`"x"`), "charset": "Content-Length: 2\r\nContent-Type: a; charset=utf-16\r\n\r\n{}",
	}
	if len(bad) < 40 {
		t.Fatalf("the table has %d rows, want 40", len(bad))
	}
	var worst time.Duration
	for name, input := range bad {
		s := launch(t)
		s.initialize(nil, "")
		before := s.memory("VmHWM")
		s.send(input)
		s.send(request("after", "textDocument/hover", object{"textDocument": object{"uri": "x"}, "position": object{"line": 0, "character": 0}}))
		start := time.Now()
		for s.answered() < 3 && time.Since(start) < patience {
			select {
			case <-s.exited:
				if code := s.cmd.ProcessState.ExitCode(); code != 1 || s.stderr.Len() == 0 {
					t.Errorf("%s: exit code %d and %q, want 1 and a sentence", name, code, s.stderr.String())
				}
				start = time.Time{}
			case <-time.After(time.Millisecond):
			}
		}
		if start.IsZero() {
			continue
		}
		if s.answered() < 3 {
			t.Errorf("%s: neither an answer nor an end", name)
			continue
		}
		worst = max(worst, fairly(time.Since(start), time.Second))
		if grown := s.memory("VmHWM") - before; grown > 16 {
			t.Errorf("%s: memory grew by %.1f MiB", name, grown)
		}
	}
	within(t, "slowest answer to a malformed frame", worst, time.Second)
}

const floodRequests = 20_000

func hover(id int) string {
	return request(id, "textDocument/hover", object{"textDocument": object{"uri": "untitled:a"}, "position": object{"line": 1, "character": 6}})
}

func opened(t *testing.T) *server {
	s := launch(t)
	s.initialize(nil, "")
	s.send(notification("textDocument/didOpen", object{"textDocument": object{"uri": "untitled:a", "languageId": "go", "version": 1, "text": "package a\nfunc main() {}\n"}}))
	s.send(hover(0))
	s.wait("0", patience)
	return s
}

func TestA8FloodAndCancel(t *testing.T) {
	for name, ask := range map[string]func(int) string{"hover": hover, "completion": func(id int) string { return completion(id, "untitled:a", 1, 6) }} {
		t.Run(name, func(t *testing.T) { flood(t, ask) })
	}
}

func flood(t *testing.T, ask func(int) string) {
	s := opened(t)
	before := s.memory("VmHWM")
	var all strings.Builder
	for i := 1; i <= floodRequests; i++ {
		all.WriteString(ask(i))
		all.WriteString(notification("$/cancelRequest", object{"id": i}))
	}
	start := time.Now()
	s.send(all.String())
	for s.answered() < floodRequests+2 && time.Since(start) < patience {
		time.Sleep(time.Millisecond)
	}
	within(t, "20,000 requests, each cancelled", time.Since(start), 2500*time.Millisecond)
	if got := s.answered(); got != floodRequests+2 {
		t.Errorf("%d of %d requests were answered", got, floodRequests+2)
	}
	below(t, "growth of memory", s.memory("VmHWM")-before, 64)
	start = time.Now()
	s.send(hover(30_000))
	s.wait("30000", patience)
	within(t, "a request after the flood", time.Since(start), 100*time.Millisecond)
}

func TestA9ClientStopsReading(t *testing.T) {
	s := opened(t)
	before := s.memory("VmHWM")
	s.holdReading(true)
	s.send(hover(1)) // so that the reader notices that it must stop
	written := make(chan struct{})
	go func() {
		defer close(written)
		for i := 2; i <= floodRequests; i++ {
			s.send(hover(i))
		}
	}()
	time.Sleep(8 * time.Second)
	below(t, "growth of memory while nobody reads", s.memory("VmHWM")-before, 64)
	start := time.Now()
	s.holdReading(false)
	s.wait(strconv.Itoa(floodRequests), patience)
	<-written
	within(t, "all answers after the pause", time.Since(start), 5*time.Second)
	s.mu.Lock()
	defer s.mu.Unlock()
	last := -1
	for _, id := range s.order[1:] {
		n, _ := strconv.Atoi(id)
		if n < last {
			t.Fatalf("the answer to %d came after that to %d", n, last)
		}
		last = n
	}
	if len(s.order) != floodRequests+2 {
		t.Errorf("%d answers, want %d", len(s.order), floodRequests+2)
	}
}

func TestA12HugeFiles(t *testing.T) {
	for name, text := range map[string]string{
		"50 MB": strings.Repeat("func f() { return 1 } // a line of code that goes on a bit\n", 50<<20/60), "one line of 20 MB": strings.Repeat("x", 20<<20),
		"binary": strings.Repeat("\x00\x01\ufffd", 1<<18),
	} {
		s := launch(t)
		s.initialize(nil, "")
		open := notification("textDocument/didOpen", object{"textDocument": object{"uri": "untitled:big", "languageId": "x", "version": 1, "text": text}})
		start := time.Now()
		s.send(open)
		s.send(request(1, "textDocument/hover", object{"textDocument": object{"uri": "untitled:big"}, "position": object{"line": 0, "character": 0}}))
		s.wait("1", patience)
		within(t, "opening "+name, time.Since(start), time.Second)
		below(t, "memory with "+name, s.memory("VmHWM"), 200)
	}
}

func TestA12ManyFiles(t *testing.T) {
	root := t.TempDir()
	for dir := range 1000 {
		path := filepath.Join(root, fmt.Sprintf("d%d", dir))
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		for file := range 100 {
			if err := os.WriteFile(filepath.Join(path, fmt.Sprintf("f%d.go", file)), []byte("package d\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := launch(t)
	start := time.Now()
	s.initialize(nil, root)
	within(t, "initialize over 100,000 files", time.Since(start), time.Second)
}

func TestA15Idle(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.quiet()
	before, start := s.processorTime(), time.Now()
	time.Sleep(60 * time.Second)
	withinSince(t, "processor time of 60 s idle", start, s.processorTime()-before, 60*time.Millisecond)
}

func TestA11IdleMemory(t *testing.T) {
	s := launch(t)
	s.initialize(nil, "")
	s.quiet()
	below(t, "memory after initialize", s.memory("VmRSS"), 40)
}
