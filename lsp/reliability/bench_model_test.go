//go:build reliability && linux

package reliability

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// documents are the sizes at which language servers are compared.
var documents = []struct {
	name  string
	bytes int
}{{"10KB", 10 << 10}, {"200KB", 200 << 10}, {"1MB", 1 << 20}}

// sized is Go source of about n bytes.
func sized(n int) string {
	text := goSource(n / len(goSource(100)) * 100)
	for i := 0; len(text) < n; i++ {
		text += fmt.Sprintf("\nfunc more%d() {}\n", i)
	}
	return text
}

// figures are durations whose quantiles are reported.
type figures []time.Duration

func (f figures) report(b *testing.B, name string) {
	slices.Sort(f)
	for _, q := range []struct {
		name string
		at   int
	}{{"p50", len(f) / 2}, {"p99", len(f) * 99 / 100}} {
		b.ReportMetric(float64(f[q.at].Microseconds())/1000, name+q.name+"-ms")
	}
}

// openSized starts a server whose fast model answers at once, with a document of
// this size.
func openSized(b *testing.B, bytes int, script string) (s *server, uri string, line int) {
	m := serveModels(b, script)
	h := newHome(b)
	h.twoModels(m.address, "supports_websockets = true")
	text := sized(bytes)
	h.write("work.go", text)
	s = h.launch(nil)
	s.handshake(allOfTandem(), h.workspace)
	s.openText(h.uri("work.go"), text)
	return s, h.uri("work.go"), strings.Count(text[:strings.Index(text[len(text)/2:], "return")+len(text)/2], "\n")
}

func replaceLine(uri string, version, line int, text string) string {
	return notification("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": version}, "contentChanges": []object{{
		"range": object{"start": object{"line": line, "character": 0}, "end": object{"line": line, "character": 1 << 20}}, "text": text}}})
}

// BenchmarkInline is a didChange and the completion after it, through the real
// program and a model server of its own process that answers at once; and the
// same question again, which the cache answers.
func BenchmarkInline(b *testing.B) {
	for _, size := range documents {
		b.Run(size.name, func(b *testing.B) {
			s, uri, line := openSized(b, size.bytes, "[[rules]]\nanswer = \"a + b\\n\"\n")
			var asked, cached figures
			before := s.processorTime()
			id := 0
			ask := func(kind, character int) time.Duration {
				id++
				start := time.Now()
				s.send(triggered(kind, id, uri, line, character))
				if m := s.wait(fmt.Sprint(id), 10*time.Second); !strings.Contains(string(m.Result), "b") {
					b.Fatalf("%s", m.Result)
				}
				return time.Since(start)
			}
			for i := range b.N {
				typed := fmt.Sprintf("\tv%d := ", i)
				start := time.Now()
				s.send(replaceLine(uri, i+2, line, typed))
				ask(1, len(typed))
				asked = append(asked, time.Since(start))
				cached = append(cached, ask(2, len(typed)))
			}
			asked.report(b, "")
			cached.report(b, "cached-")
			b.ReportMetric(float64((s.processorTime()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
			b.ReportMetric(s.memory("VmRSS"), "MiB")
		})
	}
}

// BenchmarkChange is incremental changes in the middle of a document.
func BenchmarkChange(b *testing.B) {
	for _, size := range documents {
		b.Run(size.name, func(b *testing.B) {
			s, uri, line := openSized(b, size.bytes, "")
			s.send(request("opened", "tandem/ping", nil))
			s.wait(`"opened"`, 10*time.Second)
			var all strings.Builder
			for i := range b.N {
				all.WriteString(replaceLine(uri, i+2, line, fmt.Sprintf("\tv%d := 1", i)))
			}
			all.WriteString(request("done", "tandem/ping", nil))
			before := s.processorTime()
			b.ResetTimer()
			s.send(all.String())
			s.wait(`"done"`, time.Minute)
			b.ReportMetric(float64((s.processorTime()-before).Microseconds())/float64(b.N), "cpu-us/op")
		})
	}
}

// BenchmarkTokens streams an answer of 4,000 tokens at 1,000 tokens/s to the
// editor: the processor time of the server, and how many notifications carried it.
func BenchmarkTokens(b *testing.B) {
	m := serveModels(b, "[[rules]]\nanswer = \"word \"\nrepeat = 4000\ntokens_per_second = 1000\n")
	h := newHome(b)
	h.twoModels(m.address, "supports_websockets = true")
	h.write("work.go", goSource(10))
	var mu sync.Mutex
	notes := 0
	s := h.launch(func(n reply, _ int) {
		mu.Lock()
		defer mu.Unlock()
		if n.Method == "$/progress" {
			notes++
		}
	})
	s.handshake(allOfTandem(), h.workspace)
	s.send(request("warm", "tandem/ping", nil))
	s.wait(`"warm"`, 10*time.Second)
	time.Sleep(time.Second) // the index has been saved
	used, spent := time.Duration(0), time.Duration(0)
	for i := range b.N {
		before, start := s.processorTime(), time.Now()
		s.send(request(i, "tandem/ask", object{"question": fmt.Sprint("what is add", i, "?"), "partialResultToken": fmt.Sprint("p", i)}))
		var got struct{ Answer string }
		if err := json.Unmarshal(s.wait(fmt.Sprint(i), time.Minute).Result, &got); err != nil || strings.Count(got.Answer, "word") != 4000 {
			b.Fatalf("%v %d", err, len(got.Answer))
		}
		used, spent = used+s.processorTime()-before, spent+time.Since(start)
	}
	mu.Lock()
	defer mu.Unlock()
	b.ReportMetric(100*float64(used)/float64(spent), "%core")
	b.ReportMetric(float64(notes)/spent.Seconds(), "notifications/s")
}
