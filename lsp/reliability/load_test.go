//go:build reliability && linux

package reliability

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var soakTime = flag.Duration("soak", time.Minute, "how long row A11 edits and streams; 10m is the whole row")

// goSource is a Go file with n functions.
func goSource(n int) string {
	var out strings.Builder
	out.WriteString("package work\n")
	for i := range n {
		fmt.Fprintf(&out, "\n// add%d adds.\nfunc add%d(a, b int) int {\n\treturn a + b\n}\n", i, i)
	}
	return out.String()
}

// allOfTandem is a client that wants every notification.
func allOfTandem() object {
	return object{"processId": nil, "initializationOptions": object{"trusted": true}, "capabilities": object{
		"window":       object{"workDoneProgress": true},
		"workspace":    object{"applyEdit": true, "codeLens": object{"refreshSupport": true}},
		"experimental": object{"tandem": object{"proposals": true, "status": true, "tasks": true, "inline": true}},
	}}
}

// An output counts the bytes, notifications and proposals that a server sent.
type output struct {
	mu           sync.Mutex // guards all below
	notes, bytes int
	proposals    int
}

func (o *output) count(m reply, bytes int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bytes += bytes
	if m.Method != "" {
		o.notes++
	}
	if m.Method == "tandem/proposal" {
		o.proposals++
	}
}

// A typist changes a document repeatedly and sometimes asks for ghost text.
type typist struct {
	s       *server
	uri     string
	version int
	asked   int
	random  *rand.Rand
}

// keys sends n edits in one write: letters typed in random lines and removed
// again, so that the document keeps its size.
func (w *typist) keys(n int) {
	var frames strings.Builder
	for range n {
		line := 5 * w.random.IntN(100)
		at := object{"line": line, "character": 0}
		change := object{"range": object{"start": at, "end": at}, "text": "x"}
		if w.version%2 == 0 {
			change = object{"range": object{"start": object{"line": 0, "character": 0}, "end": object{"line": 0, "character": 1 << 20}}, "text": "package work"}
		}
		if w.version%200 == 199 {
			change = object{"text": goSource(100)}
		}
		w.version++
		frames.WriteString(notification("textDocument/didChange", object{"textDocument": object{"uri": w.uri, "version": w.version}, "contentChanges": []object{change}}))
	}
	w.s.send(frames.String())
}

// ask asks for ghost text and returns the request's id.
func (w *typist) ask() string {
	w.asked++
	w.s.send(completion(1_000_000+w.asked, w.uri, 3+5*w.random.IntN(90), 0))
	return fmt.Sprint(1_000_000 + w.asked)
}

func (h *home) typist(onMessage func(reply, int)) *typist {
	h.write("work.go", goSource(100))
	s := h.launch(onMessage)
	s.handshake(allOfTandem(), h.workspace)
	s.openText(h.uri("work.go"), goSource(100))
	return &typist{s: s, uri: h.uri("work.go"), version: 1, random: rand.New(rand.NewPCG(1, 2))}
}

// TestA10Output types 1,000 keys a second while a model never comes to an end.
func TestA10Output(t *testing.T) {
	m := serveModels(t, "[[rules]]\nanswer = \"looping and looping and \"\nrepeat = 100000\n")
	h := newHome(t)
	h.twoModels(m.address, "supports_websockets = true")
	var received output
	w := h.typist(received.count)
	const seconds = 8
	start := time.Now()
	for i := 0; time.Since(start) < seconds*time.Second; i++ {
		w.keys(10)
		switch i % 50 {
		case 1:
			w.ask()
		case 2:
			w.s.send(request(i, "tandem/edit", object{"textDocument": object{"uri": w.uri}, "instruction": "loop", "partialResultToken": fmt.Sprint("p", i)}))
		}
		time.Sleep(time.Until(start.Add(time.Duration(i) * 10 * time.Millisecond)))
	}
	took := time.Since(start).Seconds()
	received.mu.Lock()
	defer received.mu.Unlock()
	perSecond, mebibytes := float64(received.notes)/took, float64(received.bytes)/took/(1<<20)
	t.Logf("%d edits in %.1f s: %.1f notifications/s (bar 50), %.3f MiB/s (bar 1), %d of them of proposals", w.version, took, perSecond, mebibytes, received.proposals)
	if perSecond > 50 || mebibytes > 1 {
		t.Error("the server sends more than an editor can handle")
	}
	if received.proposals == 0 {
		t.Error("no notification reported the looping edits: the row measures nothing")
	}
}

