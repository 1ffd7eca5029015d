package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/assist/ask"
	"tandem/workspace"
	"tandem/workspace/window"
)

// contextArgs are the arguments of the tool context.
type contextArgs struct {
	Words   string `json:"words,omitempty" jsonschema:"a question, search words, names, or an error message with its trace"`
	File    string `json:"file,omitempty" jsonschema:"a path of the workspace"`
	Line    int    `json:"line,omitempty" jsonschema:"a line of file, from 1: the function there, what it calls, its callers and tests"`
	Column  int    `json:"column,omitempty" jsonschema:"a column of line in bytes, from 1; only for a purpose"`
	Purpose string `json:"purpose,omitempty" jsonschema:"another selection of code, such as edit, fix, test or review; normally left out"`
	Budget  int    `json:"budget,omitempty" jsonschema:"the most tokens of the result, 256 to 7000; 2000 if left out"`
}

const (
	purposeContext = "context"
	maxBudget      = 7_000
)

// divide asks the folder that has the file; for words each folder, with its part of the budget.
func (in contextArgs) divide(all []*folder) ([]part[contextArgs], error) {
	if in.File != "" {
		return []part[contextArgs]{{holding(all, in.File), in}}, nil
	}
	if len(all) > 1 {
		in.Budget = cmp.Or(in.Budget, window.DefaultBudget(purposeContext)) / len(all)
	}
	var parts []part[contextArgs]
	for _, w := range all {
		parts = append(parts, part[contextArgs]{w, in})
	}
	return parts, nil
}

func (s *folder) context(c *call, in contextArgs) (string, error) {
	if strings.TrimSpace(in.Words) == "" && in.File == "" {
		return "", errors.New("give words, or a file with a line")
	}
	snap, err := s.ready(c, in.File)
	if err != nil {
		return "", err
	}
	if in.File != "" {
		if err := refusal(snap, in.File); err != nil {
			return "", err
		}
		f, err := snap.File(in.File)
		switch {
		case err != nil:
			return "", err
		case f.Binary() || f.Large():
			return "", fmt.Errorf("%s is no text in UTF-8, or too large to be shown", in.File)
		case in.Line < 0 || in.Line > f.Raw().LineCount():
			return "", fmt.Errorf("%s has the lines 1-%d, and no line %d", in.File, f.Raw().LineCount(), in.Line)
		}
	}
	if in.Purpose != "" && !slices.Contains(window.Purposes(), in.Purpose) {
		return "", fmt.Errorf("%q is no purpose: it is one of %s", in.Purpose, strings.Join(window.Purposes(), ", "))
	}
	req := window.Request{Words: in.Words, Purpose: in.Purpose, Search: s.Search}
	switch {
	case in.Purpose != "" && in.Purpose != purposeContext:
		req.URI, req.Span = placeOf(snap, in)
	case in.File != "":
		req.At = fmt.Sprintf("%s:%d", snap.Name(snap.Resolve(in.File)), max(in.Line, 0))
	}
	if in.Budget == 0 {
		in.Budget = window.DefaultBudget(purposeContext)
	}
	text, left, err := ask.Functions(c, snap, req, min(max(in.Budget, window.MinBudget), maxBudget), ask.Plain)
	switch {
	case err != nil:
		return "", err
	case text == "" && req.At != "":
		return "", errors.New("there is nothing to show of this file")
	case text == "":
		return "", errors.New(snap.Absent("nothing in the workspace has these words: try names or words that the code would use", left))
	case !left.None():
		text += "\n" + left.String() + "\n"
	}
	return text, nil
}

// placeOf is the document and the offset of a request for a purpose.
func placeOf(snap *workspace.Snapshot, in contextArgs) (uri string, at edits.Span) {
	f, err := snap.File(in.File)
	if err != nil {
		return in.File, at
	}
	text := f.Raw()
	line := min(max(in.Line, 1), text.LineCount())
	offset := min(text.LineStart(line-1)+max(in.Column, 1)-1, text.LineEnd(line-1))
	return in.File, edits.Span{Start: offset, End: offset}
}
