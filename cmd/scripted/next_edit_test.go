package main

import (
	"testing"

	"tandem/model/format"
	"tandem/workspace/redact"
)

// TestRewrites holds that the server reads the prompt of each format and answers in its
// form, with the edits of a rule that lie in the region.
func TestRewrites(t *testing.T) {
	in := format.Input{Path: redact.Said("a.go"), Before: redact.Said("package a\n"), Region: redact.Said("var x = 1\nvar y = 2\n"), After: redact.Said("var z = 3\n"), Line: 1, Cursor: 5,
		History: []format.Change{{Path: redact.Said("a.go"), Old: redact.Said("var x = 0\n"), New: redact.Said("var x = 1\n"), Hunk: redact.Said("@@ -2,1 +2,1 @@\n-var x = 0\n+var x = 1\n")}}}
	for name, want := range map[string][2]string{
		format.Sweep:   {"var x = 1\nvar y = 20\n", "var x = 1\nvar y = 2\n"},
		format.SweepV2: {"var x = 1\nvar y = 20\n", "var x = 1\nvar y = 2\n"},
		format.Zeta2:   {"var x = 1\nvar y = 20\n>>>>>>> UPDATED\n", "NO_EDITS\n"},
		format.Mercury: {"```\nvar x = 1\nvar y = 20\n```", "None"},
	} {
		prompt, err := format.For(name).Prompt(in)
		if err != nil {
			t.Fatal(err)
		}
		req := &request{Prefix: prompt.String()}
		if name == format.Mercury {
			req = &request{Messages: []message{{Role: "user", Text: prompt.String()}}}
		}
		inside := &rule{Edits: []edit{{Path: "a.go", Old: "var y = 2\n", New: "var y = 20\n"}}}
		outside := &rule{Edits: []edit{{Path: "a.go", Old: "var z = 3\n", New: "var z = 30\n"}}}
		if got := showOnly(req, inside); got != want[0] {
			t.Errorf("%s: %q, want %q", name, got, want[0])
		}
		if got := showOnly(req, outside); got != want[1] {
			t.Errorf("%s: outside the region %q, want %q", name, got, want[1])
		}
	}
}

// TestInsertsOnce: lines that are inserted between blank ones are not inserted again once
// they are there; as many of them as a rule has are.
func TestInsertsOnce(t *testing.T) {
	insert := edit{Path: "a.py", Old: "\n\n", New: "\n@new\n\n"}
	for _, c := range []struct {
		region string
		list   []edit
		want   string
	}{
		{"a\n\n\nb\n", []edit{insert}, "a\n@new\n\n\nb\n"},
		{"a\n@new\n\n\nb\n", []edit{insert}, "a\n@new\n\n\nb\n"},
		{"a\n@new\n\n\nb\n", []edit{insert, insert}, "a\n@new\n@new\n\n\nb\n"},
	} {
		r := rewriteRequest{format: "sweep", path: "a.py", region: c.region}
		if got := r.rewrite(c.list); got != c.want {
			t.Errorf("%q became %q, want %q", c.region, got, c.want)
		}
	}
}
