package format

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tandem/workspace/redact"
)

// The formats as their makers describe them, written as templates: nl ends a text with
// a line end, head takes the lines of a change that are shown, cursor marks the cursor.
var templates = map[string]string{
	Sweep: `{{range .Related}}<|file_sep|>{{.Path}}
{{nl .Text}}{{end}}{{range .History}}<|file_sep|>{{.Path}}.diff
original:
{{nl (head .Old)}}updated:
{{nl (head .New)}}{{end}}<|file_sep|>original/{{.Path}}
{{nl .Previous}}<|file_sep|>current/{{.Path}}
{{nl .Region}}<|file_sep|>updated/{{.Path}}
`,
	SweepV2: `{{range .Related}}<|file_sep|>{{.Path}}
{{nl .Text}}{{end}}<|file_sep|>{{.Path}}:{{.Line}}:{{final .Line .Before .Region .After}}
{{nl (printf "%s%s%s" .Before .Region .After)}}{{range .History}}<|file_sep|>{{.Path}}.diff
original:
{{nl (head .Old)}}updated:
{{nl (head .New)}}{{end}}{{$at := printf "%s:%d:%d" .Path (begin .Line .Before) (final .Line .Before .Region "")}}<|file_sep|>original/{{$at}}
{{nl .Previous}}<|file_sep|>current/{{$at}}
{{nl (cursor . "<|cursor|>")}}<|file_sep|>updated/{{$at}}
`,
	Zeta2: `<[fim-suffix]>{{nl .After}}<[fim-prefix]>{{range .Related}}<filename>{{.Path}}
{{nl .Text}}
{{end}}<filename>edit_history
{{range .History}}{{if .Accepted}}// User accepted prediction:
{{end}}--- a/{{.Path}}
+++ b/{{.Path}}
{{nl .Hunk}}{{end}}
<filename>{{.Path}}
{{.Before}}<<<<<<< CURRENT
{{nl (cursor . "<|user_cursor|>")}}=======
<[fim-middle]>`,
	Mercury: `<|recently_viewed_code_snippets|>
{{range .Related}}<|recently_viewed_code_snippet|>
code_snippet_file_path: {{.Path}}
{{nl .Text}}<|/recently_viewed_code_snippet|>
{{end}}<|/recently_viewed_code_snippets|>
<|current_file_content|>
current_file_path: {{.Path}}
{{.Before}}<|code_to_edit|>
{{nl (cursor . "<|cursor|>")}}<|/code_to_edit|>
{{if .After.Len}}{{nl .After}}{{end}}<|/current_file_content|>
<|edit_diff_history|>
{{range .History}}--- a/{{.Path}}
+++ b/{{.Path}}
{{nl .Hunk}}{{end}}<|/edit_diff_history|>
`,
}

