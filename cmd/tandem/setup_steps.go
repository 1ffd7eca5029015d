package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// The kinds of step.
const (
	stepChoose  = "choose"  // one of the options is the answer: its id
	stepAsk     = "ask"     // a text is the answer
	stepWorking = "working" // nothing is asked
	stepDone    = "done"    // the last step
)

// A step is what Set Up says or asks; `tandem setup --json` prints one a line.
type step struct {
	Step    string   `json:"step"`
	ID      string   `json:"id,omitempty"`
	Title   string   `json:"title"`
	Problem string   `json:"problem,omitempty"` // why it is asked, or asked again
	Hint    string   `json:"hint,omitempty"`
	Secret  bool     `json:"secret,omitempty"` // the answer must not be shown
	Options []option `json:"options,omitempty"`
	File    string   `json:"file,omitempty"` // that was written
}

type option struct {
	ID     string `json:"id"`
	Label  string `json:"label"`
	Detail string `json:"detail,omitempty"`
}

// errStopped is a person who answers no more.
var errStopped = errors.New("stopped, and nothing was changed")

// A person sees steps and answers them.
type person interface {
	see(step) error
	answer(step) (string, error)
}

// asked shows a step until its answer is one that it takes.
func asked(p person, s step) (string, error) {
	for {
		if err := p.see(s); err != nil {
			return "", err
		}
		text, err := p.answer(s)
		if err != nil {
			return "", err
		}
		if s.Step != stepChoose || slices.ContainsFunc(s.Options, func(o option) bool { return o.ID == text }) {
			return strings.TrimSpace(text), nil
		}
		s.Problem = fmt.Sprintf("%q is none of the answers.", text)
	}
}

// A program draws the steps for a person: an editor.
type program struct {
	out io.Writer
	in  *json.Decoder
}

func (p *program) see(s step) error {
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s\n", line)
	return err
}

func (p *program) answer(step) (string, error) {
	var said struct{ Answer *string }
	switch err := p.in.Decode(&said); {
	case errors.Is(err, io.EOF), err == nil && said.Answer == nil:
		return "", errStopped
	case err != nil:
		return "", exit(exitUsage, fmt.Errorf("an answer is a line such as {\"answer\":\"…\"}: %w", err))
	}
	return *said.Answer, nil
}

// A reader answers at a terminal.
type reader struct {
	out io.Writer
	in  *bufio.Reader
}

func (r *reader) see(s step) error {
	out := &strings.Builder{}
	if s.Problem != "" {
		fmt.Fprintf(out, "! %s\n", s.Problem)
	}
	fmt.Fprintf(out, "%s\n", s.Title)
	for i, o := range s.Options {
		fmt.Fprintf(out, "%3d  %-32s %s\n", i+1, o.Label, o.Detail)
	}
	if s.Hint != "" {
		fmt.Fprintf(out, "     %s\n", s.Hint)
	}
	if s.File != "" {
		fmt.Fprintf(out, "Written to %s.\n", s.File)
	}
	_, err := io.WriteString(r.out, out.String())
	return err
}

func (r *reader) answer(s step) (string, error) {
	fmt.Fprint(r.out, "> ")
	text, err := r.in.ReadString('\n')
	if err != nil && text == "" {
		return "", errStopped
	}
	text = strings.TrimSpace(text)
	if n, err := strconv.Atoi(text); s.Step == stepChoose && err == nil && 0 < n && n <= len(s.Options) {
		return s.Options[n-1].ID, nil
	}
	for _, o := range s.Options {
		if text == o.Label {
			return o.ID, nil
		}
	}
	return text, nil
}

// newPerson is who answers a command: an editor's program, or a person at the terminal.
func newPerson(c *cobra.Command, asJSON bool) person {
	if asJSON {
		return &program{c.OutOrStdout(), json.NewDecoder(c.InOrStdin())}
	}
	return &reader{c.OutOrStdout(), bufio.NewReader(c.InOrStdin())}
}
