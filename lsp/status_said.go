package lsp

import (
	"cmp"
	"fmt"
	"strings"

	"tandem/model"
	"tandem/model/assist"
	"tandem/workspace"
	"tandem/workspace/terms"
)

// A Status is what works, what it works on, and why nothing is shown.
type Status struct {
	assist.State
	Files     int // in the index
	Indexing  bool
	Unnoticed int    // folders of the index in which changes made outside the editor are not noticed
	Reason    string // why the last request showed nothing
	Others    string // which other providers suggest at the cursor, and what to do about it
}

// StatusOf is the status of a session whose folders are as the snapshot has them.
func StatusOf(state assist.State, snap *workspace.Snapshot) Status {
	s := Status{State: state}
	for _, v := range snap.Views() {
		s.Files += v.NumFiles()
		s.Unnoticed += v.Unnoticed()
		s.Indexing = s.Indexing || !v.Ready()
	}
	return s
}

// String lists each lane with its model and state, the index, the cost and why nothing was shown,
// one a line.
func (st Status) String() string {
	var out []string
	for _, lane := range st.Lanes {
		line := fmt.Sprintf("%s: ", lane.Name())
		if lane.State == model.LaneBuiltIn {
			line += "the built-in engine"
		} else {
			line += cmp.Or(lane.Served, lane.Model)
			if lane.Provider != "" {
				line += " at " + lane.Provider
			}
			line += ", " + string(lane.State)
		}
		if lane.Served != "" && lane.Asked != "" && lane.Served != lane.Asked {
			line += fmt.Sprintf(" (asked for %s)", lane.Asked)
		}
		if lane.UsedPercent > 0 {
			line += fmt.Sprintf(", %.0f %% of the quota used", lane.UsedPercent)
		}
		if lane.Totals.Cached > 0 {
			line += fmt.Sprintf(", %.0f %% of the prompts from its cache", lane.Totals.CachedPercent())
		}
		if lane.Uncached {
			line += ", nothing of the prompts from a cache, so each is paid in full (lower budgets.complete, or choose a provider that caches)"
		}
		if lane.DayUSD > 0 {
			line += fmt.Sprintf(", about $%.2f for a normal day", lane.DayUSD)
		}
		if lane.Reason != "" {
			line += ": " + lane.Reason
		}
		out = append(out, line)
	}
	switch {
	case st.Indexing:
		out = append(out, fmt.Sprintf("index: %s so far", terms.Counted(st.Files, "file")))
	case st.Files > 0:
		out = append(out, "index: "+terms.Counted(st.Files, "file"))
	default:
		out = append(out, "index: no files; open a folder for suggestions that know your code")
	}
	if st.Unnoticed > 0 {
		out = append(out, fmt.Sprintf("watching: changes made outside the editor are not noticed in %s of the index; restart the server if this stays", terms.Counted(st.Unnoticed, "folder")))
	}
	out = append(out, fmt.Sprintf("today: $%.2f", st.SpentUSD))
	if st.Busy {
		out = append(out, "working on a suggestion")
	}
	if st.Paused != "" {
		out = append(out, st.Paused)
	}
	if st.Mistake != "" {
		out = append(out, "the configuration has a mistake: "+st.Mistake)
	}
	if st.Others != "" {
		out = append(out, st.Others)
	}
	if st.Reason != "" {
		out = append(out, "last time nothing was shown: "+st.Reason)
	}
	return strings.Join(out, "\n")
}
