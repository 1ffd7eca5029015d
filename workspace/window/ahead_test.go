package window

import (
	"fmt"
	"testing"

	"tandem/workspace/index"
	"tandem/workspace/redact"
	"tandem/workspace/run"
	"tandem/workspace/similar"
)

func TestAheadReturnsWhatTheWorkMade(t *testing.T) {
	group := run.NewGroup(t.Context(), nil)
	if got := runAhead(group, "work", func() int { return 7 }).wait(); got != 7 {
		t.Errorf("the work made %d", got)
	}
	group.Close()
	if got := runAhead(group, "work", func() int { return 8 }).wait(); got != 8 {
		t.Errorf("in a closed group the work made %d", got)
	}
}

func TestAheadPanicsWhereItIsAwaited(t *testing.T) {
	group := run.NewGroup(t.Context(), func(p *run.Panic) { t.Errorf("reported as well: %v", p) })
	defer group.Close()
	a := runAhead(group, "work", func() int { panic("broken") })
	p := run.Call("caller", func() { a.wait() })
	if inner, ok := p.Value.(*run.Panic); !ok || inner.Value != "broken" {
		t.Errorf("the caller got %v", p)
	}
}

// TestPrefetcher reads the files of the first chunks ahead, and takes what was read.
func TestPrefetcher(t *testing.T) {
	tree := map[string]string{}
	for i := range firstFiles + 2 {
		tree[fmt.Sprintf("p/f%d.go", i)] = fmt.Sprintf("package p\n\nfunc F%d() {}\n", i)
	}
	s := openWindows(t, tree, true)
	b, err := newBuilder(t.Context(), s.Snapshot(), Request{URI: "p/f0.go"})
	if err != nil {
		t.Fatal(err)
	}
	group := run.NewGroup(t.Context(), nil)
	defer group.Close()
	p := &prefetcher{builder: b, group: group, begun: map[index.FileID]bool{}}
	var chunks []similar.Chunk
	for name := range tree {
		id, ok := b.ix.FileID(name)
		if !ok {
			t.Fatalf("%s is not indexed", name)
		}
		chunks = append(chunks, similar.Chunk{File: id}, similar.Chunk{File: id})
	}
	p.first(chunks)
	if len(b.ahead) != firstFiles {
		t.Errorf("%d files are read ahead, not %d", len(b.ahead), firstFiles)
	}
	for name, text := range tree {
		read := b.ahead[name]
		if f := b.file(name); f == nil || f.Text() != text {
			t.Errorf("%s is %+v", name, f)
		} else if read != nil && f != read.wait() {
			t.Errorf("%s was read again", name)
		}
	}
	other := redact.NewSource("read ahead")
	b.ahead["q.go"] = &ahead[*redact.Source]{do: func() *redact.Source { return other }}
	if got := b.file("q.go"); got != other {
		t.Errorf("what was read ahead is not taken: %+v", got)
	}
}
