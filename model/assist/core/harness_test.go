package core

import (
	"testing"

	"go.uber.org/goleak"

	"tandem/model/assist/assisttest"
	"tandem/workspace/run"
)

type lanes = assisttest.Lanes

// A bench is a small workspace with one open document, and the use cases of this package.
type bench struct {
	*assisttest.Bench
}

// newBench opens main.go with text; the other files are on disk only.
func newBench(t *testing.T, l lanes, text string, others map[string]string) *bench {
	t.Helper()
	b := &bench{}
	b.Bench = assisttest.New(t, l, text, others, func(*assisttest.Bench, *run.Group) assisttest.Followers { return assisttest.Each{} })
	return b
}

// TestMain fails the package if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
