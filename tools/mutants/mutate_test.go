package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMutants shows which faults are planted, and that each changes its file.
func TestMutants(t *testing.T) {
	const source = `package p

import "sync"

type t struct {
	mu sync.Mutex
	n  int
}

func (x *t) f(list []int) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.close()
	if x.n < 1 && list != nil {
		list = append(list, x.n)
		x.n = 2
		x.flush(list)
	}
	return nil
}

func (x *t) g() (int, error) {
	if err := x.f(nil); err != nil {
		return 3, err
	}
	return 4, nil
}
`
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := mutantsOf(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		_, about, _ := strings.Cut(m.String(), " p.")
		got = append(got, strings.TrimSpace(strings.TrimPrefix(about, "(*t).f | ")))
		if m.mutated() == source {
			t.Errorf("%s changes nothing", m)
		}
	}
	slices.Sort(got)
	want := []string{
		"(*t).g | flip | err != nil", "(*t).g | off by one | 4", "drop assignment | list = append(list, x.n)", "drop assignment | x.n = 2", "drop call | x.flush(list)",
		"drop defer | defer x.close()", "flip | x.n < 1 && list != nil", "off by one | 1", "off by one | 2", "operator | x.n < 1", "operator | x.n < 1 && list != nil", "return early |",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
