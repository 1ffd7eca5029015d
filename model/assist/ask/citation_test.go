package ask

import (
	"slices"
	"testing"
)

func TestCitationsAreEachNamedOnce(t *testing.T) {
	b := newBench(t, lanes{}, "package main\n\nfunc main() {}\n", map[string]string{"lib/lib.go": "package lib\n\nconst A = 1\n"})
	answer := "See lib/lib.go:3, and main.go:1.\n\n- lib/lib.go:3: `const A = 1`\n- main.go:1\n- main.go:99 and nowhere.go:1 are not there.\n"
	var got []string
	for _, c := range citations(b.Session.Snapshot(), answer) {
		got = append(got, c.Path)
	}
	if want := []string{"lib/lib.go", "main.go"}; !slices.Equal(got, want) {
		t.Errorf("cited %q, want %q", got, want)
	}
}
