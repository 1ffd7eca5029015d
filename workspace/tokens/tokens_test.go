package tokens

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"tandem/workspace/tokens/vocab"
)

// TestGolden compares with ids that the reference made.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	cases := 0
	for lines.Scan() {
		var c struct {
			Encoding, Text string
			IDs            []uint32
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		enc := counters[c.Encoding].(*Encoding)
		if got := enc.Encode(c.Text); !slices.Equal(got, c.IDs) {
			t.Errorf("%s %.60q: got %v, want %v", c.Encoding, c.Text, got, c.IDs)
		}
		if got := enc.Count(c.Text); got != len(c.IDs) {
			t.Errorf("%s %.60q: counted %d, want %d", c.Encoding, c.Text, got, len(c.IDs))
		}
		cases++
	}
	if cases < 400 {
		t.Errorf("only %d golden cases", cases)
	}
}

// TestVocabulariesAreGenerated compares the embedded tables with the library's
// vocabularies.
func TestVocabulariesAreGenerated(t *testing.T) {
	for _, enc := range []*Encoding{O200k, CL100k} {
		want, err := vocab.Build(enc.name)
		if err != nil {
			t.Fatal(err)
		}
		if enc.vocabulary != string(want) {
			t.Errorf("%s.bin is not what the generator makes: run go generate in workspace/tokens", enc.name)
		}
	}
}

// TestLongMergeEqualsShort compares the heap with the plain search.
func TestLongMergeEqualsShort(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	tables := O200k.ready().tables
	for _, alphabet := range []string{"a", "ab", " ", "etaoinshrdlu", "=-", "\xe4\xb8\xad", "aA0_.é中"} {
		for range 300 {
			var b strings.Builder
			for b.Len() < 1+random.IntN(shortPiece) {
				b.WriteByte(alphabet[random.IntN(len(alphabet))])
			}
			piece := b.String()[:min(b.Len(), shortPiece)]
			short, long := tables.mergeShort(nil, piece), tables.mergeLong(nil, piece)
			if !slices.Equal(short, long) {
				t.Fatalf("%q: plain search %v, heap %v", piece, short, long)
			}
		}
	}
}

// TestSegmentsEqualTheWhole shows that a piece merged in segments gives the
// tokens of the whole, and that one border after another is found.
func TestSegmentsEqualTheWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, enc := range []*Encoding{O200k, CL100k} {
		tables := enc.ready().tables
		for _, alphabet := range []string{"a", "ab", " ", "etaoinshrdlu", "=-", "\xe4\xb8\xad", "aA0_.é中", "tokens", ""} {
			for range 4 {
				var b strings.Builder
				for b.Len() < 16000 {
					if alphabet == "" { // parts of real tokens
						token := tables.token(uint32(random.IntN(len(tables.offsets) - 1)))
						b.WriteString(token[random.IntN(len(token)):])
						continue
					}
					b.WriteByte(alphabet[random.IntN(len(alphabet))])
				}
				piece := b.String()
				want, _ := new(longMerge).merge(tables, piece, nil, nil)
				var got []uint32
				segment, most := 3000+random.IntN(3000), 0
				tables.eachSegment(piece, segment, func(found []uint32) { got, most = append(got, found...), max(most, len(tables.spell(found))) })
				if !slices.Equal(got, want) {
					t.Fatalf("%s, %q in segments of %d: got %v, want %v", enc.Name(), piece, segment, got, want)
				}
				if most > segment {
					t.Fatalf("%s, %q: %d bytes were merged at once, the segment is %d", enc.Name(), piece, most, segment)
				}
			}
		}
	}
}

func (t *tables) spell(ids []uint32) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(t.token(id))
	}
	return b.String()
}

// TestLongestToken holds the bound of a buffer.
func TestLongestToken(t *testing.T) {
	for _, enc := range []*Encoding{O200k, CL100k} {
		tables := enc.ready().tables
		for rank := range uint32(len(tables.offsets) - 1) {
			if n := len(tables.token(rank)); n > longestToken {
				t.Fatalf("%s: token %d has %d bytes", enc.Name(), rank, n)
			}
		}
	}
}

// TestOnePairATokenIsEnough compares with a merge that tries every pair whose
// bytes are a token, as the reference does.
func TestOnePairATokenIsEnough(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	tables := O200k.ready().tables
	for range 2000 {
		var b strings.Builder
		for b.Len() < 4+random.IntN(40) {
			token := tables.token(uint32(random.IntN(len(tables.offsets) - 1)))
			b.WriteString(token[random.IntN(len(token)):])
		}
		piece := b.String()[:min(b.Len(), shortPiece)]
		if got, want := tables.mergeShort(nil, piece), mergeByBytes(O200k.ready(), piece); !slices.Equal(got, want) {
			t.Fatalf("%q: got %v, want %v", piece, got, want)
		}
	}
}

