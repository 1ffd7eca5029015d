package next

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/format"
)

// A formatLane is a fake model of a format for next edits.
type formatLane struct {
	lanes
	format string
}

func (l formatLane) ConfigFor(model.Purpose) (model.ModelConfig, bool) {
	cfg, ok := l.Config(model.Fast)
	cfg.Format = l.format
	return cfg, ok
}

// A nextBench asks for next edits and counts what was filtered.
type nextBench struct {
	*bench
	fast     *script
	filtered []string
}

// newNextBench opens main.go with a text for a model whose answers come from the prompt.
func newNextBench(t *testing.T, format, text string, answer func(prompt string) string) *nextBench {
	fast := &script{Answer: func(req *model.Request) ([]string, error) {
		prompt := req.Raw
		if prompt.String() == "" && len(req.Input) > 0 {
			prompt = req.Input[len(req.Input)-1].Text
		}
		return []string{answer(prompt.String())}, nil
	}}
	b := &nextBench{fast: fast}
	b.bench = newBench(t, lanes{model.Fast: fast}, text, nil)
	b.engine.NextEdits.Prompts.Models = formatLane{lanes{model.Fast: fast}, format}
	b.engine.NextEdits.Filtered = func(reason string) { b.filtered = append(b.filtered, reason) }
	return b
}

// next asks at an offset; applied is the document after the edit, "" if there is none.
func (b *nextBench) next(offset int) (next *Offer, applied, reason string) {
	b.T.Helper()
	next, reason, err := b.engine.NextEdits.NextEdit(context.Background(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: offset}, Version: b.Version})
	if err != nil {
		b.T.Fatal(err)
	}
	if next == nil {
		return nil, "", reason
	}
	text := b.Text()
	return next, text[:next.Edit.Start] + next.Edit.New + text[next.Edit.End:], reason
}

// regionOf is the code that a prompt asks to rewrite, as the format has it.
func regionOf(name, prompt string) string {
	begin, end, cursor := "<|code_to_edit|>\n", "<|/code_to_edit|>", "<|cursor|>"
	switch name {
	case format.Sweep, format.SweepV2:
		begin, end = "<|file_sep|>current/", "<|file_sep|>updated/"
	case format.Zeta2:
		begin, end, cursor = "<<<<<<< CURRENT\n", "=======\n<[fim-middle]>", "<|user_cursor|>"
	}
	_, rest, _ := strings.Cut(prompt, begin)
	region, _, _ := strings.Cut(rest, end)
	if strings.HasPrefix(name, "sweep") {
		_, region, _ = strings.Cut(region, "\n")
	}
	return strings.ReplaceAll(region, cursor, "")
}

const area = "package shop\n\ntype Box struct {\n\tWidth, Height int\n}\n\nfunc (b Box) Area() int {\n\treturn b.W * b.Height\n}\n\nfunc (b Box) Edge() int {\n\treturn 2 * (b.W + b.Height)\n}\n"

// TestNextEditInEveryFormat holds that the answer of a model in each format becomes the
// edit that it means, in a document with either line end.
func TestNextEditInEveryFormat(t *testing.T) {
	for _, name := range []string{format.Sweep, format.SweepV2, format.Zeta2, format.Mercury} {
		for _, eol := range []string{"\n", "\r\n"} {
			t.Run(name+strings.Trim(eol, "\n"), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					text := strings.ReplaceAll(area, "\n", eol)
					b := newNextBench(t, name, text, func(prompt string) string {
						region := regionOf(name, prompt)
						out := strings.Replace(region, "return b.W *", "return b.Width *", 1)
						switch {
						case name == format.Zeta2:
							return out + ">>>>>>> UPDATED\n"
						case name == format.Mercury:
							return "```\n" + out + "```"
						}
						return out
					})
					at := b.At("Width")
					b.Edit(at, at, "2")
					b.Edit(at, at+1, "")
					b.Edit(at, at, " ")
					_, got, reason := b.next(b.At("Area"))
					want := strings.Replace(b.Text(), "return b.W *", "return b.Width *", 1)
					if got != want {
						t.Fatalf("applied (%s):\n%s\nwant:\n%s", reason, got, want)
					}
					sent := b.fast.Requests()[0]
					if prompt := sent.Raw; name != format.Mercury && !strings.Contains(prompt.String(), "+\tWidth , Height int") && !strings.Contains(prompt.String(), "updated:\n\tWidth , Height int\n") {
						t.Errorf("the prompt has no history:\n%s", prompt)
					}
					if name == format.Sweep { // which is also told what the region was before the change
						_, original, _ := strings.Cut(sent.Raw.String(), "<|file_sep|>original/")
						if original, _, _ = strings.Cut(original, "<|file_sep|>"); !strings.Contains(original, "\tWidth, Height int") {
							t.Errorf("the region before the change is\n%s", original)
						}
					}
					if name == format.Mercury && (len(sent.Input) != 1 || sent.Raw.String() != "" || sent.Instructions.String() != "") {
						t.Errorf("Mercury gets one message, this request has %d and %q", len(sent.Input), sent.Instructions)
					}
				})
			})
		}
	}
}

