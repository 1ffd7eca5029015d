package inline

import (
	"testing"

	"tandem/edits"
	"tandem/model"
)

func TestShape(t *testing.T) {
	cases := []struct{ name, before, after, answer, want string }{
		{"plain line", "x := ", "\n}\n", "compute()", "compute()"},
		{"fenced", "x := ", "\n", "```go\ncompute()\n```\n", "compute()"},
		{"unfinished fence", "x := ", "\n", "```go\ncompute()", "compute()"},
		{"echo of the line", "\tresult := ", "\n", "\tresult := compute()", "compute()"},
		{"echo of the quote", "import \"", "\n", "\"fmt\"\n", "fmt\""},
		{"no echo of a quote that ends", "x := \"a\"", "\n", "\"b\"", "\"b\""},
		{"echo of the indentation", "func f() {\n\t", "\n}\n", "\treturn 1\n", "return 1"},
		{"inside a call", "foo(", ")\n", "a, b)", "a, b"},
		{"inside a call that opens its own", "foo(", ")\n", "bar(a)", "bar(a)"},
		{"inside a call, both closed", "foo(", ")\n", "bar(a))", "bar(a)"},
		{"inside quotes", `fmt.Println("`, "\")\n", `hello")`, "hello"},
		{"middle of a line is one line", "a := ", " + rest\n", "b\nmore\n", "b"},
		{"closing brace that is below already", "func f() {\n\t", "\n}\n", "return 1\n}", "return 1"},
		{"lines that stand below", "if a {\n\t", "\n\treturn b\n}\n", "x()\n\treturn b\n}", "x()"},
		{"only repeats the next line", "\t", "\n\treturn b\n", "return b", ""},
		{"ends with its block", "\tif x {", "\n", "\n\t\ty()\n\t}\nfunc other() {}\n", "\n\t\ty()\n\t}"},
		{"nothing", "x", "\n", "  \n", ""},
		{"brackets that the editor closed", "func f() int {", "}\n", "\n\treturn a\n", "\n\treturn a\n"},
		{"the model closes them too", "\tif x {", "}\n", "\n\t\ty()\n\t}\n", "\n\t\ty()\n\t"},
		{"crlf", "x := ", "\r\n", "a()\r\n", "a()"},
		{"python block", "    if ready:", "\n", "\n        go()\n    else:\n        stop()\ndef g(): pass", "\n        go()\n    else:\n        stop()"},
	}
	for _, c := range cases {
		got, err := shape(edits.NewText(c.before+c.after), len(c.before), c.answer, model.MostLines, edits.Style{Unit: "\t"}, nil)
		if err != nil {
			got.New = ""
		}
		if got.New != c.want {
			t.Errorf("%s: shape(%q, %q, %q) = %q (%v), want %q", c.name, c.before, c.after, c.answer, got.New, err, c.want)
		}
	}
}
