package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// layers is the order of the layout: a package may import its own folder and
// the layers before it, never a layer after it nor the other folder of its own.
var layers = []string{"edits", "workspace", "model", "lsp mcp", "cmd"}

// An importRule lists the folders that may import a package, and the reason why no other may.
type importRule struct {
	imports string   // import path, or prefix ending in /
	allowed []string // folders, with everything under them
	reason  string
}

var importRules = []importRule{
	{"net/http", []string{"model/provider", "workspace/zoekt", "cmd"},
		"only model/provider and workspace/zoekt talk to the network; ask them through an interface"},
	{"net", []string{"model/provider", "workspace/zoekt", "cmd"},
		"only model/provider and workspace/zoekt talk to the network; ask them through an interface"},
	{"github.com/coder/websocket", []string{"model/provider/socket", "cmd/scripted"},
		"only model/provider/socket keeps WebSocket sessions; the rules of retries are in model/provider"},
	{"encoding/json", []string{"lsp", "mcp", "model/provider", "model/tool", "model/answer", "workspace/state", "workspace/deps", "workspace/zoekt", "cmd"},
		"JSON belongs to the outer packages: the editor, the model's protocol, calls and answers, the records and manifests on disk; all others use Go values"},
	{"os", []string{"workspace", "cmd", "model/provider", "model/assist/assisttest"},
		"only workspace touches the disk; take text or an interface instead"},
	{"os/exec", []string{"cmd/tandem", "cmd/scripted"},
		"nothing is run on behalf of a workspace; only cmd/tandem runs the user's own key helper, test command and checkers"},
	{"go.lsp.dev/protocol", []string{"lsp", "cmd"},
		"positions and wire types end in lsp/convert.go; the layers below use byte offsets"},
	{"github.com/evanw/esbuild/pkg/api", []string{"workspace/syntax"}, parserReason},
	{"github.com/yuin/goldmark", []string{"lsp/inert"}, parserReason},
	{"github.com/pelletier/go-toml/v2", []string{"cmd/scripted"}, parserReason},
	{"github.com/tailscale/hujson", []string{"cmd/tandem"}, parserReason},
	{"github.com/pelletier/go-toml/v2/unstable", []string{"cmd/tandem/config"}, parserReason},
	{"github.com/modelcontextprotocol/go-sdk/mcp", []string{"mcp"},
		"only mcp speaks the agents' protocol"},
	{"github.com/modelcontextprotocol/go-sdk/auth", nil, transportReason},
	{"plugin", nil, "no code is loaded at run time"},
	{"unsafe", []string{"workspace/mapped", "workspace/tokens"},
		"unsafe is for the two measured hot paths, where a comment gives the reason"},
}

// readers are the functions that read the disk without the bounds of
// workspace/disk, by package.
var readers = map[string][]string{
	"os":            {"Open", "OpenFile", "OpenRoot", "OpenInRoot", "ReadFile", "ReadDir", "DirFS", "CopyFS"},
	"path/filepath": {"Walk", "WalkDir", "Glob"},
	"io/fs":         {"ReadFile", "ReadDir", "Glob", "WalkDir"},
	"io/ioutil":     {"ReadFile", "ReadDir"},
}

// parsers are the functions that call themselves for what is nested in a text, by package.
var parsers = map[string][]string{"go/parser": {"ParseDir", "ParseFile", "ParseExpr", "ParseExprFrom"}}

// parsesItself are the folders that may use parsers.
var parsesItself = []string{"workspace/syntax", "model/local"}

// fitters are the functions that fit what is inserted to its document, by package, and fitsItself the
// folders that may use them: ghost text, and the commands without a workspace.
var (
	fitters    = map[string][]string{"tandem/edits": {"Fit", "FitChange"}, "tandem/workspace/judge": {"Fitted"}}
	fitsItself = []string{"workspace/judge", "model/assist/inline", "cmd/tandem"}
)

const fitReason = "every road has one order, and judge.Ready keeps it: secrets restored, fitted, imports, judged, shown"

