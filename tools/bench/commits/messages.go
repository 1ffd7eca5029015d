package main

import (
	"regexp"
	"strings"
)

const (
	askBudget        = 16_000
	fewestWords      = 6
	mostMessageFiles = 4
)

var (
	noQuestion = regexp.MustCompile(`(?i)^(merge|bump|revert|release|prepare|version|update dependenc|chore\(deps|build\(deps|fix\(deps)|\bbump(s|ed)?\b|\brevert(s|ed)?\b`)
	pullNumber = regexp.MustCompile(`\s*\(#\d+\)\s*$`)
)

// question is a commit's message as something that a person could ask; ok is
// false for messages that say too little.
func (h *change) question() (words string, ok bool) {
	words = pullNumber.ReplaceAllString(h.message, "")
	return words, len(h.files) >= 1 && len(h.files) <= mostMessageFiles && len(strings.Fields(words)) >= fewestWords && !noQuestion.MatchString(words)
}

// An asked message is which files of its commit a prompt showed with a body.
type askedMessage struct {
	Commit string `json:"commit"`
	Words  string `json:"words"`
	Files  int    `json:"files"`
	Ours   int    `json:"tandem"`
	BM25   int    `json:"bm25"`
}

// askMessage asks a commit's message of the tree before it.
func askMessage(t *tandem, g *tree, h *change, words string) (askedMessage, error) {
	out := askedMessage{Commit: h.hash, Words: words, Files: len(h.files)}
	_, pieces := fill(bm25(g, words, ""), askBudget)
	for _, name := range h.files {
		if f := g.byPath[name]; f != nil && heldBody(pieces, f) {
			out.BM25++
		}
	}
	w, err := t.ask(request{ID: h.hash, Purpose: "ask", Words: words, Budget: askBudget, Text: true})
	if err != nil {
		return out, err
	}
	for _, name := range h.files {
		if f := g.byPath[name]; f != nil && shownBody(w, f) {
			out.Ours++
		}
	}
	return out, nil
}
