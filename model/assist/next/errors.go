package next

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/names"
)

// causedErrors are the errors that appeared after the user's last edits, oldest first.
type causedErrors struct {
	mu   sync.Mutex // guards list
	list []causedError
}

type causedError struct {
	uri   string
	error workspace.Diagnostic
}

// maxCaused bounds how many errors are remembered; with more, one edit broke everything
// and its undoing is the next edit.
const maxCaused = 50

// Caused records errors of a document that appeared after an edit, and that others are
// gone.
func (n *Editor) Caused(uri string, added, removed []workspace.Diagnostic) {
	n.caused.mu.Lock()
	defer n.caused.mu.Unlock()
	key := workspace.Key(uri)
	n.caused.list = slices.DeleteFunc(n.caused.list, func(c causedError) bool {
		return workspace.Key(c.uri) == key && slices.ContainsFunc(removed, func(d workspace.Diagnostic) bool { return sameMessage(c.error, d) })
	})
	for _, d := range added {
		if d.Severity == "error" {
			n.caused.list = append(n.caused.list, causedError{uri, d})
		}
	}
	n.caused.list = n.caused.list[max(0, len(n.caused.list)-maxCaused):]
}

// closed forgets the errors of a document whose life ended.
func (c *causedErrors) closed(uri string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(one causedError) bool { return workspace.Key(one.uri) == workspace.Key(uri) })
}

// sameMessage reports whether two diagnostics are the same one, maybe in another place.
func sameMessage(a, b workspace.Diagnostic) bool {
	return a.Message == b.Message && a.Code == b.Code && a.Source == b.Source
}

// near lists the errors, those of a document first, from a place in it on.
func (c *causedErrors) near(uri string, at int) []causedError {
	c.mu.Lock()
	list := slices.Clone(c.list)
	c.mu.Unlock()
	away := func(c causedError) int {
		if workspace.Key(c.uri) != workspace.Key(uri) {
			return 1 << 40
		}
		return distance(c.error.Span, at)
	}
	slices.SortStableFunc(list, func(a, b causedError) int { return cmp.Compare(away(a), away(b)) })
	return list
}

// corrected returns the edit that removes an error which the user has just caused, where
// the workspace has exactly one answer: a missing import, the new name of a renamed
// member, an argument that a changed function no longer takes.
func (n *Editor) corrected(ctx context.Context, snap *workspace.Snapshot, req Request, d *nextDoc, places iter.Seq[Offer]) (Offer, bool) {
	list := n.caused.near(req.URI, req.Offset)
	if len(list) == 0 {
		return Offer{}, false
	}
	if next, ok := n.inLine(ctx, snap, req, d, list); ok {
		return next, true
	}
	for _, c := range list {
		if !c.concerns(snap, req.URI, "") {
			continue
		}
		if next, ok := n.fixOf(ctx, snap, c); ok && !n.Open.refused(next) {
			return next, true
		}
	}
	return n.repeatedAt(snap, list, places)
}

// concerns reports whether an error can come of what the user has changed: it is in the document
// where they are, of uri, or in one that they have changed, or what stands at it, or a word that is
// said of it, stands in a changed line. A document that was just opened brings its older errors
// along.
func (c causedError) concerns(snap *workspace.Snapshot, uri, message string) bool {
	o, ok := snap.Overlay(c.uri)
	if !ok || !c.error.Span.Valid(o.Text.Len()) {
		return false
	}
	if workspace.Key(c.uri) == workspace.Key(uri) {
		return true
	}
	names := strings.FieldsFunc(o.Text.Slice(c.error.Span)+" "+message, notInWord)
	return slices.ContainsFunc(snap.RecentEdits(uri), func(r workspace.RecentEdit) bool {
		return workspace.Key(r.URI) == workspace.Key(c.uri) || slices.ContainsFunc(names, func(name string) bool {
			return edits.IndexWord(r.Old, name, 0) >= 0 || edits.IndexWord(r.New, name, 0) >= 0
		})
	})
}

// inLine is the first edit that brings a line with a caused error in line with the
// definition that the user changed.
func (n *Editor) inLine(ctx context.Context, snap *workspace.Snapshot, req Request, d *nextDoc, list []causedError) (Offer, bool) {
	if n.Core.Local == nil {
		return Offer{}, false
	}
	var lines []local.Lines
	for _, c := range list {
		if o, ok := snap.Overlay(c.uri); ok && c.error.Span.Valid(o.Text.Len()) {
			lines = append(lines, local.Lines{Path: snap.Name(o.URI), First: o.Text.LineOf(c.error.Span.Start) + 1, Last: o.Text.LineOf(c.error.Span.End) + 1})
		}
	}
	for next := range placed(snap, slices.Values(n.Core.Local.Broken(ctx, n.corpus(snap, req.URI), snap.RecentEdits(req.URI), lines))) {
		if !n.Open.refused(next) {
			return next, true
		}
	}
	return Offer{}, false
}

