package main

import (
	"go/ast"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// maxHops is how many functions of tandem one message's text may pass through, one after
// another.
const maxHops = 9

// walkRow is a row of a walk's table: the hop, the file and the function.
var walkRow = regexp.MustCompile("(?m)^\\| (\\d+)[a-z]? \\| `([^`]+)` \\| `([^`]+)` \\|$")

// TestWalksAreTrue checks that the functions of docs/life-of-a-keystroke.md exist in the
// files that it names.
func TestWalksAreTrue(t *testing.T) {
	page, err := os.ReadFile("../../docs/life-of-a-keystroke.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := readTree("../..")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	for _, f := range files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				name := fn.Name.Name
				if r := receiver(d); r != "" {
					name = r + "." + name
				}
				declared[f.dir+"/"+f.name+" "+name] = true
			}
		}
	}
	rows := walkRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 10 {
		t.Fatalf("%d rows found", len(rows))
	}
	for _, row := range rows {
		if hop, err := strconv.Atoi(row[1]); err != nil || hop > maxHops {
			t.Errorf("hop %s of %s: more than %d", row[1], row[3], maxHops)
		}
		if !declared[row[2]+" "+row[3]] {
			t.Errorf("%s has no %s", row[2], row[3])
		}
	}
}
