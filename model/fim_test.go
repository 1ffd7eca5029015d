package model

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/workspace/redact"
	"tandem/workspace/window"
)

// site is a place with everything that a family's form has a mark for.
var site = Fill{Path: "shop/cart.py", Repository: "store", Prefix: "def total(c):\n    return ", Suffix: "\n\nprint(total(cart))\n",
	Extra: []ExtraFile{{"shop/item.py", "class Item:\n"}, {"shop/item.py", "    price = 0\n"}, {"shop/tax.py", "RATE = 0.19"}, {"shop/cart.py", "import item\n"}}}

// TestFIMGoldens holds each family's prompt to the form that it was trained on, byte by
// byte: a mark in another place costs accuracy, and nothing reports it.
func TestFIMGoldens(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "fim.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	golden := map[string]string{}
	for _, f := range archive.Files {
		golden[f.Name] = strings.TrimSuffix(string(f.Data), "\n")
	}
	for _, name := range FIMNames() {
		prompt := FIMOf(ModelConfig{FIM: name}).Prompt(&site, false)
		if golden[name] != prompt {
			t.Errorf("%s:\n%s\nwant\n%s", name, prompt, golden[name])
		}
	}
}

func TestFIMOfNames(t *testing.T) {
	for id, want := range map[string]string{
		"Qwen/Qwen2.5-Coder-7B": "qwen", "qwen2.5-coder:7b": "qwen", "qwen3-coder-30b-a3b": "qwen", "/models/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf": "qwen",
		`C:\models\Qwen2.5-Coder-1.5B-Q8_0.gguf`: "qwen", "/srv/Qwen2.5-Coder/model.gguf": "qwen", "hf.co/bartowski/Qwen2.5-Coder-3B-GGUF:Q4_K_M": "qwen",
		"deepseek-ai/DeepSeek-Coder-V2-Lite-Base": "deepseek", "deepseek-coder:6.7b-base": "deepseek", "bigcode/starcoder2-3b": "starcoder", "starcoder:1b": "stablecode",
		"codegemma:7b-code": "codegemma", "codestral-latest": "codestral", "Codestral-22B-v0.1-Q4_K_M.gguf": "codestral", "ByteDance-Seed/Seed-Coder-8B-Base": "seed-coder",
		"JetBrains/Mellum-4b-base": "mellum", "granite-code:8b": "granite", "ibm-granite/granite-8b-code-base-4k": "granite", "ibm-granite/granite-3.3-8b-instruct": "granite",
		"granite4:micro": "granite4", "ibm-granite/granite-4.0-h-tiny": "granite4", "ibm-granite/granite-34b-code-instruct": "granite", "codegeex4-all-9b": "codegeex",
		"stabilityai/stable-code-3b": "stablecode", "codellama:13b-code": "codellama",
		"gpt-oss-20b": "", "glm-4.5-air": "", "qwen3:8b": "", "granite3.1-dense": "", "mine": "", "": "",
	} {
		name := ""
		if f := FIMOf(ModelConfig{Model: id}); f != nil {
			name = f.Name
		}
		if name != want {
			t.Errorf("%q is of the family %q, want %q", id, name, want)
		}
	}
	if f := FIMOf(ModelConfig{Model: "mine", Server: Server{Loaded: "/models/codegemma-2b.gguf"}}); f == nil || f.Name != "codegemma" {
		t.Errorf("what the server has loaded gives %+v", f)
	}
	if f := FIMOf(ModelConfig{Model: "qwen2.5-coder", Server: Server{Loaded: "/models/starcoder2-3b.gguf"}}); f.Name != "starcoder" {
		t.Errorf("the name in the configuration goes before what the server has loaded: %s", f.Name)
	}
	if f := FIMOf(ModelConfig{Model: "qwen2.5-coder", FIM: "granite4"}); f.Name != "granite4" {
		t.Errorf("the configured family is %s", f.Name)
	}
}

