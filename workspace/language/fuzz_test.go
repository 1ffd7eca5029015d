package language

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// scanned are the languages that have a scanner, in order.
func scanned() []string {
	var out []string
	for _, r := range table {
		if r.read != nil {
			out = append(out, r.id)
		}
	}
	slices.Sort(out)
	return out
}

// checkScan checks that a text's tokens and its scan have the properties that
// Tokens and FileScan promise for any text.
func checkScan(t *testing.T, lang, text string) {
	t.Helper()
	checkTokens(t, lang, text)
	file := Scan(lang, "dir/file", text)
	last := max(1, strings.Count(text, "\n"))
	if !strings.HasSuffix(text, "\n") {
		last = strings.Count(text, "\n") + 1
	}
	if file.Lines != last {
		t.Errorf("%s: %d lines, want %d", lang, file.Lines, last)
	}
	place := 0
	for _, d := range file.Defs {
		if d.DocLine < 1 || d.DocLine > d.StartLine || d.StartLine > d.SigEndLine || d.SigEndLine > d.EndLine || d.EndLine > last {
			t.Errorf("%s: lines of %+v are out of order or of the %d lines", lang, d, last)
		}
		if d.StartLine < place {
			t.Errorf("%s: %+v is not in source order", lang, d)
		}
		place = d.StartLine
		if d.MaxParams >= 0 && (d.MinParams > d.MaxParams || d.MinParams < 0) {
			t.Errorf("%s: %+v takes %d to %d parameters", lang, d, d.MinParams, d.MaxParams)
		}
	}
	for _, u := range file.Idents {
		if u.Count < 1 {
			t.Errorf("%s: %q is used %d times", lang, u.Name, u.Count)
		}
	}
}

func FuzzScan(f *testing.F) {
	langs := scanned()
	seeds, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for i := range langs {
		for _, seed := range seeds {
			if text, err := os.ReadFile(seed); err == nil {
				f.Add(byte(i), string(text))
			}
		}
		f.Add(byte(i), "/*\"'`<({[#}])>r#\"R\"x(${")
	}
	f.Fuzz(func(t *testing.T, lang byte, text string) { checkScan(t, langs[int(lang)%len(langs)], text) })
}

// TestHostileText scans texts that make careless scanners slow, deep or wrong.
func TestHostileText(t *testing.T) {
	t.Parallel()
	big := 1 << 15
	if testing.Short() {
		big = 1 << 12
	}
	texts := map[string]string{
		"empty": "", "nul": "\x00\x00", "bom": "\ufeffpackage a\n", "invalid": "func \xff\xfe(\x80) {", "cr": "a\rb\rc",
	}
	for _, unit := range []string{"a", "(", "{", "[", "<", ")", "}", "\"", "'", "`", "/*", "//", "#", "\\", "\n", "${", "`${", "\t", "r#\"", "a.b(", "a<", "<a>",
		"#if 0\n", "#if x\n{", "#else\n", "func f(", "class A {", "def f(\n", "if a: ", "fn f<", "type A = {", "@a", "a,", "a=>", "a:", "template<", "operator", "x::",
		"struct {", "enum A{", "=", "(*a)(", "const a = [", "namespace a {", "use a::{", "create ", "impl<", "get x(", "function(", "export {", "import {a} ", "A.b = "} {
		texts[unit] = strings.Repeat(unit, big/len(unit))
		texts["line "+unit] = "x " + strings.Repeat(unit+" ", 2000) + "\n" + unit
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			for _, lang := range []string{"go", "python", "typescript", "java", "rust", "c", "cpp", "csharp", "ruby", "php", "kotlin", "shellscript", "sql", "markdown"} {
				checkScan(t, lang, text)
			}
		})
	}
}
