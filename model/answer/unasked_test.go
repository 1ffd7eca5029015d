package answer_test

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/answer"
)

// TestWhatAWholeTextLeavesOut: a new text without a definition, or without the end of the old
// one, leaves a doubt, unless the request names what is gone. An edit that says what it takes
// away leaves none.
func TestWhatAWholeTextLeavesOut(t *testing.T) {
	t.Parallel()
	const (
		one   = "func one(n int) int {\n\tn++\n\tn += 2\n\tn += 3\n\treturn n\n}\n"
		two   = "func two() int {\n\treturn 2\n}\n"
		py    = "def one(n):\n    n += 1\n    n += 2\n    print(n)\n    log(n)\n    close(n)\n\n\ndef two():\n    return 2\n"
		notes = "# Title\n\nFirst.\n\n## Install\n\nRun the installer.\nThen wait.\n"
		same  = "package a\n\nfunc x() {\n\tcall()\n}\n\nfunc y() {\n\tcall()\n}\n\nfunc z() {\n\tcall()\n}\n"
	)
	fence := func(text string) string { return "```\n" + text + "```\n" }
	changed := strings.Replace(goFile, "+= 2", "+= 20", 1)
	for _, c := range []struct {
		name, path, before, marked string
		request, answer            string
		want                       string // of the doubt
	}{
		{"nothing", "a.go", goFile, "", "count more", fence(changed), ""},
		{"the last function", "a.go", goFile, "", "count more", fence(strings.TrimSuffix(changed, "\n"+two)), "two, which the request does not name"},
		{"a function that is named", "a.go", goFile, "", "drop two", fence(strings.TrimSuffix(changed, "\n"+two)), ""},
		{"a longer name is another", "a.go", goFile, "", "drop twofold", fence(strings.TrimSuffix(changed, "\n"+two)), "two, which"},
		{"a function between others", "a.go", goFile, "", "count more", fence("package a\n\n" + two), "one, which"},
		{"between others, applied alone", "a.go", goFile, "", "", fence("package a\n\n" + two), ""},
		{"the end, applied alone", "a.go", goFile, "", "", fence(strings.TrimSuffix(changed, "\n"+two)), `last 2 lines of the text that it replaces, from "func two`},
		{"the last of two that are alike", "a.go", same, "", "", fence(strings.TrimSuffix(same, "\nfunc z() {\n\tcall()\n}\n")), `from "func z`},
		{"one of two of a name", "a.py", "class A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def g(self):\n        return 1\n\n    def f(self):\n        return 2\n", "", "g counts", fence("class A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def g(self):\n        return 3\n"), "f, which"},
		{"moved", "a.go", goFile, "", "count more", fence("package a\n\n" + two + "\n" + one), ""},
		{"statements at the end of what is marked", "a.py", py, "def one(n):\n    n += 1\n    n += 2\n    print(n)\n    log(n)\n    close(n)\n", "count more", fence("def one(n):\n    n += 1\n    n += 20\n    print(n)\n"), `from "log(n)"`},
		{"statements that are named", "a.py", py, "def one(n):\n    n += 1\n    n += 2\n    print(n)\n    log(n)\n    close(n)\n", "do not close", fence("def one(n):\n    n += 1\n    n += 20\n    print(n)\n"), ""},
		{"statements behind what is marked", "a.py", py, "def one(n):\n    n += 1\n", "count more", fence("def one(n):\n    n += 10\n"), ""},
		{"others in their place", "a.py", py, "    print(n)\n    log(n)\n    close(n)\n", "count more", fence("    print(n)\n    with open(n) as f:\n        f.close()\n"), ""},
		{"a section", "a.md", notes, "", "say more of it", fence("# Title\n\nFirst, and more.\n"), "Install, which"},
		{"the end of a section", "a.md", notes, "", "say more of it", fence("# Title\n\nFirst, and more.\n\n## Install\n"), `from "Run the`},
		{"a section that is named", "a.md", notes, "", "Take out how to install", fence("# Title\n\nFirst.\n"), ""},
		{"hunks that delete", "a.go", goFile, "", "count more", "a.go\n<<<<<<< SEARCH\n\n" + two + "=======\n>>>>>>> REPLACE\n", ""},
		{"a function of what is marked", "a.go", goFile, one, "count more", fence("func other() int {\n\tn := 1\n\tn += 2\n\tn += 3\n\treturn n\n}\n"), "one, which"},
	} {
		r := answer.Reader{Format: edits.FormatRewrite, Files: map[string]string{c.path: c.before}, Options: edits.Options{Here: c.path, Request: c.request}}
		if c.marked != "" {
			r.Marked = marked(c.before, c.marked)
		}
		read, err := r.Read(c.answer)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.Join(edits.Reasons(read.Doubts[c.path]), ", "); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q\n%s", c.name, got, c.want, read.After[c.path])
		}
	}
}
