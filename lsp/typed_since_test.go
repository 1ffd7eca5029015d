package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/judge"
)

// A conflict is what a task makes of a file while the user types what it breaks.
type conflict struct {
	file, text, old, new string // the task's
	other, before, after string // the user's: a file as it is, and as they leave it; "" is the task's own
	names                string // in what they are told
}

// conflicts are twenty tasks in three languages: what is renamed, removed or declared otherwise, and
// imports that leave.
var conflicts = []conflict{
	{"a.go", "package m\n\nfunc count() int { return 1 }\n", "func count()", "func total()", "b.go", "package m\n", "package m\n\nvar n = count()\n", "b.go:3: count is declared nowhere"},
	{"a.go", "package m\n\nfunc keep() {}\n\nfunc count() int { return 1 }\n", "func count() int { return 1 }\n", "", "b.go", "package m\n", "package m\n\nvar n = count()\n", "b.go:3: count is declared nowhere"},
	{"a.go", "package m\n\nfunc count() int { return 1 }\n", "count() int", "count(by int) int", "b.go", "package m\n", "package m\n\nvar n = count()\n", "b.go:3: not enough arguments"},
	{"a.go", "package m\n\ntype box struct{ size int }\n", "size int", "width int", "b.go", "package m\n", "package m\n\nvar n = box{}.size\n", "b.go:3: "},
	{"a.go", "package m\n\ntype box struct{}\n\nfunc (box) size() int { return 1 }\n", ") size()", ") width()", "b.go", "package m\n", "package m\n\nvar n = box{}.size()\n", "b.go:3: "},
	{"a.go", "package m\n\nconst limit = 1\n", "limit", "most", "b.go", "package m\n", "package m\n\nvar n = limit\n", "b.go:3: limit is declared nowhere"},
	{"lib/a.go", "package lib\n\nfunc Count() int { return 1 }\n", "Count", "Total", "b.go", "package m\n", "package m\n\nimport \"example.com/m/lib\"\n\nvar n = lib.Count()\n", "b.go:5: package lib has no Count"},
	{"a.go", "package m\n\nfunc count() int { return 1 }\n\n// more\n", "func count()", "func total()", "", "", "package m\n\nfunc count() int { return 1 }\n\n// more\n\nvar n = count()\n", "count is declared nowhere"},
	{"a.py", "def count():\n    return 1\n", "def count()", "def total()", "b.py", "import a\n", "import a\n\na.count()\n", "b.py:3: module a has no count"},
	{"a.py", "def count():\n    return 1\n", "def count()", "def total()", "b.py", "\n", "from a import count\n", "b.py:1: module a has no count"},
	{"a.py", "def count():\n    return 1\n", "count()", "count(by)", "b.py", "from a import count\n", "from a import count\n\ncount()\n", "b.py:3: count takes"},
	{"a.py", "class Box:\n    pass\n", "class Box", "class Case", "b.py", "\n", "from a import Box\n", "b.py:1: module a has no Box"},
	{"pkg/a.py", "LIMIT = 1\n", "LIMIT = 1", "MOST = 1", "b.py", "\n", "from pkg.a import LIMIT\n", "b.py:1: module pkg.a has no LIMIT"},
	{"a.py", "def count():\n    return 1\n\n\n# more\n", "def count()", "def total()", "", "", "def count():\n    return 1\n\n\n# more\nprint(count())\n", "count is bound nowhere"},
	{"a.ts", "export function count() { return 1 }\n", "count", "total", "b.ts", "export {}\n", "import { count } from './a'\n\ncount()\n", "b.ts:1: "},
	{"a.ts", "export function count() { return 1 }\n", "count()", "count(by: number)", "b.ts", "import { count } from './a'\n", "import { count } from './a'\n\ncount()\n", "b.ts:3: count takes"},
	{"a.ts", "export class Box {}\n", "Box", "Case", "b.ts", "export {}\n", "import { Box } from './a'\n", "b.ts:1: "},
	{"lib/a.ts", "export const limit = 1\n", "limit", "most", "b.ts", "export {}\n", "import { limit } from './lib/a'\n", "b.ts:1: "},
	{"a.tsx", "export function Panel() { return null }\n", "Panel", "Pane", "b.tsx", "export {}\n", "import { Panel } from './a'\n\nexport const x = <Panel />\n", "b.tsx:1: "},
	{"a.ts", "export function tallied() { return 1 }\n\n// more\n", "function tallied", "function total", "", "", "export function tallied() { return 1 }\n\n// more\ntallied()\n", "tallied is declared nowhere"},
}

