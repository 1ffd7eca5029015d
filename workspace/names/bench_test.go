package names

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/edits"
)

// bodyOf is a function of ten lines in a language.
var bodyOf = map[string]string{
	"a.go": "func f%d(a int, s string) (string, error) {\n\tif a > %d {\n\t\treturn \"\", fmt.Errorf(\"%%s is too large\", s)\n\t}\n\tvar out strings.Builder\n\tfor i := range a {\n\t\tout.WriteString(strings.Repeat(s, i))\n\t}\n\treturn out.String(), nil\n}\n\n",
	"a.py": "def f%d(a, s):\n    if a > %d:\n        raise ValueError(s)\n    out = []\n    for i in range(a):\n        out.append(s.strip())\n        out.append(json.dumps(s))\n    text = \",\".join(out)\n    return text\n\n",
	"a.ts": "export function f%d(a: number, s: string): string {\n  if (a > %d) {\n    throw new Error(s)\n  }\n  const out: string[] = []\n  for (let i = 0; i < a; i++) {\n    out.push(s.trim())\n  }\n  return out.join(\",\")\n}\n",
}

var headOfFile = map[string]string{
	"a.go": "package a\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\n",
	"a.py": "import json\n\n",
	"a.ts": "import { x } from \"./x\"\n\n",
}

// large is a text of n functions of ten lines.
func large(file string, n int) string {
	var out strings.Builder
	out.WriteString(headOfFile[file])
	for i := range n {
		fmt.Fprintf(&out, bodyOf[file], i, i)
	}
	return out.String()
}

// BenchmarkCheck is the check of an edit of one line, and of 200 lines, in a
// file of 5,000.
func BenchmarkCheck(b *testing.B) {
	for _, file := range []string{"a.go", "a.py", "a.ts"} {
		before := large(file, 500)
		x := writeFixture(b, txtar.Parse([]byte("-- go.mod --\nmodule m\n-- venv/lib/python3.11/os.py --\n-- venv/lib/python3.11/json.py --\ndef dumps(o): pass\nx = \"\".strip().join(1).append()\n-- x.ts --\nexport const x = 1\n-- "+file+" --\n"+before)))
		marks := map[string][2]string{"a.go": {"\tvar out strings.Builder\n", "\t_ = strings.TrimSpace(s)\n"}, "a.py": {"    out = []\n", "    s = s.strip()\n"}, "a.ts": {"  const out: string[] = []\n", "  s = s.trim()\n"}}[file]
		at := strings.LastIndex(before[:len(before)/2], marks[0]) + len(marks[0])
		for _, lines := range []int{1, 200} {
			b.Run(fmt.Sprintf("%s/%d", file, lines), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					text := strings.Repeat(marks[1], lines-1) + strings.Replace(marks[1], "(s", fmt.Sprintf("(\"%d\"+s", i), 1)
					found := x.names.at(Typed, []edits.FileChange{{Path: file, Before: before, After: before[:at] + text + before[at:], Edits: []edits.Edit{insertion(at, text)}}}).Findings
					if len(found) > 0 {
						b.Fatal(found)
					}
				}
			})
		}
	}
}

// BenchmarkCheckDeep is the check of one expression in which each of 2,000 names is unknown.
func BenchmarkCheckDeep(b *testing.B) {
	x := writeFixture(b, txtar.Parse([]byte("-- go.mod --\nmodule m\n-- a.go --\npackage a\n")))
	text := "package a\n\nvar sum = 0"
	for i := range 2000 {
		text += fmt.Sprintf(" + unknown%d", i)
	}
	for b.Loop() {
		found, _ := x.names.Check([]edits.FileChange{{Path: "a.go", Before: "package a\n", After: text + "\n", Edits: edits.Diff("package a\n", text+"\n")}})
		if len(found) != 2000 {
			b.Fatal(len(found))
		}
	}
}
