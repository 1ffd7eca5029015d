package assist

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tandem/model"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/state"
)

// Bounds of what a model looks at for one answer.
const (
	maxLookRounds = 6
	maxLooksOnce  = 6
	maxLookLines  = 220      // of one file
	maxLookBytes  = 12 << 10 // of one look
	maxLookTotal  = 64 << 10
	lookBudget    = 3000 // tokens of a search
)

// A look is what a model asks to be shown, in the text protocol of prompts/looking.md.
type look struct{ tool, args string }

// looksIn returns the looks of an answer that holds nothing else; nil if it is an answer.
func looksIn(answer string) []look {
	var out []look
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "`"))
		if line == "" {
			continue
		}
		rest, ok := cutFold(line, "LOOK ")
		if !ok {
			return nil
		}
		tool, args, _ := strings.Cut(strings.TrimSpace(rest), " ")
		out = append(out, look{strings.ToLower(tool), strings.TrimSpace(args)})
	}
	return out
}

// A looker shows a model what it asks for while it works on one question. Everything is
// read through the gate, with secrets replaced as in the window of the question.
type looker struct {
	taskAsker
	run  *taskRun
	step int // index; -1 for the plan and the review
	snap *workspace.Snapshot
	ask  *request
	seen map[look]bool
	size int
}

// results shows what looks ask for, and records each with its size.
func (l *looker) results(ctx context.Context, looks []look) string {
	var b strings.Builder
	for _, one := range looks[:min(len(looks), maxLooksOnce)] {
		text, err := l.result(ctx, one)
		call := state.Call{Step: l.step, Tool: one.tool, Args: one.args[:min(len(one.args), 200)], Tokens: len(text) / 4}
		if err != nil {
			text, call.Error = err.Error(), err.Error()
		}
		l.size += len(text)
		l.set(l.run, func(rec *state.Task) { rec.Calls = append(slices.Clone(rec.Calls), call) })
		fmt.Fprintf(&b, "LOOK %s %s\n%s\n", one.tool, one.args, text)
	}
	return b.String()
}

func (l *looker) result(ctx context.Context, one look) (string, error) {
	switch {
	case l.seen[one]:
		return "", fmt.Errorf("you have been shown this already")
	case l.size > maxLookTotal:
		return "", fmt.Errorf("you have looked at as much as one answer may; answer now")
	}
	l.seen[one] = true
	switch one.tool {
	case "search":
		return l.search(ctx, one.args)
	case "file":
		return l.file(one.args)
	case "definition":
		return l.search(ctx, "`"+one.args+"`")
	case "users":
		return l.users(one.args)
	case "diagnostics":
		return l.diagnostics(one.args)
	case "step":
		return l.changedBy(one.args)
	case "ask":
		return l.askUser(ctx, one.args)
	}
	return "", fmt.Errorf("there is no such thing to look at")
}

// shown returns lines of a file and records that the model has seen them.
func (l *looker) shown(name string, first, last int) (string, error) {
	text, ok := readable(l.snap, name)
	if !ok {
		return "", fmt.Errorf("%s cannot be shown", name)
	}
	lines := strings.SplitAfter(text, "\n")
	first = min(max(first, 1), len(lines))
	last = min(max(last, first), len(lines), first+maxLookLines-1)
	part := strings.Join(lines[first-1:last], "")
	part = part[:min(len(part), maxLookBytes)]
	if s := l.ask.seen[name]; s == nil {
		l.ask.seen[name] = &seen{lines: map[int]bool{}, texts: map[string]bool{}}
	}
	for n := range strings.Count(part, "\n") + 1 {
		l.ask.seen[name].lines[first+n] = true
	}
	return fmt.Sprintf("# %s:%d\n%s", name, first, l.ask.secrets.Redact(part)), nil
}

// search shows the code that words name, chosen as for a question.
func (l *looker) search(ctx context.Context, words string) (string, error) {
	w, err := workspace.Build(ctx, l.snap, workspace.WindowRequest{Purpose: "ask", Words: words, Budget: lookBudget, Counter: model.Counter(l.deepConfig()), Dependencies: l.Dependencies})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, f := range w.Fragments {
		switch f.Kind {
		case workspace.FragmentCursor, workspace.FragmentMap, workspace.FragmentRule, workspace.FragmentRecentEdit, workspace.FragmentDiagnostic:
			continue
		}
		if text, err := l.shown(f.Path, f.StartLine, f.EndLine); err == nil && b.Len()+len(text) < maxLookBytes {
			b.WriteString(text + "\n")
		}
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("nothing was found")
	}
	return b.String(), nil
}

