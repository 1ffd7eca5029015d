package judge_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/edits"
	"tandem/workspace/judge"
)

// TestSilence: what its author silenced is not judged, and told; a change that silences a file is
// warned of and fails no verdict; a comment that spares other kinds of finding silences nothing.
func TestSilence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, head string
		silent     bool
	}{
		{"a.py", "# mypy: ignore-errors\n", true},
		{"a.py", "# mypy: disallow-any-generics=False, ignore-errors=True\n", true},
		{"a.py", "# mypy: disable-error-code=arg-type\n", false},
		{"a.py", "# mypy: ignore-errors=False\n", false},
		{"a.py", "#!/usr/bin/env python\n# flake8: noqa\r\n", true},
		{"a.py", "import os\n# flake8: noqa: E501\n", false},
		{"a.py", "import os\n# flake8: noqa: E501,F821\n", true},
		{"a.py", "\"\"\"About\n# flake8: noqa\n\"\"\"\n", false},
		{"a.py", "\"\"\"About\n" + strings.Repeat("# flake8: noqa\n", 4000) + "\"\"\"\n", false},
		{"a.py", "# ruff: noqa\n", true},
		{"a.py", "# ruff: noqa: D\n", false},
		{"a.py", "# pylint: skip-file\n", true},
		{"a.py", "# a licence\n\n# type: ignore\n", true},
		{"a.py", "import os\n# type: ignore\n", false},
		{"a.py", "# type: ignore[attr-defined]\n", false},
		{"a.py", "# pyright: basic\n", false},
		{"a.py", "# pyre-ignore-all-errors\n", true},
		{"a.ts", "/* a licence */\n// @ts-nocheck\n", true},
		{"a.ts", "const x = 1\n// @ts-nocheck\n", false},
		{"a.ts", "// no @ts-nocheck here\n", false},
	} {
		const code = "print(newThing())\n"
		tree := "-- venv/lib/python3.11/os.py --\n-- " + c.file + " --\n"
		for _, silenced := range []bool{true, false} { // by the change, and before it
			before := ""
			if !silenced {
				before = c.head
			}
			x := treeOf(t, txtar.Parse([]byte(tree+before+"-- after/"+c.file+" --\n"+c.head+code)), false)
			r := x.report(t, judge.Users)
			names := strings.Contains(x.describe(t, r.Findings), "newThing")
			if names == c.silent || (len(r.Silenced) > 0) != c.silent {
				t.Errorf("%q: %q, silenced %q", c.head, x.describe(t, r.Findings), r.Silenced)
			}
			if warned := x.describe(t, r.Silencing); (warned != "") != (c.silent && silenced) {
				t.Errorf("%q, by the change %t: warned %q", c.head, silenced, warned)
			}
			if v := x.judge.Change(t.Context(), x.session.Snapshot(), x.changes, judge.Users); c.silent && v.State() != "not_judged" {
				t.Errorf("%q: the verdict is %s, %s", c.head, v.State(), v.Reason())
			}
			if s := x.judge.Standing(t.Context(), x.session.Snapshot(), []edits.FileChange{{Path: c.file, After: c.head + code}}); (len(s.Silenced) > 0) != c.silent || len(s.Silencing) > 0 {
				t.Errorf("%q as it stands: %q, %v", c.head, s.Silenced, s.Silencing)
			}
		}
	}
}
