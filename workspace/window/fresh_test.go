package window

import (
	"fmt"
	"strings"
	"testing"

	"tandem/workspace/tokens"
)

// TestWindowsOfASlowServer types at servers of two speeds, with the suffix behind the prefix as
// most families have it, and counts the tokens that are not in the server's cache: what it
// reads at a new place, and at each key then.
func TestWindowsOfASlowServer(t *testing.T) {
	s := openWindows(t, manyFiles(), true)
	var before strings.Builder
	for i := range 150 {
		fmt.Fprintf(&before, "func before() { Helper%d(); Helper%d() }\n\n", 41*i, 13*i)
	}
	base := "package shop\n\n" + before.String() + "\n" + strings.Repeat("func after() { Helper333() }\n", 150)
	at := strings.Index(base, "\n\nfunc after") + 1
	body := "func fresh%(c int) int {\n\tHelper7(c)\n\tfor i := range c {\n\t\tHelper1234(i)\n\t}\n\treturn Helper999(c)\n}\n\n"
	typed := strings.Repeat(strings.ReplaceAll(body, "%", "A"), 12)
	for _, c := range []struct {
		name       string
		fresh, key int
		costly     int // keys at which more is new to the server: the region begins elsewhere then
	}{
		{"200 tokens a second", 600, 56, 1},
		{"2,000 tokens a second", 6000, 1040, 0},
	} {
		var last *Window
		cached, costly := "", 0
		for n := 0; n <= len(typed); n += 4 { // a key
			w := buildAt(t, s, "shop/big.go", base[:at]+typed[:n]+base[at:], at+n, Request{Budget: 3_000, Fresh: c.fresh, Key: c.key, After: c.key * 2 / 3, Previous: last})
			if checkWindow(t, w); t.Failed() {
				t.Fatalf("%s, %d bytes typed", c.name, n)
			}
			if !strings.HasSuffix(base[:at]+typed[:n], w.Before.String()) || !strings.HasPrefix(base[at:], w.After.String()) || strings.Count(w.Before.String(), "\n") < 8 {
				t.Fatalf("%s, %d bytes typed: the region is not the text around the cursor", c.name, n)
			}
			prompt := w.context.String() + w.Before.String() + w.After.String()
			fresh := tokens.Count(prompt[sharedBytes(cached, prompt):])
			switch {
			case n == 0 && (fresh > c.fresh || fresh < min(c.fresh, nearTokens)*3/4):
				t.Errorf("%s: %d tokens at a new place, of %d", c.name, fresh, c.fresh)
			case n > 0 && fresh > c.key:
				if costly++; fresh > 2*c.fresh {
					t.Errorf("%s, %d bytes typed: %d tokens are new", c.name, n, fresh)
				}
			}
			last, cached = w, prompt
		}
		if costly > c.costly {
			t.Errorf("%s: at %d keys more than %d tokens are new", c.name, costly, c.key)
		}
	}
}

// TestSlowServersReadNewWindowsOnly: where a window cannot begin as the one before it, it has no
// more tokens than a new one.
func TestSlowServersReadNewWindowsOnly(t *testing.T) {
	line := "\tHelper7(c)\n"
	text := "package shop\n\nfunc long(c int) {\n" + strings.Repeat(line, 300) + "}\n"
	tree := manyFiles()
	tree["shop/long.go"] = text
	s := openWindows(t, tree, true)
	req := Request{Budget: 3_000, Fresh: 600, Key: 56, After: 37}
	at := strings.LastIndex(text, line)
	req.Previous = buildAt(t, s, "shop/long.go", text, at, req)
	at -= req.Previous.Before.Len() - 3*len(line) // too near to its first line
	if w := buildAt(t, s, "shop/long.go", text, at, req); w.Budget != req.Fresh || w.Tokens < req.Fresh/2 {
		t.Errorf("a window of %d tokens, at most %d; a new one has %d", w.Tokens, w.Budget, req.Fresh)
	}
}

func sharedBytes(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
