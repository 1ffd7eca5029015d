package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/workspace/disk"
)

// TestDemo: on a project that nobody prepared a function is renamed to its last place, a name that
// does not exist is named and a question is answered, and no byte of it changes.
func TestDemo(t *testing.T) {
	for lang, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"go": {
			map[string]string{"go.mod": "module shop\n\ngo 1.26\n", "price.go": "package shop\n\n// Price is what n pieces cost.\nfunc Price(n int) int { return 3 * n }\n", "cart.go": "package shop\n\nfunc total() int {\n\treturn Price(1) +\n\t\tPrice(2)\n}\n"},
			[]string{"you    price.go:4: func PriceV2(n int) int", "cart.go:4: return PriceV2(1) +", "cart.go:5: PriceV2(2)", "PriceOrDefault is declared nowhere", `tandem ask "What does Price do?"`, "price.go:3-4"},
		},
		"python": {
			map[string]string{"price.py": "def price(n):\n    return 3 * n\n", "cart.py": "from price import price\n\n\ndef total():\n    return price(1) + price(2)\n"},
			[]string{"you    price.py:1: def price_v2(n):", "cart.py:1: from price import price_v2", "price_or_default", `tandem ask "What does price do?"`},
		},
		"script": {
			map[string]string{"price.ts": "export function price(n: number) {\n  return 3 * n;\n}\n", "cart.ts": "import { price } from './price';\n\nexport const total = () => price(1) + price(2);\n"},
			[]string{"you    price.ts:1: export function priceV2(n: number) {", "priceOrDefault", `tandem ask "What does price do?"`},
		},
	} {
		h := newHome(t)
		for path, text := range c.files {
			h.write(path, text)
		}
		code, out, stderr := h.run("demo")
		if code != exitDone {
			t.Fatalf("%s: exit %d: %s", lang, code, stderr)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", lang, want, out)
			}
		}
		for path, text := range c.files {
			if got := readFile(t, h.workspace, path); got != text {
				t.Errorf("%s: %s is now %q", lang, path, got)
			}
		}
		if entries, err := os.ReadDir(h.workspace); err != nil || len(entries) != len(c.files) {
			t.Errorf("%s: %d files, %v", lang, len(entries), err)
		}
	}
	h := newHome(t)
	h.write("notes.txt", "nothing to show\n")
	if code, _, stderr := h.run("demo"); code != exitFailed || !strings.Contains(stderr, "--workspace") {
		t.Errorf("without code: exit %d, %s", code, stderr)
	}
}

// TestDemoOnACopy: an editor gets a copy without what is ignored, and places that stand in it; the
// project stays as it is, and a folder that holds anything is refused.
func TestDemoOnACopy(t *testing.T) {
	h := newHome(t)
	for _, folder := range []string{"sub", ".git"} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		"go.mod": "module shop\n\ngo 1.26\n", "price.go": "package shop\n\nfunc Price(n int) int { return 3 * n }\n", "cart.go": "package shop\n\nfunc total() int { return Price(1) }\n\nfunc twice() int { return Price(2) }\n", "sub/a.go": "package sub\n",
		".gitignore": "*.env\n", "a.env": "KEY=1\n", ".git/HEAD": "ref: refs/heads/main\n",
	} {
		h.write(path, text)
	}
	to := filepath.Join(t.TempDir(), "copy")
	code, out, stderr := h.run("demo", "--copy", to)
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var got tour
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	want := tour{Folder: disk.Real(to), Name: "Price", Renamed: "PriceV2", Declared: placed{Path: "price.go", Line: 3}, Places: []placed{{Path: "cart.go", Line: 3}, {Path: "cart.go", Line: 5}},
		MadeUp: "PriceOrDefault", Wrong: &placed{Path: "cart.go", Line: 3}, Question: "What does Price do?"}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(placed{})); d != "" {
		t.Error(d)
	}
	for path, copied := range map[string]bool{"sub/a.go": true, ".gitignore": true, "a.env": false, ".git/HEAD": false} {
		if _, err := os.Stat(filepath.Join(to, path)); (err == nil) != copied {
			t.Errorf("%s: copied %v, want %v", path, err == nil, copied)
		}
	}
	for what, folder := range map[string]string{"is not empty": to, "is in the project": filepath.Join(h.workspace, "copy")} {
		if code, _, stderr := h.run("demo", "--copy", folder); code != exitUsage || !strings.Contains(stderr, what) {
			t.Errorf("%s: exit %d, %s", what, code, stderr)
		}
	}
}

// TestStatus: the status says who answers, and on what.
func TestStatus(t *testing.T) {
	h := newHome(t)
	h.write("a.go", "package a\n")
	code, out, stderr := h.run("status")
	if code != exitDone || !strings.Contains(out, "fast: the built-in engine") || !strings.Contains(out, "index: 1 file") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
}
