// Package syntax checks whether a text parses: Go with its own parser, scripts,
// styles and JSON with esbuild's, Python by its tokens and layout, and other
// languages by their brackets, strings and comments.
//
// Invariant: a text that its language's compiler accepts has no error here.
// Where only brackets are checked, only brackets can be reported as wrong.
// There is deliberately no semantic check here: names and types belong to other
// packages.
package syntax

import (
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"tandem/edits"
	"tandem/workspace/language"
)

// Parsers implements edits.Syntax for every supported language.
type Parsers struct{}

var _ edits.Syntax = Parsers{}

// kindSyntax is the kind of this package's findings.
const kindSyntax = "syntax"

// MissingBlock is the message about a line that opens a block, such as "if x:", where no
// indented line follows. Its finding is where the block would begin.
const MissingBlock = "an indented block is missing here"

// ErrNoParser is why a text of a language without a parser is not judged.
var ErrNoParser = errors.New("no parser")

// maxErrors is how many errors of one text are reported.
const maxErrors = 10

// Errors returns the syntax errors of text as a file at path would have it, or why it is
// not judged.
func (Parsers) Errors(file, text string) ([]edits.Finding, error) {
	r := &report{path: file, text: text}
	lang := language.OfFile(path.Base(filepath.ToSlash(file)))
	src := text
	if lang == "json" || lang == "jsonc" {
		src = withoutComments(strings.TrimPrefix(text, "\ufeff"))
	}
	if err := language.Parsable(lang, src); err != nil {
		return nil, fmt.Errorf("%s is not parsed: %w", file, err)
	}
	switch lang {
	case "go":
		r.golang()
	case "python":
		_, problems := Python(text)
		for _, p := range problems {
			r.add(p.Span, p.Message)
		}
	case "typescript", "typescriptreact", "javascript", "javascriptreact", "css", "json", "jsonc":
		r.esbuild(loaderOf(lang), src)
	default:
		if !language.Exact(lang) {
			return nil, fmt.Errorf("%w for %s", ErrNoParser, file)
		}
		r.balance(lang)
	}
	return r.found, nil
}

// A report collects the errors of one text.
type report struct {
	path, text string
	found      []edits.Finding
}

func (r *report) add(span edits.Span, message string) {
	if len(r.found) == maxErrors {
		return
	}
	span.Start = max(0, min(span.Start, len(r.text)))
	span.End = max(span.Start, min(span.End, len(r.text)))
	r.found = append(r.found, edits.Finding{Path: r.path, Span: span, Kind: kindSyntax, Severity: "error", Message: message})
}

func (r *report) golang() {
	set := token.NewFileSet()
	_, err := parser.ParseFile(set, r.path, r.text, parser.SkipObjectResolution)
	list, _ := err.(scanner.ErrorList)
	for _, e := range list {
		end := e.Pos.Offset
		for end < len(r.text) && edits.IsWordByte(r.text[end]) {
			end++
		}
		r.add(edits.Span{Start: e.Pos.Offset, End: max(end, e.Pos.Offset+1)}, e.Msg)
	}
}

// loaderOf is how esbuild reads a language. JavaScript may hold JSX anywhere.
func loaderOf(lang string) api.Loader {
	switch lang {
	case "typescript":
		return api.LoaderTS
	case "typescriptreact":
		return api.LoaderTSX
	case "css":
		return api.LoaderCSS
	case "json", "jsonc":
		return api.LoaderJSON
	}
	return api.LoaderJSX
}

// decorated lets every kind of decorator through.
const decorated = `{"compilerOptions":{"experimentalDecorators":true}}`

func (r *report) esbuild(loader api.Loader, src string) {
	if loader == api.LoaderJSON && strings.TrimSpace(src) == "" {
		return
	}
	options := api.TransformOptions{Loader: loader, LogLevel: api.LogLevelSilent, LogLimit: maxErrors, TsconfigRaw: decorated, Target: api.ESNext}
	if loader == api.LoaderJSX || loader == api.LoaderTSX {
		options.JSX = api.JSXPreserve
	}
	out := api.Transform(src, options)
	lines := language.LineStarts(r.text)
	declares := strings.HasSuffix(r.path, ".d.ts") || strings.HasSuffix(r.path, ".d.mts") || strings.HasSuffix(r.path, ".d.cts")
	for _, m := range out.Errors {
		if declares && strings.HasSuffix(m.Text, "must be initialized") {
			continue // a declaration file's constants have no values
		}
		if m.Text == "Top-level return cannot be used inside an ECMAScript module" {
			continue // it may be compiled to another kind of module
		}
		r.message(lines, m)
	}
	for _, m := range out.Warnings {
		if m.ID == "css-syntax-error" {
			r.message(lines, m)
		}
	}
}

func (r *report) message(lines []int, m api.Message) {
	if m.Location == nil {
		r.add(edits.Span{}, m.Text)
		return
	}
	start := lines[min(max(m.Location.Line-1, 0), len(lines)-1)] + m.Location.Column
	r.add(edits.Span{Start: start, End: start + max(m.Location.Length, 1)}, m.Text)
}

// withoutComments replaces the comments of JSON, and commas before a closing
// bracket, by blanks. Editors' own files have both.
func withoutComments(src string) string {
	out := []byte(src)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	comma := -1
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c == '"':
			i = quoted(src, i)
			comma = -1
			continue
		case strings.HasPrefix(src[i:], "//"):
			end := until(src, i, "\n")
			blank(i, end)
			i = end
			continue
		case strings.HasPrefix(src[i:], "/*"):
			end := until(src, i+2, "*/")
			end = min(end+2, len(src))
			blank(i, end)
			i = end
			continue
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c > ' ':
			comma = -1
		}
		i++
	}
	return string(out)
}

// until is the offset of the next mark, or the end of src.
func until(src string, from int, mark string) int {
	if from > len(src) {
		return len(src)
	}
	if i := strings.Index(src[from:], mark); i >= 0 {
		return from + i
	}
	return len(src)
}

// quoted is the offset after the string of JSON that begins at from. A string without
// an end ends at the end of its line.
func quoted(src string, from int) int {
	for i := from + 1; i < len(src); i++ {
		switch {
		case src[i] == '\\':
			i++
		case src[i] == '"':
			return i + 1
		case src[i] == '\n':
			return i
		}
	}
	return len(src)
}

func lineOf(text string, offset int) int {
	return 1 + strings.Count(text[:min(offset, len(text))], "\n")
}

func unclosed(text string, open int) string {
	return fmt.Sprintf("%q on line %d is never closed", text[open:open+1], lineOf(text, open))
}
