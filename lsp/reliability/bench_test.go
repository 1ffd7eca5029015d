//go:build reliability && linux

package reliability

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkPing is one request and its answer over the process's pipes, from
// before the request is written until the answer's last byte is read.
func BenchmarkPing(b *testing.B) {
	h := newHome(b)
	c := h.command("serve", "--stdio")
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = in.Close(); _ = c.Wait() })
	r := bufio.NewReader(out)
	ask := func(frame string) {
		if _, err := io.WriteString(in, frame); err != nil {
			b.Fatal(err)
		}
		header, err := r.ReadSlice('\n')
		if err != nil {
			b.Fatal(err)
		}
		length, err := strconv.Atoi(string(header[len("Content-Length: ") : len(header)-2]))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Discard(2 + length); err != nil {
			b.Fatal(err)
		}
	}
	ask(request(0, "initialize", object{"processId": nil, "rootUri": nil, "capabilities": object{}}))
	ping := request(1, "tandem/ping", nil)
	for b.Loop() {
		ask(ping)
	}
}

// BenchmarkPipelined is requests sent without waiting for answers.
func BenchmarkPipelined(b *testing.B) {
	s := launch(b)
	s.initialize(nil, "")
	var all strings.Builder
	for id := range b.N {
		all.WriteString(request(id, "tandem/ping", nil))
	}
	b.ResetTimer()
	s.send(all.String())
	s.wait(fmt.Sprint(b.N-1), time.Minute)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
	b.ReportMetric(float64(s.processorTime().Microseconds())/float64(b.N), "cpu-us/op")
}

// BenchmarkStart is from launch to the answer to initialize.
func BenchmarkStart(b *testing.B) {
	memory := 0.0
	for b.Loop() {
		s := launch(b)
		s.initialize(nil, "")
		memory = s.memory("VmRSS")
		_ = s.in.Close()
		<-s.exited
	}
	b.ReportMetric(memory, "MiB")
}
