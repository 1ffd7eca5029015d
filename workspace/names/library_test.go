package names

import (
	"testing"

	"golang.org/x/tools/txtar"
)

// TestLibrary: a later edit may give a folder what it lacks, also one that stands for a module; it
// gives a library nothing.
func TestLibrary(t *testing.T) {
	t.Parallel()
	x := writeFixture(t, txtar.Parse([]byte(`
-- go.mod --
module m

go 1.24

require example.com/local v1.0.0

replace example.com/local => ./local
-- local/go.mod --
module example.com/local
-- local/local.go --
package local
-- after/a.go --
package m

import (
	"strings"

	"example.com/local"
)

var _, _ = strings.Nothing, local.Absent
`)))
	got, _ := x.names.Check(x.files)
	library := map[string]bool{}
	for _, f := range got {
		library[f.Name] = f.Library
	}
	if len(got) != 2 || !library["Nothing"] || library["Absent"] {
		t.Errorf("of libraries: %v in %v", library, got)
	}
}
