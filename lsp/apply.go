package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
	"tandem/workspace/run"
)

// applyTimeout is how long the editor may take to send the didChange of an edit
// that it reported as applied, quietTimeout the same of one that has sent no text since (eglot
// sends it with the user's next key), and answerTimeout how long to answer whether it applies one.
// Until then, and where it never answers, what it has made of the edit is unknown: the text
// decides.
const (
	applyTimeout  = 3 * time.Second
	quietTimeout  = 30 * time.Second
	answerTimeout = 10 * time.Second
	lookInterval  = 200 * time.Millisecond // at the text, while there is no answer
)

// A workspaceEdit changes one document: with its version where the client
// knows those, else without.
type workspaceEdit struct {
	DocumentChanges []any                 `json:"documentChanges,omitzero"`
	Changes         map[string][]textEdit `json:"changes,omitzero"`
}

type documentEdit struct {
	TextDocument versionedID `json:"textDocument"` // a null version is the file on disk
	Edits        []textEdit  `json:"edits"`
}

type fileOperation struct {
	Kind   string `json:"kind"`
	URI    string `json:"uri,omitempty"`
	OldURI string `json:"oldUri,omitempty"` // of a rename, with the next
	NewURI string `json:"newUri,omitempty"`
}

// accept applies a proposal or a part of it, one versioned edit per file. Of a task's result
// or a part by step or file, the answer lists what does not fit the files as they are now.
func (s *proposals) accept(ctx context.Context, p *edit.Proposal, part edit.Part, force bool) (any, error) {
	if p.Task.ID == "" && part.Step == 0 && part.File == "" {
		return nil, s.acceptEdit(ctx, p, part.Hunk, force)
	}
	list, conflicts, err := s.use.Editor.AcceptPart(ctx, s.session.Snapshot(), p.ID, part, force)
	if err != nil {
		return nil, err
	}
	before := s.session.Snapshot()
	if err := s.applyAll(ctx, list); err != nil {
		return nil, err
	}
	if err := s.written(ctx, before, list); err != nil {
		return nil, err
	}
	if part == (edit.Part{}) {
		s.use.Editor.Wrote(p.ID)
	}
	out := []proposalConflict{}
	for _, c := range conflicts {
		out = append(out, proposalConflict{c.Path, c.Line, inert.Message(c.Message)})
	}
	return map[string]any{"files": len(list), "conflicts": out}, nil
}

// acceptEdit applies an edit, or one hunk of it, and waits until the editor's own didChange
// contains it: the editor's response that it has applied an edit is not enough.
func (s *proposals) acceptEdit(ctx context.Context, p *edit.Proposal, hunk *int, force bool) error {
	index := -1 // the whole edit
	if hunk != nil {
		index = *hunk
	}
	before := s.session.Snapshot()
	list, err := s.use.Editor.Accept(ctx, before, p.ID, index, force)
	if err != nil {
		return err
	}
	if err := s.applyAll(ctx, list); err != nil || hunk != nil {
		return err
	}
	open := slices.ContainsFunc(list, func(d core.DocumentEdit) bool {
		_, isOpen := s.session.Snapshot().Overlay(d.URI)
		return isOpen
	})
	if open && !p.Request.Draft { // the client writes its own document once this is answered
		if err := s.written(ctx, before, list); err != nil {
			return err
		}
	}
	s.use.Editor.Wrote(p.ID)
	return nil
}

// writtenInterval is how often it is checked whether the editor has made a change.
const writtenInterval = 20 * time.Millisecond

// written waits until the documents have the edits that the editor reported as applied: by
// its own didChange, or on disk. The error names those that it skipped.
func (s *proposals) written(ctx context.Context, before *workspace.Snapshot, list []core.DocumentEdit) error {
	late, quiet, again := time.After(applyTimeout), time.After(quietTimeout), time.Tick(writtenInterval)
	for left := list; ; {
		snap := s.session.Snapshot()
		left = slices.DeleteFunc(slices.Clone(left), func(d core.DocumentEdit) bool { return d.Held(snap) })
		if len(left) == 0 {
			return nil
		}
		select {
		case <-again:
			s.reread(ctx, left)
		case <-ctx.Done():
			return ctx.Err()
		case <-late:
			if slices.ContainsFunc(left, func(d core.DocumentEdit) bool { return textCame(before, snap, d.URI) }) {
				return notWritten(left)
			}
		case <-quiet:
			return notWritten(left)
		}
	}
}

func notWritten(list []core.DocumentEdit) error {
	return fmt.Errorf("the editor reported the change of %s as made, but its text is not changed: accept it again, or ask again", fileNames(list))
}

