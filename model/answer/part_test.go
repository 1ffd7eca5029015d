package answer_test

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/answer"
)

// TestWhatAPartTakesAway: the blocks that came of an answer that was cut are read and doubted, and
// a definition or a file that they take away may have been meant for a later block.
func TestWhatAPartTakesAway(t *testing.T) {
	t.Parallel()
	block := func(path, old, new string) string {
		return path + "\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n"
	}
	const two = "func two() int {\n\treturn 2\n}\n"
	for _, c := range []struct {
		name, answer string
		want         string // the doubts of all files; "" is an error
		lost         bool
	}{
		{"a line", block("a.go", "\treturn 2\n", "\treturn 22\n"), "1 block, then it stopped", false},
		{"before a second block", block("a.go", "\treturn 2\n", "\treturn 22\n") + "a.go\n<<<<<<< SEARCH\npackage", "1 block, then it stopped", false},
		{"a function", block("a.go", two, ""), "two, which the rest may have put elsewhere", true},
		{"a function that is there again", block("a.go", two, "") + block("b.go", "package b\n", "package b\n\n"+two), "2 blocks, then it stopped|2 blocks, then it stopped", false},
		{"a function under another name", block("a.go", "func two() int {\n", "func zwei() int {\n"), "two, which", true},
		{"a file", "*** Begin Patch\n*** Delete File: notes.txt\n*** Add File: more.txt\n+some", "deletes notes.txt, which", true},
		{"a file that is moved", "*** Begin Patch\n*** Update File: b.go\n*** Move to: c.go\n@@\n-package b\n+package c\n*** Update File: a.go\n", "1 block, then it stopped|1 block, then it stopped", false},
		{"no block", "a.go\n<<<<<<< SEARCH\n" + two + "=======\n", "", false},
		{"prose", "I would change", "", false},
	} {
		r := answer.Reader{Format: edits.FormatAuto, Cut: edits.Doubt{Why: "it stopped", Kind: edits.Cut}, Files: map[string]string{"a.go": goFile, "b.go": "package b\n", "notes.txt": "some notes\n"}}
		read, err := r.Read(c.answer)
		if err != nil {
			if c.want != "" {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		lost := false
		var got []string
		for path, doubts := range read.Doubts {
			for _, d := range doubts {
				lost = lost || d.Kind == edits.Lost
				if d.Kind < edits.Cut {
					t.Errorf("%s, %s: %+v is no doubt of a part", c.name, path, d)
				}
			}
			got = append(got, strings.Join(edits.Reasons(doubts), ", "))
		}
		if said := strings.Join(got, "|"); lost != c.lost || c.want == "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, lost %v", c.name, said, lost)
		}
	}
}
