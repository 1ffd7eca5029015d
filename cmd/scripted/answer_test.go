package main

import (
	"regexp"
	"strings"
	"testing"
)

const sample = `package shop

import "errors"

type Cart struct {
	items []Item
}

func (c *Cart) AddItem(item Item) error {
	if item.Count < 0 {
		return errors.New("negative count")
	}
	c.items = append(c.items, item)
	return nil
}

func (c *Cart) RemoveItem(item Item) error {
	if item.Count < 0 {
`

func TestContinuation(t *testing.T) {
	for _, c := range []struct{ name, prefix, suffix, want string }{
		{"after the same words", sample[:len(sample)-len("item.Count < 0 {\n")], "\n}\n", "item.Count < 0 {"},
		{"after a similar line", sample + "\t\t", "\n\t}\n}\n", `return errors.New("negative count")`},
		{"rest of a name", "def parse_row(row): pass\n\nx = par", "", "se_row()"},
		{"python block", "for row in rows:\n    use(row)\n\nfor row in rows:\n    ", "", "use(row)"},
		{"nothing to go by", "", "", ""},
	} {
		if got := continuation(c.prefix, c.suffix, ""); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: continuation is %q, want it to begin with %q", c.name, got, c.want)
		}
	}
}

func ask(instructions string, messages ...string) *request {
	r := &request{Instructions: instructions}
	for _, m := range messages {
		r.Messages = append(r.Messages, message{Role: "user", Text: m})
	}
	return r
}

const blocks = "Write every edit as a block: <<<<<<< SEARCH"

// apply applies search/replace blocks strictly: each must occur once.
func apply(t *testing.T, text, answer string) string {
	t.Helper()
	re := regexp.MustCompile(`(?s)<<<<<<< SEARCH\n(.*?)\n=======\n(.*?)>>>>>>> REPLACE`)
	found := re.FindAllStringSubmatch(answer, -1)
	if len(found) == 0 {
		t.Fatalf("no block in %q", answer)
	}
	for _, m := range found {
		if strings.Count(text, m[1]) != 1 {
			t.Fatalf("%q occurs %d times", m[1], strings.Count(text, m[1]))
		}
		text = strings.Replace(text, m[1], strings.TrimSuffix(m[2], "\n"), 1)
	}
	return text
}

func TestEditsDoWhatIsAsked(t *testing.T) {
	for _, c := range []struct{ name, file, request, want, gone string }{
		{"rename", sample + "}\n}\n", "Rename the method AddItem to PutItem", "PutItem(item Item)", "AddItem"},
		{"comment", sample, "add a doc comment", "// Cart is the cart.\ntype Cart", ""},
		{"python comment", "x = 1\n\ndef load_rows(path):\n    pass\n", "Document this function", "# load_rows loads rows.\ndef", ""},
		{"selection", "func a() {}\n<selection>func load() {}\n</selection>func c() {}", "add a comment", "func a() {}\n// load loads what it is given.\nfunc load() {}", ""},
		{"diagnostic", "func f() {\n\tprocesData(1)\n}\nfunc processData(int) {}", "Fix it\n", "\tprocessData(1)", "procesData("},
		{"replace", "a = 1\nb = 1\na = 1\n", `replace "b = 1" with "b = 2"`, "b = 2", "b = 1"},
		{"many places", "n := 1\nn := 2\nm := 1\nn := 2\n", "rename n to k", "k := 1\nk := 2\nm := 1\nk := 2\n", "n :="},
		{"around the selection", "func load() {\n<selection>\tx()\n</selection>}\n", "add a doc comment", "// load loads what it is given.\nfunc load() {\n\tx()", ""},
		{"rename outside the selection", "func load() {}\n<selection>x()\n</selection>load()\n", "rename load to fetch", "func fetch() {}\nx()\nfetch()", "load"},
		{"not understood", "a\n", "do the thing", "// do the thing\na", ""},
	} {
		shown := "<file path=\"a.go\">\n" + c.file + "\n</file>\n"
		if strings.Contains(c.name, "python") {
			shown = strings.Replace(shown, "a.go", "a.py", 1)
		}
		if c.name == "diagnostic" {
			shown += "Diagnostic: a.go:2: error: undefined: procesData\n"
		}
		text := strings.NewReplacer("<selection>", "", "</selection>", "").Replace(c.file)
		got := apply(t, text, compose(ask(blocks, "<context>\n</context>", shown+"Request: "+c.request)))
		if !strings.Contains(got, c.want) || c.gone != "" && strings.Contains(got, c.gone) {
			t.Errorf("%s: the file is now\n%s\nwant %q in it, and no %q", c.name, got, c.want, c.gone)
		}
	}
}

func TestAnswersCiteOnlyWhatIsShown(t *testing.T) {
	context := "<context>\nshop/cart.go:10-12\nfunc (c *Cart) Total() int {\n\treturn sum(c.items)\n}\nshop/tax.go:3-4\n// VAT is added last.\nfunc AddVAT(n int) int\n</context>"
	got := explain(readPage(ask("", context, "Request: where is VAT added?")))
	if !strings.Contains(got, "shop/tax.go:4") || strings.Contains(got, "shop/cart.go:10") {
		t.Errorf("answer is %q, want shop/tax.go:4 cited and cart.go not", got)
	}
	got = explain(readPage(ask("", "<context>\n# shop/tax.go\nfunc AddVAT(n int) int\n</context>", "Request: where is VAT added?")))
	if !strings.Contains(got, "shop/tax.go:1") {
		t.Errorf("answer is %q, want shop/tax.go cited", got)
	}
	got = explain(readPage(ask("", context, "Request: where is the frobnicator?")))
	if !strings.Contains(got, "does not hold") {
		t.Errorf("answer is %q, want it to state that the code does not hold it", got)
	}
}

func TestPlanSplitsTheRequest(t *testing.T) {
	got := compose(ask("lines of [FAST] and [DEEP]", "<file path=\"a.go\">\nfunc A() {}\n</file>\nRequest: rename A to B and make it thread-safe."))
	want := "[FAST] rename A to B, in a.go\n[DEEP] make it thread-safe, in a.go\n"
	if got != want {
		t.Errorf("plan is %q, want %q", got, want)
	}
}

func TestPiecesJoinToTheText(t *testing.T) {
	for _, text := range []string{"", "a", "func (c *Cart) Total() int {\n\treturn 1\n}\n", "wörld → 世界, 👩‍👩‍👧 x", strings.Repeat("x", 100)} {
		if got := strings.Join(pieces(text), ""); got != text {
			t.Errorf("pieces of %q join to %q", text, got)
		}
	}
}
