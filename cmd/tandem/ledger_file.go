package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tandem/cmd/tandem/config"
	"tandem/model"
	"tandem/model/assist/core"
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

// A useRecord is what became of suggestions of one kind since the record before: records of the
// same kind add up. It holds no text.
type useRecord struct {
	Time     time.Time `json:"timestamp"`
	Event    string    `json:"event.name"`
	Day      string    `json:"tandem.use.day"`
	Language string    `json:"tandem.use.language"`
	Lane     string    `json:"tandem.lane"`
	Feature  string    `json:"tandem.use.feature"`
	Shown    int       `json:"tandem.use.shown"`
	Accepted int       `json:"tandem.use.accepted"`
	Kept     int       `json:"tandem.use.kept"` // accepted, and still there ten minutes later
}

// useInterval is how often counts of use are written.
const useInterval = 10 * time.Minute

// exportUse writes counts of use to the file that the administrator names, until the session
// ends. What cannot be written is lost: no user can mend it.
func (a *app) exportUse(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(useInterval):
			_ = writeUse(a.config().Policy, a.engine.Used(false))
		}
	}
}

// writeUse appends counts of use to the file that the administrator names.
func writeUse(p config.Policy, counts map[core.UseKind]core.UseCount) error {
	if !p.CountUse { // any more
		return nil
	}
	var records []any
	now := time.Now()
	for kind, n := range counts {
		records = append(records, useRecord{now, "tandem.use", kind.Day, kind.Language, kind.Lane, kind.Feature, n.Shown, n.Accepted, n.Kept})
	}
	return appendRecords(p.LedgerFile, records)
}

// export appends a request that has ended to the file that the administrator names.
func (l *ledger) export(d model.Done, sent state.Entry) error {
	c := l.live()
	m := c.Models[d.Model]
	operation := "chat"
	if sent.Purpose == string(model.Complete) {
		operation = "text_completion"
	}
	return appendRecords(c.Policy.LedgerFile, []any{genAIRecord{Time: d.Time, Operation: operation, Provider: m.Provider, Asked: m.Model, Served: d.Served,
		Input: d.Usage.Input, Cached: d.Usage.Cached, Output: d.Usage.Output, Host: sent.Host, Error: string(d.Code), Seconds: d.Time.Sub(sent.Time).Seconds(),
		ID: sent.ID, Lane: string(d.Lane), Purpose: sent.Purpose, By: sent.By, Estimated: !d.Usage.Known, CostUSD: d.CostUSD}})
}

// appendRecords appends a line for each record to a file, "" for none. The file is opened each
// time, since collectors move it away.
func appendRecords(name string, records []any) (err error) {
	if name == "" || len(records) == 0 {
		return nil
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		name = filepath.Join(home, rest)
	}
	var lines []byte
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil { // no user has to make it
		return err
	}
	f, err := state.OpenPrivate(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.Write(lines) // one write: other processes append too
	return err
}
