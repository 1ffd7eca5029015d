package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tandem/edits"
	"tandem/tools/client"
	"tandem/workspace/language"
)

// An editor is a running tandem with its open documents.
type editor struct {
	*client.Server
	root     string
	texts    map[string]string
	versions map[string]int
}

// indexPoll and indexPolls are how long a folder may take to be indexed.
const (
	indexPoll  = 200 * time.Millisecond
	indexPolls = 300
)

// noModel is a configuration with the built-in engine alone.
const noModel = "fast = \"local\"\n"

// startEditor starts tandem on the folder work of a user's home and waits until it is indexed.
func startEditor(bin, dir string) (*editor, error) {
	root := filepath.Join(dir, "work")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	if err := client.Configure(dir, noModel); err != nil {
		return nil, err
	}
	command := exec.Command(filepath.Join(bin, "tandem"), "serve", "--stdio", "--log", os.Getenv("TANDEM_LOG"))
	command.Dir = dir
	command.Env = client.Home(dir)
	running, err := client.Start(command, nil)
	if err != nil {
		return nil, err
	}
	e := &editor{Server: running, root: root, texts: map[string]string{}, versions: map[string]int{}}
	if err := e.Initialize(root, true, client.Object{"experimental": client.Knows("jumps")}); err != nil {
		return nil, err
	}
	for range indexPolls { // a status is sent at its change alone, which may be past
		ready, err := e.indexed()
		if ready || err != nil {
			return e, err
		}
		time.Sleep(indexPoll)
	}
	e.Kill()
	return nil, fmt.Errorf("%s was not indexed in %v", root, indexPolls*indexPoll)
}

// indexed reports whether the folder is indexed.
func (e *editor) indexed() (bool, error) {
	reply, err := e.Call("workspace/executeCommand", map[string]any{"command": "tandem.status"})
	if err != nil {
		return false, err
	}
	var found struct {
		Status struct {
			Index struct{ Ready bool }
		}
	}
	err = json.Unmarshal(reply, &found)
	return found.Status.Index.Ready, err
}

func (e *editor) uri(path string) string { return client.URI(filepath.Join(e.root, path)) }

// open opens a document.
func (e *editor) open(path, language, text string) error {
	e.texts[path] = text
	e.versions[path]++
	return e.Open(e.uri(path), language, e.versions[path], text)
}

// openOnce opens a file with its text, unless it is open.
func (e *editor) openOnce(path, text string) error {
	if _, open := e.texts[path]; open {
		return nil
	}
	return e.open(path, language.OfFile(path), text)
}

// change replaces what differs between a document's text and another.
func (e *editor) change(path, text string) error {
	old := e.texts[path]
	lead, trail := common(old, text)
	e.versions[path]++
	e.texts[path] = text
	changed := client.Range{Start: client.PositionAt(old, lead), End: client.PositionAt(old, len(old)-trail)}
	return e.Replace(e.uri(path), e.versions[path], changed, text[lead:len(text)-trail])
}

// A shownEdit is a next edit of one document.
type shownEdit struct {
	path       string
	start, end int // bytes of the document's text
	text       string
	id         any
	jump       bool // only a place to go to
	title      string
}

// edit is the offer as an edit of its text.
func (o *shownEdit) edit() edits.Edit {
	return edits.Edit{Span: edits.Span{Start: o.start, End: o.end}, New: o.text}
}

// nextEdit asks for the next edit; nil if there is none.
func (e *editor) nextEdit(path string, at int) (*shownEdit, error) {
	result, err := e.Call("textDocument/copilotInlineEdit", map[string]any{"textDocument": map[string]any{"uri": e.uri(path), "version": e.versions[path]}, "position": client.PositionAt(e.texts[path], at)})
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
	if err := json.Unmarshal(result, &list); err != nil {
		return nil, err
	}
	if len(list.Edits) == 0 {
		return nil, nil
	}
	item := list.Edits[0]
	o := &shownEdit{path: relative(e.root, item.TextDocument.URI), text: item.Text, jump: item.Jump != "", title: item.Title}
	text, err := e.text(o.path)
	if err != nil {
		return nil, err
	}
	o.start, o.end = client.Offset(text, item.Range.Start), client.Offset(text, item.Range.End)
	if len(item.Command.Arguments) > 0 {
		o.id = item.Command.Arguments[0]
	}
	return o, nil
}

// text is the text of a document, or of a file that is not open.
func (e *editor) text(path string) (string, error) {
	if text, open := e.texts[path]; open {
		return text, nil
	}
	data, err := os.ReadFile(filepath.Join(e.root, path))
	if err != nil {
		return "", fmt.Errorf("read the file of an offer: %w", err)
	}
	return string(data), nil
}

// relative is the path of a document below a folder, its URI if it is not there.
func relative(root, uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return uri
	}
	if rest, ok := strings.CutPrefix(u.Path, root+"/"); ok {
		return rest
	}
	return uri
}
