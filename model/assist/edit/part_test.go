package edit

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
)

// TestPartsOfEdits: of an answer that was cut the whole blocks are proposed, as a part that is
// accepted by force alone, whole or by its hunks, and not at all if it takes away a function.
// What is typed since changes nothing of it.
func TestPartsOfEdits(t *testing.T) {
	const gone = "main.go\n<<<<<<< SEARCH\nfunc two() int {\n\treturn 2\n}\n=======\n>>>>>>> REPLACE\n"
	length := model.Ended(model.WhyLength, "length")
	for _, c := range []struct {
		name, answer string
		end          model.End
		err          error
		cut          string // of the proposal; "" is none
		forced       bool
	}{
		{"whole", block, model.End{}, nil, "", true},
		{"a block", block + "main.go\n<<<<<<< SEARCH\n", length, nil, "1 block, then the server stopped at its limit of tokens", true},
		{"a broken stream", block, model.End{}, &model.Error{Code: model.CodeInterrupted, Message: "the connection broke."}, "1 block, then the answer broke off", true},
		{"a word that nobody knows", block, model.Ended(model.WhyUnknown, "halted"), nil, "1 block, then the server ended it with “halted”, which tandem does not know as the end of a whole answer", true},
		{"a function taken away", gone, length, nil, "1 block, then the server stopped at its limit of tokens", false},
		{"no block", "main.go\n<<<<<<< SEARCH\n\treturn 2\n", length, nil, "", false},
	} {
		fast := replies(c.answer)
		fast.End, fast.Answer = c.end, func(*model.Request) ([]string, error) { return []string{c.answer}, c.err }
		b := newBench(t, lanes{model.Fast: fast}, strings.Replace(assisttest.Source, "\nfunc", "\nfunc two() int {\n\treturn 2\n}\n\nfunc", 1), nil)
		p, err := b.engine.Editor.Edit(t.Context(), b.Session.Snapshot(), Request{URI: b.URI, Instruction: "count"})
		if c.name == "no block" {
			if err == nil || !strings.Contains(err.Error(), "The answer was cut: the server stopped at its limit") || p.State != Failed {
				t.Errorf("%s: %s, %v", c.name, p.State, err)
			}
			continue
		}
		if err != nil || p.State != Ready || p.Cut() != c.cut || p.End.Whole() != (c.cut == "") {
			t.Errorf("%s: %s, cut %q, %v", c.name, p.State, p.Cut(), err)
			continue
		}
		for _, when := range []string{"at once", "after typing"} {
			for _, hunk := range []int{-1, 0} {
				_, plain := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, hunk, false)
				_, forced := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, hunk, true)
				if (plain == nil) != (c.cut == "") || (forced == nil) != c.forced || plain != nil && !strings.Contains(plain.Error(), "the answer was cut: "+c.cut) {
					t.Errorf("%s, hunk %d %s: accepted with %v, by force with %v", c.name, hunk, when, plain, forced)
				}
			}
			b.Edit(0, 0, "// typed\n")
		}
		var refused *edits.Error
		if _, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, -1, true); !c.forced && (!errors.As(err, &refused) || refused.Code != edits.CodeUnsafe) {
			t.Errorf("%s: by force %v", c.name, err)
		}
	}
}

// TestAnEditThatIsStopped: what came of it stays as a part, and is what a sentence after it
// continues.
func TestAnEditThatIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{Gap: time.Second}
		fast.Answer = func(*model.Request) ([]string, error) { return []string{block, "more", "and more"}, nil }
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, nil)
		p, err := b.engine.Editor.Begin(b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "x"})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		if err := b.engine.Editor.Cancel(p.ID); err != nil {
			t.Fatal(err)
		}
		if p, _ = b.engine.Editor.Get(p.ID); p.State != Ready || p.Cut() != "1 block, then it was stopped by you" || p.Judged().Passed() {
			t.Errorf("%s, %q, %s", p.State, p.Cut(), p.Judged().State())
		}
		for hunk, forced := range map[int]bool{-1: true, 0: false} { // a change is the user's own choice
			_, plain := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, hunk, false)
			_, force := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, hunk, true)
			if (plain == nil) == forced || force != nil {
				t.Errorf("change %d is accepted with %v, by force with %v", hunk, plain, force)
			}
		}
		if err := b.engine.Editor.Steer(b.Session.Snapshot(), p.ID, "make it 3", false, nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		if asked := fast.AskedFor("make it 3"); len(asked) != 1 || !strings.Contains(asked[0].Input[len(asked[0].Input)-3].Text.String(), block) || !strings.Contains(asked[0].Input[len(asked[0].Input)-2].Text.String(), "stopped you there") {
			t.Errorf("the next request does not hold what was written")
		}
	})
}
