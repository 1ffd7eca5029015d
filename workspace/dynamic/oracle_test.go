//go:build oracle

package dynamic

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"tandem/workspace/language"
)

// TestOracleBindings compares all places of each binding with those that the language itself
// finds: BINDINGS names a file of tools/oracle/bindings.py or bindings.mjs.
func TestOracleBindings(t *testing.T) {
	t.Parallel()
	list, err := os.Open(os.Getenv("BINDINGS"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	var total, same, more, fewer, none int
	lines := bufio.NewScanner(list)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var file struct {
			Path   string
			Groups []struct {
				Name string
				At   []int
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &file); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file.Path)
		if err != nil {
			t.Fatal(err)
		}
		judged := map[int]bool{} // a place in an f-string or the like is not
		for _, g := range file.Groups {
			for _, at := range g.At {
				judged[at] = true
			}
		}
		names := Read(language.OfFile(file.Path), string(text))
		for _, g := range file.Groups {
			slices.Sort(g.At)
			o, _ := names.At(g.At[0])
			total++
			if o.Binding == nil {
				none++
				continue
			}
			over, found := 0, 0
			for _, u := range o.Binding.Uses {
				switch {
				case slices.Contains(g.At, u.Start):
					found++
				case judged[u.Start] || !strings.HasSuffix(file.Path, ".py"):
					over++
					t.Logf("%s:%d: %s is another one", file.Path, 1+strings.Count(string(text[:u.Start]), "\n"), g.Name)
				}
			}
			switch {
			case over > 0:
				more++
			case found < len(g.At):
				fewer++
			default:
				same++
			}
		}
	}
	t.Logf("%d bindings: the same places %d, others too %d, not all %d, not read %d", total, same, more, fewer, none)
	if total == 0 || 500*more > total || 100*fewer > total || 20*none > total {
		t.Error("more than 0.2 % reach another thing, 1 % lack a place or 5 % are not read")
	}
}
