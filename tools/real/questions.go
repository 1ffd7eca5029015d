package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
	"tandem/tools/client"
)

//go:embed testdata/questions.json
var questionCases []byte

//go:embed testdata/agents.json
var agentCases []byte

//go:embed testdata/plain.json
var plainCases []byte

// A question is plain words whose answer is a function of a clone, at a commit.
type question struct {
	Clone    string `json:"clone"`
	Commit   string `json:"commit"`
	Question string `json:"question"`
	Path     string `json:"path"`
	Function string `json:"function"`
}

// An asked question says whether the prompt would hold the function's file and the function
// whole, in tandem's window and in the chunks that BM25 finds for the words.
type asked struct {
	Question string  `json:"question"`
	Path     string  `json:"path"`
	Function string  `json:"function"`
	Tokens   int     `json:"tokens"`
	File     bool    `json:"tandem_file"`
	Whole    bool    `json:"tandem_whole"`
	BM25     bool    `json:"bm25_whole"`
	MS       float64 `json:"ms,omitempty"`
	CPU      float64 `json:"processor_ms,omitempty"` // of the server
}

func (r *rig) questionsLog() string { return filepath.Join(r.state, "questions.jsonl") }

// questions needs no model: what a model is not shown it cannot explain.
func (r *rig) questions(ctx context.Context) error {
	_, err := r.askAll(ctx, questionCases, r.questionsLog(), r.window)
	return err
}

// agents is the same for the tool of `tandem mcp` and the words of agents.
func (r *rig) agents(ctx context.Context) error {
	all, err := r.askAll(ctx, agentCases, filepath.Join(r.state, "agents.jsonl"), r.tool)
	whole, searched := 0, 0
	var ms, cpu []float64
	for _, a := range all {
		ms, cpu = append(ms, a.MS), append(cpu, a.CPU)
		whole, searched = whole+figures.One(a.Whole), searched+figures.One(a.BM25)
	}
	if len(all) > 0 {
		fmt.Printf("%d questions: function whole in context %d, by BM25 %d; warm, processor time %.0f ms, 95 %% within %.0f ms; by the clock %.0f ms, 95 %% within %.0f ms\n",
			len(all), whole, searched, figures.Percentile(cpu, 50), figures.Percentile(cpu, 95), figures.Percentile(ms, 50), figures.Percentile(ms, 95))
	}
	return err
}

// plain is the same for tandem ask without a model, and the words of people.
func (r *rig) plain(ctx context.Context) error {
	all, err := r.askAll(ctx, plainCases, filepath.Join(r.state, "plain.jsonl"), r.alone)
	whole, searched := 0, 0
	for _, a := range all {
		whole, searched = whole+figures.One(a.Whole), searched+figures.One(a.BM25)
	}
	if len(all) > 0 {
		fmt.Printf("%d plain questions: function whole in the answer %d (%.0f %%, bar 60 %%), by BM25 in as many tokens %d\n", len(all), whole, 100*float64(whole)/float64(len(all)), searched)
	}
	return err
}

// alone is what tandem ask answers without a model.
func (r *rig) alone(ctx context.Context, dir string, q question, a *asked) (string, error) {
	command := exec.CommandContext(ctx, r.tandem, "ask", "--offline", "--workspace", dir, q.Question)
	command.Env, command.Dir = client.Home(filepath.Join(r.state, "home")), dir
	out, err := command.Output()
	text := string(out)
	a.Tokens, a.File = clones.Count(text), strings.Contains(text, q.Path+":")
	return text, err
}

// A shower shows what answers a question, in a checkout.
type shower func(ctx context.Context, dir string, q question, a *asked) (text string, err error)

