package main

import (
	"fmt"
	"io"
	"strings"
)

// A score counts outcomes.
type score struct{ right, refused, wrong int }

func (s *score) add(k outcomeKind) {
	switch k {
	case right:
		s.right++
	case refused:
		s.refused++
	case wrong:
		s.wrong++
	}
}

// share is the percentage of right ones.
func (s score) share() float64 {
	return 100 * float64(s.right) / float64(max(s.right+s.refused+s.wrong, 1))
}

// A table counts outcomes by kind of error, by format, and of each pair.
type table struct {
	kinds []string
	cells map[[2]string]*score // kind and format; "" is all
	total score
}

func newTable(cases []testCase, outcomes []outcome) *table {
	t := &table{kinds: kindNames(cases), cells: map[[2]string]*score{}}
	for i, c := range cases {
		t.total.add(outcomes[i].kind)
		for _, key := range [][2]string{{c.kind, c.Format}, {c.kind, ""}, {"", c.Format}} {
			if t.cells[key] == nil {
				t.cells[key] = &score{}
			}
			t.cells[key].add(outcomes[i].kind)
		}
	}
	return t
}

func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "%-26s %7s %7s %8s %6s", "kind", "cases", "right", "refused", "wrong")
	for _, f := range formats {
		fmt.Fprintf(w, " %15s", f)
	}
	fmt.Fprintln(w)
	for _, k := range append(t.kinds, "") {
		s := &t.total
		name := "all"
		if k != "" {
			s, name = t.cells[[2]string{k, ""}], k
		}
		fmt.Fprintf(w, "%-26s %7d %7d %8d %6d", name, s.right+s.refused+s.wrong, s.right, s.refused, s.wrong)
		for _, f := range formats {
			cell := ""
			if c := t.cells[[2]string{k, f}]; c != nil {
				cell = fmt.Sprintf("%d/%d/%d", c.right, c.refused, c.wrong)
			}
			fmt.Fprintf(w, " %15s", cell)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "right: %.2f %% (cells: right/refused/wrong)\n", t.total.share())
}

// difference shows where two texts begin to differ.
func difference(want, got string) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	part := func(s string) string { return s[max(0, min(i, len(s))-60):min(len(s), i+100)] }
	return strings.Join([]string{fmt.Sprintf("want %q", part(want)), fmt.Sprintf("got  %q", part(got))}, "\n")
}
