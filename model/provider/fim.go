package provider

import (
	"path"
	"slices"
	"strings"

	"tandem/model"
)

// A fimTemplate is how a model family marks a hole in a file.
type fimTemplate struct {
	prefix, suffix, middle string
	suffixFirst            bool
	repo, file             string // repository level: a name, then files, where the family has it
	stops                  []string
}

// fimTemplates are the families of ModelConfig.FIM.
var fimTemplates = map[string]*fimTemplate{
	"qwen": {prefix: "<|fim_prefix|>", suffix: "<|fim_suffix|>", middle: "<|fim_middle|>", repo: "<|repo_name|>", file: "<|file_sep|>",
		stops: []string{"<|endoftext|>", "<|fim_pad|>", "<|file_sep|>", "<|repo_name|>", "<|im_end|>"}},
	"starcoder": {prefix: "<fim_prefix>", suffix: "<fim_suffix>", middle: "<fim_middle>", repo: "<repo_name>", file: "<file_sep>",
		stops: []string{"<|endoftext|>", "<file_sep>"}},
	"granite":   {prefix: "<|fim_prefix|>", suffix: "<|fim_suffix|>", middle: "<|fim_middle|>", stops: []string{"<|end_of_text|>"}},
	"codellama": {prefix: "<PRE> ", suffix: " <SUF>", middle: " <MID>", stops: []string{"<EOT>"}},
	"deepseek":  {prefix: "<｜fim▁begin｜>", suffix: "<｜fim▁hole｜>", middle: "<｜fim▁end｜>", stops: []string{"<｜end▁of▁sentence｜>"}},
	"codestral": {prefix: "[PREFIX]", suffix: "[SUFFIX]", suffixFirst: true, stops: []string{"</s>", "[PREFIX]", "[SUFFIX]"}},
	"codegemma": {prefix: "<|fim_prefix|>", suffix: "<|fim_suffix|>", middle: "<|fim_middle|>", stops: []string{"<|file_separator|>"}},
	"glm":       {prefix: "<|code_prefix|>", suffix: "<|code_suffix|>", middle: "<|code_middle|>", stops: []string{"<|endoftext|>"}},
}

// FIMFamilies are the values that ModelConfig.FIM may have, in order.
func FIMFamilies() []string {
	var names []string
	for name := range fimTemplates {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// templateFor is the template of a model: the one configured, else the one its
// id speaks of, else nil.
func templateFor(m *model.ModelConfig) *fimTemplate {
	if m.FIM != "" {
		return fimTemplates[m.FIM]
	}
	id := strings.ToLower(path.Base(m.Model))
	for _, known := range []struct{ word, family string }{
		{"qwen", "qwen"}, {"starcoder", "starcoder"}, {"stable-code", "starcoder"}, {"granite-4", "granite"}, {"granite", "starcoder"},
		{"codellama", "codellama"}, {"deepseek-coder", "deepseek"}, {"codestral", "codestral"}, {"codegemma", "codegemma"}, {"glm-4", "glm"},
	} {
		if strings.Contains(id, known.word) {
			return fimTemplates[known.family]
		}
	}
	return nil
}

// render is the prompt for a hole. Marks that occur in the text itself are
// made harmless, so that a file about such marks cannot open a hole of its own.
func (t *fimTemplate) render(f *model.Fill) string {
	var b strings.Builder
	t.extra(&b, f)
	prefix, suffix := t.neutral(f.Prefix), t.neutral(f.Suffix)
	if t.suffixFirst {
		b.WriteString(t.suffix + suffix + t.prefix + prefix)
	} else {
		b.WriteString(t.prefix + prefix + t.suffix + suffix + t.middle)
	}
	return b.String()
}

// extra puts other files before the hole, in the family's repository form or,
// where it has none, as comments of the prefix would be: named and plain.
func (t *fimTemplate) extra(b *strings.Builder, f *model.Fill) {
	if t.file == "" || len(f.Extra) == 0 {
		return
	}
	b.WriteString(t.repo + "workspace\n")
	for _, e := range f.Extra {
		b.WriteString(t.file + t.neutral(e.Path) + "\n" + t.neutral(e.Text) + "\n")
	}
	b.WriteString(t.file + t.neutral(f.Path) + "\n")
}

// marks are all strings that the family reads as more than text.
func (t *fimTemplate) marks() []string {
	list := []string{t.prefix, t.suffix, t.middle, t.repo, t.file}
	list = append(list, t.stops...)
	for i, m := range list {
		list[i] = strings.TrimSpace(m)
	}
	return slices.DeleteFunc(list, func(m string) bool { return m == "" })
}

// neutral parts the first character of each mark from the rest with a space.
func (t *fimTemplate) neutral(text string) string {
	for _, m := range t.marks() {
		if strings.Contains(text, m) {
			_, first := cutRune(m)
			text = strings.ReplaceAll(text, m, first+" "+m[len(first):])
		}
	}
	return text
}

func cutRune(s string) (rune, string) {
	for i, r := range s {
		return r, s[i : i+len(string(r))]
	}
	return 0, ""
}
