package edit

import (
	"slices"
	"strings"
	"testing"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/workspace"
	"tandem/workspace/judge"
)

// TestCompleted: what a proposal breaks in other files becomes hunks of it by one request, which shows
// those places; what the answer leaves is still named, and a proposal that was accepted or rejected
// meanwhile stays as it was decided.
func TestCompleted(t *testing.T) {
	const first = "<<<<<<< SEARCH\nfunc beta() int {\n=======\nfunc gamma() int {\n>>>>>>> REPLACE\n"
	block := func(path string) string {
		return path + "\n<<<<<<< SEARCH\n\treturn beta()\n=======\n\treturn gamma()\n>>>>>>> REPLACE\n"
	}
	others := map[string]string{
		"go.mod": "module m\n\ngo 1.24\n",
		"a.go":   "package main\n\nfunc a() int {\n\treturn beta()\n}\n",
		"b.go":   "package main\n\nfunc b() int {\n\treturn beta()\n}\n",
	}
	for _, c := range []struct{ answer, decide, state, verdict, files string }{
		{block("a.go") + block("b.go") + "main.go\n<<<<<<< SEARCH\n\treturn 2\n=======\n\treturn 3\n>>>>>>> REPLACE\n", "draft", "ready", "passed", "a.go b.go main.go"},
		{block("a.go") + block("b.go"), "", "ready", "passed", "a.go b.go main.go"},
		{block("a.go"), "", "ready", "failed: b.go:4: beta is declared nowhere", "a.go main.go"},
		{"", "", "ready", "failed: a.go:4: beta is declared nowhere", "main.go"},
		{block("a.go") + block("b.go"), "accept", "ready", "", "a.go b.go"},
		{block("a.go") + block("b.go"), "reject", "rejected", "failed", "main.go"},
	} {
		var b *bench
		var p *Proposal
		fast := &script{Answer: func(*model.Request) ([]string, error) {
			switch {
			case p == nil:
				return []string{first}, nil
			case c.decide == "accept":
				b.engine.Editor.Wrote(p.ID)
			case c.decide == "reject":
				_ = b.engine.Editor.Reject(p.ID)
			}
			return []string{c.answer}, nil
		}}
		b = newBench(t, lanes{model.Fast: fast}, assisttest.Source, others)
		if err := b.Session.WaitIdle(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.engine.Editor.Judge = judge.New(nil, nil)
		var err error
		p, err = b.engine.Editor.Edit(t.Context(), b.Session.Snapshot(), Request{URI: b.URI, Instruction: "rename beta to gamma", Draft: c.decide == "draft"})
		if err != nil {
			t.Fatal(err)
		}
		if c.decide == "draft" { // the host shows it in the document
			b.Edit(strings.Index(assisttest.Source, "beta"), strings.Index(assisttest.Source, "beta")+4, "gamma")
		}
		if estimate, n, err := b.engine.Editor.Completion(t.Context(), b.Session.Snapshot(), p.ID); err != nil || n != 2 || estimate.Tokens == 0 {
			t.Errorf("it breaks %d places, %+v: %v", n, estimate, err)
		}
		got, err := b.engine.Editor.Complete(t.Context(), b.Session.Snapshot(), p.ID)
		if wrong := c.answer == "" || c.decide == "reject"; wrong != (err != nil) {
			t.Fatalf("%+v: %v", c, err)
		} else if wrong {
			got, _ = b.engine.Editor.Get(p.ID)
		}
		var files []string
		for _, f := range got.Files {
			files = append(files, f.Path)
		}
		verdict := got.Judged().State() + ": " + got.Judged().Reason()
		if string(got.State) != c.state || !strings.HasPrefix(verdict, c.verdict) || strings.Join(files, " ") != c.files {
			t.Errorf("%+v: %s, %s, %v", c, got.State, verdict, files)
		}
		if i := got.file(workspace.Key(b.URI)); c.decide == "draft" && (i < 0 || got.Files[i].Version != p.Files[0].Version || !slices.Equal(got.Files[i].Edits, p.Files[0].Edits)) {
			t.Errorf("the draft is %+v", got.Files)
		}
		text := ""
		for _, m := range fast.Requests()[1].Input {
			text += m.Text.String()
		}
		for _, want := range []string{"a.go:4: beta is declared nowhere", "func b() int", "+func gamma() int {"} {
			if !strings.Contains(text, want) {
				t.Errorf("the request lacks %q:\n%s", want, text)
			}
		}
	}
}