// judged renders a prompt by the template.
func judged(t *testing.T, name string, in Input) string {
	t.Helper()
	lines := func(texts ...any) int {
		all := ""
		for _, text := range texts {
			all += fmt.Sprint(text)
		}
		return len(strings.Split(strings.TrimSuffix(all, "\n"), "\n"))
	}
	tpl := template.Must(template.New(name).Funcs(template.FuncMap{
		"nl": func(s any) string { return strings.TrimSuffix(fmt.Sprint(s), "\n") + "\n" },
		"head": func(s any) string {
			if l := strings.SplitAfterN(fmt.Sprint(s), "\n", 41); len(l) == 41 {
				return strings.Join(l[:40], "")
			}
			return fmt.Sprint(s)
		},
		"begin": func(line int, before any) int { return line + strings.Count(fmt.Sprint(before), "\n") },
		"final": func(line int, texts ...any) int { return line + lines(texts...) - 1 },
		"cursor": func(in Input, mark string) string {
			return in.Region.String()[:in.Cursor] + mark + in.Region.String()[in.Cursor:]
		},
	}).Parse(templates[name]))
	var b strings.Builder
	if err := tpl.Execute(&b, in); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var example = Input{
	Path: redact.Said("shop/cart.py"), Line: 3,
	Before: redact.Said("class Cart:\n"), Region: redact.Said("    def total(self):\n        return self.sum\n"), After: redact.Said("\n    def clear(self):\n        pass\n"),
	Cursor: len("    def total"), Previous: redact.Said("    def sum(self):\n        return self.sum\n"),
	History: []Change{
		{Path: redact.Said("shop/item.py"), Old: redact.Said("price = 0\n"), New: redact.Said("price = 0.0\n"), Hunk: redact.Said("@@ -1,1 +1,1 @@\n-price = 0\n+price = 0.0\n"), Accepted: true},
		{Path: redact.Said("shop/cart.py"), Old: redact.Said("    def sum(self):\n"), New: redact.Said("    def total(self):\n"), Hunk: redact.Said("@@ -4,1 +4,1 @@\n-    def sum(self):\n+    def total(self):\n")},
	},
	Related: []Snippet{{redact.Said("shop/item.py"), redact.Said("class Item:\n    price = 0.0\n")}},
}

// TestGoldenPrompts compares each format's prompt with a file that was written by hand,
// byte for byte.
func TestGoldenPrompts(t *testing.T) {
	t.Parallel()
	for name := range formats {
		want, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := For(name).Prompt(example)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// TestPromptsAgreeWithTheTemplates compares prompts of any content with another
// rendering.
func TestPromptsAgreeWithTheTemplates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		line := rapid.StringMatching(`[ a-z(){}=.\t]{0,12}`)
		text := func(label string, ended bool) string {
			list := rapid.SliceOfN(line, 1, 50).Draw(r, label)
			out := strings.Join(list, "\n")
			if ended || rapid.Bool().Draw(r, label+" ended") {
				out += "\n"
			}
			return out
		}
		in := Input{Path: redact.Said(rapid.StringMatching(`[a-z]{1,5}/[a-z]{1,5}\.go`).Draw(r, "path")), Line: rapid.IntRange(1, 900).Draw(r, "line"),
			Before: redact.Said(text("before", true)), Region: redact.Said(text("region", true)), Previous: redact.Said(text("previous", true))}
		if rapid.Bool().Draw(r, "more") {
			in.After = redact.Said(text("after", false))
		} else if rapid.Bool().Draw(r, "cut") && len(in.Region.String()) > 1 {
			in.Region = redact.Said(strings.TrimSuffix(in.Region.String(), "\n") + "x")
		}
		in.Cursor = rapid.IntRange(0, len(in.Region.String())).Draw(r, "cursor")
		for range rapid.IntRange(0, 6).Draw(r, "changes") {
			in.History = append(in.History, Change{Path: in.Path, Old: redact.Said(text("old", false) + "o"), New: redact.Said(text("new", false) + "n"), Hunk: redact.Said("@@ -1 +1 @@\n" + text("hunk", true)), Accepted: rapid.Bool().Draw(r, "accepted")})
		}
		for range rapid.IntRange(0, 3).Draw(r, "related") {
			in.Related = append(in.Related, Snippet{redact.Said("r.go"), redact.Said(text("related", false) + "r")})
		}
		for name := range formats {
			got, err := For(name).Prompt(in)
			if err != nil {
				r.Fatal(err)
			}
			if want := judged(t, name, in); got.String() != want {
				r.Fatalf("%s: -want +got\n%s", name, cmp.Diff(want, got))
			}
		}
	})
}

// TestMarkersMakeNoPrompt holds that a text with a marker of the format is not sent,
// and that a marker in other files costs only those.
func TestMarkersMakeNoPrompt(t *testing.T) {
	t.Parallel()
	for name, markers := range map[string][]string{
		Sweep: {"<|file_sep|>", "<|endoftext|>", "<|fim_prefix|>"}, SweepV2: {"<|cursor|>", "<|file_sep|>"},
		Zeta2:   {"<[fim-suffix]>", "<|user_cursor|>", "<<<<<<< CURRENT", ">>>>>>> UPDATED", "======="},
		Mercury: {"<|cursor|>", "<|code_to_edit|>", "<|/current_file_content|>"},
	} {
		for _, m := range markers {
			in := example
			in.Region = redact.Said("a\n" + m + "\nb\n")
			var forged *ForgedError
			if _, err := For(name).Prompt(in); !errors.As(err, &forged) || forged.Marker == "" {
				t.Errorf("%s: a region with %q gives %v", name, m, err)
			}
			if m == "=======" {
				in = example
				in.After = redact.Said("a\n=======\n")
				if _, err := For(name).Prompt(in); err != nil {
					t.Errorf("%s: %q outside the region gives %v", name, m, err)
				}
				continue
			}
			in = example
			in.Related = append([]Snippet{{redact.Said("evil.py"), redact.Said(m)}}, in.Related...)
			in.History = append([]Change{{Path: redact.Said("evil.py"), Old: redact.Said(m), New: redact.Said("x"), Hunk: redact.Said("@@ -1 +1 @@\n-" + m + "\n+x\n")}}, in.History...)
			got, err := For(name).Prompt(in)
			want, _ := For(name).Prompt(example)
			if err != nil || got != want {
				t.Errorf("%s: %q in another file gives %v and a prompt of %d bytes, want that of %d without it", name, m, err, len(got.String()), len(want.String()))
			}
		}
	}
}

