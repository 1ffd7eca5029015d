package model

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tandem/workspace/language"
	"tandem/workspace/redact"
	"tandem/workspace/window"
)

// An Infill is what a request asks to fill in: a Fill and its texts as they may be sent.
type Infill struct {
	Path, Repository redact.Text
	Prefix, Suffix   redact.Text
	Extra            []Excerpt
}

// An Excerpt is context for an Infill.
type Excerpt struct{ Path, Text redact.Text }

// A Fill is an infill site: a place in a file and the text around it, as it is.
type Fill struct {
	Path           string // of the file, from the root of its repository
	Repository     string // its name; "" where the file is in none
	Prefix, Suffix string
	Unit           string      // one level of the file's indentation; "" if unknown
	Extra          []ExtraFile // pieces of other files and of this one, most relevant last
}

// An ExtraFile is context for a Fill.
type ExtraFile struct{ Path, Text string }

// A FIM is how a family of models was trained to fill in the middle: its marks, the
// order of what stands around the cursor, and how other files are framed. What it was
// trained on is public, and another form costs accuracy.
type FIM struct {
	Name        string
	SuffixFirst bool     // the suffix stands before the prefix, so only the typed text follows what a server has cached
	Stops       []string // where an answer ends, the most important first: some servers take only four

	ids     *regexp.Regexp // what the names of its models contain, in lower case
	special *regexp.Regexp // text that becomes a special token

	// What stands before, between and after the texts. {repository}, {path} and
	// {language} are those of the file that follows.
	begin, repository, file, fileEnd, own string
	within                                bool   // other files stand in the prefix
	top                                   string // of the prefix
	prefix, suffix, middle, end           string
}

// Text that becomes a special token, by how vocabularies write it.
var (
	piped     = regexp.MustCompile(`<\|[\w./ -]{1,40}\|>|</?think>|</?tool_\w+>|<(?:bos|eos|pad|unk|start_of_turn|end_of_turn)>|\[gMASK\]|<sop>`)
	wide      = regexp.MustCompile(`<｜[^<>｜]{1,40}｜>|<\|EOT\|>`)
	angled    = regexp.MustCompile(`<(?:fim[_-](?:prefix|suffix|middle|pad)|repo_?name|file_sep|filename|gh_stars|issue_\w+|jupyter_\w+|empty_output|commit_\w+|pr(?:_\w+)?|\|[\w ]{1,40}\|)>`)
	square    = regexp.MustCompile(`<\[[\w▁ -]{1,40}\]>`)
	bracketed = regexp.MustCompile(`\[/?(?:PREFIX|SUFFIX|MIDDLE|INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_\w+|IMG)\]|</?s>|<unk>`)
	spaced    = regexp.MustCompile(`<(?:PRE|SUF|MID|EOT|s|unk)>|</s>`)
)

