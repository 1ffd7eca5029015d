package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/model/assist/edit"
	"tandem/workspace"
	"tandem/workspace/disk"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
	"tandem/workspace/rel"
	"tandem/workspace/state"
)

func tasksCommand(g *globals) *cobra.Command {
	var asJSON, everywhere bool
	list := func(c *cobra.Command, _ []string) error {
		return withTasks(func(t *state.Tasks) error { return listTasks(c, t, asJSON, everywhere) })
	}
	c := &cobra.Command{
		Use:   "tasks",
		Short: "Deep tasks, kept on disk: list, show, apply, revert, cancel, resume, steer",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return nil
		},
		RunE: list,
	}
	var secrets bool
	steer := taskCommand(`steer ID "TEXT"`, "Add a sentence to a task; one that has ended goes on with it", 2, func(c *cobra.Command, t *state.Tasks, rec state.Task, args []string) error {
		sayHidden(c, args[0], secrets)
		if strings.TrimSpace(args[0]) == "" {
			return exit(exitUsage, errors.New("say in a sentence what the task should do differently"))
		}
		return resumeTask(c, g, t, rec, state.TaskMessage{Action: "steer", Text: args[0], SendSecrets: secrets}, asJSON)
	})
	steer.Flags().BoolVar(&secrets, "send-secrets", false, sendSecretsFlag)
	c.PersistentFlags().BoolVar(&asJSON, "json", false, "print JSON")
	listing := &cobra.Command{Use: "list", Short: "List the tasks of this folder, newest first", Args: takes(0, 0), RunE: list}
	for _, command := range []*cobra.Command{c, listing} {
		command.Flags().BoolVar(&everywhere, "all", false, "list the tasks of every folder")
	}
	c.AddCommand(
		listing,
		taskCommand("show ID", "Show a task, its steps and its result", 1, func(c *cobra.Command, t *state.Tasks, rec state.Task, _ []string) error {
			return showTask(c, t, rec, asJSON)
		}),
		applyTaskCommand(g),
		taskCommand("revert ID", "Take a task's result back out of the files that hold it, and keep what was written since", 1, func(c *cobra.Command, t *state.Tasks, rec state.Task, _ []string) error {
			return revertTask(c, g, t, rec)
		}),
		taskCommand("cancel ID", "Stop a task; what its steps have done is kept", 1, cancelTask),
		taskCommand("resume ID", "Let a task go on: what was interrupted, what waits for you, what failed", 1, func(c *cobra.Command, t *state.Tasks, rec state.Task, _ []string) error {
			return resumeTask(c, g, t, rec, state.TaskMessage{Action: "resume"}, asJSON)
		}),
		steer,
	)
	return c
}

func withTasks(use func(*state.Tasks) error) error {
	store, err := openStore()
	if err != nil {
		return exit(exitFailed, err)
	}
	return use(store.Tasks())
}

// taskCommand is a subcommand for one task, given by its id or the beginning of
// its id.
func taskCommand(usage, short string, args int, do func(*cobra.Command, *state.Tasks, state.Task, []string) error) *cobra.Command {
	return &cobra.Command{
		Use:   usage,
		Short: short,
		Args:  takes(args, args),
		RunE: func(c *cobra.Command, args []string) error {
			return withTasks(func(t *state.Tasks) error {
				rec, err := t.Find(args[0])
				if err != nil {
					return exit(exitFailed, err)
				}
				return do(c, t, rec, args[1:])
			})
		},
	}
}

func listTasks(c *cobra.Command, t *state.Tasks, asJSON, everywhere bool) error {
	all, failed := t.List()
	tasks := all
	if !everywhere {
		here, err := os.Getwd()
		if err != nil {
			return exit(exitFailed, err)
		}
		tasks = tasksOf(all, here)
	}
	if failed != nil {
		fmt.Fprintln(c.ErrOrStderr(), failed.Error())
	}
	if asJSON {
		out := append([]state.Task{}, tasks...)
		for i := range out {
			out[i].Hidden = nil
		}
		return printJSON(c, out)
	}
	if len(tasks) == 0 {
		none := "No deep task yet."
		if len(all) > 0 {
			none = fmt.Sprintf("No deep task of this folder; tandem tasks --all lists %d of others.", len(all))
		}
		fmt.Fprintln(c.OutOrStdout(), none)
		return nil
	}
	rows := [][]string{{"ID", "STATE", "STARTED", "COST", "FOLDER", "TITLE"}}
	for _, rec := range tasks {
		rows = append(rows, []string{rec.ID, stateOf(rec), rec.Started.Local().Format(time.DateTime), fmt.Sprintf("$%.2f", rec.CostUSD), rec.Root, rec.Title})
	}
	return printTable(c, rows)
}

