package assist

import (
	"maps"
	"strings"
	"testing"

	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/git/gittest"
)

// The message is about what is staged, and not about the document from which it was
// asked for: an editor asks from .git/COMMIT_EDITMSG, which no model may see.
func TestCommitMessage(t *testing.T) {
	lane := replies("```\n", "Return the last price\n", "```")
	b := newBench(t, lanes{model.Fast: lane}, "package main\n", map[string]string{"price.go": "package main\n\nfunc price() int { return 2 }\n"})
	r := gittest.New(t, b.root)
	files := map[string]string{"price.go": "package main\n\nfunc price() int { return 1 }\n", ".env": "A=1\n"}
	r.Commit("Add a price\n\nBecause it was missing.", r.Files(files))
	r.Stage(files)
	uri := workspace.URIOf(b.root + "/.git/COMMIT_EDITMSG")
	ask := func() (string, error) {
		return b.engine.Asker.CommitMessage(t.Context(), b.session.Snapshot(), uri, nil)
	}

	if _, err := ask(); err == nil || !strings.Contains(err.Error(), "Nothing is staged") {
		t.Errorf("nothing is staged: %v", err)
	}
	staged := maps.Clone(files)
	staged["price.go"] = "package main\n\nfunc price() int { return 2 }\n"
	staged[".env"] = "A=canary\n"
	r.Stage(staged)
	message, err := ask()
	if err != nil || message != "Return the last price" {
		t.Fatalf("%q, %v", message, err)
	}
	sent := ""
	for _, m := range lane.requests()[0].Input {
		sent += m.Text
	}
	for _, want := range []string{"+func price() int { return 2 }", "-func price() int { return 1 }", "changed .env (not shown)", "Earlier message: Add a price", `<file path="price.go">`} {
		if !strings.Contains(sent, want) {
			t.Errorf("the request has no %q:\n%s", want, sent)
		}
	}
	if strings.Contains(sent, "canary") {
		t.Errorf("a file with keys was sent:\n%s", sent)
	}
}