// TestStopsMakeNoPrompt holds that a region is not sent if an answer that repeats it would
// end inside it, as the s of HTML and a marker behind other text on its line.
func TestStopsMakeNoPrompt(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]string{Sweep: "</s>", SweepV2: "</s>", Zeta2: ">>>>>>> UPDATED"} {
		in := example
		in.Region = redact.Said("<p>\n<s>x " + stop + " y\n</p>\n")
		var forged *ForgedError
		if _, err := For(name).Prompt(in); !errors.As(err, &forged) || forged.Marker != stop {
			t.Errorf("%s: a region with %q gives %v", name, stop, err)
		}
		in = example
		in.After = redact.Said("x " + stop + "\n")
		if _, err := For(name).Prompt(in); err != nil {
			t.Errorf("%s: %q below the region gives %v", name, stop, err)
		}
	}
}

// TestMarkersAroundAChange holds that a change is left out of the history if the lines
// around it, which its hunk shows, have a marker.
func TestMarkersAroundAChange(t *testing.T) {
	t.Parallel()
	for name, marker := range map[string]string{Zeta2: "<[fim-suffix]>", Mercury: "<|code_to_edit|>"} {
		in := example
		in.History = append([]Change{{Path: redact.Said("evil.py"), Old: redact.Said("a\n"), New: redact.Said("b\n"), Hunk: redact.Said("@@ -1,2 +1,2 @@\n " + marker + "\n-a\n+b\n")}}, in.History...)
		got, err := For(name).Prompt(in)
		want, _ := For(name).Prompt(example)
		if err != nil || got != want {
			t.Errorf("%s: %q beside a change gives %v and %q", name, marker, err, got)
		}
	}
}

// TestMarkerThatIsGone holds that a model is asked after a marker was removed from the region.
func TestMarkerThatIsGone(t *testing.T) {
	t.Parallel()
	in := example
	in.Previous = redact.Said("<|file_sep|>\n")
	got, err := For(Sweep).Prompt(in)
	in.Previous = redact.Said("")
	want, _ := For(Sweep).Prompt(in)
	if err != nil || got != want {
		t.Errorf("%v and %q, want the region as the one before", err, got)
	}
}

// TestAnswers holds that an answer is read as what it means, with what models are known
// to add, leave out and say in its place.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const region = "a\nb\nc\n"
	for _, c := range []struct{ name, answer, want string }{
		{Sweep, "a\nB\nc\n", "a\nB\nc\n"},
		{Sweep, "a\nB\nc", "a\nB\nc\n"},
		{Sweep, "a\nB\nc\n\n\n", "a\nB\nc\n"},
		{Sweep, "a\nB\nc\n<|file_sep|>original/x\nz\n", "a\nB\nc\n"},
		{Sweep, "a\nB\nc\nafter\n", "a\nB\nc\n"},
		{Sweep, "A\nb\n", "A\nb\nc\n"},
		{Sweep, "a\r\nB\r\nc\r\n", "a\nB\nc\n"},
		{Sweep, "", ""},
		{Sweep, "a\nb\nc\n", ""},
		{SweepV2, "a\nB<|cursor|>\nc\n", "a\nB\nc\n"},
		{Zeta2, "a\nB<|user_cursor|>\nc\n>>>>>>> UPDATED\n", "a\nB\nc\n"},
		{Zeta2, "a\nB\nc\n>>>>>>> UPDATED\n<filename>x", "a\nB\nc\n"},
		{Zeta2, "NO_EDITS\n>>>>>>> UPDATED\n", ""},
		{Zeta2, "NO_EDITS", ""},
		{Zeta2, "a\n<<<<<<< CURRENT\nc\n", ""},
		{Mercury, "```\na\nB\nc\n```", "a\nB\nc\n"},
		{Mercury, "```python\na\nB\nc\n```\n", "a\nB\nc\n"},
		{Mercury, "a\nB<|cursor|>\nc\n", "a\nB\nc\n"},
		{Mercury, "<|code_to_edit|>\na\nB\nc\n<|/code_to_edit|>", "a\nB\nc\n"},
		{Mercury, "None", ""},
		{Mercury, "```\nNone\n```", ""},
	} {
		got := For(c.name).Answer(region, "after\nmore\n", c.answer)
		if c.want == "" {
			if !got.None || got.Region != region {
				t.Errorf("%s: %q gives %q, want that nothing changes", c.name, c.answer, got.Region)
			}
			continue
		}
		if got.None || got.Region != c.want {
			t.Errorf("%s: %q gives %q (none %v), want %q", c.name, c.answer, got.Region, got.None, c.want)
		}
	}
	// Regions of documents, where no syntax check holds an answer back.
	const list = "- a\n- b\n- c\n- d\n"
	const fenced = "```go\nx\ny\n```\n"
	for _, c := range []struct{ name, region, answer, want string }{
		{Sweep, list, "NO_EDITS", list}, {Sweep, list, "None\n", list}, {Zeta2, list, "None\n>>>>>>> UPDATED", list},
		{Mercury, list, "NO_EDITS", list}, {SweepV2, list, "```\nNone\n```", list},
		{Sweep, list, "```\n- a\n- B\n- c\n- d\n```", "- a\n- B\n- c\n- d\n"},
		{Zeta2, list, "- a\n- B\n- c\n- d<|endoftext|>\n", "- a\n- B\n- c\n- d\n"},
		{Mercury, list, "- a\n- B\n- c\n- d\n<|im_end|>", "- a\n- B\n- c\n- d\n"},
		{Sweep, list, "- a\n- b\n- C\n", "- a\n- b\n- C\n- d\n"}, // without the last line
		{Sweep, list, "- a\n- b\n- C d\n", "- a\n- b\n- C d\n"},  // with the last line joined
		{Sweep, "make build\nThen run it.\n", "```sh\nmake build\n```\nThen run it.\n", "```sh\nmake build\n```\nThen run it.\n"},
		{Sweep, list, "- a\n- b\n- c\n- D\nafter\n", "- a\n- b\n- c\n- D\n"}, // with the line below
		{Sweep, list, "- a\n- d\n", "- a\n- d\n"},                            // lines removed
		{Mercury, fenced, "```go\nX\ny\n```", "```go\nX\ny\n```\n"},
		{Mercury, fenced, "```\n```go\nX\ny\n```\n```", "```go\nX\ny\n```\n"},
	} {
		if got := For(c.name).Answer(c.region, "after\nmore\n", c.answer); got.Region != c.want || got.None != (c.want == c.region) {
			t.Errorf("%s: %q gives %q (none %v), want %q", c.name, c.answer, got.Region, got.None, c.want)
		}
	}
}

