package model

import (
	"strings"

	"tandem/workspace/tokens"
)

// vocabularies tells a model's tokenizer from the beginning of its name,
// longest first where one begins like another.
var vocabularies = []struct{ prefix, tokenizer string }{
	{"gpt-4o", "o200k_base"}, {"gpt-4.1", "o200k_base"}, {"gpt-4.5", "o200k_base"}, {"gpt-4", "cl100k_base"}, {"gpt-3.5", "cl100k_base"},
	{"gpt-", "o200k_base"}, {"chatgpt-", "o200k_base"}, {"codex", "o200k_base"}, {"o1", "o200k_base"}, {"o3", "o200k_base"}, {"o4", "o200k_base"},
}

// Counter counts tokens as a model does: by the tokenizer configured, or the
// one its name tells. Other vocabularies are bounded from above, closely
// enough that a window still holds something.
func Counter(m ModelConfig) tokens.Counter {
	name := m.Tokenizer
	if id := bare(m.Model); name == "" {
		for _, v := range vocabularies {
			if strings.HasPrefix(id, v.prefix) {
				name = v.tokenizer
				break
			}
		}
	}
	if name == "" {
		return bounded{}
	}
	c, err := tokens.Named(name)
	if err != nil {
		return tokens.Bytes // configuration admits known names alone; a byte is at least a token
	}
	return c
}

// bounded counts for code models whose vocabulary is not on this machine. They
// make a token of 3.2 bytes of code or more, and hardly more of them than
// o200k_base does.
type bounded struct{}

func (bounded) Count(s string) int { return max(tokens.Count(s), (5*len(s)+15)/16) }
func (bounded) Name() string       { return "bytes/3.2" }
func (bounded) Exact() bool        { return false }
