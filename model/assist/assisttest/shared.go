package assisttest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/names"
)

// Source is the text of main.go in most tests: two functions.
const Source = "package main\n\nfunc alpha() int {\n\treturn 1\n}\n\nfunc beta() int {\n\treturn 2\n}\n"

// DocumentOf is an open document with a text.
func DocumentOf(text string) *workspace.Overlay {
	return &workspace.Overlay{URI: "untitled:a", Language: "go", Version: 1, Text: edits.NewText(text)}
}

// Refused is why an answer is refused: the code of an edits.Error, the words of another error,
// "" for none.
func Refused(err error) string {
	if refused, ok := errors.AsType[*edits.Error](err); ok {
		return string(refused.Code)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// Large is a document of more lines than the window of an edit holds.
func Large() string {
	var b strings.Builder
	b.WriteString("package main\n\nvar numbers = []int{\n")
	for n := range 4000 {
		fmt.Fprintf(&b, "\t%d, // the number %d\n", n, n)
	}
	b.WriteString("}\n")
	return b.String()
}

// EditFormats are the formats in which models are asked to write edits.
var EditFormats = []string{"search_replace", "rewrite", "apply_patch"}

// ChangeOf is a change of a file by replacements, each of which stands there once.
func ChangeOf(path, before string, pairs ...string) edits.FileChange {
	after := strings.NewReplacer(pairs...).Replace(before)
	return edits.FileChange{Path: path, Before: before, After: after, Edits: edits.Diff(before, after)}
}

// LineEnds are the ends of lines, by name.
var LineEnds = map[string]string{"LF": "\n", "CRLF": "\r\n"}

// LineStarts are the offsets at which the lines of a text start.
func LineStarts(text string) []int {
	out := []int{0}
	for i, c := range text {
		if c == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

// Insert is an edit that adds a text.
func Insert(at int, s string) edits.Edit {
	return edits.Edit{Span: edits.Span{Start: at, End: at}, New: s}
}

// LastOf is the last message of a request.
func LastOf(req *model.Request) string { return req.Input[len(req.Input)-1].Text.String() }

// Swap is an edit of one line of a file, as models write it.
func Swap(file, old, new string) string {
	return file + "\n<<<<<<< SEARCH\n" + old + "\n=======\n" + new + "\n>>>>>>> REPLACE\n"
}

// LookFiles are what a model can look at besides main.go.
var LookFiles = map[string]string{
	"go.mod":       "module example.com/m\n",
	".env":         "KEY=value\n",
	"lib/far.go":   "package lib\n\n// Limit is far away.\nfunc Limit() int {\n\treturn 77\n}\n",
	"lib/count.go": "package lib\n\ntype Counter interface {\n\tCount() int\n}\n\ntype Far struct{}\n\nfunc (f Far) Count() int { return Limit() }\n",
	"lib/long.txt": strings.Repeat("a line that is as long as lines of code are, about eighty letters, so far so good\n", 400),
}

// HunkNumber is the number of a hunk, as parts of proposals have it.
func HunkNumber(n int) *int { return &n }

// Names are names of files that a test knows.
type Names struct {
	// Wrong is what is wrong in a text; inserted is what a change inserted into it.
	Wrong func(text, inserted string) []edits.Finding
	// Lacks are the edits on a text that add the imports it lacks.
	Lacks func(text string) []edits.Edit
	// Fixed are the fixes of a finding.
	Fixed func(found edits.Finding) []names.Fix
}

// Judging is a judge of such names alone.
func Judging(n Names) *judge.Judge { return &judge.Judge{Names: n} }

func (n Names) Find(_ context.Context, _ *workspace.Snapshot, _ names.Stage, files []names.File) (out names.Verdict) {
	for _, f := range files {
		inserted := ""
		for _, s := range f.Changed {
			inserted += f.Text[s.Start:s.End]
		}
		if n.Wrong != nil && len(f.Look) > 0 {
			for _, found := range n.Wrong(f.Text, inserted) {
				found.Path = f.Path
				out.Findings = append(out.Findings, found)
			}
		}
	}
	return out
}

func (n Names) Imports(_ *workspace.Snapshot, f names.File, _ []edits.Finding) []edits.Edit {
	if n.Lacks == nil {
		return nil
	}
	return n.Lacks(f.Text)
}

func (n Names) Fixes(_ *workspace.Snapshot, _ names.File, found edits.Finding) []names.Fix {
	if n.Fixed == nil {
		return nil
	}
	return n.Fixed(found)
}