// tasksOf are the tasks of the folders that a folder is in or that are in it.
func tasksOf(all []state.Task, folder string) []state.Task {
	folder = realFolder(folder)
	return slices.DeleteFunc(slices.Clone(all), func(rec state.Task) bool {
		root := realFolder(rec.Root)
		return !isBelow(folder, root) && !isBelow(root, folder)
	})
}

func isBelow(folder, root string) bool {
	rel, err := filepath.Rel(root, folder)
	return err == nil && filepath.IsLocal(rel)
}

// realFolder is a folder's path without links, or the path itself if the folder is gone.
func realFolder(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		return real
	}
	return folder
}

// stateOf is a task's state, and what a later version has written into it.
func stateOf(rec state.Task) string {
	if rec.Newer == "" {
		return edits.OneLine(rec.State)
	}
	return edits.OneLine(rec.State + " (of a later tandem: " + rec.Newer + ")")
}

func showTask(c *cobra.Command, t *state.Tasks, rec state.Task, asJSON bool) error {
	files, conflicts, err := leftOf(t, rec, 0, "")
	patch := ""
	if err == nil {
		patch, err = patchOf(files)
	}
	if asJSON {
		rec.Hidden = nil
		return printJSON(c, struct {
			state.Task
			Patch     string           `json:"patch,omitempty"`
			Conflicts []edits.Conflict `json:"conflicts,omitempty"`
		}{rec, patch, conflicts})
	}
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s  %s  %s\n%s\n", rec.ID, stateOf(rec), edits.OneLine(rec.Root), edits.OneLine(rec.Title))
	for i, s := range rec.Steps {
		fmt.Fprintf(out, "  %d. [%s] %s: %s\n", i+1, edits.OneLine(strings.ToUpper(s.Lane)), edits.OneLine(s.State), edits.OneLine(s.Title))
		for _, c := range s.Result {
			fmt.Fprintf(out, "       %s\n", edits.OneLine(c.Path))
		}
		if s.Error != "" {
			fmt.Fprintf(out, "       %s\n", edits.OneLine(s.Error))
		}
	}
	for _, m := range rec.Messages {
		fmt.Fprintf(out, "  %s, %s: %s\n", edits.OneLine(m.From), edits.OneLine(m.Kind), edits.OneLine(m.Text))
	}
	for _, text := range []string{rec.Review, edits.OneLine(rec.Error)} {
		if text != "" {
			fmt.Fprintln(out, text)
		}
	}
	if err != nil {
		fmt.Fprintln(c.ErrOrStderr(), err.Error())
		return nil
	}
	fmt.Fprint(exact(c), patch)
	printConflicts(c, conflicts)
	return nil
}

func printConflicts(c *cobra.Command, conflicts []edits.Conflict) {
	for _, conflict := range conflicts {
		fmt.Fprintln(c.ErrOrStderr(), edits.OneLine("conflict: "+conflict.Message))
	}
}

func patchOf(files []edits.ProposedFile) (string, error) {
	var out strings.Builder
	for _, f := range files {
		diff, err := f.Unified()
		if err != nil {
			return "", fmt.Errorf("print the change of %s: %w", f.Path, err)
		}
		out.WriteString(diff)
	}
	return out.String(), nil
}

