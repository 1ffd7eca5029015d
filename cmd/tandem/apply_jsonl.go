package main

import (
	"encoding/json"
	"errors"
	"strings"

	"tandem/edits"
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
	blocks, err := parseAnswer(edits.Format(r.Format), r.pieces())
	if err != nil {
		return nil, nil, err
	}
	after, tiers, err := edits.ApplyBlocks(blocks, r.Before, r.options())
	return &after, tiers, err
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
	}
}

func (r *applyRequest) parse() (*[][3]string, error) {
	blocks, err := parseAnswer(r.parseFormat(), r.pieces())
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

// pieces cuts the patch at the sizes in the request.
func (r *applyRequest) pieces() []string {
	var out []string
	rest := r.Patch
	for _, n := range r.Chunks {
		n = min(max(n, 0), len(rest))
		out = append(out, rest[:n])
		rest = rest[n:]
	}
	return append(out, rest)
}

// parseAnswer parses an answer that comes in pieces. A str_replace answer may
// be a JSON list instead of text; edits does not decode JSON, so it is done here.
func parseAnswer(format edits.Format, pieces []string) ([]edits.Block, error) {
	if format == edits.FormatStrReplace || format == edits.FormatAuto {
		if list, ok, err := replacementList(strings.Join(pieces, "")); ok {
			return edits.ReplacementBlocks(list), err
		}
	}
	p := edits.NewParser(format)
	for _, piece := range pieces {
		p.Write(piece)
	}
	return p.Close()
}

// replacementList decodes a JSON list of replacements, or a single one, with a
// code fence or without. ok is false for an answer that is not JSON.
func replacementList(answer string) (list []edits.Replacement, ok bool, err error) {
	text := strings.TrimSpace(answer)
	if fenced, found := strings.CutPrefix(text, "```"); found {
		_, fenced, _ = strings.Cut(fenced, "\n")
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(fenced), "```"))
	}
	if !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "{") || !strings.Contains(text, `"old`) {
		return nil, false, nil
	}
	if strings.HasPrefix(text, "{") {
		text = "[" + text + "]"
	}
	var wire []wireReplacement
	if err := json.Unmarshal([]byte(text), &wire); err != nil {
		return nil, true, jsonError(err)
	}
	for _, w := range wire {
		list = append(list, w.replacement())
	}
	return list, true, nil
}

func jsonError(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input" {
		return &edits.Error{Code: edits.CodeTruncated, Message: "the list of replacements stops before its end"}
	}
	return &edits.Error{Code: edits.CodeParse, Message: "the list of replacements is no JSON list: " + err.Error()}
}

// A wireReplacement is an entry of a str_replace list, with the field names of
// the common tools.
type wireReplacement struct {
	Path       string `json:"path"`
	FilePath   string `json:"file_path"`
	Old        string `json:"old"`
	OldString  string `json:"old_string"`
	OldStr     string `json:"old_str"`
	OldText    string `json:"old_text"`
	New        string `json:"new"`
	NewString  string `json:"new_string"`
	NewStr     string `json:"new_str"`
	NewText    string `json:"new_text"`
	ReplaceAll bool   `json:"replace_all"`
	Line       int    `json:"line"`
}

func (w wireReplacement) replacement() edits.Replacement {
	return edits.Replacement{
		Path:     first(w.Path, w.FilePath),
		Old:      first(w.Old, w.OldString, w.OldStr, w.OldText),
		New:      first(w.New, w.NewString, w.NewStr, w.NewText),
		All:      w.ReplaceAll,
		LineHint: w.Line,
	}
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
