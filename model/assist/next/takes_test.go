package next

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// TestTakes: a line vanishes, or is written once more, only where the user did the same.
func TestTakes(t *testing.T) {
	t.Parallel()
	const prose = "The first paragraph explains what it is for.\n\nThe second paragraph tells how it is set up.\n\nThe third paragraf tells who wrote it.\n"
	const code = "func a() {\n\tcheck(x)\n\tlog(x)\n}\n\nfunc b() {\n\tcheck(y)\n\tlog(y)\n\treturn\n}\n"
	renamed := []workspace.RecentEdit{{Old: "The first paragraph tells what it is for.\n", New: "The first paragraph explains what it is for.\n"}}
	checked := []workspace.RecentEdit{{Old: "\tcheck(x)\n", New: "\tcheck(x, 1)\n"}}
	deleted := []workspace.RecentEdit{{Old: "\tlog(x)\n", New: ""}}
	written := []workspace.RecentEdit{{Old: "", New: "\tlog(first, second)\n"}}
	for _, c := range []struct {
		name, text, old, new string
		recent               []workspace.RecentEdit
		want                 bool
	}{
		{"the same change", prose, "tells how", "explains how", renamed, false},
		{"the line behind it too", prose, "The second paragraph tells how it is set up.\n\nThe third paragraf tells who wrote it.\n", "The second paragraph explains how it is set up.\n", renamed, true},
		{"a copy in a word", prose, "para", "paraThe second paragraph tells how it is set up.", renamed, true},
		{"the same call", code, "check(y)", "check(y, 1)", checked, false},
		{"the statement behind it too", code, "\tcheck(y)\n\tlog(y)\n", "\tcheck(y, 1)\n", checked, true},
		{"a line as the user took away", code, "\tlog(y)\n", "", deleted, false},
		{"another line", code, "\treturn\n", "", deleted, true},
		{"an item of a list", "- one explains\n- two tells how\n- three says who\n", "- two tells how\n- three says who\n", "- two explains how\n", renamed, true},
		{"lines that become others", code, "\tcheck(y)\n\tlog(y)\n", "\tcheckAll(y)\n\tlogAll(y)\n", checked, false},
		{"more lines", code, "\treturn\n", "\tflush(y)\n\treturn\n", checked, false},
		{"a line that is there", "alpha_of_all(1)\nbeta()\n", "beta()", "beta()\nalpha_of_all(1)", checked, true},
		{"a line that the user wrote", "log(first, second)\nbeta()\n", "beta()", "beta()\nlog(first, second)", written, false},
	} {
		at := strings.LastIndex(c.text, c.old)
		if got := takes(c.text, edits.Edit{Span: edits.Span{Start: at, End: at + len(c.old)}, New: c.new}, c.recent); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
