package mapped

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestDataIsGivenBack: a file that was replaced is mapped as long as something keeps its data,
// and no longer.
func TestDataIsGivenBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	isMapped := func() bool {
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(maps), filepath.Dir(file))
	}
	kept := &data{}
	owner, err := kind.Keep(file, shrunk(0).columns(), kept.columns())
	if err != nil {
		t.Fatal(err)
	}
	if err := Remove(file); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if !isMapped() || len(kept.bytes) != 1<<20 {
		t.Error("data that somebody keeps was given back")
	}
	runtime.KeepAlive(owner)
	for end := time.Now().Add(10 * time.Second); isMapped(); time.Sleep(time.Millisecond) {
		if runtime.GC(); time.Now().After(end) {
			t.Fatal("data that nobody keeps is still mapped")
		}
	}
}
