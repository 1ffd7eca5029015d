package window

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/platformtest"
	"tandem/workspace/tokens"
)

// windowTree is a small workspace whose files use each other.
var windowTree = map[string]string{
	"go.mod":           "module example.com/shop\n\ngo 1.26\n",
	"AGENTS.md":        "# Rules\n\nPrices are integers of cents.\n",
	"price/price.go":   "// Package price counts cents.\npackage price\n\n// Cents is money.\ntype Cents int64\n\n// Parse reads a price.\nfunc Parse(text string) (Cents, error) {\n\treturn 0, nil\n}\n\n// Format writes a price.\nfunc Format(c Cents) string { return \"\" }\n",
	"cart/item.go":     "package cart\n\nimport \"example.com/shop/price\"\n\n// Item is a line of a cart.\ntype Item struct {\n\tName  string\n\tPrice price.Cents\n}\n\nfunc (i Item) Total(count int) price.Cents { return i.Price }\n",
	"cart/cart.go":     "package cart\n\nimport \"example.com/shop/price\"\n\n// Cart holds items.\ntype Cart struct {\n\titems []Item\n}\n\n// Sum adds the items up.\nfunc (c *Cart) Sum() price.Cents {\n\tvar sum price.Cents\n\tfor _, i := range c.items {\n\t\tsum += i.Total(1)\n\t}\n\treturn sum\n}\n",
	"config/secret.go": "package config\n\n// Token opens the shop.\nconst Token = \"ghp_0123456789abcdefghijABCDEFGHIJ012345\"\n\nfunc Region() string { return \"eu\" }\n",
}

