package judge

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
)

// A silencer is a comment by which an author has every checker pass over a whole file. One that
// lists kinds of finding is none, unless names that are bound nowhere are among them.
type silencer struct {
	mark string         // in its line: a text without it is not read
	line *regexp.Regexp // its line
	head bool           // it counts before all code alone
}

var (
	noqa      = regexp.MustCompile(`(?i)^[ \t]*(#[ \t]*(?:flake8|ruff)[ \t]*[:=][ \t]*noqa(?:[ \t]*:.*\b(?:F|F8|F82|F821|ALL)\b.*)?)[ \t]*$`)
	noCheck   = silencer{"@ts-nocheck", regexp.MustCompile(`^[ \t]*(/[/*]+[ \t]*@ts-nocheck\b)`), true}
	silencers = map[string][]silencer{
		"python": {
			{"flake8", noqa, false},
			{"ruff", noqa, false},
			{"pylint:", regexp.MustCompile(`^[ \t]*(#[ \t]*pylint:[ \t]*(?:skip|disable)-file)\b`), false},
			{"mypy:", regexp.MustCompile(`^[ \t]*(#[ \t]*mypy:(?:.*,)?[ \t]*ignore[-_]errors(?:[ \t]*=[ \t]*[Tt]rue)?)[ \t]*(?:,.*)?$`), false},
			{"pyre-ignore-all-errors", regexp.MustCompile(`^[ \t]*(#[ \t]*pyre-ignore-all-errors)[ \t]*$`), false},
			{"type:", regexp.MustCompile(`^[ \t]*(#[ \t]*type:[ \t]*ignore)[ \t]*(?:#.*)?$`), true},
		},
		"typescript": {noCheck}, "typescriptreact": {noCheck}, "javascript": {noCheck}, "javascriptreact": {noCheck},
	}
)

// silence is where a text has such a comment.
func silence(file, text string) (at edits.Span, ok bool) {
	lang := language.OfFile(filepath.Base(file))
	list := slices.DeleteFunc(slices.Clone(silencers[lang]), func(s silencer) bool { return !strings.Contains(text, s.mark) })
	if len(list) == 0 {
		return edits.Span{}, false
	}
	head := true
	for _, t := range language.Tokens(lang, text) {
		if t.Kind != language.Comment {
			head = head && t.Kind == language.Newline
			continue
		}
		start := strings.LastIndexByte(text[:t.Start], '\n') + 1
		line, _, _ := strings.Cut(text[start:], "\n")
		for _, s := range list {
			m := s.line.FindStringSubmatchIndex(strings.TrimRight(line, "\r"))
			if m != nil && start+m[2] == t.Start && (head || !s.head) {
				return edits.Span{Start: t.Start, End: start + m[3]}, true
			}
		}
	}
	return edits.Span{}, false
}

// Suppressed is the kind of a warning that a change makes checkers silent.
const Suppressed = "suppressed"

// passesOver reports whether a file's author has it passed over, which the report then tells; of
// a change that does so it warns.
func (r *Report) passesOver(c edits.FileChange) bool {
	at, ok := silence(c.Path, c.After)
	if !ok {
		return false
	}
	comment := c.After[at.Start:at.End]
	r.Silenced = append(r.Silenced, "names in "+c.Path+" are not judged: its author silenced it with "+comment)
	if _, before := silence(c.Path, c.Before); !before {
		r.Silencing = append(r.Silencing, edits.Finding{Path: c.Path, Span: at, Kind: Suppressed, Severity: "warning", Message: "the change itself silences every check of the file: " + comment})
	}
	return true
}
