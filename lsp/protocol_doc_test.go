package lsp

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tandem/lsp/client"
)

// docs/protocol.md is for people who write clients: each name of ours in it is one that the
// server knows, and each that the server knows is in it.
func TestProtocolPageIsTheProtocol(t *testing.T) {
	page := protocolPage(t)
	said := map[string]bool{}
	for _, m := range regexp.MustCompile(`[a-zA-Z]+(?:[./][a-zA-Z]+)*`).FindAllString(strings.Join(codeSpans(page), " "), -1) {
		said[m] = true
	}
	methods, sent := newMethods(t), methodLiterals(t)
	for name := range methods {
		if !strings.Contains(name, "/") || !strings.HasPrefix(name, "tandem/") {
			continue
		}
		if !said[name] {
			t.Errorf("the server answers %s, and the page does not name it", name)
		}
	}
	for _, name := range sent {
		if !said[name] {
			t.Errorf("the server sends or answers %s, and the page does not name it", name)
		}
	}
	for name := range said {
		if _, answered := methods[name]; strings.HasPrefix(name, "tandem/") && !answered && !slices.Contains(sent, name) {
			t.Errorf("the page names %s, which the server neither sends nor answers", name)
		}
	}
}

func TestProtocolPageHasTheCommands(t *testing.T) {
	page := protocolPage(t)
	table := section(t, page, "Commands")
	var listed []string
	for _, span := range codeSpans(table) {
		switch {
		case strings.HasPrefix(span, "tandem."):
			listed = append(listed, span)
		case strings.HasPrefix(span, "."):
			listed = append(listed, "tandem"+span)
		}
	}
	names := newFeatures(&Deps{}, &scope{peer: newPeer(&Deps{})}).commands.names()
	for _, name := range listed {
		if !slices.Contains(names, name) {
			t.Errorf("the page lists %s, which is no command", name)
		}
	}
	for _, name := range names {
		if strings.HasPrefix(name, "tandem.") && !slices.Contains(listed, name) {
			t.Errorf("%s is a command, and the page does not list it", name)
		}
	}
}

func TestProtocolPageHasTheMembers(t *testing.T) {
	page := protocolPage(t)
	for name, c := range map[string]struct {
		text  string // of the page that lists the members
		types []any
	}{
		"tandem/proposal": {row(t, page, "`tandem/proposal`") + section(t, page, "An edit that the client draws while it is written") + section(t, page, "Deep tasks"), []any{proposalNote{}}},
		"a lane":          {row(t, page, "`tandem/status`"), []any{laneState{}}},
		"tandem/task":     {section(t, page, "Deep tasks"), []any{taskNote{}, taskStep{}, taskEstimate{}, taskMessage{}, taskCall{}}},
		"extensions":      {section(t, page, "For clients that announce it"), []any{client.Extensions{}}},
		"tandem/edit":     {section(t, page, "An edit that the client draws while it is written"), []any{draftNote{}, draftHunk{}}},
	} {
		for _, v := range c.types {
			for _, member := range members(v) {
				if !regexp.MustCompile(`\b` + member + `\b`).MatchString(c.text) {
					t.Errorf("%s: %T has the member %q, and the page does not name it", name, v, member)
				}
			}
		}
	}
	known := slices.Concat(members(taskNote{}), members(taskStep{}), members(taskEstimate{}), members(taskMessage{}), members(taskCall{}))
	for line := range strings.Lines(section(t, page, "Deep tasks")) {
		if cells := strings.Split(line, "|"); len(cells) > 2 && strings.Contains(cells[1], "`") {
			for _, span := range codeSpans(cells[1]) {
				if !slices.Contains(known, span) {
					t.Errorf("the page gives a task the member %q, which it has not", span)
				}
			}
		}
	}
}

func protocolPage(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func codeSpans(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// section is what stands below a heading, up to the next one.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	_, text, found := strings.Cut(page, "# "+heading+"\n")
	if !found {
		t.Fatalf("the page has no section %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n#")
	return text
}

// row is the line of a table that begins with a cell.
func row(t *testing.T, page, cell string) string {
	t.Helper()
	_, text, found := strings.Cut(page, "\n| "+cell+" |")
	if !found {
		t.Fatalf("the page has no row %s", cell)
	}
	text, _, _ = strings.Cut(text, "\n")
	return text
}

func members(v any) []string {
	var out []string
	for f := range reflect.TypeOf(v).Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		out = append(out, name)
	}
	return out
}

// methodLiterals are the names of our methods as the package's source has them.
func methodLiterals(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			if g, ok := decl.(*ast.GenDecl); ok && g.Tok == gotoken.IMPORT {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == gotoken.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil && regexp.MustCompile(`^tandem/[a-zA-Z]+$`).MatchString(text) {
						out = append(out, text)
					}
				}
				return true
			})
		}
	}
	return out
}
