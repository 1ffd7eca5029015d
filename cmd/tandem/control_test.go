package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// controls begin what a model may write to a terminal; no line of code needs them.
var controls = []string{"\x1b[31m", "\x00", "\x7f", "\u009b31m"}

// controlIn is a character of control in a text, beyond those of lines, or 0.
func controlIn(text string) rune {
	for _, r := range text {
		if unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) {
			return r
		}
	}
	return 0
}

// controlInJSON is one in any text of a JSON value, or 0.
func controlInJSON(v any) (found rune) {
	switch v := v.(type) {
	case string:
		found = controlIn(v)
	case []any:
		for _, one := range v {
			found = max(found, controlInJSON(one))
		}
	case map[string]any:
		for _, one := range v {
			found = max(found, controlInJSON(one))
		}
	}
	return found
}

// TestNoControlCharacterIsSuggested: what a model writes brings no character of control into a
// suggestion of any kind, onto the terminal, or to the disk.
func TestNoControlCharacterIsSuggested(t *testing.T) {
	for _, control := range controls {
		wrong := block("\treturn 1", "\treturn 1 // "+control+"x")
		answers := []answer{{"Do step", wrong}, {"deeply", "1. [FAST] " + control + "it in lib.go | write: lib.go"}, {"what is", "It is " + control + " one."}, {"add", wrong}, {"", "2 // " + control + "x"}}
		for _, args := range [][]string{
			{"complete", "lib.go:4:9"}, {"edit", "lib.go", "add it"}, {"edit", "lib.go:3-5", "add it", "--write", "--force", "--require-judged=false"},
			{"edit", "lib.go", "deeply", "--deep", "--write", "--yes", "--force"}, {"edit", "lib.go", "deeply", "--deep", "--json"}, {"apply"}, {"apply", "--write", "--force"}, {"ask", "what is One?"}, {"review", "lib.go"},
		} {
			t.Run(strings.Join(args, " "), func(t *testing.T) {
				h, _ := withModel(t, answers...)
				h.stdin = strings.NewReader(wrong)
				_, out, problems := h.run(args...)
				if r := controlIn(out + problems); r != 0 {
					t.Errorf("%q printed %U: %q %q", control, r, out, problems)
				}
				if now := readFile(t, h.workspace, "lib.go"); controlIn(now) != 0 {
					t.Errorf("%q is on disk: %q", control, now)
				}
			})
		}
		t.Run("agent", func(t *testing.T) {
			h, _ := withModel(t, answers...)
			h.write(h.config, readFile(t, filepath.Dir(h.config), "config.toml")+"[mcp]\nwrite = true\n")
			text, _ := h.agent("").use("edit", args{"instruction": "add it", "files": []string{"lib.go"}, "write": true})
			if now := readFile(t, h.workspace, "lib.go"); controlIn(text) != 0 || now != lib {
				t.Errorf("%q: %q, and the file is %q", control, text, now)
			}
		})
		t.Run("editor", func(t *testing.T) { controlInTheEditor(t, control, answers) })
	}
}

func controlInTheEditor(t *testing.T, control string, answers []answer) {
	h, asked := withModel(t, answers...)
	uri := "file://" + filepath.ToSlash(filepath.Join(h.workspace, "lib.go"))
	said := func(line []byte) {
		var v map[string]any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Error(err)
		}
		if r := controlInJSON(v); r != 0 {
			t.Errorf("%q sent %U: %.1000s", control, r, line)
		}
	}
	h.session(`"capabilities":{"experimental":{"tandem":{"proposals":true}}},"initializationOptions":{"trusted":true}`, said, nil, func(e *editor) {
		e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":%q}}}`, uri, lib)
		document := `"textDocument":{"uri":"` + uri + `","version":1}`
		for i, request := range []string{
			`"textDocument/inlineCompletion","params":{` + document + `,"position":{"line":3,"character":8},"context":{"triggerKind":1}}`,
			`"tandem/edit","params":{` + document + `,"range":{"start":{"line":2,"character":0},"end":{"line":4,"character":1}},"instruction":"add it","draft":true,"partialResultToken":"p"}`,
			`"tandem/edit","params":{` + document + `,"kind":"document","instruction":"add it"}`,
			`"textDocument/copilotInlineEdit","params":{` + document + `,"position":{"line":3,"character":8},"context":{"triggerKind":1}}`,
			`"workspace/executeCommand","params":{"command":"tandem.ask","arguments":[{"uri":"` + uri + `","question":"what is One?"}]}`,
			`"textDocument/hover","params":{` + document + `,"position":{"line":2,"character":6}}`,
		} {
			e.send(`{"jsonrpc":"2.0","id":%d,"method":%s}`, i+2, request)
			e.answer(i + 2)
		}
	})
	if asked.Load() < 4 {
		t.Fatalf("the model was asked %d times", asked.Load())
	}
}
