// Package checker asks the languages' own checkers about texts that nobody has saved. Each runs
// as a child process that speaks LSP.
//
// Invariant: a finding is made only of the code and the range of an answer that came after all
// texts of its world were sent; of what the child says in words nothing is shown. A child that is
// late, has ended or takes too much memory judges nothing, and that is said.
package checker

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/workspace/names"
)

// An Adapter describes a checker and what its answers mean. All that tandem knows of a checker
// is in its row.
type Adapter struct {
	Name      string   // in sentences
	Program   string   // on PATH
	Args      []string // that make it speak LSP on its standard streams
	Setting   string   // checker.SETTING switches it
	Install   string   // one line for a shell
	Languages []string

	versions []string                      // whose codes are tested; those of others give warnings
	markers  []string                      // files and folders that make a folder a project of its own; none: workspace folders do
	native   func(program string) []string // where the program itself may be, if the one on PATH is a script that starts it
	stores   bool                          // it reports attributes that are only assigned to
	options  func(a *Adapter, root, folder, environment string) any
	codes    map[string]code
}

// A code is what a kind of diagnostic means here.
type code struct {
	kind     string
	name     part
	sentence string // %s is the name
}

// A part is which word of a diagnostic's range is the name concerned.
type part uint8

const (
	first  part = iota // of the range
	last               // of the range
	before             // before the range or its first parenthesis: what is called
)

// Adapters are all checkers.
var Adapters = []*Adapter{
	{
		Name: "ty", Program: "ty", Args: []string{"server"}, Setting: "python", Install: "uv tool install ty==0.0.108",
		Languages: []string{"python"},
		versions:  []string{"0.0.105", "0.0.107", "0.0.108"},
		markers:   []string{"pyproject.toml", "setup.py", "setup.cfg", ".venv"},
		stores:    true,
		options:   tyOptions,
		codes: map[string]code{
			"unresolved-reference":          {names.UnknownName, first, "%s is not declared"},
			"missing-attribute":             {names.KindMember, last, "the object has no attribute %s"},
			"missing-module-member":         {names.UnknownName, last, "the module has no %s"},
			"unknown-argument":              {names.KindArguments, first, "nothing that is called has a parameter %s"},
			"missing-argument":              {names.KindArguments, before, "%s is called with too few arguments"},
			"too-many-positional-arguments": {names.KindArguments, before, "%s is called with too many arguments"},
		},
	},
	{
		Name: "TypeScript 7", Program: "tsc", Args: []string{"--lsp", "--stdio"}, Setting: "script", Install: "npm i -g typescript@7.0.2",
		Languages: []string{"typescript", "typescriptreact"},
		versions:  []string{"7.0.2"},
		native:    nativeTypeScript,
		codes: map[string]code{
			"2304": {names.UnknownName, first, "%s is not declared"},
			"2552": {names.UnknownName, first, "%s is not declared"},
			"2503": {names.UnknownName, first, "%s is not declared"},
			"2662": {names.UnknownName, first, "%s is not declared"},
			"2663": {names.UnknownName, first, "%s is not declared"},
			"2339": {names.KindMember, last, "the value has no member %s"},
			"2551": {names.KindMember, last, "the value has no member %s"},
			"2694": {names.KindMember, last, "the namespace has no member %s"},
			"2305": {names.UnknownName, last, "the module exports no %s"},
			"2614": {names.UnknownName, last, "the module exports no %s"},
			"2724": {names.UnknownName, last, "the module exports no %s"},
			"2353": {names.KindArguments, first, "the type of the object has no key %s"},
			"2561": {names.KindArguments, first, "the type of the object has no key %s"},
			"2554": {names.KindArguments, before, "%s is called with another number of arguments than it takes"},
			"2555": {names.KindArguments, before, "%s is called with too few arguments"},
		},
	},
}

// tyOptions give ty the environment, the workspace around a project in it, and levels of rules that
// no file of the workspace lowers.
func tyOptions(a *Adapter, root, folder, environment string) any {
	env := map[string]any{}
	if environment != "" {
		env["python"] = environment
	}
	if root != folder {
		env["extra-paths"] = []string{folder}
	}
	rules := map[string]string{}
	for name := range a.codes {
		rules[name] = "error"
	}
	return map[string]any{"configuration": map[string]any{"environment": env, "rules": rules}, "diagnosticMode": "openFilesOnly"}
}

