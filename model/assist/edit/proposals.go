package edit

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
)

// maxProposals bounds how many finished proposals are remembered.
const maxProposals = 64

// proposals holds every proposal of the session by id, and carries the live
// ones over what the user types. Each change makes a new value: a *Proposal
// that was returned never changes.
type proposals struct {
	mu     sync.Mutex // guards all below
	byID   map[string]*Proposal
	order  []string
	life   string // of the process: part of every id
	next   int
	done   []*acceptance   // what was accepted, the newest last
	series *acceptance     // of next edits that nothing was typed after; nil: none
	notify func(*Proposal) // called without mu held
}

func newProposals(life string, notify func(*Proposal)) *proposals {
	return &proposals{byID: map[string]*Proposal{}, life: life, notify: notify}
}

// open adds a new proposal and returns it.
func (s *proposals) open(p Proposal) *Proposal {
	s.mu.Lock()
	s.next++
	p.ID = "p" + s.life + strconv.Itoa(s.next)
	s.byID[p.ID] = &p
	s.order = append(s.order, p.ID)
	s.forget()
	s.mu.Unlock()
	s.notify(&p)
	return &p
}

// forget drops the oldest proposals that can no longer be accepted.
func (s *proposals) forget() {
	over := len(s.order) - maxProposals
	s.order = slices.DeleteFunc(s.order, func(id string) bool {
		if over <= 0 || s.byID[id].State.Live() {
			return false
		}
		over--
		delete(s.byID, id)
		return true
	})
}

// Live reports whether the proposal can still be accepted, now or later.
func (s State) Live() bool { return s == Streaming || s == Checking || s == Ready }

// get returns the current value of a proposal.
func (s *proposals) get(id string) (*Proposal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.byID[id]; p != nil {
		return p, nil
	}
	return nil, unknownProposal(id)
}

// asked returns the last proposal for the same request that a model has answered, or nil.
func (s *proposals) asked(req Request) *Proposal {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range slices.Backward(s.order) {
		if p := s.byID[id]; p.Request.same(req) && p.record.Len() > 0 {
			return p
		}
	}
	return nil
}

// same reports whether two requests want the same of a document.
func (r Request) same(o Request) bool {
	return workspace.Key(r.URI) == workspace.Key(o.URI) && r.Kind == o.Kind && r.Instruction == o.Instruction
}

// unknownProposal is the error for an id that was never given or whose proposal has
// been dropped for newer ones.
func unknownProposal(id string) error {
	return &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("There is no suggestion %q any more; ask for it again.", id)}
}

// update applies change to a copy of a live proposal, stores it and returns it. A
// proposal that has ended does not change. The proposal is nil only with an error.
func (s *proposals) update(id string, change func(*Proposal)) (*Proposal, error) {
	s.mu.Lock()
	p := s.byID[id]
	switch {
	case p == nil:
		s.mu.Unlock()
		return nil, unknownProposal(id)
	case !p.State.Live():
		s.mu.Unlock()
		return p, nil
	}
	next := *p
	change(&next)
	s.byID[id] = &next
	if next.State == Accepted {
		s.series = nil
		s.accepted(&acceptance{id: id, task: next.Task.ID, title: next.Title, files: next.whole})
	}
	s.mu.Unlock()
	s.notify(&next)
	return &next, nil
}

// revive lets a proposal that was ready or failed take a new answer.
func (s *proposals) revive(id string, run *editRun) {
	s.mu.Lock()
	p := s.byID[id]
	if p == nil {
		s.mu.Unlock()
		return
	}
	next := *p
	next.Request, next.asked = run.req, baseOf(run.overlay)
	next.State, next.Err, next.Files, next.Documents, next.bases, next.Verdict = Streaming, nil, nil, nil, nil, edits.Verdict{}
	s.byID[id] = &next
	s.mu.Unlock()
	s.notify(&next)
}

// touching returns the ids of the live, located proposals that edit a document.
func (s *proposals) touching(uri string) []string {
	key := workspace.Key(uri)
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, id := range s.order {
		p := s.byID[id]
		if p.State.Live() && p.file(key) >= 0 {
			out = append(out, id)
		}
	}
	return out
}

// allReady are the proposals that wait for the user's decision.
func (s *proposals) allReady() []*Proposal {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Proposal
	for _, id := range s.order {
		if p := s.byID[id]; p.State == Ready {
			out = append(out, p)
		}
	}
	return out
}