// TestA11Soak edits 50 times and streams 5 times a second, as an editor in
// heavy use, and checks its memory and goroutines. It is also row A28: no
// socket listens, and only the configured server is dialled.
func TestA11Soak(t *testing.T) {
	t.Parallel()
	m := serveModels(t, "[[rules]]\nanswer = \"\\treturn a + b\\n}\\n\"\ntokens_per_second = 1000\n")
	h := newHome(t)
	h.twoModels(m.address, "supports_websockets = true")
	baseline := h.afterOneCompletion(t)

	w := h.typist(nil)
	watch := watchSockets(t, w.s.cmd.Process.Pid)
	var memory []float64
	start := time.Now()
	for i := 0; time.Since(start) < *soakTime; i++ {
		w.keys(5)
		if i%2 == 0 {
			w.ask()
		}
		if i%10 == 9 {
			memory = append(memory, w.s.memory("VmRSS"))
		}
		time.Sleep(time.Until(start.Add(time.Duration(i) * 100 * time.Millisecond)))
	}
	w.s.wait(w.ask(), patience)
	half := memory[len(memory)/2:]
	slope := slopeOf(half) * 60
	t.Logf("%d edits, %d streams: %.1f MiB, %+.2f MiB/min over the second half, baseline %d goroutines", w.version, w.asked, half[len(half)-1], slope, baseline)
	if *soakTime >= 5*time.Minute && slope > 1 {
		t.Errorf("memory grows by %.2f MiB/min, the bar is 1", slope)
	}
	if grown := slices.Max(half) - slices.Max(memory[:len(memory)/2]); grown > 16 {
		t.Errorf("memory grew by %.1f MiB from the first half to the second", grown)
	}
	listening, dialled := watch()
	if listening != 0 {
		t.Errorf("%d sockets listen", listening)
	}
	for _, address := range dialled {
		if "http://"+address != m.address {
			t.Errorf("%s was dialled, which is not configured", address)
		}
	}
	if len(dialled) == 0 {
		t.Error("no server was dialled: the row measures nothing")
	}
	if left := w.s.goroutines(); left > baseline+2 {
		t.Errorf("%d goroutines are left, %d after one completion: %s", left, baseline, w.s.stderr.String())
	}
}

// afterOneCompletion is the number of goroutines of a server after a few completions.
func (h *home) afterOneCompletion(t *testing.T) int {
	w := h.typist(nil)
	for range 3 {
		w.keys(1)
		w.s.wait(w.ask(), patience)
	}
	return w.s.goroutines()
}

// quiet waits for a second in which the server did nothing.
func (s *server) quiet() {
	before := s.processorTime()
	for quiet := 0; quiet < 10; quiet++ {
		time.Sleep(100 * time.Millisecond)
		if now := s.processorTime(); now != before {
			before, quiet = now, -1
		}
	}
}

var (
	goroutine = regexp.MustCompile(`(?m)^goroutine \d+ `)
	// pooled are the goroutines of the connections that wait for a next request, as
	// many as requests overlapped once, and those that the runtime starts as it
	// needs them.
	pooled = regexp.MustCompile(`(?m)^created by (net/http\.\(\*Transport\)\.dialConn|runtime\.)`)
)

// goroutines waits until the server is idle and makes it print its goroutines,
// which ends it. It counts those that the server started.
func (s *server) goroutines() int {
	s.t.Helper()
	s.quiet()
	s.signal(syscall.SIGQUIT)
	s.ends(patience)
	n := 0
	for _, stack := range strings.Split(s.stderr.String(), "\n\n") {
		if goroutine.MatchString(stack) && !pooled.MatchString(stack) {
			n++
		}
	}
	if n == 0 {
		s.t.Fatalf("the server printed no goroutines: %s", s.stderr.String())
	}
	return n
}

// slopeOf is the slope of the line through values a second apart.
func slopeOf(values []float64) float64 {
	n := float64(len(values))
	var sx, sy, sxy, sxx float64
	for i, y := range values {
		x := float64(i)
		sx, sy, sxy, sxx = sx+x, sy+y, sxy+x*y, sxx+x*x
	}
	if d := n*sxx - sx*sx; d != 0 {
		return (n*sxy - sx*sy) / d
	}
	return 0
}

// TestA15IdleSocket is a minute without requests with an open WebSocket.
func TestA15IdleSocket(t *testing.T) {
	t.Parallel()
	m := serveModels(t, "")
	h := newHome(t)
	h.twoModels(m.address, "supports_websockets = true")
	w := h.typist(nil)
	watch := watchSockets(t, w.s.cmd.Process.Pid)
	w.s.wait(w.ask(), patience)
	w.s.quiet() // the index has been saved
	before, start := w.s.processorTime(), time.Now()
	time.Sleep(time.Minute)
	withinSince(t, "processor time of a minute's silence with an open socket", start, w.s.processorTime()-before, 60*time.Millisecond)
	if _, dialled := watch(); len(dialled) == 0 || !strings.Contains(m.sent(), `"transport":"websocket"`) {
		t.Error("no socket was open: the row measures nothing")
	}
}
