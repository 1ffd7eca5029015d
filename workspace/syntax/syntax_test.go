package syntax

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrors shows what is wrong and where; "" is a text that parses.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ file, text, at, message string }{
		{"a.go", "package a\n\nfunc f() {}\n", "", ""},
		{"a.go", "package a\n\nfunc f( {}\n", "", "expected ')'"},
		{"a.ts", "const a: number = 1 as const satisfies number\n", "", ""},
		{"a.ts", "class A { constructor(@Inject() private a: B) {} }\n", "", ""},
		{"a.ts", "function f() {\n  return (1\n}\n", "}", "Expected"},
		{"a.tsx", "const x = <div a={1}>{b}</div>\n", "", ""},
		{"a.tsx", "const x = <div></span>\n", "span", "Unexpected closing"},
		{"a.js", "const x = <A/>;\n", "", ""},
		{"a.d.ts", "export const a: number\n", "", ""},
		{"a.kt", "fun f(n: Long) = \"a ${g(\n  n,\n)} b\"\n", "", ""},
		{"a.kt", "fun f(n: Long) = \"a ${n} b\n", "\"", "does not end there"},
		{"A.cs", "class A {\n#if false\n  this isn't code (((\n#endif\n}\n", "", ""},
		{"a.ts", "import { a } from './a'\nif (a) {\n\treturn\n}\n", "", ""},
		{"a.css", "a { color: red }\n", "", ""},
		{"a.css", "a { color: red\n", "", "}"},
		{"a.json", "{\"a\": [1, 2]}\n", "", ""},
		{"tsconfig.json", "{\n  // why\n  \"a\": [1, 2,], /* x */\n}\n", "", ""},
		{"a.json", "{\"a\": [1, 2}\n", "}", "Expected"},
		{"a.json", "", "", ""},
		{"a.py", "def f(a, *, b=1) -> int:\n    return {x: y for x in (1, 2)}\n", "", ""},
		{"a.py", "x = f\"{a['b']!r:>{w}} {{\" 'c'\n", "", ""},
		{"a.py", "def f(a)\n    return 1\n", "def", "no colon"},
		{"a.py", "if x:\npass\n", "pass", "indented block"},
		{"a.py", "x = 1\n  y = 2\n", "y", "deeper"},
		{"a.py", "if x:\n        a\n    b\n", "b", "fits no block"},
		{"a.py", "x = 'abc\ny = 1\n", "'abc", "never ends"},
		{"a.py", "x = (1, [2)\n", ")", "does not close"},
		{"a.py", "x = \"\"\"abc\n", "\"\"\"", "never ends"},
		{"a.py", "match x:\n    case [a, *b] if a:\n        pass\n", "", ""},
		{"a.py", "x = = 1\n", "= 1", "missing before"},
		{"a.py", "x = (1 +\n  2) -\n", "-", "missing after"},
		{"a.py", "x = f(a b)\n", "b)", "missing before"},
		{"a.py", "x = a 'b'\n", "'b'", "missing before"},
		{"a.py", "if x = 1:\n    pass\n", "= 1", "for a condition"},
		{"a.py", "if f(x=1) and (y := 2): z = 1\nif (lambda a=1: a)(): pass\nx = a if b else c\n", "", ""},
		{"a.py", "print 'x'\nif a: print x\nmatch x:\n    case A(b=1): pass\ntype X = int\nx = 1if a else ur'b'\nfrom a import *\ndef f(a, *, b): pass\n", "", ""},
		{"a.rs", "fn f<'a>(x: &'a str) -> char { let _ = r#\"}\"#; '}' }\n", "", ""},
		{"a.rs", "fn f() { /* /* */ }\n", "/*", "never ends"},
		{"a.cpp", "int x = 1'000; auto s = R\"x(}))x\";\n#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\n", "", ""},
		{"a.c", "int f() { return 1; \n", "{", "never closed"},
		{"a.cs", "var s = @\"a\"\"b\"; var t = \"\"\"\"x\"\"\"y\"\"\"\";\n", "", ""},
		{"A.java", "class A { String s = \"\"\"\n  \"{\n  \"\"\"; char c = '{'; }\n", "", ""},
		{"A.java", "class A { void f() { g(\"x); } }\n", "\"", "does not end"},
		{"A.java", "class A { } }\n", "}", "closes nothing"},
	} {
		found, unknown := Parsers{}.Errors(c.file, c.text)
		switch {
		case unknown != nil:
			t.Errorf("%s is not known", c.file)
		case c.message == "" && len(found) > 0:
			t.Errorf("%s %q: %s", c.file, c.text, found[0].Message)
		case c.message == "":
		case len(found) == 0:
			t.Errorf("%s %q: nothing found, want %q", c.file, c.text, c.message)
		case !strings.Contains(found[0].Message, c.message) || !strings.HasPrefix(c.text[found[0].Span.Start:], c.at):
			t.Errorf("%s %q: %s at %q, want %q at %q", c.file, c.text, found[0].Message, c.text[found[0].Span.Start:], c.message, c.at)
		}
	}
	if _, unknown := (Parsers{}).Errors("a.md", "# x"); unknown == nil {
		t.Error("prose is reported to have a syntax")
	}
}

// TestStandardLibraryParses checks that code which compiles has no error.
func TestStandardLibraryParses(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the standard library is not found: %v", err)
	}
	own, _ := filepath.Glob("*.go")
	for _, file := range append(files[:min(len(files), 200)], own...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found, _ := (Parsers{}).Errors(file, string(text)); len(found) > 0 {
			t.Errorf("%s: %s", file, found[0].Message)
		}
	}
}

func FuzzErrors(f *testing.F) {
	for _, s := range []string{"package a", "x = f'{a!r}'\n", "/* */ \"", "#if\n#else\n", "r#\"", "R\"(", "@\"", "'''", "{\"a\": // x\n}", "\ufeffif x:\n\ty"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, ext := range []string{"go", "py", "ts", "tsx", "json", "css", "rs", "cpp", "cs", "java", "swift", "kt"} {
			found, _ := Parsers{}.Errors("a."+ext, text)
			for _, one := range found {
				if one.Span.Start < 0 || one.Span.End > len(text) || one.Span.Start > one.Span.End {
					t.Fatalf("%s: %+v is outside the text", ext, one)
				}
			}
		}
	})
}

func BenchmarkErrors(b *testing.B) {
	text := map[string]string{
		"go": "package a\n\n" + strings.Repeat("func f(a int) string {\n\tif a > 1 {\n\t\treturn fmt.Sprint(a, \"x\")\n\t}\n\treturn \"\"\n}\n\n", 625),
		"ts": strings.Repeat("export function f(a: number): string {\n  if (a > 1) {\n    return String(a) + \"x\"\n  }\n  return \"\"\n}\n\n", 715),
		"py": strings.Repeat("def f(a):\n    if a > 1:\n        return str(a) + \"x\"\n    return \"\"\n\n", 1000),
	}
	for ext, t := range text {
		if ext == "ts" {
			var out strings.Builder
			for i := range 715 {
				fmt.Fprintf(&out, "export function f%d(a: number): string {\n  if (a > 1) {\n    return String(a) + \"x\"\n  }\n  return \"\"\n}\n\n", i)
			}
			t = out.String()
		}
		b.Run(ext, func(b *testing.B) {
			b.SetBytes(int64(len(t)))
			for b.Loop() {
				if found, _ := (Parsers{}).Errors("a."+ext, t); len(found) > 0 {
					b.Fatal(found[0].Message)
				}
			}
		})
	}
}
