package main

import (
	"testing"

	"tandem/tools/bench/clones"
)

func TestQuestions(t *testing.T) {
	for message, want := range map[string]string{
		"Read the file again after it was renamed (#12)": "Read the file again after it was renamed",
		"Bump the version of the library to seven":       "",
		"Fix typo": "",
		`Revert "Read the file again after a rename"`: "",
	} {
		h := clones.Change{Commit: clones.Commit{Message: message}, Files: []string{"a.go"}}
		if got, ok := question(&h); ok != (want != "") || ok && got != want {
			t.Errorf("%q becomes %q, %v", message, got, ok)
		}
	}
}
