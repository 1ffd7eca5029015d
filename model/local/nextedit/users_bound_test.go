package nextedit

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tandem/model/local/localtest"
)

// TestBoundUsers: in TypeScript and Python a name means what the file imports, what hides
// it is left alone, and a method's receiver decides.
func TestBoundUsers(t *testing.T) {
	for _, c := range []struct {
		name, file, def string
		files           map[string]string
		want            []string // "path: line", the places' lines in order
	}{
		{"function in TypeScript", "a.ts", "load", map[string]string{
			"a.ts":     "export function load(n: number) { return n }\nconst x = load(1)\nconst y = { load: 2 }\nfunction f(load: number) { return load }\n",
			"index.ts": "export * from './a'\n",
			"b.ts":     "import { load } from './index'\nload(2)\nconsole.log(`${load(3)}`)\n",
			"c.ts":     "import * as a from './a'\na.load(4)\nother.load(5)\n",
			"d.ts":     "import { load } from './other'\nload(6)\n",
		}, []string{"a.ts: const x = load(1)", "b.ts: import { load } from './index'", "b.ts: load(2)", "b.ts: console.log(`${load(3)}`)", "c.ts: a.load(4)"}},
		{"function in Python", "a.py", "load", map[string]string{
			"__init__.py": "from .a import *\n\n__all__ = [\n    \"load\",\n]\n",
			"a.py":        "__all__ = [\"load\"]\n\n\ndef load(n):\n    \"\"\"load it\"\"\"\n    return n\n",
			"b.py":        "from a import load\n\nload(1)\nf(load=2)\n\n\ndef g(load):\n    return load\n",
			"c.py":        "import a\n\na.load(3)\n",
			"d.py":        "from z import load\n\nload(4)\n",
		}, []string{`__init__.py: "load",`, `a.py: __all__ = ["load"]`, "b.py: from a import load", "b.py: load(1)", "c.py: a.load(3)"}},
		{"overloads in Python", "p/a.py", "load", map[string]string{
			"p/__init__.py": "from .a import load as load\nfrom .a import load as read\n",
			"p/a.py":        "import sys\n\n__all__ = ('save', 'load')\n\n\n@overload\ndef load(n: int): ...\n\n\n@overload\ndef load(n: str): ...\n\n\ndef load(n):\n    return n\n",
			"p/b.py":        "import a\n\na.load(1)\n", // another a: this one is p.a
		}, []string{"p/__init__.py: from .a import load as load", "p/__init__.py: from .a import load as load", "p/__init__.py: from .a import load as read",
			"p/a.py: __all__ = ('save', 'load')", "p/a.py: def load(n: int): ...", "p/a.py: def load(n: str): ..."}},
		{"function that a condition chooses in Python", "a.py", "load", map[string]string{
			"a.py": "if old:\n\n    def load(n):\n        return n\n\nelse:\n\n    def load(n):\n        return 1\n\n\nload(1)\n",
		}, []string{"a.py: def load(n):", "a.py: load(1)"}},
		{"method in Python", "a.py", "read", map[string]string{
			"a.py": "class File:\n    def read(self):\n        return 1\n\n    def again(self) -> \"File\":\n        return self\n\n    def all(self):\n        return self.read()\n\n\nclass Zip(File):\n    def two(self):\n        return self.read()\n\n\ndef open_file() -> File:\n    return File()\n",
			"b.py": "x = File()\nx.read()\ny = open_file()\ny.read()\nz = Socket()\nz.read()\nunknown.read()\nz.open_it().read()\nw = y.again()\nw.read()\n",
		}, []string{"b.py: w.read()", "a.py: return self.read()", "a.py: return self.read()", "b.py: x.read()", "b.py: y.read()"}},
		{"exported by a list in TypeScript", "a.ts", "load", map[string]string{
			"a.ts": "function load() { return 1 }\nexport { load }\nexport { x as load } from './z'\n",
			"b.ts": "import { load } from './a'\nload()\n",
		}, []string{"a.ts: export { load }", "b.ts: import { load } from './a'", "b.ts: load()"}},
		{"method of an interface in TypeScript", "a.ts", "read", map[string]string{
			"a.ts": "export interface Reader<T> {\n  read(n: number): T\n}\n",
			"b.ts": "import { Reader } from './a'\nexport class File implements Reader<string> {\n  read(n: number) { return this.read(n) }\n}\nexport const memory: Reader<string> = {\n  read: (n: number) => '',\n}\n",
			"c.ts": "import { File } from './b'\nclass Job {\n  file: File\n}\nfunction f(job: Job, other: Reader2) {\n  job.file.read(1)\n  new File().read(2)\n  other.read(3)\n}\n",
			"d.ts": "class File {\n  read() { return this.read() }\n}\nnew File().read()\n",
		}, []string{"b.ts: read(n: number) { return this.read(n) }", "b.ts: read(n: number) { return this.read(n) }", "b.ts: read: (n: number) => '',", "c.ts: job.file.read(1)", "c.ts: new File().read(2)"}},
		{"receivers by inference in TypeScript", "a.ts", "read", map[string]string{
			"a.ts": "class Base {\n  read(n: number): string { return '' }\n}\nexport { Base as FileBase }\n",
			"b.ts": "import { FileBase } from './a'\nexport class File extends FileBase {\n  next() { return new File() }\n}\nexport type Visit = (file: File, n: number) => void\n" +
				"export const each = (visit: Visit) => {}\nexport async function open(name: string): Promise<File> { return new File() }\nexport const root = new File()\nexport const all = [root, new File()]\n",
			"c.ts": "import { each, open, root, all, File } from './b'\neach((f, n) => f.read(n))\nopen('x').then((g) => g.read(2))\nroot.next().read(3)\nfor (const h of all) {\n  h.read(4)\n}\n" +
				"all.filter((i) => i.read(5) === '')\nasync function w() {\n  const j = await open('y')\n  j.read(6)\n  const k = (await open('z')).read(7)\n}\nfunction v(list: File[], m: Map<string, File>) {\n  list[0].read(8)\n  m.get('a')!.read(9)\n}\n",
			"d.ts": "import { each } from './b'\nfunction other(f: Socket) {\n  f.read(1)\n  each(() => f.read(2))\n}\nnew Map().read()\nconst f = { read() {} }\nf.read()\n",
		}, []string{"c.ts: all.filter((i) => i.read(5) === '')", "c.ts: const k = (await open('z')).read(7)", "c.ts: each((f, n) => f.read(n))", "c.ts: h.read(4)", "c.ts: j.read(6)",
			"c.ts: list[0].read(8)", "c.ts: m.get('a')!.read(9)", "c.ts: open('x').then((g) => g.read(2))", "c.ts: root.next().read(3)"}},
		{"objects and patterns of a type in TypeScript", "a.ts", "read", map[string]string{
			"a.ts": "export type Reader = {\n  read: (n: number) => string\n}\nexport function use(r: Reader) {}\n",
			"b.ts": "import { Reader, use } from './a'\nexport const file: Reader = {\n  read(n) { return '' },\n}\nconst read = () => ''\nuse({ read })\nuse({ read: () => '' })\n" +
				"function f({ read }: Reader) {}\nconst list: Reader[] = [{ read }]\nconst other = { read }\nfunction make(): Reader {\n  return { read: () => '' }\n}\n",
		}, []string{"b.ts: const list: Reader[] = [{ read }]", "b.ts: function f({ read }: Reader) {}", "b.ts: read(n) { return '' },", "b.ts: return { read: () => '' }", "b.ts: use({ read })", "b.ts: use({ read: () => '' })"}},
		{"receivers by inference in Python", "a.py", "read", map[string]string{
			"a.py": "class File:\n    def read(self):\n        return 1\n\n    @property\n    def parent(self) -> \"File\":\n        return self\n",
			"b.py": "import a\nfrom typing import Optional\nfrom a import File as F\n\n\ndef f(x: Optional[F], all: list[F], s: Socket):\n    x.read()\n    for y in all:\n        y.read()\n    with F() as z:\n        z.read()\n    x.parent.parent.read()\n    s.read()\n\n\na.File().read()\nx.read()\n",
		}, []string{"b.py: a.File().read()", "b.py: x.parent.parent.read()", "b.py: x.read()", "b.py: y.read()", "b.py: z.read()"}},
		{"method of several words in TypeScript", "a.ts", "readAll", map[string]string{
			"a.ts": "export class File {\n  readAll() { return 1 }\n}\n",
			"b.ts": "export const n = unknown.readAll()\n",
		}, []string{"b.ts: export const n = unknown.readAll()"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := localtest.New(c.files)
			id, _ := m.Indexed.FileID(c.file)
			var got []string
			for _, d := range slices.Backward(m.Indexed.Defs(id)) {
				if d.Name != c.def {
					continue
				}
				if got != nil {
					break // an overload
				}
				for _, p := range Users(context.Background(), m, d) {
					line := strings.Split(m.Texts[p.Path], "\n")[p.Line-1]
					got = append(got, p.Path+": "+strings.TrimSpace(line))
				}
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("used at\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}
