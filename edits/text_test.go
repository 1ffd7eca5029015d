package edits

import (
	"crypto/sha256"
	"math"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// plain is the specification of Text: the same methods, computed from the whole
// string.
type plain string

func (p plain) lineStarts() []int {
	starts := []int{0}
	for i := 0; i < len(p); i++ {
		if p[i] == '\n' || p[i] == '\r' && !strings.HasPrefix(string(p[i+1:]), "\n") {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func (p plain) lineStart(line int) int {
	starts := p.lineStarts()
	if line >= len(starts) {
		return len(p)
	}
	return starts[max(line, 0)]
}

func (p plain) lineEnd(line int) int {
	start := p.lineStart(line)
	if i := strings.IndexAny(string(p[start:]), "\r\n"); i >= 0 {
		return start + i
	}
	return len(p)
}

func (p plain) lineOf(offset int) int {
	line := 0
	for i, start := range p.lineStarts() {
		if start <= offset {
			line = i
		}
	}
	return line
}

// runes lists where runes start, with the end of the text.
func (p plain) runes() []int {
	var at []int
	for i := range string(p) {
		at = append(at, i)
	}
	return append(at, len(p))
}

func (p plain) runeStart(offset int) int {
	start := 0
	for _, at := range p.runes() {
		if at <= offset {
			start = at
		}
	}
	return start
}

func (p plain) toUTF16(offset int) int {
	return len(utf16.Encode([]rune(string(p[:p.runeStart(offset)]))))
}

func (p plain) fromUTF16(units int) int {
	from := 0
	for _, at := range p.runes() {
		if p.toUTF16(at) <= units {
			from = at
		}
	}
	return from
}

// pieces are what random texts are made of: sequences that a border could divide.
var pieces = rapid.SampledFrom([]string{
	"a", "b c", "\n", "\r", "\r\n", "é", "€", "😀", "\xe2", "\x82\xac", "\xf0\x9f", "\x98\x80", "\xff", "\x80",
	"\xef\xbb\xbf", "\x00", strings.Repeat("x", 60) + "\n", strings.Repeat("日本語", 30), strings.Repeat("\r\n", 40),
})

func anyText(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(pieces, 0, 200).Draw(t, label), "")
}

func checkText(t interface {
	Helper()
	Fatalf(string, ...any)
}, text Text, want string, offset int) {
	t.Helper()
	p := plain(want)
	fail := func(what string, got, want any) {
		t.Helper()
		t.Fatalf("%s(%d) = %v, want %v", what, offset, got, want)
	}
	eq := func(what string, got, want int) {
		t.Helper()
		if got != want {
			fail(what, got, want)
		}
	}
	if got := text.String(); got != want {
		fail("String", len(got), len(want))
	}
	eq("Len", text.Len(), len(want))
	eq("LineCount", text.LineCount(), len(p.lineStarts()))
	eq("LenUTF16", text.LenUTF16(), p.toUTF16(len(p)))
	in := max(0, min(offset, len(want)))
	line := p.lineOf(in)
	eq("LineOf", text.LineOf(offset), line)
	eq("LineStart", text.LineStart(offset), p.lineStart(offset))
	eq("LineEnd", text.LineEnd(line), p.lineEnd(line))
	if got, want := text.Line(line), want[p.lineStart(line):p.lineEnd(line)]; got != want {
		fail("Line", got, want)
	}
	eq("RuneStart", text.RuneStart(offset), p.runeStart(in))
	eq("ToUTF16", text.ToUTF16(offset), p.toUTF16(in))
	eq("FromUTF16", text.FromUTF16(offset), p.fromUTF16(offset))
	eq("UTF8Column", text.UTF8Column(offset), in-p.lineStart(line))
	eq("UTF16Column", text.UTF16Column(offset), p.toUTF16(in)-p.toUTF16(p.lineStart(line)))
	for _, column := range []int{-1, 0, offset % 7, offset % 97, math.MaxInt} {
		end := p.lineEnd(line)
		want8, want16 := p.lineStart(line), p.lineStart(line)
		if column > 0 {
			want8, want16 = end, end
			if column < end-p.lineStart(line) {
				want8 = p.runeStart(p.lineStart(line) + column)
				want16 = min(end, p.fromUTF16(p.toUTF16(p.lineStart(line))+column))
			}
		}
		eq("UTF8Offset", text.UTF8Offset(line, column), want8)
		eq("UTF16Offset", text.UTF16Offset(line, column), want16)
	}
}

// checkTree fails if the tree breaks an invariant of node.
func checkTree(t interface{ Fatalf(string, ...any) }, n *node) {
	switch {
	case n == nil:
	case n.height == 0:
		if n.text == "" || len(n.text) > maxLeaf || n.sum != summarize(n.text) {
			t.Fatalf("leaf of %d bytes has %+v", len(n.text), n.sum)
		}
	default:
		if d := n.left.height - n.right.height; d < -1 || d > 1 {
			t.Fatalf("heights %d and %d side by side", n.left.height, n.right.height)
		}
		if n.sum != n.left.sum.plus(n.right.sum) {
			t.Fatalf("sum %+v of %+v and %+v", n.sum, n.left.sum, n.right.sum)
		}
		checkTree(t, n.left)
		checkTree(t, n.right)
	}
}

func TestTextMatchesPlainString(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := anyText(t, "text")
		text := NewText(want)
		for range rapid.IntRange(0, 12).Draw(t, "edits") {
			start := rapid.IntRange(0, len(want)).Draw(t, "start")
			sp := Span{start, min(len(want), start+rapid.SampledFrom([]int{0, 1, 2, 3, 500, 3000}).Draw(t, "length"))}
			s := anyText(t, "new")
			old, oldText := want, text
			text, want = text.Replace(sp, s), want[:sp.Start]+s+want[sp.End:]
			checkTree(t, text.root)
			if oldText.String() != old {
				t.Fatalf("Replace changed the text it was called on")
			}
		}
		checkText(t, text, want, rapid.IntRange(-2, len(want)+2).Draw(t, "offset"))
		a := rapid.IntRange(0, len(want)).Draw(t, "from")
		b := rapid.IntRange(a, len(want)).Draw(t, "to")
		if got := text.Slice(Span{a, b}); got != want[a:b] {
			t.Fatalf("Slice(%d,%d) = %q, want %q", a, b, got, want[a:b])
		}
		if !text.Equal(NewText(want)) || text.Equal(NewText(want+"x")) {
			t.Fatalf("Equal is wrong")
		}
		if text.Hash() != sha256.Sum256([]byte(want)) {
			t.Fatalf("Hash is not that of the bytes")
		}
	})
}

// TestTextAtBorders edits at and around every border of a text whose leaves
// could divide runes and line ends.
func TestTextAtBorders(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"€", "😀", "\r\n", "\xe2\x82", "a\r", "\n\r"} {
		base := strings.Repeat(unit, 3*maxLeaf/len(unit))
		text := NewText(base)
		border := len(text.root.left.text)
		if text.root.left.height > 0 {
			leaf, _ := text.root.find(0)
			border = len(leaf.text)
		}
		for start := border - 5; start <= border+5; start++ {
			for _, s := range []string{"", "\n", "\r", "\xac", "\xe2", "\x82", "x"} {
				for n := range 3 {
					want := base[:start] + s + base[start+n:]
					got := text.Replace(Span{start, start + n}, s)
					checkTree(t, got.root)
					if got.LineCount() != len(plain(want).lineStarts()) || got.LenUTF16() != countUnits(want) || got.String() != want {
						t.Fatalf("%q: replacing [%d,%d) by %q at border %d breaks the counts", unit, start, start+n, s, border)
					}
				}
			}
		}
	}
}

