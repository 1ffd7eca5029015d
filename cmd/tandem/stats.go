package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"tandem/workspace/state"
)

// statsVersion is the version of the form of `tandem stats --json`.
const statsVersion = 1

// stats is how suggestions ended, by model, language and kind.
type stats struct {
	Version int         `json:"version"`
	Rows    []*statsRow `json:"rows"`
}

// A statsRow counts the suggestions of one model in one language of one kind. Shown is
// the sum of the ways in which they ended.
type statsRow struct {
	Model    string `json:"model"`
	Language string `json:"language"`
	Kind     string `json:"kind"` // line, block or next_edit; "" where a request showed nothing
	Shown    int    `json:"shown"`
	Accepted int    `json:"accepted"`
	Partly   int    `json:"partly_accepted"`
	Typed    int    `json:"typed_as_suggested"`
	Rejected int    `json:"dismissed"`
	Against  int    `json:"typed_against"`
	Left     int    `json:"left"` // ended by an edit elsewhere, or replaced
	Unseen   int    `json:"unseen"`
	Nothing  int    `json:"requests_without_a_suggestion"`
	// What is left of the accepted text on average, where it was looked at.
	After30s    *float64 `json:"left_after_30s,omitempty"`
	After5m     *float64 `json:"left_after_5m,omitempty"`
	AfterCommit *float64 `json:"left_after_commit,omitempty"`

	sums map[string][]float64
}

func statsCommand(*globals) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats",
		Short: "How suggestions ended, by model, language and kind; it holds no text and stays on this machine",
		Args:  takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			store, err := openStore()
			if err != nil {
				return exit(exitFailed, err)
			}
			list, err := store.Outcomes().Read()
			if err != nil {
				return exit(exitFailed, err)
			}
			return statsOf(list).print(c, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// statsOf adds up outcomes.
func statsOf(list []state.Outcome) stats {
	rows := map[[3]string]*statsRow{}
	byID := map[string]*statsRow{}
	for _, o := range list {
		if o.Since != "" {
			if row := byID[o.ID]; row != nil {
				row.sums[o.Since] = append(row.sums[o.Since], o.Left)
			}
			continue
		}
		key := [3]string{o.Model, o.Language, o.Kind}
		row := rows[key]
		if row == nil {
			row = &statsRow{Model: o.Model, Language: o.Language, Kind: o.Kind, sums: map[string][]float64{}}
			rows[key] = row
		}
		byID[o.ID] = row
		row.add(o.End)
	}
	out := stats{Version: statsVersion, Rows: []*statsRow{}}
	for _, row := range rows {
		row.After30s, row.After5m, row.AfterCommit = mean(row.sums["30s"]), mean(row.sums["5m"]), mean(row.sums["commit"])
		out.Rows = append(out.Rows, row)
	}
	slices.SortFunc(out.Rows, func(a, b *statsRow) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Language, b.Language), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}

func (r *statsRow) add(end string) {
	count := map[string]*int{
		"accepted": &r.Accepted, "partly": &r.Partly, "typed": &r.Typed, "dismissed": &r.Rejected, "against": &r.Against,
		"left": &r.Left, "replaced": &r.Left, "unseen": &r.Unseen, "nothing": &r.Nothing,
	}[end]
	if count == nil {
		return
	}
	*count++
	if end != "unseen" && end != "nothing" {
		r.Shown++
	}
}

// mean is nil where there is nothing.
func mean(list []float64) *float64 {
	if len(list) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	sum /= float64(len(list))
	return &sum
}

func (s stats) print(c *cobra.Command, asJSON bool) error {
	if asJSON {
		return printJSON(c, s)
	}
	if len(s.Rows) == 0 {
		fmt.Fprintln(c.OutOrStdout(), "No suggestion was shown yet.")
		return nil
	}
	table := [][]string{{"MODEL", "LANGUAGE", "KIND", "SHOWN", "ACCEPTED", "PARTLY", "TYPED", "DISMISSED", "TYPED AGAINST", "LEFT", "UNSEEN", "NOTHING", "KEPT 30 S", "5 MIN", "COMMIT"}}
	for _, r := range s.Rows {
		table = append(table, []string{r.Model, r.Language, r.Kind, fmt.Sprint(r.Shown), percent(r.Accepted, r.Shown), percent(r.Partly, r.Shown), percent(r.Typed, r.Shown),
			percent(r.Rejected, r.Shown), percent(r.Against, r.Shown), percent(r.Left, r.Shown), fmt.Sprint(r.Unseen), fmt.Sprint(r.Nothing),
			shareText(r.After30s), shareText(r.After5m), shareText(r.AfterCommit)})
	}
	return printTable(c, table)
}

func shareText(share *float64) string {
	if share == nil {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100**share)
}
