package index_test

import (
	"slices"
	"testing"

	"tandem/workspace/index"
	"tandem/workspace/rel"
)

// TestImplementations: by the methods in Go, by the head of a class elsewhere, by name for a method.
func TestImplementations(t *testing.T) {
	ix := index.New(
		index.Change{Path: rel.Must("a/store.go"), Text: "package a\n\ntype Store interface {\n\tGet(k string) string\n\tPut(k, v string)\n}\n\ntype half struct{}\n\nfunc (half) Get(k string) string { return k }\n"},
		index.Change{Path: rel.Must("b/disk.go"), Text: "package b\n\ntype Disk struct{}\n\nfunc (d *Disk) Put(k, v string) {}\n"},
		index.Change{Path: rel.Must("b/get.go"), Text: "package b\n\nfunc (d *Disk) Get(k string) string { return \"\" }\n"},
		index.Change{Path: rel.Must("shape.py"), Text: "class Shape:\n    def area(self):\n        raise NotImplementedError\n\n\nclass Square(Shape):\n    def area(self):\n        return 1\n\n\nclass Uses:\n    def one(self):\n        return Shape()\n"},
		index.Change{Path: rel.Must("shape.ts"), Text: "export interface Round {\n  radius(): number;\n}\n\nexport class Circle implements Round {\n  radius() { return 1; }\n}\n\nclass Other {\n  of: Round;\n}\n"},
	)
	for name, want := range map[string][]string{
		"Store":  {"Disk"},
		"Shape":  {"Square"},
		"Round":  {"Circle"},
		"Put":    {"Put", "Put"},
		"absent": nil,
	} {
		var got []string
		for _, d := range index.Implementations(ix, name) {
			got = append(got, d.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %s: %q, want %q", name, got, want)
		}
	}
}