// TestNextEditKeepsSecrets: an answer that loses a secret which the model was not shown, or has
// it twice, is no next edit.
func TestNextEditKeepsSecrets(t *testing.T) {
	text := strings.Replace(area, "\treturn b.W *", "\tuse(\"ghp_16C7e42F292c6912E7710c838347Ae178B4a\")\n\treturn b.W *", 1)
	for change, shown := range map[[2]string]bool{
		{"return b.W *", "return b.Width *"}:                          true,
		{"\tuse(\"⟦redacted-1⟧\")\n\treturn b.W", "\treturn b.Width"}: false,
		{"return b.W", "use(\"⟦redacted-1⟧\")\n\treturn b.Width"}:     false,
		{"⟦redacted-1⟧", "secret"}:                                    false,
	} {
		synctest.Test(t, func(t *testing.T) {
			b := newNextBench(t, format.Sweep, text, func(prompt string) string {
				region := regionOf(format.Sweep, prompt)
				if !strings.Contains(region, change[0]) {
					t.Errorf("%q is not in %q: the test shows nothing", change[0], region)
				}
				return strings.Replace(region, change[0], change[1], 1)
			})
			b.Edit(b.At("Width"), b.At("Width"), " ")
			if _, got, reason := b.next(b.At("Area")); (got != "") != shown {
				t.Errorf("%q became %q (%s)", change[0], got, reason)
			}
		})
	}
}

// TestNoise holds that predictions which are no help are not shown, and counted.
func TestNoise(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"undo", "return b.Width *", "return b.W *", NoiseUndo},
		{"blank lines", "\tWidth, Height int\n", "\n\tWidth, Height int\n", NoiseBlank},
		{"formatting", "2 * (b.W + b.Height)", "2*(b.W+b.Height)", NoiseFormatting},
		{"repeat", "func (b Box) Edge", "func (b Box) Edge() int {\n\treturn 2 * (b.W + b.Height)\n}\n\nfunc (b Box) Edge", NoiseRepeat},
		{"a real one", "2 * (b.W +", "2 * (b.Width +", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newNextBench(t, format.Sweep, area, func(prompt string) string {
					return strings.Replace(regionOf(format.Sweep, prompt), c.old, c.new, 1)
				})
				b.Edit(b.At("return b.W"), b.At("return b.W"), "idth")
				_, got, reason := b.next(b.At("Area"))
				if c.want == "" {
					if got == "" || len(b.filtered) > 0 {
						t.Fatalf("%q was not shown: %s, %q", c.new, reason, b.filtered)
					}
					return
				}
				if got != "" || !slices.Contains(b.filtered, c.want) {
					t.Fatalf("shown:\n%s\nfiltered %q, want %q (%s)", got, b.filtered, c.want, reason)
				}
			})
		})
	}
}