// textCame reports whether the editor has sent a document's text since a snapshot; what it opens
// a new file with comes before the edit of it.
func textCame(before, now *workspace.Snapshot, uri string) bool {
	then, was := before.Overlay(uri)
	o, open := now.Overlay(uri)
	if !was || !open {
		return !open || o.Revision > 0
	}
	return o.Generation != then.Generation || o.Revision != then.Revision
}

// applyAll applies the changes of documents in order. The error says which files were
// changed and which were not. What was accepted is in the snapshot after it also where the
// editor has written a file that is not open: accepted again, nothing is applied twice.
func (s *proposals) applyAll(ctx context.Context, list []core.DocumentEdit) error {
	defer s.reread(ctx, list)
	before := s.session.Snapshot()
	from, gone := s.moves(list)
	for i, d := range list {
		if gone[d.URI] {
			continue
		}
		err := s.applyOne(ctx, d, from[d.URI])
		switch {
		case err == nil && d.Form.Mode == edits.Executable && from[d.URI] == nil:
			s.report(protocol.MessageTypeWarning, fmt.Sprintf("tandem: %s is to be executable, which an editor's edit cannot make it: make it so yourself.", path.Base(d.URI)))
		case err == nil:
		case i == 0:
			return fmt.Errorf("nothing was changed: %w", err)
		default:
			return fmt.Errorf("only %s changed, %s not: %w", were(list[:i]), were(list[i:]), err)
		}
	}
	s.group.Go("show what changed", func(ctx context.Context) { s.showChanged(ctx, before, list) })
	return nil
}

// showChanged shows the files that were changed where no editor window need have them: new ones
// are opened where the client can, the others are named with what is still to do.
func (s *proposals) showChanged(ctx context.Context, before *workspace.Snapshot, list []core.DocumentEdit) {
	if s.client.Wants().Proposals { // it shows what it accepts
		return
	}
	s.reread(ctx, list)
	var lines []string
	for _, d := range list {
		if _, open := before.Overlay(d.URI); open || d.Create && s.showDocument(ctx, d.URI) {
			continue
		}
		state := "saved"
		if _, open := s.session.Snapshot().Overlay(d.URI); open || !d.Held(s.session.Snapshot()) {
			state = "not saved"
		}
		if d.Delete {
			state = "deleted"
		}
		lines = append(lines, path.Base(d.URI)+", "+state)
	}
	if len(lines) > 0 {
		s.showMessage(protocol.MessageTypeInfo, inert.Message("tandem: changed "+strings.Join(lines, "; ")))
	}
}

func (s *proposals) reread(ctx context.Context, list []core.DocumentEdit) {
	var written []string
	for _, d := range list {
		if _, open := s.session.Snapshot().Overlay(d.URI); !open {
			written = append(written, d.URI)
		}
	}
	s.session.Reread(ctx, written...)
}

// were names the files of changes with their verb: "a.go was", "a.go and b.go were".
func were(list []core.DocumentEdit) string {
	if len(list) == 1 {
		return path.Base(list[0].URI) + " was"
	}
	return fileNames(list) + " were"
}

// fileNames names the first files of changes, and how many more there are.
func fileNames(list []core.DocumentEdit) string {
	const most = 3
	var names []string
	for _, d := range list[:min(len(list), most)] {
		names = append(names, path.Base(d.URI))
	}
	if more := len(list) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, " and ")
}

// applyOne applies the change of one document; from, which may be nil, is the deletion of the one that it
// is moved from.
func (s *proposals) applyOne(ctx context.Context, d core.DocumentEdit, from *core.DocumentEdit) error {
	if !s.client.AppliesEdits() {
		return fmt.Errorf("this editor applies no edits that a server sends; accept the change to %s in the menu of its code actions", path.Base(d.URI))
	}
	list := []core.DocumentEdit{d}
	if from != nil {
		list = append(list, *from)
	}
	changes, err := s.workspaceEdit(list...)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, answerTimeout)
	defer stop()
	params := map[string]any{"label": "tandem", "edit": changes}
	ask := run.Begin(s.group, "ask for an edit", func() (answer applyAnswer, err error) {
		return answer, s.call(ctx, protocol.MethodWorkspaceApplyEdit, params, &answer)
	})
	answer, err := s.answered(ctx, d, ask)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the editor has not answered whether it changed %s: look at its text, and ask again if it is not changed", path.Base(d.URI))
	case err != nil:
		return fmt.Errorf("the editor refused the change to %s: %w", path.Base(d.URI), err)
	case !answer.Applied:
		reason := cmp.Or(answer.FailureReason, "it gave no reason")
		return fmt.Errorf("the editor did not apply the change to %s: %s; its text may have moved on, ask again", path.Base(d.URI), inert.Text(reason))
	}
	return nil
}

// An applyAnswer is whether an editor applied an edit.
type applyAnswer struct {
	Applied       bool   `json:"applied"`
	FailureReason string `json:"failureReason"`
}

