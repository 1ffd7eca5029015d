package window_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/language"
	"tandem/workspace/window"
)

// BenchmarkWindow builds windows at places of Kubernetes, or of the tree that BENCH_TREE
// names, each in another file, and again with a letter typed there.
func BenchmarkWindow(b *testing.B) {
	root := benchTree(b)
	s, err := workspace.Open(b.Context(), workspace.Options{Folders: []string{root}, ClientWatches: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	if err := s.WaitIdle(b.Context()); err != nil {
		b.Fatal(err)
	}
	ix := s.Snapshot().Views()[0].Index()
	var files []string
	for _, id := range ix.Files() {
		if rel := ix.Path(id); strings.HasSuffix(rel, ".go") && !language.IsTest(rel) {
			files = append(files, rel)
		}
	}
	for _, budget := range []int{3_000, 8_000, 128_000} {
		b.Run(fmt.Sprint(budget), func(b *testing.B) {
			random := rand.New(rand.NewPCG(7, uint64(budget)))
			var fresh, again []float64
			for range b.N {
				rel := files[random.IntN(len(files))]
				data, err := os.ReadFile(filepath.Join(root, rel))
				if err != nil {
					b.Fatal(err)
				}
				at := random.IntN(len(data) + 1)
				first := timed(b, s, filepath.Join(root, rel), string(data), at, window.Request{Budget: budget}, &fresh)
				timed(b, s, filepath.Join(root, rel), string(data[:at])+"x"+string(data[at:]), at+1, window.Request{Budget: budget, Previous: first}, &again)
			}
			b.ReportMetric(median(fresh), "new-p50-ms")
			b.ReportMetric(median(again), "same-p50-ms")
		})
	}
}

func timed(b *testing.B, s *workspace.Session, file, text string, at int, req window.Request, times *[]float64) *window.Window {
	snap := s.Snapshot().Supposing(map[string]edits.Text{file: edits.NewText(text)})
	req.URI, req.Span = file, edits.Span{Start: at, End: at}
	start := time.Now()
	w, err := window.Build(b.Context(), snap, req)
	if err != nil {
		b.Fatal(err)
	}
	*times = append(*times, float64(time.Since(start).Microseconds())/1000)
	return w
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// benchTree is Kubernetes in the module cache, or what BENCH_TREE names.
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
		b.Fatalf("no tree: go mod download k8s.io/kubernetes@v1.34.1, or set BENCH_TREE (%v)", err)
	}
	return dir
}
