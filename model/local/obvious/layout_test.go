package obvious

import (
	"strings"
	"testing"

	"tandem/model"
	"tandem/model/local/localtest"
)

var typed = map[string]string{
	"go.mod":    "module m\n",
	"a/port.go": "package a\n\nimport \"io\"\n\ntype Closer interface {\n\tClose(now bool) error\n}\n\ntype Port interface {\n\tOpen(name string, n int) (io.Reader, error)\n\tCloser\n\tName() string\n}\n",
	"b/use.go":  "package b\n\nimport \"m/a\"\n\ntype Point struct{ X, Y int }\n",
	"kinds.ts":  "export interface Shape {\n  name: string\n  sides: number\n  area(scale: number): number\n  draw(): void\n}\nexport type Level = 'low' | 'mid' | 'high'\nexport enum Color {\n  Red,\n  Green,\n  Blue,\n}\n",
	"kinds.py":  "import enum\nfrom abc import ABC, abstractmethod\nfrom dataclasses import dataclass\n\nclass Color(enum.Enum):\n    RED = 1\n    GREEN = 2\n    BLUE = 3\n\n@dataclass\nclass Point:\n    x: int\n    y: int\n\nclass Store(ABC):\n    @abstractmethod\n    def get(self, key: str) -> bytes: ...\n\n    def size(self) -> int:\n        return 0\n\n    @abstractmethod\n    def put(self, key: str, value: bytes) -> None:\n        pass\n",
}

// at is the best candidate at the cursor, which is marked by ¦, in a document of its own.
func at(t *testing.T, path, text string) string {
	t.Helper()
	before, after, ok := strings.Cut(text, "¦")
	if !ok {
		t.Fatal("no cursor")
	}
	corpus := localtest.New(typed)
	corpus.Write(path, before+after)
	found := At(corpus, nil, &model.Fill{Path: path, Prefix: before, Suffix: after}).Candidates(nil)
	if len(found) == 0 {
		return ""
	}
	return found[0].Text
}

// TestMethodsLacking: the next method of what a type is declared to be.
func TestMethodsLacking(t *testing.T) {
	const own = "package a\n\nvar _ Port = (*file)(nil)\n\ntype file struct{}\n\n"
	for name, c := range map[string][3]string{
		"first":              {"a/f.go", own + "¦\n", "func (f *file) Open(name string, n int) (io.Reader, error) {"},
		"typed":              {"a/f.go", own + "func (¦\n", "f *file) Open(name string, n int) (io.Reader, error) {"},
		"embedded":           {"a/f.go", own + "func (x *file) Open(name string, n int) (io.Reader, error) {\n\treturn nil, nil\n}\n\n¦\n", "func (x *file) Close(now bool) error {"},
		"after the last":     {"a/f.go", own + "func (x file) Name() string {\n\treturn \"\"\n}\n\nfunc (x file) Close(now bool) error {\n\treturn nil\n}\n\n¦\n", "func (x file) Open(name string, n int) (io.Reader, error) {"},
		"all there":          {"a/f.go", "package a\n\nvar _ Closer = file{}\n\ntype file struct{}\n\nfunc (f file) Close(now bool) error {\n\treturn nil\n}\n\n¦\n", ""},
		"inside a function":  {"a/f.go", own + "func f() {\n¦\n}\n", ""},
		"another package's":  {"b/f.go", "package b\n\nimport \"m/a\"\n\nvar _ a.Closer = (*file)(nil)\n\ntype file struct{}\n\n¦\n", "func (f *file) Close(now bool) error {"},
		"script":             {"s.ts", "import { Shape } from './kinds'\n\nclass Square implements Shape {\n  name = 'square'\n\n  ¦\n}\n", "area(scale: number): number {"},
		"script, the second": {"s.ts", "import { Shape } from './kinds'\n\nclass Square implements Shape {\n  area(scale: number): number {\n    return scale\n  }\n\n  ¦\n}\n", "draw(): void {"},
		"Python":             {"s.py", "from kinds import Store\n\nclass Memory(Store):\n    def get(self, key: str) -> bytes:\n        return b\"\"\n\n    ¦\n", "def put(self, key: str, value: bytes) -> None:"},
		"Python, all there":  {"s.py", "from kinds import Store\n\nclass Memory(Store):\n    def get(self, key):\n        return b\"\"\n\n    def put(self, key, value):\n        pass\n\n    ¦\n", ""},
	} {
		if got := at(t, c[0], c[1]); got != c[2] {
			t.Errorf("%s: %q, want %q", name, got, c[2])
		}
	}
}

