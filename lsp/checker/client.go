package checker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tandem/edits"
	"tandem/lsp/wire"
	"tandem/workspace"
	"tandem/workspace/language"
	"tandem/workspace/names"
)

// A Process is a checker that was started.
type Process interface {
	io.ReadWriter
	// Close ends it with all that it has started, and waits until it has ended.
	Close() error
	// Memory is how many bytes it and what it has started have; 0 if that is not known.
	Memory() int64
}

// A client is the connection to one child. Its methods are called by one goroutine at a time.
type client struct {
	adapter  *Adapter
	conn     jsonrpc2.Conn
	server   protocol.Server
	severity string // of what it finds

	held  map[string]*document // open in the child, by path
	files map[string]fileStamp // of the files on disk when they were last told, by path
	bases map[string]any       // the indexes that files is of, by their folders
}

// A document is open in the child.
type document struct {
	text    string
	version int32
}

// A fileStamp tells one state of a file from the next.
type fileStamp struct {
	hash uint64
	mod  time.Time
}

// dial begins to talk to a child that works on a folder.
func dial(ctx context.Context, a *Adapter, p Process, root, folder, environment string) (*client, error) {
	stream := wire.New(closer{p}, p, func(string) {}, nil)
	c := &client{adapter: a, held: map[string]*document{}, files: map[string]fileStamp{}, bases: map[string]any{}}
	c.conn = jsonrpc2.NewConn(stream, jsonrpc2.WithCodec(codec{}))
	c.server = protocol.ServerDispatcher(c.conn)
	c.conn.Go(context.Background(), func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if req.IsCall() {
			defer stream.Call(req.ID()).Done()
		}
		return answerChild(req)
	})
	at := uri.URI(workspace.URIOf(root))
	//lint:ignore SA1019 TypeScript 7 asks for it
	params := &protocol.InitializeParams{RootURI: &at}
	params.WorkspaceFolders = protocol.NewNullable([]protocol.WorkspaceFolder{{URI: at, Name: filepath.Base(root)}})
	params.Capabilities.General = &protocol.GeneralClientCapabilities{PositionEncodings: []protocol.PositionEncodingKind{protocol.PositionEncodingKindUTF8}}
	if a.options != nil {
		raw, err := json.Marshal(a.options(a, root, folder, environment))
		if err != nil {
			return nil, err
		}
		params.InitializationOptions = raw
	}
	result, err := c.server.Initialize(ctx, params)
	if err != nil {
		return nil, err
	}
	if result.Capabilities.PositionEncoding != protocol.PositionEncodingKindUTF8 || result.Capabilities.DiagnosticProvider == nil {
		return nil, errOld
	}
	c.severity = "warning"
	if version, ok := result.ServerInfo.Version.Get(); ok && a.knows(version) {
		c.severity = "error"
	}
	return c, c.server.Initialized(ctx, &protocol.InitializedParams{})
}

// errOld is a program of the right name that does not diagnose what is not saved.
var errOld = errors.New("its version is too old")

// answerChild answers what a child asks of an editor: there are no settings, and nothing is
// changed or shown for it.
func answerChild(req *jsonrpc2.Request) (any, error) {
	switch req.Method() {
	case protocol.MethodWorkspaceConfiguration:
		var params protocol.ConfigurationParams
		if err := protocol.Unmarshal(req.Params(), &params); err != nil {
			return nil, err
		}
		return make([]*struct{}, len(params.Items)), nil
	case protocol.MethodClientRegisterCapability, protocol.MethodClientUnregisterCapability, protocol.MethodWindowWorkDoneProgressCreate:
		return nil, nil
	}
	if req.IsCall() {
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "no editor is there for %q", req.Method())
	}
	return nil, nil
}

// closer reads from a process, and leaves it to its owner to end it.
type closer struct{ io.Reader }

func (closer) Close() error { return nil }

// codec encodes with the protocol's own encoders.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) {
	if list, ok := v.([]*struct{}); ok {
		return json.Marshal(list)
	}
	return protocol.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }

// errors returns what the child finds in the parts of files that are looked at, in the world of all
// files.
func (c *client) errors(ctx context.Context, snap *workspace.Snapshot, world map[string]names.File, looked []names.File, sound func(path, text string) bool) (out []edits.Finding, err error) {
	if err := c.tellFiles(ctx, snap); err != nil {
		return nil, err
	}
	if err := c.supply(ctx, snap, world, sound); err != nil {
		return nil, err
	}
	for _, f := range looked {
		abs, _ := snap.FileOf(f.Path)
		list, err := c.pull(ctx, abs)
		if err != nil {
			return nil, err
		}
		text := edits.NewText(f.Text)
		for _, d := range list {
			if one, ok := c.adapter.finding(f.Path, text, d, c.severity); ok && within(f.Look, one.Span) {
				out = append(out, one)
			}
		}
	}
	return out, nil
}

