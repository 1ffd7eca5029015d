package edits

import (
	"errors"
	"fmt"
	"slices"
)

// ErrNoHunk means that a proposal has no hunk with the requested number.
var ErrNoHunk = errors.New("the proposal has no such change: list its changes again")

// A Proposal is edits to one or more files together with the bases they were
// made against and what was checked. It is never applied without its base. Its
// methods do not change it; they return a new Proposal.
type Proposal struct {
	ID     string
	Title  string
	Files  []ProposedFile
	Checks []Check
	From   Provenance
}

// A ProposedFile is what a proposal does to one file: the edits turn Base into
// the file's new text. Create and Delete mean that the file does not exist
// before or after.
type ProposedFile struct {
	Path    string // workspace-relative with slashes, or a document's URI
	Version int32  // the open document's version that Base is, or 0 for a file on disk
	Base    Text
	Edits   []Edit
	Create  bool
	Delete  bool
	Tier    string // how the edits were located: exact, trailing_space, indent, trim, unicode, escapes, fuzzy

	undo    []Edit // on Base: takes back the hunks that were accepted
	created bool   // accepting a hunk created the file
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
	Path      string
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
		AbsentBefore: f.Create, AbsentAfter: f.Delete, Edits: f.Edits,
	}, nil
}

// Done reports whether nothing is left to do to the file.
func (f ProposedFile) Done() bool { return len(f.Edits) == 0 && !f.Create && !f.Delete }

// Hunks lists the parts of the file's change in the order of the text. A created
// or deleted file is one hunk.
func (f ProposedFile) Hunks() []Hunk {
	if f.Create || f.Delete {
		return []Hunk{{Path: f.Path, Edits: f.Edits, Span: Span{0, f.Base.Len()}, LastLine: f.Base.LineCount() - 1}}
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
		out = append(out, Hunk{Path: f.Path, Edits: f.Edits[i : i+1], Span: e.Span, FirstLine: first, LastLine: last})
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
		next.Edits, next.Create = nil, false // the user's edits are the proposal's own
	} else if rest, others := f.without(base, user, func(h Hunk) bool { return alike(h, user) }); rest.Base.Equal(base) {
		next.Edits = rest.Edits
	} else if next.Edits, err = Rebase(rest.Base, rest.Edits, others); err != nil {
		return f, fmt.Errorf("%s: %w", f.Path, err)
	}
	if next.undo, err = Rebase(f.Base, f.undo, user); err != nil {
		next.undo = nil // what was accepted is now part of the user's text
	}
	return next, nil
}

// Accept splits hunk n of Hunks from the file: change is what accepting it
// does, and rest is what is left, about the text with the hunk.
func (f ProposedFile) Accept(n int) (change FileChange, rest ProposedFile, err error) {
	hunks := f.Hunks()
	if n < 0 || n >= len(hunks) {
		return FileChange{}, f, ErrNoHunk
	}
	one := f
	one.Edits = hunks[n].Edits
	if change, err = one.Change(); err != nil {
		return FileChange{}, f, err
	}
	rest = f
	rest.Base = NewText(change.After)
	rest.Create, rest.Delete, rest.created = false, false, f.created || f.Create
	rest.Edits = others(f.Edits, hunks[n].Edits)
	rest.undo = Compose(Invert(f.Base, one.Edits), f.undo)
	if f.Delete {
		rest.undo = []Edit{{New: f.Base.String()}}
	}
	return change, rest, nil
}

// others moves the edits that are not in taken over those that are.
func others(all, taken []Edit) []Edit {
	var out []Edit
	shift := 0
	for _, e := range all {
		if slices.Contains(taken, e) {
			shift += e.delta()
			continue
		}
		e.Span = Span{e.Start + shift, e.End + shift}
		out = append(out, e)
	}
	return out
}

// Reject is the change that takes back, byte for byte, the hunks of the file
// that were accepted; ok is false where there are none.
func (f ProposedFile) Reject() (change FileChange, ok bool, err error) {
	if len(f.undo) == 0 && !f.created {
		return FileChange{}, false, nil
	}
	back := ProposedFile{Path: f.Path, Base: f.Base, Edits: f.undo, Delete: f.created}
	change, err = back.Change()
	return change, err == nil, err
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

// Hunks lists the hunks of all files, in the order of Files.
func (p *Proposal) Hunks() []Hunk {
	var out []Hunk
	for _, f := range p.Files {
		out = append(out, f.Hunks()...)
	}
	return out
}

// Accept splits hunk n of Hunks from the proposal.
func (p *Proposal) Accept(n int) (change FileChange, rest *Proposal, err error) {
	for i, f := range p.Files {
		if hunks := len(f.Hunks()); n >= hunks {
			n -= hunks
			continue
		}
		change, file, err := f.Accept(n)
		if err != nil {
			return FileChange{}, nil, err
		}
		return change, p.with(i, file), nil
	}
	return FileChange{}, nil, ErrNoHunk
}

// Reject lists the changes that take back what was accepted of the proposal.
func (p *Proposal) Reject() ([]FileChange, error) {
	var out []FileChange
	for _, f := range p.Files {
		change, ok, err := f.Reject()
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, change)
		}
	}
	return out, nil
}

// Done reports whether nothing is left to do.
func (p *Proposal) Done() bool {
	return !slices.ContainsFunc(p.Files, func(f ProposedFile) bool { return !f.Done() })
}

// RebaseOn carries the proposal over the user's edits to one file, which then
// has that version. A path that the proposal does not touch changes nothing.
func (p *Proposal) RebaseOn(path string, version int32, user []Edit) (*Proposal, error) {
	i := slices.IndexFunc(p.Files, func(f ProposedFile) bool { return f.Path == path })
	if i < 0 {
		return p, nil
	}
	file, err := p.Files[i].RebaseOn(user)
	if err != nil {
		return nil, err
	}
	file.Version = version
	return p.with(i, file), nil
}

// Merge adapts the proposal to any changes of its files: current maps
// paths to their texts now, and files that it does not name are as they were.
// It is a three-way merge of the bases, the proposal and current, all or
// nothing; the error joins one sentence for every file that conflicts.
func (p *Proposal) Merge(current map[string]Text) (*Proposal, error) {
	next := p.with(-1, ProposedFile{})
	var conflicts []error
	for i, f := range p.Files {
		now, ok := current[f.Path]
		if !ok || now.Equal(f.Base) {
			continue
		}
		file, err := f.RebaseOn(Diff(f.Base.String(), now.String()))
		if err != nil {
			conflicts = append(conflicts, err)
			continue
		}
		next.Files[i] = file
	}
	if len(conflicts) > 0 {
		return nil, errors.Join(conflicts...)
	}
	return next, nil
}

// with copies the proposal with another file i, if i is not negative.
func (p *Proposal) with(i int, f ProposedFile) *Proposal {
	next := *p
	next.Files = slices.Clone(p.Files)
	if i >= 0 {
		next.Files[i] = f
	}
	return &next
}