// TestNextEditFollowsTyping holds that a prediction stays while the user types what it
// proposes or elsewhere, without another request, and ends when they type against it.
func TestNextEditFollowsTyping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newNextBench(t, format.Sweep, area, func(prompt string) string {
			return strings.Replace(regionOf(format.Sweep, prompt), "2 * (b.W +", "2 * (b.Width +", 1)
		})
		b.Edit(b.At("return b.W"), b.At("return b.W"), "idth")
		want := strings.Replace(b.Text(), "2 * (b.W +", "2 * (b.Width +", 1)
		if _, got, reason := b.next(b.At("Area")); got != want {
			t.Fatalf("applied (%s):\n%s", reason, got)
		}
		b.Edit(0, 0, "// Boxes.\n")
		b.Edit(b.At("2 * (b.W"), b.At("2 * (b.W"), "i")
		next, got, _ := b.next(b.At("2 * (b.Wi"))
		if got != "// Boxes.\n"+want || next.Edit.New != "dth" {
			t.Fatalf("after typing along: %+v\n%s", next, got)
		}
		if n := len(b.fast.Requests()); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
		b.Edit(b.At("2 * (b.Wi"), b.At("2 * (b.Wi"), "x")
		b.engine.NextEdits.Prompts.Models = formatLane{lanes{model.Fast: replies("")}, format.Sweep}
		if next, got, _ := b.next(b.At("2 * (b.Wix")); next != nil {
			t.Errorf("after typing against: %+v\n%s", next, got)
		}
	})
}

// TestForgedMarkersAreNotSent holds that code with a marker of the format near the
// cursor makes no request.
func TestForgedMarkersAreNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newNextBench(t, format.Sweep, strings.Replace(area, "2 *", "/* <|file_sep|> */ 2 *", 1), func(string) string { return "x" })
		b.Edit(b.At("return b.W"), b.At("return b.W"), "idth")
		if _, _, reason := b.next(b.At("Area")); !strings.Contains(reason, "<|file_sep|>") || len(b.fast.Requests()) != 0 {
			t.Errorf("%d requests, reason %q", len(b.fast.Requests()), reason)
		}
	})
}

// TestAcceptedEditsAreMarked holds that the history of a prompt says which changes were
// suggestions, those alone, whether the editor reports the acceptance before the text, after
// it or never.
func TestAcceptedEditsAreMarked(t *testing.T) {
	for _, report := range []string{"before", "after", "never"} {
		synctest.Test(t, func(t *testing.T) {
			distant := strings.Replace(area, "func (b Box) Edge", strings.Repeat("// more\n", 8)+"func (b Box) Edge", 1)
			b := newNextBench(t, format.Zeta2, distant, func(prompt string) string {
				return strings.Replace(regionOf(format.Zeta2, prompt), "Edge() int", "Length() int", 1) + ">>>>>>> UPDATED\n"
			})
			b.Edit(b.At("return b.W"), b.At("return b.W"), "idth")
			next, _, reason := b.next(b.At("Area"))
			if next == nil {
				t.Fatal(reason)
			}
			if report == "before" {
				b.engine.NextEdits.Open.Accepted(next.ID)
			}
			b.Edit(next.Edit.Start, next.Edit.End, next.Edit.New)
			if report == "after" {
				b.engine.NextEdits.Open.Accepted(next.ID)
			}
			b.Edit(b.At("Width"), b.At("Width"), "2")
			b.next(b.At("Width2"))
			prompts := b.fast.Requests()
			last := prompts[len(prompts)-1].Raw
			_, marked, _ := strings.Cut(last.String(), "// User accepted prediction:\n")
			marked, _, _ = strings.Cut(marked, "--- a/main.go\n+++ b/main.go\n@@ -3,3")
			want := "--- a/main.go\n+++ b/main.go\n@@ -18,3 +18,3 @@\n // more\n-func (b Box) Edge() int {\n+func (b Box) Length() int {\n \treturn 2 * (b.W + b.Height)\n"
			if len(prompts) != 2 || strings.Count(last.String(), "// User accepted") != 1 || marked != want {
				t.Errorf("%s: %d requests, the last prompt:\n%s", report, len(prompts), last)
			}
		})
	}
}

