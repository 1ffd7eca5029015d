package clones

import (
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/language"
)

// code are the languages that count as source code, by the editors' names.
var code = []string{"go", "python", "typescript", "typescriptreact", "javascript", "javascriptreact", "vue", "svelte", "rust", "java", "kotlin", "scala", "groovy",
	"c", "cpp", "csharp", "proto", "swift", "php", "shellscript", "ruby"}

// LanguageOf is the editors' name of a file's language, "" for what is no source code.
func LanguageOf(file string) string {
	if lang := language.OfFile(file); slices.Contains(code, lang) {
		return lang
	}
	return ""
}

// A definition is a named block of lines.
type Definition struct {
	Name        string
	Outer       string // the name of the type or class around it, if any
	First, Last int    // lines from 0, last exclusive
	Function    bool
}

// Definitions are those of a file's text but of members that are no functions, outer before
// inner.
func Definitions(file, text string) []Definition {
	var out []Definition
	for _, d := range language.Scan(LanguageOf(file), file, text).Defs {
		if d.Kind == language.KindField || d.Kind == language.KindProperty || d.Kind == language.KindEnumMember {
			continue
		}
		out = append(out, Definition{d.Name, d.Owner(), d.StartLine - 1, d.EndLine, d.Kind.IsFunc()})
	}
	return out
}

// Code blanks the comments of a text, and its strings of several lines, which are mostly prose.
func Code(file, text string) string {
	out := []byte(text)
	for _, t := range language.Tokens(LanguageOf(file), text) {
		if t.Kind == language.Comment || t.Kind == language.String && strings.Contains(text[t.Start:t.End], "\n") {
			for i := t.Start; i < t.End; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
		}
	}
	return string(out)
}

// Names are the names in the code of a text from a byte on, by line: neither reserved words nor
// what comments and strings say.
func Names(file, text string, from int) [][]string {
	lang := LanguageOf(file)
	used := map[string]bool{}
	for _, i := range language.Scan(lang, file, text).Idents {
		used[i.Name] = true
	}
	out := make([][]string, strings.Count(text[from:], "\n")+1)
	for _, t := range language.Tokens(lang, text) {
		if name := text[t.Start:t.End]; t.Start >= from && t.Kind == language.Name && used[name] {
			line := strings.Count(text[from:t.Start], "\n")
			out[line] = append(out[line], name)
		}
	}
	return out
}

// EachWord calls do with every identifier of a text, in order.
func EachWord(text string, do func(string)) {
	for at := 0; at < len(text); {
		if !WordByte(text[at]) {
			at++
			continue
		}
		start := at
		for at < len(text) && WordByte(text[at]) {
			at++
		}
		if c := text[start]; c < '0' || c > '9' {
			do(text[start:at])
		}
	}
}

func WordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func WordsOf(text string) []string {
	var out []string
	EachWord(text, func(w string) { out = append(out, w) })
	return out
}

// placed are the families of languages that places are taken from.
var placed = []string{"go", "python", "script", "rust", "jvm"}

var (
	testPath   = regexp.MustCompile(`(?i)(^|/)(tests?|testdata|testing|__tests__|__mocks__|specs?|fixtures?|testutils?|testsuite|benches|e2e|conftest\.py)(/|$)|_test\.|\.tests?\.|\.spec\.|(^|/)test_|_tests?\.rs$|Tests?\.(java|kt)$`)
	vendorPath = regexp.MustCompile(`(^|/)(vendor|third_party|node_modules|dist|build|out|target|\.yarn)/|\.min\.|\.d\.ts$|\.pb\.|_pb2|(^|/)zz_generated|\.gen\.|_generated\.|(^|/)generated/`)
)

// Written reports whether a person wrote the file, and not as a test.
func Written(file, text string) bool {
	if testPath.MatchString(file) || vendorPath.MatchString(file) {
		return false
	}
	head := text[:min(len(text), 2000)]
	return !strings.Contains(head, "DO NOT EDIT") && !strings.Contains(head, "enerated by") && !strings.Contains(head, "@generated")
}
