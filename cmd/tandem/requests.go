package main

import (
	"errors"
	"time"
)

// selectProfile implements lsp.Deps.SelectProfile.
func (s *server) selectProfile(name string) error {
	if s.live == nil {
		return errors.New("no configuration is open yet; choose the profile when the editor is connected")
	}
	return s.live.Select(name)
}

// A payload is one request that left the machine, as tandem/lastPayload shows it.
type payload struct {
	ID    string    `json:"id"`
	Time  time.Time `json:"time"`
	Host  string    `json:"host"`
	Model string    `json:"model"`
	Bytes int       `json:"bytes"`
	Hash  string    `json:"bodySha256"`
	Body  string    `json:"body"`
}

// lastPayload implements lsp.Deps.LastPayload: the last n requests, newest
// first, byte for byte. They are kept in memory only.
func (s *server) lastPayload(n int) (any, error) {
	out := []payload{}
	if s.app == nil {
		return out, nil
	}
	for _, p := range s.app.lanes.Payloads(n) {
		out = append(out, payload{p.RequestID, p.Time, p.Host, p.Model, p.Bytes, p.BodyHash, string(p.Body)})
	}
	return out, nil
}
