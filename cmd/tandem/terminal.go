package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/model/assist/edit"
	"tandem/workspace"
)

// A screen is a stream that a person or a program reads. All that a command prints goes through
// one, so that no name of a file, word of a model or sentence of a server controls a terminal, or
// reads as something else.
type screen struct {
	mu   sync.Mutex // guards what is below
	w    io.Writer
	rest []byte // the beginning of a character, or of the end of a line
}

func newScreen(w io.Writer) *screen { return &screen{w: w} }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.rest, p...)
	whole := len(text)
	if last, n := utf8.DecodeLastRune(text); last == '\r' {
		whole--
	} else if last == utf8.RuneError && n == 1 {
		for begun := 1; begun < utf8.UTFMax && begun <= len(text); begun++ {
			if tail := text[len(text)-begun:]; utf8.RuneStart(tail[0]) {
				if !utf8.FullRune(tail) {
					whole -= begun
				}
				break
			}
		}
	}
	s.rest = bytes.Clone(text[whole:])
	if _, err := io.WriteString(s.w, edits.Visible(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes what never became a whole character.
func (s *screen) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = io.WriteString(s.w, edits.Visible(string(s.rest))) // the command's own error comes first
	s.rest = nil
}

// redraw writes over the last line of a terminal.
func (s *screen) redraw(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = io.WriteString(s.w, line) // progress
}

func (s *shared) redraw(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if under, ok := s.w.(interface{ redraw(string) }); ok {
		under.redraw(line)
	}
}

// redraw shows progress in the last line of a terminal, and returns how wide it is.
func redraw(w io.Writer, format string, args ...any) int {
	line := edits.Visible(fmt.Sprintf(format, args...))
	if s, ok := w.(interface{ redraw(string) }); ok {
		s.redraw("\r" + line)
	}
	return utf8.RuneCountInString(line)
}

// onScreen lets a command and those below it print to screens.
func onScreen(c *cobra.Command) {
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			out, problems := newScreen(c.OutOrStdout()), newScreen(c.ErrOrStderr())
			defer out.flush()
			defer problems.flush()
			c.SetOut(out)
			c.SetErr(problems)
			return run(c, args)
		}
	}
	for _, below := range c.Commands() {
		onScreen(below)
	}
}

// exact is where a command prints what programs take as it is, such as a patch. On a terminal that
// is shown as all else.
func exact(c *cobra.Command) io.Writer {
	out := c.OutOrStdout()
	if s, ok := out.(*screen); ok && !isTerminal(s) {
		return s.w
	}
	return out
}

// tell prints a sentence for a person. Each line of it begins with the program's name, so that
// none is a line of its own making.
func tell(w io.Writer, sentence string) {
	fmt.Fprintln(w, "tandem: "+strings.ReplaceAll(sentence, "\n", "\ntandem: "))
}

// progressOn shows on stderr that a model is answering, if stderr is a terminal.
func progressOn(c *cobra.Command) func(edit.Progress) {
	if !isTerminal(c.ErrOrStderr()) {
		return nil
	}
	var written atomic.Int64 // of all alternatives
	return func(p edit.Progress) {
		if p.State == edit.Checking {
			redraw(c.ErrOrStderr(), "checking: waits for what the change uses to be read… ")
			return
		}
		redraw(c.ErrOrStderr(), "%s: %d characters… ", p.Lane, written.Add(int64(len(p.Append))))
	}
}

// readingOn shows on w, if it is a terminal, how many files are read, from the first second on. It
// is called while somebody waits, and end clears the line.
func readingOn(w io.Writer, now func() *workspace.Snapshot) (waiting, end func()) {
	if !isTerminal(w) {
		return func() {}, func() {}
	}
	next, width := time.Now().Add(time.Second), 0
	waiting = func() {
		if at := time.Now(); at.After(next) {
			next = at.Add(200 * time.Millisecond)
			width = redraw(w, "reading the workspace: %s; Ctrl-C answers from these… ", now().Unread())
		}
	}
	return waiting, func() {
		if width > 0 {
			redraw(w, "%s", strings.Repeat(" ", width))
			redraw(w, "")
		}
	}
}

func isTerminal(stream any) bool {
	switch s := stream.(type) {
	case *shared:
		return isTerminal(s.w)
	case *screen:
		return isTerminal(s.w)
	}
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	none, absent := os.Stat(os.DevNull) // a device too, and nobody sits there
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && (absent != nil || !os.SameFile(info, none))
}