// file shows a file, or the lines of it that are named: PATH FIRST-LAST.
func (l *looker) file(args string) (string, error) {
	name, lines, _ := strings.Cut(args, " ")
	first, last := 1, maxLookLines
	if from, to, ok := strings.Cut(strings.TrimSpace(lines), "-"); ok {
		first, _ = strconv.Atoi(from)
		last, _ = strconv.Atoi(to)
	}
	if why := (taskFiles{l.run}).Refuse(name, false); why != "" {
		return "", fmt.Errorf("%s cannot be shown: %s", name, why)
	}
	return l.shown(name, first, last)
}

// users lists the files that use a name.
func (l *looker) users(name string) (string, error) {
	view := l.run.view0()
	if view == nil {
		return "", fmt.Errorf("there is no folder")
	}
	ix := view.Index()
	var b strings.Builder
	for _, id := range ix.Users(name) {
		path := ix.Path(id)
		if ok, _ := l.snap.Allowed(view.Abs(path)); ok && b.Len() < maxLookBytes/4 {
			fmt.Fprintln(&b, path)
		}
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("no file uses %s", name)
	}
	return b.String(), nil
}

func (l *looker) diagnostics(name string) (string, error) {
	var b strings.Builder
	for _, d := range l.snap.Diagnostics(l.snap.Resolve(name)) {
		fmt.Fprintln(&b, l.ask.secrets.Redact(diagnosticLine(l.snap, l.snap.Resolve(name), d)))
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("nothing is reported about %s", name)
	}
	return b.String()[:min(b.Len(), maxLookBytes)], nil
}

// changedBy shows what a step changed.
func (l *looker) changedBy(number string) (string, error) {
	n, err := strconv.Atoi(strings.TrimSpace(number))
	l.run.mu.Lock()
	changes := l.run.results[n-1]
	l.run.mu.Unlock()
	if err != nil || len(changes) == 0 {
		return "", fmt.Errorf("step %s has changed nothing yet", number)
	}
	diff := l.ask.secrets.Redact(diffOf(task.Compose(changes)))
	return diff[:min(len(diff), maxLookBytes)], nil
}

// askUser waits for the user's answer to a question of the model's.
func (l *looker) askUser(ctx context.Context, question string) (string, error) {
	if l.settings().Unattended || strings.TrimSpace(question) == "" {
		return "", fmt.Errorf("nobody can be asked; decide yourself")
	}
	l.run.mu.Lock()
	busy, was := l.run.open, l.run.rec.State
	l.run.open = true
	l.run.mu.Unlock()
	if busy {
		return "", fmt.Errorf("another question waits for the user; decide yourself")
	}
	note := func(from, kind, text, now string) {
		l.set(l.run, func(rec *state.Task) {
			rec.State = now
			rec.Messages = append(slices.Clone(rec.Messages), state.Message{Time: time.Now(), From: from, Kind: kind, Text: text})
		})
	}
	note("task", "question", question, string(TaskWaiting))
	select {
	case answer := <-l.run.answer:
		note("user", "answer", answer, was)
		return "The user answers: " + answer, nil
	case <-ctx.Done():
		l.run.mu.Lock()
		l.run.open = false
		l.run.mu.Unlock()
		return "", ctx.Err()
	}
}

// withLooks sends a question and shows the model what it asks for, until it answers.
func (t taskAsker) withLooks(ctx context.Context, run *taskRun, i int, snap *workspace.Snapshot, lane model.Lane, cfg model.ModelConfig, ask *request, piece func(string)) (string, error) {
	l := &looker{taskAsker: t, run: run, step: i, snap: snap, ask: ask, seen: map[look]bool{}}
	for round := 0; ; round++ {
		if err := t.affordable(run, cfg, ask.Request); err != nil {
			return "", err
		}
		answer, err := t.collect(ctx, lane, ask.Request, piece)
		if took, ok := t.Models.Usage(ask.ID); ok {
			run.spent(i, took)
		}
		looks := looksIn(answer)
		if err != nil || len(looks) == 0 || !t.looks(lane, cfg) {
			return answer, err
		}
		if round > maxLookRounds {
			return answer, &model.Error{Code: model.CodeRefused, Message: "The model only looks at code and does not answer."}
		}
		found := l.results(ctx, looks)
		if ctx.Err() != nil {
			return "", &model.Error{Code: model.CodeCancelled, Message: "Cancelled.", Err: ctx.Err()}
		}
		if round == maxLookRounds {
			found += "You cannot look any further. Answer now."
		}
		next := *ask.Request
		next.ID = t.newID("r")
		next.Input = append(slices.Clone(next.Input), model.Message{Role: "assistant", Text: answer}, model.Message{Role: "user", Text: found})
		ask.Request = &next
	}
}

// looks reports whether a model of a lane may look at the workspace while it answers.
func (t taskCosts) looks(lane model.Lane, cfg model.ModelConfig) bool {
	return lane == model.Deep && cfg.ContextWindow >= leastLookWindow
}

// leastLookWindow is the context window from which on a model can hold what it looks at.
const leastLookWindow = 32000
