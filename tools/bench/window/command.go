package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"tandem/workspace/window"
)

// A command is a tandem process that answers requests for windows, one JSON
// document per line, as for any other program.
type command struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// startCommand starts tandem in a folder.
func startCommand(ctx context.Context, name, root string) (*command, error) {
	c := &command{process: exec.CommandContext(ctx, name, "window", "--jsonl", "--workspace", ".")}
	c.process.Dir, c.process.Stderr = root, os.Stderr
	in, err := c.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.out = in, bufio.NewReaderSize(out, 1<<20)
	return c, c.process.Start()
}

func (c *command) close() error {
	c.in.Close()
	return c.process.Wait()
}

// An answer is tandem's answer about one window.
type answer struct {
	Tokens, Budget int
	MS             float64
	Fragments      []struct {
		Path      string
		StartLine int `json:"start_line"`
		EndLine   int `json:"end_line"`
		Kind      window.FragmentKind
	}
	Error *struct{ Message string }
}

func (c *command) window(_ context.Context, file string, lines []string, line, budget int) (*window.Window, time.Duration, error) {
	request, err := json.Marshal(map[string]any{"id": 1, "file": file, "line": line, "column": 1, "budget": budget,
		"overlay": map[string]string{file: strings.Join(lines, "\n")}})
	if err != nil {
		return nil, 0, err
	}
	if _, err := c.in.Write(append(request, '\n')); err != nil {
		return nil, 0, err
	}
	reply, err := c.out.ReadBytes('\n')
	if err != nil {
		return nil, 0, err
	}
	var a answer
	if err := json.Unmarshal(reply, &a); err != nil {
		return nil, 0, err
	}
	if a.Error != nil {
		return nil, 0, fmt.Errorf("tandem says: %s", a.Error.Message)
	}
	w := &window.Window{Tokens: a.Tokens, Budget: a.Budget}
	for _, f := range a.Fragments {
		w.Fragments = append(w.Fragments, window.Fragment{Path: f.Path, StartLine: f.StartLine, EndLine: f.EndLine, Kind: f.Kind})
	}
	return w, time.Duration(a.MS * float64(time.Millisecond)), nil
}