func TestTextZeroValue(t *testing.T) {
	t.Parallel()
	var text Text
	checkText(t, text, "", 0)
	checkText(t, text.Replace(Span{}, ""), "", 1)
	checkText(t, text.Replace(Span{}, "a\r\nb"), "a\r\nb", 2)
}

func TestTextRefusesBadSpans(t *testing.T) {
	t.Parallel()
	text := NewText("abc")
	for _, sp := range []Span{{-1, 0}, {2, 1}, {0, 4}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Replace(%v) did not panic", sp)
				}
			}()
			text.Replace(sp, "x")
		}()
	}
}

func TestTextSharesItsBytes(t *testing.T) {
	t.Parallel()
	base := NewText(strings.Repeat("some line of text\n", 10_000))
	edited := base.Replace(Span{90_000, 90_001}, "x")
	shared := map[*node]bool{}
	nodes := func(n *node, visit func(*node)) {
		var walk func(*node)
		walk = func(n *node) {
			if n == nil {
				return
			}
			visit(n)
			walk(n.left)
			walk(n.right)
		}
		walk(n)
	}
	nodes(base.root, func(n *node) { shared[n] = true })
	fresh := 0
	nodes(edited.root, func(n *node) {
		if !shared[n] {
			fresh++
		}
	})
	if fresh > 40 {
		t.Errorf("one edit made %d new nodes of %d", fresh, len(shared))
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\r\nb€\xe2😀", "\r", 1, 2, 3)
	f.Add(strings.Repeat("\r\n€", 2000), "\xac\n", 4000, 4001, 4002)
	f.Fuzz(func(t *testing.T, s, insert string, start, end, offset int) {
		if len(s) > 20_000 || len(insert) > 20_000 {
			return
		}
		s = strings.Repeat(s, 1+4*maxLeaf/(len(s)+1)*(offset&1))
		if !(Span{start, end}).Valid(len(s)) {
			return
		}
		text := NewText(s).Replace(Span{start, end}, insert)
		checkTree(t, text.root)
		want := s[:start] + insert + s[end:]
		if text.String() != want || text.LineCount() != len(plain(want).lineStarts()) || text.LenUTF16() != countUnits(want) {
			t.Fatalf("text, lines or units differ")
		}
		in := max(0, min(offset, len(want)))
		if back := text.LineStart(text.LineOf(in)) + text.UTF8Column(in); back != in {
			t.Fatalf("offset %d went to line and column and came back %d", in, back)
		}
		line, column := text.LineOf(in), text.UTF16Column(in)
		if back := text.UTF16Offset(line, column); back != min(text.RuneStart(in), text.LineEnd(line)) {
			t.Fatalf("offset %d went to line %d, UTF-16 column %d and came back %d", in, line, column, back)
		}
		if utf8.ValidString(want) && text.LenUTF16() != len(utf16.Encode([]rune(want))) {
			t.Fatalf("%d UTF-16 units, want %d", text.LenUTF16(), len(utf16.Encode([]rune(want))))
		}
	})
}
