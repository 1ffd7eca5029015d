package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPooledReport(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, r *report) string {
		b := &bench{json: filepath.Join(dir, name)}
		if err := b.keep(r); err != nil {
			t.Fatal(err)
		}
		return b.json
	}
	place := func(found int) *probed {
		return &probed{Targets: []string{"a", "b"}, Found: map[int]map[string]hits{8000: {ours: {Words: found}}}}
	}
	a := write("a.json", &report{Seed: 3, Budgets: []int{8000}, Repositories: []*repository{{Name: "a", Seconds: 2, Places: []*probed{place(1)}}}})
	b := write("b.json", &report{Seed: 3, Budgets: []int{8000}, Repositories: []*repository{{Name: "b", Seconds: 3, Places: []*probed{place(2), place(2)}}}})
	other := write("other.json", &report{Seed: 4, Budgets: []int{8000}})
	broken := filepath.Join(dir, "broken.json")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := pooledReport(a + "," + b)
	if err != nil {
		t.Fatal(err)
	}
	r.summarize()
	if l := r.row(pooled, 8000, ours); l == nil || l.Commits != 3 || l.Words.percent() < 83 || l.Words.percent() > 84 || r.Seconds != 5 {
		t.Errorf("together: %+v, %v s", l, r.Seconds)
	}
	for files, want := range map[string]string{a + "," + a: "again", a + "," + other: "another seed", broken: "no report", filepath.Join(dir, "none"): "read"} {
		if _, err := pooledReport(files); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", files, err)
		}
	}
}
