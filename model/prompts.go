package model

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

// prompts/ holds every word that a model is told besides the user's own and
// the code: what each kind of request asks for, how each edit format is
// written, and what each family of models needs to hear.
//
//go:embed prompts/*.md
var promptFiles embed.FS

// A Kind is one thing that tandem asks models for, with words of its own in
// prompts/KIND.md.
type Kind string

// The kinds of prompt.
const (
	KindComplete Kind = "complete"
	KindNextEdit Kind = "next_edit"
	KindEdit     Kind = "edit"
	KindFix      Kind = "fix"
	KindDebug    Kind = "debug"
	KindDocument Kind = "document"
	KindTest     Kind = "test"
	KindStep     Kind = "step"
	KindAsk      Kind = "ask"
	KindExplain  Kind = "explain"
	KindHover    Kind = "hover"
	KindReview   Kind = "review"
	KindPlan     Kind = "plan"
	KindCommit   Kind = "commit"
)

// kinds says of every kind what it is for and whether it answers with edits.
var kinds = map[Kind]struct {
	purpose Purpose
	edits   bool
}{
	KindComplete: {Complete, false},
	KindNextEdit: {NextEdit, true},
	KindEdit:     {Edit, true},
	KindFix:      {Edit, true},
	KindDebug:    {Edit, true},
	KindDocument: {Edit, true},
	KindTest:     {Edit, true},
	KindStep:     {Task, true},
	KindAsk:      {Ask, false},
	KindExplain:  {Ask, false},
	KindHover:    {Ask, false},
	KindReview:   {Review, false},
	KindPlan:     {Task, false},
	KindCommit:   {Commit, false},
}

// Purpose is what limits and deadlines a kind has.
func (k Kind) Purpose() Purpose { return kinds[k].purpose }

// Families are those that have words of their own.
var Families = []string{"codex", "claude", "qwen", "generic"}

// FamilyOf is the family of prompts a model gets: the one configured, else the
// one its name tells.
func FamilyOf(m ModelConfig) string {
	if m.Family != "" {
		return m.Family
	}
	id := bare(m.Model)
	for _, f := range []struct{ prefix, family string }{
		{"gpt", "codex"}, {"o1", "codex"}, {"o3", "codex"}, {"o4", "codex"}, {"codex", "codex"},
		{"claude", "claude"}, {"qwen", "qwen"}, {"qwq", "qwen"},
	} {
		if strings.HasPrefix(id, f.prefix) {
			return f.family
		}
	}
	return "generic"
}

// EditFormat is how a model is asked to write edits.
func EditFormat(m ModelConfig) string {
	if m.EditFormat != "" {
		return m.EditFormat
	}
	return "search_replace"
}

// Instructions are the fixed words of a kind for a model. They hold no path,
// date or id, so that they are the same from one request to the next.
func Instructions(k Kind, m ModelConfig) string {
	parts := []string{"ground", string(k)}
	if kinds[k].edits {
		parts = append(parts, "format-"+EditFormat(m))
	}
	parts = append(parts, "family-"+FamilyOf(m))
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = promptFile(p)
	}
	return strings.Join(texts, "\n\n")
}

// promptFile is the text of an embedded file; that all of them are there is
// what the tests see to.
func promptFile(name string) string {
	text, err := promptFiles.ReadFile(path.Join("prompts", name+".md"))
	if err != nil {
		panic(fmt.Sprintf("model: prompt %q is not embedded: %v", name, err))
	}
	return strings.TrimSpace(string(text))
}
