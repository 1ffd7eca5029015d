package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/workspace/state"
	"tandem/workspace/terms"
)

func ledgerCommand(*globals) *cobra.Command {
	var verify, asJSON, summary bool
	c := &cobra.Command{
		Use:   "ledger",
		Short: "List every request that left the machine; it holds no source text",
		Args:  takes(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return showLedger(c, verify, summary, asJSON) },
	}
	c.Flags().BoolVar(&verify, "verify", false, "check that no line was changed, removed or moved")
	c.Flags().BoolVar(&summary, "summary", false, "print the last days by model, and what a month of them costs")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON line for each request, or the summary as JSON")
	return c
}

// A request is one line of the listing: a request that left, joined with its
// end. A request that was sent several times under one id has one line for each
// time; tokens and cost are on the last of them.
type request struct {
	Time    time.Time `json:"time"`
	ID      string    `json:"id"`
	Lane    string    `json:"lane"`
	Purpose string    `json:"purpose"`
	By      string    `json:"by,omitempty"`
	Host    string    `json:"host"`
	Model   string    `json:"model"`
	Served  string    `json:"served,omitempty"`
	Bytes   int       `json:"bytes"`
	Body    string    `json:"body_sha256"`
	Input   int       `json:"input_tokens"`
	Cached  int       `json:"cached_tokens"`
	Output  int       `json:"output_tokens"`
	CostUSD float64   `json:"cost_usd"`
	// State is done, failed, continued by the next one of the same id (a retry,
	// or the request that a warm-up was for), or open: in flight, or cut off when tandem ended.
	State     string `json:"state"`
	Error     string `json:"error,omitempty"`
	Estimated bool   `json:"estimated,omitempty"`
}

func showLedger(c *cobra.Command, verify, summary, asJSON bool) error {
	store, err := openStore()
	if err != nil {
		return exit(exitFailed, err)
	}
	var joined requests
	fault, err := store.Ledger().Read(joined.add)
	if err != nil {
		return exit(exitFailed, fmt.Errorf("the ledger cannot be read: %w", err))
	}
	if verify {
		return printVerification(c, fault, len(joined.list), asJSON)
	}
	show := joined.print
	if summary {
		show = func(c *cobra.Command, asJSON bool) error { return summarize(joined.list, time.Now()).print(c, asJSON) }
	}
	if err := show(c, asJSON); err != nil {
		return err
	}
	for _, event := range slices.Sorted(maps.Keys(joined.later)) {
		fmt.Fprintf(c.ErrOrStderr(), "%s of a later tandem not listed: %s\n", terms.Counted(joined.later[event], "line"), edits.OneLine(event))
	}
	if fault != nil {
		return exit(exitFailed, fmt.Errorf("the ledger is not as it was written: %v; tandem ledger --verify checks it", fault))
	}
	return nil
}

func printVerification(c *cobra.Command, fault *state.Fault, n int, asJSON bool) error {
	if asJSON {
		answer := map[string]any{"ok": fault == nil, "requests": n}
		if fault != nil {
			answer["line"], answer["message"] = fault.Line, fault.String()
		}
		if err := printJSON(c, answer); err != nil {
			return err
		}
	}
	if fault != nil {
		return exit(exitFailed, fmt.Errorf("the ledger is not as it was written: %v", fault))
	}
	if !asJSON {
		fmt.Fprintf(c.OutOrStdout(), "The ledger is whole: %d requests.\n", n)
	}
	return nil
}

// requests joins the ledger's entries.
type requests struct {
	list  []*request
	open  map[string]*request // the last one sent under an id
	later map[string]int      // lines with an event of a later version
}

func (r *requests) add(e state.Entry) error {
	if r.open == nil {
		r.open = map[string]*request{}
	}
	switch e.Event {
	case state.EventSent:
		sent := &request{Time: e.Time, ID: e.ID, Lane: e.Lane, Purpose: e.Purpose, By: e.By, Host: e.Host, Model: e.Model, Bytes: e.Bytes, Body: e.Body, State: "open"}
		r.list = append(r.list, sent)
		if before := r.open[e.ID]; before != nil {
			before.State = "continued"
		}
		r.open[e.ID] = sent
	case state.EventDone:
		if sent := r.open[e.ID]; sent != nil {
			sent.end(e)
			delete(r.open, e.ID)
		}
	default:
		if r.later == nil {
			r.later = map[string]int{}
		}
		r.later[e.Event]++
	}
	return nil
}

func (s *request) end(e state.Entry) {
	s.State, s.Error, s.Served = "done", e.Error, e.Served
	if e.Error != "" {
		s.State = "failed"
	}
	s.Input, s.Cached, s.Output, s.CostUSD, s.Estimated = e.Input, e.Cached, e.Output, e.CostUSD, e.Estimated
}

func (r *requests) print(c *cobra.Command, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(c.OutOrStdout())
		encoder.SetEscapeHTML(false)
		for _, s := range r.list {
			if err := encoder.Encode(s); err != nil {
				return fmt.Errorf("write the answer: %w", err)
			}
		}
		return nil
	}
	if len(r.list) == 0 {
		fmt.Fprintln(c.ErrOrStderr(), "The ledger lists no request.")
		return nil
	}
	rows := [][]string{{"TIME", "LANE", "FOR", "BY", "HOST", "MODEL", "BYTES", "IN", "CACHED", "OUT", "COST", "BODY", "END"}}
	total := 0.0
	for _, s := range r.list {
		total += s.CostUSD
		rows = append(rows, s.row())
	}
	if err := printTable(c, rows); err != nil {
		return err
	}
	fmt.Fprintf(c.ErrOrStderr(), "%d requests, $%.4f\n", len(r.list), total)
	return nil
}

func (s *request) row() []string {
	about := ""
	if s.Estimated {
		about = "~"
	}
	end := s.State
	if s.Error != "" {
		end = s.Error
	}
	return []string{s.Time.Local().Format(time.DateTime), s.Lane, s.Purpose, s.By, s.Host, s.Model, fmt.Sprint(s.Bytes), about + fmt.Sprint(s.Input), fmt.Sprint(s.Cached),
		about + fmt.Sprint(s.Output), fmt.Sprintf("%s$%.4f", about, s.CostUSD), s.Body[:min(12, len(s.Body))], end}
}
