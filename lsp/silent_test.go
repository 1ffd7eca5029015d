package lsp

import (
	"strings"
	"testing"

	"tandem/model"
	"tandem/workspace/judge"
	"tandem/workspace/syntax"
)

// TestSilentClient: a client that answers none of the server's requests has its edit asked for,
// and its text, which has the edit that it was sent, ends the command.
func TestSilentClient(t *testing.T) {
	answer := "a.go\n<<<<<<< SEARCH\nfunc old() {}\n=======\nfunc fresh() {}\n>>>>>>> REPLACE\n"
	o := observe(t, deps(t, &cassette{judge: &judge.Judge{Syntax: syntax.Parsers{}}, answers: map[model.Purpose][]reply{model.Edit: {{text: answer}}}}), nil)
	o.silent = true
	capabilities := fullClient()
	capabilities["experimental"] = object{}
	o.initialize(capabilities)
	o.open("untitled:a.go", "go", "package a\n\nfunc old() {}\n")
	if _, err := o.command("tandem.edit", nil, object{"uri": "untitled:a.go", "instruction": "rename old to fresh"}); err != nil {
		t.Fatal(err)
	}
	if got := o.text("untitled:a.go"); !strings.Contains(got, "fresh") {
		t.Errorf("the text is %q", got)
	}
}
