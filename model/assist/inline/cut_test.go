package inline

import (
	"slices"
	"testing"
	"testing/synctest"

	"tandem/model"
	"tandem/model/assist/core"
)

// TestCompletionsOfACutAnswer: lines that are whole are shown however the answer ended, and the
// beginning of one where its end may be missing is not, unless the bound was tandem's own or the
// word of the end says nothing.
func TestCompletionsOfACutAnswer(t *testing.T) {
	for _, c := range []struct {
		answer string
		end    model.End
		want   []string
	}{
		{"compute(1)", model.Ended(model.WhyWhole, "stop"), []string{"compute(1)"}},
		{"compute(1)", model.Ended(model.WhyShown, "length"), []string{"compute(1)"}},
		{"compute(1)", model.Ended(model.WhyLength, "length"), []string{"compute(1)"}},
		{"compute(1)", model.Ended(model.WhyUnknown, "halted"), []string{"compute(1)"}},
		{"compu", model.Ended(model.WhyServer, "abort"), nil},
		{"compu", model.Ended(model.WhyFilter, "SAFETY"), nil},
		{"compute(1)\n", model.Ended(model.WhyServer, "abort"), []string{"compute(1)"}},
		{"compute(1)\n\ty := comp", model.Ended(model.WhyRefused, "refusal"), []string{"compute(1)"}},
		{"compute(1)\n\ty := compute(2)", model.Ended(model.WhyWhole, "stop"), []string{"compute(1)\n\ty := compute(2)"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			lane := replies(c.answer)
			lane.End = c.end
			b := newBench(t, lanes{model.Fast: lane}, program, nil)
			got, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}, Invoked: true})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(texts(got), c.want) || (len(c.want) == 0) != (got.Reason != "") {
				t.Errorf("%q, %s: got %q because %q", c.answer, c.end.Why, texts(got), got.Reason)
			}
		})
	}
}
