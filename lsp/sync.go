package lsp

import (
	"context"
	"fmt"
	"path"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/workspace"
)

// maxDocument is the largest document that is kept, in bytes. A larger one is
// not served, and a message informs the user.
const maxDocument = 5 << 20

func (d *documents) didOpen(p *didOpenParams) error {
	if p.TextDocument.URI == "" {
		return errNoURI
	}
	d.open(p.TextDocument)
	return nil
}

// errNoURI refuses a document that nothing names: what names none would be about it.
var errNoURI = invalid("The document has no URI.")

// documents follow the documents that the client has open.
type documents struct {
	*scope
	reviews   *reviews
	questions *questions
}

func (d *documents) open(o openedDocument) {
	if len(o.Text) > maxDocument {
		d.tooLarge(o.URI, len(o.Text))
		return
	}
	opened := workspace.Opened{URI: o.URI, Language: o.LanguageID, Version: o.Version, Text: edits.NewText(o.Text)}
	if document := d.session.Document(o.URI, o.LanguageID); document != o.URI || d.names.has(document) {
		opened.URI, opened.Name = document, o.URI
		if !d.named(opened) {
			return
		}
	}
	snap := d.session.Update(opened)
	d.use.Engine.Opened(snap, opened.URI)
	d.use.Completer.Warm(snap, opened.URI)
}

// named records that a document is open by a name, and reports whether its text is now that of
// the name. Where it is open by another one, that one's text is newer.
func (d *documents) named(o workspace.Opened) bool {
	had, open := d.session.Snapshot().Overlay(o.URI)
	if open && !d.names.has(o.URI) {
		d.names.add(&name{uri: had.URI, document: o.URI, language: had.Language, version: had.Version, text: had.Text})
	}
	again := d.names.of(o.Name)
	one := &name{uri: o.Name, document: o.URI, language: o.Language, version: o.Version, text: o.Text}
	d.names.add(one)
	return !open || again != nil && d.names.answering(one)
}

func (d *documents) tooLarge(uri string, size int) {
	d.report(protocol.MessageTypeInfo, fmt.Sprintf("%s has %d MB: tandem serves documents up to %d MB and leaves this one alone.",
		path.Base(uri), size>>20, maxDocument>>20))
}

func (d *documents) didChange(p *didChangeParams) error {
	uri := p.TextDocument.URI
	one := d.names.of(uri)
	if one != nil {
		uri = one.document
		if !d.names.answering(one) { // the newest change is the text of all names
			d.rename(one)
		}
	}
	o, ok := d.session.Snapshot().Overlay(uri)
	if !ok {
		return invalid("the document %s was changed but is not open", path.Base(uri))
	}
	version := o.Version + 1
	if v := p.TextDocument.Version; v != nil {
		version = *v
	}
	steps := d.enc.apply(o.Text, p.ContentChanges)
	if one != nil && len(steps) > 0 {
		d.names.edited(one, version, steps[len(steps)-1].After)
	}
	return d.edited(o, version, steps)
}

// apply makes the changes one after another, each to the result of the previous
// one. No other part of tandem makes them again.
func (e encoding) apply(text edits.Text, changes []contentChange) []workspace.Step {
	steps := make([]workspace.Step, 0, len(changes))
	for _, c := range changes {
		span := edits.Span{Start: 0, End: text.Len()}
		if c.Range != nil {
			span = e.rangeSpan(text, *c.Range)
		}
		text = text.Replace(span, c.Text)
		steps = append(steps, workspace.Step{Edit: edits.Edit{Span: span, New: c.Text}, After: text})
	}
	return steps
}

// maxFolded is how many bytes of a text the steps of one notification may span to be one edit:
// several cursors may be far apart, and no next edit is as large.
const maxFolded = 64 << 10

