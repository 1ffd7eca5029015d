package lsp

import (
	"encoding/json"
	"strings"
	"testing"

	"tandem/model"
)

// TestReopenedDocumentInTheEditor types a line, saves, closes and reopens the document,
// whose versions start at 1 again, and asks for an edit: its place is that in the new text.
func TestReopenedDocumentInTheEditor(t *testing.T) {
	for name, end := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
		t.Run(name, func(t *testing.T) {
			e := start(t, deps(t, &cassette{answers: map[model.Purpose][]reply{model.Edit: {{text: "<<<<<<< SEARCH\n\treturn 2\n=======\n\treturn 22\n>>>>>>> REPLACE\n"}}}}))
			capabilities := fullClient()
			capabilities["experimental"] = object{"tandem": object{"proposals": true}}
			e.initialize(capabilities)
			text := strings.ReplaceAll("package a\n\nfunc two() int {\n\treturn 2\n}\n", "\n", end)
			e.open("untitled:a.go", "go", text)
			e.change("untitled:a.go", wireRange{}, "// typed"+end)
			e.notify("textDocument/didSave", object{"textDocument": object{"uri": "untitled:a.go"}})
			e.notify("textDocument/didClose", object{"textDocument": object{"uri": "untitled:a.go"}})
			e.open("untitled:a.go", "go", "// typed"+end+text)
			if _, err := e.call("tandem/edit", object{"textDocument": object{"uri": "untitled:a.go"}, "instruction": "return 22"}); err != nil {
				t.Fatal(err)
			}
			var line uint32
			e.until("tandem/proposal", func(raw json.RawMessage) bool {
				var note proposalNote
				if json.Unmarshal(raw, &note) != nil || note.State != "ready" {
					return false
				}
				line = note.Documents[0].Edits[0].Range.Start.Line
				return true
			})
			if line != 4 {
				t.Errorf("the edit is on line %d, want 4", line)
			}
		})
	}
}