// askAll asks the questions that a log has not, and returns all of it.
func (r *rig) askAll(ctx context.Context, source []byte, name string, show shower) ([]asked, error) {
	var cases []question
	if err := json.Unmarshal(source, &cases); err != nil {
		return nil, err
	}
	list, err := r.openClones(ctx)
	if err != nil {
		return nil, err
	}
	log, err := figures.OpenLog[asked](name)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	for _, c := range list {
		for _, q := range cases {
			known := slices.ContainsFunc(log.All, func(a asked) bool { return a.Question == q.Question && a.Path == q.Path })
			if q.Clone != c.Name || known || r.over() {
				continue
			}
			a, err := r.askQuestion(ctx, c, q, show)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", q.Question, err)
			}
			fmt.Printf("file %-5v function %-5v BM25 %-5v %s %s\n", a.File, a.Whole, a.BM25, q.Path, q.Function)
			if err := log.Add(a); err != nil {
				return nil, err
			}
		}
	}
	return log.All, nil
}

func (r *rig) askQuestion(ctx context.Context, c *clones.Clone, q question, show shower) (asked, error) {
	a := asked{Question: q.Question, Path: q.Path, Function: q.Function}
	k, err := clones.NewCheckout(ctx, c, filepath.Join(r.state, "tree", c.Name))
	if err != nil {
		return a, err
	}
	if err := k.Move(ctx, q.Commit); err != nil {
		return a, err
	}
	tree, err := clones.NewForest(c).Read(ctx, q.Commit)
	if err != nil {
		return a, err
	}
	gold, err := goldLines(tree, q)
	if err != nil {
		return a, err
	}
	text, err := show(ctx, k.Dir, q, &a)
	if err != nil {
		return a, err
	}
	a.Whole = clones.ShownWhole(text, gold)
	found, _ := clones.Fill(clones.BM25(tree, q.Question, ""), a.Tokens)
	a.BM25 = clones.ShownWhole(found, gold)
	return a, nil
}

// window is what a model is shown.
func (r *rig) window(ctx context.Context, dir string, q question, a *asked) (string, error) {
	tandem, err := clones.StartTandem(ctx, r.tandem, dir, filepath.Join(r.state, "home"))
	if err != nil {
		return "", err
	}
	defer tandem.Close()
	w, err := tandem.Ask(clones.Request{ID: q.Question, Purpose: "ask", Words: q.Question, Text: true})
	if err != nil {
		return "", err
	}
	a.Tokens = w.Tokens
	a.File = slices.ContainsFunc(w.Fragments, func(f clones.Fragment) bool { return f.Path == q.Path })
	return w.Text, nil
}

// tool is what an agent gets that calls the tool, the second time.
func (r *rig) tool(ctx context.Context, dir string, q question, a *asked) (string, error) {
	process := exec.CommandContext(ctx, r.tandem, "mcp", "--offline", "--workspace", dir)
	process.Env = client.Home(filepath.Join(r.state, "home"))
	session, err := mcp.NewClient(&mcp.Implementation{Name: "real"}, nil).Connect(ctx, &mcp.CommandTransport{Command: process}, nil)
	if err != nil {
		return "", err
	}
	defer session.Close()
	var text string
	for _, words := range []string{"where errors are reported", q.Question} { // the first reads the workspace
		start, ran := time.Now(), client.ProcessorTime(process.Process.Pid)
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "context", Arguments: map[string]any{"words": words}})
		if err != nil {
			return "", err
		}
		a.MS = float64(time.Since(start).Microseconds()) / 1e3
		a.CPU = float64((client.ProcessorTime(process.Process.Pid) - ran).Microseconds()) / 1e3
		text = result.Content[0].(*mcp.TextContent).Text
	}
	a.Tokens, a.File = clones.Count(text), strings.Contains(text, q.Path+":")
	return text, nil
}

// goldLines are the lines of a question's function.
func goldLines(tree *clones.Tree, q question) ([]string, error) {
	f := tree.ByPath[q.Path]
	if f == nil || !f.Source() {
		return nil, fmt.Errorf("no file %s", q.Path)
	}
	for _, d := range f.Definitions() {
		if d.Name == q.Function || d.Outer+"."+d.Name == q.Function {
			return f.Lines[d.First:d.Last], nil
		}
	}
	return nil, fmt.Errorf("no function %s in %s", q.Function, q.Path)
}
