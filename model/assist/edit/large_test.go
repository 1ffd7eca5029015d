package edit

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/prompt"
	"tandem/workspace/redact"
)

// TestNamedIsShownWhole: a selection of five budgets is shown whole in either lane and for what
// every command asks, and one that a model cannot write again whole is asked for by blocks.
func TestNamedIsShownWhole(t *testing.T) {
	for _, format := range assisttest.EditFormats {
		for _, kind := range []model.Kind{model.KindEdit, model.KindFix, model.KindDocument, model.KindTest, model.KindAsk} {
			for _, lane := range []model.Lane{model.Fast, model.Deep} {
				s := replies("x")
				s.Format = format
				text := assisttest.Large()
				b := newBench(t, lanes{lane: s}, text, nil)
				ask, err := b.engine.Editor.Prompts.Prompt(t.Context(), b.Session.Snapshot(), prompt.Question{Kind: kind, Lane: lane, URI: b.URI, Span: edits.Span{End: len(text)}, Request: redact.Said("x")})
				if err != nil {
					t.Fatalf("%s %s %s: %v", format, kind, lane, err)
				}
				sent := ask.Input[len(ask.Input)-1].Text.String()
				if !strings.Contains(sent, "\t0, // the number 0\n") || !strings.Contains(sent, "\t3999, // the number 3999\n") {
					t.Errorf("%s %s %s: it is not shown whole", format, kind, lane)
				}
				if kind.Edits() && format == "rewrite" && ask.Format != edits.FormatSearchReplace {
					t.Errorf("%s %s: 40,000 tokens are to be written in the form of %s", kind, lane, ask.Format)
				}
			}
		}
	}
}

// TestLargeSelectionIsRefused: no format and no command sends a selection that the
// model cannot be shown whole, in either lane, in the foreground and in the background.
func TestLargeSelectionIsRefused(t *testing.T) {
	for _, format := range assisttest.EditFormats {
		for _, kind := range []model.Kind{model.KindEdit, model.KindFix, model.KindDocument, model.KindTest} {
			for _, lane := range []model.Lane{model.Fast, model.Deep} {
				synctest.Test(t, func(t *testing.T) {
					s := replies("package main\n")
					s.Format = format
					text := strings.Repeat(assisttest.Large(), 3)
					b := newBench(t, lanes{lane: s}, text, nil)
					req := Request{URI: b.URI, Span: edits.Span{End: len(text)}, Instruction: "tidy up", Kind: kind, Lane: lane}
					_, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), req)
					var refused *model.Error
					if !errors.As(err, &refused) || refused.Code != model.CodeBadRequest || !strings.Contains(err.Error(), "select less") {
						t.Errorf("%s %s %s: %v", format, kind, lane, err)
					}
					begun, err := b.engine.Editor.Begin(b.Session.Snapshot(), req)
					if err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					if p, _ := b.engine.Editor.Get(begun.ID); p.State != Failed || !strings.Contains(p.Err.Error(), "select less") {
						t.Errorf("%s %s %s in the background: %s, %v", format, kind, lane, p.State, p.Err)
					}
					if n := len(s.Requests()); n > 0 || b.Text() != text {
						t.Errorf("%s %s %s: %d requests were sent", format, kind, lane, n)
					}
				})
			}
		}
	}
}

// TestShownSelectionIsRewritten: a selection that is shown whole is rewritten in a
// document that is not.
func TestShownSelectionIsRewritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replies("\t-7, // the number 7\n")
		s.Format = "rewrite"
		b := newBench(t, lanes{model.Fast: s}, assisttest.Large(), nil)
		const line = "\t7, // the number 7\n"
		want := strings.Replace(b.Text(), line, "\t-7, // the number 7\n", 1)
		p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection(line), Instruction: "negate it"})
		if err != nil {
			t.Fatal(err)
		}
		b.take(p.ID, -1)
		if b.Text() != want {
			t.Error("the selection is not what the model wrote")
		}
	})
}
