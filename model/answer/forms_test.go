package answer_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/answer"
	"tandem/model/assist/assisttest"
	"tandem/workspace/platformtest"
)

// TestForms holds the forms in which models write what edit formats fix: each says plainly what
// is meant, and makes the text that is meant, or is refused with a code.
func TestForms(t *testing.T) {
	t.Parallel()
	const path, before = "src/a.py", "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
	const old, made = "    return 2\n", "    return 22\n"
	after := strings.Replace(before, old, made, 1)
	block := "<<<<<<< SEARCH\n" + old + "=======\n" + made + ">>>>>>> REPLACE\n"
	patch := "*** Update File: src/a.py\n@@\n-    return 2\n+    return 22\n"
	hunk := "-    return 2\n+    return 22\n"
	whole := "```python\n" + after + "```\n"
	files := map[string]string{
		path: before, "q.py": "def clean(s):\n    return s.replace(\"’\", \"'\")\n", "q.js": "const clean = s => s.split(\"\u00a0\").join(\" \");\n",
		"sep.py": "SEP = \"–\"\nparts = line.split(\"–\")\n", "m.txt": "alpha\nbeta\r\ngamma\r\ndelta\r\nend\r\n", "d.rst": "Title\n=======\n\nText one.\n",
		"nb.md": "# A\n\n## One\n\n###\u00a0Added\n\na\n",
		"n.md":  "one\ntwo\nthree\n", "e.txt": "cafe\u0301 - one\ntwo\n", "tok.py": "END = \"x<|im_end|>\"\nEND = 1 #<|im_end|>\nthree = 3\n",
		"_inner/u.py": "x = 1\n", "deep.py": "def f():\n" + strings.Repeat("    a = 1\n", 8) + "    b = 2\n",
		"p.html": "<p>one</p>\n", "t.jinja": "{{ head }}\n", "s.rst": "Title\n=======\n   \nText one is here.\n", "a.md": "# A\n\n```sh\nold\n```\n\nmore\n",
	}
	for _, c := range []struct{ name, answer, path, want string }{
		{"a path in the fence's line", "```python:src/a.py\n" + block + "```\n", "", ""},
		{"a title", "```python title=\"src/a.py\"\n" + block + "```\n", "", ""},
		{"a path behind the language", "```python src/a.py\n" + block + "```\n", "", ""},
		{"a blank line below the path", "**src/a.py**\n\n```python\n" + block + "```\n", "", ""},
		{"a numbered heading", "### 1. `src/a.py`\n" + block, "", ""},
		{"a label", "File: src/a.py\n" + block, "", ""},
		{"a bold label", "**File:** `src/a.py`\n" + block, "", ""},
		{"a comment", "# src/a.py\n" + block, "", ""},
		{"a sentence", "In `src/a.py`, two gives another number:\n\n" + block, "", ""},
		{"quotes around the path", "\"src/a.py\"\n" + block, "", ""},
		{"lower-case marks", "src/a.py\n" + strings.NewReplacer("SEARCH", "search", "REPLACE", "replace").Replace(block), "", ""},
		{"marks of a merge", "src/a.py\n" + strings.NewReplacer("SEARCH", "HEAD", "REPLACE", "new").Replace(block), "", ""},
		{"a quotation", "> src/a.py\n" + "> " + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n> ") + "\n", "", ""},
		{"a token behind the mark", "src/a.py\n" + strings.TrimSuffix(block, "\n") + "<|im_end|>\n", "", ""},
		{"a token behind an added line", "src/a.py\n" + strings.Replace(block, made, strings.TrimSuffix(made, "\n")+"<|eot_id|>\n", 1), "", ""},
		{"a token in a patch", "*** Begin Patch\n" + strings.TrimSuffix(patch, "\n") + "</s>\n*** End Patch\n", "", ""},
		{"no Begin", patch + "*** End Patch\n", "", ""},
		{"no Begin, in a fence", "```\n" + patch + "```\n", "", ""},
		{"no Begin, in a fence, and fences in the file", "```\n*** Update File: a.md\n@@\n ```sh\n-old\n+new\n ```\n \n-more\n+less\n```\n", "a.md", "# A\n\n```sh\nnew\n```\n\nless\n"},
		{"no End, in a fence", "```\n*** Begin Patch\n" + patch + "```\n", "", ""},
		{"no end at all", "*** Begin Patch\n" + patch, "", "truncated"},
		{"a diff without header", "In `src/a.py` change:\n\n```diff\n" + hunk + "```\n", "", ""},
		{"a diff without numbers", "```diff\n--- a/src/a.py\n+++ b/src/a.py\n" + hunk + "```\n", "", ""},
		{"a list of words behind a diff", "--- a/src/a.py\n+++ b/src/a.py\n@@ -6 +6 @@\n" + hunk + "\n- two gives another number\n+ one stays\n", "", ""},
		{"a list of words behind a diff in a fence", "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@ -6 +6 @@\n" + hunk + "```\n\n- two gives another number\n", "", ""},
		{"letters for what is compared", "diff --git i/src/a.py w/src/a.py\n--- i/src/a.py\n+++ w/src/a.py\n@@ -6 +6 @@\n" + hunk, "", ""},
		{"a new file in a folder of one letter", "--- /dev/null\n+++ c/new.c\n@@ -0,0 +1 @@\n+int x;\n", "c/new.c", "int x;\n"},
		{"letters for what is compared with nothing", "diff --git i/new.c w/new.c\nnew file mode 100644\n--- /dev/null\n+++ w/new.c\n@@ -0,0 +1 @@\n+int x;\n", "new.c", "int x;\n"},
		{"colours", "\x1b[1m--- a/src/a.py\x1b[m\n\x1b[1m+++ b/src/a.py\x1b[m\n\x1b[36m@@ -6 +6 @@\x1b[m\n\x1b[31m-    return 2\x1b[m\n\x1b[32m+    return 22\x1b[m\n", "", ""},
		{"a minus that is none", "*** Begin Patch\n" + strings.Replace(patch, "\n-", "\n\u2212", 1) + "*** End Patch\n", "", "parse"},
		{"a full-width plus", "*** Begin Patch\n" + strings.Replace(patch, "\n+", "\n\uff0b", 1) + "*** End Patch\n", "", "parse"},
		{"names in one word", `[{"filePath":"src/a.py","oldString":"    return 2\n","newString":"    return 22\n"}]`, "", ""},
		{"a last comma", `[{"path":"src/a.py","old_string":"    return 2\n","new_string":"    return 22\n",},]`, "", ""},
		{"tags in one word", "<edit path=\"src/a.py\">\n<oldString>\n    return 2\n</oldString>\n<newString>\n    return 22\n</newString>\n</edit>\n", "", ""},
		{"a file in a tag", "<file path='src/a.py'>\n" + after + "</file>\n", "", ""},
		{"before and after", "In `src/a.py`:\n\nBefore:\n```python\n" + old + "```\n\nAfter:\n```python\n" + made + "```\n", "", ""},
		{"a path in a comment", strings.Replace(whole, "python\n", "python\n# src/a.py\n", 1), "", ""},
		{"a path above and in a comment", "src/a.py\n" + strings.Replace(whole, "python\n", "python\n# src/a.py\n\n", 1), "", ""},
		{"a path that begins with an underscore", "_inner/u.py\n```python\nx = 2\n```\n", "_inner/u.py", "x = 2\n"},
		{"a path in underscores", "_src/a.py_\n" + whole, "", ""},
		{"tabs and spaces for a file of spaces", "deep.py\n<<<<<<< SEARCH\n    b = 2\n=======\n    b = 2\n    if b:\n\tc = 3\n>>>>>>> REPLACE\n", "deep.py", "ambiguous"},
		{"the whole path", "/home/me/project/src/a.py\n" + block, "", ""},
		{"a token at the end of a text", "src/a.py\n" + strings.Replace(whole, "22\n", "22<|endoftext|>\n", 1), "", ""},
		{"a token and a blank at the end of a text", "src/a.py\n" + strings.Replace(whole, "22\n", "22[EOS] \n", 1), "", ""},
		{"a token that the file has", "tok.py\n<<<<<<< SEARCH\nthree = 3\n=======\nthree = \"<|im_end|>\n>>>>>>> REPLACE\n", "tok.py", files["tok.py"][:strings.Index(files["tok.py"], "three")] + "three = \"<|im_end|>\n"},
		{"a tag like a token", "p.html\n<<<<<<< SEARCH\n<p>one</p>\n=======\n<p>one</p>\n<s>two</s>\n<s class=\"x\">\nthree\n</s>\n>>>>>>> REPLACE\n", "p.html", "<p>one</p>\n<s>two</s>\n<s class=\"x\">\nthree\n</s>\n"},
		{"a tag like a token in a text", "p.html\n```html\n<p>one</p>\n<s>two</s>\n```\n", "p.html", "<p>one</p>\n<s>two</s>\n"},
		{"a template of turns", "t.jinja\n<<<<<<< SEARCH\n{{ head }}\n=======\n{{ head }}\n<|im_start|>user\n{{ message }}<|im_end|>\n>>>>>>> REPLACE\n", "t.jinja", "{{ head }}\n<|im_start|>user\n{{ message }}<|im_end|>\n"},
		{"a template of turns in a list", `[{"path":"t.jinja","old_string":"{{ head }}","new_string":"<|im_start|>user\n{{ head }}<|im_end|>"}]`, "t.jinja", "<|im_start|>user\n{{ head }}<|im_end|>\n"},
		{"a quote in ASCII", "q.py\n<<<<<<< SEARCH\n    return s.replace(\"'\", \"'\")\n=======\n    return s.replace(\"'\", \"'\").strip()\n>>>>>>> REPLACE\n", "q.py", strings.Replace(files["q.py"], "\")\n", "\").strip()\n", 1)},
		{"a quote that is to change", "q.py\n<<<<<<< SEARCH\n    return s.replace(\"’\", \"'\")\n=======\n    return s.replace(\"'\", \"'\")\n>>>>>>> REPLACE\n", "q.py", strings.ReplaceAll(files["q.py"], "’", "'")},
		{"a dash in ASCII", "sep.py\n<<<<<<< SEARCH\nparts = line.split(\"-\")\n=======\nparts = line.split(\"-\", 1)\n>>>>>>> REPLACE\n", "sep.py", strings.Replace(files["sep.py"], "–\")", "–\", 1)", 1)},
		{"a dash that may be either", "sep.py\n<<<<<<< SEARCH\nparts = line.split(\"-\")\n=======\nparts = line.split(\"-\"[0], \"-\")\n>>>>>>> REPLACE\n", "sep.py", "ambiguous"},
		{"a space in ASCII", "q.js\n<<<<<<< SEARCH\nconst clean = s => s.split(\" \").join(\" \");\n=======\nconst clean = s => s.split(\" \").join(\" \").trim();\n>>>>>>> REPLACE\n", "q.js", strings.Replace(files["q.js"], ");", ").trim();", 1)},
		{"a letter in one character", "e.txt\n<<<<<<< SEARCH\ncaf\u00e9 - one\n=======\ncaf\u00e9 - one more\n>>>>>>> REPLACE\n", "e.txt", "cafe\u0301 - one more\ntwo\n"},
		{"a text in ASCII", "q.py\n```python\ndef clean(s):\n    t = s\n    return t.replace(\"'\", \"'\")\n```\n", "q.py", "def clean(s):\n    t = s\n    return t.replace(\"’\", \"'\")\n"},
		{"a text that differs in its quotes alone", "q.py\n```python\ndef clean(s):\n    return s.replace(\"'\", \"'\")\n```\n", "q.py", strings.ReplaceAll(files["q.py"], "’", "'")},
		{"a new line like one that is spelt otherwise", "nb.md\n```markdown\n# A\n\n## Two\n\n### Added\n\nb\n\n## One\n\n### Added\n\na\n```\n", "nb.md", "# A\n\n## Two\n\n### Added\n\nb\n\n## One\n\n###\u00a0Added\n\na\n"},
		{"a new line as one that is spelt otherwise elsewhere", "nb.md\n```markdown\n# A\n\n## Two\n\n### Added\n\nb\n\n## One\n\n###\u00a0Added\n\na\n```\n", "nb.md", "# A\n\n## Two\n\n### Added\n\nb\n\n## One\n\n###\u00a0Added\n\na\n"},
		{"lines that end otherwise than the first", "m.txt\n<<<<<<< SEARCH\nbeta\ngamma\n=======\nbeta\nGAMMA\nnew\n>>>>>>> REPLACE\n", "m.txt", "alpha\nbeta\r\nGAMMA\r\nnew\r\ndelta\r\nend\r\n"},
		{"a header of another format", "n.md\n<<<<<<< SEARCH\n:start_line:2\n-------\ntwo\n=======\n:start_line:2\n-------\nTWO\n>>>>>>> REPLACE\n", "n.md", "one\nTWO\nthree\n"},
		{"a heading of seven", "d.rst\n<<<<<<< SEARCH\nTitle\n=======\n\nText one.\n=======\nTitle\n=======\n\nText two.\n>>>>>>> REPLACE\n", "d.rst", "Title\n=======\n\nText two.\n"},
		{"a heading that is spelt otherwise, and a line of white space", "s.rst\n<<<<<<< SEARCH\nTitle\n=======\n   \nText one is hero.\n=======\nTitle\n=======\n\nText two.\n>>>>>>> REPLACE\n", "s.rst", "parse"},
		{"a heading of a new file", "new.rst\n<<<<<<< SEARCH\n=======\nTitle\n=======\n\nText.\n>>>>>>> REPLACE\n", "new.rst", "Title\n=======\n\nText.\n"},
		{"a heading of a file that is not there", "no.rst\n<<<<<<< SEARCH\nTitle\n=======\n\nText one.\n=======\nTitle\n=======\n\nText two.\n>>>>>>> REPLACE\n", "no.rst", "not_found"},
		{"a heading that is not there", "n.md\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n=======\nmore\n>>>>>>> REPLACE\n", "n.md", "parse"},
	} {
		r := answer.Reader{Format: edits.FormatAuto, Open: func(name string) (string, bool) { text, ok := files[name]; return text, ok },
			Rel: func(name string) string {
				return strings.TrimPrefix(name, filepath.ToSlash(platformtest.Abs("/home/me/project/")))
			}}
		if c.path == "" {
			c.path = path
		}
		if c.want == "" {
			c.want = after
		}
		read, err := r.Read(strings.ReplaceAll(c.answer, "/home/me", filepath.ToSlash(platformtest.Abs("/home/me"))))
		got := assisttest.Refused(err)
		if err == nil {
			got = read.After[c.path]
			for name := range maps.Keys(read.After) {
				if name != c.path && read.After[name] != files[name] {
					t.Errorf("%s: %s is changed too", c.name, name)
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %v\n%q\nwant\n%q", c.name, err, got, c.want)
		}
	}
}

// TestLostComments: a whole text that leaves out a comment is refused, unless the request asks.
func TestLostComments(t *testing.T) {
	t.Parallel()
	const before = "# What this is for\n# and who reads it.\nimport os\n\n\n# one gives a number,\n# as others expect it.\ndef one():\n    return 1  # not two\n\n\ndef two():\n    # Long:\n    # it takes time.\n    return 2\n"
	cut := func(parts ...string) string {
		text := before
		for _, part := range parts {
			text = strings.Replace(text, part, "", 1)
		}
		return text
	}
	const function, inner = "# one gives a number,\n# as others expect it.\n", "    # Long:\n    # it takes time.\n"
	for _, c := range []struct {
		name, request, after string
		refused              bool
	}{
		{"as it was", "", strings.Replace(before, "return 2", "return 3", 1), false},
		{"a comment", "", strings.Replace(cut(function), "return 2", "return 3", 1), true},
		{"a comment above a line that changes", "", strings.Replace(cut(inner), "return 2", "return 3", 1), true},
		{"with its function", "", cut(function + "def one():\n    return 1  # not two\n\n\n"), false},
		{"on request", "remove the comments in two", strings.Replace(cut(inner), "return 2", "return 3", 1), false},
		{"another comment in its place", "", strings.Replace(before, "# as others expect it.", "# as nobody expects it.", 1), false},
		{"all comments", "return three", strings.Replace(cut("# What this is for\n# and who reads it.\n", function, inner), "return 2", "return 3", 1), true},
	} {
		r := answer.Reader{Format: edits.FormatRewrite, Files: map[string]string{"a.py": before}, Options: edits.Options{Here: "a.py", Request: c.request}}
		read, err := r.Read("```python\n" + c.after + "```\n")
		if (err != nil) != c.refused || err == nil && read.After["a.py"] != c.after {
			t.Errorf("%s: %v, %v", c.name, read, err)
		}
	}
}
