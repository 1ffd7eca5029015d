package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"tandem/workspace"
)

// A driver is a user at an editor, who knows what became of each suggestion.
type driver struct {
	*editor
	applies chan json.RawMessage // ids of workspace/applyEdit
	serial  int
	uri     string
	lines   []string
	version int
	want    map[string]int // by language, lane, feature and what became of it
}

func (d *driver) call(method, params string, args ...any) reply {
	d.serial++
	id := d.serial
	d.send(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, fmt.Sprintf(params, args...))
	return d.answer(id)
}

func (d *driver) open(name, language string, lines []string) {
	d.uri, d.lines, d.version = workspace.URIOf(name), lines, 1
	d.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":%q,"version":1,"text":%q}}}`, d.uri, language, strings.Join(lines, "\n"))
}

func (d *driver) close() {
	d.send(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":%q}}}`, d.uri)
}

// replace writes a text over a part of a line.
func (d *driver) replace(line, start, end int, text string) {
	d.version++
	d.lines[line] = d.lines[line][:start] + text + d.lines[line][end:]
	d.send(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}},"text":%q}]}}`,
		d.uri, d.version, line, start, line, end, text)
}

// complete asks for a completion at the end of a line, and does with it what fate says.
func (d *driver) complete(kind string, line, fate int) {
	end := len(d.lines[line])
	r := d.call("textDocument/inlineCompletion", `{"textDocument":{"uri":%q},"position":{"line":%d,"character":%d},"context":{"triggerKind":1}}`, d.uri, line, end)
	var list struct {
		Items []struct {
			InsertText string
			Command    struct{ Arguments []string }
		}
	}
	if json.Unmarshal(r.Result, &list) != nil || len(list.Items) == 0 {
		d.t.Fatalf("line %d: %s%s", line, r.Result, r.Error)
	}
	id, text := list.Items[0].Command.Arguments[0], list.Items[0].InsertText
	item := fmt.Sprintf(`{"item":{"command":{"arguments":[%q]}}}`, id)
	for range 2 { // editors draw a suggestion more than once
		d.send(`{"jsonrpc":"2.0","method":"textDocument/didShowCompletion","params":%s}`, item)
	}
	d.want[kind+" shown"]++
	if fate == 0 {
		return
	}
	d.replace(line, end, end, text)
	d.call("workspace/executeCommand", `{"command":"github.copilot.didAcceptCompletionItem","arguments":[%q]}`, id)
	d.want[kind+" accepted"]++
	switch fate {
	case 1:
		d.want[kind+" kept"]++
	case 2: // an edit behind it, and one before it
		d.replace(line, len(d.lines[line]), len(d.lines[line]), " // and")
		d.replace(0, 0, 0, d.lines[0][:1])
		d.replace(0, 0, 1, "")
		d.want[kind+" kept"]++
	case 3:
		d.replace(line, end, end+len(text), "")
	case 4:
		d.replace(line, end, end+1, "9")
	}
}

// edit asks for an edit of the document's function, and accepts or rejects it.
func (d *driver) edit(kind string, accept bool) {
	r := d.call("tandem/edit", `{"textDocument":{"uri":%q,"version":1},"range":{"start":{"line":2,"character":0},"end":{"line":4,"character":1}},"instruction":"Count"}`, d.uri)
	var asked struct{ ProposalID string }
	if json.Unmarshal(r.Result, &asked) != nil || asked.ProposalID == "" {
		d.t.Fatalf("edit: %s%s", r.Result, r.Error)
	}
	d.want[kind+" shown"]++
	if !accept {
		d.call("tandem/resolve", `{"id":%q,"action":"reject"}`, asked.ProposalID)
		return
	}
	d.serial++
	d.send(`{"jsonrpc":"2.0","id":%d,"method":"tandem/resolve","params":{"id":%q,"action":"accept"}}`, d.serial, asked.ProposalID)
	d.send(`{"jsonrpc":"2.0","id":%s,"result":{"applied":true}}`, <-d.applies)
	d.replace(3, len("\treturn "), len("\treturn 1"), "2")
	d.answer(d.serial)
	d.want[kind+" accepted"]++
	d.want[kind+" kept"]++
}

// next renames a function, asks for the edit that probably comes next, and accepts it or not.
func (d *driver) next(kind string, accept bool) {
	d.replace(2, len("func One"), len("func One"), "More")
	r := d.call("textDocument/copilotInlineEdit", `{"textDocument":{"uri":%q,"version":%d},"position":{"line":2,"character":12}}`, d.uri, d.version)
	var list struct {
		Edits []struct {
			Text    string
			Range   struct{ Start, End struct{ Line, Character int } }
			Command struct{ Arguments []string }
		}
	}
	if json.Unmarshal(r.Result, &list) != nil || len(list.Edits) == 0 {
		d.t.Fatalf("next edit: %s%s", r.Result, r.Error)
	}
	next := list.Edits[0]
	d.send(`{"jsonrpc":"2.0","method":"textDocument/didShowInlineEdit","params":{"item":{"command":{"arguments":[%q]}}}}`, next.Command.Arguments[0])
	d.want[kind+" shown"]++
	if !accept {
		return
	}
	d.call("workspace/executeCommand", `{"command":"github.copilot.didAcceptCompletionItem","arguments":[%q]}`, next.Command.Arguments[0])
	d.replace(next.Range.Start.Line, next.Range.Start.Character, next.Range.End.Character, next.Text)
	d.want[kind+" accepted"]++
	d.want[kind+" kept"]++
}

// TestUseIsCounted: what became of 200 suggestions is in the administrator's file, by day,
// language, lane and feature, and nothing else is; without the word in managed.toml nothing is.
func TestUseIsCounted(t *testing.T) {
	for name, table := range map[string]string{"on": "count_use = true\n", "off": ""} {
		t.Run(name, func(t *testing.T) {
			h, _ := withModel(t, answer{"Count", block("\treturn 1", "\treturn 2")}, answer{"", "7 + 8"})
			file := filepath.Join(t.TempDir(), "use.jsonl")
			h.managed = filepath.Join(t.TempDir(), "managed.toml")
			h.write(h.managed, fmt.Sprintf("[policy]\nledger_file = %q\n%s", file, table))
			want := map[string]int{}
			h.write(h.config, "next_edit = \"local\"\n"+readFile(t, filepath.Dir(h.config), filepath.Base(h.config)))
			completions, edits := 180, 10
			if table == "" {
				completions, edits = 2, 1
			}
			applies := make(chan json.RawMessage, 100)
			said := func(body []byte) {
				var m struct {
					ID     json.RawMessage
					Method string
				}
				if json.Unmarshal(body, &m) == nil && m.Method == "workspace/applyEdit" {
					applies <- m.ID
				}
			}
			h.session(`"capabilities":{"workspace":{"applyEdit":true,"workspaceEdit":{"documentChanges":true}},"experimental":{"tandem":{"proposals":true}}},"initializationOptions":{"trusted":true}`, said, nil, func(e *editor) {
				d := &driver{editor: e, applies: applies, serial: 1000, want: want}
				for i, language := range []string{"go", "python"} {
					var lines []string
					for n := range completions / 2 {
						lines = append(lines, map[string]string{"go": fmt.Sprintf("var private%d = ", n), "python": fmt.Sprintf("private%d = ", n)}[language])
					}
					d.open(filepath.Join(h.workspace, "private"+[]string{".go", ".py"}[i]), language, append([]string{map[string]string{"go": "package private", "python": "import os"}[language]}, lines...))
					for n := range completions / 2 {
						d.complete(language+" fast completion", n+1, n%5)
					}
				}
				for n := range edits {
					d.open(filepath.Join(h.workspace, "lib.go"), "go", strings.Split(lib, "\n"))
					d.edit("go fast edit", n%2 == 0)
					d.close()
					d.open(filepath.Join(h.workspace, "lib.go"), "go", strings.Split(lib+"\nvar private = One()\n", "\n"))
					d.next("go local next_edit", n%2 == 0)
					d.close()
				}
			})
			if table == "" {
				want = map[string]int{}
			}
			got := map[string]int{}
			for line := range strings.Lines(readFile(t, filepath.Dir(file), filepath.Base(file))) {
				var r useRecord
				if err := json.Unmarshal([]byte(line), &r); err != nil || strings.Contains(line, "private") {
					t.Errorf("%v in %s", err, line)
				}
				if r.Event != "tandem.use" {
					continue
				}
				kind := r.Language + " " + r.Lane + " " + r.Feature
				for what, n := range map[string]int{" shown": r.Shown, " accepted": r.Accepted, " kept": r.Kept} {
					if n > 0 {
						got[kind+what] += n
					}
				}
			}
			shown := 0
			for kind, n := range got {
				if strings.HasSuffix(kind, " shown") {
					shown += n
				}
			}
			t.Logf("count_use %s: %d suggestions shown are counted, with what became of them: %v", name, shown, got)
			if !maps.Equal(got, want) {
				t.Errorf("the file has %v, the user did %v", got, want)
			}
			if _, said := h.runManaged(h.managed, "doctor", "--offline"); strings.Contains(said, "count_use = true") != (table != "") {
				t.Errorf("the doctor says %s", said)
			}
		})
	}
}
