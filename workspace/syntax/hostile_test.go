package syntax

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace/language"
)

// hostile are the beginnings of texts, by file, and what they repeat: each makes a parser
// call itself, or take a time or memory that grows faster than the text.
var hostile = []struct{ file, begin, units string }{
	{"a.ts", "x=", "[ ( { ! -| +| ~ a=> async_a=> a?b: a? a** `${ a= if(x) if(x);else_ while(x) do_ a: new_ typeof_ await_ class_A{ function_f(){ ()=>{ (a= a||( a?( a?(b): a?(b):c=> <T>( @a( a[ f( {a: {a:{ try{ switch(a){case_1: for(;;) a<"},
	{"a.ts", "a", ".a () [0] +a ,a ; ?.a !  `` _as_b _satisfies_b ??a &&a =a <a"},
	{"a.ts", "let x:", "A< [ keyof_ a_extends_b?c: ()=> ( {a: readonly_ typeof_ new_()=> infer_ a| [a, unique_"},
	{"a.ts", "", "import_a_from'a'; export_*_from'a'; namespace_a{ enum_A{ interface_A{ /a/; 'a'; a;"},
	{"a.tsx", "x=", "<a> <a>{ <a_b={ (<a>){ <a>; <> <T,>(a: <a>'{[ <a>don't{[ <a>//{["},
	{"a.js", "x=", "[ { a=> `${ <a> <a>x{ if(x)/'/; (x)/'/+[ if_/_ a'"},
	{"a.jsx", "", "<a>{ <a> [ ("},
	{"a.json", "", "[ {\"a\": [1, [[], 1, ["},
	{"a.json", "[", "'\"',["},
	{"tsconfig.json", "", "[ {\"a\":/**/"},
	{"a.css", "", "a{ ( :not( @media_x{ [ a{b:url(\");/*\"}*/ a{b:var("},
	{"a.css", "a{b:", "( [ { calc( /*"},
	{"a.go", "package p\nvar x = ", "( [ { - ! * & <- [] [2] []int{ func(){ func(func( f( a[ a. a.( map[ map[a] chan_ struct{a_ interface{ (* a+ a&& a( () *[1] a,"},
	{"a.go", "package p\nfunc f() {", "if_x_{}_else_ a:_ for{ { switch_{case_x:_ select{case_x:_ go_func(){ x(); defer_func(){"},
	{"a.go", "package p\n", "type_T[P_ func_(a_ type_T_ import_( func_f(){}\n"},
	{"a.py", "", "( [ { f'{ f\"{f'{ lambda: not_ if_x:\n_ a=( else_ @a\n"},
	{"a.rs", "", "( [ { /* r#\" fn_f(){ A< #[a] |a|"},
	{"A.java", "", "( { A< class_A{ if(x) a? \"\"\""},
	{"a.c", "", "( { #if_a\n #define_a( (*"},
	{"a.cs", "", "( { $\"{ $@\"{ A<"},
}

// A parser that is given a hostile text ends the process: no Go program survives the end of
// its stack, which is small here, so that nobody waits for it.
func TestHostileTexts(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20))
	const most = 200 << 20
	lengths := []int{20_000, 400_000}
	if testing.Short() { // with the race detector, whose stacks and memory are other ones
		lengths = lengths[:1]
		debug.SetMaxStack(256 << 20)
	}
	for _, h := range hostile {
		for unit := range strings.FieldsSeq(h.units) {
			unit = strings.ReplaceAll(unit, "_", " ")
			for _, length := range lengths {
				text := h.begin + strings.Repeat(unit, length/len(unit)) + "a"
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				Parsers{}.Errors(h.file, text)
				Parsers{}.Sound(h.file, text, edits.Span{Start: len(text) / 2, End: len(text)/2 + 1})
				runtime.ReadMemStats(&after)
				if used := after.TotalAlloc - before.TotalAlloc; used > most {
					t.Errorf("%s: %q, repeated to %d bytes, took %d MB of memory", h.file, h.begin+unit, length, used>>20)
				}
			}
		}
	}
}

// TestParsable pins which texts are refused: those that no person writes.
func TestParsable(t *testing.T) {
	repeat := strings.Repeat
	for _, c := range []struct {
		what, lang, text string
		want             bool
	}{
		{"a list of 100,000 numbers", "json", "[" + repeat("1,", 100_000) + "1]", true},
		{"200 levels", "json", repeat("[", 200) + repeat("]", 200), true},
		{"2,000 levels", "json", repeat("[", 2000) + repeat("]", 2000), false},
		{"10,000 statements", "typescript", repeat("a.b(c);\n", 10_000), true},
		{"10,000 statements without semicolons", "typescript", repeat("a.b(c)\n", 10_000), true},
		{"5,000 methods", "typescript", "class A {" + repeat("\n  f(a: B<C>) { return [a, `${a}`] }\n", 5000) + "}", true},
		{"5,000 elements", "typescriptreact", "x = <a>" + repeat("\n  <b c={d}>text</b>\n", 5000) + "</a>", true},
		{"100 else ifs", "javascript", repeat("if (a) { b() } else ", 100) + "{}", true},
		{"2,000 else ifs", "javascript", repeat("if (a) { b() } else ", 2000) + "{}", false},
		{"2,000 else ifs without braces", "javascript", repeat("if (a) b(); else\n", 2000) + "c()", false},
		{"3,000 strings added", "typescript", "x = 'a'" + repeat(" +\n  'b'", 3000), true},
		{"200 divisions and strings", "typescript", repeat("x = (a + b) / 2 + ' m/s';\n", 200), true},
		{"brackets in strings", "typescript", repeat("x = '[[[[[[[[[[';\n", 2000), true},
		{"brackets in comments", "typescript", repeat("// [[[[[[[[[[\n", 2000), true},
		{"brackets behind what may be a regular expression", "typescript", repeat("if (x) /'/; [", 2000), false},
		{"5,000 functions", "go", "package p\n" + repeat("func f() { if a { b() } else if c { d(e, []int{1}) } }\n", 5000), true},
		{"200,000 bytes", "go", "package p\nvar x = []byte{" + repeat("1, ", 200_000) + "}\n", true},
		{"2,000 pointers to functions", "go", "package p\nvar x " + repeat("*func(", 2000), false},
		{"10,000 rules", "css", repeat("a > b, c:not(d) { color: red; margin: 0 1px }\n", 10_000), true},
		{"brackets behind a raw address", "css", repeat("a{b:url(\");/*\"}}))*/", 2000), false},
		{"a long answer", "markdown", repeat("A *word*, [a link](b) and `code`.\n\n- one\n  - two\n\n> quoted\n\n", 5000), true},
		{"2,000 quotes", "markdown", repeat(">", 2000), false},
		{"2,000 lists", "markdown", repeat("* ", 2000), false},
		{"20,000 brackets", "markdown", repeat("[", 20_000), false},
		{"a million words", "python", repeat("a ", 1_000_000), false},
		{"20,000 brackets", "toml", "a = " + repeat("[", 20_000), false},
	} {
		if err := language.Parsable(c.lang, c.text); (err == nil) != c.want {
			t.Errorf("%s in %s: %v, want it to be parsable: %v", c.what, c.lang, err, c.want)
		}
	}
}
