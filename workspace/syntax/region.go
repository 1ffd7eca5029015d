package syntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"tandem/edits"
	"tandem/workspace/language"
)

// Sound reports whether the definition around a change parses by itself. Then the
// change has broken nothing, and the rest of a large file need not be parsed.
// It is false where this cannot be decided: call Errors then.
func (Parsers) Sound(file, text string, changed edits.Span) bool {
	if !changed.Valid(len(text)) {
		return false
	}
	switch lang := language.OfFile(path.Base(filepath.ToSlash(file))); lang {
	case "go":
		return soundGo(text, changed)
	case "python":
		return soundPython(text, changed)
	case "typescript", "typescriptreact", "javascript", "javascriptreact":
		return soundScript(text, changed, lang, loaderOf(lang))
	}
	return false
}

func soundGo(text string, changed edits.Span) bool {
	start := strings.LastIndex(text[:changed.Start], "\nfunc ") + 1
	end := strings.Index(text[changed.End:], "\n}\n")
	if start == 0 || end < 0 || strings.Contains(text[start:changed.Start], "\n}\n") {
		return false // not inside of a function as gofmt writes it
	}
	end += changed.End + len("\n}\n")
	const clause = "package p;"
	set := token.NewFileSet()
	f, err := ParseGo(set, "", clause+text[start:end], parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return false
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	return ok && fn.Body != nil && set.Position(fn.End()).Offset == len(clause)+end-start-1
}

// lineAbove is the start of the nearest line above an offset, not its own, that does not
// begin with white space or a closing bracket; -1 if there is none.
func lineAbove(text string, at int) int {
	for {
		at = strings.LastIndexByte(text[:at], '\n')
		if at < 0 {
			return -1
		}
		start := strings.LastIndexByte(text[:at], '\n') + 1
		if !strings.ContainsRune(" \t\r\n)]}", rune(text[start])) {
			return start
		}
	}
}

// scriptHead is the first line of a function or class of a script, up to its brace.
var scriptHead = regexp.MustCompile(`^(export )?(default )?(declare )?(async )?(abstract )?(function|class)\b[^\n]*\{\r?\n`)

// soundScript parses a function or class at the top of a file, in the strictness of a
// module: whatever is allowed there is allowed in a script, too.
func soundScript(text string, changed edits.Span, lang string, loader api.Loader) bool {
	start := lineAbove(text, changed.Start)
	if start < 0 {
		return false
	}
	head := scriptHead.FindString(text[start:min(len(text), start+500)])
	end := strings.Index(text[changed.End:], "\n}")
	if head == "" || start+len(head) > changed.Start || end < 0 || strings.Contains(text[start:changed.End+1], "\n}") {
		return false // outside, or the change ends the definition
	}
	end += changed.End + len("\n}")
	if rest := text[end:]; rest != "" && rest[0] != '\n' && !strings.HasPrefix(rest, "\r\n") {
		return false
	}
	r := &report{path: "region", text: text[start:end] + "\nexport {}\n"}
	if language.Parsable(lang, r.text) != nil {
		return false
	}
	r.esbuild(loader, r.text)
	return len(r.found) == 0
}

// soundPython reads a function or class at the top of a file.
func soundPython(text string, changed edits.Span) bool {
	start := lineAbove(text, changed.Start)
	if start < 0 {
		return false
	}
	head := text[start:]
	if !strings.HasPrefix(head, "def ") && !strings.HasPrefix(head, "class ") && !strings.HasPrefix(head, "async def ") {
		return false
	}
	end := changed.End
	for {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return false
		}
		if end += i + 1; end == len(text) {
			return false
		}
		if c := text[end]; c == '@' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			break
		}
	}
	toks, problems := Python(text[start:end])
	if len(problems) > 0 {
		return false
	}
	for _, t := range toks { // a second statement began: the change may have ended the definition early
		if t.Kind == language.Name && t.Start > 0 && text[start+t.Start-1] == '\n' {
			return false
		}
	}
	return true
}
