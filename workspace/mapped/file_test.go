package mapped

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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

func TestMapReadsWhatWriteWrote(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "f-1")
	in := &data{bytes: []byte("odd"), pairs: []pair{{1, 2}, {3, 4}}}
	if err := kind.Write(file, in.columns()...); err != nil {
		t.Fatal(err)
	}
	out := &data{}
	if at, err := kind.Map(file, out.columns()...); err != nil || at.IsZero() {
		t.Fatal(at, err)
	}
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
	if err := kind.Write(file, in.columns()...); err != nil {
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
		if _, err := c.format.Map(other, (&data{}).columns()...); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := kind.Map(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