// fixOf is the one fix of an error that needs no model.
func (n *Editor) fixOf(ctx context.Context, snap *workspace.Snapshot, c causedError) (Offer, bool) {
	o, ok := snap.Overlay(c.uri)
	if !ok || ctx.Err() != nil || !c.error.Span.Valid(o.Text.Len()) {
		return Offer{}, false
	}
	fixes := n.missingImport(snap, o, c.error)
	if len(fixes) == 0 {
		fixes = n.editor.QuickFixes(snap, o.URI, c.error.Span)
	}
	fixes = slices.DeleteFunc(fixes, func(f edit.QuickFix) bool {
		return !f.Likely || len(f.Edits) != 1 || f.Finding.Name != "" && !strings.Contains(c.error.Message, f.Finding.Name)
	})
	if len(fixes) != 1 {
		return Offer{}, false
	}
	edit, text := fixes[0].Edits[0], o.Text.String()
	after := text[:edit.Start] + edit.New + text[edit.End:]
	change := edits.FileChange{Path: snap.Name(o.URI), Before: text, After: after, Edits: fixes[0].Edits}
	within, cancel := context.WithTimeout(ctx, core.WhileTyping)
	defer cancel()
	if n.Core.Judge.Change(within, snap, []edits.FileChange{change}, judge.Files).Failed() {
		return Offer{}, false
	}
	return Offer{URI: o.URI, Version: o.Version, Base: o.Hash(), Edit: edit, Line: o.Text.LineOf(edit.Start), Title: fixes[0].Title,
		From: edits.Provenance{Lane: core.BuiltIn, Model: "built-in", Reason: fmt.Sprintf("your last edit caused: %s", c.error.Message)}}, true
}

// unknownNames are what compilers say of a name that nothing declares.
var unknownNames = []string{"undefined: ", "undeclared name", "Cannot find name", "Cannot find namespace", "is not defined"}

// missingImport is the import of the name that an error is about, where one file or
// package alone provides it. That the name is unknown is the compiler's finding: nothing
// is checked again.
func (n *Editor) missingImport(snap *workspace.Snapshot, o *workspace.Overlay, d workspace.Diagnostic) []edit.QuickFix {
	if n.Core.Judge.Names == nil || !slices.ContainsFunc(unknownNames, func(form string) bool { return strings.Contains(d.Message, form) }) {
		return nil
	}
	text := o.Text.String()
	name := text[d.Span.Start:d.Span.End]
	if name == "" || !strings.Contains(d.Message, name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' }) {
		return nil
	}
	found := edits.Finding{Path: snap.Name(o.URI), Span: d.Span, Kind: names.UnknownName, Name: name, Message: d.Message}
	var out []edit.QuickFix
	for _, fix := range n.Core.Judge.Names.Fixes(snap, names.File{Path: found.Path, Text: text}, found) {
		out = append(out, edit.QuickFix{Title: fix.Title, Finding: found, Edits: fix.Edits, Likely: fix.Likely})
	}
	return out
}

// repeatedAt returns the built-in engine's next edit on a line with a caused error.
func (n *Editor) repeatedAt(snap *workspace.Snapshot, list []causedError, places iter.Seq[Offer]) (Offer, bool) {
	for next := range places {
		if next.Jump != "" || n.Open.refused(next) {
			continue
		}
		if slices.ContainsFunc(list, func(c causedError) bool { return onLines(snap, c, next) }) {
			return next, true
		}
	}
	return Offer{}, false
}

// onLines reports whether a next edit begins on the lines of an error.
func onLines(snap *workspace.Snapshot, c causedError, next Offer) bool {
	o, ok := snap.Overlay(c.uri)
	return ok && workspace.Key(c.uri) == workspace.Key(next.URI) && c.error.Span.Valid(o.Text.Len()) &&
		next.Line >= o.Text.LineOf(c.error.Span.Start) && next.Line <= o.Text.LineOf(c.error.Span.End)
}

// jump leads to the nearest error that the user's last edits caused on another line than
// the cursor's, or to a place that their last change has to reach, where nothing is known
// to write. Each is offered once.
func (n *Editor) jump(snap *workspace.Snapshot, req Request, d *nextDoc, places iter.Seq[Offer]) (Offer, bool) {
	caused := n.caused.near(req.URI, req.Offset)
	for next := range places {
		if next.Jump != "" && elsewhere(snap, req, next) && !n.Open.refused(next) && (next.found.confirmed || !clean(snap, next, caused)) {
			n.begun(snap, next, places)
			break
		}
	}
	place, found := n.continued(snap, req, true)
	if found && place.found.confirmed {
		return place, true
	}
	for _, c := range n.caused.near(req.URI, req.Offset) {
		o, ok := snap.Overlay(c.uri)
		if !ok || !c.error.Span.Valid(o.Text.Len()) || !c.concerns(snap, req.URI, c.error.Message) {
			continue
		}
		next := Offer{URI: o.URI, Version: o.Version, Base: o.Hash(), Edit: edits.Edit{Span: edits.Span{Start: c.error.Span.Start, End: c.error.Span.Start}}, Line: o.Text.LineOf(c.error.Span.Start),
			Title: "Go to the error", Jump: c.error.Message, From: edits.Provenance{Lane: core.BuiltIn, Model: "built-in", Reason: fmt.Sprintf("your last edit caused: %s", c.error.Message)}}
		if elsewhere(snap, req, next) && !n.Open.refused(next) {
			return next, true
		}
	}
	return place, found
}

// elsewhere reports whether a place is on another line than the cursor.
func elsewhere(snap *workspace.Snapshot, req Request, next Offer) bool {
	o, ok := snap.Overlay(req.URI)
	return !(ok && workspace.Key(next.URI) == workspace.Key(req.URI) && next.Edit.Start >= o.Text.LineStart(o.Text.LineOf(min(req.Offset, o.Text.Len()))) && next.Edit.Start <= o.Text.LineEnd(o.Text.LineOf(min(req.Offset, o.Text.Len()))))
}
