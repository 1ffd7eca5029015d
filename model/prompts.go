package model

import (
	"cmp"
	"embed"
	"fmt"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"tandem/model/tool"
	"tandem/workspace/redact"
)

// prompts/ holds all text that a model gets besides the user's own text and the
// code: what each kind of request asks for, how each edit format is written, and
// what each family of models needs.
//
//go:embed prompts/*.md
var promptFiles embed.FS

// A Kind is one thing that tandem asks models for. Its instructions are in
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

// kinds holds the purpose of every kind and whether its answers are edits.
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

// Purpose returns the purpose of a kind, which sets its limits and deadlines.
func (k Kind) Purpose() Purpose { return kinds[k].purpose }

// Edits reports whether the answers of a kind are edits of files.
func (k Kind) Edits() bool { return kinds[k].edits }

// Window returns what a kind's context window is for: one of window.Purposes.
func (k Kind) Window() string {
	if k == KindHover {
		return string(KindExplain)
	}
	return string(k)
}

// FamilyOf returns the family of prompts that a model gets: the configured one,
// else the one that its name implies.
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

// EditFormat is how a model is asked to write edits, unless it is told what to rewrite.
func EditFormat(m ModelConfig) string {
	switch {
	case m.EditFormat != "":
		return m.EditFormat
	case strings.Contains(bare(m.Model), "codex"):
		return "apply_patch"
	}
	return "search_replace"
}

// smallModel is the size, in billions of parameters, below which models obey no format of
// blocks: they are asked for what is marked, whole, in one fence.
const smallModel = 14

var sizeInName = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.])(\d+(?:\.\d+)?)b(?:$|[^a-z0-9])`)

// Rewrites reports whether a model is to be asked for a marked text whole: that is
// configured, or its name says that it is small and nothing else is configured.
func Rewrites(m ModelConfig) bool {
	return m.EditFormat == "rewrite" || m.EditFormat == "" && Small(m)
}

// Writes reports whether a model may answer with so many of its tokens: a longer text that others
// than small models are to change they change by blocks.
func Writes(m ModelConfig, tokens int) bool {
	return Small(m) || m.MaxOutputTokens == 0 || tokens <= m.MaxOutputTokens
}

// Small reports whether a model's name says that it obeys no format of blocks.
func Small(m ModelConfig) bool { return Parameters(m) < smallModel }

// tinyModel is the size, in billions of parameters, below which other files' code in a
// completion's prompt helps a model nowhere that was measured (docs/real-models.md), and the
// blocks that it writes are mostly wrong. Others profit from other files (DeepSeek-Coder 6.7B with 512 tokens of BM25: arXiv 2401.14196, table 7).
const tinyModel = 3

// ReadsOthers reports whether a model that completes is shown code of other files.
func ReadsOthers(m ModelConfig) bool { return Parameters(m) >= tinyModel }

// WritesBlocks reports whether the lines of a block that a model writes are right in half of
// the cases where its first line is, as far as that was measured (docs/real-models.md).
func WritesBlocks(m ModelConfig) bool { return Parameters(m) >= tinyModel }

// ShownBetweenKeys reports whether all that a model writes is shown while keys are typed, and not
// only where the user looks up or the model is sure: of what 0.5B showed between keys, one of seven
// was right (docs/real-models.md).
func ShownBetweenKeys(m ModelConfig) bool { return Parameters(m) >= tinyModel }

// Parameters is a model's size in billions of parameters, as the name of what its server has
// loaded says, or its own; infinite where no name says it.
func Parameters(m ModelConfig) float64 {
	if found := sizeInName.FindStringSubmatch(cmp.Or(m.Server.Loaded, m.Model)); found != nil {
		if size, err := strconv.ParseFloat(found[1], 64); err == nil {
			return size
		}
	}
	return math.Inf(1)
}

// Instructions returns the fixed text for a model. It holds no path, date or id, and is the same
// for all kinds that conversations are made of, so that a follow-up of another kind continues
// what the server has read. What a kind asks for is its TaskText.
func Instructions(k Kind, m ModelConfig) redact.Text {
	ground, family := promptFile("ground"), promptFile("family-"+FamilyOf(m))
	if !k.Converses() {
		return redact.Join("\n\n", ground, TaskText(k, m), family)
	}
	return redact.Join("\n\n", ground, family)
}

// Converses reports whether requests of a kind are turns of a conversation, and not guesses while
// the user types.
func (k Kind) Converses() bool { return k != KindComplete && k != KindNextEdit }

// TaskText returns what a kind asks of a model, and how it is to write its edits.
func TaskText(k Kind, m ModelConfig) redact.Text {
	task := promptFile(string(k))
	if kinds[k].edits {
		task = redact.Join("\n\n", task, promptFile("format-"+EditFormat(m)))
	}
	return task
}

// ToolInstructions is how a model uses tools before it answers: by function calls, or by
// lines of text where lines is true.
func ToolInstructions(tools []tool.Tool, lines bool) redact.Text {
	if !lines {
		return promptFile("tools-calls")
	}
	return promptFile("tools-lines").Replace("{tools}", new(redact.Redactor).Redact(tool.Usages(tools)))
}

// promptFile returns the text of an embedded file. The tests check that all of them
// exist.
func promptFile(name string) redact.Text {
	text, err := redact.Embedded(promptFiles, path.Join("prompts", name+".md"))
	if err != nil {
		panic(fmt.Sprintf("model: prompt %q is not embedded: %v", name, err))
	}
	return text
}
