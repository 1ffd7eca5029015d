package lsp

import (
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"tandem/lsp/inert"
	"tandem/model"
)

const (
	outageDelay = time.Second     // a command that fails by the same outage is answered first
	outageQuiet = 5 * time.Minute // between two messages about one state of one lane
)

// outages remember which lanes the user of a client without a status was warned about.
type outages struct {
	mu    sync.Mutex                 // guards all below
	known map[string]model.LaneState // by lane: what the user was warned of, until the lane is ready again
	last  map[outage]time.Time       // when the user was warned
}

type outage struct {
	lane  string
	state model.LaneState
}

// begins reports whether the user is to be warned of a lane's state now. A lane that fails
// and recovers all the time is warned of again when it is down after outageQuiet.
func (o *outages) begins(lane string, state model.LaneState, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch state {
	case model.LaneUnreachable, model.LaneDisabled, model.LaneMisconfigured:
	case model.LaneLimited: // the server answers, but it may still refuse what it refused before
		return false
	default:
		delete(o.known, lane)
		return false
	}
	down := outage{lane, state}
	if last, warned := o.last[down]; o.known[lane] == state || warned && now.Sub(last) < outageQuiet {
		return false
	}
	if o.known == nil {
		o.known, o.last = map[string]model.LaneState{}, map[outage]time.Time{}
	}
	o.known[lane], o.last[down] = state, now
	return true
}

// warnOfOutages shows a client without a status why a lane does not work. Nothing is shown
// while suggestions are paused, nor what a message or the error of a command has just shown.
func (s *statuses) warnOfOutages() {
	s.notifications.enqueue(&queuedNotification{
		key: "outages", method: protocol.MethodWindowShowMessage, after: time.Now().Add(outageDelay),
		params: func() any { s.postOutages(); return nil },
	})
}

func (s *statuses) postOutages() {
	st := s.use.Engine.Status(s.session.Snapshot())
	if st.Paused != "" || s.client.nextEdits.Load() {
		return
	}
	for _, l := range st.Lanes {
		if s.outages.begins(l.Name(), l.State, time.Now()) && l.Reason != "" && s.client.reports.again(sentence(l.Reason), outageQuiet) {
			s.notifications.post(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{
				Type: protocol.MessageTypeWarning, Message: inert.Message(sentence(l.Reason)),
			})
		}
	}
}
