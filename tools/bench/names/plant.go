package main

import (
	"regexp"
	"slices"
	"strings"
)

// A plantKind is a way in which models invent things.
type plantKind struct {
	name  string
	whole bool // the planted text is the whole file
	plant func(b *bench, y body) (text, what string, ok bool)
}

var plantKinds = []plantKind{
	{"function", false, func(b *bench, y body) (string, string, bool) { return b.rename(y, plainCall) }},
	{"method", false, func(b *bench, y body) (string, string, bool) { return b.rename(y, methodCall) }},
	{"import", true, (*bench).inventImport},
	{"package", true, (*bench).inventPackage},
}

var (
	plainCall  = regexp.MustCompile(`(?:^|[^\w.$@#'"])([A-Za-z_]\w{2,})\(`)
	methodCall = regexp.MustCompile(`[\w)\]]\.([A-Za-z_]\w{2,})\(`)
)

var notFunctions = []string{"func", "function", "for", "while", "switch", "catch", "return", "typeof", "def", "class", "print", "super", "not", "and", "elif", "with", "lambda",
	"await", "yield", "assert", "except", "new", "async", "constructor", "import", "require", "interface", "struct", "map", "chan", "string", "get", "set", "in", "raise", "del", "else"}

// inventions returns plausible names that a model might invent from a real one.
func (b *bench) inventions(name string) []string {
	upper := name[0] >= 'A' && name[0] <= 'Z'
	title := strings.ToUpper(name[:1]) + name[1:]
	snake := strings.Contains(name, "_") || b.lang == "python"
	switch {
	case snake && !upper:
		return []string{name + "_all", "get_" + name, name + "_by_id", name + "s_for", "try_" + name, name + "_async"}
	case upper:
		return []string{name + "All", "Get" + name, name + "ByID", name + "WithOptions", "Try" + name, name + "s"}
	}
	return []string{name + "All", "get" + title, name + "ById", name + "WithOptions", "try" + title, name + "Sync"}
}

// pick returns a random call in a body, outside comments and strings as far as its
// line shows.
func (b *bench) pick(y body, calls *regexp.Regexp) (start, end int, ok bool) {
	text := y.text[y.start:y.end]
	found := calls.FindAllStringSubmatchIndex(text, -1)
	if len(found) == 0 {
		return 0, 0, false
	}
	m := found[b.rnd.IntN(len(found))]
	start, end = m[2], m[3]
	line := text[strings.LastIndexByte(text[:start], '\n')+1 : start]
	if !clean(text, start) || slices.Contains(notFunctions, text[start:end]) || inString(text[:start]) {
		return 0, 0, false
	}
	if line = strings.TrimSpace(line); line == "" && calls == plainCall && b.lang == "script" || strings.HasSuffix(line, "func") || strings.HasSuffix(line, "def") || strings.HasSuffix(line, "function") || strings.HasSuffix(line, "async") {
		return 0, 0, false // may be a method's own definition
	}
	return start, end, true
}

// clean reports whether no comment or literal seems to begin on a line in front of a place.
func clean(text string, at int) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return !strings.ContainsAny(line, "#\"'`*") && !strings.Contains(line, "//")
}

// inString reports whether text may end inside a string of several lines.
func inString(text string) bool {
	return strings.Count(text, "`")%2 == 1 || strings.Count(text, `"""`)%2 == 1 || strings.Count(text, `'''`)%2 == 1 || strings.Count(text, "/*") > strings.Count(text, "*/")
}

func (b *bench) rename(y body, calls *regexp.Regexp) (string, string, bool) {
	start, end, ok := b.pick(y, calls)
	if !ok {
		return "", "", false
	}
	text := y.text[y.start:y.end]
	list := b.inventions(text[start:end])
	name := list[b.rnd.IntN(len(list))]
	if strings.Contains(y.text, name) || len(b.ix.Lookup(name)) > 0 {
		return "", "", false
	}
	b.swap = [2]string{text[start:end], name}
	return text[:start] + name + text[end:], text[max(0, start-20):start] + name, true
}

var importLine = map[string]*regexp.Regexp{
	"go":     regexp.MustCompile(`(?m)^\t(?:\w+ )?"([\w./-]+)"$`),
	"python": regexp.MustCompile(`(?m)^(?:from|import) ([\w.]+)`),
	"script": regexp.MustCompile(`(?m)^import [^\n]* from ["']([^"'\n]+)["']`),
}

// inventImport changes an import's path to one that does not exist.
func (b *bench) inventImport(y body) (string, string, bool) {
	head := y.text
	if b.lang == "go" { // constants look like imports
		head, _, _ = strings.Cut(head, "\n)")
	}
	found := importLine[b.lang].FindAllStringSubmatchIndex(head, -1)
	if len(found) == 0 {
		return "", "", false
	}
	m := found[b.rnd.IntN(len(found))]
	old := y.text[m[2]:m[3]]
	if b.lang == "python" && strings.Trim(old, ".") == "" {
		return "", "", false
	}
	suffix := []string{"util", "helpers", "x", "_core", "utils2"}[b.rnd.IntN(5)]
	name := old + suffix
	if b.rnd.IntN(3) == 0 && b.lang != "script" {
		sep := "/"
		if b.lang == "python" {
			sep = "."
		}
		name = old + sep + "extras"
	}
	if b.lang == "script" {
		if ext := old[max(0, len(old)-3):]; ext == ".ts" || ext == ".js" {
			name = old[:len(old)-3] + suffix + ext
		}
	}
	b.swap = [2]string{old, name}
	return y.text[:m[2]] + name + y.text[m[3]:], name, true
}

var firstImport = map[string]*regexp.Regexp{
	"go":     regexp.MustCompile(`(?m)^package \w+\n`),
	"python": regexp.MustCompile(`(?m)^(?:import|from [^_\s]\S* import) .*\n`),
	"script": regexp.MustCompile(`(?m)^import [^\n]* from [^\n]*\n`),
}

// inventPackage imports a package that nobody has.
func (b *bench) inventPackage(y body) (string, string, bool) {
	word := func(list string) string { words := strings.Fields(list); return words[b.rnd.IntN(len(words))] }
	name := word("fast swift easy safe tiny smart hyper open") + word("json cache queue retry parse config log http") + word("kit ify lib flow wise works")
	if b.lang == "go" {
		name = "github.com/" + word("acme cloudnine opsforge dataworks") + "/" + name
	}
	text, ok := importing(b.lang, y.text, name)
	return text, name, ok
}

// importing is a text with an import of a package.
func importing(lang, text, name string) (string, bool) {
	at := firstImport[lang].FindStringIndex(text)
	if at == nil {
		return "", false
	}
	switch lang {
	case "go":
		return text[:at[1]] + "\nimport _ \"" + name + "\"\n" + text[at[1]:], true
	case "python":
		return text[:at[0]] + "import " + name + "\n" + text[at[0]:], true
	}
	return text[:at[0]] + "import { create } from '" + name + "'\n" + text[at[0]:], true
}
