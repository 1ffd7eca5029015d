package dynamic_test

import (
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace/dynamic"
)

// renamed is a text in which what the name behind the mark is bound to is called X.
func renamed(t *testing.T, lang, marked string) string {
	at := strings.IndexByte(marked, '|')
	text := marked[:at] + marked[at+1:]
	o, _ := dynamic.Read(lang, text).At(at)
	b := o.Binding
	if b == nil {
		return "unbound"
	}
	var list []edits.Edit
	for _, p := range b.Uses {
		e := edits.Edit{Span: p.Span, New: "X"}
		if p.Shorthand {
			e.New = b.Name + ": X"
		}
		list = append(list, e)
	}
	out, err := edits.Apply(edits.NewText(text), list)
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestPythonBindings: all that a name means, and nothing else, is called X.
func TestPythonBindings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"parameter":                  {"def f(|n, m=n):\n    n += 1\n    return n + m.n + g(n=n)\nn = 1\n", "def f(X, m=n):\n    X += 1\n    return X + m.n + g(n=X)\nn = 1\n"},
		"module":                     {"|n = 1\ndef f(n): return n\ndef g(): return n\nclass A:\n    n = 2\n    def m(self): return n + self.n\n", "X = 1\ndef f(n): return n\ndef g(): return X\nclass A:\n    n = 2\n    def m(self): return X + self.n\n"},
		"class":                      {"class A:\n    |n = 1\n    m = n\n    def f(self, x=n): return n\n    k = [n for _ in n]\n", "class A:\n    X = 1\n    m = X\n    def f(self, x=X): return n\n    k = [n for _ in X]\n"},
		"closure":                    {"def f():\n    |n = 1\n    def g():\n        return n\n    def h(n):\n        return n\n    def k():\n        n = 2\n        return n\n    return lambda n: n, lambda: n\n", "def f():\n    X = 1\n    def g():\n        return X\n    def h(n):\n        return n\n    def k():\n        n = 2\n        return n\n    return lambda n: n, lambda: X\n"},
		"nonlocal":                   {"def f():\n    |n = 1\n    def g():\n        nonlocal n\n        n = 2\n    return n\n", "def f():\n    X = 1\n    def g():\n        nonlocal X\n        X = 2\n    return X\n"},
		"global":                     {"n = 1\ndef f():\n    n = 2\n    def g():\n        global n\n        |n = 3\n    return n\nprint(n)\n", "X = 1\ndef f():\n    n = 2\n    def g():\n        global X\n        X = 3\n    return n\nprint(X)\n"},
		"global alone":               {"def f():\n    global n\n    n = 1\ndef g(): return |n\n", "def f():\n    global X\n    X = 1\ndef g(): return X\n"},
		"comprehension":              {"def f(n):\n    return [|n for n in n if n], n, {n: 1 for n in n}\n", "def f(n):\n    return [X for X in n if X], n, {n: 1 for n in n}\n"},
		"around a comprehension":     {"def f(|n):\n    return [n for n in n if n], n, [m + n for m in n for k in n]\n", "def f(X):\n    return [n for n in X if n], X, [m + X for m in X for k in X]\n"},
		"generator":                  {"def f(|n):\n    return sum(n for n in n), all(x(n) for x in g(n, n))\n", "def f(X):\n    return sum(n for n in X), all(x(X) for x in g(X, X))\n"},
		"walrus":                     {"def f():\n    if any((|n := x) for x in y):\n        return n\n", "def f():\n    if any((X := x) for x in y):\n        return X\n"},
		"lambda":                     {"n = 1\nf = lambda |n, m=n: n + m\nsorted(n, key=lambda n: n)\n", "n = 1\nf = lambda X, m=n: X + m\nsorted(n, key=lambda n: n)\n"},
		"lambda as default":          {"def f(key=lambda n: n, *, |n=lambda n: n): return n, key\n", "def f(key=lambda n: n, *, X=lambda n: n): return X, key\n"},
		"unpacking":                  {"def f():\n    for i, (|n, *m) in x:\n        a[n], n.b = n, m\n    return n\n", "def f():\n    for i, (X, *m) in x:\n        a[X], X.b = X, m\n    return X\n"},
		"with and except":            {"def f():\n    with a() as |n, b(n):\n        n()\n    try: pass\n    except E as e: n(e)\n", "def f():\n    with a() as X, b(X):\n        X()\n    try: pass\n    except E as e: X(e)\n"},
		"except":                     {"def f(n):\n    try: pass\n    except E as |e:\n        n(e=e)\ne = 1\n", "def f(n):\n    try: pass\n    except E as X:\n        n(e=X)\ne = 1\n"},
		"f-string":                   {"def f(|n):\n    return f\"n {n!r} {n.n} {{n}} {x:{n}}\" + \"{n}\"\n", "def f(X):\n    return f\"n {X!r} {X.n} {{n}} {x:{X}}\" + \"{n}\"\n"},
		"import":                     {"from a import b as |n, c\nimport n.d\ndef f(): return n.n\nfrom n import n as k\n", "from a import b as X, c\nimport X.d\ndef f(): return X.n\nfrom n import n as k\n"},
		"annotation":                 {"def f(|n: n, m: n = n) -> n:\n    x: n = n\nclass n: pass\n", "def f(X: n, m: n = n) -> n:\n    x: X = X\nclass n: pass\n"},
		"type parameter":             {"T = 1\ndef f[|T: int](x: T) -> T:\n    return T\ny: T\n", "T = 1\ndef f[X: int](x: X) -> X:\n    return X\ny: T\n"},
		"lines of one":               {"def f(|n): return n\nif n: n = 1; m = n\n", "def f(X): return X\nif n: n = 1; m = n\n"},
		"match":                      {"def f(x):\n    match x:\n        case P(n=|n, m=1) | [n, *_] if n > 1:\n            return n\n", "def f(x):\n    match x:\n        case P(n=X, m=1) | [X, *_] if X > 1:\n            return X\n"},
		"decorator":                  {"def |n(f): return f\n@n\ndef g(n): return n\n", "def X(f): return f\n@X\ndef g(n): return n\n"},
		"async":                      {"async def f(|n):\n    async for a in n:\n        await n\n    return [a async for a in n]\n", "async def f(X):\n    async for a in X:\n        await X\n    return [a async for a in X]\n"},
		"subclass and keyword":       {"def f(|n):\n    class A(n, metaclass=n):\n        n = n\n    return A(n=n)\n", "def f(X):\n    class A(X, metaclass=X):\n        n = n\n    return A(n=X)\n"},
		"nowhere":                    {"def f(n): return n\nprint(|n)\n", "unbound"},
		"member":                     {"n = 1\nx.|n = 2\n", "unbound"},
		"a class's, in its function": {"class A:\n    n = 1\n    def f(self): return |n\n", "unbound"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := renamed(t, "python", c[0]); got != c[1] {
				t.Errorf("of\n%s\ncame\n%s\nwant\n%s", c[0], got, c[1])
			}
		})
	}
}

