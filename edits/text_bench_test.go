package edits_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"tandem/edits"
)

const benchLine = "\tif err := session.Update(ctx, change); err != nil { // 日本 and so on\r\n"

func sizedText(size int) string { return strings.Repeat(benchLine, size/len(benchLine)+1)[:size] }

func BenchmarkTextEdit(b *testing.B) {
	for _, size := range []int{1 << 20, 50 << 20} {
		b.Run(fmt.Sprintf("%dMB", size>>20), func(b *testing.B) {
			text := edits.NewText(sizedText(size))
			random := rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			for b.Loop() {
				at := random.IntN(text.Len() - 40)
				text = text.Replace(edits.Span{at, at + random.IntN(20)}, benchLine[:random.IntN(20)])
			}
		})
	}
}

// BenchmarkTextTyping is what a keystroke does: a position, an edit, a position back.
func BenchmarkTextTyping(b *testing.B) {
	for _, size := range []int{1 << 20, 50 << 20} {
		b.Run(fmt.Sprintf("%dMB", size>>20), func(b *testing.B) {
			text := edits.NewText(sizedText(size))
			random := rand.New(rand.NewPCG(1, 2))
			for b.Loop() {
				at := text.UTF16Offset(random.IntN(text.LineCount()), 30)
				text = text.Replace(edits.Span{at, at}, "x")
				if text.UTF16Column(at) < 0 {
					b.Fatal("negative column")
				}
			}
		})
	}
}

func BenchmarkNewText50MB(b *testing.B) {
	s := sizedText(50 << 20)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		edits.NewText(s)
	}
}

// BenchmarkTextMemory reports the heap that a text of 50 MB takes, with its
// bytes, fresh and after 100,000 edits, as a multiple of its length.
func BenchmarkTextMemory(b *testing.B) {
	for range b.N {
		before := heap()
		text := edits.NewText(strings.Clone(sizedText(50 << 20)))
		b.ReportMetric(float64(heap()-before)/float64(text.Len()), "fresh/len")
		random := rand.New(rand.NewPCG(1, 2))
		for range 100_000 {
			at := random.IntN(text.Len())
			text = text.Replace(edits.Span{at, at}, "x")
		}
		b.ReportMetric(float64(heap()-before)/float64(text.Len()), "edited/len")
		runtime.KeepAlive(text)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