// transports are what of the agents' protocol would listen on the network or run a program,
// by package.
var transports = map[string][]string{"github.com/modelcontextprotocol/go-sdk/mcp": {"NewSSEHandler", "SSEHandler", "SSEServerTransport", "SSEClientTransport",
	"NewStreamableHTTPHandler", "StreamableHTTPHandler", "StreamableServerTransport", "StreamableClientTransport", "CommandTransport"}}

const transportReason = "an agent starts tandem and talks to it on stdin and stdout; nothing listens, and nothing is run"

const parserReason = "a text that nests deep enough ends the program in a parser: only packages that ask language.Parsable first use one"

// readsItself are the files outside cmd/scripted and tools/ that may use readers,
// and what they read. A folder stands for its files.
var readsItself = map[string]string{
	"workspace/disk":             "it is the bounded reader",
	"workspace/lock":             "opens for those who are listed here",
	"workspace/state":            "the user's records, in the state folder",
	"workspace/mapped":           "saved indexes and trained models, in the state folder",
	"workspace/write.go":         "it opens the folder that it writes to, and reads there what it has compared first",
	"workspace/leftovers.go":     "it removes what killed programs of its own left, by exact name and below the pinned folder",
	"cmd/tandem/keys":            "it lists the folder of the keys",
	"cmd/tandem/serve_show.go":   "it lists the previews, in the state folder",
	"workspace/tokens/vocab/gen": "it makes the tokenizer's tables, when tandem is built",
}

const readReason = "what a workspace, an agent or a user can name is read through workspace/disk: regular files, bounded in bytes and time"

// textMakers are the functions by which text leaves, or comes to leave, as it is, and the
// files that may call each. A folder stands for its files. All other text that is sent comes
// out of a search for secrets, or the compiler refuses it.
var textMakers = []struct {
	name      string
	arguments int
	allowed   []string
	reason    string
}{
	{"Wire", 0, []string{"model/provider"}, "what is sent is written by the provider alone"},
	{"User", 2, []string{"model/assist/prompt/prompt.go", "model/assist/edit/edit.go", "model/assist/ask/ask.go", "model/task/planning.go", "model/task/review.go", "model/task/step.go", "model/task/tools.go"},
		"only what the user wrote leaves as it is written, and these files have it: use Redact, or lines of a source"},
	{"Said", 1, []string{"model/provider", "model/conversation/record.go", "model/task/ask.go", "model/assist/assisttest"},
		"only what a model said goes back as it is, and these files have it: use Redact, or lines of a source"},
}

func textFaults(f sourceFile) []string {
	if within(f.dir, []string{"workspace/redact", "tools"}) {
		return nil
	}
	var out []string
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		for _, maker := range textMakers {
			if ok && sel.Sel.Name == maker.name && len(call.Args) == maker.arguments && !within(f.dir, maker.allowed) && !slices.Contains(maker.allowed, f.dir+"/"+f.name) {
				out = append(out, fmt.Sprintf("%s/%s:%d calls %s: %s", f.dir, f.name, f.set.Position(sel.Pos()).Line, maker.name, maker.reason))
			}
		}
		return true
	})
	return out
}

// A sourceFile is one parsed file of the tree, tests included.
type sourceFile struct {
	dir  string // slash-separated, relative to the root
	name string
	ast  *ast.File
	set  *token.FileSet
}

func (f sourceFile) test() bool { return strings.HasSuffix(f.name, "_test.go") }

func TestArchitecture(t *testing.T) {
	files, err := ownCode()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range faults(files) {
		t.Error(problem)
	}
}

// faults lists every breach of the layout's rules, each with its reason.
func faults(files []sourceFile) []string {
	var out []string
	docs := map[string]int{}
	packages := map[string]bool{}
	for _, f := range files {
		out = append(out, importFaults(f)...)
		out = append(out, groupFaults(f)...)
		if f.test() {
			continue
		}
		out = append(out, goFaults(f)...)
		out = append(out, readFaults(f)...)
		out = append(out, textFaults(f)...)
		packages[f.dir] = true
		if f.ast.Doc != nil {
			docs[f.dir]++
		}
	}
	for dir := range packages {
		if docs[dir] != 1 {
			out = append(out, fmt.Sprintf("%s has %d package comments: every package has exactly one, which states what it is and one invariant", dir, docs[dir]))
		}
	}
	slices.Sort(out)
	return out
}

