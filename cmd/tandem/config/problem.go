package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
)

// A Problem is one error in a configuration file, as a sentence.
type Problem struct {
	File    string
	Line    int // 1-based; 0 if the problem has no line
	Message string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message)
}

// An Error holds all problems of a configuration, one per line.
type Error struct {
	Problems []Problem
	// Managed reports that one of them is in the administrator's file, so that
	// nobody knows what is allowed: no model may be asked.
	Managed bool
}

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// problems collects what is wrong with files, notes of what in them is ignored, and rules of
// the administrator's that this version does not know.
type problems struct {
	list, notes []Problem
	newer       []Problem // each message is the rule
	version     string    // of this program
}

// here is the version in parentheses, for what another version may know.
func (p *problems) here() string {
	if p.version == "" {
		return ""
	}
	return " (tandem " + p.version + ")"
}

func (p *problems) add(file string, line int, format string, args ...any) {
	p.list = append(p.list, Problem{file, line, fmt.Sprintf(format, args...)})
}

// at adds a problem at the place of an origin.
func (p *problems) at(o Origin, format string, args ...any) {
	p.add(o.File, o.Line, format, args...)
}

// unknown takes what this version does not know. In a user's own file it is a mistake. In
// the administrator's it is a rule that must not be loosened, or ignored, as in the settings
// of an editor, whose extension may be newer.
func (p *problems) unknown(o Origin, name, mistake string) (ignored bool) {
	switch {
	case o.Source == FromLocked:
		p.newer = append(p.newer, Problem{o.File, o.Line, "locked." + name})
	case o.Source == FromManaged && strings.HasPrefix(name, "policy."):
		p.newer = append(p.newer, Problem{o.File, o.Line, name})
	case o.Source == FromManaged, o.Source == FromEditor:
		p.note(o, fmt.Sprintf("%s is ignored: %s", name, mistake))
	default:
		p.at(o, "%s", mistake)
		return false
	}
	return true
}

// unknownWord is unknown for a word that a setting does not take.
func (p *problems) unknownWord(o Origin, key string, s *Setting, word string) (ignored bool) {
	mistake := fmt.Sprintf("%s cannot be %q%s: it is one of %s", key, word, p.here(), strings.Join(s.Values, ", "))
	switch gone := removedValue(s, word); {
	case gone != nil:
		p.note(o, gone.Said())
		return true
	case s.Essential:
		p.at(o, "%s", mistake)
		return false
	}
	return p.unknown(o, fmt.Sprintf("%s = %q", key, word), mistake)
}

// note adds what is ignored at the place of an origin, once for each file.
func (p *problems) note(o Origin, message string) {
	if !slices.ContainsFunc(p.notes, func(n Problem) bool { return n.File == o.File && n.Message == message }) {
		p.notes = append(p.notes, Problem{o.File, o.Line, message})
	}
}

// of is err for one file.
func (p *problems) of(file string) error {
	one := problems{list: slices.DeleteFunc(slices.Clone(p.list), func(p Problem) bool { return p.File != file })}
	return one.err()
}

// err returns nil or an *Error with the problems in the order of their lines.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	slices.SortStableFunc(p.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	return &Error{Problems: slices.Compact(p.list)}
}

// nearest returns the candidate closest to name, or "" if none is near.
func nearest(name string, candidates []string) string {
	best, bestDistance := "", max(2, (len(name)+1)/2)
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if d := edits.Distance(strings.ToLower(name), strings.ToLower(c), bestDistance); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// didYouMean returns the part of a message that names the nearest candidate, or
// all candidates if none is near.
func didYouMean(what, name string, candidates []string) string {
	if n := nearest(name, candidates); n != "" {
		return fmt.Sprintf("; the nearest %s is %q", what, n)
	}
	if len(candidates) == 0 {
		return ""
	}
	return fmt.Sprintf("; there is %s", strings.Join(slices.Sorted(slices.Values(candidates)), ", "))
}