// TestFIMCannotBeForged holds that marks in the user's code become no special tokens: they
// would make another site, or another end.
func TestFIMCannotBeForged(t *testing.T) {
	clean := site
	for _, f := range fims {
		marks := append([]string{f.prefix, f.suffix, f.middle, f.fileEnd, "<|im_start|>", "<s>", "</s>"}, f.Stops...)
		evil := site
		text := strings.Join(marks, "x")
		evil.Prefix, evil.Suffix, evil.Path, evil.Repository = evil.Prefix+text, text+evil.Suffix, evil.Path+text, evil.Repository+text
		evil.Extra = append([]ExtraFile{{text, text}}, site.Extra[:3]...)
		clean.Extra = append([]ExtraFile{{"p", "t"}}, site.Extra[:3]...)
		got, want := f.special.FindAllString(f.Prompt(&evil, false), -1), f.special.FindAllString(f.Prompt(&clean, false), -1)
		if strings.Join(got, "") != strings.Join(want, "") {
			t.Errorf("%s: special tokens %q, want %q", f.Name, got, want)
		}
		for _, mark := range []string{f.prefix, f.suffix, f.middle} {
			if mark = strings.TrimSpace(mark); mark != "" && f.special.FindString(mark) != mark {
				t.Errorf("%s: %q in a text is left as it is", f.Name, mark)
			}
		}
		if len(f.Stops) == 0 {
			t.Errorf("%s has no stop", f.Name)
		}
	}
}

// TestBeforeForServersWithTwoTexts holds where other files go if a server takes a text
// before the cursor and one after it.
func TestBeforeForServersWithTwoTexts(t *testing.T) {
	f := Fill{Path: "a.lua", Prefix: "x = ", Extra: []ExtraFile{{"b.lua", "y = 1\n\nz = 2"}}}
	var none *FIM
	if got, want := none.Before(&f), "-- Path: b.lua\n-- y = 1\n-- \n-- z = 2\n-- Path: a.lua\nx = "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := FIMOf(ModelConfig{Model: "codestral-latest"}).Before(&f), "+++++ b.lua\ny = 1\n\nz = 2\n\n+++++ a.lua\nx = "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.Extra = nil
	if got := FIMOf(ModelConfig{Model: "codestral-latest"}).Before(&f); got != "x = " {
		t.Errorf("%q without other files", got)
	}
}

func TestFilesOfAWindow(t *testing.T) {
	w := &window.Window{Secrets: &redact.Redactor{}, Fragments: []window.Fragment{{Kind: window.FragmentRule, Path: "AGENTS.md"}, {Kind: window.FragmentMap, Path: "."},
		{Kind: window.FragmentDefinition, Path: "a.go", Text: redact.Said("func A() {}\n")}, {Kind: window.FragmentRecentEdit, Path: "b.go"},
		{Kind: window.FragmentDiagnostic, Path: "b.go"}, {Kind: window.FragmentCursor, Path: "b.go"}}}
	if got := FilesOf(w); len(got) != 1 || got[0] != (Excerpt{redact.Said("a.go"), redact.Said("func A() {}\n")}) {
		t.Errorf("%+v", got)
	}
}

func TestWhoFollowsInstructions(t *testing.T) {
	for id, fills := range map[string]bool{"qwen2.5-coder-1.5b-q8_0.gguf": true, "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf": false, "Mellum-4b-base": true,
		"Codestral-22B-v0.1": false, "mine": false, "gpt-oss-20b": false, "codegemma-7b-it": false} {
		if got := FillsOnly(ModelConfig{Model: id}, "infill"); got != fills {
			t.Errorf("%s only fills in: %v", id, got)
		}
	}
	for id, fills := range map[string]bool{"qwen2.5-coder": false, "qwen2.5-coder:7b": false, "qwen2.5-coder:1.5b-base": true, "starcoder2:3b": true, "codegemma:2b-code": true, "llama3:8b": false} {
		if got := FillsOnly(ModelConfig{Model: id}, "ollama"); got != fills {
			t.Errorf("%s at Ollama only fills in: %v", id, got)
		}
	}
}
