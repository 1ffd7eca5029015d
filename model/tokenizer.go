package model

import (
	"math"
	"strings"

	"tandem/workspace/tokens"
)

// A vocabulary is how the tokens of a family of models are counted.
type vocabulary struct {
	prefix  string // of the models' names
	counter tokens.Counter
	margin  float64 // the most tokens of code for one that is counted
}

// vocabularies are the known families. If one beginning is part of another, the
// longer one comes first. The margins of those that are not exact were measured on
// pieces of 8,000 bytes of code and prose; where a family has several vocabularies,
// or publishes none, the margin is that of the smallest.
var vocabularies = []vocabulary{
	{"gpt-4o", tokens.O200k, 1}, {"gpt-4.1", tokens.O200k, 1}, {"gpt-4.5", tokens.O200k, 1}, {"gpt-4", tokens.CL100k, 1}, {"gpt-3.5", tokens.CL100k, 1},
	{"gpt-", tokens.O200k, 1}, {"chatgpt-", tokens.O200k, 1}, {"codex", tokens.O200k, 1}, {"o1", tokens.O200k, 1}, {"o3", tokens.O200k, 1}, {"o4", tokens.O200k, 1},
	{"qwen", tokens.LargeByDigits, 1.05}, {"qwq", tokens.LargeByDigits, 1.05}, {"sweep", tokens.LargeByDigits, 1.05}, {"instinct", tokens.LargeByDigits, 1.05},
	{"llama-3", tokens.Large, 1.05}, {"meta-llama-3", tokens.Large, 1.05}, {"llama3", tokens.Large, 1.05}, {"llama-4", tokens.Large, 1.05}, {"llama4", tokens.Large, 1.05},
	{"glm", tokens.LargeByDigits, 1.1}, {"zai-glm", tokens.LargeByDigits, 1.1}, {"kimi", tokens.LargeByDigits, 1.1},
	{"deepseek", tokens.LargeByDigits, 1.25}, {"gemma", tokens.LargeByDigits, 1.3}, {"gemini", tokens.LargeByDigits, 1.3},
	{"claude", tokens.Small, 1.3},
}

// unknownVocabulary bounds what the smallest vocabularies in use make of code: 32,000 tokens.
var unknownVocabulary = vocabulary{counter: tokens.SmallByDigits, margin: 1.47}

func vocabularyOf(m ModelConfig) vocabulary {
	if m.Tokenizer != "" {
		c, _ := tokens.Named(m.Tokenizer) // configuration accepts only known names; for others it is Bytes
		return vocabulary{counter: c, margin: 1}
	}
	id := bare(m.Model)
	for _, v := range vocabularies {
		if strings.HasPrefix(id, v.prefix) {
			return v
		}
	}
	return unknownVocabulary
}

// Counter returns a counter that counts tokens as a model does: with the configured
// tokenizer, or the one that its name implies. For other vocabularies it returns one
// that comes close; its count times Margin is a bound.
func Counter(m ModelConfig) tokens.Counter { return vocabularyOf(m).counter }

// Margin is the most tokens that a model has for one that Counter counts: the configured
// margin, what its server's reports have shown, or what is known of its family.
func Margin(m ModelConfig) float64 {
	switch {
	case m.TokenMargin > 0:
		return m.TokenMargin
	case m.LearnedMargin > 0:
		return m.LearnedMargin
	}
	return vocabularyOf(m).margin
}

// Countable is how many tokens that Counter counts surely are no more than so many of
// the model's own.
func Countable(m ModelConfig, tokens int) int { return int(float64(tokens) / Margin(m)) }

// Sized is how many tokens of a model's own a text has at most.
func Sized(m ModelConfig, text string) int {
	return int(math.Ceil(Margin(m) * float64(Counter(m).Count(text))))
}
