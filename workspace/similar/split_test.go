package similar

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// estimateOf is an estimate of one chunk with these names' chances and one pair.
func estimateOf(text string, chances map[string]float32, pair [2]string, chance float32) *Estimate {
	e := &Estimate{Chunks: []Chunk{{File: 7, First: 11, Last: 10 + strings.Count(text, "\n"), Bytes: len(text)}}, needs: [][]int32{nil}, slots: map[string]int32{}, atom: longestAtom}
	add := func(words [2]string, p float32) {
		e.needs[0] = append(e.needs[0], int32(len(e.left)))
		e.left, e.words = append(e.left, p), append(e.words, words)
	}
	for name, p := range chances {
		e.slots[name] = int32(len(e.left))
		add([2]string{name}, p)
	}
	if chance > 0 {
		add(pair, chance)
	}
	return e
}

func TestSplitTakesTheLinesThatAreWorthMost(t *testing.T) {
	dull := strings.Repeat("\tnothing(of, interest, here)\n", 5)
	text := dull + "\tstore, err := openStore(path)\n\tif failed {\n\t\tcloseStore(store, err)\n\t}\n" + dull
	e := estimateOf(text, map[string]float32{"openStore": 0.5, "closeStore": 0.4, "nothing": 0.01}, [2]string{"nothing", "of"}, 0.02)
	whole := e.Worth(0)
	parts := e.Split(0, text, 30)
	if len(parts) != 3 {
		t.Fatalf("%d parts", len(parts))
	}
	best := e.Chunks[parts[0]]
	if best.First != 16 || best.Last != 19 || best.File != 7 {
		t.Errorf("the best part is %d-%d of file %d, want 16-19", best.First, best.Last, best.File)
	}
	if got := e.Worth(parts[0]); got < 0.89 || got > 0.91 {
		t.Errorf("it is worth %v of %v", got, whole)
	}
	e.Show(parts[0])
	if got := e.Worth(0); got > whole/2 {
		t.Errorf("once it is shown the whole is worth %v of %v", got, whole)
	}
	if even := strings.Repeat("\tuse(openStore)\n", 8); estimateOf(even, map[string]float32{"openStore": 0.5}, [2]string{}, 0).Split(0, even, 3000) != nil {
		t.Error("short equal lines below a long heading are divided")
	}
}

// TestSplitCoversTheChunk holds that the parts are the chunk's lines, each once, that
// the first is worth more for its size than the whole, and that it does not begin with
// what closes a statement.
func TestSplitCoversTheChunk(t *testing.T) {
	line := rapid.SampledFrom([]string{"\n", "\talpha(beta)\n", "beta gamma\n", "delta\n", "\tif x {\n", "}\n", "nothing at all in this line is known\n"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(line, 1, 18).Draw(t, "lines"), "")
		chance := rapid.Float32Range(0, 1)
		e := estimateOf(text, map[string]float32{"alpha": chance.Draw(t, "a"), "beta": chance.Draw(t, "b"), "gamma": chance.Draw(t, "c"), "delta": chance.Draw(t, "d")},
			[2]string{"beta", "gamma"}, chance.Draw(t, "pair"))
		head := rapid.Float32Range(0, 60).Draw(t, "head")
		worth, c := e.Worth(0), e.Chunks[0]
		parts := e.Split(0, text, head)
		if len(parts) == 0 {
			return
		}
		lines, bytes := map[int]int{}, 0
		for _, i := range parts {
			p := e.Chunks[i]
			for n := p.First; n <= p.Last; n++ {
				lines[n]++
			}
			bytes += p.Bytes
		}
		for n := c.First; n <= c.Last; n++ {
			if lines[n] != 1 {
				t.Fatalf("line %d is in %d parts", n, lines[n])
			}
		}
		best := e.Chunks[parts[0]]
		if len(lines) != c.Last-c.First+1 || bytes != c.Bytes || best.Last < best.First {
			t.Fatalf("%d lines of %d, %d bytes of %d, the best part is %d-%d", len(lines), c.Last-c.First+1, bytes, c.Bytes, best.First, best.Last)
		}
		if first := strings.Split(text, "\n")[best.First-c.First]; best.First > c.First && strings.HasPrefix(first, "}") {
			t.Fatalf("the best part begins with %q", first)
		}
		if worth > 0 && e.Worth(parts[0]) <= 0 {
			t.Fatalf("the best part is worth nothing of %v", worth)
		}
	})
}

// A part begins where a statement begins, and ends where one ends; the one line of a large
// statement that is worth most may stand alone.
func TestSplitKeepsStatementsWhole(t *testing.T) {
	large := strings.Repeat("\t\tnothing(of, interest, here)\n", longestAtom)
	for _, test := range []struct{ name, text, want string }{
		{"literal", "\tx := 1\n\tv := wanted.Mount{\n\t\tName: name,\n\t\tPath: path,\n\t}\n\tnothing(of, it)\n", "\tv := wanted.Mount{\n\t\tName: name,\n\t\tPath: path,\n\t}\n"},
		{"inside", "\tx := 1\n\tif ok {\n\t\tuse(a, wanted, b)\n\t}\n\tnothing(of, it)\n", "\tif ok {\n\t\tuse(a, wanted, b)\n\t}\n"},
		{"both branches", "\tx := 1\n\tif ok {\n\t\tuse(a, wanted, b)\n\t} else {\n\t\tfail(a, b)\n\t}\n\tnothing(of, it)\n", "\tif ok {\n\t\tuse(a, wanted, b)\n\t} else {\n\t\tfail(a, b)\n\t}\n"},
		{"large", "\tx := 1\n\tfor a, wanted := range list {\n" + large + "\t}\n\tnothing(of, it)\n", "\tfor a, wanted := range list {\n"},
		{"in a large one", "\tx := 1\n\tfor a := range list {\n" + large + "\t\tuse(a, wanted, b)\n\t}\n\tnothing(of, it)\n", "\t\tuse(a, wanted, b)\n"},
		{"Python", "    x = 1\n    if ok:\n        use(a, wanted, b)\n    nothing(of, it)\n", "    if ok:\n        use(a, wanted, b)\n"},
		{"CRLF", "\tx := 1\r\n\tif ok {\r\n\t\tuse(a, wanted, b)\r\n\t}\r\n\r\n\tnothing(of, it)\r\n", "\tif ok {\r\n\t\tuse(a, wanted, b)\r\n\t}\r\n"},
	} {
		e := estimateOf(test.text, map[string]float32{"wanted": 0.9, "nothing": 0.001}, [2]string{}, 0)
		parts := e.Split(0, test.text, 4)
		if len(parts) == 0 {
			t.Errorf("%s: not divided", test.name)
			continue
		}
		p := e.Chunks[parts[0]]
		lines := strings.SplitAfter(test.text, "\n")
		if got := strings.Join(lines[p.First-11:p.Last-10], ""); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