// folded returns steps, each an edit of the text that the one before it led to, as one edit:
// some editors report an edit as a deletion and an insertion, or line by line. It is false if
// there is none, or if they span too much.
func folded(steps []workspace.Step) (workspace.Step, bool) {
	switch len(steps) {
	case 0:
		return workspace.Step{}, false
	case 1:
		return steps[0], true
	}
	was, end := steps[0].Edit.Span, steps[0].Edit.End // end: of was, in the text as it is then
	for _, step := range steps {
		e := step.Edit
		was.Start = min(was.Start, e.Start)
		if over := e.End - end; over > 0 {
			was.End, end = was.End+over, e.End
		}
		end += e.Delta()
	}
	now := edits.Span{Start: was.Start, End: end}
	if was.Len() > maxFolded || now.Len() > maxFolded {
		return workspace.Step{}, false
	}
	after := steps[len(steps)-1].After
	return workspace.Step{Edit: edits.Edit{Span: was, New: after.Slice(now)}, After: after}, true
}

// edited publishes an open document's next text. A version lower than the last
// one is accepted, because the text that comes with it is the editor's: it begins
// another life of the document.
func (d *documents) edited(o *workspace.Overlay, version int32, steps []workspace.Step) error {
	text := o.Text
	if len(steps) > 0 {
		text = steps[len(steps)-1].After
	}
	var snap *workspace.Snapshot
	switch {
	case text.Len() > maxDocument:
		d.close(o.URI)
		d.tooLarge(o.URI, text.Len())
		return nil
	case version < o.Version:
		snap = d.session.Update(workspace.Opened{URI: o.URI, Name: o.Name, Language: o.Language, Version: version, Text: text})
		d.use.Engine.Opened(snap, o.URI)
	default:
		if one, ok := folded(steps); ok && d.use.Engine.Offered(o, one.Edit) {
			one.Accepted = true
			steps = []workspace.Step{one}
		}
		snap = d.session.Update(workspace.Edited{URI: o.URI, Version: version, Steps: steps})
		d.use.Engine.Changed(snap, o.URI, steps)
	}
	if now, ok := snap.Overlay(o.URI); ok {
		d.reviews.changed(now, steps)
	}
	return nil
}

func (d *documents) didSave(p *documentParams) error {
	uri := p.TextDocument.URI
	if one := d.names.of(uri); one != nil {
		uri = one.document
	}
	snap := d.session.Update(workspace.Saved{URI: uri})
	if o, ok := snap.Overlay(uri); ok && d.use.Reviewer.Reviews(o.Language) {
		d.use.Engine.During(o, "review on save", func(ctx context.Context) { d.reviews.saved(ctx, snap, o.URI) })
	}
	return nil
}

func (d *documents) didClose(p *documentParams) error {
	d.closeName(p.TextDocument.URI)
	return nil
}

// closeName closes a document, unless the client has it open by another name.
func (d *documents) closeName(uri string) {
	one := d.names.of(uri)
	if one == nil {
		d.close(uri)
		return
	}
	other, answered := d.names.remove(one)
	switch {
	case other == nil:
		d.close(one.document)
	case answered:
		d.rename(other)
	}
}

func (d *documents) close(uri string) {
	d.names.forget(uri)
	d.session.Update(workspace.Closed{URI: uri})
	d.use.Engine.Closed(uri)
	d.reviews.closed(uri)
	d.questions.answers.remove(uri)
}

// document returns the open document and the offset that a request is about.
func (s *scope) document(snap *workspace.Snapshot, p *placeParams) (*workspace.Overlay, int, error) {
	o, err := openDocument(snap, p.TextDocument.URI)
	if err != nil {
		return nil, 0, err
	}
	if p.Position == nil {
		return nil, 0, invalid("The request names no position.")
	}
	return o, s.enc.positionOffset(o.Text, *p.Position), nil
}

func openDocument(snap *workspace.Snapshot, uri string) (*workspace.Overlay, error) {
	o, ok := snap.Overlay(uri)
	switch {
	case uri == "":
		return nil, invalid("The request names no document.")
	case !ok:
		return nil, invalid("The document %s is not open in the editor, or too large; open it and ask again.", path.Base(uri))
	}
	return o, nil
}

type didChangeWatchedParams struct {
	Changes []struct {
		URI string `json:"uri"`
	} `json:"changes"`
}

func (d *documents) didChangeWatchedFiles(p *didChangeWatchedParams) error {
	var paths []string
	for _, c := range p.Changes {
		paths = append(paths, c.URI)
	}
	d.session.Update(workspace.DiskChanged{Paths: paths})
	return nil
}
