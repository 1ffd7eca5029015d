package style_test

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace/style"
)

// TestHead marks with | where the head of a file ends.
func TestHead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text string }{
		{"nothing", "a.go", "|var x = 1\n"},
		{"a byte order mark", "a.py", "\ufeff|def f(): pass\n"},
		{"a #! line", "a.txt", "#!/bin/x\n|text\n"},
		{"an inner attribute of rust", "a.rs", "#![allow(dead_code)]\n//! What it is.\n|\nuse x;\n"},
		{"a directive", "a.tsx", "'use client';\n|\nexport {}\n"},
		{"strict mode behind a licence", "a.js", "/*\n * Copyright X\n */\n\"use strict\";\n|f()\n"},
		{"references and pragmas", "a.ts", "/// <reference types=\"node\" />\n// @ts-check\n/** @jest-environment jsdom */\n|const x = 1\n"},
		{"a comment of the code below", "a.ts", "|// f does.\nfunction f() {}\n"},
		{"a comment of the file", "a.ts", "// What this is.\n|\nfunction f() {}\n"},
		{"a coding line", "a.py", "# -*- coding: latin-1 -*-\n|x = 1\n"},
		{"metadata of a script", "a.py", "# /// script\n# dependencies = []\n# ///\n|x = 1\n"},
		{"documentation and the future", "a.py", "#!/usr/bin/env python3\n\"\"\"Doc.\n\nMore.\n\"\"\"\nfrom __future__ import annotations\n|\nx = 1\n"},
		{"the future in lines", "a.py", "from __future__ import (\n    annotations,\n)\n|x = 1\n"},
		{"a package clause and build constraints", "a.go", "//go:build linux\n\n// Package a is it.\npackage a\n|\nfunc f() {}\n"},
		{"a package of java", "A.java", "/* Licence */\npackage a.b;\n|\nclass A {}\n"},
		{"php", "a.php", "<?php\ndeclare(strict_types=1);\nnamespace A;\n|\nclass A {}\n"},
		{"ruby", "a.rb", "# frozen_string_literal: true\n|x = 1\n"},
		{"c", "a.h", "/* SPDX-License-Identifier: MIT */\n#pragma once\n|int x;\n"},
		{"line ends", "a.tsx", "'use client';\r\n|\r\nexport {}\r\n"},
		{"a comment without an end", "a.ts", "|/* open\n"},
		{"all of the file", "a.py", "# licence|"},
	} {
		want := strings.IndexByte(c.text, '|')
		if got := style.Head(c.file, strings.Replace(c.text, "|", "", 1)); got != want {
			t.Errorf("%s: %d, want %d", c.name, got, want)
		}
	}
}

func TestStyle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, text string
		given            style.Properties
		want             edits.Style
	}{
		{"as the text", "a.ts", "f {\n  a\n  b {\n    c\n  }\n}\n", nil, edits.Style{Unit: "  ", EOL: "\n", FinalNewline: true}},
		{"as configured", "a.ts", "f {\n  a\n}\n", style.Properties{"indent_style": "space", "indent_size": "4", "end_of_line": "crlf", "insert_final_newline": "false"}, edits.Style{Unit: "    ", EOL: "\r\n"}},
		{"tabs as configured", "a.ts", "", style.Properties{"indent_style": "tab"}, edits.Style{Unit: "\t", FinalNewline: true}},
		{"as the language", "a.go", "package a", nil, edits.Style{Unit: "\t", Head: len("package a")}},
		{"a recipe, whatever is configured", "Makefile", "a:\n", style.Properties{"indent_style": "space", "indent_size": "2"}, edits.Style{Unit: "\t", EOL: "\n", FinalNewline: true}},
		{"line ends of most lines", "a.txt", "a\r\nb\r\nc\n", nil, edits.Style{EOL: "\r\n", FinalNewline: true}},
	} {
		if got := style.Of(c.file, c.text, c.given); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestConfigured(t *testing.T) {
	t.Parallel()
	const inner = "; text\n[*]\nindent_style = tab\n[*.{ts,tsx}]\nIndent_Style = space\nindent_size=2 \n[/lib/**.js]\nindent_size = 3\n[x?y.[ab]]\nindent_size = 5\n"
	const outer = "root = true\n[*]\nend_of_line = lf\nindent_size = 8\n"
	const ignored = "[*]\ncharset = utf-8\n"
	for _, c := range []struct{ file, want string }{
		{"a.go", "tab 8 lf"}, {"src/a.ts", "space 2 lf"}, {"src/b.tsx", "space 2 lf"}, {"lib/deep/a.js", "tab 3 lf"}, {"src/lib/a.js", "tab 8 lf"}, {"xzy.a", "tab 5 lf"}, {"xzy.c", "tab 8 lf"},
	} {
		p := style.Configured([]string{inner, outer, ignored}, []string{c.file, "in/" + c.file, "out/in/" + c.file})
		if got := p["indent_style"] + " " + p["indent_size"] + " " + p["end_of_line"] + p["charset"]; got != c.want {
			t.Errorf("%s: %s, want %s", c.file, got, c.want)
		}
	}
}
