package core

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/syntax"
)

// How long a check may take: what is shown while the user types does not wait for it, what
// the user asked for does.
const (
	WhileTyping = 100 * time.Millisecond
	WhenAsked   = 30 * time.Second
)

// Judge is the verdict on the texts that changes would make: whether they parse, whether
// the names that they introduce exist, and whether they are safe. It waits for what the
// check of names needs until wait is over. A change does not fail for a text that did not
// parse before, nor for where a file is that the user's own request names.
func (c *Core) Judge(ctx context.Context, snap *workspace.Snapshot, changes []edits.FileChange, wait time.Duration, named ...string) edits.Verdict {
	return edits.Judge(changes, c.checkSyntax(changes), c.checkNames(ctx, snap, changes, wait), edits.Safety(changes, named...))
}

// JudgeTyped is Judge for what appears where the user types: a line that opens a block
// may come before the lines of the block. Its verdict is to be shown, and of no texts.
func (c *Core) JudgeTyped(ctx context.Context, snap *workspace.Snapshot, changes []edits.FileChange, wait time.Duration, named ...string) edits.Verdict {
	parsed := c.checkSyntax(changes)
	parsed.Findings = slices.DeleteFunc(parsed.Findings, func(f edits.Finding) bool { return opensBlock(changes, f) })
	return edits.JudgeShown(changes, parsed, c.checkNames(ctx, snap, changes, wait), edits.Safety(changes, named...))
}

// JudgeAlone is Judge without the names, which other changes of the same plan may declare.
func (c *Core) JudgeAlone(changes []edits.FileChange) edits.Verdict {
	return edits.Judge(changes, c.checkSyntax(changes), edits.Safety(changes))
}

func (c *Core) checkNames(ctx context.Context, snap *workspace.Snapshot, changes []edits.FileChange, wait time.Duration) edits.Check {
	out := edits.Check{Kind: edits.CheckNames}
	if c.Names != nil {
		ctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		out.Findings, out.Unknown = c.Names(ctx, snap).Check(changes)
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
			grown += e.Delta()
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
	out := edits.Check{Kind: edits.CheckSyntax}
	if c.Syntax == nil {
		return out
	}
	for _, f := range changes {
		if f.AbsentAfter || c.sound(f) {
			continue
		}
		found, unknown := c.Syntax.Errors(f.Path, f.After)
		if unknown != nil && !errors.Is(unknown, syntax.ErrNoParser) {
			out.Unknown = append(out.Unknown, unknown.Error())
		}
		if len(found) == 0 {
			continue
		}
		if before, _ := c.Syntax.Errors(f.Path, f.Before); !f.AbsentBefore && len(before) > 0 {
			out.Unknown = append(out.Unknown, f.Path+" did not parse before either")
			continue
		}
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

// WithImports adds to changes the imports that they lack and that have exactly
// one candidate.
func (c *Core) WithImports(ctx context.Context, snap *workspace.Snapshot, changes []edits.FileChange, wait time.Duration) []edits.FileChange {
	if c.Names == nil {
		return changes
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	names := c.Names(ctx, snap)
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
