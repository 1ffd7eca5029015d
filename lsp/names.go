package lsp

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"sync"

	"tandem/edits"
	"tandem/workspace"
)

// names are the names by which a client has documents open that are known inside by another:
// a file by its real path, whatever links lead to it. Each name keeps the version and the text
// that the client has under it; the document has those of one of them, by which the client is
// answered.
type names struct {
	mu     sync.RWMutex // guards all below
	byName map[string]*name
	answer map[string]*name // by document
}

// A name is one of a document, as the client spells it.
type name struct {
	uri, document string
	language      string
	version       int32
	text          edits.Text
}

// of returns a name of a document that has another one; nil where the client's is the only one.
func (n *names) of(uri string) *name {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.byName[uri]
}

// has reports whether a document has names.
func (n *names) has(document string) bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.answer[document] != nil
}

// add adds a name. The first one of a document answers.
func (n *names) add(one *name) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byName == nil {
		n.byName, n.answer = map[string]*name{}, map[string]*name{}
	}
	was := n.byName[one.uri]
	n.byName[one.uri] = one
	if answer := n.answer[one.document]; answer == nil || answer == was {
		n.answer[one.document] = one
	}
}

// answers makes a name the one by which the client is answered, and reports whether it was not.
func (n *names) answers(one *name) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	was := n.answer[one.document]
	n.answer[one.document] = one
	return was != one
}

// remove removes a name, and returns another one of its document, or nil, and whether it was
// the one that answers.
func (n *names) remove(one *name) (other *name, answered bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.byName, one.uri)
	answered = n.answer[one.document] == one
	for _, o := range n.byName {
		if o.document == one.document {
			other = o
		}
	}
	if other == nil {
		delete(n.answer, one.document)
	} else if answered {
		n.answer[one.document] = other
	}
	return other, answered
}

// forget removes all names of a document.
func (n *names) forget(document string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.answer, document)
	maps.DeleteFunc(n.byName, func(_ string, one *name) bool { return one.document == document })
}

// edited gives a name another text.
func (n *names) edited(one *name, version int32, text edits.Text) {
	n.mu.Lock()
	defer n.mu.Unlock()
	one.version, one.text = version, text
}

// inward rewrites params of the client to the names that documents have inside, and lists the
// client's names in it.
func (n *names) inward(raw []byte) (rewritten []byte, used []*name) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if len(n.byName) == 0 {
		return raw, nil
	}
	return rewrite(raw, func(text string) string {
		one := n.byName[text]
		if one == nil {
			return text
		}
		if !slices.Contains(used, one) {
			used = append(used, one)
		}
		return one.document
	}), used
}

// outward rewrites what is sent to the client to its own names.
func (n *names) outward(raw []byte) []byte {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if len(n.answer) == 0 {
		return raw
	}
	return rewrite(raw, func(text string) string {
		if one := n.answer[text]; one != nil {
			return one.uri
		}
		return text
	})
}

// rewrite replaces whole strings of a JSON value, keys too. What is no JSON, and what has none
// of the strings, stays byte for byte.
func rewrite(raw []byte, replace func(string) string) []byte {
	value, ok := parsed(raw)
	if !ok {
		return raw
	}
	changed := false
	value = replaced(value, func(text string) string {
		next := replace(text)
		changed = changed || next != text
		return next
	})
	if !changed {
		return raw
	}
	return printed(value, raw)
}

// parsed is a JSON value with its numbers as they are written.
func parsed(raw []byte) (value any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return value, decoder.Decode(&value) == nil
}

// printed is a JSON value, or raw if it is none.
func printed(value any, raw []byte) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return raw
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

func replaced(value any, replace func(string) string) any {
	switch v := value.(type) {
	case string:
		return replace(v)
	case []any:
		for i := range v {
			v[i] = replaced(v[i], replace)
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, one := range v {
			out[replace(key)] = replaced(one, replace)
		}
		return out
	}
	return value
}

// ofClient rewrites a message of the client to the names that documents have inside. A request
// by a name whose text is not the document's cannot be answered; one whose text is makes that
// name the one that answers. outward, which may be nil, rewrites its result. Messages about what is open name what the client has open.
func (s *scope) ofClient(method string, raw []byte) (params []byte, outward func([]byte) []byte, err error) {
	if opensOrChanges[method] {
		return raw, nil, nil
	}
	raw, b, c := s.notebooks.inward(raw)
	if c != nil {
		outward = func(result []byte) []byte { return s.notebooks.outward(result, b, c) }
	}
	raw, used := s.names.inward(raw)
	for _, one := range used {
		o, ok := s.session.Snapshot().Overlay(one.document)
		if !ok || s.names.answering(one) {
			continue
		}
		if !o.Text.Equal(one.text) {
			return nil, nil, invalid("%s is open by two names whose texts differ: save one and reload the other.", path.Base(one.uri))
		}
		s.rename(one)
	}
	return raw, outward, nil
}

// opensOrChanges are the messages about which documents are open, and with which texts.
var opensOrChanges = map[string]bool{
	"textDocument/didOpen": true, "textDocument/didChange": true, "textDocument/didSave": true, "textDocument/didClose": true,
	"notebookDocument/didOpen": true, "notebookDocument/didChange": true, "notebookDocument/didSave": true, "notebookDocument/didClose": true,
	"workspace/didChangeWatchedFiles": true,
}

// answering reports whether the client is answered by a name.
func (n *names) answering(one *name) bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.answer[one.document] == one
}

// rename gives a document the text and version of another of its names, in a new life.
func (s *scope) rename(one *name) {
	s.names.answers(one)
	snap := s.session.Update(workspace.Opened{URI: one.document, Name: one.uri, Language: one.language, Version: one.version, Text: one.text})
	s.use.Engine.Opened(snap, one.document)
}
