package edit

import (
	"errors"
	"io/fs"
	"slices"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// A base states which text a file of a proposal applies to. The text itself is the
// Base of the file; generation and revision say which text of an open document it is,
// and are 0 while the document is not open.
type base struct {
	key                  string
	generation, revision uint64
}

func baseOf(o *workspace.Overlay) base {
	return base{workspace.Key(o.URI), o.Generation, o.Revision}
}

// follow brings every live proposal on a document to its current text: it is moved, or
// shortened if the user typed what it proposes, or ended.
func (s *proposals) follow(d *core.Document) {
	for _, id := range s.touching(d.Key) {
		_, _ = s.update(id, func(p *Proposal) {
			if i := p.file(d.Key); i >= 0 { // steered meanwhile, it has no files
				p.settle(i, d)
			}
		})
	}
}

// closed lets the live proposals on a document keep its last text alone.
func (s *proposals) closed(d *core.Document) {
	for _, id := range s.touching(d.Key) {
		_, _ = s.update(id, func(p *Proposal) {
			if i := p.file(d.Key); i >= 0 && !p.Drafted(i) {
				p.unpin(i)
			}
		})
	}
}

// ready gives a live proposal its files, each settled on the current text of its
// document, so that it is never older than they are.
func (s *proposals) ready(id string, docs *core.Documents, snap *workspace.Snapshot, changes []edits.FileChange, verdict edits.Verdict, more func(*Proposal)) error {
	docs.Texts.Lock()
	defer docs.Texts.Unlock()
	p, err := s.update(id, func(p *Proposal) {
		p.State, p.Verdict = Ready, verdict
		p.Files, p.Documents, p.bases = files(snap, changes)
		p.whole = p.Files
		more(p)
		for i := range p.bases {
			p.settle(i, docs.At(p.bases[i].key))
		}
	})
	if err == nil && p.State == Stale {
		return p.Err
	}
	return err
}

// Current judges a proposal's files that are not open by the texts that a snapshot has
// for them.
func (s *proposals) Current(id string, snap *workspace.Snapshot) (*Proposal, error) {
	p, err := s.get(id)
	if err != nil || !slices.ContainsFunc(p.bases, func(b base) bool { return b.generation == 0 }) {
		return p, err
	}
	return s.update(id, func(p *Proposal) {
		for i, b := range p.bases {
			if b.generation != 0 || p.State != Ready {
				continue
			}
			text, err := core.TextNow(snap, b.key)
			switch {
			case err == nil:
				p.merge(i, text)
			case errors.Is(err, fs.ErrNotExist) && p.Files[i].Done():
			case !errors.Is(err, fs.ErrNotExist) || !p.Files[i].Create:
				p.giveUp(i, err)
			}
		}
		if p.State == Ready && p.Done() {
			p.State = Accepted
		}
	})
}

// file returns the index of the file with a key.
func (p *Proposal) file(key string) int {
	return slices.IndexFunc(p.bases, func(b base) bool { return b.key == key })
}

// Drafted reports whether the host draws what file i becomes, and writes it itself.
func (p *Proposal) Drafted(i int) bool {
	return p.Request.Draft && p.bases[i].key == workspace.Key(p.Request.URI)
}

// pin records which text of an open document a file applies to; unpin that it is not
// open.
func (p *Proposal) pin(i int, b base, version int32) {
	p.bases, p.Files = slices.Clone(p.bases), slices.Clone(p.Files)
	p.bases[i], p.Files[i].Version = b, version
}

func (p *Proposal) unpin(i int) { p.pin(i, base{key: p.bases[i].key}, 0) }

// settle brings a file to the current text of its document, which is nil if it is not
// open: by the changes of that life alone where they lead there, else by text.
func (p *Proposal) settle(i int, d *core.Document) {
	if p.State != Ready || p.Drafted(i) {
		return
	}
	if d == nil {
		p.unpin(i)
		return
	}
	changes, known := d.Log.Since(p.bases[i].revision)
	if p.bases[i].generation != d.Generation || !known {
		p.merge(i, d.Text)
	} else {
		for _, user := range changes {
			p.rebase(i, []edits.Edit{user})
		}
	}
	p.pin(i, base{d.Key, d.Generation, d.Log.Last()}, d.Version)
	if p.State == Ready && p.Done() {
		p.State = Accepted
	}
}

// giveUp gives up a file of which nothing fits any more: that of a task alone, else the
// proposal.
func (p *Proposal) giveUp(i int, err error) {
	if p.Task.ID == "" {
		p.State, p.Err = Stale, err
		return
	}
	f := p.Files[i]
	p.conflicted(i, edits.ProposedFile{Path: f.Path, Base: f.Base, Version: f.Version}, []edits.Conflict{{Path: f.Path, Message: err.Error()}})
}

// conflicted takes a file of which a part does not fit. A proposal of which nothing is
// left has ended.
func (p *Proposal) conflicted(i int, next edits.ProposedFile, conflicts []edits.Conflict) {
	p.Files = slices.Clone(p.Files)
	p.Files[i] = next
	p.Task.Conflicts = append(slices.Clone(p.Task.Conflicts), conflicts...)
	if p.Done() {
		p.State, p.Err = Stale, &model.Error{Code: model.CodeRefused, Message: "Nothing of the result fits the files as they are now: " + Listed(p.Task.Conflicts) + "."}
	}
}

// mergeHunks brings a file of a task's result to another text, hunk by hunk.
func (p *Proposal) mergeHunks(i int, text edits.Text) {
	change, err := p.Files[i].Change()
	if err != nil {
		p.giveUp(i, err)
		return
	}
	next, conflicts := edits.Settle(change, text, true)
	next.Version = p.Files[i].Version
	if len(conflicts) > 0 {
		p.conflicted(i, next, conflicts)
		return
	}
	p.Files = slices.Clone(p.Files)
	p.Files[i] = next
}

// merge rebases a file over what makes its base another text.
func (p *Proposal) merge(i int, text edits.Text) {
	if p.State == Ready && p.Task.ID != "" {
		if !p.Files[i].Base.Equal(text) {
			p.mergeHunks(i, text)
		}
		return
	}
	was, now := p.Files[i].Base.String(), text.String()
	if was != now {
		p.rebase(i, edits.Diff(was, now))
	}
}

// rebase carries a file over edits of its base, or ends the proposal.
func (p *Proposal) rebase(i int, user []edits.Edit) {
	if p.State != Ready {
		return
	}
	next, err := p.Files[i].RebaseOn(user)
	if err != nil && p.Task.ID != "" {
		if now, failed := edits.Apply(p.Files[i].Base, user); failed == nil {
			p.mergeHunks(i, now)
			return
		}
	}
	if err != nil {
		p.State, p.Err = Stale, err
		return
	}
	p.Files = slices.Clone(p.Files)
	p.Files[i] = next
}
