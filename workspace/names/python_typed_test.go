package names

import (
	"regexp"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestTypedReceivers: a method that nothing has is an error where the type of its receiver is
// known (zz…), and a warning where it is not, or may have any attribute (yy…).
func TestTypedReceivers(t *testing.T) {
	a, err := txtar.ParseFile("testdata/python_typed.txtar")
	if err != nil {
		t.Fatal(err)
	}
	x := writeFixture(t, a)
	got, _ := x.names.Check(x.files)
	severity := map[string]string{}
	for _, f := range got {
		severity[f.Name] = f.Severity
	}
	all := regexp.MustCompile(`\b(zz|yy)\w\b`).FindAllString(x.files[0].After, -1)
	if len(all) == 0 || len(all) != len(got) {
		t.Errorf("%d findings of %d names", len(got), len(all))
	}
	for _, name := range all {
		want := severityWarning
		if name[0] == 'z' {
			want = severityError
		}
		if severity[name] != want {
			t.Errorf("%s: %q, want %s", name, severity[name], want)
		}
	}
}
