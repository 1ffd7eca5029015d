package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/edit"
	"tandem/model/assist/prompt"
	"tandem/model/tool"
	"tandem/workspace"
	"tandem/workspace/cut"
	"tandem/workspace/index"
	"tandem/workspace/redact"
	"tandem/workspace/state"
	"tandem/workspace/window"
)

// Bounds of what a model looks at for one answer.
const (
	maxToolRounds = 6
	maxToolsOnce  = 6
	maxToolLines  = 220      // of one file
	maxToolBytes  = 12 << 10 // of one result
	maxToolTotal  = 64 << 10
	lookBudget    = 3000 // tokens of a search
)

// A taskTool is something that the deep model may ask for while it answers. The same
// definition serves function calls and lines of text.
type taskTool struct {
	tool.Tool
	run func(*toolbox, context.Context, tool.Args) (redact.Text, error)
}

// taskTools are the tools of every question of a task.
var taskTools = []taskTool{
	{tool.Tool{Name: "search", About: "Shows the code of the workspace that words name.", Text: "words", Says: "names and words that the code holds"}, (*toolbox).search},
	{tool.Tool{Name: "file", About: "Shows a file of the workspace, from its start or the lines that are named.", Text: "path", Says: "path from the top of the workspace", Lines: true}, (*toolbox).file},
	{tool.Tool{Name: "definition", About: "Shows where a name is defined.", Text: "name", Says: "name of a function, type, constant or variable"}, (*toolbox).definition},
	{tool.Tool{Name: "users", About: "Lists the files that use a name.", Text: "name", Says: "name of a function, type, constant or variable"}, (*toolbox).users},
	{tool.Tool{Name: "implementations", About: "Lists what implements an interface, extends a class, or has a method of the same name.", Text: "name", Says: "name of an interface, class or method"}, (*toolbox).implementations},
	{tool.Tool{Name: "diagnostics", About: "Lists what compilers and linters report about a file.", Text: "path", Says: "path from the top of the workspace"}, (*toolbox).diagnostics},
	{tool.Tool{Name: "step", About: "Shows what an earlier step of the plan changed.", Number: "step"}, (*toolbox).changedBy},
	{tool.Tool{Name: "ask", About: "Asks the user a question and waits for the answer; for what only the user can decide.", Text: "question", Says: "the question, one sentence"}, (*toolbox).askUser},
}

// testTool runs the user's own test command. A task has it if the user allowed that.
var testTool = taskTool{tool.Tool{Name: testsName, About: "Runs the user's test command on the files as they are on disk, without the edits of this task that the user has not accepted, and shows its output."}, (*toolbox).runTests}

// testsName is the name of testTool.
const testsName = "tests"

// maxTestRuns is how often one task may run the test command.
const maxTestRuns = 6

// toolsOf are the tools that the deep model may use in a task.
func (c costs) toolsOf(run *taskRun) []taskTool {
	if !run.record().Tests || c.settings().Test == nil || !run.snap.Trusted() || run.folder() == nil {
		return taskTools
	}
	return append(slices.Clone(taskTools), testTool)
}

func described(list []taskTool) []tool.Tool {
	out := make([]tool.Tool, len(list))
	for i, t := range list {
		out[i] = t.Tool
	}
	return out
}

// A toolbox gives a model what it asks for while it works on one question. Everything is
// read through the gate, with secrets replaced as in the window of the question.
type toolbox struct {
	costs costs
	run   *taskRun
	tools []taskTool
	step  int // index; -1 for the plan and the review
	snap  *workspace.Snapshot
	ask   *prompt.Request
	seen  map[string]bool // calls by their text
	size  int             // bytes of all results
}

// A toolUse is one use of a tool, as the model wrote it.
type toolUse struct {
	name string
	args string // as written
	read func(tool.Tool) (tool.Args, error)
}

// result answers one use of a tool, and records it with its size. What is wrong with it is given to
// the model in place of a result. number counts the uses of one answer from 0.
func (b *toolbox) result(ctx context.Context, number int, w toolUse) redact.Text {
	text, args, err := b.use(ctx, number, w)
	call := state.Call{Step: b.step, Tool: w.name[:min(len(w.name), 40)], Args: args[:min(len(args), 200)], Tokens: text.Len() / 4}
	if err != nil {
		text, call.Error = b.run.secrets.Redact(err.Error()), err.Error()
	}
	b.size += text.Len()
	b.run.set(func(rec *state.Task) { rec.Calls = append(slices.Clone(rec.Calls), call) })
	return text
}