func importFaults(f sourceFile) []string {
	var out []string
	for _, spec := range f.ast.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		at := fmt.Sprintf("%s/%s imports %s", f.dir, f.name, imported)
		if inner, ok := strings.CutPrefix(imported, "tandem/"); ok && !inside(inner, f.dir) && layerOf(inner) >= layerOf(f.dir) {
			out = append(out, at+": imports point left only (edits <- workspace <- model <- lsp, mcp <- cmd); declare the interface you need and let the layer on the right implement it")
		}
		if f.test() || within(f.dir, []string{"tools"}) { // tools/ drives the built programs from outside
			continue
		}
		for _, rule := range importRules {
			if imported == rule.imports && !within(f.dir, rule.allowed) {
				out = append(out, at+": "+rule.reason)
			}
		}
	}
	return out
}

func goFaults(f sourceFile) []string {
	if f.dir == "workspace/run" || within(f.dir, []string{"cmd/scripted", "tools"}) {
		return nil
	}
	var out []string
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if g, ok := n.(*ast.GoStmt); ok {
			out = append(out, fmt.Sprintf("%s/%s:%d writes go: start it through workspace/run, which can wait for it", f.dir, f.name, f.set.Position(g.Pos()).Line))
		}
		return true
	})
	return out
}

// readFaults lists the reads of a file that go around workspace/disk, and the parses that go
// around language.Parsable.
func readFaults(f sourceFile) []string {
	if !within(f.dir, []string{"workspace", "model", "lsp", "mcp", "cmd/tandem"}) {
		return nil
	}
	reads := readsItself[f.dir] != "" || readsItself[f.dir+"/"+f.name] != ""
	named := map[string]string{} // import path by the name that the file uses
	var out []string
	for _, spec := range f.ast.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		named[name] = imported
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		reason := ""
		switch {
		case !reads && slices.Contains(readers[named[pkg.Name]], sel.Sel.Name):
			reason = readReason
		case !within(f.dir, parsesItself) && slices.Contains(parsers[named[pkg.Name]], sel.Sel.Name):
			reason = parserReason
		case !within(f.dir, fitsItself) && slices.Contains(fitters[named[pkg.Name]], sel.Sel.Name):
			reason = fitReason
		case slices.Contains(transports[named[pkg.Name]], sel.Sel.Name):
			reason = transportReason
		default:
			return true
		}
		out = append(out, fmt.Sprintf("%s/%s:%d uses %s.%s: %s", f.dir, f.name, f.set.Position(sel.Pos()).Line, pkg.Name, sel.Sel.Name, reason))
		return true
	})
	slices.Sort(out)
	return slices.Compact(out)
}

func layerOf(dir string) int {
	first, _, _ := strings.Cut(dir, "/")
	if i := slices.IndexFunc(layers, func(l string) bool { return slices.Contains(strings.Fields(l), first) }); i >= 0 {
		return i
	}
	return len(layers)
}

// inside reports whether two folders are below the same one of the layout.
func inside(dir, other string) bool {
	first, _, _ := strings.Cut(dir, "/")
	return within(other, []string{first})
}

func within(dir string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		return dir == folder || strings.HasPrefix(dir, folder+"/")
	})
}

// ownCode is all Go code of the repository, parsed once for all the tests that read it; none
// changes it.
var ownCode = sync.OnceValues(func() ([]sourceFile, error) { return readTree("../..") })

func readTree(root string) ([]sourceFile, error) {
	var out []sourceFile
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if p != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "bin") {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(p, "go.mod")); err == nil && p != root && d.Name() != "tools" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(set, p, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		out = append(out, sourceFile{path.Dir(rel), path.Base(rel), parsed, set})
		return nil
	})
	return out, err
}

// groupFaults are imports that do not stand in groups: the standard library, other modules, tandem.
func groupFaults(f sourceFile) (out []string) {
	group, line := 0, 0
	for _, i := range f.ast.Imports {
		first, _, _ := strings.Cut(strings.Trim(i.Path.Value, `"`), "/")
		is, at := 0, f.set.Position(i.Pos()).Line
		switch {
		case first == "tandem":
			is = 2
		case strings.Contains(first, "."):
			is = 1
		}
		if line > 0 && (is < group || is > group && at == line+1) {
			out = append(out, fmt.Sprintf("%s/%s: %s is in the wrong group of imports: the standard library, a blank line, other modules, a blank line, tandem", f.dir, f.name, i.Path.Value))
		}
		group, line = is, at
	}
	return out
}

