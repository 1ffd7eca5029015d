package edit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/model"
	"tandem/model/assist/assisttest"
)

// TestWhatRunsIsConfirmed: a proposal that creates a file which makes programs run or decides what is seen is
// accepted in an editor only once the user has read why; one that creates a harmless file is accepted.
func TestWhatRunsIsConfirmed(t *testing.T) {
	for list, asks := range map[string]bool{"steering": true, "harmless": false} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "allowed", list+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for name := range strings.FieldsSeq(string(text)) {
			if filepath.Ext(name) == ".mod" || filepath.Base(name) == "main.go" {
				continue // the bench has them
			}
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, lanes{model.Fast: replies(block + name + "\n<<<<<<< SEARCH\n=======\n\n>>>>>>> REPLACE\n")}, assisttest.Source, nil)
				p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "return 22"})
				if err != nil { // models are shown nothing of it
					if !asks {
						t.Errorf("%s: %v", name, err)
					}
					return
				}
				_, err = b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, -1, false)
				var refused *model.Error
				if asks != (errors.As(err, &refused) && refused.Code == model.CodeFailedChecks && strings.Contains(err.Error(), "makes programs run")) || !asks && err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if _, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, -1, true); err != nil {
					t.Errorf("%s is not accepted once it is confirmed: %v", name, err)
				}
			})
		}
	}
}
