package clones

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"

	"tandem/tools/client"
)

// A request is one line for tandem window --jsonl.
type Request struct {
	ID      string            `json:"id"`
	File    string            `json:"file,omitempty"`
	Line    int               `json:"line,omitempty"`
	Column  int               `json:"column,omitempty"`
	Budget  int               `json:"budget,omitempty"`
	Purpose string            `json:"purpose"`
	Words   string            `json:"words,omitempty"`
	Overlay map[string]string `json:"overlay,omitempty"`
	Text    bool              `json:"text"`
}

// A window is tandem's answer.
type Window struct {
	Tokens    int        `json:"tokens"`
	Budget    int        `json:"budget"`
	MS        float64    `json:"ms"`
	Text      string     `json:"text"`
	Fragments []Fragment `json:"fragments"`
	Error     *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

type Fragment struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Tokens    int    `json:"tokens"`
	Kind      string `json:"kind"`
	Reason    string `json:"reason"`
}

// A tandem is a running tandem window --jsonl.
type Tandem struct{ *dialogue }

// StartTandem starts tandem in a folder; what it keeps is kept below state,
// so that neither settings nor records of whoever measures take part.
func StartTandem(ctx context.Context, program, dir, state string) (*Tandem, error) {
	command := exec.CommandContext(ctx, program, "window", "--jsonl", "--offline", "--workspace", dir)
	command.Dir, command.Env = dir, client.Home(state)
	d, err := startDialogue(command)
	return &Tandem{d}, err
}

// A dialogue is a running program that answers what it is asked.
type dialogue struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func startDialogue(command *exec.Cmd) (*dialogue, error) {
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &dialogue{command, in, bufio.NewReaderSize(out, 1<<16)}, command.Start()
}

// Close ends the program.
func (d *dialogue) Close() {
	d.in.Close()
	_ = d.process.Wait() // its answers have been read
}

// Ask sends one request and waits for its answer. What tandem refuses is an
// error of type *refusal.
func (t *Tandem) Ask(r Request) (*Window, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if _, err := t.in.Write(append(line, '\n')); err != nil {
		return nil, fmt.Errorf("ask tandem: %w", err)
	}
	said, err := t.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("hear tandem: %w", err)
	}
	w := &Window{}
	if err := json.Unmarshal(said, w); err != nil {
		return nil, fmt.Errorf("understand tandem: %w", err)
	}
	if w.Error != nil {
		return nil, &Refusal{w.Error.Code, w.Error.Message}
	}
	return w, nil
}

// A refusal is an answer that is no window.
type Refusal struct{ Code, Message string }

func (r *Refusal) Error() string { return "tandem refuses: " + r.Code + ": " + r.Message }
