package local

import (
	"fmt"
	"strings"
	"testing"

	"tandem/model"
)

// long is a file of about n lines.
func long(n int) string {
	var b strings.Builder
	for i := range n / 13 {
		b.WriteString(handler(fmt.Sprintf("Thing%d", i)))
	}
	return b.String()
}

// BenchmarkChangedFile learns one file of 2,000 lines that changed.
func BenchmarkChangedFile(b *testing.B) {
	src := long(2000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		l := newLearner()
		l.file("a.go", "go", src)
		l.finish(false)
	}
}

// BenchmarkSuggestion asks in the middle of a file of 2,000 lines, with as much
// around the cursor as an editor gives.
func BenchmarkSuggestion(b *testing.B) {
	c := handlers("Order", "Customer", "Invoice", "Payment")
	e, src := New(nil), long(1600)
	f := &model.Fill{Path: "api/long.go", Prefix: src[:len(src)*3/4], Suffix: src[len(src)*3/4:]}
	for b.Loop() {
		e.Consider(c, f)
	}
}
