package style

import (
	"regexp"
	"strings"
	"sync"

	"tandem/workspace/language"
)

// A headRule tells, of the languages of one family, what stays at the start of a file.
type headRule struct {
	comments   []string // what begins a line that is a comment
	block, end string   // what begins and ends a comment of several lines
	docstring  bool     // a string may be first
	directives *regexp.Regexp
}

var (
	script = headRule{comments: []string{"//"}, block: "/*", end: "*/", directives: regexp.MustCompile(`^(?:"use \w+"|'use \w+');?$`)}
	curly  = headRule{comments: []string{"//"}, block: "/*", end: "*/",
		directives: regexp.MustCompile(`^(?:package\s.*|namespace\s[^{]*;|@file:.*|#pragma once|#nullable.*|library\b.*;|#!?\[.*\]|//!.*|<\?php.*|declare\(.*\);|module\s[\w.]+.*)$`)}
	hash = headRule{comments: []string{"#"}, directives: regexp.MustCompile(`^(?:---|<\?php.*)$`)}
)

// headRules are the rules of languages whose files have imports.
var headRules = sync.OnceValue(func() map[string]headRule {
	out := map[string]headRule{}
	for _, id := range []string{"typescript", "typescriptreact", "javascript", "javascriptreact"} {
		out[id] = script
	}
	for _, id := range []string{"go", "java", "kotlin", "scala", "groovy", "csharp", "swift", "rust", "c", "cpp", "objective-c", "objective-cpp", "dart", "php", "zig", "d"} {
		out[id] = curly
	}
	for _, id := range []string{"ruby", "shellscript", "perl", "r", "elixir", "julia", "yaml", "toml", "makefile"} {
		out[id] = hash
	}
	out["python"] = headRule{comments: []string{"#"}, docstring: true, directives: regexp.MustCompile(`^from __future__ import .*$`)}
	return out
})

// marked finds a comment that is about the file, wherever it is at its start: a licence, or what
// a tool reads.
var marked = regexp.MustCompile(`(?i)licen[cs]e|copyright|\(c\)|spdx|^.{0,4}-\*-|coding[:=]|frozen_string_literal|^\s*/// <|@(?:jest|vitest|ts-|flow|jsx|file|license|module|preserve)|eslint|prettier|biome|istanbul|go:build|\+build|generated|pylint|mypy:|ruff|noqa|type: ignore|vim?:|/// script`)

// Head returns how many bytes at the start of a file stay there: a byte order mark, a #! line,
// comments about the file, directives, a package clause.
func Head(file, text string) int {
	at := 0
	if strings.HasPrefix(text, "\ufeff") {
		at = len("\ufeff")
	}
	if strings.HasPrefix(text[at:], "#!") && !strings.HasPrefix(text[at:], "#![") {
		at += lineLen(text[at:])
	}
	rule, ok := headRules()[language.Of("", file, text)]
	if !ok {
		return at
	}
	for next := at; next < len(text); {
		line := strings.TrimSpace(text[next : next+lineLen(text[next:])])
		if line == "" {
			next += lineLen(text[next:])
			continue
		}
		end, comment := rule.part(text, next, line)
		switch {
		case end == next:
			return at
		case !comment, marked.MatchString(text[next:end]), blankAt(text, end):
			at = end
		}
		next = end
	}
	return at
}

// part is the end of the comment or directive that begins at a place; the place itself if
// there is none.
func (r headRule) part(text string, at int, line string) (end int, comment bool) {
	if r.directives.MatchString(line) {
		end := at + lineLen(text[at:])
		if strings.HasSuffix(line, "(") { // a list of names
			if i := strings.IndexByte(text[end:], ')'); i >= 0 {
				end += i + lineLen(text[end+i:])
			}
		}
		return end, false
	}
	if r.block != "" && strings.HasPrefix(line, r.block) {
		i := strings.Index(text[at:], r.end)
		if i < 0 {
			return at, false
		}
		return at + i + lineLen(text[at+i:]), true
	}
	if quote := docQuote(line); r.docstring && quote != "" {
		begin := at + strings.Index(text[at:], quote) + len(quote)
		if i := strings.Index(text[begin:], quote); i >= 0 {
			return begin + i + lineLen(text[begin+i:]), false
		}
		return at, false
	}
	for end = at; end < len(text); end += lineLen(text[end:]) {
		line := strings.TrimSpace(text[end : end+lineLen(text[end:])])
		if !beginsWithAny(line, r.comments) || r.directives.MatchString(line) {
			break
		}
	}
	return end, true
}

// docQuote is the quote of a string that begins a line of its own.
func docQuote(line string) string {
	line = strings.TrimLeft(line, "rRuUbB")
	for _, q := range []string{`"""`, "'''", `"`, "'"} {
		if strings.HasPrefix(line, q) {
			return q
		}
	}
	return ""
}

func beginsWithAny(line string, starts []string) bool {
	for _, s := range starts {
		if strings.HasPrefix(line, s) {
			return true
		}
	}
	return false
}

// blankAt reports whether a blank line or the end of the text is at a place.
func blankAt(text string, at int) bool {
	return strings.TrimSpace(text[at:at+lineLen(text[at:])]) == ""
}

// lineLen is the length of the first line with its end.
func lineLen(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}
