package main

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"tandem/model/assist/edit"
	"unicode"

	"github.com/spf13/cobra"
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

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	none, absent := os.Stat(os.DevNull) // a device too, and nobody sits there
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && (absent != nil || !os.SameFile(info, none))
}
