package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"tandem/model/assist/edit"
	"tandem/workspace/terms"
)

// clean removes control and escape characters from text that comes from a
// model, a server or a file, so that it cannot control the terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
}

// progressOn shows on stderr that a model is answering, if stderr is a terminal.
func progressOn(c *cobra.Command) func(edit.Progress) {
	if !isTerminal(c.ErrOrStderr()) {
		return nil
	}
	var written atomic.Int64 // of all alternatives
	return func(p edit.Progress) {
		if p.State == edit.Checking {
			fmt.Fprint(c.ErrOrStderr(), "\rchecking: waits for what the change uses to be read… ")
			return
		}
		fmt.Fprintf(c.ErrOrStderr(), "\r%s: %d characters… ", p.Lane, written.Add(int64(len(p.Append))))
	}
}

// readingOn shows on w, if it is a terminal, how many files are read, from the first second on. It
// is called while somebody waits, and end clears the line.
func readingOn(w io.Writer, files func() int) (waiting, end func()) {
	if !isTerminal(w) {
		return func() {}, func() {}
	}
	next, width := time.Now().Add(time.Second), 0
	waiting = func() {
		if now := time.Now(); now.After(next) {
			next = now.Add(200 * time.Millisecond)
			width, _ = fmt.Fprintf(w, "\rreading the workspace: %s so far… ", terms.Counted(files(), "file"))
		}
	}
	return waiting, func() {
		if width > 0 {
			fmt.Fprint(w, "\r"+strings.Repeat(" ", width)+"\r")
		}
	}
}

func isTerminal(stream any) bool {
	if s, ok := stream.(*shared); ok {
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
