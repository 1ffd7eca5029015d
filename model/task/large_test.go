package task

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
)

// deletion is an answer, in each format, that takes away lines which the window of an
// edit at the document's start does not show.
var deletion = map[string]string{
	"search_replace": "<<<<<<< SEARCH\n\t3000, // the number 3000\n\t3001, // the number 3001\n=======\n>>>>>>> REPLACE\n",
	"apply_patch":    "*** Begin Patch\n*** Update File: main.go\n@@\n-\t3000, // the number 3000\n-\t3001, // the number 3001\n*** End Patch\n",
	"rewrite":        "<<<<<<< SEARCH\n\t3000, // the number 3000\n=======\n>>>>>>> REPLACE\n", // of more than it may write
}

// TestUnseenTextStays: without a selection, an answer changes only lines that were shown.
func TestUnseenTextStays(t *testing.T) {
	for _, format := range assisttest.EditFormats {
		synctest.Test(t, func(t *testing.T) {
			s := replies(deletion[format])
			s.Format = format
			text := assisttest.Large()
			b := newBench(t, lanes{model.Fast: s, model.Deep: s}, text, nil)
			req := edit.Request{URI: b.URI, Instruction: "tidy up"}
			if p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), req); err == nil || !strings.Contains(err.Error(), "select less") {
				t.Errorf("%s: %s, %v", format, p.State, err)
			}
			begun, err := b.engine.Tasks.Escalate(b.Session.Snapshot(), Request{Instruction: "tidy up", Place: core.Place{URI: b.URI}})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if task := b.task(); task.Record.ID != begun.Record.ID || task.Record.State != Failed || !strings.Contains(task.Record.Error, "select less") {
				t.Errorf("%s, as a task: %s, %q", format, task.Record.State, task.Record.Error)
			}
			if b.Text() != text {
				t.Errorf("%s: the text is changed", format)
			}
		})
	}
}
