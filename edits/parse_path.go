package edits

import "strings"

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

// pathBefore finds the path written above a block. lines are the ones before
// it, latest first; only fences may stand between the path and the block.
func pathBefore(lines []string) string {
	var names []string
	for _, line := range lines {
		if name := pathIn(line); name != "" {
			names = append(names, name)
		}
		if !isFence(line) {
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

func isFence(line string) bool {
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "<source>")
}

// pathIn is the path that a line consists of, without the formatting that models
// put around paths: fences, headings, emphasis, a final colon. It is "" for a
// line of prose.
func pathIn(line string) string {
	name := strings.TrimSpace(line)
	if fenced, ok := strings.CutPrefix(name, "```"); ok {
		fenced = strings.TrimLeft(fenced, "`")
		if strings.ContainsAny(fenced, "./") {
			return fenced
		}
		return ""
	}
	if name == "..." || strings.HasPrefix(name, "<source>") {
		return ""
	}
	name = strings.TrimSpace(strings.TrimLeft(strings.TrimRight(name, ":"), "#"))
	name = strings.Trim(strings.Trim(name, "`"), "*")
	name = strings.Trim(name, "`")
	if !plausiblePath(name) {
		return ""
	}
	return name
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
