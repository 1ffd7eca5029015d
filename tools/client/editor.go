package client

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/workspace/language"
)

// An Editor is a client with a folder and documents: it sends what changes in them, and applies
// the edits that the server sends. Files are known by their path below the folder, places by
// the bytes of the texts.
type Editor struct {
	*Server
	Root string
	Skip func(path string) bool // edits of such a file are reported as applied, and are not; nil is none

	mu       sync.Mutex // guards all below
	texts    map[string]string
	versions map[string]int
}

// StartEditor starts a server for a folder, which the user may have said to trust, as a client
// that knows some of what tandem adds to the protocol. handle gets what the server sends
// besides edits, and may be nil.
func StartEditor(command *exec.Cmd, root string, trusted bool, handle Handler, knows ...string) (*Editor, error) {
	e := &Editor{Root: root, texts: map[string]string{}, versions: map[string]int{}}
	var err error
	if e.Server, err = Start(command, func(method string, params json.RawMessage) any {
		if method == "workspace/applyEdit" {
			return Object{"applied": e.apply(params) == nil}
		}
		if handle == nil {
			return nil
		}
		return handle(method, params)
	}); err != nil {
		return nil, err
	}
	known := Object{}
	for _, name := range knows {
		known[name] = true
	}
	params := Object{"processId": os.Getpid(), "rootUri": URI(root), "workspaceFolders": []Object{{"uri": URI(root), "name": "w"}}, "initializationOptions": Object{"trusted": trusted},
		"capabilities": Object{"experimental": Object{"tandem": known},
			"workspace": Object{"applyEdit": true, "workspaceEdit": Object{"documentChanges": true, "resourceOperations": []string{"create", "delete"}}}}}
	if _, err := e.Call("initialize", params); err != nil {
		return nil, err
	}
	return e, e.Notify("initialized", Object{})
}

// AwaitIndex waits until the folder is indexed.
func (e *Editor) AwaitIndex() error {
	const long = 5 * patience                                                             // trees of 30 million lines too
	for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(patience / 600) { // a status is sent at its change alone, which may be past
		reply, err := e.Command("tandem.status", nil)
		var found struct {
			Status struct{ Index struct{ Ready bool } }
		}
		if err == nil {
			err = json.Unmarshal(reply, &found)
		}
		if err != nil || found.Status.Index.Ready {
			return err
		}
	}
	return fmt.Errorf("%s was not indexed in %v", e.Root, long)
}

// Command has the server execute a command.
func (e *Editor) Command(name string, argument any) (json.RawMessage, error) {
	params := Object{"command": name}
	if argument != nil {
		params["arguments"] = []any{argument}
	}
	return e.Call("workspace/executeCommand", params)
}

// URI is a file's name in the protocol.
func (e *Editor) URI(path string) string { return URI(filepath.Join(e.Root, filepath.FromSlash(path))) }

// Path is the path of a URI below the folder, the URI itself where it is not there.
func (e *Editor) Path(uri string) string {
	if u, err := url.Parse(uri); err == nil {
		if rest, ok := strings.CutPrefix(u.Path, e.Root+"/"); ok {
			return rest
		}
	}
	return uri
}

// Document names a document in a request.
func (e *Editor) Document(path string) Object {
	e.mu.Lock()
	defer e.mu.Unlock()
	return Object{"uri": e.URI(path), "version": e.versions[path]}
}

// Open opens a file with a text, unless it is open.
func (e *Editor) Open(path, text string) error {
	e.mu.Lock()
	if _, open := e.texts[path]; open {
		e.mu.Unlock()
		return nil
	}
	e.texts[path] = text
	e.versions[path]++
	version := e.versions[path]
	e.mu.Unlock()
	return e.Notify("textDocument/didOpen", Object{"textDocument": Object{"uri": e.URI(path), "languageId": language.OfFile(path), "version": version, "text": text}})
}

// Close closes a document.
func (e *Editor) Close(path string) error {
	e.mu.Lock()
	delete(e.texts, path)
	e.mu.Unlock()
	return e.Notify("textDocument/didClose", Object{"textDocument": Object{"uri": e.URI(path)}})
}

// Text is the text of a document, or of a file that is not open, "" where there is none.
func (e *Editor) Text(path string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if text, open := e.texts[path]; open {
		return text
	}
	data, _ := os.ReadFile(filepath.Join(e.Root, filepath.FromSlash(path)))
	return string(data)
}

