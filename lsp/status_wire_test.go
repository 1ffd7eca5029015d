package lsp

import (
	"strings"
	"testing"
	"time"

	"tandem/lsp/inert"
	"tandem/model"
)

// TestStatusOnTheWire: the status in the three forms that a client may read.
func TestStatusOnTheWire(t *testing.T) {
	lane := func(state model.LaneState, reason string) model.LaneStatus {
		return model.LaneStatus{Lane: model.Fast, Model: "m", State: state, Reason: reason}
	}
	status := func(change func(*Status), lanes ...model.LaneStatus) Status {
		var st Status
		st.Lanes = lanes
		change(&st)
		return st
	}
	full := lane(model.LaneLimited, "Slow down.")
	full.Provider, full.Served, full.UsedPercent, full.DayUSD, full.ResetsAt = "p", "served", 99.5, 1.006, time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	full.Totals.Input, full.Totals.Cached = 1000, 333
	lying := lane(model.LaneReady, "")
	lying.Served = "[m](command:evil.run)\x1b[2J\u202e"
	for _, c := range []struct {
		name              string
		st                Status
		text, own, others string
	}{
		{"nothing is open", status(func(*Status) {}),
			"index: no files; open a folder for suggestions that know your code\ntoday: $0.00",
			`{"busy":false,"costUSD":0,"index":{"files":0,"ready":true},"lanes":{},"reason":""}`, `{"busy":false,"kind":"Normal"}`},
		{"much at once", status(func(st *Status) {
			st.Busy, st.Files, st.Indexing, st.SpentUSD, st.Reason, st.Paused, st.Others, st.Unnoticed = true, 2, true, 1.5, "no key", "Snoozed.", "Another one suggests too.", 3
		}, full),
			"fast: served at p, limited, 100 % of the quota used, 33 % of the prompts from its cache, about $1.01 for a normal day: Slow down.\nindex: 2 files so far\nwatching: changes made outside the editor are not noticed in 3 folders of the index; restart the server if this stays\ntoday: $1.50\n" +
				"working on a suggestion\nSnoozed.\nAnother one suggests too.\nlast time nothing was shown: no key",
			`{"busy":true,"costUSD":1.5,"index":{"files":2,"ready":false,"unnoticed":3},"lanes":{"fast":{"cachedPercent":33,"dayUSD":1.01,"model":"m","provider":"p","reason":"Slow down.","resetsAt":"2026-01-02T02:04:05Z",` +
				`"servedModel":"served","state":"limited","usedPercent":99.5}},"others":"Another one suggests too.","paused":true,"reason":"Snoozed."}`,
			`{"busy":true,"kind":"Warning","message":"Slow down."}`},
		{"a name that is none", status(func(*Status) {}, lying),
			"fast: [m] (command:evil.run)[2J, ready\nindex: no files; open a folder for suggestions that know your code\ntoday: $0.00",
			`{"busy":false,"costUSD":0,"index":{"files":0,"ready":true},"lanes":{"fast":{"model":"m","provider":"","servedModel":"[m] (command:evil.run)[2J","state":"ready","usedPercent":0}},"reason":""}`, `{"busy":false,"kind":"Normal"}`},
		{"a key is missing", status(func(st *Status) { st.Files, st.Reason = 1, "no key" }, lane(model.LaneDisabled, "")),
			"fast: m, disabled\nindex: 1 file\ntoday: $0.00\nlast time nothing was shown: no key",
			`{"busy":false,"costUSD":0,"index":{"files":1,"ready":true},"lanes":{"fast":{"model":"m","provider":"","servedModel":"","state":"disabled","usedPercent":0}},"reason":"No key"}`,
			`{"busy":false,"kind":"Error"}`},
		{"paused and ready", status(func(st *Status) { st.Paused = "Snoozed." }, lane(model.LaneReady, "unused"), lane(model.LaneBuiltIn, "unused")),
			"fast: m, ready: unused\nfast: the built-in engine: unused\nindex: no files; open a folder for suggestions that know your code\ntoday: $0.00\nSnoozed.",
			`{"busy":false,"costUSD":0,"index":{"files":0,"ready":true},"lanes":{"fast":{"model":"m","provider":"","reason":"Unused","servedModel":"","state":"built-in","usedPercent":0}},"paused":true,"reason":"Snoozed."}`,
			`{"busy":false,"kind":"Inactive","message":"Snoozed."}`},
	} {
		if got := inert.Message(c.st.String()); got != c.text {
			t.Errorf("%s: the text is\n%s\nwant\n%s", c.name, got, c.text)
		}
		if got := asJSON(t, wireStatus(c.st)); got != c.own {
			t.Errorf("%s: tandem/status is\n%s\nwant\n%s", c.name, got, c.own)
		}
		if got := asJSON(t, plainStatus(c.st)); got != c.others {
			t.Errorf("%s: didChangeStatus is\n%s\nwant\n%s", c.name, got, c.others)
		}
	}
	asked := lane(model.LaneReady, "")
	for _, c := range []struct {
		asked, served string
		want          bool
	}{{"a", "b", true}, {"a", "a", false}, {"", "b", false}, {"a", "", false}} {
		asked.Asked, asked.Served = c.asked, c.served
		if got := strings.Contains(status(func(*Status) {}, asked).String(), "asked for"); got != c.want {
			t.Errorf("asked for %q, served by %q: named %v", c.asked, c.served, got)
		}
	}
}
