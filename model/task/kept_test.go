package task

import (
	"context"
	"errors"
	"testing"
)

// TestWhyAPhaseEnds: the end of a task goes before a message to it.
func TestWhyAPhaseEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	phase, end := context.WithCancelCause(ctx)
	end(errSteered)
	if err := causeOf(ctx, phase); !errors.Is(err, errSteered) {
		t.Errorf("by a message: %v", err)
	}
	cancel()
	if err := causeOf(ctx, phase); !errors.Is(err, context.Canceled) {
		t.Errorf("by its end: %v", err)
	}
}
