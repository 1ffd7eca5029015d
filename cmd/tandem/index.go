package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/workspace/disk"
	"tandem/workspace/ignore"
	"tandem/workspace/index"
	"tandem/workspace/run"
	"tandem/workspace/terms"
)

// An indexReport is the answer of `tandem index --json`.
type indexReport struct {
	Files       int            `json:"files"`
	Dirs        int            `json:"dirs"`
	Lines       int            `json:"lines"`
	Bytes       int64          `json:"bytes"`
	Definitions int            `json:"definitions"`
	Skipped     map[string]int `json:"skipped"`
	Ms          int64          `json:"ms"`
	RSSMB       int            `json:"rss_mb"`
}

// indexCommand indexes the workspace from nothing and prints the counts and costs.
func indexCommand(g *globals) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "index",
		Short: "Index the workspace cold, print counts and costs",
		Args:  takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			root, err := g.root()
			if err != nil {
				return err
			}
			report, err := indexCold(c.Context(), root, indexProgress(c.ErrOrStderr()))
			if err != nil {
				return exit(exitFailed, err)
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(report)
			}
			return printIndexReport(c.OutOrStdout(), root, report)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// indexCold builds an index that is not stored.
func indexCold(ctx context.Context, root string, progress func(done, total int)) (*indexReport, error) {
	group := run.NewGroup(ctx, nil)
	defer group.Close()
	start := time.Now()
	ix, stats, err := index.Build(ctx, index.Options{Root: root, Matcher: ignore.New(root), Group: group, Progress: progress})
	if err != nil {
		return nil, err
	}
	took := time.Since(start)
	debug.FreeOSMemory() // do not count the memory that only reading needed
	report := &indexReport{Files: stats.Files, Dirs: stats.Dirs, Lines: stats.Lines, Bytes: stats.Bytes, Definitions: stats.Definitions,
		Skipped: map[string]int{"ignored": stats.Ignored, "binary": stats.Binary, "large": stats.Large, "unlisted": stats.Unlisted, "deep": stats.Deep, "unread": stats.Unread},
		Ms:      took.Milliseconds(), RSSMB: int(resident() >> 20)}
	runtime.KeepAlive(ix)
	return report, nil
}

// indexProgress shows how many files are read, if w is a terminal.
func indexProgress(w io.Writer) func(done, total int) {
	if !isTerminal(w) {
		return nil
	}
	return func(done, _ int) { redraw(w, "indexing: %d files ", done) }
}

func printIndexReport(w io.Writer, root string, r *indexReport) error {
	beyond := ""
	if n := r.Skipped["unlisted"]; n > 0 {
		beyond += fmt.Sprintf(", %d in folders with too many entries", n)
	}
	if n := r.Skipped["deep"]; n > 0 {
		beyond += fmt.Sprintf(", %s too deep", terms.Counted(n, "folder"))
	}
	if n := r.Skipped["unread"]; n > 0 {
		beyond += fmt.Sprintf(", %d unreadable", n)
	}
	_, err := fmt.Fprintf(w, "%s: %d files in %d folders, %d lines, %.1f MB, %d definitions\nskipped: %d ignored, %d binary, %d too large%s\n%d ms, %d MB resident\n",
		edits.OneLine(root), r.Files, r.Dirs, r.Lines, float64(r.Bytes)/1e6, r.Definitions, r.Skipped["ignored"], r.Skipped["binary"], r.Skipped["large"], beyond, r.Ms, r.RSSMB)
	return err
}

// resident returns the program's resident memory in bytes: from the system, or,
// if the system does not report it, the memory that the runtime holds.
func resident() uint64 {
	if status, err := disk.ReadFile("/proc/self/status", 1<<16); err == nil {
		if _, rest, ok := bytes.Cut(status, []byte("VmRSS:")); ok {
			if kb, err := strconv.ParseUint(string(bytes.Fields(rest)[0]), 10, 64); err == nil {
				return kb << 10
			}
		}
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.Sys - stats.HeapReleased
}
