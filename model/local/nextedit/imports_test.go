package nextedit

import "testing"

// TestLostImports: an import goes with its last use, but not where that went with lines that may come
// back elsewhere.
func TestLostImports(t *testing.T) {
	const head = "import json\nimport os\n\n\ndef f(a):\n"
	for name, c := range map[string]struct {
		was, is string
		want    string
	}{
		"its use is another":      {"    return os.path.join(a)\n", "    return a / \"b\"\n", "os"},
		"its use is gone":         {"    print(os.name)\n    return a\n", "    return a\n", "os"},
		"a block is moved":        {"    if a:\n        b = os.name\n        return b\n    return a\n", "    return a\n", ""},
		"it is used elsewhere":    {"    print(os.name)\n    return os\n", "    return os\n", ""},
		"it was not used before":  {"    return a\n", "    return 1\n", ""},
		"a block becomes another": {"    if a:\n        b = os.name\n        return b\n    return a\n", "    if a:\n        return 1\n    return a\n", "os"},
	} {
		got := ""
		for _, l := range LostImports("a.py", head+c.was, head+c.is) {
			got += l.Name
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