// Candidates are the files that may be the program itself, of one that was found on PATH with its
// links resolved: a script that starts it would choose another program to do so.
func (a *Adapter) Candidates(program string) []string {
	if a.native == nil {
		return []string{program}
	}
	return append([]string{program}, a.native(program)...)
}

// nativeTypeScript is the program beside npm's package of TypeScript, which on Windows is below the
// folder of the script.
func nativeTypeScript(program string) (out []string) {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	system := map[string]string{"windows": "win32"}[runtime.GOOS]
	if system == "" {
		system = runtime.GOOS
	}
	name := "tsc"
	if runtime.GOOS == "windows" {
		name = "tsc.exe"
	}
	built := filepath.Join("@typescript", "typescript-"+system+"-"+arch, "lib", name)
	npm := filepath.Dir(filepath.Dir(program)) // of .../typescript/bin/tsc
	beside := filepath.Join(filepath.Dir(program), "node_modules")
	return []string{filepath.Join(npm, "node_modules", built), filepath.Join(filepath.Dir(npm), built), filepath.Join(beside, "typescript", "node_modules", built), filepath.Join(beside, built)}
}

// knows reports whether a version's codes are tested.
func (a *Adapter) knows(version string) bool {
	version, _, _ = strings.Cut(version, " ")
	for _, v := range a.versions {
		if v == version {
			return true
		}
	}
	return false
}

// finding is what a diagnostic says of a text; ok is false for what is not ours to say.
func (a *Adapter) finding(path string, text edits.Text, d protocol.Diagnostic, severity string) (edits.Finding, bool) {
	var word string
	switch c := d.Code.(type) {
	case protocol.String:
		word = string(c)
	case protocol.Integer:
		raw, _ := json.Marshal(int32(c)) // a number is always encoded
		word = string(raw)
	}
	kind, ok := a.codes[word]
	if !ok || d.Severity != protocol.DiagnosticSeverityError {
		return edits.Finding{}, false
	}
	span := edits.Span{Start: text.UTF8Offset(int(d.Range.Start.Line), int(d.Range.Start.Character)), End: text.UTF8Offset(int(d.Range.End.Line), int(d.Range.End.Character))}
	if span.Start > span.End || span.End > text.Len() {
		return edits.Finding{}, false
	}
	content := text.String()
	at := kind.name.of(content, span)
	if a.stores && kind.kind == names.KindMember && isStored(content[span.End:]) {
		return edits.Finding{}, false
	}
	name := content[at.Start:at.End]
	return edits.Finding{Path: path, Span: at, Kind: kind.kind, Severity: severity, Name: name, Message: strings.Replace(kind.sentence, "%s", name, 1)}, true
}

// of is the word of a text that a part of a span means; without one it is the beginning of the span.
func (p part) of(text string, span edits.Span) edits.Span {
	at, end := span.Start, span.End
	//exhaustive:enforce
	switch p {
	case last: // the word that ends the span
	case first:
		for at < end && !edits.IsWordByte(text[at]) {
			at++
		}
		for end = at; end < span.End && edits.IsWordByte(text[end]); end++ {
		}
		return edits.Span{Start: at, End: end}
	case before:
		if i := strings.IndexByte(text[at:end], '('); i >= 0 {
			end = at + i
		} else if word := p.callee(text, at); word.End > word.Start {
			return word
		}
	}
	for end > span.Start && !edits.IsWordByte(text[end-1]) {
		end--
	}
	for at = end; at > span.Start && edits.IsWordByte(text[at-1]); at-- {
	}
	return edits.Span{Start: at, End: end}
}

// callee is the name of the call whose arguments hold an offset.
func (part) callee(text string, at int) edits.Span {
	depth := 0
	for end := at; end > max(0, at-maxCall); end-- {
		switch text[end-1] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			depth--
		}
		if depth < 0 {
			start := end - 1
			for start > 0 && edits.IsWordByte(text[start-1]) {
				start--
			}
			return edits.Span{Start: start, End: end - 1}
		}
	}
	return edits.Span{}
}

// maxCall bounds how far before an argument its call begins.
const maxCall = 4096

// isStored reports whether what precedes a text is assigned to in it.
func isStored(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	line = strings.TrimLeft(line, " \t")
	switch {
	case strings.HasPrefix(line, "=="):
		return false
	case strings.HasPrefix(line, "="):
		return true
	case strings.HasPrefix(line, ":"):
		return strings.Contains(line, "=")
	case strings.HasPrefix(line, ","):
		targets, _, found := strings.Cut(line, "=")
		return found && !strings.ContainsAny(targets, "()!<>")
	}
	return false
}