func within(parts []edits.Span, at edits.Span) bool {
	return slices.ContainsFunc(parts, func(s edits.Span) bool { return at.Start <= s.End && s.Start <= at.End })
}

// pull asks for the diagnostics of a document. The child is told if nobody waits for them any more.
func (c *client) pull(ctx context.Context, abs string) ([]protocol.Diagnostic, error) {
	params := &protocol.DocumentDiagnosticParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.URI(workspace.URIOf(abs))}}
	var report protocol.DocumentDiagnosticReport
	id, err := c.conn.Call(ctx, protocol.MethodTextDocumentDiagnostic, params, &report)
	if ctx.Err() != nil {
		n, _ := id.Number()
		_ = c.conn.Notify(context.WithoutCancel(ctx), protocol.MethodCancelRequest, &protocol.CancelParams{ID: protocol.Integer(n)}) // else it only works in vain
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	full, ok := report.(*protocol.RelatedFullDocumentDiagnosticReport)
	if !ok {
		return nil, fmt.Errorf("it answered with %T", report)
	}
	return full.Items, nil
}

// supply makes the texts of the world, and of unsaved documents, those that the child has. What it
// holds of earlier worlds is closed if the workspace has another text.
func (c *client) supply(ctx context.Context, snap *workspace.Snapshot, world map[string]names.File, sound func(path, text string) bool) error {
	texts := map[string]string{}
	for _, o := range snap.Overlays() {
		abs, isFile := workspace.PathOf(o.URI)
		if isFile && !o.Saved && c.speaks(abs) && sound(snap.Name(o.URI), o.Content()) { // a broken neighbour breaks what uses it
			texts[abs] = o.Content()
		}
	}
	for abs, f := range world {
		texts[abs] = f.Text
	}
	for abs, doc := range c.held {
		if _, wanted := texts[abs]; wanted {
			continue
		}
		if f, err := snap.Unfiltered(abs); err == nil && f.Content() == doc.text {
			continue
		}
		delete(c.held, abs)
		if err := c.server.DidClose(ctx, &protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.URI(workspace.URIOf(abs))}}); err != nil {
			return err
		}
	}
	for abs, text := range texts {
		if err := c.hold(ctx, abs, text); err != nil {
			return err
		}
	}
	return nil
}

// speaks reports whether a file is of a language of the child.
func (c *client) speaks(abs string) bool {
	return slices.Contains(c.adapter.Languages, language.OfFile(filepath.Base(abs)))
}

// hold makes a document's text the one that the child has.
func (c *client) hold(ctx context.Context, abs, text string) error {
	at := uri.URI(workspace.URIOf(abs))
	doc := c.held[abs]
	if doc == nil {
		c.held[abs] = &document{text, 1}
		return c.server.DidOpen(ctx, &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: at, LanguageID: protocol.LanguageKind(language.OfFile(filepath.Base(abs))), Version: 1, Text: text}})
	}
	if doc.text == text {
		return nil
	}
	doc.text, doc.version = text, doc.version+1
	params := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangeWholeDocument{Text: text}}}
	params.TextDocument.URI, params.TextDocument.Version = at, doc.version
	return c.server.DidChange(ctx, params)
}

// tellFiles tells the child which files have changed on disk since it was told last: it watches
// none itself.
func (c *client) tellFiles(ctx context.Context, snap *workspace.Snapshot) error {
	var events []protocol.FileEvent
	event := func(abs string, kind protocol.FileChangeType) {
		events = append(events, protocol.FileEvent{URI: uri.URI(workspace.URIOf(abs)), Type: kind})
	}
	for _, v := range snap.Views() {
		ix := v.Index()
		told, known := c.bases[v.Root]
		if told == any(ix) {
			continue
		}
		c.bases[v.Root] = ix
		now := map[string]bool{}
		for _, id := range ix.Files() {
			f, ok := ix.File(id)
			abs := v.Abs(f.Path)
			now[abs] = ok
			if !ok || f.ModTime.IsZero() { // an open document
				continue
			}
			was, had := c.files[abs]
			stamp := fileStamp{f.Hash, f.ModTime}
			c.files[abs] = stamp
			switch {
			case !known || was == stamp:
			case had:
				event(abs, protocol.FileChangeTypeChanged)
			default:
				event(abs, protocol.FileChangeTypeCreated)
			}
		}
		for abs := range c.files {
			if _, below := v.Rel(abs); below && !now[abs] {
				delete(c.files, abs)
				event(abs, protocol.FileChangeTypeDeleted)
			}
		}
	}
	if len(events) == 0 {
		return nil
	}
	return c.server.DidChangeWatchedFiles(ctx, &protocol.DidChangeWatchedFilesParams{Changes: events})
}
