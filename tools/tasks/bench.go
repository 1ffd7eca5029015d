package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"tandem/tools/bench/figures"
	"tandem/tools/client"
	"time"
)

// Speeds of the two models and sizes of the measured task, in tokens of the scripted server.
const (
	fastSpeed, deepSpeed = 1000.0, 65.0
	stepTokens           = 600
	planTokens           = 150
)

func bench(p programs, dir, repo string) error {
	var rows []figures.Row
	for _, measure := range []func(programs, string) ([]figures.Row, error){
		eightSteps,
		func(p programs, dir string) ([]figures.Row, error) { return trivial(p, dir, repo) },
		keystrokes,
		firstLine,
	} {
		own, err := os.MkdirTemp(dir, "home")
		if err != nil {
			return err
		}
		found, err := measure(p, own)
		if err != nil {
			return err
		}
		rows = append(rows, found...)
	}
	if !figures.Print(os.Stdout, rows...) {
		return errors.New("not all figures are within their bars")
	}
	return nil
}

// text is a text of so many tokens of the scripted server: a word and a line end each.
func text(tokens int) string { return strings.Repeat("aaaaaaa\n", tokens/2) }

// eightSteps measures a task of six fast and two deep steps against its critical path: the
// plan, a fast step, a deep one, and a fast one after it.
func eightSteps(p programs, dir string) ([]figures.Row, error) {
	plan := ""
	for i, s := range []struct{ lane, after string }{{"FAST", ""}, {"FAST", ""}, {"DEEP", "1"}, {"DEEP", "2"}, {"FAST", "3"}, {"FAST", "4"}, {"FAST", ""}, {"FAST", ""}} {
		line := fmt.Sprintf("%d. [%s] write n%d.txt | write: n%d.txt", i+1, s.lane, i+1, i+1)
		if s.after != "" {
			line += " | after: " + s.after
		}
		plan += line + "\n"
	}
	script := "[server]\nshow_only = true\n"
	for i := range 8 {
		speed := fastSpeed
		if i == 2 || i == 3 {
			speed = deepSpeed
		}
		const markers = 30 // of the block around the text
		script += rule(fmt.Sprintf("contains = \"Do step %d now\"", i+1), fmt.Sprintf("tokens_per_second = %.1f", speed),
			fmt.Sprintf("[[rule.edit]]\npath = \"n%d.txt\"\nold = \"\"\nnew = '''\n%s'''", i+1, text(stepTokens-markers)))
	}
	// The plan is fewer tokens than it should be: remarks fill it up.
	const written = 110
	script += rule("contains = \"Plan the requested work\"", fmt.Sprintf("tokens_per_second = %.1f", deepSpeed), "plan = '''\n"+plan+text(max(planTokens-written, 0))+"'''")
	h, err := newHome(p, dir, setup{files: map[string]string{".git/HEAD": "ref: refs/heads/main\n", "go.mod": "module w\n", "a.go": "package w\n"}, script: script, tables: "[tasks]\nreview = \"never\"\n"})
	if err != nil {
		return nil, err
	}
	defer h.close()
	_, out, problems, err := h.run("edit", "a.go", "write eight files", "--deep", "--json")
	if err != nil {
		return nil, err
	}
	var report struct {
		State string
		Ms    float64
		Steps []struct{ State string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.State != "done" || len(report.Steps) != 8 {
		return nil, fmt.Errorf("the task of eight steps: %v %s%s", err, out, problems)
	}
	critical := 1000 * (planTokens/deepSpeed + stepTokens/fastSpeed + stepTokens/deepSpeed + stepTokens/fastSpeed)
	return []figures.Row{{What: "task of 8 steps: time over its critical path of " + strconv.Itoa(int(critical)) + " ms", Value: report.Ms / critical, Bar: 1.15, Unit: "x", Most: true}}, nil
}

// trivial counts the prompt tokens of a task with one fast step in a file of about 200
// lines of a repository, exactly as the models got them.
func trivial(p programs, dir, repo string) ([]figures.Row, error) {
	name, line, err := fileOf200(repo)
	if err != nil {
		return nil, err
	}
	script := "[server]\nshow_only = true\n" +
		rule("contains = \"Do step 1 now\"", fmt.Sprintf("[[rule.edit]]\npath = '%s'\nold = '''%s\n'''\nnew = '''%s // renamed\n'''", name, line, line)) +
		rule("contains = \"Plan the requested work\"", fmt.Sprintf("plan = '''\n1. [FAST] rename the local variable in %s | write: %s\n'''", name, name))
	h, err := newHome(p, dir, setup{script: script})
	if err != nil {
		return nil, err
	}
	defer h.close()
	if h.workspace, err = filepath.Abs(repo); err != nil {
		return nil, err
	}
	code, out, problems, err := h.run("edit", name+":100", "rename this local variable", "--deep", "--json")
	if err != nil || code != 0 {
		return nil, fmt.Errorf("the trivial task in %s: exit %d, %v: %s%s", name, code, err, out, problems)
	}
	total := 0
	for line := range strings.Lines(h.sent()) {
		var r struct {
			Body struct {
				Instructions string
				Tools        json.RawMessage
				Input        []struct{ Content []struct{ Text string } }
			}
		}
		if json.Unmarshal([]byte(line), &r) != nil {
			continue
		}
		prompt := r.Body.Instructions + string(r.Body.Tools)
		for _, item := range r.Body.Input {
			for _, part := range item.Content {
				prompt += "\n" + part.Text
			}
		}
		file := filepath.Join(dir, "prompt.txt")
		if err := os.WriteFile(file, []byte(prompt), 0o600); err != nil {
			return nil, err
		}
		_, counted, _, err := h.run("tokens", file)
		if err != nil {
			return nil, err
		}
		n, _ := strconv.Atoi(strings.Fields(counted + " 0")[0])
		total += n
	}
	return []figures.Row{{What: "trivial task in " + name + ": prompt tokens in all", Value: float64(total), Bar: 20000, Unit: "tokens", Most: true}}, nil
}

// fileOf200 finds a Go file of about 200 lines in a repository, and a line of it that
// stands there once and declares a local variable.
func fileOf200(repo string) (name, line string, err error) {
	names, err := filepath.Glob(filepath.Join(repo, "workspace", "*.go"))
	if err != nil {
		return "", "", err
	}
	for _, path := range names {
		data, err := os.ReadFile(path)
		if err != nil || strings.HasSuffix(path, "_test.go") {
			continue
		}
		lines := strings.Split(string(data), "\n")
		if len(lines) < 190 || len(lines) > 230 {
			continue
		}
		for _, l := range lines {
			if strings.Contains(l, " := ") && strings.HasPrefix(l, "\t") && !strings.HasSuffix(l, "{") && strings.Count(string(data), l+"\n") == 1 {
				rel, err := filepath.Rel(repo, path)
				return filepath.ToSlash(rel), l, err
			}
		}
	}
	return "", "", errors.New("the repository has no Go file of about 200 lines in workspace/")
}

// keystrokes compares how long a suggestion takes after a keystroke with four tasks
// running and with none.
func keystrokes(p programs, dir string) ([]figures.Row, error) {
	script := "[server]\nshow_only = true\n" +
		rule("contains = \"Do step\"", "tokens_per_second = 65.0", "answer = \"aaaaaaa \"", "repeat = 4000") +
		rule("contains = \"Plan the requested work\"", "plan = \"1. [DEEP] write | write: n.txt\\n\"") +
		rule("delay_ms = 20", "answer = \"x := 1\\n\"")
	h, err := newHome(p, dir, setup{files: map[string]string{".git/HEAD": "ref: refs/heads/main\n", "go.mod": "module w\n", "a.go": "package w\n\nfunc A() {\n\t\n}\n"}, script: script, tables: "[tasks]\nreview = \"never\"\nrunning = 4\n"})
	if err != nil {
		return nil, err
	}
	defer h.close()
	e, err := h.edit()
	if err != nil {
		return nil, err
	}
	defer e.Kill()
	if err := e.open("a.go"); err != nil {
		return nil, err
	}
	idle, err := e.typing(60)
	if err != nil {
		return nil, err
	}
	for range 4 {
		id, err := e.escalate("", "write", false)
		if err != nil {
			return nil, err
		}
		if t, ok := e.await(id, func(t taskNote) bool { return t.State == "running" }); !ok {
			return nil, fmt.Errorf("a task does not run: %+v", t)
		}
	}
	busy, err := e.typing(60)
	if err != nil {
		return nil, err
	}
	return []figures.Row{{What: fmt.Sprintf("keystroke to suggestion, median, 4 tasks over none (%.1f ms)", float64(idle.Microseconds())/1000), Value: float64(busy) / float64(idle), Bar: 1.25, Unit: "x", Most: true}}, nil
}

// typing types and asks for a suggestion n times, and returns the median time.
func (e *editor) typing(n int) (time.Duration, error) {
	var took []time.Duration
	for i := range n {
		e.change("a.go", fmt.Sprintf("package w\n\nfunc A() {\n\tv%d\n}\n", i))
		start := time.Now()
		if _, err := e.Call(client.AskInline(e.uri("a.go"), client.Position{Line: 3, Character: 2 + len(strconv.Itoa(i))}, client.Invoked)); err != nil {
			return 0, err
		}
		took = append(took, time.Since(start))
	}
	return figures.Percentile(took, 50), nil
}

// firstLine measures how long after the first line of a plan has left the model's server
// the editor has it. A proxy between the two notes when the line passes.
func firstLine(p programs, dir string) ([]figures.Row, error) {
	const runs = 9
	plan := ""
	for i := range 12 {
		plan += fmt.Sprintf("%d. [FAST] write n%d.txt | write: n%d.txt\n", i+1, i+1, i+1)
	}
	script := "[server]\nshow_only = true\n" +
		rule("contains = \"Plan the requested work\"", fmt.Sprintf("tokens_per_second = %.1f", deepSpeed), "plan = '''\n"+plan+"'''")
	front := &lineProxy{}
	h, err := newHome(p, dir, setup{files: map[string]string{".git/HEAD": "ref: refs/heads/main\n", "go.mod": "module w\n", "a.go": "package w\n"}, script: script,
		tables: "[tasks]\nreview = \"never\"\nrunning = 1\n", front: front.listen})
	if err != nil {
		return nil, err
	}
	defer h.close()
	defer front.close()
	e, err := h.edit()
	if err != nil {
		return nil, err
	}
	defer e.Kill()
	if err := e.open("a.go"); err != nil {
		return nil, err
	}
	var took []time.Duration
	for range runs {
		front.reset()
		id, err := e.escalate("a.go", "write twelve files", false)
		if err != nil {
			return nil, err
		}
		t, ok := e.await(id, func(t taskNote) bool { return t.Plan != "" })
		shown, sent := time.Now(), front.passed()
		if !ok || sent.IsZero() {
			return nil, fmt.Errorf("no line of a plan is shown: %+v", t)
		}
		took = append(took, shown.Sub(sent))
		if _, err := e.Call("tandem/cancel", map[string]any{"id": id}); err != nil {
			return nil, err
		}
		e.await(id, func(t taskNote) bool { return t.State == "cancelled" })
	}
	slices.Sort(took)
	return []figures.Row{{What: fmt.Sprintf("first line of a plan in the editor after the model's, median of %d (largest %.1f ms)", runs, ms(took[runs-1])), Value: ms(took[runs/2]), Bar: 150, Unit: "ms", Most: true}}, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