// leftOf returns what of a task's result is left to do in the files as they are on disk,
// and what does not fit them: all of it, or that of one step (from 1) or one file.
func leftOf(t *state.Tasks, rec state.Task, step int, file string) ([]edits.ProposedFile, []edits.Conflict, error) {
	root, err := disk.OpenRoot(rec.Root)
	if err != nil {
		return nil, nil, exit(exitFailed, fmt.Errorf("the task's folder cannot be opened: %w", err))
	}
	defer root.Close()
	now := func(path string) (edits.Text, bool) {
		at, inside := rel.Of(path)
		text, err := root.ReadFile(context.Background(), at, disk.MaxNamed)
		return edits.NewText(string(text)), inside && err == nil
	}
	secrets := redact.Resumed(rec.Hidden, func(path string) (string, bool) {
		below, inside := disk.Below(rec.Root, path)
		if !inside {
			return "", false
		}
		text, ok := now(filepath.ToSlash(below))
		return text.String(), ok
	})
	var order []int
	for i, s := range rec.Steps {
		if s.State == "done" {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return rec.Steps[a].Order - rec.Steps[b].Order })
	only := -1
	var steps [][]edits.FileChange
	for n, i := range order {
		changes, err := changesOf(t, rec.ID, rec.Steps[i].Result, secrets)
		if err != nil {
			return nil, nil, exit(exitFailed, err)
		}
		steps = append(steps, changes)
		if i == step-1 {
			only = n
		}
	}
	if step != 0 && only < 0 {
		return nil, nil, exit(exitUsage, fmt.Errorf("the task %s has no step %d that is done", rec.ID, step))
	}
	files, conflicts := edits.Pick(steps, only, now)
	files = slices.DeleteFunc(files, func(f edits.ProposedFile) bool {
		after, err := f.After()
		lost := err == nil && secrets.Lost(after.String()) > secrets.Lost(f.Base.String())
		if lost {
			conflicts = append(conflicts, state.LostSecret(f.Path))
		}
		return lost
	})
	if file != "" {
		files = slices.DeleteFunc(files, func(f edits.ProposedFile) bool { return f.Path != file })
		conflicts = slices.DeleteFunc(conflicts, func(c edits.Conflict) bool { return c.Path != file })
	}
	return files, conflicts, nil
}

func changesOf(t *state.Tasks, id string, stored []state.Change, secrets *redact.Redactor) ([]edits.FileChange, error) {
	var out []edits.FileChange
	for _, c := range stored {
		before, err := t.Text(id, c.Before)
		if err != nil {
			return nil, err
		}
		after, err := t.Text(id, c.After)
		if err != nil {
			return nil, err
		}
		before, after = secrets.Restore(before), secrets.Restore(after)
		out = append(out, edits.FileChange{Path: c.Path, Before: before, After: after, AbsentBefore: c.Before == "", AbsentAfter: c.After == "", Form: edits.Form{From: c.From, Mode: edits.Mode(c.Mode)}, Edits: edits.Diff(before, after), Doubts: edits.Doubted(c.Doubts)})
	}
	return out, nil
}

func applyTaskCommand(g *globals) *cobra.Command {
	var step int
	var file string
	var consent edits.Consent
	c := taskCommand("apply ID", "Write a task's result to its files, or a part of it", 1, func(c *cobra.Command, t *state.Tasks, rec state.Task, _ []string) error {
		return applyTask(c, g, t, rec, step, file, consent)
	})
	c.Flags().IntVar(&step, "step", 0, "only what step `N` did")
	c.Flags().StringVar(&file, "file", "", "only the changes of the file `F`")
	consentFlags(c, &consent)
	return c
}

// applyTask writes what fits, as the verdict on the files as they are now allows. What does not fit is named, and the exit code says so.
func applyTask(c *cobra.Command, g *globals, t *state.Tasks, rec state.Task, step int, file string, consent edits.Consent) error {
	if err := rec.Foreign(); err != nil {
		return exit(exitFailed, err)
	}
	if !slices.ContainsFunc(rec.Steps, func(s state.Step) bool { return len(s.Result) > 0 }) {
		return exit(exitFailed, fmt.Errorf("the task %s is %s and has no result to apply", rec.ID, rec.State))
	}
	files, conflicts, err := leftOf(t, rec, step, file)
	if err != nil {
		return err
	}
	p := &edits.Proposal{ID: rec.ID, Title: rec.Title, Files: files, Verdict: rec.Verdict}
	if !p.Done() {
		own := *g
		own.workspace = rec.Root
		err := withApp(c, &own, "", func(a *app, _ place) error {
			changes, err := p.Changes()
			if err != nil {
				return failed(err)
			}
			snap := a.session.Snapshot()
			asked := edit.Request{URI: rec.URI, Instruction: rec.Instruction, Found: rec.Found}.Asked(snap)
			asked.Shown = true // as tandem tasks show prints it
			if file != "" {
				asked.Files = append(asked.Files, file)
			}
			if !p.Verdict.Cut() {
				p.Verdict = a.judge.Change(c.Context(), snap, changes, judge.Users, asked)
			}
			return writeProposal(c, rec.Root, p, snap.Writes(asked), consent)
		})
		if err != nil {
			return err
		}
	}
	printConflicts(c, conflicts)
	if len(conflicts) > 0 {
		return exit(exitRefused, fmt.Errorf("%d change(s) do not fit the files as they are now; they were left out", len(conflicts)))
	}
	if p.Done() {
		fmt.Fprintln(c.ErrOrStderr(), "The files hold all of it already.")
	}
	if step == 0 && file == "" && !rec.Running() {
		if err := t.Change(rec.ID, func(rec *state.Task) { rec.Resolved = "accepted" }); err != nil {
			return exit(exitFailed, err)
		}
	}
	return nil
}