// TestAlong holds the rule by which an edit follows typing.
func TestAlong(t *testing.T) {
	next := edits.Edit{Span: edits.Span{Start: 10, End: 12}, New: "abcd"}
	for _, c := range []struct {
		name string
		edit edits.Edit
		want string // "start-end new", "" where it ends
	}{
		{"before", edits.Edit{Span: edits.Span{Start: 0, End: 1}, New: "xyz"}, "12-14 abcd"},
		{"after", edits.Edit{Span: edits.Span{Start: 13, End: 14}}, "10-12 abcd"},
		{"typed along", edits.Edit{Span: edits.Span{Start: 10, End: 12}, New: "ab"}, "12-12 cd"},
		{"typed all", edits.Edit{Span: edits.Span{Start: 10, End: 12}, New: "abcd"}, ""},
		{"no nearer", edits.Edit{Span: edits.Span{Start: 10, End: 11}, New: "y"}, ""},
		{"against", edits.Edit{Span: edits.Span{Start: 11, End: 11}, New: "q"}, ""},
		{"across its end", edits.Edit{Span: edits.Span{Start: 11, End: 13}, New: "q"}, ""},
	} {
		got, _, ok := along(next, "xx", c.edit)
		shown := ""
		if ok {
			shown = strings.TrimSpace(strings.Join([]string{itoa(got.Start) + "-" + itoa(got.End), got.New}, " "))
		}
		if shown != c.want {
			t.Errorf("%s: %q, want %q", c.name, shown, c.want)
		}
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// A cutLane is a formatLane whose answers end at the most tokens that they may have.
type cutLane struct{ formatLane }

func (l cutLane) Stream(ctx context.Context, lane model.Lane, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		for d, err := range l.formatLane.Stream(ctx, lane, req) {
			if d.Final != nil {
				d.Final.End = model.Ended(model.WhyLength, "length")
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// TestEmptyAnswerIsNoNextEdit: a model that answers nothing sees nothing to change, whatever
// shape its answers have; the editor asked by itself, and gets no error.
func TestEmptyAnswerIsNoNextEdit(t *testing.T) {
	for _, name := range []string{format.Chat, format.Sweep, format.Zeta2} {
		b := newNextBench(t, name, "one\ntwo\nthree\n", nil)
		b.Lanes[model.Fast].Answer = func(*model.Request) ([]string, error) { return nil, nil }
		b.Edit(b.At("two"), b.At("two"), "2 ")
		if _, got, reason := b.next(b.At("two")); got != "" || reason != nothingNext { // next fails the test on an error
			t.Errorf("%s: %q is offered (%s)", name, got, reason)
		}
	}
}

// TestNextEditOfACutAnswer holds that an answer without its end deletes nothing, in a
// document that no check of syntax protects.
func TestNextEditOfACutAnswer(t *testing.T) {
	for _, name := range []string{format.Sweep, format.SweepV2, format.Zeta2, format.Mercury} {
		b := newNextBench(t, name, "one\ntwo\nthree\nfour\nfive\nsix\nseven\n", func(string) string { return "one\nand more\nand m" })
		b.engine.NextEdits.Prompts.Models = cutLane{formatLane{b.Lanes, name}}
		b.Edit(b.At("two"), b.At("two"), "2 ")
		if _, got, reason := b.next(b.At("two")); got != "" || !strings.Contains(reason, "its end is missing") {
			t.Errorf("%s: %q is offered (%s)", name, got, reason)
		}
	}
}

// TestNextEditsOfACutAnswerInBlocks: a block that came whole is offered, unless it takes away what the
// rest may have put elsewhere.
func TestNextEditsOfACutAnswerInBlocks(t *testing.T) {
	block := func(old, new string) string {
		return "main.go\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n"
	}
	for _, c := range []struct{ answer, shown, reason string }{
		{block("\treturn b.W * b.Height\n", "\treturn b.Width * b.Height\n") + "main.go\n<<<<<<< SEARCH\n\treturn 2", "return b.Width * b.Height", ""},
		{block("func (b Box) Edge() int {\n\treturn 2 * (b.W + b.Height)\n}\n", ""), "", "The answer was cut"},
		{"main.go\n<<<<<<< SEARCH\n\treturn 2", "", "The answer was cut"},
	} {
		b := newNextBench(t, format.Chat, area, func(string) string { return c.answer })
		b.engine.NextEdits.Prompts.Models = cutLane{formatLane{b.Lanes, format.Chat}}
		b.Edit(b.At("Width"), b.At("Width"), "2 ")
		if _, got, reason := b.next(b.At("Width")); (got == "") != (c.shown == "") || !strings.Contains(got, c.shown) || !strings.Contains(reason, c.reason) {
			t.Errorf("%q: %q is offered (%s)", c.answer, got, reason)
		}
	}
}

// TestNextEditWithoutItsImport: an edit whose import is missing is offered; the import follows.
func TestNextEditWithoutItsImport(t *testing.T) {
	b := newNextBench(t, format.Chat, area, func(string) string {
		return "main.go\n<<<<<<< SEARCH\n\treturn b.W * b.Height\n=======\n\treturn b.Width * len(os.Args)\n>>>>>>> REPLACE\n"
	})
	lacks := func(text string) bool { return strings.Contains(text, "os.") && !strings.Contains(text, "import") }
	b.engine.Editor.Judge = assisttest.Judging(assisttest.Names{
		Wrong: func(text, _ string) []edits.Finding {
			if !lacks(text) {
				return nil
			}
			return []edits.Finding{{Kind: "unknown_name", Severity: "error", Name: "os", Message: "os is not known"}}
		},
		Lacks: func(text string) []edits.Edit {
			if !lacks(text) {
				return nil
			}
			return []edits.Edit{assisttest.Insert(len("package shop\n\n"), "import \"os\"\n\n")}
		},
	})
	b.Edit(b.At("Width"), b.At("Width"), "2 ")
	if _, got, reason := b.next(b.At("return b.W")); !strings.Contains(got, "os.Args") || strings.Contains(got, "import") {
		t.Errorf("%q is offered (%s)", got, reason)
	}
}

// A fillLane is a model that only fills in code.
type fillLane struct{ lanes }

func (l fillLane) ConfigFor(model.Purpose) (model.ModelConfig, bool) {
	cfg, ok := l.Config(model.Fast)
	cfg.FillOnly = true
	return cfg, ok
}

// A slowLane is a server of the user's that needs more than a moment for a next edit's prompt.
type slowLane struct{ lanes }

func (l slowLane) ConfigFor(model.Purpose) (model.ModelConfig, bool) {
	cfg, ok := l.Config(model.Fast)
	cfg.Server.Own, cfg.Rate = true, model.Rate{Evaluated: 200, Written: 20}
	return cfg, ok
}

// TestNextEditAtASlowServer holds that what such a server has read for completions stays.
func TestNextEditAtASlowServer(t *testing.T) {
	b := newNextBench(t, format.Chat, area, func(string) string { return "none" })
	b.engine.NextEdits.Prompts.Models = slowLane{b.Lanes}
	b.Edit(b.At("Width"), b.At("Width"), "2 ")
	if _, got, reason := b.next(b.At("Width")); got != "" || !strings.Contains(reason, "too slowly") || len(b.fast.Requests()) != 0 {
		t.Errorf("%q after %d requests (%s)", got, len(b.fast.Requests()), reason)
	}
}

// TestNextEditWithoutAModelForIt holds that a model which only fills in is not asked, and
// that this is no error: editors ask after every pause.
func TestNextEditWithoutAModelForIt(t *testing.T) {
	b := newNextBench(t, format.Chat, area, func(string) string { return "none" })
	b.engine.NextEdits.Prompts.Models = fillLane{b.Lanes}
	b.Edit(b.At("Width"), b.At("Width"), "2 ")
	if _, got, reason := b.next(b.At("Width")); got != "" || !strings.Contains(reason, "next_edit") || len(b.fast.Requests()) != 0 {
		t.Errorf("%q after %d requests (%s)", got, len(b.fast.Requests()), reason)
	}
}

// TestSloppyAnswers: an answer that ends before its region, or has lines of it twice, deletes
// and doubles nothing.
func TestSloppyAnswers(t *testing.T) {
	for name, spoil := range map[string]func(lines []string) []string{
		"ends early":          func(l []string) []string { return l[:len(l)-3] },
		"ends early, changed": func(l []string) []string { l[0] = "// new\n"; return l[:len(l)-4] },
		"ends in a line":      func(l []string) []string { l[len(l)-3] = l[len(l)-3][:8]; return l[:len(l)-2] },
		"twice":               func(l []string) []string { return append(append(l[:len(l):len(l)], "\t// new"), l...) },
		"twice, changed":      func(l []string) []string { m := slices.Clone(l); m[0] = "// new\n"; return append(m, l...) },
		"begins again":        func(l []string) []string { return append(l[:len(l):len(l)], l[0], "// new\n", l[2], l[3]) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newNextBench(t, format.Sweep, area, func(prompt string) string {
					return strings.Join(spoil(strings.SplitAfter(regionOf(format.Sweep, prompt), "\n")), "")
				})
				b.Edit(b.At("return b.W"), b.At("return b.W"), "idth")
				if _, got, reason := b.next(b.At("Area")); got != "" {
					t.Errorf("shown (%s):\n%s", reason, got)
				}
			})
		})
	}
}
