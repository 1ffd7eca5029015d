package next

import (
	"context"
	"strings"
	"testing"

	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/local"
)

// TestNextEditAfterDeletedTail edits the last line, then the first, then deletes the
// last two lines.
func TestNextEditAfterDeletedTail(t *testing.T) {
	for name, end := range assisttest.LineEnds {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, lanes{}, strings.ReplaceAll("one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n", "\n", end), nil)
			b.engine.NextEdits.Local = local.New(nil)
			b.Edit(b.At("eight"), b.At("eight"), "!")
			b.Edit(0, 0, "x")
			b.Edit(b.At("six"+end), len(b.Text()), "")
			b.nextEdit(0)
		})
	}
}

func (b *bench) nextEdit(offset int) *Offer {
	b.T.Helper()
	next, _, err := b.engine.NextEdits.NextEdit(context.Background(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: offset}})
	if err != nil {
		b.T.Fatal(err)
	}
	return next
}
