package next

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/workspace"
)

// document opens a file of another language in place of main.go.
func (b *bench) document(t *testing.T, name, language, text string) {
	t.Helper()
	b.Close()
	b.URI, b.Version = workspace.URIOf(filepath.Join(b.Root, name)), 1
	b.Follow.Opened(b.Session.Update(workspace.Opened{URI: b.URI, Language: language, Version: 1, Text: edits.NewText(text)}), b.URI)
	b.Settle(t)
}

// TestSeriesOfVariable: after a parameter or a variable is renamed where it is declared, Tab
// alone leads to its last use, and to nothing of another function or class.
func TestSeriesOfVariable(t *testing.T) {
	for name, c := range map[string]struct {
		file, language, text string
		old, now             string // the first of old is the declaration
		want                 string // the text at last; "" is every whole word of the function
	}{
		"a parameter of Go": {"v.go", "go", "package m\n\nfunc Sum(list []int) int {\n\ttotal := 0\n\tfor _, x := range list {\n\t\ttotal += x\n\t}\n\treturn total / len(list)\n}\n\nfunc Max(list []int) int { return list[0] }\n", "list", "values",
			"package m\n\nfunc Sum(values []int) int {\n\ttotal := 0\n\tfor _, x := range values {\n\t\ttotal += x\n\t}\n\treturn total / len(values)\n}\n\nfunc Max(list []int) int { return list[0] }\n"},
		"a variable of Go": {"v.go", "go", "package m\n\ntype T struct{ total int }\n\nfunc Sum(t T) int {\n\tsum := t.total\n\tsum += t.total\n\tprintln(sum)\n\treturn sum\n}\n", "sum", "all",
			"package m\n\ntype T struct{ total int }\n\nfunc Sum(t T) int {\n\tall := t.total\n\tall += t.total\n\tprintln(all)\n\treturn all\n}\n"},
		"a parameter used in its own line": {"v.go", "go", "package m\n\nfunc Twice(n int) int { return n + n }\n", "n int)", "number",
			"package m\n\nfunc Twice(number int) int { return number + number }\n"},
		"a parameter of Python": {"v.py", "python", "class Box:\n    def fill(self, size, other):\n        \"\"\"Fill it.\n\n        :param size: how much\n        \"\"\"\n        self.size = size\n        other.fill(size=size)\n        return f\"{size} of {self.size}\"\n\n\ndef use(box, size):\n    box.fill(size=2, other=box)\n    return size\n", "size", "amount",
			"class Box:\n    def fill(self, amount, other):\n        \"\"\"Fill it.\n\n        :param amount: how much\n        \"\"\"\n        self.size = amount\n        other.fill(size=amount)\n        return f\"{amount} of {self.size}\"\n\n\ndef use(box, size):\n    box.fill(size=2, other=box)\n    return size\n"},
		"an argument of Python": {"v.py", "python", "def fill_box(size, other=1):\n    \"\"\"Fill it.\n\n    Args:\n        size (int): how much\n    \"\"\"\n    def inner(size):\n        return size\n    return inner(size)\n\n\ndef use(size):\n    fill_box(size=size, other=dict(size=1))\n", "size, ", "amount",
			"def fill_box(amount, other=1):\n    \"\"\"Fill it.\n\n    Args:\n        amount (int): how much\n    \"\"\"\n    def inner(size):\n        return size\n    return inner(amount)\n\n\ndef use(size):\n    fill_box(amount=size, other=dict(size=1))\n"},
		"a parameter of TypeScript": {"v.ts", "typescript", "class Box {\n  size = 0;\n  /**\n   * @param size how much\n   */\n  fill(size: number) {\n    this.size = size;\n    return { size, twice: size * 2 };\n  }\n  other(size: number) {\n    return size;\n  }\n}\n", "size: number) {\n    this", "amount",
			"class Box {\n  size = 0;\n  /**\n   * @param amount how much\n   */\n  fill(amount: number) {\n    this.size = amount;\n    return { size: amount, twice: amount * 2 };\n  }\n  other(size: number) {\n    return size;\n  }\n}\n"},
		"a parameter of Java": {"V.java", "java", "class V {\n    int size;\n\n    /** @param size how much */\n    int fill(int size) {\n        this.size = size;\n        return size * 2;\n    }\n\n    int other(int size) {\n        return size;\n    }\n}\n", "size) {\n        this", "amount",
			"class V {\n    int size;\n\n    /** @param amount how much */\n    int fill(int amount) {\n        this.size = amount;\n        return amount * 2;\n    }\n\n    int other(int size) {\n        return size;\n    }\n}\n"},
		"a parameter of Rust": {"v.rs", "rust", "struct V { size: u32 }\n\nimpl V {\n    fn fill(&mut self, size: u32) -> u32 {\n        self.size = size;\n        size * 2\n    }\n\n    fn other(&self, size: u32) -> u32 { size }\n}\n", "size: u32) -> u32 {\n        self", "amount",
			"struct V { size: u32 }\n\nimpl V {\n    fn fill(&mut self, amount: u32) -> u32 {\n        self.size = amount;\n        amount * 2\n    }\n\n    fn other(&self, size: u32) -> u32 { size }\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, lanes{}, "package m\n", map[string]string{"go.mod": "module m\n"})
			b.engine.NextEdits.Local = local.New(nil)
			b.document(t, c.file, c.language, c.text)
			old := c.old[:strings.IndexFunc(c.old+" ", func(r rune) bool { return r == ' ' || r == ',' || r == ':' || r == ')' })]
			at := strings.Index(c.text, c.old)
			b.Edit(at, at+len(old), c.now)
			b.walk(t, at)
			if got := b.Text(); got != c.want {
				t.Errorf("at last:\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestSeriesIsHeld: a series follows what the user types elsewhere, tells which of its places
// is next, goes on after the user has written one, and ends with its cause.
func TestSeriesIsHeld(t *testing.T) {
	const text = "package m\n\nfunc Sum(list []int) int {\n\tuse(list)\n\tuse(list)\n\tuse(list)\n\treturn len(list)\n}\n"
	b := newBench(t, lanes{}, text, map[string]string{"go.mod": "module m\n"})
	b.engine.NextEdits.Local = local.New(nil)
	at := b.At("Sum(")
	b.Edit(at, at+4, "values")
	next, what := b.next(t, at)
	if what != "main.go:4 list>values" || next.Title != "Rename list to values: 1 of 4" {
		t.Fatalf("first %s, %s", what, next.Title)
	}
	b.take(t, next)
	b.Edit(0, 0, "// Package m adds.\n")
	if next, what = b.next(t, 0); what != "main.go:6 list>values" || next.Title != "Rename list to values: 2 of 4" {
		t.Fatalf("after a line above: %s, %+v", what, next)
	}
	here := b.At("use(values)\n\tuse(")
	b.Edit(here, here+4, "values") // by hand
	if next, what = b.next(t, here); what != "main.go:7 list>values" || next.Title != "Rename list to values: 3 of 4" {
		t.Fatalf("after one by hand: %s, %+v", what, next)
	}
	b = newBench(t, lanes{}, text, map[string]string{"go.mod": "module m\n"})
	b.engine.NextEdits.Local = local.New(nil)
	at = b.At("Sum(")
	b.Edit(at, at+4, "values")
	if next, _ = b.next(t, at); next == nil {
		t.Fatal("nothing is offered")
	}
	b.take(t, next)
	if p, err := b.engine.NextEdits.NextEverywhere(t.Context(), b.Session.Snapshot(), core.Place{URI: b.URI}, 1); err != nil || p.Title != "Rename list to values: 3 places" {
		t.Errorf("what is left at once: %+v, %v", p, err)
	}
	b.Edit(next.Edit.Start, next.Edit.Start+6, "list")
	b.Edit(at, at+6, "list")
	if _, what = b.next(t, at); what != "" {
		t.Errorf("without its cause: %s", what)
	}
}

// TestSeriesOfManyCalls: the calls of a function whose parameters changed are visited to the
// last although the user writes at each, and rejecting one goes on to the next.
func TestSeriesOfManyCalls(t *testing.T) {
	var calls strings.Builder
	for range 20 {
		calls.WriteString("\tLoadIndex()\n\n\tprintln()\n\n\tprintln()\n\n\n")
	}
	b := newBench(t, lanes{}, "package m\n\nfunc LoadIndex() {}\n\nfunc use() {\n"+calls.String()+"}\n", map[string]string{"go.mod": "module m\n"})
	b.engine.NextEdits.Local = local.New(nil)
	at := b.At("func LoadIndex(")
	b.Edit(at, at, "name string")
	visited := 0
	for range 25 {
		next, what := b.next(t, at)
		if next == nil {
			break
		}
		at = next.Edit.Start
		if next.Jump == "" {
			t.Fatalf("%s is invented", what)
		}
		visited++
		b.take(t, next)
		switch {
		case visited%3 == 0:
			b.engine.NextEdits.Open.Rejected(next.ID)
		default:
			at += len("LoadIndex(")
			b.Edit(at, at, strings.Repeat("\"", visited)+"x")
		}
	}
	if visited != 20 {
		t.Errorf("%d calls were visited, want 20", visited)
	}
}

// Settle waits until the folder is indexed.
func (b *bench) Settle(t *testing.T) {
	t.Helper()
	if err := b.Session.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestSeriesOfLines: lines that are offered leave where the user begins to write beside their
// place, and stay where the user writes elsewhere.
func TestSeriesOfLines(t *testing.T) {
	text := edits.NewText("a\nb\nc\nd\n")
	for name, c := range map[string]struct {
		typed edits.Edit
		want  int
	}{
		"at the end of the line above": {edits.Edit{Span: edits.Span{Start: 3, End: 3}, New: "\nx"}, 0},
		"in the line below":            {edits.Edit{Span: edits.Span{Start: 4, End: 4}, New: "x"}, 0},
		"elsewhere":                    {edits.Edit{Span: edits.Span{Start: 1, End: 1}, New: "x"}, 1},
	} {
		lines := Consequences{}.With("a", []Item{{Offer: Offer{URI: "untitled:a", Edit: edits.Edit{Span: edits.Span{Start: 4, End: 4}, New: "x\ny\n"}}}})
		if left := lines.Over("untitled:a", text, c.typed).Left("", 0); len(left) != c.want {
			t.Errorf("%s: %d places are left, want %d", name, len(left), c.want)
		}
	}
}

// TestConsequencesAreValues: whatever is done to consequences, the value itself stays; no two of
// their items are at one place, a source's answer replaces its last one, an edit elsewhere leaves
// every item on its own text, and who makes an edit has done it.
func TestConsequencesAreValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := edits.NewText(strings.Repeat("one two three four\n", rapid.IntRange(1, 6).Draw(t, "lines")))
		drawn := func(label string) (out []Item) {
			for range rapid.IntRange(0, 5).Draw(t, label) {
				at := rapid.IntRange(0, text.Len()-3).Draw(t, "at")
				out = append(out, Item{Offer: Offer{URI: "untitled:a", Edit: edits.Edit{Span: edits.Span{Start: at, End: at + 2}, New: "xyz"}}, Proof: Proof(rapid.IntRange(0, 2).Draw(t, "proof"))})
			}
			return out
		}
		first, second := drawn("first"), drawn("second")
		c := Consequences{}.With("a", first).With("b", second)
		was := fmt.Sprintf("%+v", c)
		for i, x := range c.items {
			for _, y := range c.items[:i] {
				if x.meets(y) {
					t.Fatalf("%+v and %+v are at one place", x, y)
				}
			}
		}
		if again := c.With("b", nil).With("a", first); len(again.items) != len(Consequences{}.With("a", first).items) || again.total != len(again.items) {
			t.Fatalf("%+v after b found nothing", again)
		}
		at := rapid.IntRange(0, text.Len()).Draw(t, "typed at")
		e := edits.Edit{Span: edits.Span{Start: at, End: at}, New: "\n"}
		after := c.Over("untitled:a", text, e)
		now := text.Replace(e.Span, e.New)
		for _, i := range after.items {
			if !i.Edit.Valid(now.Len()) {
				t.Fatalf("%+v is outside the text", i)
			}
		}
		if other := c.Over("untitled:b", text, e); len(other.items) != len(c.items) {
			t.Fatalf("an edit of another document left %+v", other)
		}
		for _, i := range c.items {
			made := c.Over("untitled:a", text, i.Edit)
			if len(made.items) != len(c.items)-1 || made.total != c.total {
				t.Fatalf("after %+v was made: %+v", i, made)
			}
			if left := c.Without(i.meets); len(left.items) != len(c.items)-1 {
				t.Fatalf("without %+v: %+v", i, left)
			}
		}
		if next, ok := c.Next("untitled:a", at, func(Item) bool { return true }); ok != (len(c.items) > 0) || ok && !slices.ContainsFunc(c.items, next.meets) {
			t.Fatalf("next is %+v of %+v", next, c.items)
		}
		if is := fmt.Sprintf("%+v", c); is != was {
			t.Fatalf("%s became %s", was, is)
		}
	})
}
