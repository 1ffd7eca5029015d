package edits

import (
	"errors"
	"strings"
	"testing"
)

// TestLostSigns applies hunks whose lines lost the sign before them: a context
// line then lacks a space, which is not one of its indentation.
func TestLostSigns(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, hunk, want string }{
		{"all context", "def f(x):\n    a = 1\n    b = 2\n", "    a = 1\n+    c = 4\n    b = 2\n", "def f(x):\n    a = 1\n    c = 4\n    b = 2\n"},
		{"some context", "def f(x):\n    a = 1\n    b = 2\n", "     a = 1\n+    c = 4\n    b = 2\n", "def f(x):\n    a = 1\n    c = 4\n    b = 2\n"},
		{"at two depths", "if x:\n    a = 1\n    if y:\n        b = 2\n", "     a = 1\n     if y:\n        b = 2\n+        c = 4\n", "if x:\n    a = 1\n    if y:\n        b = 2\n        c = 4\n"},
		{"signs in the first column", "def f(x):\n    a = 1\n    b = 2\n", "    a = 1\n+   c = 4\n    b = 2\n", "def f(x):\n    a = 1\n    c = 4\n    b = 2\n"},
		{"at the margin", "def f(x):\n    a = 1\n    if a:\n        b = 2\n", "a = 1\nif a:\n-    b = 2\n+    b = 3\n+    c = 4\n", "def f(x):\n    a = 1\n    if a:\n        b = 3\n        c = 4\n"},
		{"at the margin, with spaces behind tabs", "x = {\n\t{ a1, b1,\n\t  c1\n\t},\n\t{ a3, b3,\n\t  c3\n\t},\n};\n", "{ a1, b1,\n  c1\n},\n+{ a2, b2,\n+  c2\n+},\n{ a3, b3,\n", "x = {\n\t{ a1, b1,\n\t  c1\n\t},\n\t{ a2, b2,\n\t  c2\n\t},\n\t{ a3, b3,\n\t  c3\n\t},\n};\n"},
		{"items of a list", "- one\n- two\n- three\n", "- one\n- two\n+- two and a half\n- three\n", "- one\n- two\n- two and a half\n- three\n"},
		{"a line below a title, of signs", "News\n\n2.0\n+++\n\nBugs.\n", " News\n \n+More.\n+\n2.0\n+++\n", "error ambiguous"},
		{"a line below a title that is added", "News\n\n2.0\n+++\n\nBugs.\n", " News\n \n+2.1\n++++\n+\n 2.0\n", "News\n\n2.1\n+++\n\n2.0\n+++\n\nBugs.\n"},
		{"an entry of signs moved", "names = [\n    \"<HEX>\",\n    \"<END>\",\n    \"{\",\n    \"}\",\n    \",\",\n    \":\",\n    \"[\",\n    \"]\",\n]\n",
			"     \"<HEX>\",\n     \"<END>\",\n     \"{\",\n-    \"}\",\n     \",\",\n    \"}\",\n     \":\",\n     \"[\",\n     \"]\",\n", "error parse"},
		{"all context at the margin, or without its sign", "  /**\n   * one\n   * two\n   */\n", " * one\n+* more\n * two\n", "error ambiguous"},
		{"a blank line beside a blank one", "one()\ntwo()\n\n", " one()\n two()\n-\n \n", "one()\ntwo()\n"},
		{"nothing but a line that may have lost its sign", "alpha()\nbeta()\ngamma()\n\nalpha()\nbeta()\ngamma()\n", " alpha()\nnew_call()\n beta()\n gamma()\n", "error parse"},
		{"what replaces a bracket", "                    // Escape braces since this string is used as a `write!` format string.\n                    for ch in static_part.chars() {\n                        match ch {\n                            '{' => path.push_str(\"{{\"),\n                            '}' => path.push_str(\"}}\"),\n                            _ => path.push(ch),\n                        }\n                    }\n                },\n            }\n        }\n    }\n\n    path\n}\n\nfn captures_from_path(segments: &[PathSegment]) -> Vec<syn::Ident> {\n    segments\n        .iter()\n        .flat_map(|segment| &segment.parts)\n        .filter_map(|part| match part {\n",
			"                             _ => path.push(ch),\n                         }\n                     }\n-                },\n                }\n             }\n         }\n     }\n", "error ambiguous"},
		{"what replaces a line among others like it", "alpha beta gamma\nfirst of all\n" + likeChoice("choice") + likeChoice("single") + likeChoice("double") + likeChoice("back") + "last\n",
			" alpha beta gamma\n first of all\n-" + likeChoice("choice") + strings.ReplaceAll(likeChoice("choice"), "a shell", "'a shell'") + " " + likeChoice("single") + " " + likeChoice("double"), "error ambiguous"},
		{"an addition", "alpha()\nbeta()\ngamma()\ndelta()\n", " alpha()\n beta()\nnew_call()\n gamma()\n-delta()\n+omega()\n", "error parse"},
		{"a whole change", "alpha()\nbeta()\ngamma()\ndelta()\n", " alpha()\n beta()\nnew_call()\n gamma()\n@@\n-delta()\n+omega()\n", "error not_found"},
		{"context left out beside an addition", "alpha()\nbeta()\ngamma()\ndelta()\nepsilon()\nzeta()\n", " alpha()\n beta()\n+new_call()\n delta()\n epsilon()\n zeta()\n", "error ambiguous"},
	}
	for _, c := range tests {
		patch := "*** Begin Patch\n*** Update File: f\n@@\n" + c.hunk + "*** End Patch\n"
		if got := apply(t, FormatApplyPatch, c.before, patch, Options{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// likeChoice is a line of a list whose lines differ by little.
func likeChoice(option string) string {
	return "complete -c exhaustive -n quote; and not seen cmd-single-quotes; and not seen cmd-brackets -l " + option + " -r a shell\n"
}

// TestOtherIndentation applies edits written with tabs to a file that has spaces,
// and the reverse: in all lines, and in the added ones alone.
func TestOtherIndentation(t *testing.T) {
	t.Parallel()
	two := "function f() {\n  if (a) {\n    b()\n  }\n}\n"
	more := "function g() {\n" + strings.Repeat("  b()\n", 8) + "}\n"
	tabs := "func f() {\n\tif a {\n\t\tb()\n\t}\n}\n"
	tests := []struct{ name, before, old, new, want string }{
		{"tabs, deeper", two, "\tif (a) {\n", "\tif (a) {\n\t\tc()\n", "function f() {\n  if (a) {\n    c()\n    b()\n  }\n}\n"},
		{"tabs, shallower", two, "\t\tb()\n", "\t\tb()\n\tc()\n", "function f() {\n  if (a) {\n    b()\n  c()\n  }\n}\n"},
		{"spaces, deeper", tabs, "  if a {\n", "  if a {\n    c()\n", "func f() {\n\tif a {\n\t\tc()\n\t\tb()\n\t}\n}\n"},
		{"spaces, shallower", tabs, "    b()\n", "    b()\n  c()\n", "func f() {\n\tif a {\n\t\tb()\n\tc()\n\t}\n}\n"},
		{"tabs in what is added", two + more, "  if (a) {\n", "  if (a) {\n\t\tc()\n", "function f() {\n  if (a) {\n    c()\n    b()\n  }\n}\n" + more},
		{"tabs in what is added to a file of few lines", two, "  if (a) {\n", "  if (a) {\n\t\tc()\n", "error ambiguous"},
		{"spaces in what is added, of one width alone", tabs, "\tif a {\n", "\tif a {\n      c()\n", "func f() {\n\tif a {\n\t\tc()\n\t\tb()\n\t}\n}\n"},
		{"spaces in what is added, of any width", tabs, "\tif a {\n", "\tif a {\n    c()\n", "error ambiguous"},
		{"tabs in one added line, at the margin", two + more, "if (a) {\n  b()\n", "if (a) {\n\t  c()\n  b()\n", "error ambiguous"},
		{"tabs and then spaces in what is added", two + more, "  if (a) {\n", "  if (a) {\n\t // c\n", "error ambiguous"},
		{"spaces in what is added, and a blank line in tabs", tabs, "\tif a {\n\t\tb()\n", "\tif a {\n    c()\n\t\n\t\tb()\n", "error ambiguous"},
		{"spaces in what is added to a file of both", tabs + "  a\n", "\tif a {\n", "\tif a {\n    c()\n", "error ambiguous"},
		{"spaces beside spaces in a file of both", tabs + "  a\n", "  a\n", "  a\n    c()\n", tabs + "  a\n    c()\n"},
		{"indented anew", two, "    b()\n", "\t\tb()\n", "function f() {\n  if (a) {\n\t\tb()\n  }\n}\n"},
	}
	for _, c := range tests {
		if got := apply(t, FormatSearchReplace, c.before, searchFor(c.old, c.new), Options{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestRewriteMovesLinesIn: lines of a rewritten part may go in and out by the file's own step;
// a part whose other lines are indented otherwise is indented as the file, or refused.
func TestRewriteMovesLinesIn(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, new, want string }{
		{"into a block", "def f():\n    data = {}\n    file = open(p)\n    dump(data)\n", "def f():\n    with open(p) as file:\n        data = {}\n        dump(data)\n", "def f():\n    with open(p) as file:\n        data = {}\n        dump(data)\n"},
		{"into a block, part of a class", "    void f() {\n        g(a);\n    }\n", "    int f() {\n        if (b) {\n            g(a);\n        }\n        return 1;\n    }\n", "    int f() {\n        if (b) {\n            g(a);\n        }\n        return 1;\n    }\n"},
		{"out of a block", "def f():\n    if a:\n        b()\n        c()\n", "def f():\n    b()\n    c()\n", "def f():\n    b()\n    c()\n"},
		{"by steps of another width", "def f():\n    if a:\n        b()\n        c()\n", "def f():\n  if a:\n    b()\n    c()\n    d()\n", "error ambiguous"},
		{"spaces where the file has tabs", "func f() {\n\tif a {\n\t\tb()\n\t}\n\tc()\n}\n", "func f() {\n    if a {\n        b()\n    }\n    c()\n    d()\n}\n", "error ambiguous"},
	}
	for _, c := range tests {
		after, _, err := applyAnswer(FormatRewrite, map[string]string{"f": c.before}, "```\n"+c.new+"```\n", Options{Here: "f", Marked: Span{0, len(c.before)}})
		got := after["f"]
		if e := (*Error)(nil); errors.As(err, &e) {
			got = "error " + string(e.Code)
		}
		if got != c.want {
			t.Errorf("%s: %q (%v), want %q", c.name, got, err, c.want)
		}
	}
}

// TestDiffsOfTools applies what git format-patch and diff -ruN write.
func TestDiffsOfTools(t *testing.T) {
	t.Parallel()
	mail := "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] two\n\n---\n f | 2 +-\n\n" +
		"diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n-- \n2.47.1\n\n"
	if got := apply(t, FormatUnifiedDiff, "one\ntwo\n", mail, Options{}); got != "one\nzwei\n" {
		t.Errorf("a mail: %q", got)
	}
	removed := "--- f\n+++ f\n@@ -1,2 +1,1 @@\n one\n-- \n"
	if got := apply(t, FormatUnifiedDiff, "one\n- \n", removed, Options{}); got != "one\n" {
		t.Errorf("a removed line that looks like a signature: %q", got)
	}
	creation := "diff -ruN old/d/n new/d/n\n--- old/d/n\t1970-01-01\n+++ new/d/n\t2026-01-01\n@@ -0,0 +1,2 @@\n+one\n+two\n"
	for _, any := range []bool{false, true} {
		after, _, err := applyAnswer(FormatUnifiedDiff, map[string]string{"f": "x\n"}, creation, Options{AnyName: any})
		if err != nil || after["d/n"] != "one\ntwo\n" || after["f"] != "x\n" {
			t.Errorf("a creation, any name %v: %q, %v", any, after, err)
		}
	}
	if after, _, err := applyAnswer(FormatUnifiedDiff, map[string]string{"f": ""}, creation, Options{AnyName: true}); err != nil || after["f"] != "one\ntwo\n" || len(after) != 1 {
		t.Errorf("into the one file, which is empty: %q, %v", after, err)
	}
}

// TestMovedLines moves lines of the file with an error in the model's copy of them.
func TestMovedLines(t *testing.T) {
	t.Parallel()
	before := "first step()\nsecond step()\nskip the failures\nthird step()\nfourth step()\n"
	tests := []struct{ name, old, new, want string }{
		{"a line misspelt twice alike", "first step()\nsecond step()\nskip the failvres\nthird step()\nfourth step()\n", "skip the failvres\nfirst step()\nsecond step()\nthird step()\nfourth step()\n",
			"skip the failures\nfirst step()\nsecond step()\nthird step()\nfourth step()\n"},
		{"a line beside one left out", "first step()\nsecond step()\nthird step()\nfourth step()\n", "first step()\nthird step()\nfourth step()\nsecond step()\n", "error ambiguous"},
	}
	for _, c := range tests {
		if got := apply(t, FormatSearchReplace, before, searchFor(c.old, c.new), Options{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