// revertTask takes a task's result back, whole or not at all.
func revertTask(c *cobra.Command, g *globals, t *state.Tasks, rec state.Task) error {
	if err := rec.Foreign(); err != nil {
		return exit(exitFailed, err)
	}
	own := *g
	own.workspace = rec.Root
	return withApp(c, &own, "", func(a *app, _ place) error {
		snap := a.session.Snapshot()
		back, err := a.engine.Tasks.TakeBack(snap, rec.ID)
		if err != nil {
			return coded(err)
		}
		p, asked := &edits.Proposal{ID: rec.ID, Title: rec.Title}, workspace.Asked{Shown: true}
		for _, d := range back.Edits {
			name := snap.Name(d.URI)
			p.Files = append(p.Files, edits.ProposedFile{Path: name, Base: d.Base, Edits: d.Edits, Create: d.Create, Delete: d.Delete})
			asked.Files = append(asked.Files, name)
		}
		if err := writeProposal(c, rec.Root, p, snap.Writes(asked), edits.Consent{Force: true, Confirmed: true}); err != nil {
			return err
		}
		if err := t.Change(rec.ID, func(rec *state.Task) { rec.Resolved = "" }); err != nil {
			return exit(exitFailed, err)
		}
		return nil
	})
}

// cancelTask sends a message to the process that runs the task; a task that no
// process runs any more is only marked.
func cancelTask(c *cobra.Command, t *state.Tasks, rec state.Task, _ []string) error {
	switch {
	case rec.Running():
		if err := t.Send(rec.ID, state.TaskMessage{Action: "cancel"}); err != nil {
			return exit(exitFailed, fmt.Errorf("send to the process that runs the task: %w", err))
		}
		fmt.Fprintln(c.ErrOrStderr(), "The process that runs the task was asked to stop it.")
		return nil
	case rec.State == "interrupted":
		if err := t.Change(rec.ID, func(rec *state.Task) { rec.State, rec.Error = "cancelled", "Cancelled." }); err != nil {
			return exit(exitFailed, err)
		}
		fmt.Fprintln(c.ErrOrStderr(), "The interrupted task is cancelled.")
		return nil
	}
	return exit(exitFailed, fmt.Errorf("the task %s is already %s", rec.ID, rec.State))
}

// resumeTask lets a task go on, with a sentence of the user's if the message has one. A task that
// another process runs gets the message; any other one runs here until it is over.
func resumeTask(c *cobra.Command, g *globals, t *state.Tasks, rec state.Task, m state.TaskMessage, asJSON bool) error {
	if rec.Running() {
		if err := t.Send(rec.ID, m); err != nil {
			return exit(exitFailed, fmt.Errorf("send to the process that runs the task: %w", err))
		}
		fmt.Fprintln(c.ErrOrStderr(), "It was sent to the process that runs the task.")
		return nil
	}
	if err := rec.Foreign(); err != nil {
		return exit(exitFailed, err)
	}
	if rec.State == "done" && m.Text == "" {
		return exit(exitFailed, fmt.Errorf("the task %s is done; apply its result, or steer it", rec.ID))
	}
	own := *g
	own.workspace = rec.Root
	return withApp(c, &own, "", func(a *app, _ place) error {
		snap := a.session.Snapshot()
		var err error
		if m.Text != "" {
			_, err = a.engine.Tasks.Steer(snap, rec.ID, m.Text, m.SendSecrets)
		} else {
			_, err = a.engine.Tasks.Resume(snap, rec.ID)
		}
		if err != nil {
			return coded(err)
		}
		return (&taskRun{session: a.session, engine: a.engine, asJSON: asJSON}).follow(c, rec.ID)
	})
}
