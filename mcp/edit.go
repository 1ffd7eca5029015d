package mcp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/edit"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/language"
	"tandem/workspace/redact"
	"tandem/workspace/terms"
)

// editArgs are the arguments of the tool edit.
type editArgs struct {
	Instruction string   `json:"instruction" jsonschema:"what to change, in a sentence or a few"`
	Files       []string `json:"files" jsonschema:"the existing files to change, paths of the workspace: one request to the model each"`
	Range       string   `json:"range,omitempty" jsonschema:"lines START-END of the only file, from 1"`
	Write       bool     `json:"write,omitempty" jsonschema:"apply the patch if it passed its checks"`
}

// maxFiles is how many files one call changes.
const maxFiles = 8

// divide gives the call to the folder that has the files.
func (in editArgs) divide(all []*folder) ([]part[editArgs], error) {
	of := all[0]
	for i, file := range in.Files {
		w := holding(all, file)
		if i > 0 && w != of {
			return nil, fmt.Errorf("%s and %s are in two folders, %s and %s: change one folder at a time", in.Files[0], file, of.root, w.root)
		}
		of = w
	}
	return []part[editArgs]{{of, in}}, nil
}

func (s *folder) edit(c *call, in editArgs) (string, error) {
	in.Files = distinct(in.Files)
	switch n := len(in.Files); {
	case strings.TrimSpace(in.Instruction) == "" || n == 0:
		return "", errors.New("say in a sentence what to change, and name the files")
	case n > maxFiles:
		return "", fmt.Errorf("%d files at once are too many: name at most %d", n, maxFiles)
	case in.Range != "" && n > 1:
		return "", errors.New("a range is of one file: name that file alone")
	case in.Write && !s.Writes():
		return "", errors.New("the user has not allowed tandem to write for agents ([mcp] write = true in the user's configuration): ask without write and apply the patch yourself")
	}
	select {
	case s.editing <- struct{}{}:
		defer func() { <-s.editing }()
	case <-c.Done():
		return "", c.Err()
	}
	snap, err := s.ready(c, in.Files...)
	if err != nil {
		return "", err
	}
	s.freeze(true)
	defer s.freeze(false)
	for _, file := range in.Files {
		if err := refusal(snap, file); err != nil {
			return "", err
		}
		name := snap.Name(snap.Resolve(file))
		if code, why := snap.MayWrite(name, workspace.Asked{By: workspace.Agent, Files: []string{name}}); in.Write && code != "" {
			return "", &edits.Error{Code: code, Path: name, Message: name + " " + why + "; an agent is never"}
		}
	}
	var proposals []*edit.Proposal
	for i, file := range in.Files {
		p, err := s.editFile(c, file, in, fmt.Sprintf("%s (%d of %d)", file, i+1, len(in.Files)))
		if err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		proposals = append(proposals, p)
	}
	return s.finish(c, proposals, in)
}

