package window

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/edits"
	"tandem/workspace"
)

// filler is what a small window has no room for.
var filler = "var table = []int{\n" + strings.Repeat("\t1,\n", 60) + "}\n\n"

// sourceTree is a workspace in which each source has something to find.
var sourceTree = map[string]string{
	"go.mod":            "module example.com/shop\n\ngo 1.26\n",
	"AGENTS.md":         "Prices are integers.\n",
	"shop/cart.go":      "package shop\n\nimport \"example.com/shop/price\"\n\n// Cart holds items.\ntype Cart struct {\n\titems []Item\n}\n\n" + filler + "// Sum adds the items up.\nfunc (c *Cart) Sum() price.Cents {\n\ttotal := c.first()\n\treturn price.Rebate(total)\n}\n\nfunc (c *Cart) first() price.Cents { return c.items[0].Price }\n\n" + filler + "func last() {\n\t\n}\n\nfunc open() {\n\tCheckout()\n\t\n}\n",
	"shop/item.go":      "package shop\n\nimport \"example.com/shop/price\"\n\n// Item is a line of a cart.\ntype Item struct {\n\tName  string\n\tPrice price.Cents\n}\n",
	"shop/pay.go":       "package shop\n\n// Checkout pays for a cart.\nfunc Checkout() {\n\tvar c Cart\n\tif c.Sum() == 0 {\n\t\tpanic(\"a Cart without a Sum cannot be paid\")\n\t}\n}\n",
	"shop/cart_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif new(Cart).Sum() != 0 {\n\t\tt.Error(\"not empty\")\n\t}\n}\n",
	"price/price.go":    "package price\n\n// Cents is money.\ntype Cents int64\n\n// Rebate takes something off.\nfunc Rebate(c Cents) Cents {\n\treturn c - 1\n}\n",
}

// A server knows one name of another repository.
type server struct{}

func (server) Hits(_ context.Context, names []string) (out []SearchHit) {
	for _, name := range names {
		if name == "OtherShop" {
			out = append(out, SearchHit{Path: "other/shop.go", Line: 3, Name: name, Text: "func OtherShop() {}\n"})
		}
	}
	return out
}

