package model

import (
	"strings"

	"tandem/workspace/tokens"
)

// vocabularies maps the beginning of a model's name to its tokenizer. If one
// beginning is part of another, the longer one comes first.
var vocabularies = []struct{ prefix, tokenizer string }{
	{"gpt-4o", "o200k_base"}, {"gpt-4.1", "o200k_base"}, {"gpt-4.5", "o200k_base"}, {"gpt-4", "cl100k_base"}, {"gpt-3.5", "cl100k_base"},
	{"gpt-", "o200k_base"}, {"chatgpt-", "o200k_base"}, {"codex", "o200k_base"}, {"o1", "o200k_base"}, {"o3", "o200k_base"}, {"o4", "o200k_base"},
}

// Counter returns a counter that counts tokens as a model does: with the configured
// tokenizer, or the one that its name implies. For other vocabularies it returns an
// upper bound, close enough that a window still holds useful context.
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
		return tokens.Bytes // configuration accepts only known names; a token is at least a byte
	}
	return c
}

// bounded counts for code models whose vocabulary is not on this machine. Their
// tokens have 3.2 bytes of code or more on average, and they make hardly more tokens
// than o200k_base does.
type bounded struct{}

func (bounded) Count(s string) int { return max(tokens.Count(s), (5*len(s)+15)/16) }
func (bounded) Name() string       { return "bytes/3.2" }
func (bounded) Exact() bool        { return false }
