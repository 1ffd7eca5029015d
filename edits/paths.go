package edits

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// protectedDirs are folders in which no file may be written because a model
// proposes it: their files make programs run or change what tandem itself may do.
var protectedDirs = []string{
	".git", ".vscode", ".idea", ".cursor", ".claude", ".codex", ".gemini", ".tandem", ".husky", ".devcontainer",
	".github/workflows", ".github/instructions", ".github/prompts", ".clinerules", ".roo", ".windsurf",
}

// protectedFiles are patterns for the last part of a path.
var protectedFiles = []string{
	"*.code-workspace", ".env*", ".npmrc", ".netrc", ".gitmodules", ".gitattributes", ".gitconfig",
	".nvim.lua", ".nvimrc", ".vimrc", ".exrc", "agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md",
	"copilot-instructions.md", ".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".goosehints", ".rules",
	".tandemignore", ".cursorignore", ".cursorindexingignore", ".aiexclude", ".codeiumignore", ".copilotignore", ".geminiignore",
}

// Protected reports whether a path names something that a model may never write
// unless the user's own request names it. It recognises the spellings that file
// systems treat as the same name: letter case, Unicode forms and invisible
// characters, trailing dots and spaces, streams (":name"), short names (GIT~1).
func Protected(name string) bool {
	parts := plainParts(name)
	for i, part := range parts {
		if protectedDir(parts[i:]) || protectedFile(part) {
			return true
		}
	}
	return false
}

// plainParts divides a path into its parts, each as the most forgiving file
// system would understand it.
func plainParts(name string) []string {
	name = strings.ReplaceAll(name, `\`, "/")
	var parts []string
	for _, part := range strings.Split(name, "/") {
		part = plainName(part)
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func plainName(part string) string {
	part = norm.NFKC.String(part)
	part = strings.Map(func(r rune) rune {
		if ignoredInNames(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, part)
	if i := strings.IndexByte(part, ':'); i > 0 {
		part = part[:i]
	}
	return strings.TrimRight(strings.TrimLeft(part, " "), " .")
}

// ignoredInNames reports whether a file system may ignore r in a name.
func ignoredInNames(r rune) bool {
	return HiddenKind(r) != "" || VariationSelector(r) || unicode.IsControl(r)
}

func protectedDir(parts []string) bool {
	return slices.ContainsFunc(protectedDirs, func(dir string) bool {
		want := strings.Split(dir, "/")
		if len(parts) < len(want) {
			return false
		}
		for i, name := range want {
			if parts[i] != name && !shortNameOf(parts[i], name) {
				return false
			}
		}
		return true
	})
}

func protectedFile(name string) bool {
	return slices.ContainsFunc(protectedFiles, func(pattern string) bool {
		ok, _ := path.Match(pattern, name) // the patterns are well-formed
		return ok || shortNameOf(name, pattern)
	})
}

// shortNameOf reports whether short may be the 8.3 name that Windows gives to
// a file called long: its first six letters or its first two and a hash, "~"
// and a number, and three letters of the extension.
func shortNameOf(short, long string) bool {
	stem, extension, _ := strings.Cut(short, ".")
	head, number, ok := strings.Cut(stem, "~")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return false
	}
	if after, ok := strings.CutPrefix(long, "*."); ok {
		return extension != "" && extension == clip3(after)
	}
	long = strings.TrimLeft(long, ".")
	dot := strings.LastIndexByte(long, '.')
	if dot >= 0 && clip3(long[dot+1:]) != extension {
		return false
	}
	if dot >= 0 {
		long = long[:dot]
	}
	long = strings.NewReplacer("*", "", ".", "").Replace(long)
	if head == long[:min(6, len(long))] || strings.HasPrefix(head, long) && len(long) < 6 && long == "env" {
		return true
	}
	return len(head) == 6 && head[:2] == long[:2] && strings.Trim(head[2:], "0123456789abcdef") == ""
}

func clip3(s string) string { return s[:min(3, len(s))] }

// Outside reports whether a path cannot name a file below the folder it is
// relative to, whatever the operating system: it is empty, absolute, has a
// drive or a scheme, climbs with "..", also in percent signs, or holds a NUL.
func Outside(name string) bool {
	name = strings.ReplaceAll(decodePercent(name), `\`, "/")
	switch {
	case name == "", strings.HasPrefix(name, "/"), strings.HasPrefix(name, "~/"), name == "~":
		return true
	case strings.ContainsRune(name, 0), strings.Contains(name, "://"), strings.HasPrefix(name, "file:"):
		return true
	case len(name) > 1 && name[1] == ':' && (name[0]|0x20) >= 'a' && (name[0]|0x20) <= 'z':
		return true
	}
	named := false
	for _, part := range strings.Split(name, "/") {
		switch trimmed := strings.Trim(part, " "); {
		case len(trimmed) > 1 && strings.Trim(trimmed, ".") == "":
			return true
		case trimmed != "" && trimmed != ".":
			named = true
		}
	}
	return !named
}

// decodePercent decodes the escapes that could hide a way out: "%2e", "%2f", "%5c", "%00".
func decodePercent(s string) string {
	for range 3 { // escapes of escapes
		next := percents.Replace(s)
		if next == s {
			break
		}
		s = next
	}
	return s
}

var percents = strings.NewReplacer("%2e", ".", "%2E", ".", "%2f", "/", "%2F", "/", "%5c", `\`, "%5C", `\`, "%00", "\x00", "%25", "%")
