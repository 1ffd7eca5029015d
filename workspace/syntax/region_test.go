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
	if (Parsers{}).Sound("a.rs", all, edits.Span{Start: len(head), End: len(head) + 1}) || (Parsers{}).Sound("a.go", "", edits.Span{}) {
		t.Error("a text that is not Go was checked as Go")
	}
}

// TestSoundRegion checks that what parses around a change is found to parse without the
// rest of the file, and that nothing is found so that the whole file's parser refuses.
func TestSoundRegion(t *testing.T) {
	const (
		golang = "package p\n\nfunc before() {\n}\n\nfunc f() {\n\tif true {\n\t\t@\n\t}\n}\n\nfunc after() {\n}\n"
		python = "import os\n\n\ndef f(a):\n    if a:\n        @\n    return os\n\n\ndef after():\n    pass\n"
		class  = "class A:\n    def f(self):\n        @\n        return 1\n\nx = 1\n"
		script = "import a from 'a';\n\nexport function f(x) {\n  if (x) {\n    @\n  }\n}\n\nconst after = 1;\n"
		method = "export class A {\n  f(x) {\n    @\n  }\n}\n\nexport class B {\n}\n"
	)
	for _, c := range []struct {
		file, text, change string
		want               bool
	}{
		{"a.go", golang, "x()", true}, {"a.go", golang, "x(", false}, {"a.go", golang, "}\n}\n\nfunc g() {\n\tif true {", false},
		{"a.py", python, "x = [1,\n  2]", true}, {"a.py", python, "x = [1,", false}, {"a.py", python, "x = 'a", false}, {"a.py", python, "pass\n\nb = 2\n", false},
		{"a.py", python, "\"\"\"\n", false}, {"a.py", class, "self.g()", true}, {"a.py", class, ") + 1", false}, {"a.py", class, "pass\n      pass", false},
		{"a.ts", script, "g(x)", true}, {"a.ts", script, "g(x", false}, {"a.ts", script, "} else {", true}, {"a.ts", script, "}", false}, {"a.ts", script, "`${", false}, {"a.ts", script, "/*", false},
		{"a.js", strings.ReplaceAll(script, "\n", "\r\n"), "g(x)", true}, {"a.tsx", method, "return <b>{x}</b>", true}, {"a.tsx", method, "return <b>{x}", false},
		{"a.ts", method, "with (x) {}", false}, {"a.ts", method, "}\n}\n\nclass B {\n  g() {", false}, {"a.rs", golang, "x()", false},
	} {
		at := strings.Index(c.text, "@")
		after := strings.Replace(c.text, "@", c.change, 1)
		got := Parsers{}.Sound(c.file, after, edits.Span{Start: at, End: at + len(c.change)})
		if got != c.want {
			t.Errorf("%s with %q is sound: %v, want %v", c.file, c.change, got, c.want)
		}
		if found, _ := (Parsers{}).Errors(c.file, after); got && len(found) > 0 {
			t.Errorf("%s with %q is sound, but %v", c.file, c.change, found)
		}
	}
}
