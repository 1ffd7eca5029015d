package lsp

import (
	"fmt"
	"time"

	"go.lsp.dev/protocol"

	"tandem/lsp/inert"
	"tandem/model"
)

const (
	outageDelay = time.Second     // a command that fails by the same outage is answered first
	outageQuiet = 5 * time.Minute // between two messages about one state of one lane
)

// warnOfOutages shows a client without a status why a lane does not work. Nothing is shown
// while suggestions are paused, nor what a message or the error of a command has just shown.
func (s *statuses) warnOfOutages() {
	s.notifications.enqueue(&queuedNotification{
		key: "outages", method: protocol.MethodWindowShowMessage, after: time.Now().Add(outageDelay),
		params: func() any { s.postOutages(); return nil },
	})
}

// postOutages runs only where notifications are sent, one at a time.
func (s *statuses) postOutages() {
	st := s.now()
	if st.Paused != "" || s.asksNext.Load() {
		return
	}
	for _, l := range st.Lanes {
		if s.outageBegins(l.Name(), l.State) && l.Reason != "" && s.reports.again(sentence(l.Reason), outageQuiet) {
			s.notifications.post(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{
				Type: protocol.MessageTypeWarning, Message: inert.Message(sentence(l.Reason)),
			})
		}
	}
}

// outageBegins reports whether the user is to be warned of a lane's state now. A lane that
// fails and recovers all the time is warned of again when it is down after outageQuiet.
func (s *statuses) outageBegins(lane string, state model.LaneState) bool {
	switch state {
	case model.LaneUnreachable, model.LaneDisabled, model.LaneMisconfigured:
	case model.LaneLimited: // the server answers, but it may still refuse what it refused before
		return false
	default:
		delete(s.warned, lane)
		return false
	}
	if s.warned[lane] == state || !s.reports.again(fmt.Sprintf("%s is %s", lane, state), outageQuiet) {
		return false
	}
	s.warned[lane] = state
	return true
}
