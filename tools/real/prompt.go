package main

import "strings"

// The marks of the family of the weights that are fetched: Qwen2.5-Coder.
const (
	markPrefix = "<|fim_prefix|>"
	markSuffix = "<|fim_suffix|>"
	markMiddle = "<|fim_middle|>"
	markRepo   = "<|repo_name|>"
	markFile   = "<|file_sep|>"
)

// An excerpt is lines of another file.
type excerpt struct{ path, text string }

// fill is a prompt for the text between two texts of a file, alone.
func fill(prefix, suffix string) string {
	return markPrefix + prefix + markSuffix + suffix + markMiddle
}

// fillIn is a prompt for the text between two texts of a file of a repository, with other
// files before it, in the form that the family was trained on.
func fillIn(repository string, others []excerpt, path, prefix, suffix string) string {
	var b strings.Builder
	b.WriteString(markRepo + repository)
	for _, e := range others {
		b.WriteString("\n" + markFile + e.path + "\n" + strings.TrimSuffix(e.text, "\n"))
	}
	b.WriteString("\n" + markFile + path + "\n" + fill(prefix, suffix))
	return b.String()
}

// lastLines and firstLines are the lines of a text next to a place in it.
func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "")
}

func firstLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
