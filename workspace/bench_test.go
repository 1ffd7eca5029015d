package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"tandem/edits"
	"tandem/workspace/watch"
)

// manyFolders makes a tree of n folders with files files each.
func manyFolders(b *testing.B, n, files int) string {
	b.Helper()
	root := b.TempDir()
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("a%03d", i/2500), fmt.Sprintf("b%02d", i/50%50), fmt.Sprintf("c%02d", i%50))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range files {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", j)), []byte("package f\n"), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	return root
}

// BenchmarkWatch50000 is about how long it takes to watch 50,000 folders, for
// an event to be seen, and to recover from an overflow.
func BenchmarkWatch50000(b *testing.B) {
	root := manyFolders(b, 50_000, 0)
	var covered, event, overflow time.Duration
	for range b.N {
		s := openSession(b, Options{Folders: []string{root}, ClientWatches: true, StateDir: b.TempDir()})
		waitIdle(b, s)
		s.watcher = watch.New(watched{s}, watch.System, 1<<20)
		began := time.Now()
		s.watcher.Watch(root)
		waitIdle(b, s)
		covered += time.Since(began)

		began = time.Now()
		rel := fmt.Sprintf("a019/b49/c49/new%d.go", b.N)
		writeFile(b, filepath.Join(root, rel), "package f\n\nfunc New() {}\n")
		eventually(b, "event", func() bool { return indexes(s, root, rel, "New") })
		event += time.Since(began)

		began = time.Now()
		s.watcher.Lost(fsnotify.ErrEventOverflow)
		waitIdle(b, s)
		overflow += time.Since(began)
		if err := os.Remove(filepath.Join(root, rel)); err != nil {
			b.Fatal(err)
		}
	}
	report(b, "watch-ms", covered)
	report(b, "event-ms", event)
	report(b, "overflow-ms", overflow)
	b.ReportMetric(0, "ns/op")
}

func report(b *testing.B, name string, total time.Duration) {
	b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), name)
}

// BenchmarkOpen100000 opens a workspace of 100,000 files: until the session is
// usable, and until it is indexed.
func BenchmarkOpen100000(b *testing.B) {
	root := manyFolders(b, 10_000, 10)
	state := b.TempDir()
	var open, ready time.Duration
	for range b.N {
		began := time.Now()
		s, err := Open(context.Background(), Options{Folders: []string{root}, StateDir: state, ClientWatches: true})
		if err != nil {
			b.Fatal(err)
		}
		s.Snapshot().Allowed("a000/b00/c00/f0.go")
		open += time.Since(began)
		waitIdle(b, s)
		ready += time.Since(began)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	report(b, "open-ms", open)
	report(b, "ready-ms", ready)
	b.ReportMetric(0, "ns/op")
}

// BenchmarkDidOpen50MB opens one document of 50 MB and types in it.
func BenchmarkDidOpen50MB(b *testing.B) {
	text := strings.Repeat("0123456789abcdef0123456789abcde\n", 50<<20/32)
	root := b.TempDir()
	uri := URIOf(filepath.Join(root, "big.txt"))
	for range b.N {
		s := openSession(b, Options{Folders: []string{root}, ClientWatches: true})
		s.Update(Opened{URI: uri, Version: 1, Text: edits.NewText(text)})
		s.Update(editedBy(s, uri, 2, edits.Edit{New: "x"}))
		s.Snapshot().View(uri).Index()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapInuse>>20), "heap-MiB")
	}
}

// BenchmarkKeystroke is one change of an open document, until the next window
// would see it.
func BenchmarkKeystroke(b *testing.B) {
	root := b.TempDir()
	source := "package a\n" + strings.Repeat("\nfunc F() int {\n\treturn 1 + 2\n}\n", 500)
	path := filepath.Join(root, "a.go")
	writeFile(b, path, source)
	s := openSession(b, Options{Folders: []string{root}, ClientWatches: true})
	waitIdle(b, s)
	uri := URIOf(path)
	s.Update(Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText(source)})
	version := int32(1)
	b.ResetTimer()
	for b.Loop() {
		version++
		next := s.Update(editedBy(s, uri, version, insert(len(source)/2, "x")))
		next.View(uri).Index()
	}
}

// BenchmarkFileEvent is one changed file, from the event to the snapshot.
func BenchmarkFileEvent(b *testing.B) {
	root := manyFolders(b, 1000, 5)
	s := openSession(b, Options{Folders: []string{root}, ClientWatches: true})
	waitIdle(b, s)
	path := filepath.Join(root, "a000", "b00", "c00", "f0.go")
	for i := 0; b.Loop(); i++ {
		writeFile(b, path, fmt.Sprintf("package f\n\nfunc F%d() {}\n", i))
		s.Update(DiskChanged{Paths: []string{path}})
		waitIdle(b, s)
	}
}
