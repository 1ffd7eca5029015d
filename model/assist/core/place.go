package core

import (
	"fmt"
	"path"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
)

// A Place is a byte offset in a document, which may be unsaved, untitled or
// outside every folder.
type Place struct {
	URI    string
	Offset int
}

// OpenAt returns the open document of a place that lies inside it.
func OpenAt(snap *workspace.Snapshot, p Place) (*workspace.Overlay, error) {
	o, ok := snap.Overlay(p.URI)
	if !ok {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The document %s is not open; open it and ask again.", path.Base(p.URI))}
	}
	if p.Offset < 0 || p.Offset > o.Text.Len() {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The place asked about is outside %s; its text may have changed.", path.Base(p.URI))}
	}
	return o, nil
}

// TextLen is the length of a document, 0 of one that cannot be read.
func TextLen(snap *workspace.Snapshot, uri string) int {
	if o, ok := snap.Overlay(uri); ok {
		return o.Text.Len()
	}
	if f, err := snap.File(uri); err == nil {
		return f.Raw().Len()
	}
	return 0
}

// A DocumentEdit is the change of one document by an accepted proposal. It applies to
// the text at Version (0: the text on disk).
type DocumentEdit struct {
	URI            string
	Version        int32
	Base           edits.Text
	Edits          []edits.Edit
	Create, Delete bool
	Form           edits.Form
}

// Held reports whether the document's text in a snapshot has the edits, whatever else the
// user has changed there.
func (d DocumentEdit) Held(snap *workspace.Snapshot) bool {
	f := edits.ProposedFile{Path: d.URI, Base: d.Base, Edits: d.Edits, Create: d.Create, Delete: d.Delete}
	change, err := f.Change()
	if err != nil {
		return false
	}
	text, err := TextNow(snap, workspace.Key(d.URI))
	if d.Create && err == nil { // an editor that opens the new file may begin it with a line of its own
		return strings.TrimRight(text.String(), "\r\n") == strings.TrimRight(change.After, "\r\n")
	}
	left, conflicts := edits.Settle(change, text, err == nil)
	return left.Done() && len(conflicts) == 0
}

// TextNow is a file as it is, whether or not models may be shown it.
func TextNow(snap *workspace.Snapshot, key string) (edits.Text, error) {
	f, err := snap.Unfiltered(key)
	if err != nil {
		return edits.Text{}, err
	}
	return f.Raw(), nil
}
