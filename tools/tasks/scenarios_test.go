package tasks

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the scenarios lead to beside them")

var built programs

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "tandem-tasks")
	if err == nil {
		built, err = build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// TestScenarios runs each scenario through the built programs. A scenario is a list of
// what an editor and a person do, the files of the workspace (w/...), the script of a
// model that knows only what it was shown, what differs in the deep model and its provider,
// and the states that it leads to.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("../../testdata/tasks/*.txtar")
	if err != nil || len(files) < 16 {
		t.Fatalf("%d scenarios, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runScenario(t, file)
		})
	}
}

// A scenario is one that runs.
type scenario struct {
	t      *testing.T
	home   *home
	editor *editor
	ids    []string // of the tasks, in the order in which they began
	parts  map[string]string
	out    strings.Builder
}

func runScenario(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &scenario{t: t, parts: map[string]string{}}
	work := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
	for _, f := range a.Files {
		if name, ok := strings.CutPrefix(f.Name, "w/"); ok {
			work[name] = string(f.Data)
		} else {
			s.parts[f.Name] = string(f.Data)
		}
	}
	expand(work, s.parts["repeat"])
	script := "[server]\nshow_only = true\n" + s.parts["script"]
	if s.home, err = newHome(built, t.TempDir(), setup{files: work, script: script, tables: cmp.Or(s.parts["settings"], "[tasks]\nreview = \"never\"\n"),
		deep: s.parts["deep"], wire: s.parts["wire"]}); err != nil {
		t.Fatal(err)
	}
	defer s.home.close()
	s.start()
	for _, line := range strings.Split(strings.TrimSpace(string(a.Comment)), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fmt.Fprintf(&s.out, "> %s\n", line)
		s.step(line)
	}
	if s.editor != nil {
		s.editor.Kill()
	}
	got := s.normal(s.out.String())
	if *update {
		s.write(file, a, got)
	} else if want := s.parts["want"]; got != want {
		t.Errorf("the transcript is\n%s\nwant\n%s\nrequests:\n%s", got, want, shortened(s.home.sent()))
	}
}

// expand makes files that differ in a number: "NAME COUNT", with the text of file NAME, in
// which % stands for the number.
func expand(work map[string]string, repeat string) {
	for line := range strings.Lines(repeat) {
		name, count, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := strconv.Atoi(count)
		for i := 1; i <= n; i++ {
			number := strconv.Itoa(i)
			work[strings.ReplaceAll(name, "%", number)] = strings.ReplaceAll(work[name], "%", number)
		}
		delete(work, name)
	}
}

func shortened(s string) string { return s[max(0, len(s)-6000):] }