func openWindows(t testing.TB, tree map[string]string, trusted bool) *workspace.Session {
	root := t.TempDir()
	for name, text := range tree {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ready := make(chan struct{}, 1)
	s, err := workspace.Open(context.Background(), workspace.Options{Folders: []string{root}, Trusted: trusted, ClientWatches: true, Notify: func(workspace.Event) {
		select {
		case ready <- struct{}{}:
		default:
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	deadline := time.After(2 * time.Minute)
	for !s.Snapshot().Views()[0].Ready() {
		select {
		case <-ready:
		case <-deadline:
			t.Fatal("the index is not ready")
		}
	}
	return s
}

// typeAt is what an open document's user does: one edit, which makes its next version.
func typeAt(t testing.TB, s *workspace.Session, uri string, e edits.Edit) *workspace.Snapshot {
	t.Helper()
	o, _ := s.Snapshot().Overlay(uri)
	steps, err := workspace.Steps(o.Text, e)
	if err != nil {
		t.Fatal(err)
	}
	return s.Update(workspace.Edited{URI: uri, Version: o.Version + 1, Steps: steps})
}

// buildAt builds a window after a mark in a document that reads as given.
func buildAt(t testing.TB, s *workspace.Session, file, text string, at int, req Request) *Window {
	t.Helper()
	snap := s.Snapshot().Supposing(map[string]edits.Text{file: edits.NewText(text)})
	req.URI, req.Span = file, edits.Span{Start: at, End: at}
	w, err := Build(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// checkWindow checks the invariants of every window.
func checkWindow(t testing.TB, w *Window) {
	t.Helper()
	text := w.Text()
	if got := tokens.Count(text.String()); got != w.Tokens || got > w.Budget {
		t.Errorf("the window says %d tokens of at most %d, its text has %d", w.Tokens, w.Budget, got)
	}
	if !utf8.ValidString(text.String()) {
		t.Error("the text is not valid UTF-8")
	}
	sum := 0
	for _, f := range w.Fragments {
		sum += f.Tokens
		if !strings.Contains(text.String(), f.Text.String()) {
			t.Errorf("the text lacks the fragment %s:%d", f.Path, f.StartLine)
		}
		if f.StartLine < 1 || f.EndLine < f.StartLine || f.Reason == "" || f.Kind == "" {
			t.Errorf("fragment %+v", f)
		}
	}
	if sum > w.Tokens {
		t.Errorf("the fragments have %d tokens, the window %d", sum, w.Tokens)
	}
}

// TestLinesAreShownAsTheyStand: each line that a window shows of another file is a line of
// that file, comments with slashes too, below a heading, a mark or other code.
func TestLinesAreShownAsTheyStand(t *testing.T) {
	var tree strings.Builder
	tree.WriteString("package a\n\n// Sum adds.\nfunc Sum(list []int) int {\n\tsum := 0\n\treturn sum\n}\n")
	for i := range 40 {
		fmt.Fprintf(&tree, "\n// Sum%d adds list%d.\nfunc Sum%d(list%d []int) int {\n\tsum := Sum(list%d)\n\n\t// all\n\treturn sum\n}\n", i, i, i, i, i)
	}
	files := map[string]string{"go.mod": "module a\n", "a.go": tree.String(), "b.go": "package a\n\nfunc use(list []int) int {\n\treturn Sum3(list) + \n}\n"}
	s := openWindows(t, files, true)
	lines := strings.Split(tree.String(), "\n")
	comments := 0
	for _, purpose := range []string{"complete", "next_edit", "edit", "ask"} {
		for _, budget := range []int{600, 1200, 3000} {
			w := buildAt(t, s, "b.go", files["b.go"], strings.Index(files["b.go"], "\n}"), Request{Purpose: purpose, Budget: budget})
			checkWindow(t, w)
			for _, f := range w.Fragments {
				if f.Path != "a.go" {
					continue
				}
				for line := range strings.SplitSeq(f.Text.String(), "\n") {
					if !slices.Contains(lines, line) && !strings.Contains(line, "\t") { // numbered ones have a tab
						t.Errorf("%s at %d: %q is no line of its file", purpose, budget, line)
					}
					if strings.HasPrefix(line, "// Sum") {
						comments++
					}
				}
			}
		}
	}
	if comments == 0 {
		t.Error("no comment is shown")
	}
}

// TestWindowHoldsWhatThePlaceNeeds: an edit is shown rules, declarations and similar code, a
// completion the declarations alone, where its file explains the names before the cursor.
func TestWindowHoldsWhatThePlaceNeeds(t *testing.T) {
	s := openWindows(t, windowTree, true)
	text := windowTree["cart/cart.go"]
	for purpose, c := range map[string]struct {
		budget    int
		has, lack []string
	}{
		"complete": {3000, []string{"type Cents int64"}, []string{"integers of cents", "func Format(c Cents) string"}},
		"edit":     {8000, []string{"integers of cents", "type Item struct {", "func (i Item) Total(count int) price.Cents { return i.Price }", "type Cents int64"}, nil},
	} {
		w := buildAt(t, s, "cart/cart.go", text, strings.Index(text, "sum += "), Request{Purpose: purpose})
		checkWindow(t, w)
		shown := w.Text().String()
		for _, want := range c.has {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: %q is not shown:\n%s", purpose, want, describeWindow(w))
			}
		}
		for _, not := range c.lack {
			if strings.Contains(shown, not) {
				t.Errorf("%s: %q is shown:\n%s", purpose, not, describeWindow(w))
			}
		}
		if w.Before.String()+w.After.String() != text || !strings.HasPrefix(w.After.String(), "sum += ") {
			t.Errorf("before and after are %q and %q", w.Before, w.After)
		}
		if w.Budget != c.budget || w.Encoding != "o200k_base" || !w.Exact || !hasFragment(w, "cursor", "cart/cart.go", "the text around the cursor") {
			t.Errorf("budget %d in %s: %s", w.Budget, w.Encoding, describeWindow(w))
		}
	}
}

func hasFragment(w *Window, kind, path, reason string) bool {
	for _, f := range w.Fragments {
		if string(f.Kind) == kind && f.Path == path && f.Reason == reason {
			return true
		}
	}
	return false
}

func describeWindow(w *Window) string {
	var b strings.Builder
	for _, f := range w.Fragments {
		fmt.Fprintf(&b, "%s %s:%d-%d %d %s\n", f.Kind, f.Path, f.StartLine, f.EndLine, f.Tokens, f.Reason)
	}
	return b.String()
}

func TestWindowOfAnUntrustedWorkspaceHasNoRules(t *testing.T) {
	s := openWindows(t, windowTree, false)
	w := buildAt(t, s, "cart/cart.go", windowTree["cart/cart.go"], 0, Request{})
	if strings.Contains(w.Text().String(), "integers of cents") {
		t.Errorf("rules of an untrusted workspace are shown:\n%s", describeWindow(w))
	}
}

func TestWindowHidesSecrets(t *testing.T) {
	s := openWindows(t, windowTree, true)
	secret := "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	text := windowTree["cart/cart.go"] + "\nvar t = config.Token + \"" + secret + "\"\n"
	w := buildAt(t, s, "cart/cart.go", text, len(text), Request{})
	checkWindow(t, w)
	if !strings.Contains(w.Text().String(), "const Token = ") {
		t.Fatalf("the definition is not shown:\n%s", describeWindow(w))
	}
	if strings.Contains(w.Text().String(), secret) {
		t.Error("the secret is shown")
	}
	if got := w.Secrets.Restore(w.Before.String()); got != text {
		t.Errorf("restored to %q", got)
	}
}

func TestWindowIsDeterministic(t *testing.T) {
	s := openWindows(t, windowTree, true)
	text := windowTree["cart/cart.go"]
	first := buildAt(t, s, "cart/cart.go", text, 200, Request{Budget: 32000})
	for range 5 {
		again := buildAt(t, s, "cart/cart.go", text, 200, Request{Budget: 32000})
		if diff := cmp.Diff(first.Text().String(), again.Text().String()); diff != "" {
			t.Fatal(diff)
		}
	}
}

// hostileTexts are unusual contents that files can have.
func hostileTexts() map[string]string {
	code := windowTree["cart/cart.go"]
	return map[string]string{
		"empty": "", "newline": "\n", "letter": strings.Repeat("a", 100_000), "spaces": strings.Repeat(" ", 100_000),
		"line":     strings.Repeat("x := Parse(text); ", 20_000),
		"crlf":     strings.ReplaceAll(code, "\n", "\r\n"),
		"cr":       strings.ReplaceAll(code, "\n", "\r"),
		"bom":      "\ufeff" + code,
		"invalid":  strings.ReplaceAll(code, "sum", "s\xffu\xe4\xb8m\xf0\x9f"),
		"slashes":  strings.Repeat("// comment\n/ x\n//\n\n", 500),
		"blank":    strings.Repeat("\n \n\t\n", 3000),
		"wide":     strings.Repeat("中文字符\u3000\u2028é́", 4000),
		"special":  "<|endoftext|>" + strings.Repeat("<|im_start|> <|fim_prefix|>\n", 300),
		"newlines": strings.Repeat("\n", 50_000),
		"code":     strings.Repeat(code, 40),
	}
}

func TestWindowNeverExceedsItsBudget(t *testing.T) {
	t.Parallel()
	s := openWindows(t, windowTree, true)
	random := rand.New(rand.NewPCG(8, 9))
	texts, purposes := hostileTexts(), []string{"complete", "edit", "ask"}
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		for j, budget := range []int{256, 300, 2000, 32000} {
			for k, at := range []int{0, len(text), random.IntN(len(text) + 1)} {
				purpose := purposes[(i+j+k)%len(purposes)] // over all texts, each with each budget and place
				w := buildAt(t, s, "cart/"+name+".go", text, at, Request{Budget: budget, Purpose: purpose})
				if checkWindow(t, w); t.Failed() {
					t.Fatalf("%s at %d, budget %d, %s", name, at, budget, purpose)
				}
			}
		}
	}
}

// FuzzWindow builds windows for any text, place and budget.
func FuzzWindow(f *testing.F) {
	for _, text := range hostileTexts() {
		f.Add(text[:min(len(text), 2000)], 100, 300)
	}
	s := openWindows(f, windowTree, true)
	f.Fuzz(func(t *testing.T, text string, at, budget int) {
		budget = MinBudget + max(budget, -budget)%4000
		snap := s.Snapshot().Supposing(map[string]edits.Text{"cart/fuzz.go": edits.NewText(text)})
		w, err := Build(context.Background(), snap, Request{URI: "cart/fuzz.go", Budget: budget, Span: edits.Span{Start: at, End: at}})
		var refused *Error
		if errors.As(err, &refused) && refused.Code == "binary" {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checkWindow(t, w)
	})
}

func TestWindowCountsWithOtherTokenizers(t *testing.T) {
	s := openWindows(t, windowTree, true)
	for _, c := range []tokens.Counter{tokens.CL100k, tokens.Bytes} {
		w := buildAt(t, s, "cart/cart.go", windowTree["cart/cart.go"], 100, Request{Counter: c, Budget: 2000})
		if got := c.Count(w.Text().String()); got != w.Tokens || got > 2000 || w.Exact != c.Exact() || w.Encoding != c.Name() {
			t.Errorf("%s: %d tokens, reported %d, exact %v", c.Name(), got, w.Tokens, w.Exact)
		}
	}
}

func TestWindowRefuses(t *testing.T) {
	s := openWindows(t, map[string]string{"a.go": "package a\n", "b.txt": "a\x00b", ".env": "KEY=1\n", ".gitignore": "gone.go\n", "gone.go": "package gone\n"}, true)
	for file, code := range map[string]string{"b.txt": "binary", ".env": "refused", "gone.go": "refused", "none.go": "not_found", platformtest.Abs("/etc/hostname"): "outside"} {
		_, err := Build(context.Background(), s.Snapshot(), Request{URI: file})
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != code {
			t.Errorf("%s: %v, want %s", file, err, code)
		}
	}
	if _, err := Build(context.Background(), s.Snapshot(), Request{URI: "a.go", Budget: 255}); err == nil {
		t.Error("a budget of 255 is accepted")
	}
}

// TestWindowOfTheDocumentAlone: nothing of other files is shown, at first and while a name of
// another file is typed.
func TestWindowOfTheDocumentAlone(t *testing.T) {
	s := openWindows(t, windowTree, true)
	text := windowTree["cart/cart.go"]
	at := strings.Index(text, "return sum")
	first := buildAt(t, s, "cart/cart.go", text, at, Request{Alone: true})
	typed := "x := price.Parse(Total(1))\n"
	for name, w := range map[string]*Window{
		"at first": first,
		"typed":    buildAt(t, s, "cart/cart.go", text[:at]+typed+text[at:], at+len(typed), Request{Alone: true, Previous: first}),
	} {
		checkWindow(t, w)
		for _, f := range w.Fragments {
			if f.Path != "cart/cart.go" {
				t.Errorf("%s: %s is shown", name, f.Path)
			}
		}
	}
	if w := buildAt(t, s, "cart/cart.go", text, at, Request{Previous: first}); len(w.Fragments) < 3 {
		t.Errorf("a window of more goes on from one of the document alone:\n%s", describeWindow(w))
	}
}

// TestEditOfTheDocumentAlone: of other files only what the selection names is shown, as it is
// declared.
func TestEditOfTheDocumentAlone(t *testing.T) {
	s := openWindows(t, windowTree, true)
	text := windowTree["cart/cart.go"]
	start := strings.Index(text, "func (c *Cart) Sum")
	w, err := Build(context.Background(), s.Snapshot(), Request{URI: "cart/cart.go", Span: edits.Span{Start: start, End: len(text)}, Purpose: "edit", Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	checkWindow(t, w)
	var others []string
	for _, f := range w.Fragments {
		if f.Path != "cart/cart.go" {
			others = append(others, f.Text.String())
		}
	}
	if got := strings.Join(others, ""); !strings.Contains(got, "type Cents int64") || strings.Contains(got, "Parse") {
		t.Errorf("of other files is shown %q", got)
	}
}

// TestWindowKeepsItsStart types a function into a large file and compares each
// window with the one before.
func TestWindowKeepsItsStart(t *testing.T) {
	s := openWindows(t, manyFiles(), true)
	base := strings.Repeat("func before() { Helper1(); Helper22() }\n\n", 150) + "\n" + strings.Repeat("func after() { Helper333() }\n", 150)
	base = "package shop\n\n" + base
	at := strings.Index(base, "\n\nfunc after") + 1
	typed := "func fresh(c int) int {\n\tHelper7(c)\n\tfor i := range c {\n\t\tHelper1234(i)\n\t}\n\treturn Helper999(c)\n}\n"
	for _, budget := range []int{3_000, 8_000, 32_000} {
		var last *Window
		shared, total := 0, 0
		for n := 0; n <= len(typed); n++ {
			text := base[:at] + typed[:n] + base[at:]
			w := buildAt(t, s, "shop/big.go", text, at+n, Request{Budget: budget, Previous: last})
			if checkWindow(t, w); t.Failed() {
				t.Fatalf("budget %d, %d bytes typed", budget, n)
			}
			if !strings.HasSuffix(base[:at]+typed[:n], w.Before.String()) || !strings.HasPrefix(base[at:], w.After.String()) {
				t.Fatalf("budget %d, %d bytes typed: the region is not the text around the cursor", budget, n)
			}
			if all := tokens.Count(w.Before.String() + w.After.String()); tokens.Count(w.After.String())*4 < all {
				t.Errorf("budget %d, %d bytes typed: %d of %d tokens follow the cursor", budget, n, tokens.Count(w.After.String()), all)
			}
			if n > 0 {
				now := tokens.O200k.Encode(w.context.String() + w.region.String() + w.Before.String())
				shared += sharedStart(tokens.O200k.Encode(last.Text().String()), now)
				total += len(now)
			}
			last = w
		}
		if fresh := (total - shared) / len(typed); fresh > budget/120 || float64(shared) < 0.96*float64(total) {
			t.Errorf("budget %d: %d tokens a key are new, consecutive windows share %d of %d before the cursor", budget, fresh, shared, total)
		}
		if budget == 32_000 && !strings.Contains(last.Text().String(), "func Helper1234(") {
			t.Error("the definition of a name that was typed is not shown")
		}
	}
}

func sharedStart(a, b []uint32) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// manyFiles is a workspace with more definitions than the largest window holds.
func manyFiles() map[string]string {
	tree := map[string]string{"shop/big.go": "package shop\n"}
	for f := range 120 {
		var b strings.Builder
		b.WriteString("package shop\n")
		for d := range 60 {
			n := f*60 + d
			fmt.Fprintf(&b, "\n// Helper%d helps.\nfunc Helper%d(first int, second string, third map[string][]byte) (result int, err error) {\n\treturn Helper%d(first, second, third)\n}\n", n, n, (n*7+1)%7200)
		}
		tree[fmt.Sprintf("shop/file%03d.go", f)] = b.String()
	}
	return tree
}

// TestWindowWithLines: where an answer has to name places, every fragment has
// its line above it, and the count is still exact; a question without a
// document has a window too.
func TestWindowWithLines(t *testing.T) {
	s := openWindows(t, map[string]string{
		"a.go": "package a\n\n// Widget is one.\ntype Widget struct{ size int }\n\nfunc NewWidget() *Widget { return nil }\n",
		"b.go": "package a\n\nfunc use() {\n\tw := NewWidget()\n\t_ = w\n}\n",
	}, false)
	if err := s.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, purpose := range []string{"ask", "explain", "review"} {
		for _, uri := range []string{"b.go", ""} {
			for _, budget := range []int{256, 300, 1000, 8000} {
				w, err := Build(t.Context(), s.Snapshot(), Request{URI: uri, Budget: budget, Purpose: purpose, Words: "where is NewWidget?"})
				if err != nil {
					t.Fatalf("%s %q: %v", purpose, uri, err)
				}
				if got := tokens.Count(w.Text().String()); got != w.Tokens || got > budget {
					t.Errorf("%s %q: %d tokens, reported %d, budget %d:\n%s", purpose, uri, got, w.Tokens, budget, w.Text())
				}
				if !strings.Contains(w.Text().String(), "# a.go\n") || !strings.Contains(w.Text().String(), "6\tfunc NewWidget()") {
					t.Errorf("%s %q, %d tokens: no line number of NewWidget:\n%s", purpose, uri, budget, w.Text())
				}
			}
		}
	}
}

// TestPlacesInAnyBytes: a place in a document with bytes that are no text, or within a
// character, is the place before what follows it, and a place beyond the end is the end.
func TestPlacesInAnyBytes(t *testing.T) {
	s := openWindows(t, map[string]string{"a.go": "package a\n"}, true)
	for text, places := range map[string]map[int][2]string{
		"x\xff\xfey\nz":    {0: {"", "x\uFFFD\uFFFDy\nz"}, 3: {"x\uFFFD\uFFFD", "y\nz"}, 5: {"x\uFFFD\uFFFDy\n", "z"}, 6: {"x\uFFFD\uFFFDy\nz", ""}, 99: {"x\uFFFD\uFFFDy\nz", ""}},
		"aé\nb":            {1: {"a", "é\nb"}, 2: {"a", "é\nb"}, 3: {"aé", "\nb"}, -4: {"", "aé\nb"}},
		"\xf0\x9f\x98\x80": {1: {"", "😀"}, 2: {"", "😀"}, 4: {"😀", ""}},
	} {
		for at, want := range places {
			w := buildAt(t, s, "a.go", text, at, Request{})
			checkWindow(t, w)
			if got := [2]string{w.Before.String(), w.After.String()}; got != want {
				t.Errorf("%q at %d is %q, want %q", text, at, got, want)
			}
		}
	}
}

// TestImportsAreShown: of a document that is too long for its region, the lines of its imports
// are shown in pieces of lines that follow one another.
func TestImportsAreShown(t *testing.T) {
	text := "import os\nimport sys\n\nX = 1\nfrom json import loads\n" + strings.Repeat("\n# filler line of prose that nobody needs\n", 400) + "\n\ndef f():\n    return loads(os.sep)\n"
	s := openWindows(t, map[string]string{"a.py": text}, true)
	for _, purpose := range []string{"edit", "ask"} {
		at := strings.Index(text, "return loads")
		w, err := Build(context.Background(), s.Snapshot(), Request{URI: "a.py", Span: edits.Span{Start: at, End: at}, Purpose: purpose, Budget: 1500})
		if err != nil {
			t.Fatal(err)
		}
		checkWindow(t, w)
		var got []string
		for _, f := range w.Fragments {
			if f.Kind == FragmentImport {
				got = append(got, fmt.Sprintf("%d-%d", f.StartLine, f.EndLine))
			}
		}
		if want := []string{"1-2", "5-5"}; !slices.Equal(got, want) {
			t.Errorf("%s: imports %q, want %q", purpose, got, want)
		}
	}
}

// TestNextWindowsKeepWhatTheyLearnedOfTheDocument: a declaration of the document itself, far from the
// cursor, is kept while its lines stay, whatever is typed elsewhere.
func TestNextWindowsKeepWhatTheyLearnedOfTheDocument(t *testing.T) {
	base := "package shop\n\n// Far is far away.\nfunc Far(first int) int {\n\treturn first\n}\n\n" + strings.Repeat("func before() { _ = 1 }\n\n", 400) + "func fresh() {\n"
	after := "}\n\n" + strings.Repeat("func after() { _ = 2 }\n", 200)
	s := openWindows(t, map[string]string{"shop/big.go": base + after, "shop/other.go": "package shop\n\n// Near is in another file.\nfunc Near() {}\n"}, true)
	var last *Window
	for _, typed := range []string{"\tNear()\n\t", "\tNear()\n\tFar(1)\n\t", "\tNear()\n\tFar(1)\n\tx", "\tNear()\n\tFar(1)\n\txy"} {
		w := buildAt(t, s, "shop/big.go", base+typed+after, len(base+typed), Request{Budget: 8000, Previous: last})
		checkWindow(t, w)
		if last != nil && !strings.HasPrefix(w.context.String(), last.context.String()) {
			t.Errorf("after %q the window is made anew:\n%s\n---\n%s", typed, last.context.String(), w.context.String())
		}
		last = w
	}
	if !strings.Contains(last.context.String(), "func Far(") {
		t.Errorf("Far is not shown:\n%s", describeWindow(last))
	}
}
