package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tandem/model"
	"tandem/workspace/state"
)

// A genAIRecord is a request as the administrator's file lists it: attributes of
// OpenTelemetry's conventions for generative AI where there is one, and no text.
type genAIRecord struct {
	Time      time.Time `json:"timestamp"` // of its end
	Operation string    `json:"gen_ai.operation.name"`
	Provider  string    `json:"gen_ai.provider.name"`
	Asked     string    `json:"gen_ai.request.model"`
	Served    string    `json:"gen_ai.response.model,omitempty"`
	Input     int       `json:"gen_ai.usage.input_tokens"`
	Cached    int       `json:"gen_ai.usage.cache_read.input_tokens"`
	Output    int       `json:"gen_ai.usage.output_tokens"`
	Host      string    `json:"server.address"`
	Error     string    `json:"error.type,omitempty"`
	Seconds   float64   `json:"tandem.duration_s"`
	ID        string    `json:"tandem.request.id"`
	Lane      string    `json:"tandem.lane"`
	Purpose   string    `json:"tandem.purpose"`
	By        string    `json:"tandem.client,omitempty"`
	Estimated bool      `json:"tandem.usage.estimated,omitempty"` // the server did not report the tokens
	CostUSD   float64   `json:"tandem.cost_usd"`
}

// export appends a request that has ended to the file that the administrator names. The file
// is opened each time, since collectors move it away.
func (l *ledger) export(d model.Done, sent state.Entry) (err error) {
	c := l.live()
	name := c.Policy.LedgerFile
	if name == "" {
		return nil
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		name = filepath.Join(home, rest)
	}
	m := c.Models[d.Model]
	operation := "chat"
	if sent.Purpose == string(model.Complete) {
		operation = "text_completion"
	}
	line, err := json.Marshal(genAIRecord{Time: d.Time, Operation: operation, Provider: m.Provider, Asked: m.Model, Served: d.Served,
		Input: d.Usage.Input, Cached: d.Usage.Cached, Output: d.Usage.Output, Host: sent.Host, Error: string(d.Code), Seconds: d.Time.Sub(sent.Time).Seconds(),
		ID: sent.ID, Lane: string(d.Lane), Purpose: sent.Purpose, By: sent.By, Estimated: !d.Usage.Known, CostUSD: d.CostUSD})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil { // no user has to make it
		return err
	}
	f, err := state.OpenPrivate(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.Write(append(line, '\n')) // one write: other processes append too
	return err
}
