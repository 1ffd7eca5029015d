package nextedit

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tandem/model/local/localtest"
)

// TestUsersOfPackageWithTests: a package with tests of its own is checked with them, and who
// imports it knows it without them. A method's users are those of the interface that it
// implements there.
func TestUsersOfPackageWithTests(t *testing.T) {
	m := localtest.New(map[string]string{
		"go.mod":      "module m\n",
		"a/a.go":      "package a\n\ntype Opts struct{}\n\ntype T struct{}\n\nfunc (T) Do(o Opts) {}\n\nfunc own(t T) { t.Do(Opts{}) }\n",
		"a/a_test.go": "package a\n\nfunc helper(t T) { t.Do(Opts{}) }\n",
		"a/x_test.go": "package a_test\n\nimport \"m/a\"\n\nfunc outside(t a.T) { t.Do(a.Opts{}) }\n",
		"b/b.go":      "package b\n\nimport \"m/a\"\n\ntype Doer interface{ Do(o a.Opts) }\n\nfunc Use(d Doer) { d.Do(a.Opts{}) }\n",
		"c/c.go":      "package c\n\ntype Other struct{}\n\nfunc (Other) Do() {}\n\nfunc use(o Other) { o.Do() }\n",
	})
	for _, d := range m.Indexed.Lookup("Do") {
		if d.Container != "T" {
			continue
		}
		var got []string
		for _, p := range Users(context.Background(), m, d) {
			got = append(got, fmt.Sprintf("%s:%d", p.Path, p.Line))
		}
		if want := []string{"a/a.go:9", "a/a_test.go:3", "a/x_test.go:5", "b/b.go:7"}; !slices.Equal(got, want) {
			t.Errorf("users are %q, want %q", got, want)
		}
		return
	}
	t.Error("the method is not found")
}
