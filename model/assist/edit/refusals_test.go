package edit

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/workspace"
)

// TestEditsThatDoNotBegin: why an edit is refused before a model is asked, and that it goes on
// from an earlier answer.
func TestEditsThatDoNotBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies(makes22)
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, map[string]string{".tandemignore": "hidden.go\n"})
		hidden := strings.Replace(b.URI, "main.go", "hidden.go", 1)
		b.Session.Update(workspace.Opened{URI: hidden, Language: "go", Version: 1, Text: edits.NewText(assisttest.Source)})
		edit := b.engine.Editor
		for _, c := range []struct {
			req  Request
			code model.Code
			want string
		}{
			{Request{URI: b.URI, Span: edits.Span{Start: 1, End: len(assisttest.Source) + 1}}, model.CodeBadRequest, "The selection lies outside the document; its text may have changed. Select it again."},
			{Request{URI: b.URI, Span: edits.Span{Start: 3, End: 2}}, model.CodeBadRequest, "The selection lies outside the document; its text may have changed. Select it again."},
			{Request{URI: hidden}, model.CodeForbidden, "tandem shows this file to no model: "},
			{Request{URI: b.URI, After: "p9"}, model.CodeBadRequest, `There is no suggestion "p9" any more; ask for it again.`},
			{Request{URI: b.URI + "x"}, model.CodeBadRequest, ""},
		} {
			_, edited := edit.Edit(context.Background(), b.Session.Snapshot(), c.req)
			_, begun := edit.Begin(b.Session.Snapshot(), c.req)
			for _, err := range []error{edited, begun} {
				if err == nil || model.AsError(err).Code != c.code || !strings.HasPrefix(err.Error(), c.want) {
					t.Errorf("%+v: %v, want %q", c.req, err, c.want)
				}
			}
		}
		if n := len(fast.Requests()); n != 0 {
			t.Errorf("%d requests", n)
		}
		first := b.editTwo()
		p, err := edit.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "return 22", After: first.ID, Steering: "more of it"})
		if err != nil || p.ID == first.ID {
			t.Fatalf("%+v, %v", p, err)
		}
		var said []string
		for _, m := range fast.Requests()[1].Input {
			said = append(said, m.Role+": "+m.Text.String())
		}
		if n := len(said); n != 3 || !strings.HasSuffix(said[0], "Request: return 22") || said[1] != "assistant: "+makes22 || said[2] != "user: Request: more of it" {
			t.Errorf("%q", said)
		}
		list, err := edit.Accept(t.Context(), b.Session.Snapshot(), p.ID, -1, false)
		if err != nil || len(list) != 1 {
			t.Fatalf("%+v, %v", list, err)
		}
		if list[0].Held(b.Session.Snapshot()) {
			t.Error("the document has edits that were not made")
		}
		b.take(p.ID, -1)
		b.Edit(0, 0, "// mine\n")
		if !list[0].Held(b.Session.Snapshot()) {
			t.Error("the document does not have edits that were made")
		}
		list[0].Edits[0].Span.End = 1 << 20
		if list[0].Held(b.Session.Snapshot()) {
			t.Error("it has edits that cannot be made")
		}
		edit.Wrote(first.ID)
		if p, _ := edit.Get(first.ID); p.State == Ready {
			t.Errorf("what was written is %s", p.State)
		}
	})
}