// answered waits for an editor's answer to an edit of a document. An editor whose text has the
// edit has applied it, whether it says so or not.
func (s *proposals) answered(ctx context.Context, d core.DocumentEdit, answer func(context.Context) (applyAnswer, error)) (applyAnswer, error) {
	for {
		look, stop := context.WithTimeout(ctx, lookInterval)
		got, err := answer(look)
		stop()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return got, err
		}
		s.reread(ctx, []core.DocumentEdit{d})
		if d.Held(s.session.Snapshot()) {
			return applyAnswer{Applied: true}, nil
		}
	}
}

// workspaceEdit encodes what is done to documents, in what the client has announced. The error
// names what it cannot do, and how it is done then.
func (s *scope) workspaceEdit(list ...core.DocumentEdit) (workspaceEdit, error) {
	var out workspaceEdit
	operations := false
	from, gone := s.moves(list)
	for _, d := range list {
		if old := from[d.URI]; old != nil {
			out.DocumentChanges, operations = append(out.DocumentChanges, s.renamed(*old, d)...), true
			continue
		} else if gone[d.URI] {
			continue
		}
		changes, err := s.documentChanges(d)
		if err != nil {
			return workspaceEdit{}, err
		}
		operations = operations || len(changes) > 1 || d.Delete
		out.DocumentChanges = append(out.DocumentChanges, changes...)
	}
	if operations || s.client.VersionsEdits() {
		return out, nil
	}
	plain := workspaceEdit{Changes: map[string][]textEdit{}}
	for _, change := range out.DocumentChanges {
		edit := change.(documentEdit) // no operation is among them
		plain.Changes[edit.TextDocument.URI] = append(plain.Changes[edit.TextDocument.URI], edit.Edits...)
	}
	return plain, nil
}

// moves pairs the files that are made with the deletions of those that they are moved from, by the
// URIs of the first, where the editor can rename: a file that is renamed keeps its mode. gone are the
// URIs of those deletions.
func (s *scope) moves(list []core.DocumentEdit) (from map[string]*core.DocumentEdit, gone map[string]bool) {
	from, gone = map[string]*core.DocumentEdit{}, map[string]bool{}
	if !s.client.AppliesOperation("rename") {
		return from, gone
	}
	snap := s.session.Snapshot()
	for _, d := range list {
		i := slices.IndexFunc(list, func(old core.DocumentEdit) bool {
			return d.Create && old.Delete && d.Form.From != "" && snap.Name(old.URI) == d.Form.From && !gone[old.URI]
		})
		if i >= 0 {
			from[d.URI], gone[list[i].URI] = &list[i], true
		}
	}
	return from, gone
}

// renamed is a file that is moved, and the change of its text.
func (s *scope) renamed(old, d core.DocumentEdit) []any {
	out := []any{fileOperation{Kind: "rename", OldURI: old.URI, NewURI: d.URI}}
	after, err := edits.Apply(d.Base, d.Edits)
	if changed := edits.Diff(old.Base.String(), after.String()); err == nil && len(changed) > 0 { // no error: the proposal was made of these edits
		out = append(out, documentEdit{versionedID{URI: d.URI}, s.enc.editsTextEdits(old.Base, changed)})
	}
	return out
}

// documentChanges is what is done to one document: an operation, an edit, or both.
func (s *scope) documentChanges(d core.DocumentEdit) ([]any, error) {
	snap := s.session.Snapshot()
	edit := documentEdit{versionedID{URI: d.URI}, s.enc.editsTextEdits(d.Base, d.Edits)}
	open, isOpen := snap.Overlay(d.URI)
	if isOpen {
		version := d.Version
		edit.TextDocument = versionedID{open.URI, &version}
	}
	name := path.Base(d.URI)
	switch {
	case d.Delete && s.client.AppliesOperation("delete"):
		return []any{fileOperation{Kind: "delete", URI: d.URI}}, nil
	case d.Delete:
		return nil, fmt.Errorf("this editor deletes no files for a server: delete %s yourself", name)
	case d.Create && s.client.AppliesOperation("create"):
		return []any{fileOperation{Kind: "create", URI: d.URI}, edit}, nil
	case d.Create && !s.client.CreatesByEdit():
		return nil, fmt.Errorf("this editor creates no files for a server: create %s yourself, or let 'tandem edit FILE INSTRUCTION --write' write it in a terminal", name)
	case !d.Create && !s.client.VersionsEdits():
		if text, err := core.TextNow(snap, workspace.Key(d.URI)); err == nil && text.String() != d.Base.String() {
			return nil, fmt.Errorf("%s has changed since: ask again", name)
		}
	}
	return []any{edit}, nil
}
