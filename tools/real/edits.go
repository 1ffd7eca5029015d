package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tandem/tools/bench/clones"
	"tandem/tools/client"
)

//go:embed testdata/edits.json
var editCases []byte

const (
	samplesDir = "tools/real/testdata/files"
	editTokens = 1024
)

// An editCase is a plain instruction for a function of a small file, and what the file has
// afterwards, white space aside, if the instruction was followed.
type editCase struct {
	File        string   `json:"file"`
	Function    string   `json:"function"`
	Instruction string   `json:"instruction"`
	Want        []string `json:"want"`
	Never       []string `json:"never"`
}

func (c *editCase) id() string { return c.File + " " + c.Function }

// An edited is what became of a case.
type edited struct {
	Client  string  `json:"client"`
	Model   string  `json:"model"`
	Case    string  `json:"case"`
	Read    bool    `json:"read"`   // the answer was understood
	Right   bool    `json:"right"`  // it does what was asked
	Passed  bool    `json:"passed"` // it was shown as one that passed its checks
	Seconds float64 `json:"seconds"`
	Said    string  `json:"said"` // why there was no change
}

func (r *rig) editsLog() string { return filepath.Join(r.state, "edits.jsonl") }

// edits gives the instructions to tandem and to a plain client of the same model.
func (r *rig) edits(ctx context.Context) error {
	var cases []editCase
	if err := json.Unmarshal(editCases, &cases); err != nil {
		return err
	}
	s, log, end, err := startLogged[edited](ctx, r, r.editsLog())
	if err != nil {
		return err
	}
	defer end()
	order := inTurn(byFile(cases))
	for _, c := range order[:min(r.places, len(order))] {
		for _, client := range []string{"tandem", "plain"} {
			if r.over() {
				return nil
			}
			if !r.asks(client) || slices.ContainsFunc(log.All, func(e edited) bool { return e.Client == client && e.Model == s.model && e.Case == c.id() }) {
				continue
			}
			e, err := r.edit(ctx, s, c, client)
			if err != nil {
				return fmt.Errorf("%s: %w", c.id(), err)
			}
			fmt.Printf("%-6s %-28s read %-5v right %-5v passed %-5v %5.1f s %s\n", client, e.Case, e.Read, e.Right, e.Passed, e.Seconds, e.Said)
			if err := log.Add(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func byFile(cases []editCase) [][]*editCase {
	var out [][]*editCase
	for i := range cases {
		if i == 0 || cases[i].File != cases[i-1].File {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], &cases[i])
	}
	return out
}

// edit tries one case in a copy of the small files.
func (r *rig) edit(ctx context.Context, s *server, c *editCase, client string) (edited, error) {
	out := edited{Client: client, Model: s.model, Case: c.id()}
	dir, err := os.MkdirTemp("", "tandem-edit")
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(samplesDir)); err != nil {
		return out, err
	}
	file := filepath.Join(dir, c.File)
	data, err := os.ReadFile(file)
	if err != nil {
		return out, err
	}
	before := string(data)
	first, last, err := linesOf(before, c)
	if err != nil {
		return out, err
	}
	start := time.Now()
	if client == "plain" {
		err = plainEdit(ctx, s, c, before, first, last, &out, file)
	} else {
		err = r.tandemEdit(ctx, s, c, dir, first, last, &out)
	}
	out.Seconds = time.Since(start).Seconds()
	if err != nil {
		return out, err
	}
	after, err := os.ReadFile(file)
	if err != nil {
		return out, err
	}
	out.Read = out.Read || string(after) != before
	out.Right = string(after) != before && c.follows(string(after))
	return out, nil
}

// linesOf are the lines of the function that a case is about, from 1, both inclusive.
func linesOf(text string, c *editCase) (first, last int, err error) {
	for _, d := range clones.Definitions(c.File, text) {
		if d.Name == c.Function && d.Function {
			return d.First + 1, d.Last, nil
		}
	}
	return 0, 0, fmt.Errorf("no function %s", c.Function)
}

// follows reports whether a file is as the instruction wants it.
func (c *editCase) follows(text string) bool {
	text = strings.Join(strings.Fields(text), " ")
	has := func(pattern string) bool { return regexp.MustCompile(pattern).MatchString(text) }
	return !slices.ContainsFunc(c.Want, func(p string) bool { return !has(p) }) && !slices.ContainsFunc(c.Never, has)
}

// chatConfiguration is for edits: the same server by its chat.
const chatConfiguration = `fast = "mine"
models.mine.provider = "here"
models.mine.model = "%s"
models.mine.context_window = %d
providers.here.base_url = "%s/v1"
providers.here.wire_api = "chat"
`

// tandemEdit has tandem edit --write do it. A change that it does not write but prints is
// put into the file, so that it can be judged.
func (r *rig) tandemEdit(ctx context.Context, s *server, c *editCase, dir string, first, last int, out *edited) error {
	home, env, err := userHome(s.address)
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	config := filepath.Join(home, "edits.toml")
	if err := os.WriteFile(config, fmt.Appendf(nil, chatConfiguration, s.model, contextTokens, s.address), 0o600); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, r.tandem, "--config", config, "--workspace", dir, "edit", fmt.Sprintf("%s:%d-%d", c.File, first, last), c.Instruction, "--write")
	command.Dir, command.Env = dir, env
	said, problems, code, err := client.Run(command)
	if err != nil {
		return err
	}
	if out.Passed = code == 0; out.Passed {
		return nil
	}
	out.Said = tail([]byte(problems))
	out.Read = strings.Contains(out.Said, "sees nothing to change")
	if strings.Contains(said, "\n@@ ") {
		out.Read = true
		apply := exec.CommandContext(ctx, "git", "apply", "--unidiff-zero", "-")
		apply.Dir, apply.Stdin = dir, strings.NewReader(said)
		_ = apply.Run() // a diff that does not apply leaves the file wrong
	}
	return nil
}

// plainEdit is what a client of 20 lines does: the marked lines, the instruction, all of it
// back in one fence.
func plainEdit(ctx context.Context, s *server, c *editCase, before string, first, last int, out *edited, file string) error {
	lines := strings.SplitAfter(before, "\n")
	marked := strings.Join(lines[first-1:last], "")
	question := fmt.Sprintf("Here is a part of %s:\n\n```\n%s```\n\n%s.\n\nAnswer with the whole changed part in one fence, and nothing else.", c.File, marked, c.Instruction)
	text, err := s.chat(ctx, question, editTokens)
	if err != nil {
		return err
	}
	block, ok := fenced(text)
	if !ok {
		out.Said = "no fence"
		return nil
	}
	out.Read, out.Passed = true, true // it checks nothing
	changed := strings.Join(lines[:first-1], "") + reindented(block, marked) + strings.Join(lines[last:], "")
	return os.WriteFile(file, []byte(changed), 0o644)
}

var fence = regexp.MustCompile("(?s)```[^\n]*\n(.*?)```")

func fenced(text string) (string, bool) {
	m := fence.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// reindented gives a block the indentation of what it replaces, if it came without.
func reindented(block, was string) string {
	indent := was[:indentOf(was)]
	if indent == "" || strings.HasPrefix(block, indent) {
		return block
	}
	lines := strings.SplitAfter(block, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			lines[i] = indent + line
		}
	}
	return strings.Join(lines, "")
}
