package assist

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
	"tandem/model/local"
	"tandem/workspace"
)

var lineEnds = map[string]string{"LF": "\n", "CRLF": "\r\n"}

// TestNextEditAfterDeletedTail edits the last line, then the first, then deletes the
// last two lines.
func TestNextEditAfterDeletedTail(t *testing.T) {
	for name, end := range lineEnds {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, lanes{}, strings.ReplaceAll("one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n", "\n", end), nil)
			b.engine.Local = local.New(nil)
			b.edit(b.at("eight"), b.at("eight"), "!")
			b.edit(0, 0, "x")
			b.edit(b.at("six"+end), len(b.text()), "")
			b.nextEdit(0)
		})
	}
}

func (b *bench) nextEdit(offset int) *NextEdit {
	b.t.Helper()
	next, _, err := b.engine.NextEdits.NextEdit(context.Background(), b.session.Snapshot(), NextEditRequest{Place: Place{URI: b.uri, Offset: offset}})
	if err != nil {
		b.t.Fatal(err)
	}
	return next
}

// TestPropertyRecentEditsKeepTheirPlace makes random edits: a recent edit that has a
// place has its text there, and no next edit lies outside the text.
func TestPropertyRecentEditsKeepTheirPlace(t *testing.T) {
	for name, end := range lineEnds {
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
				session.Update(workspace.CauseEditor, workspace.Opened{URI: uri, Version: 1, Language: "go", Text: edits.NewText(text)})
				for i := range rapid.IntRange(1, 12).Draw(rt, "edits") {
					starts := lineStarts(text)
					from := rapid.SampledFrom(starts).Draw(rt, "from")
					to := from + rapid.SampledFrom([]int{0, 0, 1, 3, 9, 24}).Draw(rt, "length")
					e := edits.Edit{Span: edits.Span{Start: from, End: edits.NewText(text).RuneStart(min(to, len(text)))}, New: rapid.SampledFrom([]string{"", "x", "f(3)", end, "y" + end}).Draw(rt, "new")}
					text = text[:e.Start] + e.New + text[e.End:]
					snap := session.Update(workspace.CauseEditor, workspace.Edited{URI: uri, Version: int32(i + 2), Steps: []workspace.Step{{Edit: e, After: edits.NewText(text)}}})
					recent := snap.RecentEdits(uri)
					for _, r := range recent {
						if r.Placed && text[r.Place.Start:r.Place.End] != r.New {
							rt.Fatalf("%q is not at %v of %q", r.New, r.Place, text)
						}
						if r.Placed && strings.Count(text[:r.Place.Start], "\n")+1 != r.Line {
							rt.Fatalf("line %d is not that of %v in %q", r.Line, r.Place, text)
						}
					}
					for next := range engine.NextEdits(context.Background(), corpusAround(snap, uri), recent, uri, e.Start) {
						if next.Path == uri && !next.Edit.Valid(len(text)) {
							rt.Fatalf("%v lies outside %q", next.Edit, text)
						}
					}
				}
			})
		})
	}
}

func lineStarts(text string) []int {
	out := []int{0}
	for i, c := range text {
		if c == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

// TestEvictedProposalIsAnError lets other proposals push out one that is made.
func TestEvictedProposalIsAnError(t *testing.T) {
	b := newBench(t, lanes{}, "package main\n", nil)
	store := b.engine.Editor.proposals
	run := &editRun{id: store.open(Proposal{State: Rejected}).ID, req: EditRequest{URI: b.uri}}
	for i := range maxProposals + 1 {
		store.open(Proposal{State: Failed, Err: fmt.Errorf("%d", i)})
	}
	p := b.engine.Editor.runEdit(context.Background(), b.session.Snapshot(), run, 0)
	if p == nil || p.State != Failed || p.Err == nil {
		t.Fatalf("%+v", p)
	}
	if _, err := b.engine.Editor.withAlternatives(p, nil); err == nil || !strings.Contains(err.Error(), "ask for it again") {
		t.Errorf("error %v", err)
	}
}