// Replace puts a text in the place of others of a document.
func (e *Editor) Replace(path string, start, end int, text string) error {
	e.mu.Lock()
	old := e.texts[path]
	e.texts[path] = old[:start] + text + old[end:]
	e.versions[path]++
	params := Object{"textDocument": Object{"uri": e.URI(path), "version": e.versions[path]},
		"contentChanges": []Object{{"range": Range{PositionAt(old, start), PositionAt(old, end)}, "text": text}}}
	e.mu.Unlock()
	return e.Notify("textDocument/didChange", params)
}

// Change replaces what differs between a document's text and another.
func (e *Editor) Change(path, text string) error {
	old := e.Text(path)
	lead, trail := Common(old, text)
	return e.Replace(path, lead, len(old)-trail, text[lead:len(text)-trail])
}

// Common is how much two texts have in common at their beginning and, besides, at their end.
func Common(old, now string) (lead, trail int) {
	for lead < min(len(old), len(now)) && old[lead] == now[lead] {
		lead++
	}
	for trail < min(len(old), len(now))-lead && old[len(old)-1-trail] == now[len(now)-1-trail] {
		trail++
	}
	return lead, trail
}

// AskInline asks for what may follow at a place.
func (e *Editor) AskInline(path string, at, trigger int) (id int64, reply <-chan Reply, err error) {
	return e.Request("textDocument/inlineCompletion", Object{"textDocument": Object{"uri": e.URI(path)}, "position": PositionAt(e.Text(path), at), "context": Object{"triggerKind": trigger}})
}

// Cancel cancels a request that has not been answered; 0 is none.
func (e *Editor) Cancel(id int64) error {
	if id == 0 {
		return nil
	}
	return e.Notify("$/cancelRequest", Object{"id": id})
}

// A Suggestion would put a text in the place of another.
type Suggestion struct {
	Start, End int
	Text       string
	Arguments  []any // of the command that accepts it
}

// Suggested is the first suggestion of a reply to AskInline, which is a list or an object with
// one; nil for none.
func (e *Editor) Suggested(path string, reply json.RawMessage) (*Suggestion, error) {
	type item struct {
		InsertText string
		Range      Range
		Command    struct{ Arguments []any }
	}
	var list struct{ Items []item }
	var err error
	if strings.HasPrefix(string(reply), "[") {
		err = json.Unmarshal(reply, &list.Items)
	} else if len(reply) > 0 {
		err = json.Unmarshal(reply, &list)
	}
	if err != nil || len(list.Items) == 0 {
		return nil, err
	}
	first, text := list.Items[0], e.Text(path)
	return &Suggestion{Offset(text, first.Range.Start), Offset(text, first.Range.End), first.InsertText, first.Command.Arguments}, nil
}

type textEdit struct {
	Range   Range
	NewText string
}

// edited is a text with edits, all of which are about the text as it was.
func edited(text string, list []textEdit) string {
	slices.SortStableFunc(list, func(a, b textEdit) int { return Offset(text, b.Range.Start) - Offset(text, a.Range.Start) })
	for _, e := range list {
		text = text[:Offset(text, e.Range.Start)] + e.NewText + text[Offset(text, e.Range.End):]
	}
	return text
}

// apply applies a workspace edit: to open documents, or to files.
func (e *Editor) apply(params json.RawMessage) error {
	var p struct {
		Edit struct {
			DocumentChanges []struct {
				Kind, URI    string // of a file that is created or deleted
				TextDocument struct{ URI string }
				Edits        []textEdit
			}
		}
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	for _, c := range p.Edit.DocumentChanges {
		path := e.Path(c.TextDocument.URI + c.URI)
		if c.Kind == "delete" || e.Skip != nil && e.Skip(path) {
			continue // no tool has anything deleted
		}
		text := edited(e.Text(path), c.Edits)
		e.mu.Lock()
		_, open := e.texts[path]
		e.mu.Unlock()
		if open {
			if err := e.Change(path, text); err != nil {
				return err
			}
			continue
		}
		if err := Write(filepath.Join(e.Root, filepath.FromSlash(path)), text); err != nil {
			return err
		}
		if err := e.Notify("workspace/didChangeWatchedFiles", Object{"changes": []Object{{"uri": c.TextDocument.URI + c.URI, "type": 2}}}); err != nil {
			return err
		}
	}
	return nil
}
