package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tandem/workspace/rel"
)

// TestAroundFindsWhatHasALine compares with looking at every definition, in files whose
// definitions lie inside each other, beside each other and on one line.
func TestAroundFindsWhatHasALine(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	texts := map[string]string{
		"a.py": "class A:\n    class B:\n        x = 1\n        def f(self):\n            def g():\n                pass\n    def h(self): pass\n\n\ndef i():\n    pass\n",
		"b.go": "package p\n\nvar a, b = 1, 2\n\n// T is documented\n// in lines.\ntype T struct{ x, y int }\n\nfunc (t T) m() {}; func n() {}\n\ntype (\n\tU struct {\n\t\tv int\n\t}\n\tW int\n)\n",
		"c.ts": "export class C {\n  /** one */\n  a = 1;\n  b() { return () => { class D { e() {} } } }\n}\nnamespace N { export const o = { p() {}, q: 1 } }\n",
	}
	for i := range 20 {
		texts[fmt.Sprintf("d%d.go", i)] = goFile(random)
	}
	ix := New()
	for path, text := range texts {
		ix = ix.With(Change{Path: rel.Must(path), Text: text})
	}
	found := 0
	for path, text := range texts {
		id, _ := ix.FileID(path)
		for line := 0; line <= len(text)+1; line++ {
			var got, want []string
			for id, d := range ix.Around(id, line) {
				got = append(got, fmt.Sprint(id, d.Name))
			}
			for _, id := range ix.DefIDs(id) {
				if d := ix.Brief(id); d.DocLine <= line && line <= d.EndLine {
					want = append(want, fmt.Sprint(id, d.Name))
				}
			}
			slices.Reverse(want)
			found += len(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s:%d: %v, want %v", path, line, got, want)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d definitions found", found)
	}
}

// TestAroundInAFileThatIsGone is empty.
func TestAroundInAFileThatIsGone(t *testing.T) {
	for id, d := range New().Around(7, 1) {
		t.Errorf("it has %v %v", id, d)
	}
}