func (s *scenario) write(file string, a *txtar.Archive, got string) {
	for i, f := range a.Files {
		if f.Name == "want" {
			a.Files[i].Data = []byte(got)
			got = ""
		}
	}
	if got != "" {
		a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(got)})
	}
	if err := os.WriteFile(file, txtar.Format(a), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// normal takes out what differs from run to run.
func (s *scenario) normal(text string) string {
	for i, id := range s.ids {
		text = strings.ReplaceAll(text, id, fmt.Sprintf("TASK%d", i+1))
	}
	text = strings.ReplaceAll(text, s.home.workspace, "WORKSPACE")
	text = strings.ReplaceAll(text, s.home.address, "ADDRESS")
	return regexp.MustCompile(`\$\d+\.\d+`).ReplaceAllString(text, "$$PRICE")
}

func (s *scenario) start() {
	var err error
	if s.editor, err = s.home.edit(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scenario) say(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

// task is the task that a word names: t2 is the second; any other word means the last.
func (s *scenario) task(word string) (id string, named bool) {
	if n, err := strconv.Atoi(strings.TrimPrefix(word, "t")); err == nil && strings.HasPrefix(word, "t") && n <= len(s.ids) {
		return s.ids[n-1], true
	}
	if len(s.ids) == 0 {
		s.t.Fatal("there is no task yet")
	}
	return s.ids[len(s.ids)-1], false
}

// step does one line of a scenario.
func (s *scenario) step(line string) {
	verb, rest, _ := strings.Cut(line, " ")
	do := map[string]func(string){
		"open": func(name string) { s.check(s.editor.Open(name, s.home.read(name))) }, "escalate": s.escalate, "wait": s.wait, "state": s.state, "steer": s.steer,
		"plan": s.plan, "resume": s.resume, "cancel": s.cancel, "kill": func(string) { s.editor.Kill() }, "quit": func(string) { s.editor.Quit() }, "start": func(string) { s.start() },
		"type": s.typed, "accept": s.accept, "show": func(name string) { s.say("%s", strings.TrimSuffix(s.editor.Text(name), "\n")) }, "disk": func(name string) { s.say("%s", strings.TrimSuffix(s.home.read(name), "\n")) },
		"tests": func(rest string) { s.begin(rest, true) }, "skip": func(name string) { s.skip(name, true) }, "unskip": func(name string) { s.skip(name, false) },
		"reject": func(rest string) { s.resolve("reject", rest) }, "cli": s.cli, "asked": s.asked, "count": s.count, "list": s.list, "calls": s.calls,
	}[verb]
	if do == nil {
		s.t.Fatalf("unknown step %q", line)
	}
	do(rest)
}

func (s *scenario) check(err error) {
	if err != nil {
		s.say("error: %v", err)
	}
}

func (s *scenario) escalate(rest string) { s.begin(rest, false) }

// begin starts a task; tests is true if it may have the test command run.
func (s *scenario) begin(rest string, tests bool) {
	name, instruction, _ := strings.Cut(rest, " ")
	id, err := s.editor.escalate(strings.TrimPrefix(name, "-"), instruction, tests)
	s.check(err)
	if err == nil {
		s.ids = append(s.ids, id)
	}
}

// wait waits until a task is in a state, or over; "step N STATE" waits for a step, and
// "asked TEXT" for a request to a model.
func (s *scenario) wait(rest string) {
	if mark, ok := strings.CutPrefix(rest, "asked "); ok {
		for end := time.Now().Add(patience); s.home.requests(mark) == 0; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				s.t.Fatalf("no request holds %q", mark)
			}
		}
		return
	}
	words := strings.Fields(rest)
	id, named := s.task(words[0])
	if named {
		words = words[1:]
	}
	met := func(t taskNote) bool {
		switch words[0] {
		case "over":
			return t.State == "done" || t.State == "failed" || t.State == "cancelled" || t.State == "interrupted"
		case "step":
			n, _ := strconv.Atoi(words[1])
			return len(t.Steps) >= n && t.Steps[n-1].State == words[2]
		}
		return t.State == words[0]
	}
	if t, ok := s.editor.await(id, met); !ok {
		s.t.Fatalf("%s never comes: the task is %+v\n%s", rest, t, shortened(s.home.sent()))
	}
}

// state prints a task as it is listed.
func (s *scenario) state(rest string) {
	id, _ := s.task(rest)
	raw, err := s.editor.Call("tandem/tasks", map[string]any{})
	s.check(err)
	var list struct{ Tasks []taskNote }
	if err := json.Unmarshal(raw, &list); err != nil {
		s.t.Fatal(err)
	}
	for _, t := range list.Tasks {
		if t.ID != id {
			continue
		}
		s.say("%s%s%s", t.State, labelled(": ", t.Error), labelled(", resolved: ", t.Resolved))
		if t.Review != "" {
			s.say("review: %s", t.Review)
		}
		if t.Question != "" {
			s.say("question: %s", t.Question)
		}
		for i, step := range t.Steps {
			s.say("  %d. [%s] %s: %s%s%s", i+1, step.Lane, step.Title, step.State, labelled(" ", strings.Join(step.Files, " ")), labelled("; ", step.Error))
		}
	}
}

func labelled(label, text string) string {
	if text == "" {
		return ""
	}
	return label + text
}

func (s *scenario) message(method, rest string) {
	word, text, _ := strings.Cut(rest, " ")
	id, named := s.task(word)
	if !named {
		text = rest
	}
	s.editor.forget(id)
	_, err := s.editor.Call(method, map[string]any{"id": id, "text": text})
	s.check(err)
}

func (s *scenario) steer(rest string)  { s.message("tandem/steer", rest) }
func (s *scenario) resume(rest string) { s.message("tandem/resume", rest) }
func (s *scenario) cancel(rest string) { s.message("tandem/cancel", rest) }

func (s *scenario) plan(name string) {
	id, _ := s.task("")
	s.editor.forget(id)
	_, err := s.editor.Call("tandem/plan", map[string]any{"id": id, "text": s.parts[name]})
	s.check(err)
}

// typed changes an open document: FILE "old" "new".
func (s *scenario) typed(rest string) {
	m := regexp.MustCompile(`^(\S+) "(.*)" "(.*)"$`).FindStringSubmatch(rest)
	if m == nil {
		s.t.Fatalf("type %s", rest)
	}
	unquoted := strings.NewReplacer(`\n`, "\n", `\t`, "\t")
	s.check(s.editor.Change(m[1], strings.Replace(s.editor.Text(m[1]), unquoted.Replace(m[2]), unquoted.Replace(m[3]), 1)))
}

// skip lets the editor report the edits of a file as applied without applying them.
func (s *scenario) skip(name string, on bool) {
	s.editor.mu.Lock()
	defer s.editor.mu.Unlock()
	s.editor.skips[name] = on
}

func (s *scenario) accept(rest string) { s.resolve("accept", rest) }

// resolve decides about a task's result, or a part of it: [tN] [step N] [file F] [hunk N].
func (s *scenario) resolve(action, rest string) {
	words := strings.Fields(rest)
	id, named := s.task(strings.Join(words[:min(1, len(words))], ""))
	if named {
		words = words[1:]
	}
	params := map[string]any{"id": id, "action": action}
	for i := 0; i+1 < len(words); i += 2 {
		params[words[i]] = words[i+1]
		if n, err := strconv.Atoi(words[i+1]); err == nil {
			params[words[i]] = n
		}
	}
	raw, err := s.editor.Call("tandem/resolve", params)
	if err != nil {
		s.say("error: %v", err)
		return
	}
	if action == "reject" {
		return
	}
	var out struct {
		Files     int
		Conflicts []struct{ Message string }
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		s.t.Fatal(err)
	}
	s.say("%d file(s)", out.Files)
	for _, c := range out.Conflicts {
		s.say("conflict: %s", c.Message)
	}
}

// cli runs the program at a terminal; ID stands for the last task's id.
func (s *scenario) cli(rest string) {
	var args []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|(\S+)`).FindAllStringSubmatch(rest, -1) {
		arg := m[1] + m[2]
		if arg == "ID" {
			arg, _ = s.task("")
		}
		args = append(args, arg)
	}
	code, out, problems, err := s.home.run(args...)
	s.check(err)
	for line := range strings.Lines(problems) {
		if strings.HasPrefix(line, "tandem: ") || strings.HasPrefix(line, "conflict") || strings.HasPrefix(line, "wrote") {
			s.say("%s", strings.TrimSpace(line))
		}
	}
	if m := regexp.MustCompile(`(?m)^\s*"id": "(\w+)"`).FindStringSubmatch(out); m != nil && len(s.ids) == 0 {
		s.ids = append(s.ids, m[1])
	}
	s.say("exit %d", code)
}

// asked prints how many of the requests to models contain a text.
func (s *scenario) asked(mark string) { s.say("%d request(s)", s.home.requests(mark)) }

// count prints how many files of the workspace hold a text: GLOB TEXT.
func (s *scenario) count(rest string) {
	glob, text, _ := strings.Cut(rest, " ")
	names, err := filepath.Glob(filepath.Join(s.home.workspace, glob))
	s.check(err)
	n := 0
	for _, name := range names {
		if data, err := os.ReadFile(name); err == nil && strings.Contains(string(data), text) {
			n++
		}
	}
	s.say("%d of %d files", n, len(names))
}

func (s *scenario) list(string) {
	raw, err := s.editor.Call("tandem/tasks", map[string]any{})
	s.check(err)
	var list struct{ Tasks []taskNote }
	s.check(json.Unmarshal(raw, &list))
	for _, t := range list.Tasks {
		s.say("%s %s", t.ID, t.State)
	}
}

func (s *scenario) calls(string) {
	id, _ := s.task("")
	t, _ := s.editor.await(id, func(taskNote) bool { return true })
	for _, c := range t.Calls {
		s.say("%s %s%s", c.Tool, c.Args, labelled(": ", c.Error))
	}
}
