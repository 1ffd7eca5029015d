//go:build reliability && linux

package reliability

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkPing is one request and its answer, over the process's pipes.
func BenchmarkPing(b *testing.B) {
	s := launch(b)
	s.initialize(nil, "")
	id := 0
	for b.Loop() {
		id++
		s.send(request(id, "tandem/ping", nil))
		s.wait(fmt.Sprint(id), time.Second)
	}
	b.ReportMetric(float64(s.processorTime().Microseconds())/float64(b.N), "cpu-us/op")
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
