package ask

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
)

const cookies = "package jar\n\n// Bake makes a cookie.\nfunc Bake(name string) string {\n\tout := name + \"=1\"\n\treturn out\n}\n\n// Eat removes it.\nfunc Eat(name string) bool {\n\tgone := name == \"\"\n\treturn gone\n}\n"

// TestAFollowUpHoldsItsCode: "why?" goes with the code that it is about, adds nothing that the
// conversation holds, and what has changed since is shown as it is now.
func TestAFollowUpHoldsItsCode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("Since it is so.")
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, map[string]string{"jar/jar.go": cookies})
		ask := func(question string) *model.Request {
			if _, err := b.engine.Asker.Ask(context.Background(), b.Session.Snapshot(), Request{Question: question, Place: core.Place{URI: b.URI}, Thread: "t"}); err != nil {
				t.Fatal(err)
			}
			all := fast.Requests()
			return all[len(all)-1]
		}
		first := ask("what does Bake do?")
		why := ask("why?")
		if !slices.Equal(why.Input[:len(first.Input)], first.Input) || why.Instructions != first.Instructions || why.CacheKey != first.CacheKey {
			t.Error("a follow-up does not begin with the question before it")
		}
		added := why.Input[len(first.Input):]
		if len(added) != 2 || added[0].Text.String() != "Since it is so." || added[1].Text.String() != "Request: why?" {
			t.Errorf("it adds %q", added)
		}
		if sent := shownTo(why); strings.Count(sent, "func Bake(") != 1 {
			t.Errorf("the function is shown %d times", strings.Count(sent, "func Bake("))
		}
		b.Edit(0, 0, "// mine\n")
		moved := ask("and now?")
		if last := moved.Input[len(moved.Input)-2].Text.String(); !strings.Contains(last, "main.go: what was shown as lines 1-") && !strings.Contains(last, "// mine") {
			t.Errorf("what moved is not told: %q", last)
		}
		b.Edit(b.At("return 1"), b.At("return 1")+len("return 1"), "return 17")
		if changed := shownTo(ask("still?")); !strings.Contains(changed, "return 17") {
			t.Error("what has changed is not shown")
		}
	})
}

// TestAnInterruptedQuestionStays: with what had been written, or that nothing had.
func TestAnInterruptedQuestionStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &script{Gap: time.Second, First: time.Second}
		slow.Answer = func(*model.Request) ([]string, error) { return []string{"One", " two", " three"}, nil }
		b := newBench(t, lanes{model.Fast: slow}, assisttest.Source, nil)
		for after, want := range map[time.Duration]string{500 * time.Millisecond: "before you wrote anything", 1500 * time.Millisecond: "stopped you there"} {
			ctx, stop := context.WithTimeout(t.Context(), after)
			thread := after.String()
			got, err := b.engine.Asker.Ask(ctx, b.Session.Snapshot(), Request{Question: "first?", Place: core.Place{URI: b.URI}, Thread: thread})
			stop()
			if err == nil && got.End.Sentence() != "The answer was cut: it was stopped by you." {
				t.Errorf("it ends with %q", got.End.Sentence())
			}
			if _, err := b.engine.Asker.Ask(t.Context(), b.Session.Snapshot(), Request{Question: "second?", Place: core.Place{URI: b.URI}, Thread: thread}); err != nil {
				t.Fatal(err)
			}
			all := slow.Requests()
			if sent := shownTo(all[len(all)-1]); !strings.Contains(sent, "Request: first?") || !strings.Contains(sent, want) {
				t.Errorf("after %v the next request does not hold it:\n%s", after, sent)
			}
		}
	})
}
