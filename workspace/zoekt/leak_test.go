package zoekt

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails the package if a goroutine still runs after the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