// TestScriptBindings: all that a name means, and nothing else, is called X.
func TestScriptBindings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"parameter":              {"function f(|n: number, m = n) { n++; return { n, m: n, n: m.n } }\nconst n = 1\n", "function f(X: number, m = X) { X++; return { n: X, m: X, n: m.n } }\nconst n = 1\n"},
		"shadowed":               {"const |n = 1\nfunction f(n) { return n }\nconst g = n => n, h = (n) => n\nif (n) { const n = 2; use(n) }\nuse(n, (n: A): B => n)\nfor (const n of n) use(n)\n", ""},
		"block":                  {"function f() {\n  let |n = 1\n  if (n) {\n    let n = 2\n    n = 3\n  }\n  n = 4\n}\n", "function f() {\n  let X = 1\n  if (X) {\n    let n = 2\n    n = 3\n  }\n  X = 4\n}\n"},
		"var":                    {"function f() {\n  if (a) { var |n = 1 }\n  return n\n}\nn()\n", "function f() {\n  if (a) { var X = 1 }\n  return X\n}\nn()\n"},
		"list":                   {"function f() {\n  let a = g(1, 2),\n    |n = 2,\n    c = n\n  return a + n\n}\n", "function f() {\n  let a = g(1, 2),\n    X = 2,\n    c = X\n  return a + X\n}\n"},
		"destructuring":          {"function f(p) {\n  const { a: |n, b = n, ...c } = p\n  const [d, { n: e }] = n\n  return { a: n, n }\n}\n", "function f(p) {\n  const { a: X, b = X, ...c } = p\n  const [d, { n: e }] = X\n  return { a: X, n: X }\n}\n"},
		"shorthand in a pattern": {"function f({ |n, m = n }: { n: number, m: string }) {\n  return n + g({ n: m, k: n })\n}\n", "function f({ n: X, m = X }: { n: number, m: string }) {\n  return X + g({ n: m, k: X })\n}\n"},
		"nested pattern":         {"const f = async ({ a: { b: [|n] }, n: m }) => { await n(m) }\nn()\n", "const f = async ({ a: { b: [X] }, n: m }) => { await X(m) }\nn()\n"},
		"catch":                  {"try { e() } catch (|e) { log(e, x.e) } finally { e() }\n", "try { e() } catch (X) { log(X, x.e) } finally { e() }\n"},
		"closure":                {"function f(|n) {\n  const g = () => n\n  return xs.map((x) => x + n).filter(function (n) { return n })\n}\n", "function f(X) {\n  const g = () => X\n  return xs.map((x) => x + X).filter(function (n) { return n })\n}\n"},
		"class":                  {"class A {\n  n = 1\n  m(|n: number): number { this.n = n; return n }\n  k() { return n }\n  n() { return 1 }\n}\n", "class A {\n  n = 1\n  m(X: number): number { this.n = X; return X }\n  k() { return n }\n  n() { return 1 }\n}\n"},
		"fields":                 {"const |n = 1\nclass A {\n  static n = n\n  private n?: number\n  readonly m = n\n  @d(n) k: n\n  async n() { return n }\n}\ninterface I { n: number; n?: string; n(n: number): void }\nenum E { n, m = n }\n", "const X = 1\nclass A {\n  static n = X\n  private n?: number\n  readonly m = X\n  @d(X) k: X\n  async n() { return X }\n}\ninterface I { n: number; n?: string; n(n: number): void }\nenum E { n, m = X }\n"},
		"template":               {"function f(|n) { return `n ${n} ${n.n} ${`${n}`}` }\n", "function f(X) { return `n ${X} ${X.n} ${`${X}`}` }\n"},
		"function":               {"function f() {\n  use(n)\n  function |n() { return n() }\n  return { n() { return n() } }\n}\nn()\n", "function f() {\n  use(X)\n  function X() { return X() }\n  return { n() { return X() } }\n}\nn()\n"},
		"named expression":       {"const f = function |n() { return n }\nn()\n", "const f = function X() { return X }\nn()\n"},
		"loop":                   {"for (let |n = 0; n < 3; n++) { use(n) }\nn()\n", "for (let X = 0; X < 3; X++) { use(X) }\nn()\n"},
		"import":                 {"import { n as |m, k } from 'n'\nexport { m as n, k }\nuse(m, { m })\n", "import { n as X, k } from 'n'\nexport { X as n, k }\nuse(X, { m: X })\n"},
		"type":                   {"function f<|T>(x: T, y: A<T>): T { return x as T }\ntype B<T> = T[]\nlet z: T\n", "function f<X>(x: X, y: A<X>): X { return x as X }\ntype B<T> = T[]\nlet z: T\n"},
		"conditional":            {"function f(|n, m) { return n ? n : m ? (n) : n }\nconst g = n ? (n) : m\n", "function f(X, m) { return X ? X : m ? (X) : X }\nconst g = n ? (n) : m\n"},
		"switch":                 {"function f(|n) {\n  switch (n) {\n    case n:\n      return n\n    default: {\n      let n = 1\n      return n\n    }\n  }\n}\n", "function f(X) {\n  switch (X) {\n    case X:\n      return X\n    default: {\n      let n = 1\n      return n\n    }\n  }\n}\n"},
		"words of the language":  {"function f(|type, of) { return type.of(of, { type }) as type }\n", "function f(X, of) { return X.of(of, { type: X }) as X }\n"},
		"generic call":           {"function f(|n: Map<string, n>) { return g<n>(n, new Map<string, n>()) }\n", "function f(X: Map<string, X>) { return g<X>(X, new Map<string, X>()) }\n"},
		"arguments":              {"const |n = 1\nuse(a, n, b)\nuse(n)\nuse(...n)\nif (n) use(n)\nuse({ a: n }, [n, n])\n", "const X = 1\nuse(a, X, b)\nuse(X)\nuse(...X)\nif (X) use(X)\nuse({ a: X }, [X, X])\n"},
		"without semicolons":     {"const |n = 1\nconst a = n\nuse(n, a), n = 2\nn\n  .b(n)\n", "const X = 1\nconst a = X\nuse(X, a), X = 2\nX\n  .b(X)\n"},
		"nowhere":                {"function f(n) { return n }\nuse(|n)\n", "unbound"},
		"member":                 {"const n = 1\nuse(x.|n, { n: 2 })\n", "unbound"},
	} {
		if c[1] == "" {
			c[1] = "const X = 1\nfunction f(n) { return n }\nconst g = n => n, h = (n) => n\nif (X) { const n = 2; use(n) }\nuse(X, (n: A): B => n)\nfor (const n of n) use(n)\n"
		}
		t.Run(name, func(t *testing.T) {
			if got := renamed(t, "typescript", c[0]); got != c[1] {
				t.Errorf("of\n%s\ncame\n%s\nwant\n%s", c[0], got, c[1])
			}
		})
	}
}