// distinct are the files without those that are named again, and without empty names.
func distinct(files []string) (out []string) {
	for _, file := range files {
		if file = path.Clean(strings.TrimSpace(file)); file != "." && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
}

// editFile asks the fast model to change one file, which is open for as long.
func (s *folder) editFile(c *call, file string, in editArgs, doing string) (*edit.Proposal, error) {
	f, err := s.Session.Snapshot().File(file)
	switch {
	case err != nil:
		return nil, err
	case f.Binary() || f.Large():
		return nil, errors.New("it is no text, or too large to be edited")
	}
	span, err := lines(f.Raw(), in.Range)
	if err != nil {
		return nil, err
	}
	uri := f.URI()
	snap := s.Session.Snapshot()
	if _, open := snap.Overlay(uri); !open {
		snap = s.Session.Update(workspace.Opened{URI: uri, Version: 1, Language: language.OfFile(path.Base(uri)), Text: f.Raw()})
		defer s.Session.Update(workspace.Closed{URI: uri})
	}
	s.Engine.Opened(snap, uri)
	defer s.Engine.Closed(uri)
	p, err := s.Engine.Editor.Edit(c, snap, edit.Request{URI: uri, Span: span, Instruction: in.Instruction, By: workspace.Agent, Lane: model.Fast,
		Watch: func(edit.Progress) { c.progress("editing " + doing) }})
	if err != nil { // it may quote the file
		err = errors.New(new(redact.Redactor).Redact(err.Error(), f.Source().Secrets(edits.Span{End: f.Raw().Len()})...).String())
	}
	return p, err
}

var linePattern = regexp.MustCompile(`^\s*(\d{1,9})\s*(?:[-:,]\s*(\d{1,9})\s*)?$`)

// lines is the span of START-END; without a range that of the whole text.
func lines(text edits.Text, of string) (edits.Span, error) {
	if of == "" {
		return edits.Span{End: text.Len()}, nil
	}
	m := linePattern.FindStringSubmatch(of)
	if m == nil {
		return edits.Span{}, fmt.Errorf("the range %q is not START-END, two line numbers from 1", of)
	}
	first, _ := strconv.Atoi(m[1]) // digits
	last := first
	if m[2] != "" {
		last, _ = strconv.Atoi(m[2])
	}
	if first < 1 || last < first || last > text.LineCount() {
		return edits.Span{}, fmt.Errorf("the file has the lines 1-%d, so %s is no range of it", text.LineCount(), of)
	}
	return edits.Span{Start: text.LineStart(first - 1), End: text.LineStart(last)}, nil
}

// finish judges what was made as one change, writes it if that is wanted and allowed, and
// describes it.
func (s *folder) finish(c *call, proposals []*edit.Proposal, in editArgs) (string, error) {
	all := edits.Proposal{Title: proposals[0].Title, Verdict: proposals[0].Verdict}
	var report strings.Builder
	for _, p := range proposals {
		for _, f := range p.Files {
			if slices.ContainsFunc(all.Files, func(o edits.ProposedFile) bool { return o.Path == f.Path }) {
				return "", fmt.Errorf("two of the changes are of %s: ask for one file at a time", f.Path)
			}
		}
		all.Files = append(all.Files, p.Files...)
		fmt.Fprintf(&report, "cost: $%.4f, %s%s, %d + %d tokens\n", p.From.CostUSD, p.From.Model, served(p.From), p.From.PromptTokens, p.From.OutputTokens)
	}
	snap := s.Session.Snapshot()
	changes, err := all.Changes()
	if err != nil {
		return "", err
	}
	asked := workspace.Asked{By: workspace.Agent, Words: in.Instruction}
	for _, file := range in.Files {
		asked.Files = append(asked.Files, snap.Name(snap.Resolve(file)))
	}
	of := s.Engine.Editor.Judge
	if len(proposals) > 1 {
		shown := asked
		shown.Shown = true
		all.Verdict = of.Change(c, snap, changes, judge.Users, shown)
	}
	fmt.Fprintf(&report, "end: %s\n", endOf(&all))
	verdict := all.Judged().Public()
	fmt.Fprintf(&report, "verdict: %s", verdict.State())
	if why := verdict.Reason(); why != "" {
		fmt.Fprintf(&report, ": %s", why)
	}
	report.WriteString("\n")
	for _, f := range verdict.Breaks() {
		fmt.Fprintf(&report, "breaks: %s\n", f.Told())
	}
	if in.Write {
		asked.Also = of.Broken(c, snap, changes, asked)
		if err := s.write(c, snap, &all, proposals, asked); err != nil {
			fmt.Fprintf(&report, "not written: %v\n", err)
		} else {
			fmt.Fprintf(&report, "written: %s\n", terms.Counted(len(all.Files), "file"))
		}
	}
	return report.String() + shownPatch(changes), nil
}

// endOf says how the answers ended.
func endOf(all *edits.Proposal) string {
	if cut := all.Cut(); cut != "" {
		return "cut: " + cut
	}
	return "whole"
}

func (s *folder) write(ctx context.Context, snap *workspace.Snapshot, all *edits.Proposal, proposals []*edit.Proposal, asked workspace.Asked) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, f := range all.Files {
		if _, open := snap.Overlay(snap.Resolve(f.Path)); open {
			return fmt.Errorf("%s has changes in the user's editor that are not saved: they save it first, or you show them the patch", f.Path)
		}
	}
	if err := workspace.WriteProposal(s.root, all, snap.Writes(asked), edits.Consent{RequireJudged: true}); err != nil {
		return err
	}
	for _, p := range proposals {
		s.Engine.Editor.Wrote(p.ID)
	}
	var paths []string
	for _, f := range all.Files {
		if path, ok := workspace.PathOf(snap.Resolve(f.Path)); ok {
			paths = append(paths, path)
		}
	}
	s.Session.Reread(ctx, paths...)
	return nil
}

// served names the model that answered where it is another than the one asked for.
func served(from edits.Provenance) string {
	if from.ServedModel == "" || model.SameModel(from.Model, from.ServedModel) {
		return ""
	}
	return " (" + from.ServedModel + ")"
}

// shownPatch is a unified diff whose secrets are hidden in both texts, so that it shows none
// that stand in its context.
func shownPatch(changes []edits.FileChange) string {
	var out strings.Builder
	var secrets redact.Redactor
	for _, f := range changes {
		f.Before, f.After = secrets.Redact(f.Before).String(), secrets.Redact(f.After).String()
		out.WriteString(edits.UnifiedChange(f))
	}
	if len(redact.Placeholders(out.String())) > 0 {
		out.WriteString("[secrets are hidden in this patch, so it applies with write alone]\n")
	}
	return out.String()
}
