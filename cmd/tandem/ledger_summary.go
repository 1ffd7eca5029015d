package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tandem/model"
	"tandem/workspace/terms"
)

const (
	summaryDays  = 7  // that a summary lists and an estimate is made from
	daysPerMonth = 30 //
)

// A ledgerSummary is the use of the last days and what a month of such days costs.
type ledgerSummary struct {
	Days []ledgerDay `json:"days"` // newest first
	// From is how many days the estimate is made from: those since the first request, at
	// most seven, days without a request included.
	From     int     `json:"estimated_from_days"`
	MonthUSD float64 `json:"estimated_month_usd"`
}

// A ledgerDay is the use of one model by one command, editor or agent on one day.
type ledgerDay struct {
	Day      string `json:"day"`
	Model    string `json:"model"`
	By       string `json:"by,omitempty"`
	Requests int    `json:"requests"`
	// Aborted requests were superseded or cancelled, Unbegun ones of them before the
	// answer's first token.
	Aborted int     `json:"aborted"`
	Unbegun int     `json:"aborted_before_first_token"`
	Input   int     `json:"input_tokens"`
	Cached  int     `json:"cached_tokens"`
	Output  int     `json:"output_tokens"`
	CostUSD float64 `json:"cost_usd"`
}

// summarize adds up the requests of the last days before now.
func summarize(list []*request, now time.Time) ledgerSummary {
	now = now.Local()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	since := today.AddDate(0, 0, 1-summaryDays)
	byDay := map[[3]string]*ledgerDay{}
	first := now
	total := 0.0
	for _, r := range list {
		at := r.Time.Local()
		if at.Before(since) || at.After(now) {
			continue
		}
		if at.Before(first) {
			first = at
		}
		key := [3]string{at.Format(time.DateOnly), r.Model, r.By}
		d := byDay[key]
		if d == nil {
			d = &ledgerDay{Day: key[0], Model: r.Model, By: r.By}
			byDay[key] = d
		}
		d.add(r)
		total += r.CostUSD
	}
	var out ledgerSummary
	for _, d := range byDay {
		out.Days = append(out.Days, *d)
	}
	slices.SortFunc(out.Days, func(a, b ledgerDay) int {
		return cmp.Or(-cmp.Compare(a.Day, b.Day), cmp.Compare(a.Model, b.Model), cmp.Compare(a.By, b.By))
	})
	if len(out.Days) > 0 {
		begin := time.Date(first.Year(), first.Month(), first.Day(), 12, 0, 0, 0, now.Location())
		out.From = min(int(today.Add(36*time.Hour).Sub(begin)/(24*time.Hour)), summaryDays)
		out.MonthUSD = total / float64(max(out.From, 1)) * daysPerMonth
	}
	return out
}

func (d *ledgerDay) add(r *request) {
	d.Requests++
	if r.Error == string(model.CodeCancelled) {
		d.Aborted++
		if r.Output == 0 {
			d.Unbegun++
		}
	}
	d.Input, d.Cached, d.Output, d.CostUSD = d.Input+r.Input, d.Cached+r.Cached, d.Output+r.Output, d.CostUSD+r.CostUSD
}

func (s ledgerSummary) print(c *cobra.Command, asJSON bool) error {
	if asJSON {
		return printJSON(c, s)
	}
	if len(s.Days) == 0 {
		fmt.Fprintf(c.OutOrStdout(), "No request left this machine in the last %d days.\n", summaryDays)
		return nil
	}
	rows := [][]string{{"DAY", "MODEL", "BY", "REQUESTS", "ABORTED", "BEFORE FIRST TOKEN", "IN", "FROM CACHE", "OUT", "COST"}}
	for _, d := range s.Days {
		rows = append(rows, []string{d.Day, d.Model, d.By, fmt.Sprint(d.Requests), percent(d.Aborted, d.Requests), percent(d.Unbegun, d.Requests),
			fmt.Sprint(d.Input), percent(d.Cached, d.Input), fmt.Sprint(d.Output), fmt.Sprintf("$%.4f", d.CostUSD)})
	}
	if err := printTable(c, rows); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "A month like the last %d day(s) costs about $%.2f.\n", s.From, s.MonthUSD)
	return nil
}

// askers implements lsp.Deps.Askers: who asked models today, on this machine.
func (s *server) askers() string {
	if s.app == nil || s.app.store == nil {
		return ""
	}
	var joined requests
	if _, err := s.app.store.Ledger().Read(joined.add); err != nil {
		return ""
	}
	return askersOf(joined.list, time.Now())
}

func askersOf(list []*request, now time.Time) string {
	count, usd := map[string]int{}, map[string]float64{}
	for _, d := range summarize(list, now).Days {
		if d.By != "" && d.Day == now.Local().Format(time.DateOnly) {
			count[d.By] += d.Requests
			usd[d.By] += d.CostUSD
		}
	}
	var out []string
	for _, by := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%s %s, $%.2f", by, terms.Counted(count[by], "request"), usd[by]))
	}
	if len(out) == 0 {
		return ""
	}
	return "asked today by: " + strings.Join(out, "; ")
}