// TestTypedWhileATaskRuns: the user types what a task breaks while it runs. They are told before
// they accept it, by a verdict that fails and, where a client shows no proposals, by what accepting
// answers; nothing is written.
func TestTypedWhileATaskRuns(t *testing.T) {
	for _, client := range []string{"tandem", "full"} {
		for _, c := range conflicts {
			t.Run(client+" "+c.file+" "+c.old, func(t *testing.T) {
				t.Parallel()
				typedWhile(t, client, c)
			})
		}
	}
}

func typedWhile(t *testing.T, client string, c conflict) {
	dir := t.TempDir()
	if c.other == "" {
		c.other, c.before = c.file, c.text
	}
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "package.json": "{}", "pkg/__init__.py": "", "node_modules/.package-lock.json": "{}", c.file: c.text, c.other: c.before} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	hold := make(chan struct{})
	e := start(t, deps(t, &cassette{hold: hold, judge: judge.New(nil, nil), answers: map[model.Purpose][]reply{model.Task: {
		{when: "Do step 1", text: c.file + "\n<<<<<<< SEARCH\n" + lineWith(c.text, c.old) + "\n=======\n" + strings.Replace(lineWith(c.text, c.old), strings.TrimSuffix(c.old, "\n"), c.new, 1) + "\n>>>>>>> REPLACE\n"},
		{text: "1. [FAST] Do it | write: " + c.file},
	}}}))
	capabilities := fullClient()
	if client == "tandem" {
		capabilities["experimental"] = object{"tandem": object{"proposals": true, "status": true, "tasks": true}}
	}
	e.initialize(capabilities, dir)
	own, other := workspace.URIOf(filepath.Join(dir, c.file)), workspace.URIOf(filepath.Join(dir, c.other))
	e.open(own, languageOf(c.file), c.text)
	if other != own {
		e.open(other, languageOf(c.other), c.before)
	}
	if _, err := e.call("workspace/executeCommand", object{"command": "tandem.escalate", "arguments": []object{{"uri": own, "instruction": "change " + c.old}}}); err != nil {
		t.Fatal(err)
	}
	e.change(other, wireRange{position{}, endOf(c.before)}, c.after)
	close(hold)
	id := "p1"
	if client == "tandem" {
		var note proposalNote
		raw := e.until("tandem/proposal", func(raw json.RawMessage) bool {
			return strings.Contains(string(raw), `"failed","reason"`)
		})
		if err := json.Unmarshal(raw, &note); err != nil || note.Verdict == nil || !strings.Contains(note.Verdict.Reason, c.names) || other != own && len(note.Breaks) == 0 {
			t.Errorf("the verdict is %+v, it breaks %v, %v; want %q", note.Verdict, note.Breaks, err, c.names)
		}
		id = note.ID
	} else {
		e.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "is ready") })
	}
	e.untilIndexed()
	_, err := e.call("workspace/executeCommand", object{"command": "tandem.accept", "arguments": []object{{"id": id}}})
	if err == nil || !strings.Contains(err.Error(), c.names) {
		t.Errorf("accepted: %v, want %q", err, c.names)
	}
	if got := e.text(other); got != c.after {
		t.Errorf("what the user typed is %q", got)
	}
}

// lineWith is the line of a text that has another text.
func lineWith(text, part string) string {
	at := strings.Index(text, part)
	start := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	return line
}
