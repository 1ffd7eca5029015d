package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/disk"
	"tandem/workspace/judge"
)

// ignoring is a comment that suppresses findings of a kind, with its reason.
var ignoring = regexp.MustCompile(`tandem:ignore[ \t]+([a-z_]+)[ \t]+(\S.*)`)

// filter drops the findings that nobody asked for: of other kinds, suppressed by a comment, or
// of the baseline. A comment that the change itself adds becomes a warning.
func (r *checkReport) filter(o checkOptions, changes []edits.FileChange) error {
	known, err := readBaseline(o.baseline)
	if err != nil {
		return err
	}
	before := map[string]edits.FileChange{}
	for _, f := range changes {
		before[f.Path] = f
	}
	var kept []edits.Finding
	for _, f := range r.found {
		comment, span := r.suppressing(f)
		change, added := before[f.Path], false
		if comment != "" && !o.whole {
			added = !strings.Contains(change.Before, comment)
		}
		switch {
		case len(o.only) > 0 && !slices.Contains(o.only, f.Kind), known[baselineOf(f)]:
		case comment != "" && added:
			kept = append(kept, edits.Finding{Path: f.Path, Span: span, Kind: judge.Suppressed, Severity: severityWarning, Name: f.Name, Message: "the change itself suppresses: " + f.Message})
		case comment != "":
		default:
			kept = append(kept, f)
		}
	}
	r.found = kept
	if o.writeBaseline == "" {
		return nil
	}
	var out strings.Builder
	for _, f := range r.found {
		if err := json.NewEncoder(&out).Encode(baselineOf(f)); err != nil {
			return err
		}
	}
	if err := writeNamed(o.writeBaseline, []byte(out.String()), 0o644); err != nil {
		return exit(exitUsage, fmt.Errorf("the baseline %s cannot be written: %w", o.writeBaseline, err))
	}
	r.found = nil
	return nil
}

// suppressing is the comment that suppresses a finding, on its line or the one above.
func (r *checkReport) suppressing(f edits.Finding) (comment string, at edits.Span) {
	text := r.texts[f.Path]
	line := text.LineOf(f.Span.Start)
	for _, n := range []int{line, line - 1} {
		if n < 0 {
			continue
		}
		start := text.LineStart(n)
		s := text.Slice(edits.Span{Start: start, End: text.LineEnd(n)})
		if m := ignoring.FindStringSubmatchIndex(s); m != nil && s[m[2]:m[3]] == f.Kind {
			return s[m[0]:m[1]], edits.Span{Start: start + m[0], End: start + m[1]}
		}
	}
	return "", edits.Span{}
}

// A baselined is a finding that is known: it has no line, so that it stays known where lines move.
type baselined struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
	Name string `json:"name"`
}

func baselineOf(f edits.Finding) baselined { return baselined{f.Path, f.Kind, f.Name} }

func readBaseline(file string) (map[baselined]bool, error) {
	if file == "" {
		return nil, nil
	}
	data, err := disk.ReadFile(file, disk.MaxNamed)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("there is no such file; --write-baseline writes one")
		}
		return nil, exit(exitUsage, fmt.Errorf("the baseline %s: %w", file, cause(err)))
	}
	out := map[baselined]bool{}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		var b baselined
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &b); err != nil {
			return nil, exit(exitUsage, fmt.Errorf("the baseline %s: line %d is no finding: %w", file, n, err))
		}
		out[b] = true
	}
	return out, nil
}