func (b *toolbox) use(ctx context.Context, number int, w toolUse) (text redact.Text, args string, err error) {
	at := slices.IndexFunc(b.tools, func(t taskTool) bool { return string(t.Name) == w.name })
	if at < 0 {
		return redact.Text{}, w.args, fmt.Errorf("there is no such tool")
	}
	t := b.tools[at]
	a, err := w.read(t.Tool)
	if err != nil {
		return redact.Text{}, w.args, err
	}
	args = t.Line(a)
	key := string(t.Name) + " " + args
	switch {
	case number >= maxToolsOnce:
		return redact.Text{}, args, fmt.Errorf("%d at once are enough; ask for this again if you still need it", maxToolsOnce)
	case b.seen[key]:
		return redact.Text{}, args, fmt.Errorf("you have been shown this already")
	case b.size > maxToolTotal:
		return redact.Text{}, args, fmt.Errorf("you have looked at as much as one answer may; answer now")
	}
	b.seen[key] = true
	text, err = t.run(b, ctx, a)
	return text, args, err
}

// shown returns lines of a file and records that the model has seen them.
func (b *toolbox) shown(name string, first, last int) (redact.Text, error) {
	text, ok := edit.Readable(b.snap, name)
	if !ok {
		return redact.Text{}, fmt.Errorf("%s cannot be shown", name)
	}
	source := redact.FileSource(b.snap.Resolve(name), text)
	first = min(max(first, 1), max(source.LineCount(), 1))
	last = min(max(last, first), first+maxToolLines-1)
	part := bounded(b.run.secrets.Lines(source, first, last))
	if s := b.ask.Seen[name]; s == nil {
		b.ask.Seen[name] = &prompt.Seen{Lines: map[int]bool{}, Texts: map[string]bool{}}
	}
	for n := range strings.Count(part.String(), "\n") + 1 {
		b.ask.Seen[name].Lines[first+n] = true
	}
	return redact.Format("# %s:%s\n%s", b.run.secrets.Redact(name), redact.Int(first), part), nil
}

// bounded is the beginning of a result that is too long, to the end of a line.
func bounded(text redact.Text) redact.Text {
	if text.Len() <= maxToolBytes {
		return text
	}
	return text.Slice(0, strings.LastIndexByte(text.String()[:maxToolBytes], '\n')+1)
}

// search shows the code that words name, chosen as for a question.
func (b *toolbox) search(ctx context.Context, a tool.Args) (redact.Text, error) {
	w, err := window.Build(ctx, b.snap, window.Request{Purpose: "ask", Words: a.Text, Budget: lookBudget, Counter: model.Counter(b.costs.deepConfig()), Secrets: b.run.secrets})
	if err != nil {
		return redact.Text{}, err
	}
	var out redact.Text
	for _, f := range w.Fragments {
		switch f.Kind {
		case window.FragmentCursor, window.FragmentMap, window.FragmentRule, window.FragmentRecentEdit, window.FragmentDiagnostic:
			continue
		}
		if text, err := b.shown(f.Path, f.StartLine, f.EndLine); err == nil && out.Len()+text.Len() < maxToolBytes {
			out = redact.Format("%s%s\n", out, text)
		}
	}
	if out.Len() == 0 {
		return redact.Text{}, errors.New(b.snap.Absent("nothing was found"))
	}
	return out, nil
}

func (b *toolbox) definition(ctx context.Context, a tool.Args) (redact.Text, error) {
	return b.search(ctx, tool.Args{Text: "`" + a.Text + "`"})
}

// file shows a file, or the lines of it that are named.
func (b *toolbox) file(_ context.Context, a tool.Args) (redact.Text, error) {
	if err := b.visible(a.Text); err != nil {
		return redact.Text{}, err
	}
	return b.shown(a.Text, a.First, cmp.Or(a.Last, a.First+maxToolLines))
}

// visible returns why a model may not be shown a path that it wrote, or nil.
func (b *toolbox) visible(name string) error {
	if why := (taskFiles{b.run}).Refuse(name, false); why != "" {
		return fmt.Errorf("%s cannot be shown: %s", name, why)
	}
	return nil
}

// users lists the files that use a name.
func (b *toolbox) users(_ context.Context, a tool.Args) (redact.Text, error) {
	return b.listed("no file uses "+a.Text, func(ix *index.Index, add func(path, rest string)) {
		for _, id := range ix.Users(a.Text) {
			add(ix.Path(id), "")
		}
	})
}

