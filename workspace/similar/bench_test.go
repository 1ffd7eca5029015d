package similar

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// BenchmarkRank ranks at random places of the tree that TANDEM_BENCH_TREE
// names, each in another file.
func BenchmarkRank(b *testing.B) {
	root := os.Getenv("TANDEM_BENCH_TREE")
	if root == "" {
		b.Skip("TANDEM_BENCH_TREE names no tree")
	}
	ix, _, err := index.Build(context.Background(), index.Options{Root: root})
	if err != nil {
		b.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c := NewCorpus(b.Context(), ix, "")
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.Logf("%d pieces, %d words, %.1f MB", c.numPieces, c.built, float64(after.HeapAlloc-before.HeapAlloc)/1e6)
	random := rand.New(rand.NewPCG(1, 2))
	var queries []Query
	for len(queries) < 64 {
		f := c.files[random.IntN(len(c.files))]
		if f == nil || language.IsTest(f.path) || len(f.pieces) < 3 {
			continue
		}
		id, _ := ix.FileID(f.path)
		if text, err := ix.Text(id); err == nil {
			queries = append(queries, Query{Path: f.path, Text: text, At: random.IntN(len(text))})
		}
	}
	c.Rank(ix, queries[0])
	b.ResetTimer()
	for i := range b.N {
		c.Rank(ix, queries[i%len(queries)])
	}
}
