package edits_test

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"tandem/edits"
)

var protectedPaths = []string{
	".git/config", "sub/module/.git/hooks/pre-commit", ".git", ".vscode/settings.json", ".idea/workspace.xml",
	".cursor/mcp.json", ".claude/settings.json", ".codex/config.toml", ".gemini/settings.json", ".tandem/permissions",
	"my.code-workspace", ".env", ".env.local", "deploy/.env.production", ".envrc", ".npmrc", ".netrc", ".gitmodules",
	".gitattributes", ".husky/pre-commit", ".devcontainer/devcontainer.json", ".github/workflows/ci.yml", ".nvim.lua",
	".exrc", "AGENTS.md", "CLAUDE.md", "docs/AGENTS.md", ".cursorrules", ".github/copilot-instructions.md", ".tandemignore",
}

var openPaths = []string{
	"main.go", "a/b/c.txt", ".github/ISSUE_TEMPLATE.md", "git/config", "env.go", "vscode/settings.json", "src/environment.ts",
	".gitignore", "agents.go", "agents_md.txt", "workflows/ci.yml", "README~1.md", "notes~1.txt", "github/workflows.md", "a b.txt", "日本語.md",
}

func TestProtected(t *testing.T) {
	t.Parallel()
	for _, path := range protectedPaths {
		if !edits.Protected(path) {
			t.Errorf("%q is not protected", path)
		}
	}
	for _, path := range openPaths {
		if edits.Protected(path) {
			t.Errorf("%q is protected", path)
		}
		if edits.Outside(path) {
			t.Errorf("%q is outside", path)
		}
	}
}

func TestProtectedShortNames(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"GIT~1/config", "git~2/hooks/x", "GI7EB4~1/config", "VSCODE~1/settings.json", "CURSOR~1/mcp.json", "DEVCON~1/x", "HUSKY~1/x",
		"GITHUB~1/WORKFL~1/ci.yml", "PROJEC~1.COD", "ENV~1", "ENV~1.LOC", "NPMRC~1", "GITMOD~1", "GITATT~1", "NVIM~1.LUA", "CURSOR~2",
	} {
		if !edits.Protected(path) {
			t.Errorf("%q is not protected", path)
		}
	}
}

// TestProtectedSeesThroughDisguise changes the spelling of protected paths in
// every way that some file system undoes.
func TestProtectedSeesThroughDisguise(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom(protectedPaths).Draw(t, "path")
		var out strings.Builder
		for _, r := range path {
			s := string(r)
			if rapid.Bool().Draw(t, "upper") {
				s = strings.ToUpper(s)
			}
			if r == '/' && rapid.Bool().Draw(t, "trailing") {
				s = rapid.SampledFrom([]string{"./", " /", `\`, "//", "::$INDEX_ALLOCATION/", "/./"}).Draw(t, "slash")
			}
			if r != '/' && rapid.IntRange(0, 9).Draw(t, "hidden") == 0 {
				s += rapid.SampledFrom([]string{"\u200c", "\u200d", "\ufeff", "\u202e", "\u2064", "\ufe0f"}).Draw(t, "ignored")
			}
			out.WriteString(s)
		}
		out.WriteString(rapid.SampledFrom([]string{"", ".", " ", "...", ". .", "::$DATA", ":stream"}).Draw(t, "end"))
		disguised := out.String()
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 1:
			disguised = norm.NFD.String(disguised)
		case 2:
			disguised = norm.NFC.String(disguised)
		}
		if !edits.Protected(disguised) {
			t.Fatalf("%q, which may name %q, is not protected", disguised, path)
		}
	})
}

func TestOutside(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"", ".", "./", "..", "../a", "a/../../b", "a/..", "/etc/passwd", `\windows`, `C:\a`, "c:a", `\\host\share`, "//host/a",
		"file:///a", "https://a/b", "~/a", "%2e%2e/a", "%2E%2E%2Fa", "..%2fa", "%252e%252e/a", `..\a`, `a\..\..\b`, "a\x00b", "a%00b", ".. /a", "... /a", "vscode-remote://a",
	} {
		if !edits.Outside(path) {
			t.Errorf("%q is not outside", path)
		}
	}
}