// TestMarkupBindings: attributes and words between tags are no uses.
func TestMarkupBindings(t *testing.T) {
	t.Parallel()
	const text = "const f = ({ |n, m }) => (\n  <A n={n} m=\"n\" {...n}>\n    n or {n} <b>n</b> {m.map((n) => <i key={n}>{n}</i>)}\n  </A>\n)\n"
	const want = "const f = ({ n: X, m }) => (\n  <A n={X} m=\"n\" {...X}>\n    n or {X} <b>n</b> {m.map((n) => <i key={n}>{n}</i>)}\n  </A>\n)\n"
	if got := renamed(t, "typescriptreact", text); got != want {
		t.Errorf("came\n%s\nwant\n%s", got, want)
	}
}

// TestKeywordsOf: the arguments of a call that are named, not those of another one in it.
func TestKeywordsOf(t *testing.T) {
	t.Parallel()
	const text = "f(n, a=1, b=g(a=2), *c, a=a)(a=3)\n"
	got := dynamic.ReadPython(text).KeywordsOf(1, "a")
	if want := []edits.Span{{Start: 5, End: 6}, {Start: 24, End: 25}}; !slices.Equal(got, want) {
		t.Errorf("named at %v, want %v", got, want)
	}
}

// TestReadBrokenText: a text that ends anywhere, or lacks a bracket, is read to its end.
func TestReadBrokenText(t *testing.T) {
	t.Parallel()
	const text = "import { load as l } from './b'\nclass A<T> extends B { read(n: T) { return `${n}` } }\nfor (const n of [n]) { ({ n, a: [n] }) => n }\ndef f[T](n: T = lambda n: n): return [n for n in f\"{n}\" if (n := 1)]\nglobal n\n"
	for i := range text {
		for _, lang := range []string{"python", "typescript", "javascriptreact"} {
			f := dynamic.Read(lang, text[:i]+text[min(i+3, len(text)):])
			for _, name := range []string{"n", "T", "A", "l", "read", "("} {
				f.Of(name)
			}
			f.Declared(edits.Span{End: i})
		}
	}
	if dynamic.Read("go", "") != nil {
		t.Error("Go is read")
	}
}
