package main

import "testing"

func TestCodeLines(t *testing.T) {
	for text, want := range map[string]int{
		"":                                       0,
		"package a\n":                            1,
		"// a\n\npackage a // b\n\n/* c\nd */\n": 1,
		"package a\n\nvar x = `1\n2\n\n4`\n":     5,
		"package a\n\nfunc f() {\n\t// no\n\tg(); h()\n}\n": 4,
		"package a\n\nvar a /* b\nc */ = 1\n":               3,
	} {
		if got := codeLines([]byte(text)); got != want {
			t.Errorf("%q: %d lines, want %d", text, got, want)
		}
	}
}
