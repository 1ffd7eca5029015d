package answer_test

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/answer"
	"tandem/model/assist/assisttest"
)

const goFile = "package a\n\nfunc one(n int) int {\n\tn++\n\tn += 2\n\tn += 3\n\treturn n\n}\n\nfunc two() int {\n\treturn 2\n}\n"

// marked is the selection of part in text.
func marked(text, part string) edits.Span {
	at := strings.Index(text, part)
	return edits.Span{Start: at, End: at + len(part)}
}

// TestRead: what is plain in meaning is read in every wrapping, and what a model may not have
// meant is refused with its code.
func TestRead(t *testing.T) {
	t.Parallel()
	const one = "func one(n int) int {\n\tn++\n\tn += 2\n\tn += 3\n\treturn n\n}\n"
	const doc = "# Title\n\nRun:\n\n```\nmake\n```\n\nDone.\n"
	const notebook = "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"source\": [\n    \"x = 1\\n\",\n    \"y = 2\"\n   ]\n  }\n ],\n \"nbformat\": 4\n}\n"
	for _, c := range []struct {
		name, path, before, marked string
		format                     edits.Format
		answer, want               string // the text after, or a code
	}{
		{"a draft in thoughts", "a.go", goFile, one, edits.FormatRewrite, "<think>\n```go\nfunc one() {}\n```\n</think>\nSo:\n```go\n" + strings.Replace(one, "2", "20", 1) + "```\nDone.\n", strings.Replace(goFile, "+= 2", "+= 20", 1)},
		{"thoughts that do not end", "a.go", goFile, one, edits.FormatRewrite, "<think>\n```go\n" + one + "```\n", "truncated"},
		{"a document with fences", "a.md", doc, "", edits.FormatRewrite, "Here:\n\n```markdown\n" + strings.Replace(doc, "make", "make all", 1) + "```\n\nI hope that helps.\n", strings.Replace(doc, "make", "make all", 1)},
		{"two texts that may be one", "a.md", "# Title\n\nText.\n", "", edits.FormatRewrite, "```\n# Title\n\nText one.\n```\nor\n```\n# Title\n\nText two.\n```\n", "ambiguous"},
		{"a mark of byte order stays", "a.go", "\ufeff" + goFile, "\ufeffpackage a\n", edits.FormatRewrite, "```\npackage b\n```\n", "\ufeff" + strings.Replace(goFile, "package a", "package b", 1)},
		{"a fence for what is marked", "a.go", goFile, one, edits.FormatAuto, "```go\n" + strings.Replace(one, "3", "30", 1) + "```\n", strings.Replace(goFile, "+= 3", "+= 30", 1)},
		{"a fence where nothing is marked", "a.go", goFile, "", edits.FormatAuto, "```go\n" + one + "```\n", "parse"},
		{"the lines around too", "a.go", goFile, one, edits.FormatRewrite, "```go\npackage a\n\n" + strings.Replace(one, "3", "30", 1) + "\nfunc two() int {\n\treturn 2\n}\n```\n", strings.Replace(goFile, "+= 3", "+= 30", 1)},
		{"a part of it", "a.go", goFile, one, edits.FormatRewrite, "```go\n\tn += 30\n```\n", "unsafe"},
		{"code left out", "a.go", goFile, one, edits.FormatRewrite, "```go\nfunc one(n int) int {\n\tn = 0\n\t// as it was before\n\treturn n\n}\n```\n", "unsafe"},
		{"text left out by a remark in another language", "a.md", "# A\n\none\n\ntwo\n", "", edits.FormatRewrite, "````\n# B\n\nnew\n\nnewer\n\n// ... rest of the code unchanged ...\n````\n", "unsafe"},
		{"a sample with such a remark", "a.md", "# A\n\none\n", "", edits.FormatRewrite, "````\n# A\n\n    // ... rest of the code unchanged ...\n\none\n````\n", "# A\n\n    // ... rest of the code unchanged ...\n\none\n"},
		{"such a remark at the end of a longer text", "a.md", "# A\n\none\n", "", edits.FormatRewrite, "````\n# A\n\none\n\ntwo\nthree\n// ... rest of the code unchanged ...\n````\n", "unsafe"},
		{"code left out of a file", "a.go", goFile, "", edits.FormatRewrite, "```go\npackage a\n\n// ... existing code ...\n\nfunc three() {}\n```\n", "unsafe"},
		{"a remark that is the person's wish", "a.go", goFile, one, edits.FormatRewrite, "```go\n" + strings.Replace(one, "\tn++\n", "\t// Begins with one more.\n\tn++\n", 1) + "```\n", strings.Replace(goFile, "\tn++\n", "\t// Begins with one more.\n\tn++\n", 1)},
		{"typographic quotes in a literal", "a.go", goFile, "", edits.FormatAuto, "a.go\n<<<<<<< SEARCH\n\treturn 2\n=======\n\tprintln(\"“2”\")\n\treturn 2\n>>>>>>> REPLACE\n", strings.Replace(goFile, "\treturn 2\n", "\tprintln(\"“2”\")\n\treturn 2\n", 1)},
		{"typographic quotes in code", "a.go", goFile, "", edits.FormatAuto, "a.go\n<<<<<<< SEARCH\n\treturn 2\n=======\n\tprintln(“2”)\n\treturn 2\n>>>>>>> REPLACE\n", "unsafe"},
		{"entities in code", "a.go", goFile, "", edits.FormatAuto, "a.go\n<<<<<<< SEARCH\n\treturn 2\n=======\n\tif 1 &lt; 2 || 2 > 1 {\n\t\treturn 2\n\t}\n\treturn 2\n>>>>>>> REPLACE\n", "unsafe"},
		{"entities in markup", "a.html", "<p>a</p>\n<p>c &gt; d</p>\n", "", edits.FormatAuto, "a.html\n<<<<<<< SEARCH\n<p>a</p>\n=======\n<p>a &lt; b</p>\n>>>>>>> REPLACE\n", "<p>a &lt; b</p>\n<p>c &gt; d</p>\n"},
		{"signs of a diff", "a.py", "def f():\n    x = 1\n    return x\n", "", edits.FormatAuto, "a.py\n<<<<<<< SEARCH\n    x = 1\n=======\n-    x = 1\n+    x = 2\n>>>>>>> REPLACE\n", "parse"},
		{"a list has signs", "a.md", "# T\n\ntext\n", "", edits.FormatAuto, "a.md\n<<<<<<< SEARCH\ntext\n=======\n- one\n- two\n>>>>>>> REPLACE\n", "# T\n\n- one\n- two\n"},
		{"given twice", "a.go", goFile, "", edits.FormatAuto, strings.Repeat("a.go\n<<<<<<< SEARCH\n\tn++\n=======\n\tn++\n\tn--\n>>>>>>> REPLACE\n", 2), strings.Replace(goFile, "\tn++\n", "\tn++\n\tn--\n", 1)},
		{"a function that is there", "a.go", goFile, "", edits.FormatAuto, "a.go\n<<<<<<< SEARCH\nfunc two() int {\n=======\n" + one + "\nfunc two() int {\n>>>>>>> REPLACE\n", "unsafe"},
		{"alternatives", "a.go", goFile, "", edits.FormatAuto, "Option 1:\n\na.go\n<<<<<<< SEARCH\n\tn++\n=======\n\tn += 1\n>>>>>>> REPLACE\n\nOption 2:\n\na.go\n<<<<<<< SEARCH\n\tn += 2\n=======\n\tn += 3\n>>>>>>> REPLACE\n", "ambiguous"},
		{"numbered lines", "a.go", goFile, "", edits.FormatAuto, "a.go:4\n<<<<<<< SEARCH\nL4: \tn++\nL5: \tn += 2\n=======\nL4: \tn++\nL5: \tn += 4\n>>>>>>> REPLACE\n", strings.Replace(goFile, "+= 2", "+= 4", 1)},
		{"a patch in JSON", "a.go", goFile, "", edits.FormatAuto, `{"name":"apply_patch","arguments":"{\"input\":\"*** Begin Patch\\n*** Update File: a.go\\n@@\\n-\\treturn 2\\n+\\treturn 3\\n*** End Patch\\n\"}"}`, strings.Replace(goFile, "return 2", "return 3", 1)},
		{"a replacement without a new text", "a.go", goFile, "", edits.FormatAuto, `{"path":"a.go","old_string":"\treturn 2"}`, "parse"},
		{"a diff in a list item", "a.go", goFile, "", edits.FormatAuto, "- this:\n\n    --- a/a.go\n    +++ b/a.go\n    @@ -11,1 +11,1 @@\n    -\treturn 2\n    +\treturn 3\n", strings.Replace(goFile, "return 2", "return 3", 1)},
		{"the example's path", "a.go", goFile, one, edits.FormatAuto, "path/of/file.ext\n<<<<<<< SEARCH\n\treturn 2\n=======\n\treturn 3\n>>>>>>> REPLACE\n", strings.Replace(goFile, "return 2", "return 3", 1)},
		{"a notebook's line", "a.ipynb", notebook, "", edits.FormatAuto, "a.ipynb\n<<<<<<< SEARCH\n    \"x = 1\\n\",\n=======\n    \"x = 3\\n\",\n>>>>>>> REPLACE\n", strings.Replace(notebook, "x = 1", "x = 3", 1)},
		{"a notebook's line without its end", "a.ipynb", notebook, "", edits.FormatAuto, "a.ipynb\n<<<<<<< SEARCH\n    \"x = 1\\n\",\n=======\n    \"x = 3\",\n>>>>>>> REPLACE\n", "unsafe"},
		{"thoughts without their beginning", "a.go", goFile, one, edits.FormatRewrite, "Maybe this:\n```go\n" + strings.Replace(one, "2", "5", 1) + "```\nNo.\n</think>\n\n```go\n" + strings.Replace(one, "2", "20", 1) + "```\n", strings.Replace(goFile, "+= 2", "+= 20", 1)},
		{"signs of a diff in a block that names no file", "a.py", "def f():\n    x = 1\n    return x\n", "", edits.FormatAuto, "<<<<<<< SEARCH\n    x = 1\n=======\n-    x = 1\n+    x = 2\n>>>>>>> REPLACE\n", "parse"},
		{"a function that is there, elsewhere", "a.go", goFile, "", edits.FormatAuto, "a.go\n<<<<<<< SEARCH\n\treturn 2\n}\n=======\n\treturn 2\n}\n\n" + one + ">>>>>>> REPLACE\n", "unsafe"},
		{"a fence in a fence", "a.py", "x = 1\ny = 2\n", "", edits.FormatRewrite, "````\n```python\nx = 1\ny = 3\n```\n````\n", "unsafe"},
		{"a fence in a text of the language", "a.py", "def f():\n    return 1\n", "", edits.FormatRewrite, "````python\ndef f():\n    \"\"\"F.\n\n    ```\n    f()\n    ```\n    \"\"\"\n    return 1\n````\n", "def f():\n    \"\"\"F.\n\n    ```\n    f()\n    ```\n    \"\"\"\n    return 1\n"},
		{"the last of several channels", "a.go", goFile, one, edits.FormatRewrite, "<|channel|>analysis<|message|>Perhaps:\n```go\n" + strings.Replace(one, "2", "5", 1) + "```\n<|end|><|start|>assistant<|channel|>final<|message|>```go\n" + strings.Replace(one, "2", "20", 1) + "```\n<|return|>", strings.Replace(goFile, "+= 2", "+= 20", 1)},
		{"no last channel", "a.go", goFile, one, edits.FormatRewrite, "<|channel|>analysis<|message|>Perhaps:\n```go\n" + one + "```\n", "truncated"},
		{"a token of the model", "a.go", "package a\n", "", edits.FormatRewrite, "```go\npackage a\n\nfunc one() {}\n<|end|>\n```\n", "package a\n\nfunc one() {}\n"},
		{"code left out behind what does nothing", "a.py", "def f(a):\n    x = a\n    x += 1\n    x += 2\n    x += 3\n    return x\n", "", edits.FormatRewrite, "```python\ndef f(a, b):\n    pass  # rest\n```\n", "unsafe"},
		{"a call in place of a file", "a.py", "x = 1\n", "", edits.FormatRewrite, `{"patch": "x = 2\n"}`, "unsafe"},
		{"code for a notebook", "a.ipynb", notebook, "", edits.FormatRewrite, "```python\nx = 3\ny = 2\n```\n", "unsafe"},
	} {
		r := answer.Reader{Format: c.format, Files: map[string]string{c.path: c.before}, Options: edits.Options{Here: c.path}}
		if c.marked != "" {
			r.Marked = marked(c.before, c.marked)
		}
		read, err := r.Read(c.answer)
		got := assisttest.Refused(err)
		if err == nil {
			got = read.After[c.path]
		}
		if got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

// TestRefusalSaysTheModelsWords: what a model says instead of an edit is in the refusal.
func TestRefusalSaysTheModelsWords(t *testing.T) {
	t.Parallel()
	_, err := answer.Reader{Format: edits.FormatAuto, Files: map[string]string{"a.go": goFile}}.Read("I was not shown a.go: line 12.\n")
	if err == nil || !strings.Contains(err.Error(), "I was not shown a.go: line 12.") {
		t.Error(err)
	}
}

// TestSignsInTheOnlyFile: an answer that names no file is judged by the language of the one there is.
func TestSignsInTheOnlyFile(t *testing.T) {
	t.Parallel()
	r := answer.Reader{Format: edits.FormatRewrite, Files: map[string]string{"a.py": "import os\nimport sys\n"}}
	if read, err := r.Read("```python\n+import os\n+import sys\n+import re\n```\n"); err == nil {
		t.Errorf("signs of a diff were written: %q", read.After)
	}
}
