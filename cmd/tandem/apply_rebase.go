package main

import (
	"encoding/json"
	"fmt"

	"tandem/edits"
)

// A utf16Edit is [start, end, text] in UTF-16 units.
type utf16Edit edits.UTF16Edit

func (e *utf16Edit) UnmarshalJSON(data []byte) error {
	triple := [3]any{&e.Start, &e.End, &e.New}
	if err := json.Unmarshal(data, &triple); err != nil {
		return fmt.Errorf("an edit is [start, end, text]: %w", err)
	}
	return nil
}

// rebaseOpts defines how closely the user's typing must agree with the edit.
type rebaseOpts struct {
	Resolution string   `json:"resolution"` // strict or lenient; "" is tandem's default policy
	Window     *[2]int  `json:"window"`     // the part of before in which the edit is valid
	Selection  [][2]int `json:"selection"`  // the carets after the user's edits; null where the editor has none
	Cfg        struct {
		Pairs bool `json:"absorbSubsequenceTyping"`
	} `json:"cfg"`
}

// policy returns the agreement policy of the request.
func (o rebaseOpts) policy() edits.Policy {
	switch o.Resolution {
	case "strict":
		p := edits.StrictPolicy
		p.ClosingPairs = o.Cfg.Pairs
		return p
	case "lenient":
		p := edits.LenientPolicy
		p.ClosingPairs = o.Cfg.Pairs
		return p
	}
	return edits.DefaultPolicy
}

// rebase rebases ours over the user's edits in the one file of the request.
func (r *applyRequest) rebase() (*map[string]string, error) {
	if len(r.Before) != 1 {
		return nil, &edits.Error{Code: edits.CodeParse, Message: fmt.Sprintf("a rebase is about one file; the request has %d", len(r.Before))}
	}
	for name, before := range r.Before {
		c := edits.RebaseCase{Before: before, Ours: wideEdits(r.Ours), User: wideEdits(r.User), Policy: r.Opts.policy(), Sequence: r.Opts.Selection != nil}
		if w, s := r.Opts.Window, r.Opts.Selection; w != nil && len(s) > 0 {
			c.Window, c.Caret = &edits.Span{Start: w[0], End: w[1]}, &edits.Span{Start: s[0][0], End: s[0][1]}
		}
		after, err := c.Run()
		if err != nil {
			return nil, err
		}
		return &map[string]string{name: after}, nil
	}
	return nil, nil
}

func wideEdits(list []utf16Edit) []edits.UTF16Edit {
	out := make([]edits.UTF16Edit, len(list))
	for i, e := range list {
		out[i] = edits.UTF16Edit(e)
	}
	return out
}