// fims are the families, the first that fits a name first.
var fims = []*FIM{
	{Name: "qwen", ids: regexp.MustCompile(`qwen.*coder`), special: piped,
		repository: "<|repo_name|>{repository}\n", file: "<|file_sep|>{path}\n", own: "<|file_sep|>{path}\n",
		prefix: "<|fim_prefix|>", suffix: "<|fim_suffix|>", middle: "<|fim_middle|>",
		Stops: []string{"<|endoftext|>", "<|file_sep|>", "<|repo_name|>", "<|fim_pad|>", "<|im_end|>"}},
	{Name: "deepseek", ids: regexp.MustCompile(`deepseek-?coder`), special: wide,
		file: "#{path}\n", prefix: "<｜fim▁begin｜>", suffix: "<｜fim▁hole｜>", middle: "<｜fim▁end｜>",
		Stops: []string{"<｜end▁of▁sentence｜>", "<｜fim▁begin｜>", "<|EOT|>"}},
	{Name: "starcoder", ids: regexp.MustCompile(`starcoder-?2`), special: angled,
		repository: "<repo_name>{repository}", file: "<file_sep>{path}\n", own: "<file_sep>", top: "{path}\n",
		prefix: "<fim_prefix>", suffix: "<fim_suffix>", middle: "<fim_middle>",
		Stops: []string{"<|endoftext|>", "<file_sep>", "<repo_name>", "<fim_prefix>"}},
	{Name: "codegemma", ids: regexp.MustCompile(`codegemma`), special: piped,
		file: "{path}\n", fileEnd: "<|file_separator|>", own: "{path}\n",
		prefix: "<|fim_prefix|>", suffix: "<|fim_suffix|>", middle: "<|fim_middle|>",
		Stops: []string{"<|file_separator|>", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"}},
	{Name: "codestral", ids: regexp.MustCompile(`codestral`), special: bracketed, SuffixFirst: true,
		within: true, file: "+++++ {path}\n", fileEnd: "\n", own: "+++++ {path}\n",
		suffix: "[SUFFIX]", prefix: "[PREFIX] ",
		Stops: []string{"</s>", "\n+++++ ", "[PREFIX]", "[SUFFIX]"}},
	{Name: "seed-coder", ids: regexp.MustCompile(`seed-?coder`), special: square, SuffixFirst: true,
		suffix: "<[fim-suffix]>", prefix: "<[fim-prefix]>", middle: "<[fim-middle]>",
		Stops: []string{"<[end▁of▁sentence]>", "<[fim-suffix]>", "<[fim-prefix]>"}},
	{Name: "mellum", ids: regexp.MustCompile(`mellum`), special: angled, SuffixFirst: true,
		file: "<filename>{path}\n", own: "<filename>{path}\n",
		suffix: "<fim_suffix>", prefix: "<fim_prefix>", middle: "<fim_middle>",
		Stops: []string{"<|endoftext|>", "<filename>", "<fim_suffix>"}},
	{Name: "granite4", ids: regexp.MustCompile(`granite-?4\b`), special: piped,
		prefix: "<|fim_prefix|>", suffix: "<|fim_suffix|>", middle: "<|fim_middle|>",
		Stops: []string{"<|end_of_text|>", "<|fim_pad|>"}},
	{Name: "granite", ids: regexp.MustCompile(`granite.*code|granite-?3\.3`), special: angled,
		repository: "<reponame>{repository}\n",
		prefix:     "<fim_prefix>", suffix: "<fim_suffix>", middle: "<fim_middle>",
		Stops: []string{"<|endoftext|>", "<|end_of_text|>", "<fim_prefix>", "<reponame>"}},
	{Name: "codegeex", ids: regexp.MustCompile(`codegeex-?4`), special: piped, SuffixFirst: true,
		begin: "[gMASK]<sop><|user|>\n", file: "###REFERENCE:\n###PATH:{path}\n", own: "###PATH:{path}\n###LANGUAGE:{language}\n###MODE:BLOCK\n",
		suffix: "<|code_suffix|>", prefix: "<|code_prefix|>", middle: "<|code_middle|>", end: "<|assistant|>\n",
		Stops: []string{"<|endoftext|>", "<|user|>", "<|assistant|>", "<|observation|>"}},
	{Name: "stablecode", ids: regexp.MustCompile(`stable-?code|starcoder|codeqwen`), special: angled,
		prefix: "<fim_prefix>", suffix: "<fim_suffix>", middle: "<fim_middle>",
		Stops: []string{"<|endoftext|>", "<fim_prefix>"}},
	{Name: "codellama", ids: regexp.MustCompile(`code-?llama`), special: spaced,
		prefix: "<PRE> ", suffix: " <SUF>", middle: " <MID>", Stops: []string{"<EOT>", "<PRE>"}},
	// The order of these marks in GLM-4.5 and later is not published: only where it is configured.
	{Name: "glm", special: piped, prefix: "<|code_prefix|>", suffix: "<|code_suffix|>", middle: "<|code_middle|>",
		Stops: []string{"<|endoftext|>", "<|user|>"}},
}

// FIMNames are the families in the order of the documentation.
func FIMNames() []string {
	names := make([]string, len(fims))
	for i, f := range fims {
		names[i] = f.Name
	}
	return names
}

// FIMOf is the family of a model that fills in the middle: the configured one, else the
// one that its name implies, which may be a path of a file or a tag. It is nil for others.
func FIMOf(m ModelConfig) *FIM {
	names := []string{bare(m.Server.Loaded), bare(m.Model), strings.ToLower(m.Server.Loaded), strings.ToLower(m.Model)}
	for i, name := range names {
		for _, f := range fims {
			if i == 0 && f.Name == m.FIM || m.FIM == "" && f.ids != nil && f.ids.MatchString(name) {
				return f
			}
		}
	}
	return nil
}

// chatOnly are models that were trained on conversations alone.
var chatOnly = regexp.MustCompile(`gpt-?oss|^gpt-|^claude|^gemini`)

// ChatOnly reports whether a model's name says that it cannot fill in.
func ChatOnly(m ModelConfig) bool {
	return chatOnly.MatchString(bare(cmp.Or(m.Server.Loaded, m.Model)))
}

// instructed are models of the families that also follow instructions, and based those at
// Ollama that do not: there a name without more is of the former.
var (
	instructed = regexp.MustCompile(`instruct|chat|[-_]it\b|qwen-?3|codestral|codegeex|granite-?4`)
	based      = regexp.MustCompile(`base|text|starcoder|mellum|stable-?code|-code$|:code`)
)

// FillsOnly reports whether the name of a model, as a server of a wire API has it, says that
// it was not trained to follow instructions.
func FillsOnly(m ModelConfig, wire string) bool {
	name := bare(cmp.Or(m.Server.Loaded, m.Model))
	if wire == "ollama" {
		return FIMOf(m) != nil && based.MatchString(name)
	}
	return FIMOf(m) != nil && !instructed.MatchString(name)
}

// Prompt is the whole prompt for an infill site, for servers that add no template, or what
// of it stays while text is typed there.
func (t *FIM) Prompt(f *Fill, ahead bool) string {
	var b strings.Builder
	b.WriteString(t.begin)
	if f.Repository != "" {
		b.WriteString(t.fields(t.repository, f.Path, f.Repository))
	}
	if !t.within {
		t.files(&b, f)
	}
	suffix := t.suffix + t.plain(f.Suffix)
	prefix := t.prefix + t.before(f, f.Path)
	if t.SuffixFirst {
		prefix, suffix = suffix+prefix, ""
	}
	if ahead {
		return b.String() + prefix
	}
	return b.String() + prefix + suffix + t.middle + t.end
}

// Before is the text before the cursor with other files in front of it, for servers that
// take only two texts: in the family's form, or as comments where t is nil or has none.
func (t *FIM) Before(f *Fill) string {
	own := FIM{}
	if t != nil && t.within {
		own = *t
		own.special = nil // such servers read no marks in a text
	}
	return own.before(f, "")
}

// before is what stands in the place of the prefix.
func (t *FIM) before(f *Fill, path string) string {
	var b strings.Builder
	switch {
	case t.within && len(f.Extra) > 0:
		t.files(&b, f)
	case t.file == "":
		comments(&b, t, f)
	}
	if path != "" {
		b.WriteString(t.fields(t.top, path, ""))
	}
	for _, e := range f.Extra {
		if e.Path == f.Path {
			b.WriteString(t.plain(lineEnded(e.Text)))
		}
	}
	b.WriteString(t.plain(f.Prefix))
	return b.String()
}

// files writes the pieces of other files, and the heading of the file with the site.
func (t *FIM) files(b *strings.Builder, f *Fill) {
	if t.file == "" {
		return
	}
	for name, text := range others(f) {
		b.WriteString(t.fields(t.file, name, "") + t.plain(text) + t.fileEnd)
	}
	if f.Path != "" {
		b.WriteString(t.fields(t.own, f.Path, ""))
	}
}

// others yields the pieces of other files; those of one file that follow each other are one.
func others(f *Fill) func(func(name, text string) bool) {
	return func(yield func(string, string) bool) {
		for i := 0; i < len(f.Extra); {
			name, text := f.Extra[i].Path, ""
			for ; i < len(f.Extra) && f.Extra[i].Path == name; i++ {
				text += lineEnded(f.Extra[i].Text)
			}
			if name != f.Path && !yield(name, text) {
				return
			}
		}
	}
}

func lineEnded(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// fields fills in a heading. Names are of one line.
func (t *FIM) fields(form, name, repository string) string {
	id := language.OfFile(name)
	if id != "" {
		id = strings.ToUpper(id[:1]) + id[1:]
	}
	clean := func(s string) string { return t.plain(strings.Join(strings.Fields(s), " ")) }
	return strings.NewReplacer("{path}", clean(name), "{repository}", clean(repository), "{language}", id).Replace(form)
}

// plain is text without special tokens: a space after the first character of each keeps
// code that speaks of them from making an infill site, or an end, of its own.
func (t *FIM) plain(text string) string {
	if t.special == nil {
		return text
	}
	return t.special.ReplaceAllStringFunc(text, func(mark string) string {
		_, n := utf8.DecodeRuneInString(mark)
		return mark[:n] + " " + mark[n:]
	})
}

// comments writes the pieces of other files as comments of the file's language, for
// families without a form of their own: so were most published scores taken.
func comments(b *strings.Builder, t *FIM, f *Fill) {
	begin, end := commentOf(language.OfFile(f.Path))
	several := false
	heading := func(name string) { b.WriteString(t.fields(begin+"Path: {path}"+end+"\n", name, "")) }
	for name, text := range others(f) {
		several = true
		heading(name)
		for line := range strings.Lines(t.plain(text)) {
			b.WriteString(begin + strings.TrimRight(line, "\r\n") + end + "\n")
		}
	}
	if several {
		heading(f.Path)
	}
}

// commentOf is what makes a line a comment in a language.
func commentOf(id string) (begin, end string) {
	for _, c := range []struct{ languages, begin, end string }{
		{"python ruby shellscript perl r julia elixir yaml toml ini dockerfile makefile cmake powershell terraform nim graphql", "# ", ""},
		{"lua sql haskell", "-- ", ""}, {"erlang", "% ", ""}, {"vim", "\" ", ""}, {"css scss less", "/* ", " */"},
		{"html xml markdown vue svelte", "<!-- ", " -->"}, {"ocaml", "(* ", " *)"},
	} {
		if slices.Contains(strings.Fields(c.languages), id) {
			return c.begin, c.end
		}
	}
	return "// ", ""
}

// FilesOf are the pieces of code in a window besides the region around the place. What
// is no code, rules and messages for example, is none of them: a model that fills in the
// middle would go on with it.
func FilesOf(w *window.Window) []Excerpt {
	var out []Excerpt
	for _, f := range w.Fragments {
		switch f.Kind {
		case window.FragmentCursor, window.FragmentRule, window.FragmentMap, window.FragmentDiagnostic, window.FragmentRecentEdit:
			continue
		}
		out = append(out, Excerpt{w.Secrets.Redact(f.Path), f.Text})
	}
	return out
}
