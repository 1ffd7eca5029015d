package language

import (
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func init() { partSize = 60 }

// pieces are what texts of a language are made of: the definitions of its example, or of
// another language's, and marks that change how what follows is read.
func pieces(lang string) (whole, marks []string) {
	data, err := os.ReadFile("testdata/" + strings.TrimSuffix(lang, "react") + ".txt")
	if err != nil {
		data, _ = os.ReadFile("testdata/ruby.txt")
		c, _ := os.ReadFile("testdata/c.txt")
		data = append(data, c...)
	}
	return strings.SplitAfter(string(data), "\n\n"), []string{"{", "}", "(", ")", "[", "/*", "*/", "//", "\"", "'", "`", "`${", "}`", "#if A\n", "#if 0\n", "#else\n", "#endif\n", "\"\"\"", "'''", "```\n",
		"# h\n", "## h\n", "end\n", "def f\n", "export {f}\n", "module.exports = {f}\n", "x = 1\n", "package q\n", "namespace N {\n", "const x = ", "return", "\n", "\n\n", "  ", "\t", "\r\n",
		"\\\n", "\ufeff", "#!/bin/sh\n", "a", "1", ";", ",", "func ", "class A", "@d\n", "#define M(x) x\n", "=", "<", "r#\"", "\xff"}
}

// TestNextIsTheWholeScan edits random texts and compares what Next makes of each with the
// scan of the whole.
func TestNextIsTheWholeScan(t *testing.T) {
	for _, lang := range scanned() {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			whole, marks := pieces(lang)
			rapid.Check(t, func(t *rapid.T) {
				text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(whole), 1, 12).Draw(t, "text"), "")
				crlf := rapid.Bool().Draw(t, "crlf")
				if crlf {
					text = strings.ReplaceAll(text, "\n", "\r\n")
				}
				a := Analyze(lang, "dir/file", text)
				for range rapid.IntRange(1, 5).Draw(t, "edits") {
					start := rapid.IntRange(0, len(text)).Draw(t, "start")
					end := min(len(text), start+rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, 10, 200}).Draw(t, "length"))
					with := rapid.SampledFrom(marks).Draw(t, "with")
					if rapid.IntRange(0, 4).Draw(t, "whole") == 0 {
						with = rapid.SampledFrom(whole).Draw(t, "block")
					}
					if crlf {
						with = strings.ReplaceAll(with, "\n", "\r\n")
					}
					text = text[:start] + with + text[end:]
					a = a.Next(text)
					if want := Scan(lang, "dir/file", text); !same(a.Scan(), want) || a.Scan().Language != want.Language || a.Text() != text {
						t.Fatalf("%s: %q at %d of\n%s\nis\n%+v\nwant\n%+v", lang, with, start, text, a.Scan(), want)
					}
				}
			})
		})
	}
}

// TestNamespaceHoldsTheRest writes a namespace of C# that holds the rest of its file far
// above another one, with parts between them that define nothing.
func TestNamespaceHoldsTheRest(t *testing.T) {
	t.Parallel()
	blocks, _ := pieces("csharp")
	namespace, class := blocks[0], blocks[1]
	text := class + namespace + namespace
	a := Analyze("csharp", "file", text)
	at := strings.Index(text, "namespace") + 1
	for _, text := range []string{text[:at] + class + text[at:], namespace + text[:at] + class + text[at:]} {
		a = a.Next(text)
		if !same(a.Scan(), Scan("csharp", "file", text)) {
			t.Errorf("another scan of\n%s", text)
		}
	}
}

// TestNextScansParts checks that an edit inside a function leaves the other parts as they
// were, so that Next is not the scan of the whole everywhere.
func TestNextScansParts(t *testing.T) {
	t.Parallel()
	for lang, function := range map[string]string{
		"go":         "// f@ is one of many functions, each of them long enough.\nfunc f@(a, b int) int {\n\tx := a\n\treturn x + b\n}\n\n",
		"python":     "def f@(a, b):\n    \"\"\"One of many functions, each of them long enough.\"\"\"\n    x = a\n    return x + b\n\n\n",
		"typescript": "// f@ is one of many functions, each of them long enough.\nexport function f@(a: number, b: number): number {\n  x = a\n  return x + b;\n}\n\n",
		"rust":       "/// One of many functions, each of them long enough.\npub fn f@(a: i32, b: i32) -> i32 {\n    x = a;\n    x + b\n}\n\n",
		"c":          "/* f@ is one of many functions, each of them long enough. */\nint f@(int a, int b) {\n    x = a;\n    return x + b;\n}\n\n",
	} {
		var text strings.Builder
		for i := range 20 {
			text.WriteString(strings.ReplaceAll(function, "@", string(rune('a'+i))))
		}
		a := Analyze(lang, "file", text.String())
		at := strings.Index(a.Text()[text.Len()/2:], "x ") + text.Len()/2
		b := a.Next(a.Text()[:at] + "call(y) ; " + a.Text()[at:])
		kept := 0
		for _, p := range b.parts {
			for _, old := range a.parts {
				if p.file == old.file {
					kept++
				}
			}
		}
		if kept < 15 {
			t.Errorf("%s: %d of %d parts are as they were", lang, kept, len(a.parts))
		}
		if !same(b.Scan(), Scan(lang, "file", b.Text())) {
			t.Errorf("%s: another scan", lang)
		}
	}
}

// BenchmarkNext measures the analysis of a document of 1 MB after a key.
func BenchmarkNext(b *testing.B) {
	old := partSize
	partSize = 4 << 10
	defer func() { partSize = old }()
	var text strings.Builder
	for i := 0; text.Len() < 1<<20; i++ {
		text.WriteString("func f" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + "(a int) string {\n\tif a > 1 {\n\t\treturn fmt.Sprint(a, \"x\") // c\n\t}\n\treturn \"\"\n}\n\n")
	}
	whole := text.String()
	at := len(whole)/2 + strings.Index(whole[len(whole)/2:], "if a")
	texts := [2]string{whole, whole[:at] + "y" + whole[at:]}
	a := Analyze("go", "a.go", texts[0])
	a = a.Next(texts[1])
	for i := 0; b.Loop(); i++ {
		a = a.Next(texts[i%2])
	}
}

// BenchmarkAnalyze measures the same document scanned whole.
func BenchmarkAnalyze(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 1<<20; i++ {
		text.WriteString("func f" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + "(a int) string {\n\tif a > 1 {\n\t\treturn fmt.Sprint(a, \"x\") // c\n\t}\n\treturn \"\"\n}\n\n")
	}
	for b.Loop() {
		Analyze("go", "a.go", text.String())
	}
}
