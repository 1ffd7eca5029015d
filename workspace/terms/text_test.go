package terms

import "testing"

func TestCounted(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 uses", 1: "1 use", 2: "2 uses"} {
		if got := Counted(n, "use"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSet(t *testing.T) {
	t.Parallel()
	if got := Set(" a b\n\tb "); len(got) != 2 || !got["a"] || !got["b"] {
		t.Errorf("got %v", got)
	}
}
