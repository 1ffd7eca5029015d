package core

import (
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/workspace"
)

// Refusals are what the user did not want at places of documents: what they dismissed, rejected, took
// back, deleted, or typed over. Kept is what the lines of the place would become, whichever edit makes
// them that: it is not offered there again, and something else may be.
type Refusals struct {
	mu    sync.Mutex // guards all below
	list  []refusal  // oldest first, as the texts are now
	ended []string   // changes of which nothing more is wanted
}

// A refusal is what the lines at a place were not to become.
type refusal struct {
	key   string // of the document
	at    int    // in the first of the lines, as the text is now
	makes string
	over  bool // it was a guess that was typed over: it is not wanted in the whole document
}

// Limits on what is remembered.
const (
	maxRefusals    = 128
	maxRefusedText = 4 << 10
)

// Makes is what the lines of an edit become by it, without white space around them; "" where the text
// has no such place any more. An edit may end inside the end of a line.
func Makes(text edits.Text, e edits.Edit) string {
	if !e.Valid(text.Len()) {
		return ""
	}
	from, to := text.LineStart(text.LineOf(e.Start)), max(e.End, text.LineEnd(text.LineOf(e.End)))
	return strings.TrimSpace(text.Slice(edits.Span{Start: from, End: e.Start}) + e.New + text.Slice(edits.Span{Start: e.End, End: to}))
}

// Refuse records what the lines at a place were not to become.
func (r *Refusals) Refuse(uri string, at int, makes string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(refusal{key: workspace.Key(uri), at: at, makes: makes})
}

// TypedOver records a guess at a place which the user typed over.
func (r *Refusals) TypedOver(uri string, at int, makes string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(refusal{key: workspace.Key(uri), at: at, makes: makes, over: true})
}

// add adds a refusal. r.mu is held.
func (r *Refusals) add(one refusal) {
	if one.makes == "" || len(one.makes) > maxRefusedText || slices.Contains(r.list, one) {
		return
	}
	r.list = append(r.list, one)
	r.list = r.list[max(0, len(r.list)-maxRefusals):]
}

// Refused reports whether the lines at a place were not to become what an edit makes them, or begin
// with that where it only adds to them.
func (r *Refusals) Refused(uri string, text edits.Text, e edits.Edit) bool {
	if !e.Valid(text.Len()) {
		return false
	}
	now, makes := Makes(text, edits.Edit{Span: e.Span, New: text.Slice(e.Span)}), Makes(text, e)
	return r.found(uri, text, e.Start, func(one refusal) bool {
		rest, begins := strings.CutPrefix(makes, one.makes)
		switch {
		case one.over || !begins:
			return false
		case rest == "":
			return true
		}
		return e.Len() == 0 && len(one.makes) > len(now)+1 && !edits.IsWordByte(rest[0])
	})
}

// Said reports whether something that is said of a place, such as why to go there, was refused.
func (r *Refusals) Said(uri string, text edits.Text, at int, what string) bool {
	return r.found(uri, text, at, func(one refusal) bool { return one.makes == what })
}

// found reports whether one of the refusals at the line of a place is as it is asked.
func (r *Refusals) found(uri string, text edits.Text, at int, is func(refusal) bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	key, line := workspace.Key(uri), text.LineOf(min(at, text.Len()))
	return slices.ContainsFunc(r.list, func(one refusal) bool {
		return one.key == key && text.LineOf(min(one.at, text.Len())) == line && is(one)
	})
}

// Left reports whether a guess at a place is in the way of a user who does not ask: the last one was
// typed over in this line, or one that would have made a line so, and nothing of it is typed.
func (r *Refusals) Left(uri string, text edits.Text, e edits.Edit) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	key, makes := workspace.Key(uri), Makes(text, e)
	mine := func(one refusal) bool { return one.over && one.key == key }
	for i := len(r.list) - 1; i >= 0; i-- {
		if mine(r.list[i]) {
			if text.LineOf(min(r.list[i].at, text.Len())) == text.LineOf(e.Start) {
				return true
			}
			break
		}
	}
	return strings.TrimSpace(e.New) == makes && slices.ContainsFunc(r.list, func(one refusal) bool { return mine(one) && one.makes == makes })
}

// End records that nothing more of a change is wanted.
func (r *Refusals) End(change string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if change != "" && !slices.Contains(r.ended, change) {
		r.ended = append(r.ended, change)
		r.ended = r.ended[max(0, len(r.ended)-maxRefusals):]
	}
}

// Ended reports whether nothing more of a change is wanted.
func (r *Refusals) Ended(change string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return change != "" && slices.Contains(r.ended, change)
}

// follow brings the places of a document along with its text, and records the lines of which the user
// took something away: as they were, they are not wanted back. What is deleted key by key is one
// deletion.
func (r *Refusals) follow(uri string, text edits.Text, steps []workspace.Step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := workspace.Key(uri)
	for _, s := range steps {
		e := s.Edit
		was := refusal{key: key, at: text.LineStart(text.LineOf(e.Start)), makes: Makes(text, edits.Edit{Span: e.Span, New: text.Slice(e.Span)})}
		again := e.New == "" && slices.ContainsFunc(r.list, func(one refusal) bool {
			return one.key == key && !one.over && text.LineOf(min(one.at, text.Len())) == text.LineOf(e.Start) && strings.HasPrefix(one.makes, was.makes)
		})
		for i := range r.list {
			if one := &r.list[i]; one.key == key {
				one.at = moved(one.at, e)
			}
		}
		if !s.Accepted && !again && strings.TrimSpace(text.Slice(e.Span)) != "" {
			r.add(was)
		}
		text = s.After
	}
}

// moved is where the begin of a line is after an edit.
func moved(at int, e edits.Edit) int {
	switch {
	case e.End < at || e.End == at && strings.HasSuffix(e.New, "\n"):
		return at + e.Delta()
	case e.Start < at:
		return e.Start
	}
	return at
}

// closed forgets a document.
func (r *Refusals) closed(uri string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := workspace.Key(uri)
	r.list = slices.DeleteFunc(r.list, func(one refusal) bool { return one.key == key })
}
