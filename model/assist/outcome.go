package assist

import (
	"context"
	"crypto/rand"
	"math"
	"strings"
	"time"

	"tandem/edits"
	"tandem/model/accept"
	"tandem/workspace"
	"tandem/workspace/state"
)

// How a suggestion ended. One that was typed against had a beginning that the user did
// not type; one that was left was ended by an edit elsewhere.
const (
	endAccepted  = "accepted"
	endPartly    = "partly"
	endTyped     = "typed"
	endDismissed = "dismissed"
	endAgainst   = "against"
	endLeft      = "left"
	endReplaced  = "replaced"
	endUnseen    = "unseen"  // it came too late to be seen
	endNothing   = "nothing" // the request showed nothing
)

// seenAfter is how long a suggestion must be on screen to have been seen.
const seenAfter = 150 * time.Millisecond

// controls is one of how many requests whose answer is asked for and shown whatever is
// estimated: by them the estimates are calibrated, and a change of what the user wants
// is noticed.
const controls = 30

// Of what will be used, these shares may not be asked for, and not be shown: less than one
// in twenty together, as how many are missed varies by two in a hundred with the few
// examples that the threshold is set by.
const (
	missedAsking  = 0.045
	missedShowing = 0.01
)

// A site is what is known of the place of a request.
type site struct {
	numbers []accept.Number
	control bool
}

// with are the numbers of a site and of a suggestion there.
func (s *site) with(answer []accept.Number) []accept.Number {
	return append(s.numbers[:len(s.numbers):len(s.numbers)], answer...)
}

// An OutcomeStore keeps how suggestions ended; *state.Outcomes is one.
type OutcomeStore interface {
	Add(state.Outcome) error
	Read() ([]state.Outcome, error)
}

// outcomes learn from how suggestions ended what is worth asking for and showing.
type outcomes struct {
	core      *core
	ask, show *accept.Estimator
	serial    int // of requests; core.mu guards it
}

// remember learns from the outcomes of earlier sessions.
func (u *outcomes) remember() {
	list, err := u.core.Outcomes.Read()
	if err != nil {
		u.core.notice("How suggestions ended cannot be read, so nothing is learned from it: " + err.Error() + ".")
		return
	}
	var asked, shown []accept.Example
	for _, o := range list {
		if o.Since != "" || len(o.Place) == 0 {
			continue
		}
		at := site{numbersOf(o.Place), o.Control}
		asked = append(asked, accept.Example{Numbers: at.numbers, Used: usedAs(o.End), Control: at.control})
		if o.End != endUnseen && o.End != endNothing && o.End != endReplaced {
			shown = append(shown, accept.Example{Numbers: at.with(numbersOf(o.Answer)), Used: usedAs(o.End), Control: at.control})
		}
	}
	u.ask.Train(asked)
	u.show.Train(shown)
}

// usedAs reports whether a suggestion that ended so was used.
func usedAs(end string) bool { return end == endAccepted || end == endTyped || end == endPartly }

// siteAt describes the place of a request.
func (u *outcomes) siteAt(o *workspace.Overlay, at int) *site {
	s := &site{numbers: siteNumbers(o, at)}
	u.core.mu.Lock()
	u.serial++
	s.control = u.serial%controls == 0
	u.core.mu.Unlock()
	s.control = s.control || !u.ask.Calibrated() || !u.show.Calibrated() || u.core.Preferences(o.Language).ShowAll
	return s
}

// worthAsking reports whether a model should be asked at a place while the user types.
func (u *outcomes) worthAsking(language string, s *site) bool {
	return u.core.Preferences(language).ShowAll || s.control || !u.ask.Unlikely(s.numbers)
}

// worthShowing reports whether a suggestion that passed the checks should be shown while
// the user types.
func (u *outcomes) worthShowing(o *workspace.Overlay, s *site, item *Completion) bool {
	item.answer = answerNumbers(o, *item)
	return u.core.Preferences(o.Language).ShowAll || s.control || !u.show.Unlikely(s.with(item.answer))
}

// ended records how a suggestion ended, once, and learns from it where it was the
// answer to typing. It returns the id of the record.
func (u *outcomes) ended(o *workspace.Overlay, t *suggestion, how string) string {
	learns := t.site != nil
	if t.settled || !learns && !t.shown {
		return ""
	}
	t.settled = true
	if t.shown && how != endAccepted && !t.begun && time.Since(t.shownAt) < seenAfter {
		how = endUnseen
	}
	if !t.shown {
		how = endUnseen
	}
	used := usedAs(how)
	if learns {
		u.core.pace.used(used)
		u.ask.Learn(t.site.numbers, used, t.site.control)
		if how != endUnseen && how != endReplaced {
			u.show.Learn(t.site.with(t.answer), used, t.site.control)
		}
	}
	kind := "line"
	if strings.Contains(t.Text, "\n") {
		kind = "block"
	}
	out := state.Outcome{Time: time.Now(), ID: rand.Text()[:12], Model: t.From.Model, Language: o.Language, Kind: kind, End: how,
		Length: len(t.Text), Taken: t.done}
	if learns {
		out.Place, out.Answer, out.Control = flat(t.site.numbers), flat(t.answer), t.site.control
	}
	if t.shown {
		out.Shown = int(time.Since(t.shownAt).Milliseconds())
	}
	if how == endAccepted {
		out.Taken = len(t.Text)
	}
	u.record(out)
	return out.ID
}

// showedNothing records that a request that was sent had nothing to show.
func (u *outcomes) showedNothing(o *workspace.Overlay, model string, s *site) {
	u.ask.Learn(s.numbers, false, s.control)
	u.record(state.Outcome{Time: time.Now(), ID: rand.Text()[:12], Model: model, Language: o.Language, End: endNothing, Place: flat(s.numbers), Control: s.control})
}

// record keeps an outcome, in the background: the disk may be slow.
func (u *outcomes) record(out state.Outcome) {
	if u.core.Outcomes == nil {
		return
	}
	u.core.Group.Go("keep an outcome", func(context.Context) {
		if err := u.core.Outcomes.Add(out); err != nil {
			u.core.notice("How suggestions ended cannot be kept: " + err.Error() + ".")
		}
	})
}

func flat(list []accept.Number) []float64 {
	out := make([]float64, 0, 2*len(list))
	for _, n := range list {
		out = append(out, float64(n.Index), rounded(n.Value))
	}
	return out
}

func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

func numbersOf(list []float64) []accept.Number {
	var out []accept.Number
	for i := 0; i+1 < len(list); i += 2 {
		if index := int(list[i]); index >= 0 && index < 1<<12 {
			out = append(out, accept.Number{Index: index, Value: list[i+1]})
		}
	}
	return out
}

// An endedSuggestion is a suggestion that a change or a report has ended.
type endedSuggestion struct {
	of  *suggestion
	how string
}

// settle records the suggestions of a document that have ended.
func (u *outcomes) settle(o *workspace.Overlay, d *inlineDoc) {
	d.mu.Lock()
	list := d.over
	d.over = nil
	d.mu.Unlock()
	for _, s := range list {
		u.ended(o, s.of, s.how)
	}
}

// howEnded is how a suggestion has ended if an edit of the document ends it. One that is
// in the document to its end was typed: an editor reports that it was accepted before
// the next edit.
func (c *suggestion) howEnded(e edits.Edit) string {
	switch {
	case c.rest() == "":
		return endTyped
	case c.part:
		return endPartly
	case e.Start == c.cursor && e.Len() == 0:
		return endAgainst
	}
	return endLeft
}
