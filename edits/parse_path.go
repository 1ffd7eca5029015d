package edits

import (
	"regexp"
	"strings"
)

var shellLanguages = []string{"bash", "sh", "shell", "cmd", "batch", "powershell", "ps1", "zsh", "fish", "ksh", "csh", "tcsh"}

// shellFence reports whether text opens a fenced shell command.
func shellFence(text string) bool {
	language, ok := strings.CutPrefix(strings.TrimSpace(text), "```")
	if !ok {
		return false
	}
	for _, shell := range shellLanguages {
		if strings.HasPrefix(language, shell) {
			return true
		}
	}
	return false
}

// lastLines are the lines before the one in hand, latest first, as many as may name its path.
type lastLines [3]string

func (l *lastLines) push(text string) { l[2], l[1], l[0] = l[1], l[0], text }

// pathBefore finds the path written above a block that names its old text. lines are the ones
// before it, latest first. A sentence may quote the path.
func pathBefore(lines []string) string {
	if name := pathAbove(lines); name != "" {
		return name
	}
	for _, line := range lines {
		if !isFence(line) && !blank(line) {
			return pathNamed(line)
		}
	}
	return ""
}

// pathAbove finds the path on a line of its own above a text; only fences and blank lines may
// be between the two.
func pathAbove(lines []string) string {
	var names []string
	apart := false
	for _, line := range lines {
		if name := pathIn(line); name != "" && (!apart || dotted.MatchString(name)) {
			names = append(names, name)
		}
		if apart = apart || blank(line); !isFence(line) && !blank(line) {
			break
		}
	}
	for _, name := range names {
		if strings.Contains(name, ".") {
			return name
		}
	}
	if len(names) > 0 {
		return names[0]
	}
	return ""
}

var dotted = regexp.MustCompile(`[./]\w`)

func isFence(line string) bool {
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") || strings.HasPrefix(line, "<source>")
}

// plausiblePath reports whether name is a path, which may contain spaces, and
// not a sentence.
func plausiblePath(name string) bool {
	if name == "" || len(name) > 400 || strings.ContainsAny(name, "<>|\"\t") {
		return false
	}
	if !strings.Contains(name, " ") {
		return true
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	dot := strings.LastIndexByte(base, '.')
	return dot >= 0 && dot < len(base)-1 && !strings.Contains(base[dot:], " ")
}