// TestSources runs each source alone, at a place of shop/cart.go or for words, and compares
// what it shows besides the region.
func TestSources(t *testing.T) {
	s := openWindows(t, sourceTree, true)
	abs := s.Snapshot().Views()[0].Abs
	cart, prices := workspace.URIOf(abs("shop/cart.go")), workspace.URIOf(abs("price/price.go"))
	s.Update(workspace.Opened{URI: prices, Language: "go", Version: 1, Text: edits.NewText(sourceTree["price/price.go"])})
	at := strings.Index(sourceTree["price/price.go"], "Rebate(c")
	typeAt(t, s, prices, edits.Edit{Span: edits.Span{Start: at, End: at + len("Rebate")}, New: "Discount"})
	s.Update(workspace.Opened{URI: cart, Language: "go", Version: 1, Text: edits.NewText(sourceTree["shop/cart.go"])},
		workspace.Diagnosed{URI: cart, Diagnostics: []workspace.Diagnostic{{Span: edits.Span{Start: 20, End: 21}, Severity: "error", Source: "compiler", Message: "price is missing"}}})
	const sum, last, open = "\ttotal :=", "\t\n}\n\nfunc open", "\t\n}\n"
	for _, c := range []struct {
		name string
		of   Source
		at   string // before which the place is
		req  Request
		want []string
	}{
		{"rules", rules, sum, Request{}, []string{"rule AGENTS.md:1-1 the project's rules"}},
		{"diagnostics", diagnostics, sum, Request{}, []string{"diagnostic shop/cart.go:3-3 reported by compiler"}},
		{"recentEdits", recentEdits, sum, Request{}, []string{"recent_edit price/price.go:7-7 edited recently"}},
		{"named: a name", named, "", Request{Words: "what does Cart.Sum do?"}, []string{"definition shop/cart.go:73-77 defines Sum, named in your words"}},
		{"named: a line", named, "", Request{Words: "why at shop/pay.go:6?"}, []string{"definition shop/pay.go:3-9 defines Checkout, at shop/pay.go:6 in your words"}},
		{"named: a file", named, "", Request{Words: "shorten shop/item.go"}, []string{"code shop/item.go:1-9 the file that your words name"}},
		{"named: a text", named, "", Request{Words: "it says \"a Cart without a Sum cannot be paid\""}, []string{`code shop/pay.go:3-9 has "a Cart without a Sum cannot be paid", quoted in your words`}},
		{"hinted", hinted, "", Request{Words: "what does checkout do, and Checkout?"}, []string{"definition shop/pay.go:3-9 defines Checkout, named in your words"}},
		{"declared", declared, sum, Request{}, []string{"definition price/price.go:4-4 defines Cents, used near shop/cart.go:75"}},
		{"around", around, sum, Request{Purpose: "edit", Budget: 256}, []string{"definition shop/cart.go:5-8 defines Cart, the type of Sum"}},
		{"around: a diff", around, last, Request{Purpose: "review", Budget: 256, Diff: "--- a/shop/cart.go\n+++ b/shop/cart.go\n@@ -12,1 +12,1 @@\n-\ttotal := 1\n+\ttotal := c.first()\n"}, []string{"definition shop/cart.go:10-21 defines table, which the changes touch"}},
		{"ownFile", ownFile, open, Request{Budget: 256}, []string{"import shop/cart.go:3-3 imported by shop/cart.go", "definition shop/cart.go:6-8 defines Cart, used near shop/cart.go:150", "definition shop/cart.go:10-21 defines table, used near shop/cart.go:150", "definition shop/cart.go:74-74 defines Sum, used near shop/cart.go:150", "definition shop/cart.go:79-79 defines first, used near shop/cart.go:150", "definition shop/cart.go:81-92 defines table, used near shop/cart.go:150"}},
		{"related", related, sum, Request{}, []string{"caller shop/pay.go:3-9 calls Sum", "test shop/cart_test.go:5-9 test of Sum", "definition price/price.go:3-4 defines Cents, used by Sum"}},
		{"users", users, open, Request{Budget: 256}, []string{"caller shop/cart.go:73-77 calls Rebate"}},
		{"found", found, "", Request{Words: "how is a cart paid?"}, []string{
			"code shop/cart_test.go:5-9 similar to your words: cart", "code shop/cart.go:5-8 similar to your words: cart", "code shop/cart.go:73-77 similar to your words: cart", "code shop/cart.go:79-79 similar to your words: cart",
			"code shop/cart.go:144-146 similar to your words: cart", "code shop/cart.go:148-151 similar to your words: cart", "code shop/pay.go:3-9 similar to your words: paid, cart",
		}},
		{"folders", folders, "", Request{}, []string{"map .:1-3 the repository's folders and files"}},
		{"searched", searched, "", Request{Words: "where is OtherShop?", Search: server{}}, []string{"search other/shop.go:3-3 search hit for OtherShop"}},
		{"resembling", resembling, sum, Request{}, []string{"code shop/cart_test.go:1-9 similar code: shares Sum, Cart", "code shop/pay.go:1-9 similar code: shares Sum, Cart", "code shop/item.go:1-9 similar code: shares Price, price, Cents", "code price/price.go:1-9 similar code: shares Rebate, price, Cents"}},
		{"unexplained: every name is explained", unexplained, last, Request{}, nil},
		{"unexplained: Checkout is not", unexplained, open, Request{}, nil},
	} {
		snap, req := s.Snapshot(), c.req
		if c.at != "" {
			place := strings.LastIndex(sourceTree["shop/cart.go"], c.at) + 1
			req.URI, req.Span = cart, edits.Span{Start: place, End: place}
		}
		f, err := newFill(t.Context(), snap, req)
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.cut(f.budget)
		if err != nil {
			t.Fatal(err)
		}
		f.show(r)
		f.run([]share{{c.of, 100}})
		w := f.window()
		checkWindow(t, w)
		var got []string
		for _, x := range w.Fragments[:len(w.Fragments)-1] {
			got = append(got, fmt.Sprintf("%s %s:%d-%d %s", x.Kind, filepath.ToSlash(x.Path), x.StartLine, x.EndLine, x.Reason))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// TestAMapThatFitsNowhereIsLeftOut: a small window has no room for the names of many folders.
func TestAMapThatFitsNowhereIsLeftOut(t *testing.T) {
	files := map[string]string{}
	for i := range 400 {
		files[fmt.Sprintf("folder%03d/a/file%d.go", i, i)] = "package a\n"
		files[fmt.Sprintf("file%03d.go", i)] = "package a\n"
	}
	s := openWindows(t, files, true)
	w, err := Build(t.Context(), s.Snapshot(), Request{Purpose: "ask", Budget: MinBudget, Words: "what is this?"})
	if err != nil {
		t.Fatal(err)
	}
	checkWindow(t, w)
	if w.Fragments[0].Kind == FragmentMap {
		t.Errorf("shown is %+v", w.Fragments)
	}
}

// TestNextWindowsShowNoLineTwice: what a window adds is cut at lines that the one before shows.
func TestNextWindowsShowNoLineTwice(t *testing.T) {
	s := openWindows(t, sourceTree, true)
	lines := func(path string, first, last int) Fragment {
		return Fragment{Path: path, StartLine: first, EndLine: last, Kind: FragmentDefinition, Reason: "defines it"}
	}
	f, err := newFill(t.Context(), s.Snapshot(), Request{URI: "price/price.go"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.cut(f.budget)
	if err != nil {
		t.Fatal(err)
	}
	kept := lines("shop/pay.go", 5, 5)
	kept.Text = f.secrets.Redact("\tvar c Cart\n")
	f.shown = []Fragment{kept}
	f.show(r)
	f.run([]share{{func(*fill) []Fragment {
		return []Fragment{lines("shop/pay.go", 7, 7), lines("shop/pay.go", 3, 8), lines("shop/pay.go", 4, 5)}
	}, 100}})
	w := f.window()
	checkWindow(t, w)
	if last := w.Fragments[len(w.Fragments)-1]; last.Kind != FragmentCursor {
		t.Errorf("the last fragment is %+v, want the region", last)
	}
	shown := map[int]int{5: 1}
	for _, c := range w.Fragments[:len(w.Fragments)-1] {
		for line := c.StartLine; line <= c.EndLine; line++ {
			shown[line]++
		}
	}
	for line := 3; line <= 8; line++ {
		if shown[line] != 1 {
			t.Errorf("line %d is shown %d times:\n%s", line, shown[line], w.context.String())
		}
	}
}
