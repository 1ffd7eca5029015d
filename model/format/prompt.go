package format

import (
	"fmt"
	"slices"
	"strings"

	"tandem/workspace/redact"
)

// An Input is what the slots of a prompt hold. Texts are as in the file, with line
// feeds as line ends.
type Input struct {
	Path redact.Text // of the file

	// Before, Region and After are the shown part of the file in order. They begin
	// and end at line ends. The answer replaces Region.
	Before, Region, After redact.Text
	Line                  int         // 1-based line of the file where Before begins
	Cursor                int         // offset in Region
	Previous              redact.Text // Region before the last change; "" where it was the same

	History []Change  // oldest first
	Related []Snippet // of other files, the most relevant last
}

// A Change is a recent edit of the user's, in whole lines.
type Change struct {
	Path     redact.Text
	Old, New redact.Text
	Hunk     redact.Text // the same as a hunk of a unified diff, with its @@ line
	Accepted bool        // it was a suggestion
}

// A Snippet is code of another file.
type Snippet struct{ Path, Text redact.Text }

// A ForgedError is the reason why there is no prompt: the text holds a marker of
// the format.
type ForgedError struct{ Format, Marker string }

// Error is one sentence.
func (e *ForgedError) Error() string {
	return fmt.Sprintf("The code near the cursor holds %q, which has a meaning of its own in the format %s, so the model is not asked.", e.Marker, e.Format)
}

// Prompt writes the prompt. Changes and snippets of other files that hold a marker
// of the format are left out; if the file itself holds one near the cursor, the
// error is a *ForgedError.
func (f *Format) Prompt(in Input) (redact.Text, error) {
	for _, text := range []redact.Text{in.Path, in.Before, in.Region, in.After} {
		if m := f.Forges(text.String()); m != "" {
			return redact.Text{}, &ForgedError{f.Name, m}
		}
	}
	for _, stop := range f.Stops { // the answer, which repeats the region, would end there
		if strings.Contains(in.Region.String(), stop) {
			return redact.Text{}, &ForgedError{f.Name, stop}
		}
	}
	if f.Name == Zeta2 && hasLine(in.Region.String(), "=======") {
		return redact.Text{}, &ForgedError{f.Name, "======="}
	}
	if strings.ContainsAny(in.Path.String(), "\r\n") {
		return redact.Text{}, &ForgedError{f.Name, "\n"}
	}
	in.Related = slices.DeleteFunc(slices.Clone(in.Related), func(s Snippet) bool { return f.Forges(redact.Join("\n", s.Path, s.Text).String()) != "" })
	in.History = slices.DeleteFunc(slices.Clone(in.History), func(c Change) bool { return f.Forges(redact.Join("\n", c.Path, c.Old, c.New, c.Hunk).String()) != "" })
	in.History = in.History[max(0, len(in.History)-f.History):]
	if in.Previous.Len() == 0 || f.Forges(in.Previous.String()) != "" {
		in.Previous = in.Region
	}
	w := &writer{}
	f.render(w, in)
	return redact.Join("", *w...), nil
}

// A writer writes a prompt. Its parts end with a line end: one is added to a text
// that has none, and a second one never.
type writer []redact.Text

func (w *writer) write(text redact.Text) { *w = append(*w, text) }

// part writes a text and ends it with a line end.
func (w *writer) part(text redact.Text) {
	w.write(text)
	if !strings.HasSuffix(text.String(), "\n") {
		w.write(redact.Const("\n"))
	}
}

// marked is the region with a marker at the cursor.
func marked(in Input, marker redact.Text) redact.Text {
	at := min(max(in.Cursor, 0), in.Region.Len())
	return redact.Join("", in.Region.Slice(0, at), marker, in.Region.Slice(at, in.Region.Len()))
}

// maxChangeLines bounds each side of a change in Sweep's format.
const maxChangeLines = 40

func renderSweep(w *writer, in Input) {
	for _, s := range in.Related {
		w.part(redact.Format("<|file_sep|>%s", s.Path))
		w.part(s.Text)
	}
	sweepHistory(w, in.History)
	w.part(redact.Format("<|file_sep|>original/%s", in.Path))
	w.part(in.Previous)
	w.part(redact.Format("<|file_sep|>current/%s", in.Path))
	w.part(in.Region)
	w.part(redact.Format("<|file_sep|>updated/%s", in.Path))
}

