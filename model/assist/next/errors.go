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

// A causedError is something that is wrong since the user's last edits.
type causedError struct {
	uri   string
	error workspace.Diagnostic
	found edits.Finding // of the judge; zero is of the editor
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
			n.caused.list = append(n.caused.list, causedError{uri: uri, error: d})
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
	defer c.mu.Unlock()
	return nearest(slices.Clone(c.list), uri, at)
}

// nearest sorts errors: those of a document first, from a place in it on.
func nearest(list []causedError, uri string, at int) []causedError {
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
// the workspace has exactly one answer: a missing import, one that lost its last use, the new name
// of a renamed member, an argument that a changed function no longer takes.
func (n *Editor) corrected(ctx context.Context, snap *workspace.Snapshot, req Request, list []causedError, places iter.Seq[Item]) (Offer, bool) {
	if len(list) == 0 {
		return Offer{}, false
	}
	if next, ok := n.repeatedAt(snap, list, places); ok {
		return next, true
	}
	for _, c := range list {
		if !c.concerns(snap, req.URI, "") || c.underHand(snap, req) {
			continue
		}
		if next, ok := n.fixOf(ctx, snap, c); ok && !n.refused(snap, next) && c.leaves(snap, req, next) {
			return next, true
		}
	}
	return Offer{}, false
}

// concerns reports whether an error can come of what the user has changed: it is in the document
// where they are, of uri, or in one that they have changed, or what stands at it, or a word that is
// said of it, stands in a changed line. A document that was just opened brings its older errors
// along.
func (c causedError) concerns(snap *workspace.Snapshot, uri, message string) bool {
	f, ok := c.file(snap)
	if !ok {
		return false
	}
	if c.found.Kind != "" || workspace.Key(c.uri) == workspace.Key(uri) {
		return true
	}
	names := strings.FieldsFunc(f.Raw().Slice(c.error.Span)+" "+message, notInWord)
	return slices.ContainsFunc(snap.RecentEdits(uri), func(r workspace.RecentEdit) bool {
		return workspace.Key(r.URI) == workspace.Key(c.uri) || slices.ContainsFunc(names, func(name string) bool {
			return edits.IndexWord(r.Old, name, 0) >= 0 || edits.IndexWord(r.New, name, 0) >= 0
		})
	})
}

// leaves reports whether a fix leaves alone what the user does: it does not write what they have just
// taken away, and of what the judge found, it is not in the line that they are writing and takes no other
// name for one that is unknown. Which one is meant a change does not say.
func (c causedError) leaves(snap *workspace.Snapshot, req Request, fix Offer) bool {
	if bringsBack(snap.RecentEdits(req.URI), fix) {
		return false
	}
	return c.found.Kind == "" || elsewhere(snap, req, fix) && (fix.Edit.Len() == 0 || c.found.Kind == lostImport)
}

// bringsBack reports whether an edit writes lines alone that one of some edits took away.
func bringsBack(recent []workspace.RecentEdit, e Offer) bool {
	lines := linesOf(e.Edit.New)
	return len(lines) > 0 && slices.ContainsFunc(recent, func(r workspace.RecentEdit) bool {
		gone, _ := moved(r.Old, r.New)
		return workspace.Key(r.URI) == workspace.Key(e.URI) && !slices.ContainsFunc(lines, func(line string) bool { return !slices.Contains(gone, line) })
	})
}

// underHand reports whether the judge found the error in what the user is still writing: in a name right
// before the cursor, or in one that they took out of lines, a function or imports where they still are, so
// that it may come back there. What their last edit leaves without a declaration in its document they
// write next.
func (c causedError) underHand(snap *workspace.Snapshot, req Request) bool {
	at, open := snap.Overlay(req.URI)
	if c.found.Kind == "" || !open {
		return false
	}
	if behind := (edits.Span{Start: c.error.Span.End, End: req.Offset}); workspace.Key(c.uri) == workspace.Key(req.URI) && behind.Valid(at.Text.Len()) && strings.Trim(at.Text.Slice(behind), " \t") == "" {
		return true
	}
	recent := snap.RecentEdits(req.URI)
	name := strings.Split(c.found.Name, ",")[0]
	for age, r := range slices.Backward(recent) {
		lines, took := tookFrom(snap, r, name)
		if !took {
			continue
		}
		if workspace.Key(r.URI) == workspace.Key(req.URI) && (lines.Start <= req.Offset && req.Offset <= lines.End || stillAt(snap, req, lines.Start)) {
			return true
		}
		return age == len(recent)-1 && workspace.Key(r.URI) == workspace.Key(c.uri) && c.found.Kind == names.UnknownName
	}
	return false
}

// taken reports whether an edit of the user's took the error's name out of lines.
func (c causedError) taken(snap *workspace.Snapshot, req Request) bool {
	return slices.ContainsFunc(snap.RecentEdits(req.URI), func(r workspace.RecentEdit) bool {
		_, took := tookFrom(snap, r, strings.Split(c.found.Name, ",")[0])
		return took
	})
}

// tookFrom are the lines of an edit, if it took a name out of them.
func tookFrom(snap *workspace.Snapshot, r workspace.RecentEdit, name string) (lines edits.Span, took bool) {
	o, open := snap.Overlay(r.URI)
	if !open || !r.Placed || !r.Place.Valid(o.Text.Len()) {
		return lines, false
	}
	lines = edits.Span{Start: o.Text.LineStart(o.Text.LineOf(r.Place.Start)), End: o.Text.LineEnd(o.Text.LineOf(r.Place.End))}
	was := o.Text.Slice(edits.Span{Start: lines.Start, End: r.Place.Start}) + r.Old + o.Text.Slice(edits.Span{Start: r.Place.End, End: lines.End})
	return lines, edits.IndexWord(was, name, 0) >= 0 && edits.IndexWord(o.Text.Slice(lines), name, 0) < 0
}

// stillAt reports whether the user writes at a request's place what another place of its document needs.
func stillAt(snap *workspace.Snapshot, req Request, other int) bool {
	folder := core.CorpusAround(snap, req.URI)
	return local.StillAt(folder, folder.Path(req.URI), req.Offset, other)
}

// leads reports whether an error is one to go to: not an import that is too much, nor what the user
// knows.
func (c causedError) leads(snap *workspace.Snapshot, req Request) bool {
	if c.found.Kind == lostImport || !c.concerns(snap, req.URI, c.error.Message) {
		return false
	}
	here := workspace.Key(c.uri) == workspace.Key(req.URI) && c.found.Kind != ""
	if here && stillAt(snap, req, c.error.Span.Start) && !c.taken(snap, req) {
		return false // they are writing the function
	}
	return !c.written(snap, req.URI) && !c.underHand(snap, req)
}

// written reports whether the judge found the error in what the user has just written: they know,
// or go on with it.
func (c causedError) written(snap *workspace.Snapshot, uri string) bool {
	return c.found.Kind != "" && slices.ContainsFunc(snap.RecentEdits(uri), func(r workspace.RecentEdit) bool {
		return r.Placed && workspace.Key(r.URI) == workspace.Key(c.uri) && r.Place.Start <= c.error.Span.Start && c.error.Span.Start < r.Place.End
	})
}

// file is the one that has the error, if it is there as it was reported. The editor reports on
// documents that are open.
func (c causedError) file(snap *workspace.Snapshot) (f workspace.FileHandle, ok bool) {
	f, err := snap.File(c.uri)
	return f, err == nil && (f.Open() || c.found.Kind != "") && c.error.Span.Valid(f.Raw().Len())
}

// fixOf is the one fix of an error that needs no model.
func (n *Editor) fixOf(ctx context.Context, snap *workspace.Snapshot, c causedError) (Offer, bool) {
	f, ok := c.file(snap)
	if !ok || ctx.Err() != nil {
		return Offer{}, false
	}
	fixes := n.fixes(snap, f, c)
	fixes = slices.DeleteFunc(fixes, func(f edit.QuickFix) bool {
		return !f.Likely || len(f.Edits) != 1 || f.Finding.Name != "" && !strings.Contains(c.error.Message, f.Finding.Name)
	})
	if len(fixes) != 1 {
		return Offer{}, false
	}
	edit, text := fixes[0].Edits[0], f.Content()
	after := text[:edit.Start] + edit.New + text[edit.End:]
	change := edits.FileChange{Path: snap.Name(f.URI()), Before: text, After: after, Edits: fixes[0].Edits}
	within, cancel := context.WithTimeout(ctx, core.WhileTyping)
	defer cancel()
	if n.editor.Judge.Change(within, snap, []edits.FileChange{change}, judge.Files).Failed() {
		return Offer{}, false
	}
	return Offer{URI: f.URI(), Version: f.Version(), Base: f.Hash(), Edit: edit, Line: f.Raw().LineOf(edit.Start), Title: fixes[0].Title,
		From: edits.Provenance{Lane: core.BuiltIn, Model: "built-in", Reason: fmt.Sprintf("your last edit caused: %s", c.error.Message)}}, true
}

// fixes are the changes that would remove an error: what the judge found tells its own, and what a
// compiler reported is looked up.
func (n *Editor) fixes(snap *workspace.Snapshot, f workspace.FileHandle, c causedError) (out []edit.QuickFix) {
	found := c.found
	switch {
	case found.Kind == lostImport:
		return []edit.QuickFix{{Title: found.Message, Finding: found, Edits: []edits.Edit{{Span: found.Span}}, Likely: true}}
	case found.Kind == "":
		if found = unknownName(snap.Name(f.URI()), f.Content(), c.error); found.Kind == "" {
			return n.editor.QuickFixes(snap, f.URI(), c.error.Span)
		}
	}
	if n.editor.Judge.Names != nil {
		for _, fix := range n.editor.Judge.Names.Fixes(snap, names.File{Path: found.Path, Text: f.Content()}, found) {
			out = append(out, edit.QuickFix{Title: fix.Title, Finding: found, Edits: fix.Edits, Likely: fix.Likely})
		}
	}
	if len(out) == 0 && c.found.Kind == "" {
		return n.editor.QuickFixes(snap, f.URI(), c.error.Span)
	}
	return out
}

// unknownNames are what compilers say of a name that nothing declares.
var unknownNames = []string{"undefined: ", "undeclared name", "Cannot find name", "Cannot find namespace", "is not defined"}

// unknownName is the finding that an error of a compiler means, if it is about a name that nothing
// declares. That it is unknown is the compiler's finding: nothing is checked again.
func unknownName(path, text string, d workspace.Diagnostic) edits.Finding {
	name := text[d.Span.Start:d.Span.End]
	odd := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' }
	says := func(form string) bool { return strings.Contains(d.Message, form) }
	if name == "" || !says(name) || strings.ContainsFunc(name, odd) || !slices.ContainsFunc(unknownNames, says) {
		return edits.Finding{}
	}
	return edits.Finding{Path: path, Span: d.Span, Kind: names.UnknownName, Name: name, Message: d.Message}
}

// repeatedAt returns the built-in engine's next edit on a line with a caused error. The error says that
// a place which may be another definition's means the renamed one.
func (n *Editor) repeatedAt(snap *workspace.Snapshot, list []causedError, places iter.Seq[Item]) (Offer, bool) {
	for next := range places {
		if next.meant != nil {
			next.Edit, next.Jump = *next.meant, ""
		}
		if next.Jump == "" && !n.refused(snap, next.Offer) && slices.ContainsFunc(list, func(c causedError) bool { return onLines(snap, c, next.Offer) }) {
			return next.Offer, true
		}
	}
	return Offer{}, false
}

// onLines reports whether a next edit begins on the lines of an error.
func onLines(snap *workspace.Snapshot, c causedError, next Offer) bool {
	f, ok := c.file(snap)
	return ok && workspace.Key(c.uri) == workspace.Key(next.URI) && next.Line >= f.Raw().LineOf(c.error.Span.Start) && next.Line <= f.Raw().LineOf(c.error.Span.End)
}

// jump leads to the nearest error that the user's last edits caused on another line than
// the cursor's, or to a place that their last change has to reach, where nothing is known
// to write. Each is offered once.
func (n *Editor) jump(snap *workspace.Snapshot, req Request, broken []causedError, places iter.Seq[Item]) (Offer, bool) {
	caused := n.caused.near(req.URI, req.Offset)
	for next := range places {
		if next.goesTo(snap, req, caused) && !n.refused(snap, next.Offer) {
			n.begun(snap, next, places)
			break
		}
	}
	place, found := n.continued(snap, req, true)
	if found && place.Proof > Likely {
		return place.Offer, true
	}
	for _, c := range nearest(slices.Concat(caused, broken), req.URI, req.Offset) {
		f, ok := c.file(snap)
		if !ok || !c.leads(snap, req) {
			continue
		}
		next := Offer{URI: f.URI(), Version: f.Version(), Base: f.Hash(), Edit: edits.Edit{Span: edits.Span{Start: c.error.Span.Start, End: c.error.Span.Start}}, Line: f.Raw().LineOf(c.error.Span.Start),
			Title: "Go to the error", Jump: c.error.Message, From: edits.Provenance{Lane: core.BuiltIn, Model: "built-in", Reason: fmt.Sprintf("your last edit caused: %s", c.error.Message)}}
		if elsewhere(snap, req, next) && !n.refused(snap, next) {
			return next, true
		}
	}
	return place.Offer, found
}

// elsewhere reports whether a place is on another line than the cursor.
func elsewhere(snap *workspace.Snapshot, req Request, next Offer) bool {
	o, ok := snap.Overlay(req.URI)
	return !(ok && workspace.Key(next.URI) == workspace.Key(req.URI) && next.Edit.Start >= o.Text.LineStart(o.Text.LineOf(min(req.Offset, o.Text.Len()))) && next.Edit.Start <= o.Text.LineEnd(o.Text.LineOf(min(req.Offset, o.Text.Len()))))
}
