package language

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown formats tokens: a letter for the kind, the text, and ! where its end is
// missing.
func shown(src string, toks []Token) string {
	const letters = "ndsocpx"
	var out []string
	for _, t := range toks {
		mark := ""
		if t.Unended {
			mark = "!"
		}
		out = append(out, fmt.Sprintf("%c%s:%s", letters[t.Kind], mark, strings.NewReplacer("\n", "↵", "\r", "␍").Replace(src[t.Start:t.End])))
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, src, want string }{
		{"go", "x := `a\n\"` // c\ny", "n:x o:: o:= s:`a↵\"` c:// c n:y"},
		{"go", "r := '\\'' + 'ab", "n:r o:: o:= s:'\\'' o:+ x:' n:ab"},
		{"go", "\ufeffpackage p /* a\n", "n:package n:p c!:/* a↵"},
		{"go", "s := \"a\r\nb", "n:s o:: o:= s!:\"a␍ n:b"},
		{"go", "x = 0x1p-2 + 1e+9 + .5 + a.b", "n:x o:= d:0x1p-2 o:+ d:1e+9 o:+ d:.5 o:+ n:a o:. n:b"},

		{"python", "f'{x!r:{w}}' rb\"\\\"\" **= 1.e5", "s:f'{x!r:{w}}' s:rb\"\\\"\" o:**= d:1.e5"},
		{"python", "f'{d['a']} b' # c\r\n'x\\\r\ny'", "s:f'{d['a']} b' c:# c␍ s:'x\\␍↵y'"},
		{"python", "a = 'x\nb = '''y\n", "n:a o:= s!:'x n:b o:= s!:'''y↵"},
		{"python", "a \\\n  -> 1.j", "n:a x:\\ o:-> d:1.j"},

		{"typescript", "a?.b ?? `x${f(`y${1}`)}z` === /[/]\\//gi", "n:a o:?. n:b o:?? s:`x${f(`y${1}`)}z` o:=== s:/[/]\\//gi"},
		{"typescript", "#!/x\nthis.#p = a / b / c", "c:#!/x n:this o:. n:#p o:= n:a o:/ n:b o:/ n:c"},
		{"typescript", "`a${b", "s!:`a${b"},
		{"typescript", "x = <p>don't</p>; y = 'z", "n:x o:= o:< n:p o:> n:don x:' n:t o:< o:/ n:p o:> o:; n:y o:= s!:'z"},
		{"javascript", "a /* b */ .../*c", "n:a c:/* b */ o:... c!:/*c"},

		{"java", "String s = \"\"\"\n \"{\\\"\"\" \"\"\"; char c = '\\u0041';", "n:String n:s o:= s:\"\"\"↵ \"{\\\"\"\" \"\"\" o:; n:char n:c o:= s:'\\u0041' o:;"},
		{"java", "c = 'ab\n", "n:c o:= s!:'ab"},
		{"csharp", "@\"a\"\"b\\\" $\"{x}\" \"\"\"\"q\"\"\"r\"\"\"\" 'c'", "s:@\"a\"\"b\\\" s:$\"{x}\" s:\"\"\"\"q\"\"\"r\"\"\"\" s:'c'"},
		{"csharp", "#if A\na\n#else\nb {\n#endif\nc", "c:#if A n:a p:#else↵b {↵ c:#endif n:c"},
		{"rust", "r#\"}\"# b'x' &'a str /* /* */ */ \"a\n\" 0..5", "s:r#\"}\"# n:b s:'x' o:& x:' n:a n:str c:/* /* */ */ s:\"a↵\" d:0 o:. o:. d:5"},
		{"rust", "/* /* */", "c!:/* /* */"},
		{"c", "#define A(x) \\\n x\nint y; #", "p:#define A(x) \\↵ x n:int n:y o:; x:#"},
		{"c", "#if A\nf() {\n#elif B\ng(\n#if C\n#endif\n#else\nh[\n#endif\n}", "p:#if A n:f o:( o:) o:{ p:#elif B↵g(↵#if C↵#endif↵#else↵h[↵ p:#endif o:}"},
		{"cpp", "1'000u R\"x(\")x\" u8\"a\\\nb\" 'c'", "d:1'000u s:R\"x(\")x\" n:u8 s:\"a\\↵b\" s:'c'"},
		{"cpp", "R\"(a", "s!:R\"(a"},
		{"kotlin", "\"\"\"a\"\"\"\" /* /* */ */ 'c' \"$x\n", "s:\"\"\"a\"\"\"\" c:/* /* */ */ s:'c' s!:\"$x"},
		{"scala", "'sym + 'c'", "x:' n:sym o:+ s:'c'"},
		{"dart", "r'(' '''a\n'''", "n:r s:'(' s:'''a↵'''"},
		{"ruby", "x = \"a\nb\" # c", "n:x o:= s:\"a↵b\" c:# c"},
		{"shellscript", "echo $# don't", "n:echo o:$ o:# n:don x:' n:t"},
		{"markdown", "# x", ""},
		{"nonsense", "x", ""},
	} {
		if got := shown(c.src, Tokens(c.lang, c.src)); got != c.want {
			t.Errorf("%s %q:\n%s", c.lang, c.src, cmp.Diff(c.want, got))
		}
	}
}

// checkTokens checks what Tokens promises for any text: tokens in order, and
// nothing but white space between them.
func checkTokens(t *testing.T, lang, src string) {
	t.Helper()
	end := 0
	if strings.HasPrefix(src, bom) {
		end = len(bom)
	}
	between := func(to int) {
		for _, c := range []byte(src[end:to]) {
			if !isSpace(c) {
				t.Fatalf("%s: %q is in no token of %q", lang, src[end:to], src)
			}
		}
	}
	toks := Tokens(lang, src)
	if toks == nil && languageOf(lang).special == nil {
		return
	}
	for _, tok := range toks {
		if tok.Start < end || tok.End <= tok.Start || tok.End > len(src) {
			t.Fatalf("%s: %+v after %d is out of place in %q", lang, tok, end, src)
		}
		between(tok.Start)
		end = tok.End
	}
	between(len(src))
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", "/*\"'`<({[#}])>r#\"R\"x(${", "`${`${}`}`", "`a${)}b", "#if\n#else\n#if\n#endif", "f'{f'{'}'", "\ufeff#", ".5..5 1.e", "@\"\"\" $@\"", "x\\\r\n'\\\r\n'", "`$`${", "a//\xff"} {
		f.Add(s)
	}
	langs := scanned()
	f.Fuzz(func(t *testing.T, src string) {
		for _, lang := range langs {
			checkTokens(t, lang, src)
		}
	})
}

// BenchmarkTokens measures Tokens on one file.
func BenchmarkTokens(b *testing.B) {
	for lang, text := range map[string]string{
		"go":         strings.Repeat("func f(a int) string {\n\tif a > 1 {\n\t\treturn fmt.Sprint(a, \"x\") // c\n\t}\n\treturn \"\"\n}\n\n", 600),
		"python":     strings.Repeat("def f(a):\n    if a > 1:\n        return str(a) + \"x\"  # c\n    return \"\"\n\n", 700),
		"typescript": strings.Repeat("export function f(a: number): string {\n  if (a > 1) {\n    return `${a}x`\n  }\n  return \"\"\n}\n\n", 600),
	} {
		b.Run(lang, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Tokens(lang, text)
			}
		})
	}
}
