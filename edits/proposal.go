package edits

import (
	"fmt"
	"slices"
)

// A Proposal is edits to one or more files together with the bases they were
// made against and what was checked. It is never applied without its base. Its
// methods do not change it; they return a new Proposal.
type Proposal struct {
	ID      string
	Title   string
	Files   []ProposedFile
	Verdict Verdict // of the texts that it made when it was judged: Judged compares them
	From    Provenance
}

// Judged is the verdict on the texts that the proposal makes as it is now: after a rebase
// it is "not judged" until somebody judges again. A file that nothing is left to do to
// holds its text already.
func (p *Proposal) Judged() Verdict {
	changes, err := p.Changes()
	if err != nil {
		return Verdict{}
	}
	return p.Verdict.Of(changes)
}

// Cut says how much of the proposal's answer came and what cut it, as a clause; "" if the answer
// is whole.
func (p *Proposal) Cut() string {
	for _, f := range p.Files {
		for _, d := range f.Doubts {
			if d.Kind == Stopped || d.Kind == Cut {
				return d.Why
			}
		}
	}
	return ""
}

// A ProposedFile is what a proposal does to one file: the edits turn Base into
// the file's new text. Create and Delete mean that the file does not exist
// before or after; both are set where a deletion is Done.
type ProposedFile struct {
	Path    string // workspace-relative with slashes, or a document's URI
	Version int32  // the open document's version that Base is, or 0 for a file on disk
	Base    Text
	Edits   []Edit
	Create  bool
	Delete  bool
	Form    Form
	Doubts  []Doubt // as FileChange has them
}

// Provenance is who made a proposal and what it cost.
type Provenance struct {
	Lane, Model, ServedModel string
	Reason                   string // why this lane was chosen, as text
	PromptTokens             int
	OutputTokens             int
	CachedTokens             int
	FirstTokenMs             float64
	TokensPerSecond          float64
	CostUSD                  float64
}

// A Hunk is a part of a proposal that can be accepted alone: the edits of one
// file between which no line is left unchanged.
type Hunk struct {
	Edits     []Edit // on the file's Base
	Span      Span   // of Base, from the first edit's start to the last one's end
	FirstLine int    // of Base, from 0, that the edits touch
	LastLine  int
}

// After is the file's new text, empty for a file that is deleted.
func (f ProposedFile) After() (Text, error) {
	if f.Delete {
		return Text{}, nil
	}
	return Apply(f.Base, f.Edits)
}

// Change is the file before and after.
func (f ProposedFile) Change() (FileChange, error) {
	after, err := f.After()
	if err != nil {
		return FileChange{}, fmt.Errorf("%s: %w", f.Path, err)
	}
	return FileChange{
		Path: f.Path, Before: f.Base.String(), After: after.String(),
		AbsentBefore: f.Create, AbsentAfter: f.Delete, Form: f.Form, Edits: f.Edits, Doubts: f.Doubts,
	}, nil
}

// Done reports whether nothing is left to do to the file.
func (f ProposedFile) Done() bool {
	return len(f.Edits) == 0 && f.Create == f.Delete && (f.Form.Mode == Unsaid || f.Create)
}

// Hunks lists the parts of the file's change in the order of the text. A created
// or deleted file is one hunk.
func (f ProposedFile) Hunks() []Hunk {
	if f.Create != f.Delete {
		return []Hunk{{Edits: f.Edits, Span: Span{0, f.Base.Len()}, LastLine: f.Base.LineCount() - 1}}
	}
	var out []Hunk
	for i, e := range f.Edits {
		first, last := f.Base.LineOf(e.Start), f.Base.LineOf(max(e.Start, e.End-1))
		if n := len(out); n > 0 && first <= out[n-1].LastLine+1 {
			h := &out[n-1]
			h.Edits = f.Edits[i-len(h.Edits) : i+1]
			h.Span.End, h.LastLine = e.End, max(last, h.LastLine)
			continue
		}
		out = append(out, Hunk{Edits: f.Edits[i : i+1], Span: e.Span, FirstLine: first, LastLine: last})
	}
	return out
}

// RebaseOn carries the file's edits over edits that the user made to Base.
// The error wraps ErrStale where the two conflict. The caller sets Version.
func (f ProposedFile) RebaseOn(user []Edit) (ProposedFile, error) {
	base, err := Apply(f.Base, user)
	if err != nil {
		return f, fmt.Errorf("%s: %w", f.Path, err)
	}
	switch {
	case f.Delete && !base.Equal(f.Base):
		return f, fmt.Errorf("%s: %w: it is to be deleted and you changed it; ask again", f.Path, ErrStale)
	case f.Delete:
		return f, nil
	}
	next := f
	next.Base = base
	if after, err := f.After(); err == nil && after.Equal(base) {
		next.Edits, next.Create, next.Form = nil, false, Form{} // the user's edits are the proposal's own
	} else if rest, others := f.without(base, user, func(h Hunk) bool { return alike(h, user) }); rest.Base.Equal(base) {
		next.Edits = rest.Edits
	} else if next.Edits, err = Rebase(rest.Base, rest.Edits, others); err != nil {
		return f, fmt.Errorf("%s: %w", f.Path, err)
	}
	return next, nil
}

// others moves the edits that are not in taken over those that are.
func others(all, taken []Edit) []Edit {
	var out []Edit
	shift := 0
	for _, e := range all {
		if slices.Contains(taken, e) {
			shift += e.Delta()
			continue
		}
		e.Span = Span{e.Start + shift, e.End + shift}
		out = append(out, e)
	}
	return out
}

// Changes lists what accepting all of the proposal does, or an error and
// nothing: it is all or nothing.
func (p *Proposal) Changes() ([]FileChange, error) {
	out := make([]FileChange, 0, len(p.Files))
	for _, f := range p.Files {
		change, err := f.Change()
		if err != nil {
			return nil, err
		}
		out = append(out, change)
	}
	return out, nil
}

// Done reports whether nothing is left to do.
func (p *Proposal) Done() bool {
	return !slices.ContainsFunc(p.Files, func(f ProposedFile) bool { return !f.Done() })
}