func TestInfer(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"sweepai/sweep-next-edit-1.5B": Sweep, `C:\models\Sweep-Next-Edit-0.5B.Q8_0.gguf`: Sweep, "/m/sweep-next-edit-v2-7B-Q4.gguf": SweepV2, "sweep-next-edit:latest": Sweep,
		"/m/sweep-next-edit-1.5b.q8_0.v2.gguf": Sweep, "sweepai_sweep-next-edit-1.5B_sweep-next-edit-1.5b.q8_0.v2": Sweep, "sweep_next_edit_v2": SweepV2,
		"zeta-2": Zeta2, "hf.co/zed-industries/zeta-2:Q4_K_M": Zeta2, "zeta2-q8.gguf": Zeta2, "zeta-2.1": "", "zeta-2.Q4_K_M.gguf": Zeta2, "zeta": "",
		"mercury-edit-2": Mercury, "mercury-2": "", "gpt-5.3-codex": "", "qwen2.5-coder": "", "codestral-latest": "",
	} {
		if got := Infer(id); got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
	if Unsupported("zed/zeta-2.1") == "" || Unsupported("zeta-2") != "" {
		t.Error("Zeta 2.1 is refused, Zeta 2 is not")
	}
}

// TestCut holds that the region and what is around it are whole lines that follow each
// other in the file, with the cursor in its place.
func TestCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.StringMatching(`[a-z ]{0,9}`), 1, 700).Draw(r, "lines"), "\n")
		at := rapid.IntRange(0, len(text)).Draw(r, "cursor")
		count := func(s string) int { return len(s)/4 + 1 }
		for name, f := range formats {
			c := f.Cut(text[:at], text[at:], 1, count)
			whole := c.Before + c.Region + c.After
			start := strings.Index(text, whole)
			for start >= 0 && start+len(c.Before)+c.Cursor != at {
				next := strings.Index(text[start+1:], whole)
				if next < 0 {
					start = -1
					break
				}
				start += next + 1
			}
			if start < 0 {
				r.Fatalf("%s: the parts are not around the cursor", name)
			}
			if start > 0 && text[start-1] != '\n' || c.Line != 1+strings.Count(text[:start], "\n") {
				r.Fatalf("%s: the shown part begins inside a line, or not on line %d", name, c.Line)
			}
			if c.After != "" && !strings.HasSuffix(c.Region, "\n") {
				r.Fatalf("%s: the region %q ends inside a line", name, c.Region)
			}
			if n := strings.Count(strings.TrimSuffix(c.Region, "\n"), "\n") + 1; f.Editable == 0 && n > f.Above+f.Below+1 {
				r.Fatalf("%s: the region has %d lines", name, n)
			}
		}
	})
}
