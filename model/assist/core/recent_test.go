package core_test

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/workspace"
)

// TestPropertyRecentEditsKeepTheirPlace makes random edits: a recent edit that has a
// place has its text there, and no next edit lies outside the text.
func TestPropertyRecentEditsKeepTheirPlace(t *testing.T) {
	for name, end := range assisttest.LineEnds {
		t.Run(name, func(t *testing.T) {
			engine := local.New(nil)
			rapid.Check(t, func(rt *rapid.T) {
				session, err := workspace.Open(context.Background(), workspace.Options{Folders: []string{t.TempDir()}, ClientWatches: true})
				if err != nil {
					rt.Fatal(err)
				}
				defer session.Close()
				const uri = "untitled:a"
				line := rapid.SampledFrom([]string{"a = f(1)", "b = f(2)", "", "  g()", "漢"})
				text := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(rt, "lines"), end)
				session.Update(workspace.Opened{URI: uri, Version: 1, Language: "go", Text: edits.NewText(text)})
				for i := range rapid.IntRange(1, 12).Draw(rt, "edits") {
					starts := assisttest.LineStarts(text)
					from := rapid.SampledFrom(starts).Draw(rt, "from")
					to := from + rapid.SampledFrom([]int{0, 0, 1, 3, 9, 24}).Draw(rt, "length")
					e := edits.Edit{Span: edits.Span{Start: from, End: edits.NewText(text).RuneStart(min(to, len(text)))}, New: rapid.SampledFrom([]string{"", "x", "f(3)", end, "y" + end}).Draw(rt, "new")}
					text = text[:e.Start] + e.New + text[e.End:]
					snap := session.Update(workspace.Edited{URI: uri, Version: int32(i + 2), Steps: []workspace.Step{{Edit: e, After: edits.NewText(text)}}})
					recent := snap.RecentEdits(uri)
					for _, r := range recent {
						if r.Placed && text[r.Place.Start:r.Place.End] != r.New {
							rt.Fatalf("%q is not at %v of %q", r.New, r.Place, text)
						}
						if r.Placed && strings.Count(text[:r.Place.Start], "\n")+1 != r.Line {
							rt.Fatalf("line %d is not that of %v in %q", r.Line, r.Place, text)
						}
					}
					for next := range engine.NextEdits(context.Background(), core.CorpusAround(snap, uri), recent, uri, e.Start) {
						if next.Path == uri && !next.Edit.Valid(len(text)) {
							rt.Fatalf("%v lies outside %q", next.Edit, text)
						}
					}
				}
			})
		})
	}
}
