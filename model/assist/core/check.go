package core

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/syntax"
)

// Check checks the texts that changes would make: whether they parse, whether the
// names that they introduce exist, and whether they are safe. A change does not fail
// for a text that did not parse before.
func (c *Core) Check(snap *workspace.Snapshot, changes []edits.FileChange) []edits.Check {
	out := []edits.Check{c.checkSyntax(changes)}
	if c.Names != nil {
		found, unknown := c.Names(snap).Check(changes)
		out = append(out, edits.Check{Kind: edits.CheckNames, OK: !slices.ContainsFunc(found, IsError), Findings: found, Unknown: unknown})
	}
	return append(out, edits.Safety(changes))
}

// CheckTyped is check for what appears where the user types: a line that opens a block
// may come before the lines of the block.
func (c *Core) CheckTyped(snap *workspace.Snapshot, changes []edits.FileChange) []edits.Check {
	out := c.Check(snap, changes)
	for i := range out {
		if out[i].Kind == edits.CheckSyntax {
			out[i].Findings = slices.DeleteFunc(out[i].Findings, func(f edits.Finding) bool { return opensBlock(changes, f) })
			out[i].OK = len(out[i].Findings) == 0
		}
	}
	return out
}

// opensBlock reports whether all that a finding lacks is the block of a line that an edit
// ends with. A change that takes lines away may have taken the block.
func opensBlock(changes []edits.FileChange, f edits.Finding) bool {
	if f.Message != syntax.MissingBlock {
		return false
	}
	for _, c := range changes {
		if c.Path != f.Path || written(c.After) < written(c.Before) {
			continue
		}
		grown := 0 // how much longer the edits before this one made the text
		for i, e := range c.Edits {
			end := e.Start + grown + len(e.New)
			if strings.TrimSpace(e.New) != "" && end <= f.Span.Start && strings.TrimSpace(c.After[end:f.Span.Start]) == "" {
				was, is := 0, 0
				for _, e := range c.Edits[i:] {
					was, is = was+written(c.Before[e.Start:e.End]), is+written(e.New)
				}
				return was <= is
			}
			grown += len(e.New) - e.Len()
		}
	}
	return false
}

// written is how many lines of a text are not blank.
func written(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

func (c *Core) checkSyntax(changes []edits.FileChange) edits.Check {
	out := edits.Check{Kind: edits.CheckSyntax, OK: true}
	if c.Syntax == nil {
		return out
	}
	for _, f := range changes {
		if f.AbsentAfter || c.sound(f) {
			continue
		}
		found, unknown := c.Syntax.Errors(f.Path, f.After)
		if unknown != nil {
			out.Unknown = append(out.Unknown, unknown.Error())
		}
		if len(found) == 0 {
			continue
		}
		if before, _ := c.Syntax.Errors(f.Path, f.Before); !f.AbsentBefore && len(before) > 0 {
			out.Unknown = append(out.Unknown, f.Path+" did not parse before either")
			continue
		}
		out.OK = false
		out.Findings = append(out.Findings, found...)
	}
	return out
}

// A regional syntax reports whether the code around a change parses by itself.
type regional interface {
	Sound(file, text string, changed edits.Span) bool
}

// sound reports whether a change is known to parse without a parse of its whole file.
// In a large file that parse is most of the cost of a completion.
func (c *Core) sound(f edits.FileChange) bool {
	near, ok := c.Syntax.(regional)
	if !ok || f.AbsentBefore || len(f.Edits) != 1 {
		return false
	}
	start := f.Edits[0].Start
	return near.Sound(f.Path, f.After, edits.Span{Start: start, End: start + len(f.Edits[0].New)})
}

func IsError(f edits.Finding) bool { return f.Severity == "error" }

// Failing returns the errors of the check of a kind, if it failed.
func Failing(checks []edits.Check, kind edits.CheckKind) []edits.Finding {
	for _, c := range checks {
		if c.Kind == kind && !c.OK {
			return slices.DeleteFunc(slices.Clone(c.Findings), func(f edits.Finding) bool { return !IsError(f) })
		}
	}
	return nil
}

// WithImports adds to changes the imports that they lack and that have exactly
// one candidate.
func (c *Core) WithImports(snap *workspace.Snapshot, changes []edits.FileChange) []edits.FileChange {
	if c.Names == nil {
		return changes
	}
	names := c.Names(snap)
	out := slices.Clone(changes)
	for i, f := range out {
		if f.AbsentAfter {
			continue
		}
		added := names.Imports(f)
		if len(added) == 0 {
			continue
		}
		after, err := edits.Apply(edits.NewText(f.After), added)
		if err != nil {
			continue
		}
		out[i].After = after.String()
		out[i].Edits = edits.Diff(f.Before, out[i].After)
	}
	return out
}
