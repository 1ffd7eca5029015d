package gotypes

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// chain declares n types, each by a form that has the name of the one before; last comes first
// where it is reversed.
func chain(n int, form string, reversed bool) string {
	lines := []string{"type T0 struct{ F int }"}
	for i := 1; i < n; i++ {
		line := fmt.Sprintf("type T%d %s", i, strings.ReplaceAll(form, "T", fmt.Sprintf("T%d", i-1)))
		if reversed {
			lines = append([]string{line}, lines...)
		} else {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestContained: what go/types would follow too often has an error, whatever the order and the
// place of the types; what it does not follow, or only to itself, has none.
func TestContained(t *testing.T) {
	for _, c := range []struct {
		n    int
		form string
		much bool
	}{
		{2000, "struct{ T }", true}, {2000, "struct{ a [3]T }", true}, {2000, "struct{ f struct{ g (T) } }", true}, {2000, "interface{ T }", true}, {2000, "T", true},
		{40, "struct{ a, b T }", true}, {40, "struct{ a T; b T }", true}, {40, "interface{ ~int | T; T }", true},
		{2000, "struct{ *T }", false}, {2000, "struct{ a []T }", false}, {2000, "struct{ a map[string]T }", false}, {2000, "struct{ f func(T) T }", false}, {2000, "interface{ f(T) }", false},
		{100, "struct{ T }", false}, {8, "struct{ a, b T }", false},
	} {
		for _, reversed := range []bool{false, true} {
			for _, around := range []string{"package p\n%s", "package p\nfunc f() {\n%s}\n"} {
				if err := Contained(parsed(t, fmt.Sprintf(around, chain(c.n, c.form, reversed)))); (err != nil) != c.much {
					t.Errorf("%d of %q, reversed %v in %q: %v", c.n, c.form, reversed, around, err)
				}
			}
		}
	}
	for _, cycle := range []string{"type A struct{ a, b B }\ntype B struct{ a, b A }\n", "type A A\n", "type G[P any] struct{ a P; b *G[P] }\ntype H G[G[H]]\n"} {
		if err := Contained(parsed(t, "package p\n"+cycle)); err != nil {
			t.Errorf("%q: %v", cycle, err)
		}
	}
}

// TestContainedOnce: each type is followed once, however many contain it.
func TestContainedOnce(t *testing.T) {
	m := containment{declared: map[string]*ast.TypeSpec{}, known: map[*ast.TypeSpec]contents{}}
	specs := typesIn(parsed(t, "package p\n"+chain(15, "struct{ a, b T }", false)))
	for _, s := range specs {
		m.declared[s.Name.Name] = s
	}
	m.add(specs)
	// Type i contains 2^k types at each depth k up to i.
	want := 0.0
	for i := range 15 {
		for k := range i + 1 {
			want += float64(int(1)<<k) * float64(k+1)
		}
	}
	if len(m.known) != 15 || m.total != want {
		t.Errorf("%d types, %v comparisons, want %v", len(m.known), m.total, want)
	}
}

func parsed(t *testing.T, text string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "a.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
