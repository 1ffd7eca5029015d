package names

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// stateDir keeps the vocabularies of this machine's runtimes for all tests: reading one
// costs seconds.
var stateDir string

// TestMain fails the package if a goroutine still runs after the tests.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "names-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, "the tests need a folder for temporary files:", err)
		os.Exit(1)
	}
	stateDir = dir
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir) // what is left is temporary
		os.Exit(code)
	}))
}
