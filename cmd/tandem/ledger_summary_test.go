package main

import (
	"math"
	"testing"
	"time"
)

// TestLedgerSummary: days without a request count, older ones do not, and an aborted
// request is counted apart from one that was aborted before it began.
func TestLedgerSummary(t *testing.T) {
	now := time.Date(2030, 5, 20, 15, 0, 0, 0, time.Local)
	at := func(daysAgo int) time.Time { return now.AddDate(0, 0, -daysAgo) }
	list := []*request{
		{Time: at(30), Model: "m", CostUSD: 100},
		{Time: at(3), Model: "m", Input: 1000, Cached: 500, Output: 10, CostUSD: 0.5},
		{Time: at(0), Model: "m", Input: 1000, Output: 3, CostUSD: 0.25, Error: "cancelled"},
		{Time: at(0), Model: "m", Input: 1000, CostUSD: 0.25, Error: "cancelled"},
		{Time: at(0), Model: "n", Input: 10, CostUSD: 0, Error: "server"},
	}
	got := summarize(list, now)
	if len(got.Days) != 3 || got.Days[0] != (ledgerDay{Day: "2030-05-20", Model: "m", Requests: 2, Aborted: 2, Unbegun: 1, Input: 2000, Output: 3, CostUSD: 0.5}) {
		t.Errorf("days: %+v", got.Days)
	}
	if got.From != 4 || math.Abs(got.MonthUSD-7.5) > 1e-9 {
		t.Errorf("$%v a month from %d days, want $7.5 from 4", got.MonthUSD, got.From)
	}
	if who := askersOf(append(list, &request{Time: at(0), By: "codex", CostUSD: 0.5}, &request{Time: at(1), By: "codex"}, &request{Time: at(0), By: "nvim"}), now); who != "asked today by: codex 1 request, $0.50; nvim 1 request, $0.00" {
		t.Error(who)
	}
	if empty := summarize(nil, now); empty.MonthUSD != 0 || empty.From != 0 {
		t.Errorf("of nothing: %+v", empty)
	}
}
