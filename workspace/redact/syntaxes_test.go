package redact_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"tandem/workspace/redact"
	"tandem/workspace/redact/redacttest"
)

// TestDrawnSecrets draws names and values for each syntax: of 150 at most 6 are shown.
func TestDrawnSecrets(t *testing.T) {
	t.Parallel()
	const draws = 40
	seed := uint64(os.Getpid())
	if given, err := strconv.ParseUint(os.Getenv("SEED"), 10, 32); err == nil {
		seed = given
	}
	shown := map[string][]string{}
	total, leaks := 0, 0
	for i := range uint64(draws) {
		for _, s := range redacttest.All(seed<<16 + i) {
			total++
			text := "before();\n" + s.Text + "after();\n"
			var r redact.Redactor
			clean := r.Redact(text).String()
			if strings.Contains(clean, s.Value) {
				leaks++
				shown[s.Kind] = append(shown[s.Kind], s.Text)
			}
			if back := r.Restore(clean); back != text {
				t.Fatalf("%s: %q came back as %q", s.Kind, text, back)
			}
		}
	}
	for kind, list := range shown {
		t.Logf("%d of %d: %s: %q", len(list), draws, kind, list[:min(3, len(list))])
		if 2*len(list) > draws {
			t.Errorf("most secrets of the kind %s are shown", kind)
		}
	}
	t.Logf("seed %d: %d of %d secrets are shown, %.1f of 150", seed, leaks, total, 150*float64(leaks)/float64(total))
	if leaks*150 > total*6 {
		t.Errorf("seed %d: %.1f of 150 secrets are shown, want at most 6", seed, 150*float64(leaks)/float64(total))
	}
}
