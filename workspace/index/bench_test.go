package index

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tandem/workspace/rel"
	"tandem/workspace/run"
)

// benchTree is the tree that benchmarks index: BENCH_TREE, or Kubernetes from
// the module cache.
func benchTree(b *testing.B) string {
	if dir := os.Getenv("BENCH_TREE"); dir != "" {
		return dir
	}
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "k8s.io", "kubernetes@v1.34.1")
	if _, err := os.Stat(dir); err != nil {
		b.Fatalf("no tree to index: go mod download k8s.io/kubernetes@v1.34.1, or set BENCH_TREE (%v)", err)
	}
	return dir
}

func built(b *testing.B, o Options) (*Index, Stats) {
	group := run.NewGroup(context.Background(), nil)
	defer group.Close()
	o.Group = group
	ix, stats, err := Build(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	return ix, stats
}

func BenchmarkCold(b *testing.B) {
	root := benchTree(b)
	for b.Loop() {
		_, stats := built(b, Options{Root: root})
		b.ReportMetric(float64(stats.Bytes)/1e6*float64(b.N)/b.Elapsed().Seconds(), "MB/s")
		b.ReportMetric(float64(stats.Definitions), "definitions")
	}
}

// BenchmarkCtags is the reference for BenchmarkCold, measured in the same run.
func BenchmarkCtags(b *testing.B) {
	root := benchTree(b)
	out := filepath.Join(b.TempDir(), "tags")
	for b.Loop() {
		if err := exec.Command("ctags", "-R", "-f", out, root).Run(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWarm(b *testing.B) {
	root, keep := benchTree(b), filepath.Join(b.TempDir(), "index")
	ix, _ := built(b, Options{Root: root})
	if _, err := ix.Save(keep); err != nil {
		b.Fatal(err)
	}
	time.Sleep(racy)
	for b.Loop() {
		if _, stats := built(b, Options{Root: root, Keep: keep}); stats.Read > 0 || stats.Problem != "" {
			b.Fatalf("not a warm start: %+v", stats)
		}
	}
}

func BenchmarkSave(b *testing.B) {
	ix, _ := built(b, Options{Root: benchTree(b)})
	for b.Loop() {
		if _, err := ix.Save(filepath.Join(b.TempDir(), "index")); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOneFile measures building the next index after a change to an open
// buffer.
func BenchmarkOneFile(b *testing.B) {
	root := benchTree(b)
	ix, _ := built(b, Options{Root: root})
	path := ix.Path(ix.Files()[ix.NumFiles()/2])
	for _, id := range ix.Files() {
		if f, _ := ix.File(id); f.Language == "go" && f.Size > 30_000 {
			path = f.Path
			break
		}
	}
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ix = ix.With(Change{Path: rel.Must(path), Text: string(text)})
	}
}

func BenchmarkLookup(b *testing.B) {
	ix, _ := built(b, Options{Root: benchTree(b)})
	n := 0
	for b.Loop() {
		for _, id := range ix.LookupIDs("NewController") {
			n += len(ix.SigText(id))
		}
	}
	if n == 0 {
		b.Fatal("NewController was not found")
	}
}
