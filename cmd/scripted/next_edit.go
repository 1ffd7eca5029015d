package main

import (
	"slices"
	"strings"
)

// A rewriteRequest is a request in a format of models made for next edits: the
// region of one file that the answer rewrites.
type rewriteRequest struct {
	format string // sweep, zeta2, mercury
	path   string
	region string // without the cursor's marker
}

// readRewrite recognises such a request by its prompt.
func readRewrite(req *request) (*rewriteRequest, bool) {
	prompt := req.Prefix
	if len(req.Messages) == 1 {
		prompt = req.Messages[0].Text
	}
	switch {
	case strings.Contains(prompt, "<[fim-middle]>"):
		return readZeta(prompt)
	case strings.Contains(prompt, "<|file_sep|>updated/"):
		return readSweep(prompt)
	case strings.Contains(prompt, "<|code_to_edit|>"):
		return readMercury(prompt)
	}
	return nil, false
}

func readSweep(prompt string) (*rewriteRequest, bool) {
	sections := strings.Split(prompt, "<|file_sep|>")
	if len(sections) < 3 {
		return nil, false
	}
	name, region, ok := strings.Cut(sections[len(sections)-2], "\n")
	path, current := strings.CutPrefix(name, "current/")
	if !ok || !current {
		return nil, false
	}
	for range 2 { // the line range of the second form
		if i := strings.LastIndexByte(path, ':'); i > 0 && strings.Trim(path[i+1:], "0123456789") == "" {
			path = path[:i]
		}
	}
	return &rewriteRequest{"sweep", path, strings.ReplaceAll(region, "<|cursor|>", "")}, true
}

func readZeta(prompt string) (*rewriteRequest, bool) {
	last := strings.LastIndex(prompt, "<filename>")
	if last < 0 {
		return nil, false
	}
	path, text, _ := strings.Cut(prompt[last+len("<filename>"):], "\n")
	_, region, ok := strings.Cut("\n"+text, "\n<<<<<<< CURRENT\n")
	region, _, closed := strings.Cut(region, "=======\n<[fim-middle]>")
	if !ok || !closed {
		return nil, false
	}
	return &rewriteRequest{"zeta2", path, strings.ReplaceAll(region, "<|user_cursor|>", "")}, true
}

func readMercury(prompt string) (*rewriteRequest, bool) {
	_, rest, ok := strings.Cut(prompt, "current_file_path: ")
	path, rest, _ := strings.Cut(rest, "\n")
	_, region, open := strings.Cut(rest, "<|code_to_edit|>\n")
	region, _, closed := strings.Cut(region, "<|/code_to_edit|>")
	if !ok || !open || !closed {
		return nil, false
	}
	return &rewriteRequest{"mercury", path, strings.ReplaceAll(region, "<|cursor|>", "")}, true
}

// rewrite answers with the region after the edits of a rule that lie in it, in the
// format's own form; where none does, that nothing is to be changed.
func (r *rewriteRequest) rewrite(list []edit) string {
	text := r.region
	made := map[edit]int{} // insertions that the region has already
	for _, e := range list {
		if e.Path != r.path || e.Old == "" || !strings.Contains(text, e.Old) {
			continue
		}
		if e.inserts() && strings.Count(r.region, e.New) > made[e] {
			made[e]++
			continue
		}
		text = strings.Replace(text, e.Old, e.New, 1)
	}
	changed := text != r.region
	switch {
	case r.format == "zeta2" && !changed:
		return "NO_EDITS\n"
	case r.format == "zeta2":
		return lineEnded(text) + ">>>>>>> UPDATED\n"
	case r.format == "mercury" && !changed:
		return "None"
	case r.format == "mercury":
		return "```\n" + lineEnded(text) + "```"
	}
	return text
}

// inserts reports whether an edit only adds lines to those that it replaces. Its old lines
// may then stand in the text after it too, if they are blank.
func (e edit) inserts() bool {
	rest := strings.SplitAfter(e.New, "\n")
	for line := range strings.Lines(e.Old) {
		i := slices.Index(rest, line)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return len(e.New) > len(e.Old)
}
