package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestTable shows what a row needs to hold, and which figure it shows.
func TestTable(t *testing.T) {
	const events = `{"Action":"output","Test":"TestA1","Output":"    rows_test.go:25: quick end: 10ms (bar 500ms)\n"}
{"Action":"output","Test":"TestA1","Output":"    rows_test.go:25: slow end: 1.9s (bar 2s)\n"}
{"Action":"pass","Test":"TestA1"}
{"Action":"output","Test":"TestA2/part","Output":"    it broke\n"}
{"Action":"fail","Test":"TestA2/part"}
{"Action":"fail","Test":"TestA2"}
{"Action":"run","Test":"TestA3"}
{"Action":"skip","Test":"TestA4"}
`
	r := results{process: {}}
	if err := note(r[process], strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		run   string
		holds bool
		want  string
	}{
		{"^TestA1$", true, "slow end: 1.9s (bar 2s)"},
		{"^TestA2$", false, "it broke"},
		{"^TestA3$", false, "0 of 1 tests"}, // it did not end
		{"^TestA4$", false, "no test ran"},
		{"^TestNone$", false, "no test ran"},
	} {
		var out strings.Builder
		if holds := r.print(&out, rows("A\tp\tb\t"+process+" "+c.run+"\n")); holds != c.holds || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: holds %v, want %v:\n%s", c.run, holds, c.holds, out.String())
		}
	}
}

// TestRows holds that the table is whole and that its expressions are well-formed.
func TestRows(t *testing.T) {
	all := rows(table)
	if len(all) != 31 || all[4].elsewhere != "make fuzz" || !all[15].counts || len(all[4].suites) != 3 {
		t.Errorf("%d rows: %+v", len(all), all)
	}
	for _, x := range all {
		for _, s := range x.suites {
			if _, err := regexp.Compile(s[1]); err != nil {
				t.Errorf("%s: %v", x.id, err)
			}
		}
	}
}
