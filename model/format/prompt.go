package format

import (
	"fmt"
	"slices"
	"strings"
)

// An Input is what the slots of a prompt hold. Texts are as in the file, with line
// feeds as line ends.
type Input struct {
	Path string // of the file

	// Before, Region and After are the shown part of the file in order. They begin
	// and end at line ends. The answer replaces Region.
	Before, Region, After string
	Line                  int    // 1-based line of the file where Before begins
	Cursor                int    // offset in Region
	Previous              string // Region before the last change; "" where it was the same

	History []Change  // oldest first
	Related []Snippet // of other files, the most relevant last
}

// A Change is a recent edit of the user's, in whole lines.
type Change struct {
	Path     string
	Line     int // 1-based line where Old began
	Old, New string
	Hunk     string // the same as a hunk of a unified diff, with its @@ line
	Accepted bool   // it was a suggestion
}

// A Snippet is code of another file.
type Snippet struct{ Path, Text string }

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
func (f *Format) Prompt(in Input) (string, error) {
	for _, text := range []string{in.Path, in.Before, in.Region, in.After} {
		if m := f.Forges(text); m != "" {
			return "", &ForgedError{f.Name, m}
		}
	}
	for _, stop := range f.Stops { // the answer, which repeats the region, would end there
		if strings.Contains(in.Region, stop) {
			return "", &ForgedError{f.Name, stop}
		}
	}
	if f.Name == Zeta2 && hasLine(in.Region, "=======") {
		return "", &ForgedError{f.Name, "======="}
	}
	if strings.ContainsAny(in.Path, "\r\n") {
		return "", &ForgedError{f.Name, "\n"}
	}
	in.Related = slices.DeleteFunc(slices.Clone(in.Related), func(s Snippet) bool { return f.Forges(s.Path+"\n"+s.Text) != "" })
	in.History = slices.DeleteFunc(slices.Clone(in.History), func(c Change) bool { return f.Forges(c.Path+"\n"+c.Old+"\n"+c.New+"\n"+c.Hunk) != "" })
	in.History = in.History[max(0, len(in.History)-f.History):]
	if in.Previous == "" || f.Forges(in.Previous) != "" {
		in.Previous = in.Region
	}
	w := &writer{}
	f.render(w, in)
	return w.String(), nil
}

// A writer writes a prompt. Its parts end with a line end: one is added to a text
// that has none, and a second one never.
type writer struct{ strings.Builder }

// part writes a text and ends it with a line end.
func (w *writer) part(text string) {
	w.WriteString(text)
	if !strings.HasSuffix(text, "\n") {
		w.WriteString("\n")
	}
}

// marked is the region with a marker at the cursor.
func marked(in Input, marker string) string {
	at := min(max(in.Cursor, 0), len(in.Region))
	return in.Region[:at] + marker + in.Region[at:]
}

const fileSep = "<|file_sep|>"

// maxChangeLines bounds each side of a change in Sweep's format.
const maxChangeLines = 40

func renderSweep(w *writer, in Input) {
	for _, s := range in.Related {
		w.part(fileSep + s.Path)
		w.part(s.Text)
	}
	sweepHistory(w, in.History)
	w.part(fileSep + "original/" + in.Path)
	w.part(in.Previous)
	w.part(fileSep + "current/" + in.Path)
	w.part(in.Region)
	w.part(fileSep + "updated/" + in.Path)
}

func sweepHistory(w *writer, changes []Change) {
	for _, c := range changes {
		w.part(fileSep + c.Path + ".diff")
		w.part("original:")
		w.part(firstLines(c.Old, maxChangeLines))
		w.part("updated:")
		w.part(firstLines(c.New, maxChangeLines))
	}
}

func renderSweepV2(w *writer, in Input) {
	for _, s := range in.Related {
		w.part(fileSep + s.Path)
		w.part(s.Text)
	}
	whole := in.Before + in.Region + in.After
	w.part(fileSep + in.Path + lineRange(in.Line, whole))
	w.part(whole)
	sweepHistory(w, in.History)
	at := in.Path + lineRange(in.Line+strings.Count(in.Before, "\n"), in.Region)
	w.part(fileSep + "original/" + at)
	w.part(in.Previous)
	w.part(fileSep + "current/" + at)
	w.part(marked(in, "<|cursor|>"))
	w.part(fileSep + "updated/" + at)
}

// lineRange is ":START:END" of a text that begins on a line.
func lineRange(line int, text string) string {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return fmt.Sprintf(":%d:%d", line, line+max(n, 1)-1)
}

func renderZeta2(w *writer, in Input) {
	w.WriteString("<[fim-suffix]>")
	w.part(in.After)
	w.WriteString("<[fim-prefix]>")
	for _, s := range in.Related {
		w.part("<filename>" + s.Path)
		w.part(s.Text)
		w.WriteString("\n")
	}
	w.part("<filename>edit_history")
	for _, c := range in.History {
		if c.Accepted {
			w.part("// User accepted prediction:")
		}
		unified(w, c)
	}
	w.WriteString("\n")
	w.part("<filename>" + in.Path)
	w.WriteString(in.Before)
	w.part("<<<<<<< CURRENT")
	w.part(marked(in, "<|user_cursor|>"))
	w.part("=======")
	w.WriteString("<[fim-middle]>")
}

func renderMercury(w *writer, in Input) {
	w.part("<|recently_viewed_code_snippets|>")
	for _, s := range in.Related {
		w.part("<|recently_viewed_code_snippet|>")
		w.part("code_snippet_file_path: " + s.Path)
		w.part(s.Text)
		w.part("<|/recently_viewed_code_snippet|>")
	}
	w.part("<|/recently_viewed_code_snippets|>")
	w.part("<|current_file_content|>")
	w.part("current_file_path: " + in.Path)
	w.WriteString(in.Before)
	w.part("<|code_to_edit|>")
	w.part(marked(in, "<|cursor|>"))
	w.part("<|/code_to_edit|>")
	if in.After != "" {
		w.part(in.After)
	}
	w.part("<|/current_file_content|>")
	w.part("<|edit_diff_history|>")
	for _, c := range in.History {
		unified(w, c)
	}
	w.part("<|/edit_diff_history|>")
}

// unified writes a change as a unified diff.
func unified(w *writer, c Change) {
	w.part("--- a/" + c.Path)
	w.part("+++ b/" + c.Path)
	w.part(c.Hunk)
}

// firstLines returns the first n lines of a text.
func firstLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "")
}
