package prompt

import (
	"errors"
	"fmt"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/window"
)

// Seen is what of one file a model was shown.
type Seen struct {
	Lines map[int]bool    // by number, from 1
	Texts map[string]bool // lines of fragments that show a part of their range, trimmed
}

// seenOf returns what a conversation shows of each file that is still so.
func seenOf(r conversation.Record, now func(path string) string) map[string]*Seen {
	out := map[string]*Seen{}
	for path, f := range r.Seen() {
		s := &Seen{Lines: map[int]bool{}, Texts: map[string]bool{}}
		out[path] = s
		same, _ := f.Now(now(path))
		for _, p := range same {
			for n := p.First; n <= p.Last && p.Whole(); n++ {
				s.Lines[n] = true
			}
			for line := range strings.Lines(p.Text.String()) {
				s.Texts[strings.TrimSpace(line)] = true
			}
		}
	}
	return out
}

// line reports whether a line, counted from 1, was shown by its number or its text.
func (s *Seen) line(number int, text string) bool {
	return s != nil && s.Lines[number] || s.text(text)
}

func (s *Seen) text(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || s != nil && s.Texts[line]
}

// showed reports whether the model was shown a line of a file, counted from 0, as it is or
// without its secrets.
func (r *Request) showed(path string, text *redact.Source, n int) bool {
	return r.Seen[path].line(n+1, text.Raw(n+1, n+1)) || r.Seen[path].text(r.Secrets.Lines(text, n+1, n+1).String())
}

// RefuseUnseen is an error for changes that replace or delete a line that the model
// was not shown: it cannot know what it takes away. New lines may stand anywhere.
func (r *Request) RefuseUnseen(changes []edits.FileChange) error {
	for _, c := range changes {
		if c.AbsentBefore || c.AbsentAfter && movedWhole(c, changes) {
			continue
		}
		text, source := edits.NewText(c.Before), redact.NewSource(c.Before)
		for _, e := range edits.Diff(c.Before, c.After) {
			first, last := touchedLines(text, e)
			for n := first; n <= last; n++ {
				if !r.showed(c.Path, source, n) {
					return core.Unusable(&edits.Error{Code: edits.CodeUnsafe, Message: fmt.Sprintf(
						"it changes %s:%d, which the model was not shown; select less, or name the file in the request", c.Path, n+1)})
				}
			}
		}
	}
	return nil
}

// refuseCut is an error where an answer would replace text that the model was not
// shown: the whole selection, or the whole document where nothing is selected. It saves
// the request whose answer refuseUnseen would refuse.
func (r *Request) refuseCut(snap *workspace.Snapshot, q Question) error {
	f, err := snap.File(q.URI)
	if err != nil {
		return nil // a question about no document rewrites none
	}
	text, span, source := f.Raw(), q.Span, redact.NewSource(f.Content())
	if span.Len() == 0 {
		span = edits.Span{End: text.Len()}
	}
	for n := text.LineOf(span.Start); n <= text.LineOf(max(span.End-1, span.Start)); n++ {
		if !r.showed(snap.Name(q.URI), source, n) {
			return &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf(
				"The model would rewrite all of this, and line %d no longer fits into its window; select less.", n+1)}
		}
	}
	return nil
}

// tooLarge makes an error for a person of a selection that fits no window.
func (q Question) tooLarge(cfg model.ModelConfig, err error) error {
	var refused *window.Error
	if q.Span.Len() == 0 || !errors.As(err, &refused) || refused.Code != "budget" {
		return err
	}
	return &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf(
		"Nothing was asked: %s in what %s can be shown; select less, or ask a model with a larger window.", refused.Message, cfg.Name), Err: err}
}

// movedWhole reports whether the text of a file that goes stands in another that comes.
func movedWhole(gone edits.FileChange, changes []edits.FileChange) bool {
	for _, c := range changes {
		if c.AbsentBefore && c.After == gone.Before {
			return true
		}
	}
	return false
}

// touchedLines are the lines, from 0, whose text an edit changes or takes away; last is
// before first where it only adds lines.
func touchedLines(text edits.Text, e edits.Edit) (first, last int) {
	at := text.LineOf(e.Start)
	atStart, atEnd := e.Start == text.LineStart(at), e.Start == text.LineEnd(at)
	if e.Len() == 0 {
		if atStart && strings.HasSuffix(e.New, "\n") || atEnd && strings.HasPrefix(e.New, "\n") {
			return 1, 0
		}
		return at, at
	}
	first = at
	if atEnd { // it begins with a line end: the line itself stays
		first++
	}
	last = text.LineOf(e.End)
	if e.End == text.LineStart(last) {
		last--
	}
	return first, last
}
