package edits

import "testing"

// TestEscapes applies edits with escapes in them: one that the old lines show to be a
// mistake is undone in the added lines too, one of another kind is text, and what
// the old lines leave open is refused.
func TestEscapes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, old, new, want string }{
		{"entities", "if a < b {\n", "if a &lt; b {\n", "if a &lt; b &amp;&amp; c {\n", "if a < b && c {\n"},
		{"entities, and bare signs", "if a < b {\n", "if a &lt; b {\n", "if a &lt; b && c {\n", "error ambiguous"},
		{"entities in the old lines alone", "if a < b {\n", "if a &lt; b {\n", "if a <= b {\n", "if a <= b {\n"},
		{"a tab that is text beside entities", "if a < b {\n", "if a &lt; b {\n", "if a &lt; b {\n\\tname\n", "if a < b {\n\\tname\n"},
		{"an entity that is text beside tabs", "\tcall()\n", "\\tcall()\n", "\\tcall(\"&lt;\")\n", "\tcall(\"&lt;\")\n"},
		{"entities that the file has", "a &lt; b\n", "a < b\n", "a > b\n", "error ambiguous"},
		{"a tag as entities, which the file has as it is", "// <p> a &amp; b\none\n", "one\n", "one\n// &lt;p&gt;\n", "error ambiguous"},
		{"a tag as entities, which the file has both ways", "// <p> and &lt;p&gt;\none\n", "one\n", "one\n// &lt;p&gt;\n", "// <p> and &lt;p&gt;\none\n// &lt;p&gt;\n"},
		{"another tag as entities", "// <b> a &amp; b\none\n", "one\n", "one\n// &lt;p&gt;\n", "// <b> a &amp; b\none\n// &lt;p&gt;\n"},
		{"quotes", "a = \"x\"\n", "a = \\\"x\\\"\n", "a = \\\"y\\\"\n", "a = \"y\"\n"},
		{"quotes, some of them", "a = \"x\"\n", "a = \\\"x\\\"\n", "a = \"\\\"\"\n", "error ambiguous"},
		{"quotes and backslashes", "a = \"x\"\n", "a = \\\"x\\\"\n", "a = \\\"\\\\n\\\"\n", "error ambiguous"},
		{"quotes in added lines alone", "call()\n", "call()\n", "call(\\\"a\\\")\n", "error ambiguous"},
		{"quotes in a string", "call(\"\")\n", "call(\"\")\n", "call(\"\\\"a\\\"\")\n", "call(\"\\\"a\\\"\")\n"},
		{"a tab, or a line of a string", "a(`\n`)\n", "a(`\n", "a(`\n\\tb\n", "error ambiguous"},
		{"a line of a string behind indentation", "  a(\"\n  \")\n", "  a(\"\n", "  a(\"\n  \\tb\n", "  a(\"\n  \\tb\n  \")\n"},
		{"line ends", "a()\nb()\n", "a()\\nb()\n", "a()\\nc()\\nb()\n", "a()\nc()\nb()\n"},
		{"line ends, and one in a string", "a()\nb()\n", "a()\\nb()\n", "a(\"\\n\")\\nb()\n", "error not_found"},
	}
	for _, c := range tests {
		if got := apply(t, FormatSearchReplace, c.before, searchFor(c.old, c.new), Options{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestLiteralTabs applies patches whose added lines begin with \t as two characters, which
// models write for a tab and strings over several lines hold as text.
func TestLiteralTabs(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, hunk, want string }{
		{"for a tab", "hello\n", "-hello\n+\\t\\tworld\n", "\t\tworld\n"},
		{"behind real indentation", "f(\n  \"a\",\n)\n", " f(\n+  \"{\\n\\\n+  \\tname\",\n   \"a\",\n )\n", "f(\n  \"{\\n\\\n  \\tname\",\n  \"a\",\n)\n"},
		{"beside real indentation", "if x {\n\ty()\n}\n", " if x {\n+\\tz()\n \ty()\n }\n", "error ambiguous"},
		{"with other escapes", "print(`\n`)\n", " print(`\n+\\tname\\n\\\n `)\n", "error ambiguous"},
		{"where the file has one", "s = `\n\\ta\n`\n", " s = `\n \\ta\n+\\tb\n `\n", "s = `\n\\ta\n\\tb\n`\n"},
	}
	for _, c := range tests {
		patch := "*** Begin Patch\n*** Update File: f\n@@\n" + c.hunk + "*** End Patch\n"
		if got := apply(t, FormatApplyPatch, c.before, patch, Options{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
