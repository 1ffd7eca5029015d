package client

import (
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode/utf16"
)

// An Object is a JSON object of the protocol.
type Object = map[string]any

// Capabilities of clients that several tools are.
var (
	// UTF8 counts characters in bytes.
	UTF8 = Object{"positionEncodings": []string{"utf-8"}}
	// AppliesEdits applies the server's edits, by document.
	AppliesEdits = Object{"applyEdit": true, "workspaceEdit": Object{"documentChanges": true}}
)

// Knows are the capabilities of a client that knows some of what tandem adds to the protocol.
func Knows(names ...string) Object {
	known := Object{}
	for _, name := range names {
		known[name] = true
	}
	return Object{"tandem": known}
}

// URI is a file's name in the protocol.
func URI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// Initialize opens a folder, which the user may have said to trust.
func (s *Server) Initialize(root string, trusted bool, capabilities Object) error {
	params := Object{"processId": os.Getpid(), "rootUri": URI(root), "workspaceFolders": []Object{{"uri": URI(root), "name": "w"}}, "capabilities": capabilities}
	if trusted {
		params["initializationOptions"] = Object{"trusted": true}
	}
	if _, err := s.Call("initialize", params); err != nil {
		return err
	}
	return s.Notify("initialized", Object{})
}

// Open opens a document.
func (s *Server) Open(uri, language string, version int, text string) error {
	return s.Notify("textDocument/didOpen", Object{"textDocument": Object{"uri": uri, "languageId": language, "version": version, "text": text}})
}

// Replace puts a text in the place of a range of a document.
func (s *Server) Replace(uri string, version int, old Range, text string) error {
	return s.Notify("textDocument/didChange", Object{"textDocument": Object{"uri": uri, "version": version}, "contentChanges": []Object{{"range": old, "text": text}}})
}

// ReplaceAll puts a text in the place of all of a document's.
func (s *Server) ReplaceAll(uri string, version int, text string) error {
	return s.Notify("textDocument/didChange", Object{"textDocument": Object{"uri": uri, "version": version}, "contentChanges": []Object{{"text": text}}})
}

// Closed closes a document.
func (s *Server) Closed(uri string) error {
	return s.Notify("textDocument/didClose", Object{"textDocument": Object{"uri": uri}})
}

// Why a suggestion is asked for.
const (
	Invoked   = 1 // the user asked for it
	Automatic = 2 // a key was typed
)

// AskInline asks for what may follow at a place of a document.
func AskInline(uri string, at Position, trigger int) (method string, params Object) {
	return "textDocument/inlineCompletion", Object{"textDocument": Object{"uri": uri}, "position": at, "context": Object{"triggerKind": trigger}}
}

// A Suggestion is an item of the reply to that.
type Suggestion struct {
	InsertText string
	Range      Range
	Command    struct{ Arguments []any }
}

// Suggestions are the items of a reply, which is a list or an object with one.
func Suggestions(result json.RawMessage) ([]Suggestion, error) {
	var list struct{ Items []Suggestion }
	if strings.HasPrefix(string(result), "[") {
		err := json.Unmarshal(result, &list.Items)
		return list.Items, err
	}
	if len(result) == 0 {
		return nil, nil
	}
	err := json.Unmarshal(result, &list)
	return list.Items, err
}

// A Position is a place of a document as the protocol counts.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A Range is what stands between two places.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// PositionAt is the place of a byte of a text, in UTF-16 units.
func PositionAt(text string, at int) Position {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	return Position{strings.Count(text[:from], "\n"), len(utf16.Encode([]rune(text[from:at])))}
}

// End is the end of a text, in bytes of its last line, for clients that count so.
func End(text string) Position {
	return Position{strings.Count(text, "\n"), len(text) - strings.LastIndexByte(text, '\n') - 1}
}

// Offset is the byte at a place of a text, which counts UTF-16 units. A place behind the end
// of a line or of the text is its end.
func Offset(text string, p Position) int {
	at := 0
	for range p.Line {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	for i, r := range text[at:] {
		if p.Character <= 0 || r == '\n' {
			return at + i
		}
		p.Character -= utf16.RuneLen(r)
	}
	return len(text)
}

// A TextEdit replaces a range of a document.
type TextEdit struct {
	Range   Range
	NewText string
}

// Edited is a text with edits, all of which are about the text as it was.
func Edited(text string, list []TextEdit) string {
	slices.SortStableFunc(list, func(a, b TextEdit) int { return Offset(text, b.Range.Start) - Offset(text, a.Range.Start) })
	for _, e := range list {
		text = text[:Offset(text, e.Range.Start)] + e.NewText + text[Offset(text, e.Range.End):]
	}
	return text
}

// A DocumentChange is what the server asks a client to do to one document.
type DocumentChange struct {
	Kind, URI    string // of a file that is created or deleted
	TextDocument struct {
		URI     string
		Version int
	}
	Edits []TextEdit
}

// DocumentChanges are those of a workspace/applyEdit.
func DocumentChanges(params json.RawMessage) ([]DocumentChange, error) {
	var p struct {
		Edit struct{ DocumentChanges []DocumentChange }
	}
	err := json.Unmarshal(params, &p)
	return p.Edit.DocumentChanges, err
}
