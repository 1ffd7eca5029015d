package assist

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
)

// large is a document of more lines than the window of an edit holds.
func large() string {
	var b strings.Builder
	b.WriteString("package main\n\nvar numbers = []int{\n")
	for n := range 4000 {
		fmt.Fprintf(&b, "\t%d, // the number %d\n", n, n)
	}
	b.WriteString("}\n")
	return b.String()
}

var editFormats = []string{"search_replace", "rewrite", "apply_patch"}

// TestLargeSelectionIsRefused: no format and no command sends a selection that the
// window cannot show whole, in either lane, in the foreground and in the background.
func TestLargeSelectionIsRefused(t *testing.T) {
	for _, format := range editFormats {
		for _, kind := range []model.Kind{model.KindEdit, model.KindFix, model.KindDocument, model.KindTest} {
			for _, lane := range []model.Lane{model.Fast, model.Deep} {
				synctest.Test(t, func(t *testing.T) {
					s := replies("package main\n")
					s.format = format
					text := large()
					b := newBench(t, lanes{lane: s}, text, nil)
					req := EditRequest{URI: b.uri, Span: edits.Span{End: len(text)}, Instruction: "tidy up", Kind: kind, Lane: lane}
					_, err := b.engine.Editor.Edit(context.Background(), b.session.Snapshot(), req)
					var refused *model.Error
					if !errors.As(err, &refused) || refused.Code != model.CodeBadRequest || !strings.Contains(err.Error(), "select less") {
						t.Errorf("%s %s %s: %v", format, kind, lane, err)
					}
					begun, err := b.engine.Editor.Begin(b.session.Snapshot(), req)
					if err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					if p, _ := b.engine.Editor.Get(begun.ID); p.State != Failed || !strings.Contains(p.Err.Error(), "select less") {
						t.Errorf("%s %s %s in the background: %s, %v", format, kind, lane, p.State, p.Err)
					}
					if n := len(s.requests()); n > 0 || b.text() != text {
						t.Errorf("%s %s %s: %d requests were sent", format, kind, lane, n)
					}
				})
			}
		}
	}
}

// deletion is an answer, in each format, that takes away lines which the window of an
// edit at the document's start does not show.
var deletion = map[string]string{
	"search_replace": "<<<<<<< SEARCH\n\t3000, // the number 3000\n\t3001, // the number 3001\n=======\n>>>>>>> REPLACE\n",
	"apply_patch":    "*** Begin Patch\n*** Update File: main.go\n@@\n-\t3000, // the number 3000\n-\t3001, // the number 3001\n*** End Patch\n",
	"rewrite":        "package main\n",
}

// TestUnseenTextStays: without a selection, an answer changes only lines that were shown.
func TestUnseenTextStays(t *testing.T) {
	for _, format := range editFormats {
		synctest.Test(t, func(t *testing.T) {
			s := replies(deletion[format])
			s.format = format
			text := large()
			b := newBench(t, lanes{model.Fast: s, model.Deep: s}, text, nil)
			req := EditRequest{URI: b.uri, Instruction: "tidy up"}
			if p, err := b.engine.Editor.Edit(context.Background(), b.session.Snapshot(), req); err == nil || !strings.Contains(err.Error(), "select less") {
				t.Errorf("%s: %s, %v", format, p.State, err)
			}
			if n := len(s.requests()); format == "rewrite" && n > 0 {
				t.Errorf("%d requests were sent for a document that is not shown whole", n)
			}
			begun, err := b.engine.Tasks.Escalate(b.session.Snapshot(), TaskRequest{Instruction: "tidy up", Place: Place{URI: b.uri}})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if task := b.task(); task.ID != begun.ID || task.State != TaskFailed || !strings.Contains(task.Err, "select less") {
				t.Errorf("%s, as a task: %s, %q", format, task.State, task.Err)
			}
			if b.text() != text {
				t.Errorf("%s: the text is changed", format)
			}
		})
	}
}

// TestShownSelectionIsRewritten: a selection that is shown whole is rewritten in a
// document that is not.
func TestShownSelectionIsRewritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replies("\t-7, // the number 7\n")
		s.format = "rewrite"
		b := newBench(t, lanes{model.Fast: s}, large(), nil)
		const line = "\t7, // the number 7\n"
		want := strings.Replace(b.text(), line, "\t-7, // the number 7\n", 1)
		p, err := b.engine.Editor.Edit(context.Background(), b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection(line), Instruction: "negate it"})
		if err != nil {
			t.Fatal(err)
		}
		b.take(p.ID, -1)
		if b.text() != want {
			t.Error("the selection is not what the model wrote")
		}
	})
}