func mergeByBytes(en *engine, piece string) []uint32 {
	rank := func(s string) uint32 {
		if r, ok := en.tables.piece(s, en.hash(s)); ok {
			return r
		}
		return noMerge
	}
	parts := strings.Split(piece, "")
	parts = parts[:0]
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	for {
		best, at := noMerge, 0
		for i := range len(parts) - 1 {
			if r := rank(parts[i] + parts[i+1]); r < best {
				best, at = r, i
			}
		}
		if best == noMerge {
			break
		}
		parts[at] += parts[at+1]
		parts = slices.Delete(parts, at+1, at+2)
	}
	ids := make([]uint32, len(parts))
	for i, p := range parts {
		ids[i] = rank(p)
	}
	return ids
}

// TestTokensSpellTheText turns ids back into bytes.
func TestTokensSpellTheText(t *testing.T) {
	for _, text := range []string{"", "func main() {}\n", strings.Repeat("a", 100_000), strings.Repeat(" \n", 1000), "\xff\xfe broken \xe4\xb8"} {
		for _, enc := range []*Encoding{O200k, CL100k} {
			var b strings.Builder
			for _, id := range enc.Encode(text) {
				b.WriteString(enc.tables.token(id))
			}
			if got, want := b.String(), Valid(text); got != want {
				t.Errorf("%s: %.40q is spelled %.40q", enc.name, want, got)
			}
		}
	}
}

func TestValidReplacesMaximalParts(t *testing.T) {
	for in, want := range map[string]string{
		"ok":                 "ok",
		"\xff\xff":           "\uFFFD\uFFFD",
		"\xe2\x82":           "\uFFFD",
		"\xe2\x82A":          "\uFFFDA",
		"\xf0\x9f\x98\xf0":   "\uFFFD\uFFFD",
		"\xed\xa0\x80":       "\uFFFD\uFFFD\uFFFD",
		"\xc0\xaf":           "\uFFFD\uFFFD",
		"\xf4\x90\x80\x80":   "\uFFFD\uFFFD\uFFFD\uFFFD",
		"a\xe0\x80b":         "a\uFFFD\uFFFDb",
		"\xf0\x90\x80":       "\uFFFD",
		"\uFFFD is \xc3 too": "\uFFFD is \uFFFD too",
	} {
		if got := Valid(in); got != want {
			t.Errorf("Valid(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestConcurrentUse counts in several goroutines while the cache churns.
func TestConcurrentUse(t *testing.T) {
	text := strings.Repeat("unlikelyIdentifierName anotherImprobableWord zzyzxqwv\n", 40)
	want := len(O200k.Encode(text))
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 20 {
				noise := strings.Repeat("k", worker+1) + strings.Repeat("qz", i)
				if got := O200k.Count(text) + O200k.Count(noise); got != want+len(O200k.Encode(noise)) {
					t.Errorf("worker %d counted %d", worker, got)
				}
			}
		})
	}
	wg.Wait()
}

func TestNamed(t *testing.T) {
	for name, exact := range map[string]bool{"": true, "o200k_base": true, "cl100k_base": true, "bytes": false} {
		if c, err := Named(name); err != nil || c.Exact() != exact {
			t.Errorf("Named(%q): exact %v, %v", name, c.Exact(), err)
		}
	}
	c, err := Named("llama-9")
	if err == nil || !strings.Contains(err.Error(), "llama-9") || c.Exact() {
		t.Errorf("an unknown tokenizer gave %v, %v", c.Name(), err)
	}
	if got := c.Count("h\xffi"); got != len("h\uFFFDi") {
		t.Errorf("the bound counts %d", got)
	}
}

// cutTexts seed the fuzzer with texts where lines and tokens disagree.
var cutTexts = []string{
	"a\n \n b\n", "x := 1\n// comment\n\n\n/ y\r\n\r\n\tz", "a.\n/b\n//c\n", "\n\n\n", "x\n\u00a0y\n\u2028z", " \n \n}\n{", "<\n\t\t>\n", "end.\n  // tail\n'll\n's",
}

// FuzzSafeCut checks that counts add up over every safe cut.
func FuzzSafeCut(f *testing.F) {
	for _, text := range cutTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, enc := range []*Encoding{O200k, CL100k} {
			whole, sum, start := enc.Count(text), 0, 0
			for at := 1; at <= len(text); at++ {
				if SafeCut(text, at) {
					sum += enc.Count(text[start:at])
					start = at
				}
			}
			if sum += enc.Count(text[start:]); sum != whole {
				t.Errorf("%s: %q counts %d, its parts %d", enc.name, text, whole, sum)
			}
		}
	})
}

// TestSafeCutsAddUp does the same on real code and checks that there are cuts.
func TestSafeCutsAddUp(t *testing.T) {
	text := string(readSource(t, "encoding.go")) + string(readSource(t, "tokens_test.go")) + strings.ReplaceAll(string(readSource(t, "split.go")), "\n", "\r\n")
	cuts, sum, start := 0, 0, 0
	for at := range text {
		if at > 0 && SafeCut(text, at) {
			sum += Count(text[start:at])
			start = at
			cuts++
		}
	}
	if sum += Count(text[start:]); sum != Count(text) {
		t.Errorf("the whole counts %d, its parts %d", Count(text), sum)
	}
	if lines := strings.Count(text, "\n"); cuts < lines/2 {
		t.Errorf("only %d safe cuts in %d lines", cuts, lines)
	}
}

func readSource(t testing.TB, name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
