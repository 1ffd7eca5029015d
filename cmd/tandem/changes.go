package main

import (
	"cmp"
	"context"
	"errors"
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
// check what tandem check finds in it, and in sentences what it could not judge. Nothing of it
// leaves the machine.
func (s *server) changes(ctx context.Context, base string, check bool) (files []lsp.ChangedFile, unjudged []string, err error) {
	snap := s.app.session.Snapshot()
	repos, done, err := repositories(ctx, snap)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	var all []git.Change
	for _, repo := range repos {
		found, err := s.changesIn(ctx, snap, repo, base)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, found...)
	}
	files, unjudged = s.listed(ctx, snap, all, check)
	return files, unjudged, nil
}

func (s *server) changesIn(ctx context.Context, snap *workspace.Snapshot, repo folderRepo, base string) ([]git.Change, error) {
	rev, moment := cmp.Or(base, "HEAD"), state.Moment{}
	switch base {
	case baseMergeBase:
		var err error
		if rev, err = repo.MergeBase(ctx, upstream...); err != nil {
			return nil, err
		}
	case baseMoment:
		record, err := s.changesRecord(repo.folders[0])
		if err != nil {
			return nil, err
		}
		kept := record.Read().Moment
		if kept == nil {
			return nil, errNoMoment
		}
		rev, moment = kept.Revision, *kept
	}
	found, err := repo.since(ctx, snap, rev, (*workspace.Snapshot).File, func(string, error) {})
	if err != nil {
		return nil, err
	}
	return momentary(found, moment, func(name string) (string, error) { return readForCheck(snap, snap.Resolve(name)) }), nil
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
func (s *server) listed(ctx context.Context, snap *workspace.Snapshot, found []git.Change, check bool) (out []lsp.ChangedFile, unjudged []string) {
	var changes []edits.FileChange
	for _, c := range found {
		f := edits.FileChange{Path: c.Path, Before: c.Before, After: c.After, AbsentBefore: c.AbsentBefore, AbsentAfter: c.AbsentAfter}
		same := c.Before == c.After && c.AbsentBefore == c.AbsentAfter
		if c.Unread != nil || same || strings.Contains(c.After, "\x00") {
			continue
		}
		uri := workspace.URIOf(snap.Resolve(c.Path))
		if o, ok := snap.Overlay(uri); ok {
			uri = o.URI
		}
		out, changes = append(out, lsp.ChangedFile{URI: uri, Change: f}), append(changes, f)
	}
	if !check {
		return out, nil
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
	return out, r.unjudged()
}

// marks is what the person has said of hunks. The first folder's record keeps it for all.
func (s *server) marks() map[string]string {
	record, err := s.changesRecord(nil)
	if err != nil {
		return nil
	}
	return record.Read().Marks
}

// changesRecord is what is kept of reviewing a folder, nil the first.
func (s *server) changesRecord(folder *workspace.View) (*state.Changes, error) {
	views := s.app.session.Snapshot().Views()
	if s.app.store == nil || len(views) == 0 {
		return nil, errors.New("nothing can be kept: there is no state folder, which tandem doctor explains")
	}
	return s.app.store.Changes(cmp.Or(folder, views[0]).Root), nil
}

// mark implements lsp.Deps.Mark; an empty mark takes it away.
func (s *server) mark(id, mark string) error {
	record, err := s.changesRecord(nil)
	if err != nil {
		return err
	}
	return record.Change(func(r *state.ChangesRecord) {
		if r.Marks[id] = mark; mark == "" {
			delete(r.Marks, id)
		}
	})
}

// markMoment implements lsp.Deps.MarkMoment: the texts of all folders as they are become a base.
func (s *server) markMoment(ctx context.Context) error {
	snap := s.app.session.Snapshot()
	repos, done, err := repositories(ctx, snap)
	if err != nil {
		return err
	}
	defer done()
	for _, repo := range repos {
		record, err := s.changesRecord(repo.folders[0])
		if err != nil {
			return err
		}
		moment, err := momentOf(ctx, snap, repo)
		if err != nil {
			return err
		}
		if err := record.Change(func(r *state.ChangesRecord) { r.Moment = moment }); err != nil {
			return err
		}
	}
	return nil
}

func momentOf(ctx context.Context, snap *workspace.Snapshot, repo folderRepo) (*state.Moment, error) {
	m := &state.Moment{Texts: map[string]string{}, Absent: map[string]bool{}}
	var err error
	if m.Revision, err = repo.Head(ctx); err != nil {
		return nil, err
	}
	found, err := repo.since(ctx, snap, m.Revision, (*workspace.Snapshot).File, func(string, error) {})
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		if c.AbsentAfter {
			m.Absent[c.Path] = true
		} else {
			m.Texts[c.Path] = c.After
		}
	}
	return m, nil
}
