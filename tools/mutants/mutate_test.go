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
		got = append(got, strings.TrimPrefix(m.key(), "p.(*t).f | "))
		if mutated := m.source[:m.start] + m.new + m.source[m.end:]; mutated == source || m.source[m.start:m.end] != m.old {
			t.Errorf("%s changes nothing", m)
		}
	}
	slices.Sort(got)
	want := []string{
		"and or | x.n < 1 && list != nil", "drop assignment | list = append(list, x.n)", "drop assignment | x.n = 2", "drop call | x.flush(list)",
		"drop defer | defer x.close()", "flip | x.n < 1 && list != nil", "off by one | 1 in if x.n < 1 && list != nil {", "off by one | 2 in x.n = 2", "off by one | x.n < 1",
		"p.(*t).g | flip | err != nil", "p.(*t).g | off by one | 4 in return 4, nil", "return early |",
	}
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSurvivorsNeedAReason(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.txt")
	for text, fails := range map[string]bool{"# why\n\np.f | flip | x -- equal either way\n": false, "p.f | flip | x\n": true} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readSurvivors(file)
		if (err != nil) != fails || !fails && got["p.f | flip | x"] == "" {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// TestFaultsAreInTheCode: each fault of the table can be planted in the code as it is.
func TestFaultsAreInTheCode(t *testing.T) {
	t.Chdir("../..")
	if faults, err := readFaults("tools/mutants/faults.txt"); err != nil || len(faults) != 40 {
		t.Errorf("%d faults, %v", len(faults), err)
	}
}
