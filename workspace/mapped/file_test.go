package mapped

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
)

type pair struct{ a, b uint32 }

type data struct {
	bytes []byte
	pairs []pair
	empty []uint64
}

func (d *data) columns() []Column { return []Column{Of(&d.bytes), Of(&d.pairs), Of(&d.empty)} }

var kind = Format{Kind: "test", Version: 1}

func TestMapReadsWhatKeepWrote(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "f-1")
	in := &data{bytes: []byte("odd"), pairs: []pair{{1, 2}, {3, 4}}}
	if _, err := kind.Keep(file, in.columns(), (&data{}).columns()); err != nil {
		t.Fatal(err)
	}
	out := &data{}
	kept, at, err := kind.Map(file, out.columns()...)
	if err != nil || at.IsZero() {
		t.Fatal(at, err)
	}
	defer runtime.KeepAlive(kept)
	if string(out.bytes) != "odd" || !slices.Equal(out.pairs, in.pairs) || len(out.empty) != 0 {
		t.Errorf("got %+v", out)
	}
	if got := Files(filepath.Dir(file), "f-"); !slices.Equal(got, []string{file}) {
		t.Errorf("the folder lists %v", got)
	}
	if err := Remove(file); err != nil || string(out.bytes) != "odd" || len(Files(filepath.Dir(file), "f-")) != 0 {
		t.Errorf("after the file was removed: %q, %v", out.bytes, err)
	}
}

func TestMapRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	in := &data{bytes: []byte("text"), pairs: []pair{{1, 2}}}
	if _, err := kind.Keep(file, in.columns(), (&data{}).columns()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(whole)
	flipped[len(flipped)-1] ^= 1
	for name, c := range map[string]struct {
		format Format
		data   []byte
		want   error
	}{
		"other kind":    {Format{Kind: "tests", Version: 1}, whole, ErrDamaged},
		"other version": {Format{Kind: "test", Version: 2}, whole, ErrVersion},
		"flipped":       {kind, flipped, ErrDamaged},
		"cut":           {kind, whole[:len(whole)-4], ErrDamaged},
		"empty":         {kind, nil, ErrDamaged},
	} {
		other := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(other, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.format.Map(other, (&data{}).columns()...); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, _, err := kind.Map(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// shrunk is what the processes of TestReplacedWhileMapped write: many pages, or one value.
func shrunk(i int) *data {
	d := &data{pairs: []pair{{uint32(i), 0}}}
	if i%2 == 0 {
		d.bytes = bytes.Repeat([]byte{byte(i)}, 1<<20)
	}
	return d
}

// TestReplacedWhileMapped: data that one process has mapped stays as it was while another
// replaces the file by shorter ones and removes it.
func TestReplacedWhileMapped(t *testing.T) {
	if file := os.Getenv("TANDEM_REPLACE"); file != "" {
		for i := range 41 {
			if _, err := kind.Keep(file, shrunk(i+1).columns(), (&data{}).columns()); err != nil {
				t.Fatal(err)
			}
		}
		if err := Remove(file); err != nil {
			t.Fatal(err)
		}
		return
	}
	file := filepath.Join(t.TempDir(), "f")
	mine, byName := &data{}, &data{}
	first, err := kind.Keep(file, shrunk(0).columns(), mine.columns())
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := kind.Map(file, byName.columns()...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { runtime.KeepAlive(first); runtime.KeepAlive(second) }()
	other := exec.Command(os.Args[0], "-test.run=^TestReplacedWhileMapped$")
	other.Env = append(os.Environ(), "TANDEM_REPLACE="+file)
	ended := make(chan error, 1)
	go func() { ended <- other.Run() }()
	want := shrunk(0).bytes
	for over := false; !over; {
		select {
		case err := <-ended:
			if over = true; err != nil {
				t.Fatal(err)
			}
		default:
		}
		for _, d := range []*data{mine, byName} {
			if !bytes.Equal(d.bytes, want) || !slices.Equal(d.pairs, []pair{{0, 0}}) {
				t.Fatal("what was mapped has changed")
			}
		}
		now := &data{} // one of the versions, whole
		version, _, err := kind.Map(file, now.columns()...)
		if err == nil && (len(now.bytes) == 0) == (now.pairs[0].a%2 == 0) {
			t.Fatalf("%d bytes of version %d", len(now.bytes), now.pairs[0].a)
		}
		runtime.KeepAlive(version)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// TestKeepReturnsItsOwn: who writes a file gets what it wrote, whoever replaces the file
// at the same time.
func TestKeepReturnsItsOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 50 {
				kept := &data{}
				owner, err := kind.Keep(file, shrunk(i).columns(), kept.columns())
				if err != nil {
					t.Error(err)
				} else if kept.pairs[0].a != uint32(i) || len(kept.bytes) != len(shrunk(i).bytes) {
					t.Errorf("%d was written and %d kept", i, kept.pairs[0].a)
				}
				runtime.KeepAlive(owner)
			}
		})
	}
	all.Wait()
}