// TestArchitectureSeesPlantedFaults proves that each rule can fail.
func TestArchitectureSeesPlantedFaults(t *testing.T) {
	planted := []struct{ dir, source, want string }{
		{"edits", "// Package p.\npackage p\nimport _ \"tandem/workspace\"", "imports point left only"},
		{"workspace/index", "// Package p.\npackage p\nimport _ \"tandem/model\"", "imports point left only"},
		{"model", "// Package p.\npackage p\nimport _ \"net/http\"", "talk to the network"},
		{"model/provider/dialect", "// Package p.\npackage p\nimport _ \"github.com/coder/websocket\"", "WebSocket sessions"},
		{"workspace", "// Package p.\npackage p\nimport _ \"encoding/json\"", "JSON belongs to the outer packages"},
		{"edits", "// Package p.\npackage p\nimport _ \"os\"", "touches the disk"},
		{"lsp", "// Package p.\npackage p\nimport _ \"os/exec\"", "nothing is run"},
		{"model/assist", "// Package p.\npackage p\nimport _ \"go.lsp.dev/protocol\"", "end in lsp/convert.go"},
		{"lsp", "// Package p.\npackage p\nfunc f() { go f() }", "workspace/run"},
		{"edits", "package p", "0 package comments"},
		{"workspace/deps", "// Package p.\npackage p\nimport \"os\"\nvar f, _ = os.ReadFile(\"x\")", "workspace/disk"},
		{"workspace", "// Package p.\npackage p\nimport system \"os\"\nvar f = system.Open", "workspace/disk"},
		{"model/assist/next", "// Package p.\npackage p\nimport \"tandem/workspace/judge\"\nvar f = judge.Fitted(nil, nil)", "judge.Ready"},
		{"workspace/names", "// Package p.\npackage p\nimport \"go/parser\"\nvar f, _ = parser.ParseFile(nil, \"x\", nil, 0)", "language.Parsable"},
		{"workspace/names", "// Package p.\npackage p\nimport _ \"github.com/evanw/esbuild/pkg/api\"", "language.Parsable"},
		{"lsp", "// Package p.\npackage p\nimport \"path/filepath\"\nvar f, _ = filepath.Glob(\"x\")", "workspace/disk"},
		{"lsp", "// Package p.\npackage p\nfunc f(r *redact.Redactor) { r.User(\"x\", true) }", "what the user wrote"},
		{"model", "// Package p.\npackage p\nfunc f() { redact.Said(\"x\") }", "what a model said"},
		{"model", "// Package p.\npackage p\nfunc f(t redact.Text) string { return t.Wire() }", "by the provider alone"},
		{"mcp", "// Package p.\npackage p\nimport _ \"tandem/lsp\"", "imports point left only"},
		{"lsp/wire", "// Package p.\npackage p\nimport _ \"tandem/mcp\"", "imports point left only"},
		{"lsp", "// Package p.\npackage p\nimport _ \"github.com/modelcontextprotocol/go-sdk/mcp\"", "only mcp"},
		{"mcp", "// Package p.\npackage p\nimport _ \"github.com/modelcontextprotocol/go-sdk/auth\"", "stdin and stdout"},
		{"edits", "// Package p.\npackage p\nimport (\n\t\"fmt\"\n\t\"tandem/edits/a\"\n)", "wrong group"},
		{"edits", "// Package p.\npackage p\nimport (\n\t\"tandem/edits/a\"\n\n\t\"fmt\"\n)", "wrong group"},
		{"mcp", "// Package p.\npackage p\nimport sdk \"github.com/modelcontextprotocol/go-sdk/mcp\"\nvar t = sdk.CommandTransport{}", "nothing is run"},
	}
	for _, c := range planted {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, "p.go", c.source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		got := faults([]sourceFile{{c.dir, "p.go", parsed, set}})
		if len(got) != 1 || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %q gave %q, want one fault about %q", c.dir, c.source, got, c.want)
		}
	}
}