// TestEarlyEnds: what a function returns after a check for nothing, by its result type, its
// own checks and the document's.
func TestEarlyEnds(t *testing.T) {
	python := func(result, more string) string {
		return "def f(x, y)" + result + ":\n" + more + "    if x is None:\n        ¦\n    return g(x)\n"
	}
	script := func(result, more string) string {
		return "function f(x: A, y: A)" + result + " {\n" + more + "  if (!x) {\n    ¦\n  }\n  return g(x)\n}\n"
	}
	for name, c := range map[string][3]string{
		"optional":           {"a.py", python(" -> Optional[str]", ""), "return None"},
		"union":              {"a.py", python(" -> list[str] | None", ""), "return None"},
		"list":               {"a.py", python(" -> list[str | None]", ""), "return []"},
		"nothing":            {"a.py", python(" -> None", ""), "return"},
		"own":                {"a.py", python(" -> int", "    if not y:\n        raise Missing(y)\n"), "raise Missing(y)"},
		"not a check":        {"a.py", "def f(x) -> None:\n    if x > 1:\n        ¦\n", ""},
		"null":               {"a.ts", script(": string | null", ""), "return null"},
		"promised undefined": {"a.ts", script(": Promise<B | undefined>", ""), "return undefined"},
		"boolean":            {"a.ts", script(": boolean", "  const z = 1;\n  h(z);\n"), "return false;"},
		"own throw":          {"a.ts", script(": B", "  if (y === undefined) {\n    throw new Missing(y)\n  }\n"), "throw new Missing(y)"},
	} {
		if got := at(t, c[0], c[1]); got != c[2] {
			t.Errorf("%s: %q, want %q", name, got, c[2])
		}
	}
}

// TestListed: the next case and the next property or keyword argument of a declared type.
func TestListed(t *testing.T) {
	for name, c := range map[string][3]string{
		"union":             {"s.ts", "import { Level } from './kinds'\n\nfunction f(l: Level) {\n  switch (l) {\n    case 'low':\n      return 1\n    ¦\n  }\n}\n", "case 'mid':"},
		"enum":              {"s.ts", "import { Color } from './kinds'\n\nfunction f(c: Color) {\n  switch (c) {\n    case Color.Red:\n      return 1\n    case Color.Blue:\n      return 2\n    ¦\n  }\n}\n", "case Color.Green:"},
		"property":          {"s.ts", "import { Shape } from './kinds'\n\nfunction f(sides: number) {\n  const s: Shape = {\n    name: 'x',\n    ¦\n  }\n  return s\n}\n", "sides,"},
		"property of value": {"s.ts", "import { Shape } from './kinds'\n\nfunction f(o: Shape): Shape {\n  return {\n    name: o.name,\n    ¦\n  }\n}\n", "sides: o.sides,"},
		"unknown value":     {"s.ts", "import { Shape } from './kinds'\n\nconst s: Shape = {\n  name: 'x',\n  ¦\n}\n", ""},
		"match":             {"s.py", "from kinds import Color\n\ndef f(c):\n    match c:\n        case Color.RED:\n            return 1\n        ¦\n", "case Color.GREEN:"},
		"keyword":           {"s.py", "from kinds import Point\n\ndef f(x, y):\n    return Point(\n        x=x,\n        ¦\n    )\n", "y=y,"},
		"keyword of value":  {"s.py", "from kinds import Point\n\ndef f(p):\n    return Point(\n        x=p.x,\n        ¦\n    )\n", "y=p.y,"},
	} {
		if got := at(t, c[0], c[1]); got != c[2] {
			t.Errorf("%s: %q, want %q", name, got, c[2])
		}
	}
}
