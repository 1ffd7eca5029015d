package edit

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/model"
	"tandem/model/assist/assisttest"
)

// TestDraftFollowsTheAnswer: while an edit is written, what it makes of the document so far
// grows with each piece, and holds the document's own bytes in place of hidden ones.
func TestDraftFollowsTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const key = "sk-proj-Zx8Qw3Rt7Yu1Io5Pa9Sd2Fg6Hj4Kl0Zx8Cv3Bn7Mq1We5Rt9Yu2Io6P"
		text := strings.Replace(assisttest.Source, "return 1", "return len(\""+key+"\")", 1)
		fast := &script{Answer: func(req *model.Request) ([]string, error) {
			shown := assisttest.LastOf(req)
			from := strings.Index(shown, "\treturn len(")
			line := shown[from : from+strings.IndexByte(shown[from:], '\n')]
			return []string{"<<<<<<< SEARCH\n", line + "\n=======\n", "\t// counted\n", line + " + 1\n", ">>>>>>> REPLACE\n"}, nil
		}}
		b := newBench(t, lanes{model.Fast: fast}, text, nil)
		var seen []string
		p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("package main"), Instruction: "count", Draft: true, Watch: func(p Progress) {
			if p.Draft == nil {
				return
			}
			var lines []string
			for _, h := range p.Draft.Hunks() {
				lines = append(lines, h.Lines...)
			}
			if all := strings.Join(lines, "|"); len(seen) == 0 || seen[len(seen)-1] != all {
				seen = append(seen, all)
			}
		}})
		if err != nil || p.State != Ready {
			t.Fatal(p, err)
		}
		last := ""
		for _, lines := range seen {
			if !strings.HasPrefix(lines, last) {
				t.Errorf("%q does not go on from %q", lines, last)
			}
			last = lines
		}
		if want := "\t// counted|\treturn len(\"" + key + "\") + 1"; len(seen) < 3 || last != want {
			t.Errorf("the draft was %q, want %q at the end", seen, want)
		}
		if list, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, -1, false); err != nil || len(list) != 0 {
			t.Errorf("what the host has drafted is sent again: %+v, %v", list, err)
		}
	})
}
