//go:build reliability && linux

package reliability

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hostileTrees are trees that cost the square of their size if a walk starts each folder at the
// root, or an ignore file asks each pattern of each file.
var hostileTrees = map[string]func(h *home){
	"10,000 nested folders": func(h *home) {
		dir, err := os.OpenRoot(h.workspace)
		for i := 0; i < 10_000 && err == nil; i++ {
			var next *os.Root
			if err = dir.Mkdir("d", 0o755); err == nil {
				next, err = dir.OpenRoot("d")
			}
			_ = dir.Close()
			dir = next
		}
		if err != nil {
			h.t.Fatal(err)
		}
	},
	"300 patterns of long classes": func(h *home) {
		many(h)
		h.write(".gitignore", strings.Repeat("*["+strings.Repeat("b-dg-kA-Z", 2000)+"]*9x\n["+strings.Repeat("0-9@-Z", 2000)+"]*\n", 150))
	},
	"300,000 patterns":                func(h *home) { many(h); h.write(".gitignore", lines("name%d*\n", 300_000)) },
	"300,000 patterns that are alike": func(h *home) { many(h); h.write(".gitignore", lines("g*%d*.py\n", 300_000)) },
}

func lines(format string, n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, format, i)
	}
	return out.String()
}

// many writes 3,000 files in 50 folders.
func many(h *home) {
	for i := range 3000 {
		h.write(filepath.Join(fmt.Sprint("p", i%50), fmt.Sprintf("f%d.py", i)), fmt.Sprintf("def f%d(): return %d\n", i, i))
	}
}

// TestA12HostileTrees: no tree costs more than its size.
func TestA12HostileTrees(t *testing.T) {
	for name, make := range hostileTrees {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			make(h)
			s := h.launch(nil)
			s.handshake(allOfTandem(), h.workspace)
			time.Sleep(time.Second)
			s.quiet()
			within(t, "processor time of a tree of "+name, s.processorTime(), 2*time.Second)
			below(t, "memory of a tree of "+name, s.memory("VmHWM"), 300)
		})
	}
}
