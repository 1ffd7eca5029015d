package lsp

import (
	"context"
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"tandem/lsp/inert"
	"tandem/model/assist/edit"
	"tandem/workspace"
)

const (
	scheme = "tandem:"
	// maxShown bounds how many texts are kept for tandem: documents.
	maxShown = 32
	// maxMessage bounds a text that is shown as a message, in bytes.
	maxMessage = 4 << 10
)

// virtualDocuments are the texts behind tandem: documents, oldest first.
type virtualDocuments struct {
	preview func(name, text string) (path string, err error) // Deps.Preview
	windows atomic.Int64                                     // texts of prompts, for their names

	mu    sync.Mutex // guards all below
	texts map[string]string
	order []string
}

func (d *virtualDocuments) put(uri, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.texts == nil {
		d.texts = map[string]string{}
	}
	if _, ok := d.texts[uri]; !ok {
		d.order = append(d.order, uri)
	}
	d.texts[uri] = text
	if len(d.order) > maxShown {
		delete(d.texts, d.order[0])
		d.order = d.order[1:]
	}
}

func (d *virtualDocuments) get(uri string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text, ok := d.texts[uri]
	return text, ok
}

// show displays a text to the user in the best way that the client supports: a
// tandem: document, a file, or a message.
func (p *peer) show(ctx context.Context, name, text string) {
	if !p.open(ctx, name, text) {
		p.showMessage(protocol.MessageTypeInfo, clipText(inert.Message(text)))
	}
}

// open opens a text beside the user's own, as a tandem: document or a file, and reports whether the
// client did.
func (p *peer) open(ctx context.Context, name, text string) bool {
	if p.client.OpensTexts() {
		uri := scheme + "/" + name
		p.virtual.put(uri, text)
		if p.showDocument(ctx, uri) {
			return true
		}
	}
	if p.client.OpensDocuments() && p.virtual.preview != nil {
		file, err := p.virtual.preview(path.Base(name), text)
		if err == nil && p.showDocument(ctx, workspace.URIOf(file)) {
			return true
		}
		if err != nil {
			p.log.Warn("preview not written", "reason", err.Error())
		}
	}
	return false
}

func (p *peer) showDocument(ctx context.Context, uri string) bool {
	var answer struct {
		Success bool `json:"success"`
	}
	ctx, stop := context.WithTimeout(ctx, answerTimeout)
	defer stop()
	err := p.call(ctx, protocol.MethodWindowShowDocument, map[string]any{"uri": uri, "takeFocus": false}, &answer)
	return err == nil && answer.Success
}

func clipText(s string) string {
	if len(s) <= maxMessage {
		return s
	}
	cut := strings.LastIndexByte(s[:maxMessage], '\n')
	if cut <= 0 {
		cut = maxMessage
	}
	return strings.ToValidUTF8(s[:cut], "") + "\n…"
}

// content answers workspace/textDocumentContent.
func (d *virtualDocuments) content(_ context.Context, p *documentID) (any, error) {
	text, ok := d.get(p.URI)
	if !ok {
		return nil, invalid("There is no %s any more; ask for it again.", printable(p.URI))
	}
	return map[string]any{"text": text}, nil
}

// unified is a proposal as one unified diff.
func unified(p *edit.Proposal) string {
	var out strings.Builder
	for _, f := range p.Files {
		if diff, err := f.Unified(); err == nil { // a proposal's edits were checked when it was made
			out.WriteString(diff)
		}
	}
	return out.String()
}
