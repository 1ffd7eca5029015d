package assist

import (
	"slices"

	"tandem/edits"
	"tandem/workspace"
)

// maxLog bounds how many changes of a document are kept for proposals that were
// requested before the changes and arrive after them.
const maxLog = 2000

// A textLog holds the changes of a document's text, version by version.
type textLog struct{ changes []logged }

type logged struct {
	version int32
	edits   []edits.Edit // one after another
}

func (l *textLog) add(version int32, list []edits.Edit) {
	l.changes = append(l.changes, logged{version, list})
	if over := len(l.changes) - maxLog; over > 0 {
		l.changes = slices.Delete(l.changes, 0, over)
	}
}

// since returns the changes that came after a version, oldest first.
func (l *textLog) since(version int32) []logged {
	for i, c := range l.changes {
		if c.version > version {
			return l.changes[i:]
		}
	}
	return nil
}

// rebase applies a change of a document to every live proposal on it: the proposal is
// moved, or shortened if the user typed what it proposes, or ended.
func (s *proposals) rebase(uri string, version int32, list []edits.Edit) {
	s.textMu.Lock()
	defer s.textMu.Unlock()
	log := s.logs[uri]
	if log == nil {
		log = &textLog{}
		s.logs[uri] = log
	}
	log.add(version, list)
	for _, id := range s.touching(uri) {
		_, _ = s.update(id, func(p *Proposal) { p.carry(uri, version, list) })
	}
}

// carry rebases a proposal over edits of one of its documents, each made to the text
// after the one before.
func (p *Proposal) carry(uri string, version int32, list []edits.Edit) {
	i := slices.Index(p.Documents, uri)
	files := slices.Clone(p.Files)
	for _, user := range list {
		next, err := files[i].RebaseOn([]edits.Edit{user})
		if err != nil {
			p.State, p.Err = Stale, err
			return
		}
		files[i] = next
	}
	files[i].Version = version
	p.Files = files
	if len(p.Files) > 0 && p.Done() {
		p.State = Accepted
	}
}

// ready gives a live proposal its files, rebased over all changes of the documents
// since snap, so that it is never older than they are.
func (s *proposals) ready(id string, snap *workspace.Snapshot, changes []edits.FileChange, tiers []string, checks []edits.Check, more func(*Proposal)) error {
	s.textMu.Lock()
	defer s.textMu.Unlock()
	p, err := s.update(id, func(p *Proposal) {
		p.State, p.Checks = Ready, checks
		p.Files, p.Documents = files(snap, changes, tiers)
		more(p)
		for i, uri := range p.Documents {
			log := s.logs[uri]
			if log == nil || p.State != Ready {
				continue
			}
			for _, c := range log.since(p.Files[i].Version) {
				p.carry(uri, c.version, c.edits)
			}
		}
	})
	if err == nil && p.State == Stale {
		return p.Err
	}
	return err
}
