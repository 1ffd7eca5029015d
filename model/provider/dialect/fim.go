package dialect

import (
	"path"
	"slices"
	"strings"

	"tandem/model"
)

// A fimTemplate is how a model family marks an infill site in a file.
type fimTemplate struct {
	prefix, suffix, middle string
	suffixFirst            bool
	repo, file             string // repository level: a name, then files, if the family supports it
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

// templateFor is the template of a model: the configured one, else the one that
// the model's id names, else nil.
func templateFor(m *model.ModelConfig) *fimTemplate {
	if m.FIM != "" {
		return fimTemplates[m.FIM]
	}
	id := strings.ToLower(path.Base(m.Model))
	for _, known := range []struct{ idPart, family string }{
		{"qwen", "qwen"}, {"starcoder", "starcoder"}, {"stable-code", "starcoder"}, {"granite-4", "granite"}, {"granite", "starcoder"},
		{"codellama", "codellama"}, {"deepseek-coder", "deepseek"}, {"codestral", "codestral"}, {"codegemma", "codegemma"}, {"glm-4", "glm"},
	} {
		if strings.Contains(id, known.idPart) {
			return fimTemplates[known.family]
		}
	}
	return nil
}

// render is the prompt for an infill site. Marks that occur in the text itself
// are broken up, so that a file with such marks cannot create another site.
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

// extra writes other files before the infill site, in the family's repository
// form. A family without that form gets none.
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

// marks are all strings that are special tokens of the family.
func (t *fimTemplate) marks() []string {
	list := []string{t.prefix, t.suffix, t.middle, t.repo, t.file}
	list = append(list, t.stops...)
	for i, m := range list {
		list[i] = strings.TrimSpace(m)
	}
	return slices.DeleteFunc(list, func(m string) bool { return m == "" })
}

// neutral inserts a space after the first character of each mark.
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
