package tokens

import (
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpora are folders of real code that most machines with these languages have.
var corpora = []struct{ name, root, ext string }{
	{"Go", filepath.Join(build.Default.GOROOT, "src"), ".go"},
	{"Python", "/usr/lib/python3", ".py"},
	{"TypeScript", os.Getenv("TANDEM_BENCH_TS"), ".ts"},
}

const corpusBytes = 8_000_000

// readCorpus joins files of a tree, in order, up to corpusBytes.
func readCorpus(root, ext string) string {
	var b strings.Builder
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ext) || b.Len() > corpusBytes {
			return nil
		}
		data, err := os.ReadFile(path)
		b.Write(data)
		return err
	})
	return b.String()
}

func BenchmarkCount(b *testing.B) {
	for _, c := range corpora {
		text := readCorpus(c.root, c.ext)
		if text == "" {
			continue
		}
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				O200k.Count(text)
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, c := range corpora {
		text := readCorpus(c.root, c.ext)
		if text == "" {
			continue
		}
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				O200k.Encode(text)
			}
		})
	}
}

// BenchmarkOnePiece counts 100 kB that do not split: time must not be quadratic.
func BenchmarkOnePiece(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 6))
	letters := make([]byte, 100_000)
	for i := range letters {
		letters[i] = byte('a' + random.IntN(26))
	}
	for name, text := range map[string]string{
		"a": strings.Repeat("a", 100_000), "space": strings.Repeat(" ", 100_000), "random": string(letters),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				O200k.Count(text)
			}
		})
	}
}

// BenchmarkInit makes the tables from their embedded form.
func BenchmarkInit(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newTables(o200kVocabulary)
		newClasses()
	}
}
