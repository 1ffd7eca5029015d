package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A file is a source file with a function in which something is to be changed.
type file struct {
	path        string
	lines       []string // before
	after       []string
	from, to    int // the function's lines, from 0, to exclusive
	changed     [2]int
	replacement []string // what the lines of changed become
	mark, eol   string   // what the file begins with, and how its lines end
}

// disk is the file's text with other lines.
func (f *file) disk(lines []string) string {
	return f.mark + strings.ReplaceAll(text(lines), "\n", f.eol)
}

func text(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// function is what the function's lines are after the change.
func (f *file) function() []string { return f.after[f.from : f.to+len(f.after)-len(f.lines)] }

var words = []string{"orders", "invoice", "ledger", "stock", "parcel", "cursor", "window", "margin", "branch", "signal", "weight", "buffer", "column", "sample", "ticket", "region"}

// A language says how a file is written: its head, and a function of a name with
// statements, of which the n-th adds a number to a variable.
type language struct {
	ending, head, indent, comment string
	begin, statement, end         string
}

var languages = []language{
	{"go", "// Package calc counts.\npackage calc\n", "\t", "//", "func %s(total int) int {", "total += %d // %s", "\treturn total\n}"},
	{"py", "\"\"\"Counts.\"\"\"\n\nimport os\n", "    ", "#", "def %s(total):", "total += %d  # %s", "    return total"},
	{"ts", "/* Counts. */\n\nexport const zero = 0;\n", "  ", "//", "export function %s(total: number): number {", "total += %d; // %s", "  return total;\n}"},
	{"rs", "//! Counts.\n", "    ", "//", "pub fn %s(mut total: i64) -> i64 {", "total += %d; // %s", "    total\n}"},
	{"rb", "# Counts.\n", "  ", "#", "def %s(total)", "total += %d # %s", "  total\nend"},
	{"java", "/** Counts. */\nclass Calc {\n", "    ", "//", "static int %s(int total) {", "total += %d; // %s", "    return total;\n}"},
}

// draw makes a file and a change of it: a line replaced, added or removed.
func draw(random *rand.Rand, number int) *file {
	lang := languages[random.IntN(len(languages))]
	f := &file{eol: "\n", path: fmt.Sprintf("src/%s%d.%s", words[random.IntN(len(words))], number, lang.ending)}
	f.lines = strings.Split(strings.TrimSuffix(lang.head, "\n"), "\n")
	outer := ""
	if lang.ending == "java" {
		outer, f.path = "    ", fmt.Sprintf("src/Calc%d.java", number)
		f.lines[1] = fmt.Sprintf("class Calc%d {", number)
	}
	names := random.Perm(len(words))
	chosen := random.IntN(3)
	value := 10 + random.IntN(50)
	for i := range 4 {
		name := words[names[i]] + []string{"One", "Two", "Sum", "All"}[i]
		f.lines = append(f.lines, "")
		begin := len(f.lines)
		f.lines = append(f.lines, outer+fmt.Sprintf(lang.begin, name))
		for range 5 + random.IntN(5) {
			value += 1 + random.IntN(7)
			f.lines = append(f.lines, outer+lang.indent+fmt.Sprintf(lang.statement, value, words[random.IntN(len(words))]))
		}
		for _, line := range strings.Split(lang.end, "\n") {
			f.lines = append(f.lines, outer+line)
		}
		if i != chosen {
			continue
		}
		f.from, f.to = begin, len(f.lines)
		at := begin + 2 + random.IntN(3)
		f.changed = [2]int{at, at + 1}
		line := outer + lang.indent + fmt.Sprintf(lang.statement, 1000+random.IntN(1000), "changed")
		switch random.IntN(3) {
		case 0:
			f.replacement = []string{line}
		case 1:
			f.replacement = []string{f.lines[at], line}
		}
	}
	if outer != "" {
		f.lines = append(f.lines, "}")
	}
	switch random.IntN(6) {
	case 0:
		f.eol = "\r\n"
	case 1:
		f.mark = "\ufeff"
	}
	f.after = append(f.after, f.lines[:f.changed[0]]...)
	f.after = append(append(f.after, f.replacement...), f.lines[f.changed[1]:]...)
	return f
}

func (f *file) language() language {
	for _, l := range languages {
		if strings.HasSuffix(f.path, "."+l.ending) {
			return l
		}
	}
	panic("a file of no language")
}
