package complete

import (
	"fmt"
	"strings"
	"testing"

	"tandem/model"
)

// long returns a file of about n lines.
func long(n int) string {
	var b strings.Builder
	for i := range n / 13 {
		b.WriteString(handler(fmt.Sprintf("Thing%d", i)))
	}
	return b.String()
}

// BenchmarkChangedFile learns one changed file of 2,000 lines.
func BenchmarkChangedFile(b *testing.B) {
	src := long(2000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		tr := newTrainer()
		tr.file("a.go", "go", src, stamp{})
		tr.finish(false)
	}
}

// BenchmarkSuggestion requests a suggestion in the middle of a file of 2,000
// lines, with as much text around the cursor as an editor sends.
func BenchmarkSuggestion(b *testing.B) {
	c := handlers("Order", "Customer", "Invoice", "Payment")
	e, src := New(nil), long(1600)
	f := &model.Fill{Path: "api/long.go", Prefix: src[:len(src)*3/4], Suffix: src[len(src)*3/4:]}
	for b.Loop() {
		e.Consider(c, f)
	}
}
