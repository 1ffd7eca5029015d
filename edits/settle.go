package edits

import (
	"errors"
	"fmt"
	"slices"
)

// A Conflict is a part of a result that does not fit the text as it is now.
type Conflict struct {
	Path    string
	Line    int // of the text that the step saw, from 1; 0 for the whole file
	Message string
}

// JoinChanges joins the changes of steps, in the order in which the steps ended, to one
// change for each path: from the text that the first of them saw to that after the last.
func JoinChanges(steps ...[]FileChange) []FileChange {
	var out []FileChange
	for _, changes := range steps {
		for _, c := range changes {
			i := slices.IndexFunc(out, func(o FileChange) bool { return o.Path == c.Path })
			if i < 0 {
				out = append(out, c)
				continue
			}
			out[i].After, out[i].AbsentAfter, out[i].Form = c.After, c.AbsentAfter, out[i].Form.under(c.Form)
			out[i].Edits = Diff(out[i].Before, out[i].After)
			out[i].Doubts = slices.Concat(out[i].Doubts, c.Doubts)
		}
	}
	for i, c := range out { // what was made and moved on comes from where that came from
		for made := slices.IndexFunc(out, func(o FileChange) bool { return o.Path == c.Form.From && o.AbsentBefore && o.AbsentAfter }); made >= 0; made = -1 {
			out[i].Form = out[made].Form.under(c.Form)
		}
	}
	out = slices.DeleteFunc(out, FileChange.idle)
	slices.SortFunc(out, func(a, b FileChange) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	return out
}

// idle reports whether nothing is different after the change.
func (c FileChange) idle() bool {
	return c.Before == c.After && c.AbsentBefore == c.AbsentAfter && (c.Form.Mode == Unsaid || c.AbsentBefore)
}

// Settle carries a change over to the text that its file has now (exists is false where
// there is none). What the text already holds is left out, and what does not fit is a
// conflict, hunk by hunk; the rest is in the file that is returned, whose Done reports
// whether nothing is left to do.
func Settle(c FileChange, now Text, exists bool) (ProposedFile, []Conflict) {
	f := c.Proposed()
	whole := func(format string, args ...any) (ProposedFile, []Conflict) {
		return ProposedFile{Path: c.Path, Base: now}, []Conflict{{Path: c.Path, Message: c.Path + fmt.Sprintf(format, args...)}}
	}
	done := ProposedFile{Path: c.Path, Base: now}
	switch {
	case !exists && f.Delete, exists && !f.Delete && now.String() == c.After:
		return done, nil
	case !exists && f.Create:
		return f, nil
	case !exists:
		return whole(" does not exist any more")
	case f.Create:
		return whole(" exists by now, with another text")
	case f.Delete && now.String() != c.Before:
		return whole(" is to be deleted and has changed")
	}
	next, stale := f.Merge(now)
	var conflicts []Conflict
	for _, s := range stale {
		conflicts = append(conflicts, Conflict{c.Path, s.Hunk.FirstLine + 1, fmt.Sprintf("%s:%d: %s", c.Path, s.Hunk.FirstLine+1, conflictReason(s.Err))})
	}
	return next, conflicts
}

// Inverse is the change that takes a change back.
func (c FileChange) Inverse() FileChange {
	return FileChange{Path: c.Path, Before: c.After, After: c.Before, AbsentBefore: c.AbsentAfter, AbsentAfter: c.AbsentBefore, Edits: Diff(c.After, c.Before)}
}

// Proposed is a change as the file of a proposal, hunk by hunk.
func (c FileChange) Proposed() ProposedFile {
	return ProposedFile{Path: c.Path, Base: NewText(c.Before), Edits: Diff(c.Before, c.After), Create: c.AbsentBefore, Delete: c.AbsentAfter, Form: c.Form, Doubts: c.Doubts}
}

// conflictReason is a conflict in words, without the prefix that every one has.
func conflictReason(err error) string {
	var known *Error
	if errors.As(err, &known) && known.Code != CodeStale {
		return known.Message
	}
	return "the text has changed where this change goes"
}

// Carry carries the changes of steps, in the order in which they were done, over to the
// texts that files have now. Each change that is returned is about the text after those
// before it; what the texts hold already is left out.
func Carry(steps [][]FileChange, now func(path string) (Text, bool)) ([][]FileChange, []Conflict) {
	type file struct {
		text   Text
		exists bool
		taken  int // how many of the steps the text holds already
	}
	files := map[string]*file{}
	of := func(path string) *file {
		if f := files[path]; f != nil {
			return f
		}
		f := &file{}
		f.text, f.exists = now(path)
		for n := len(steps); n > 0 && f.taken == 0; n-- {
			if holds(steps[:n], path, f.text, f.exists) {
				f.taken = n
			}
		}
		files[path] = f
		return f
	}
	out := make([][]FileChange, len(steps))
	var conflicts []Conflict
	for n, changes := range steps {
		for _, c := range changes {
			f := of(c.Path)
			if n < f.taken {
				continue
			}
			p, stale := Settle(c, f.text, f.exists)
			conflicts = append(conflicts, stale...)
			if p.Done() {
				continue
			}
			after, err := p.After()
			if err != nil {
				conflicts = append(conflicts, Conflict{c.Path, 0, err.Error()})
				continue
			}
			next := FileChange{Path: c.Path, Before: f.text.String(), After: after.String(), AbsentBefore: !f.exists, AbsentAfter: p.Delete, Form: p.Form, Edits: p.Edits, Doubts: p.Doubts}
			if p.Delete {
				next.After = ""
			}
			out[n] = append(out[n], next)
			f.text, f.exists = NewText(next.After), !p.Delete
		}
	}
	return out, conflicts
}

// holds reports whether a text has all that steps changed in a file, so that a later step
// may have changed it once more.
func holds(steps [][]FileChange, path string, text Text, exists bool) bool {
	last := steps[len(steps)-1]
	if !slices.ContainsFunc(last, func(c FileChange) bool { return c.Path == path }) {
		return false
	}
	for _, c := range JoinChanges(steps...) {
		if c.Path == path {
			p, stale := Settle(c, text, exists)
			return p.Done() && len(stale) == 0
		}
	}
	return false
}

// Pick returns what is left to do of the changes of steps, or of one step alone (only is
// its index, negative for all), about the texts that files have now. Of all steps it lists
// each file, also one that is Done, since the verdict is on all of their texts.
func Pick(steps [][]FileChange, only int, now func(path string) (Text, bool)) ([]ProposedFile, []Conflict) {
	if only < 0 {
		carried, conflicts := Carry(steps, now)
		var out []ProposedFile
		for _, c := range JoinChanges(carried...) {
			out = append(out, c.Proposed())
		}
		for _, c := range JoinChanges(steps...) {
			if !slices.ContainsFunc(out, func(f ProposedFile) bool { return f.Path == c.Path }) {
				text, exists := now(c.Path)
				out = append(out, ProposedFile{Path: c.Path, Base: text, Create: !exists, Delete: !exists})
			}
		}
		return out, conflicts
	}
	var out []ProposedFile
	var conflicts []Conflict
	for _, c := range steps[only] {
		text, exists := now(c.Path)
		if heldLater(steps, only, c.Path, text, exists) {
			continue
		}
		f, stale := Settle(c, text, exists)
		conflicts = append(conflicts, stale...)
		if !f.Done() {
			out = append(out, f)
		}
	}
	return out, conflicts
}

// heldLater reports whether a text has what the steps up to a later one changed.
func heldLater(steps [][]FileChange, from int, path string, text Text, exists bool) bool {
	for n := len(steps); n > from; n-- {
		if holds(steps[:n], path, text, exists) {
			return true
		}
	}
	return false
}
