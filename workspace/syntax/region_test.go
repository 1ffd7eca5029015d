package syntax

import (
	"strings"
	"testing"

	"tandem/edits"
)

// TestSoundAgreesWithErrors checks that a text which Sound accepts has no
// errors as a whole, and that plain changes inside functions are accepted.
func TestSoundAgreesWithErrors(t *testing.T) {
	const head, tail = "package a\n\nvar x = []int{\n\t1,\n}\n\nfunc f() int {\n\ty := ", "\n}\n\nfunc g() {\n\treturn\n}\n\nvar z = `\nfunc h() {\n\t`\n"
	accepted := 0
	for text, want := range map[string]bool{
		"1\n\treturn y": true, "func() int { return 1 }()\n\treturn y": true, "map[string]int{\n\t\t\"a\": 1,\n\t}[\"a\"]": true,
		"": false, "1 +": false, "1 }": false, "1\n}\n\nfunc i() {\n\treturn": false, "f(\n\t\t1,": false, "`": false, "1 /*": false, "{": false, "1\n}\n\nvar q = 1": false,
	} {
		whole := head + text + tail
		changed := edits.Span{Start: len(head), End: len(head) + len(text)}
		sound := Parsers{}.Sound("a.go", whole, changed)
		errors, _ := Parsers{}.Errors("a.go", whole)
		if sound != want || sound && len(errors) > 0 {
			t.Errorf("%q: sound %v, want %v; as a whole %v", text, sound, want, errors)
		}
		if sound {
			accepted++
		}
	}
	if accepted == 0 {
		t.Error("nothing is accepted")
	}
	all := head + "1" + tail
	for _, at := range []int{0, strings.Index(all, "var x"), strings.Index(all, "\t1,"), strings.Index(all, "func g"), len(all)} {
		if (Parsers{}).Sound("a.go", all, edits.Span{Start: at, End: at}) {
			t.Errorf("a change outside of functions, at %d, was checked as one", at)
		}
	}
	if (Parsers{}).Sound("a.py", all, edits.Span{Start: len(head), End: len(head) + 1}) || (Parsers{}).Sound("a.go", "", edits.Span{}) {
		t.Error("a text that is not Go was checked as Go")
	}
}
