package workspace

import (
	"strings"
	"testing"
)

func TestWindowShowsWhatNamesStandFor(t *testing.T) {
	for _, c := range []struct {
		language, file, text, path, reason, line string
		tree                                     map[string]string
	}{
		{"package", "app/app.go", "package app\n\nfunc f() { stock.\n}\n", "stock/stock.go", "defines stock, used near app/app.go", "package stock\n",
			map[string]string{"stock/stock.go": "// Package stock counts.\npackage stock\n"}},
		{"renamed import", "app/app.go", "package app\n\nfunc f() { stocklib.\n}\n", "b/b.go", "defines stocklib, used near app/app.go", "stocklib \"example.com/lib/v2\"\n",
			map[string]string{"b/b.go": "package b\n\nimport stocklib \"example.com/lib/v2\"\n"}},
		{"module", "src/main.rs", "fn f() { stock::\n}\n", "src/lib.rs", "defines stock, used near src/main.rs", "pub(crate) mod stock;\n",
			map[string]string{"src/lib.rs": "mod other;\npub(crate) mod stock;\n"}},
		{"implementation", "src/main.rs", "fn f(p: PathBuf) {\n}\n", "src/lib.rs", "defines PathBuf, used near src/main.rs", "impl<'a> IntoUrl for &'a std::path::PathBuf {\n",
			map[string]string{"src/lib.rs": "impl<'a> IntoUrl for &'a std::path::PathBuf {\n}\n", "src/main.rs": "fn f(p: PathBuf) {}\n"}},
		{"value", "b.ts", "function f() {\n  runners\n}\n", "a.ts", "defines runners, used near b.ts", "const runners = yield* Runners\n",
			map[string]string{"a.ts": "function* g() {\n  const runners = yield* Runners\n}\n", "b.ts": "function f() {\n  runners\n}\n"}},
	} {
		t.Run(c.language, func(t *testing.T) {
			s := openWindows(t, c.tree, true)
			w := buildAt(t, s, c.file, c.text, strings.Index(c.text, "{")+2, WindowRequest{})
			checkWindow(t, w)
			if !hasFragment(w, "definition", c.path, c.reason) || !strings.Contains(w.Context(), c.line) {
				t.Errorf("no %q\n%s\n%s", c.line, describeWindow(w), w.Context())
			}
		})
	}
}

func TestBindingsOfLines(t *testing.T) {
	for line, want := range map[string]string{
		"impl Foo {": "", "impl<T: Read> Ext for T {": "T", "unsafe fn x()": "", "pub mod a;": "a", "mod b {": "b", "pub(in crate::x) mod c;": "c",
		"impl From<A> for Box<B> {": "Box", "impl X for &mut Y": "Y", "impl X for ": "", "pub(": "", "": "",
	} {
		if got, _ := rustBinding(line); got != want {
			t.Errorf("%q binds %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"const top = 1": "", "  const a = 1": "a", "\tlet b: B = c": "b", "  const { x } = y": "", "  constant = 2": "", "  var v": "",
	} {
		if got, _ := localValue(line); got != want {
			t.Errorf("%q binds %q, want %q", line, got, want)
		}
	}
}
