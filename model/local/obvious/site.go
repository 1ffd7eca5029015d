package obvious

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"tandem/model"
	"tandem/model/local/source"
)

// A world is what the packages that a document sees declare.
type world struct {
	corpus    source.Corpus
	installed Installed // nil is none
	path      string
	before    string               // the document above the line
	packages  map[string]packageAt // that were looked up, by the names that the document has for them
}

// code is the declaration around a line, as parsed.
type code struct {
	world
	chunk  string // its source
	file   *token.File
	path1  []ast.Node // from the declaration to the marker
	inside *scope     // what is declared before the cursor; see scope
}

// A site is a line of a Go function that holds at most the beginning of a statement, with
// the syntax around it.
type site struct {
	code
	after string   // the document below the line
	typed string   // what the line holds, without indentation
	above []string // results of the returns after error checks above; see fileReturns
}

// marker stands for the line in what is parsed: a statement, a field or a case.
const marker = "tandemCursor"

// maxChunk bounds the declaration that is parsed, in bytes: longer ones are data.
const maxChunk = 256 << 10

// newSite finds the declaration around the cursor and parses it.
func newSite(c source.Corpus, installed Installed, f *model.Fill) (*site, bool) {
	at := strings.LastIndexByte(f.Prefix, '\n') + 1
	tail, after, _ := strings.Cut(f.Suffix, "\n")
	s := &site{code: code{world: world{corpus: c, installed: installed, path: f.Path, before: f.Prefix[:at]}}, after: after, typed: strings.TrimLeft(f.Prefix[at:], " \t")}
	if strings.TrimSpace(tail) != "" {
		return nil, false
	}
	from := s.declaration()
	to := strings.Index("\n"+after, "\n}")
	if from < 0 || to < 0 || at-from+to > maxChunk {
		return nil, false
	}
	stands := []string{marker + "()\n", marker + ": 0,\n"}
	if line := f.Prefix[at:]; s.amongCases(line[:len(line)-len(s.typed)]) {
		stands = []string{"case " + marker + ":\n"}
	}
	for _, stand := range stands {
		if s.parse(s.before[from:] + stand + after[:min(to+2, len(after))]) {
			return s, true
		}
	}
	return nil, false
}

// amongCases reports whether the nearest line above that is not indented deeper than the
// cursor's is a switch or a case with the same indentation.
func (s *site) amongCases(indent string) bool {
	for at := len(s.before); at > 0; {
		start := strings.LastIndexByte(s.before[:at-1], '\n') + 1
		line := s.before[start:at]
		at = start
		if rest, ok := strings.CutPrefix(line, indent); strings.TrimSpace(line) != "" && (!ok || rest[0] != '\t' && rest[0] != ' ') {
			return ok && (strings.HasPrefix(rest, "case ") || strings.HasPrefix(rest, "switch ") && strings.HasSuffix(rest, "{\n"))
		}
	}
	return false
}

// declaration is where the declaration around the line begins, or -1.
func (s *site) declaration() int {
	for at := len(s.before); at > 0; {
		start := strings.LastIndexByte(s.before[:at-1], '\n') + 1
		switch line := s.before[start:at]; {
		case strings.HasPrefix(line, "func ") || strings.HasPrefix(line, "var ") || strings.HasPrefix(line, "type ") || strings.HasPrefix(line, "const "):
			return start
		case strings.HasPrefix(line, "}") || strings.HasPrefix(line, "package "):
			return -1
		}
		at = start
	}
	return -1
}

// parse parses a declaration that holds the marker, and finds the path to it.
func (s *site) parse(chunk string) bool {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", "package p\n"+chunk, parser.SkipObjectResolution)
	if file == nil || err != nil {
		return false
	}
	s.chunk, s.file, s.path1 = "package p\n"+chunk, fset.File(file.Pos()), nil
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		if id, ok := n.(*ast.Ident); ok && id.Name == marker && s.path1 == nil {
			s.path1 = append([]ast.Node{}, stack...)
		}
		return true
	})
	return s.path1 != nil
}

// text is the source of a node.
func (s *code) text(n ast.Node) string {
	return s.chunk[s.file.Offset(n.Pos()):s.file.Offset(n.End())]
}

// up is the n-th node above the marker, or nil.
func (s *code) up(n int) ast.Node {
	if i := len(s.path1) - 1 - n; i >= 0 {
		return s.path1[i]
	}
	return nil
}