// implementations lists what implements a name, a line each.
func (b *toolbox) implementations(_ context.Context, a tool.Args) (redact.Text, error) {
	return b.listed("nothing implements "+a.Text, func(ix *index.Index, add func(path, rest string)) {
		for _, d := range index.Implementations(ix, a.Text) {
			signature, _, _ := strings.Cut(strings.TrimSpace(ix.SigText(d.ID)), "\n")
			add(ix.Path(d.File), fmt.Sprintf(":%d: %s", d.StartLine, signature))
		}
	})
}

// listed is a list of lines about files of the workspace, without those of files that may
// not be shown, and as long as a list may be.
func (b *toolbox) listed(none string, lines func(ix *index.Index, add func(path, rest string))) (redact.Text, error) {
	var out strings.Builder
	left := 0
	for _, view := range b.snap.Around(b.run.req.URI) {
		lines(view.Index(), func(path, rest string) {
			abs := view.Abs(path)
			if ok, _ := b.snap.Allowed(abs); !ok {
				return
			}
			if out.Len() < maxToolBytes/4 {
				fmt.Fprintln(&out, b.snap.Name(abs)+rest)
			} else {
				left++
			}
		})
	}
	if out.Len() == 0 {
		return redact.Text{}, errors.New(b.snap.Absent(none))
	}
	if more := cut.Join(cut.Left(left, "more", "more"), b.snap.Unread()); !more.None() {
		fmt.Fprintln(&out, "# "+more.String())
	}
	return b.run.secrets.Redact(out.String()), nil
}

func (b *toolbox) diagnostics(_ context.Context, a tool.Args) (redact.Text, error) {
	if err := b.visible(a.Text); err != nil {
		return redact.Text{}, err
	}
	uri := b.snap.Resolve(a.Text)
	var out redact.Text
	for _, d := range b.snap.Diagnostics(uri) {
		out = redact.Format("%s%s\n", out, prompt.DiagnosticLine(b.run.secrets, b.snap, uri, d))
	}
	if out.Len() == 0 {
		return redact.Text{}, fmt.Errorf("nothing is reported about %s", a.Text)
	}
	return bounded(out), nil
}

// changedBy shows what a step changed.
func (b *toolbox) changedBy(_ context.Context, a tool.Args) (redact.Text, error) {
	b.run.mu.Lock()
	changes := b.run.results[a.Number-1]
	b.run.mu.Unlock()
	if len(changes) == 0 {
		return redact.Text{}, fmt.Errorf("step %d has changed nothing yet", a.Number)
	}
	return bounded(diffOf(b.run.secrets, edits.JoinChanges(changes))), nil
}

// askUser waits for the user's answer to a question of the model's.
func (b *toolbox) askUser(ctx context.Context, a tool.Args) (redact.Text, error) {
	if b.costs.settings().Unattended {
		return redact.Text{}, fmt.Errorf("nobody can be asked; decide yourself")
	}
	was := b.run.record().State
	if !b.run.mail.openQuestion() {
		return redact.Text{}, fmt.Errorf("another question waits for the user; decide yourself")
	}
	b.run.set(func(rec *state.Task) {
		rec.State = Waiting
		addMessage(rec, "task", "question", taskMessage{text: a.Text})
	})
	answer, err := b.run.mail.waitForAnswer(ctx)
	if err != nil {
		return redact.Text{}, err
	}
	b.run.set(func(rec *state.Task) {
		rec.State = was
		addMessage(rec, "user", "answer", answer)
	})
	return redact.Format("The user answers: %s", b.run.secrets.User(answer.text, answer.sendSecrets)), nil
}

// runTests runs the user's test command. Its output is bounded by the model's window too,
// and then its end is kept.
func (b *toolbox) runTests(ctx context.Context, _ tool.Args) (redact.Text, error) {
	runs := 0
	for _, call := range b.run.record().Calls {
		if call.Tool == testsName && call.Error == "" {
			runs++
		}
	}
	if runs >= maxTestRuns {
		return redact.Text{}, fmt.Errorf("the tests have been run %d times for this task, which is as often as they may", runs)
	}
	out, err := b.costs.settings().Test(ctx, b.run.folder().Root)
	if err != nil {
		return redact.Text{}, err
	}
	text := b.run.secrets.Redact(out)
	if most := b.costs.deepConfig().ContextWindow; text.Len() > most { // a quarter of it in tokens, about
		from := text.Len() - most
		for !utf8.RuneStart(text.String()[from]) {
			from++
		}
		text = redact.Format("…%s", text.Slice(from, text.Len()))
	}
	return text, nil
}
