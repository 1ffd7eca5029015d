package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"tandem/edits"
	"tandem/tools/client"
)

// An editor is a running tandem with its open documents.
type editor struct{ *client.Editor }

// noModel is a configuration with the built-in engine alone.
const noModel = "fast = \"local\"\n"

// startEditor starts tandem on the folder work of a user's home and waits until it is indexed.
func startEditor(bin, dir string) (*editor, error) {
	if err := client.Configure(dir, noModel); err != nil {
		return nil, err
	}
	e, err := client.StartUser(filepath.Join(bin, "tandem"), dir, filepath.Join(dir, "work"), "--log", os.Getenv("TANDEM_LOG"))
	return &editor{e}, err
}

// A shownEdit is a next edit of one document.
type shownEdit struct {
	edits.Edit
	path  string
	id    any
	jump  string // why one should go there; "" is an edit
	title string
}

// nextEdit asks for the next edit; nil if there is none.
func (e *editor) nextEdit(path string, at int) (*shownEdit, error) {
	result, err := e.Call("textDocument/copilotInlineEdit", client.Object{"textDocument": e.Document(path), "position": client.PositionAt(e.Text(path), at)})
	if err != nil {
		return nil, err
	}
	var list struct {
		Edits []struct {
			Text         string
			TextDocument struct{ URI string }
			Range        client.Range
			Command      struct{ Arguments []any }
			Jump, Title  string
		}
	}
	if err := json.Unmarshal(result, &list); err != nil || len(list.Edits) == 0 {
		return nil, err
	}
	item := list.Edits[0]
	o := &shownEdit{path: e.Path(item.TextDocument.URI), jump: item.Jump, title: item.Title}
	text := e.Text(o.path)
	o.Edit = edits.Edit{Span: edits.Span{Start: client.Offset(text, item.Range.Start), End: client.Offset(text, item.Range.End)}, New: item.Text}
	if len(item.Command.Arguments) > 0 {
		o.id = item.Command.Arguments[0]
	}
	return o, nil
}