func sweepHistory(w *writer, changes []Change) {
	for _, c := range changes {
		w.part(redact.Format("<|file_sep|>%s.diff", c.Path))
		w.part(redact.Const("original:"))
		w.part(firstLines(c.Old))
		w.part(redact.Const("updated:"))
		w.part(firstLines(c.New))
	}
}

func renderSweepV2(w *writer, in Input) {
	for _, s := range in.Related {
		w.part(redact.Format("<|file_sep|>%s", s.Path))
		w.part(s.Text)
	}
	whole := redact.Join("", in.Before, in.Region, in.After)
	w.part(redact.Format("<|file_sep|>%s", located(in.Path, in.Line, whole)))
	w.part(whole)
	sweepHistory(w, in.History)
	at := located(in.Path, in.Line+strings.Count(in.Before.String(), "\n"), in.Region)
	w.part(redact.Format("<|file_sep|>original/%s", at))
	w.part(in.Previous)
	w.part(redact.Format("<|file_sep|>current/%s", at))
	w.part(marked(in, redact.Const("<|cursor|>")))
	w.part(redact.Format("<|file_sep|>updated/%s", at))
}

// located is PATH:START:END of a text that begins on a line.
func located(path redact.Text, line int, text redact.Text) redact.Text {
	n := strings.Count(text.String(), "\n")
	if text.Len() > 0 && !strings.HasSuffix(text.String(), "\n") {
		n++
	}
	return redact.Format("%s:%s:%s", path, redact.Int(line), redact.Int(line+max(n, 1)-1))
}

func renderZeta2(w *writer, in Input) {
	w.write(redact.Const("<[fim-suffix]>"))
	w.part(in.After)
	w.write(redact.Const("<[fim-prefix]>"))
	for _, s := range in.Related {
		w.part(redact.Format("<filename>%s", s.Path))
		w.part(s.Text)
		w.write(redact.Const("\n"))
	}
	w.part(redact.Const("<filename>edit_history"))
	for _, c := range in.History {
		if c.Accepted {
			w.part(redact.Const("// User accepted prediction:"))
		}
		unified(w, c)
	}
	w.write(redact.Const("\n"))
	w.part(redact.Format("<filename>%s", in.Path))
	w.write(in.Before)
	w.part(redact.Const("<<<<<<< CURRENT"))
	w.part(marked(in, redact.Const("<|user_cursor|>")))
	w.part(redact.Const("======="))
	w.write(redact.Const("<[fim-middle]>"))
}

func renderMercury(w *writer, in Input) {
	w.part(redact.Const("<|recently_viewed_code_snippets|>"))
	for _, s := range in.Related {
		w.part(redact.Const("<|recently_viewed_code_snippet|>"))
		w.part(redact.Format("code_snippet_file_path: %s", s.Path))
		w.part(s.Text)
		w.part(redact.Const("<|/recently_viewed_code_snippet|>"))
	}
	w.part(redact.Const("<|/recently_viewed_code_snippets|>"))
	w.part(redact.Const("<|current_file_content|>"))
	w.part(redact.Format("current_file_path: %s", in.Path))
	w.write(in.Before)
	w.part(redact.Const("<|code_to_edit|>"))
	w.part(marked(in, redact.Const("<|cursor|>")))
	w.part(redact.Const("<|/code_to_edit|>"))
	if in.After.Len() > 0 {
		w.part(in.After)
	}
	w.part(redact.Const("<|/current_file_content|>"))
	w.part(redact.Const("<|edit_diff_history|>"))
	for _, c := range in.History {
		unified(w, c)
	}
	w.part(redact.Const("<|/edit_diff_history|>"))
}

// unified writes a change as a unified diff.
func unified(w *writer, c Change) {
	w.part(redact.Format("--- a/%s", c.Path))
	w.part(redact.Format("+++ b/%s", c.Path))
	w.part(c.Hunk)
}

// firstLines returns as many lines of a text as a change shows.
func firstLines(text redact.Text) redact.Text {
	var out []redact.Text
	for line := range text.Lines() {
		if len(out) < maxChangeLines {
			out = append(out, line)
		}
	}
	return redact.Join("", out...)
}
