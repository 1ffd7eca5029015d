package lsp

import (
	"cmp"
	"context"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"

	"tandem/lsp/inert"
	"tandem/model"
)

func (s *statuses) statusCommand(_ context.Context, _ *invocation, _ *none) (any, error) {
	st := s.now()
	text := inert.Message(st.String())
	if s.askers != nil {
		if who := s.askers(); who != "" {
			text += "\n" + inert.Message(who)
		}
	}
	s.showMessage(protocol.MessageTypeInfo, text)
	return map[string]any{"text": text, "status": wireStatus(st)}, nil
}

// laneState is one lane of tandem/status.
type laneState struct {
	Provider    string  `json:"provider"`
	Model       string  `json:"model"`
	ServedModel string  `json:"servedModel"`
	State       string  `json:"state"`
	UsedPercent float64 `json:"usedPercent"`
	ResetsAt    string  `json:"resetsAt,omitzero"`

	CachedPercent float64 `json:"cachedPercent,omitzero"` // of the prompts
	DayUSD        float64 `json:"dayUSD,omitzero"`        // what a normal day costs
	Reason        string  `json:"reason,omitzero"`        // why it is not ready, and what to do
}

// wireStatus is tandem/status.
func wireStatus(st Status) any {
	lanes := map[string]laneState{}
	for _, l := range st.Lanes {
		lane := laneState{Provider: l.Provider, Model: l.Model, ServedModel: inert.Message(l.Served), State: string(l.State), UsedPercent: l.UsedPercent}
		lane.DayUSD = math.Round(100*l.DayUSD) / 100
		lane.CachedPercent, lane.Reason = math.Round(l.Totals.CachedPercent()), inert.Message(sentence(l.Reason))
		if !l.ResetsAt.IsZero() {
			lane.ResetsAt = l.ResetsAt.UTC().Format(time.RFC3339)
		}
		lanes[l.Name()] = lane
	}
	out := map[string]any{
		"busy": st.Busy, "lanes": lanes, "index": map[string]any{"files": st.Files, "ready": !st.Indexing},
		"costUSD": st.SpentUSD, "reason": inert.Message(sentence(cmp.Or(st.Paused, st.Reason))),
	}
	if st.Unnoticed > 0 {
		out["index"].(map[string]any)["unnoticed"] = st.Unnoticed
	}
	if st.Paused != "" {
		out["paused"] = true
	}
	if st.Mistake != "" {
		out["mistake"] = inert.Message(st.Mistake)
	}
	if st.Others != "" {
		out["others"] = inert.Message(st.Others)
	}
	return out
}

type didChangeOtherInlineParams struct {
	Providers []string `json:"providers"`
}

// maxOthers bounds how many other providers the status names.
const maxOthers = 4

// didChangeOtherInline takes the names of the other providers of inline completions that
// the user has in the editor. Only the editor knows them.
func (s *statuses) didChangeOtherInline(p *didChangeOtherInlineParams) error {
	var names []string
	for _, name := range p.Providers[:min(len(p.Providers), maxOthers)] {
		if name = clipLine(name); name != "" {
			names = append(names, name)
		}
	}
	sentence := ""
	if len(names) > 0 {
		sentence = strings.Join(names, " and ") + " may suggest at the cursor too, and the editor shows one suggestion at a time; switch off the inline suggestions of the others to see tandem's."
	}
	s.others.set(sentence)
	s.statusChanged()
	return nil
}

// statuses send the status of the server to a client that wants it.
type statuses struct {
	*scope
	askers func() string              // Deps.Askers
	reason said                       // why the last request showed nothing
	others said                       // which other providers suggest at the cursor
	sent   map[string]string          // the last status that was sent in each shape
	warned map[string]model.LaneState // of which the user of a client without a status was warned, by lane, until it is ready again
}

// A said is a sentence that may be read and replaced from anywhere.
type said struct{ now atomic.Pointer[string] }

func (s *said) set(sentence string) { s.now.Store(&sentence) }

func (s *said) String() string {
	if sentence := s.now.Load(); sentence != nil {
		return *sentence
	}
	return ""
}

// now is the status of the session.
func (s *statuses) now() Status {
	st := StatusOf(s.use.Engine.State(), s.session.Snapshot())
	st.Reason, st.Others = s.reason.String(), s.others.String()
	return st
}

// statusChanged sends the status if it has changed: as tandem/status to a
// client that asked for it, and in the shape that next-edit clients know. Another
// client is shown a message when a lane stops working. The status is read later, when
// the notification is sent, so this may be called from anywhere.
func (s *statuses) statusChanged() {
	if s.life.phase.Load() != phaseRunning {
		return
	}
	if s.client.Wants().Status {
		s.notifications.put("status", "tandem/status", func() any { return s.changedStatus("own", wireStatus) })
	}
	if s.asksNext.Load() {
		s.notifications.put("plain status", "didChangeStatus", func() any { return s.changedStatus("plain", plainStatus) })
	} else if !s.client.Wants().Status {
		s.warnOfOutages()
	}
}

// changedStatus is the status in one shape, or nil when it was sent already. It runs only
// where notifications are sent, one at a time.
func (s *statuses) changedStatus(kind string, shape func(Status) any) any {
	status := shape(s.now())
	raw, err := protocol.Marshal(status)
	if err != nil || s.sent[kind] == string(raw) {
		return nil
	}
	s.sent[kind] = string(raw)
	return status
}

// didFocus comes only from next-edit clients: from then on they receive the
// status in their own shape. Other clients would report an unknown method.
func (s *statuses) didFocus(_ *none) error {
	s.use.Completer.Warm(s.session.Snapshot(), "")
	s.enableNextEditStatus()
	return nil
}

func (s *statuses) enableNextEditStatus() {
	if !s.asksNext.Swap(true) {
		s.statusChanged()
	}
}

// plainStatus is didChangeStatus.
func plainStatus(st Status) any {
	out := map[string]any{"busy": st.Busy, "kind": "Normal"}
	if st.Paused != "" {
		out["kind"], out["message"] = "Inactive", st.Paused
	}
	if st.Mistake != "" {
		out["kind"], out["message"] = "Warning", inert.Message(st.Mistake)
	}
	for _, l := range st.Lanes {
		switch l.State {
		case model.LaneReady, model.LaneBuiltIn:
			continue
		case model.LaneLimited:
			out["kind"] = "Warning"
		default:
			out["kind"] = "Error"
		}
		if l.Reason != "" {
			out["message"] = inert.Message(l.Reason)
		}
	}
	return out
}
