package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/lsp"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// The bases of tandem.changes that are no revisions.
const (
	baseMergeBase = "merge-base"
	baseMoment    = "moment" // that the person marked
)

// upstream are the branches that a merge base is looked for with.
var upstream = []string{"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master", "main", "master"}

// errNoMoment is a base that was never marked.
var errNoMoment = errors.New("no moment is marked yet: mark one before an agent begins")

// changes implements lsp.Deps.Changes: what differs from a base, whoever wrote it, and with
// check what tandem check finds in it. Nothing of it leaves the machine.
func (s *server) changes(ctx context.Context, base string, check bool) ([]lsp.ChangedFile, error) {
	snap := s.app.session.Snapshot()
	folder, err := firstFolder(snap)
	if err != nil {
		return nil, err
	}
	repo, err := git.Open(ctx, folder.Root)
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	rev, moment := cmp.Or(base, "HEAD"), state.Moment{}
	switch {
	case base == baseMergeBase:
		rev, err = repo.MergeBase(ctx, upstream...)
	case base == baseMoment:
		kept := s.reviewed().Moment
		if kept == nil {
			return nil, errNoMoment
		}
		rev, moment = kept.Revision, *kept
	}
	if err != nil {
		return nil, err
	}
	found, err := s.app.since(ctx, snap, rev, (*workspace.Snapshot).File, func(string, error) {})
	if err != nil {
		return nil, err
	}
	return s.listed(ctx, snap, repo.Root, momentary(found, moment, func(name string) (string, error) { return readForCheck(snap, filepath.Join(repo.Root, name)) }), check), nil
}

// momentary replaces the texts before by those of a moment.
func momentary(found []git.Change, m state.Moment, read func(string) (string, error)) []git.Change {
	seen := map[string]bool{}
	for i, c := range found {
		seen[c.Path] = true
		if text, ok := m.Texts[c.Path]; ok {
			found[i].Before, found[i].AbsentBefore, found[i].Unread = redact.Completed(text, c.After), false, nil
		} else if m.Absent[c.Path] {
			found[i].Before, found[i].AbsentBefore = "", true
		}
	}
	again := func(c git.Change) { // it is now as in the revision
		if now, err := read(c.Path); !seen[c.Path] && err == nil {
			c.Before, c.After = redact.Completed(c.Before, now), now
			found = append(found, c)
		}
	}
	for path, text := range m.Texts {
		again(git.Change{Path: path, Before: text})
	}
	for path := range m.Absent {
		again(git.Change{Path: path, AbsentBefore: true})
	}
	return found
}

// listed are changes of text as the editor's server shows them.
func (s *server) listed(ctx context.Context, snap *workspace.Snapshot, root string, found []git.Change, check bool) []lsp.ChangedFile {
	var out []lsp.ChangedFile
	var changes []edits.FileChange
	for _, c := range found {
		f := edits.FileChange{Path: c.Path, Before: c.Before, After: c.After, AbsentBefore: c.AbsentBefore, AbsentAfter: c.AbsentAfter}
		same := c.Before == c.After && c.AbsentBefore == c.AbsentAfter
		if c.Unread != nil || same || strings.Contains(c.After, "\x00") {
			continue
		}
		uri := workspace.URIOf(filepath.Join(root, filepath.FromSlash(c.Path)))
		if o, ok := snap.Overlay(uri); ok {
			uri = o.URI
		}
		out, changes = append(out, lsp.ChangedFile{URI: uri, Change: f}), append(changes, f)
	}
	if !check {
		return out
	}
	r := newCheckReport()
	changes = r.readable(changes)
	r.take(snap, changes, s.app.judge.Report(ctx, snap, changes, judge.Users))
	for _, f := range r.found {
		i := slices.IndexFunc(out, func(c lsp.ChangedFile) bool { return c.Change.Path == f.Path })
		if i < 0 { // it uses what the changes withdraw
			text := r.texts[f.Path].String()
			i, out = len(out), append(out, lsp.ChangedFile{URI: workspace.URIOf(snap.Resolve(f.Path)), Change: edits.FileChange{Path: f.Path, Before: text, After: text}})
		}
		out[i].Findings = append(out[i].Findings, f)
	}
	return out
}

// reviewed is what the person has said of the changes in this folder.
func (s *server) reviewed() state.ChangesRecord {
	record, err := s.changesRecord()
	if err != nil {
		return state.ChangesRecord{}
	}
	return record.Read()
}

func (s *server) changesRecord() (*state.Changes, error) {
	views := s.app.session.Snapshot().Views()
	if s.app.store == nil || len(views) == 0 {
		return nil, errors.New("nothing can be kept: there is no state folder, which tandem doctor explains")
	}
	return s.app.store.Changes(views[0].Root), nil
}

// mark implements lsp.Deps.Mark; an empty mark takes it away.
func (s *server) mark(id, mark string) error {
	record, err := s.changesRecord()
	if err != nil {
		return err
	}
	return record.Change(func(r *state.ChangesRecord) {
		if r.Marks[id] = mark; mark == "" {
			delete(r.Marks, id)
		}
	})
}

// markMoment implements lsp.Deps.MarkMoment: the texts as they are become a base.
func (s *server) markMoment(ctx context.Context) error {
	record, err := s.changesRecord()
	if err != nil {
		return err
	}
	snap := s.app.session.Snapshot()
	folder, err := firstFolder(snap)
	if err != nil {
		return err
	}
	repo, err := git.Open(ctx, folder.Root)
	if err != nil {
		return err
	}
	defer repo.Close()
	m := &state.Moment{Texts: map[string]string{}, Absent: map[string]bool{}}
	if m.Revision, err = repo.Head(ctx); err != nil {
		return err
	}
	found, err := s.app.since(ctx, snap, m.Revision, (*workspace.Snapshot).File, func(string, error) {})
	if err != nil {
		return err
	}
	for _, c := range found {
		if c.AbsentAfter {
			m.Absent[c.Path] = true
		} else {
			m.Texts[c.Path] = c.After
		}
	}
	return record.Change(func(r *state.ChangesRecord) { r.Moment = m })
}
