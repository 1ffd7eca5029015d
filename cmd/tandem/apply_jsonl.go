package main

import (
	"errors"
	"strings"

	"tandem/edits"
	reading "tandem/model/answer"
)

// An applyRequest is one line of `tandem apply --jsonl`.
type applyRequest struct {
	ID      any               `json:"id"` // returned unchanged
	Format  string            `json:"format"`
	Dialect string            `json:"dialect"`
	Before  map[string]string `json:"before"`
	Patch   string            `json:"patch"`
	Chunks  []int             `json:"chunks"`
	Opts    applyOpts         `json:"opts"`
	Ours    []utf16Edit       `json:"ours"`
	User    []utf16Edit       `json:"user"`
}

// applyOpts describes the format rules that the answer's writer was given.
type applyOpts struct {
	Exact       bool   `json:"exact"`
	IgnoreNames bool   `json:"ignore_names"`
	Dialect     string `json:"dialect"`
	rebaseOpts
}

// An applyAnswer is one line of its output: After, Edits or Error.
type applyAnswer struct {
	ID    any                `json:"id"`
	After *map[string]string `json:"after,omitempty"`
	Tiers []string           `json:"tiers,omitempty"`
	Edits *[][3]string       `json:"edits,omitempty"`
	Error *lineError         `json:"error,omitempty"`
}

// answer runs one request.
func (r *applyRequest) answer() applyAnswer {
	out := applyAnswer{ID: r.ID}
	var err error
	switch r.Format {
	case "parse":
		out.Edits, err = r.parse()
	case "rebase":
		out.After, err = r.rebase()
	default:
		out.After, out.Tiers, err = r.apply()
	}
	if err != nil {
		return applyAnswer{ID: r.ID, Error: wireError(err)}
	}
	return out
}

func wireError(err error) *lineError {
	var coded *edits.Error
	if errors.As(err, &coded) {
		return &lineError{string(coded.Code), coded.Message}
	}
	return &lineError{string(edits.CodeParse), err.Error()}
}

func (r *applyRequest) apply() (*map[string]string, []string, error) {
	reader := reading.Reader{Format: edits.Format(r.Format), Files: r.Before, Options: r.options()}
	read, err := reader.Read(r.Patch)
	if err != nil {
		return nil, nil, err
	}
	return &read.After, read.Tiers, nil
}

// options converts the request's format rules. Roo's and Cline's tools carry
// the path outside the answer, so the names in the answer are ignored.
func (r *applyRequest) options() edits.Options {
	tool := r.Opts.Dialect == "cline" || r.Opts.Dialect == "roo"
	return edits.Options{
		IgnoreNames: r.Opts.IgnoreNames || tool,
		AnyName:     true,
		Exact:       r.Opts.Exact,
		Verbatim:    r.Opts.Dialect == "cline",
		Replaces:    true, // no file is touched, and a line may be about the tool of its format
		Refuse: func(name string) (edits.Code, string) {
			_, given := r.Before[name]
			return refusedByName(name, given)
		},
	}
}

func (r *applyRequest) parse() (*[][3]string, error) {
	blocks, err := reading.Parse(r.parseFormat(), r.Patch)
	if err != nil {
		return nil, err
	}
	out := [][3]string{}
	for i := range blocks {
		b := &blocks[i]
		if b.Idle() {
			continue
		}
		if b.Path == "" {
			return nil, &edits.Error{Code: edits.CodeParse, Block: b.Number, Message: "a block names no file"}
		}
		out = append(out, [3]string{b.Path, b.OldText(), b.NewText()})
	}
	return &out, nil
}

func (r *applyRequest) parseFormat() edits.Format {
	switch {
	case r.Dialect == "":
		return edits.FormatAuto
	case strings.HasPrefix(r.Dialect, "unified_diff"):
		return edits.FormatUnifiedDiff
	}
	return edits.Format(r.Dialect)
}
