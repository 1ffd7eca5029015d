package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/disk"
	"tandem/workspace/state"
)

func tasksCommand(*globals) *cobra.Command {
	var asJSON bool
	list := func(c *cobra.Command, _ []string) error {
		return withTasks(func(t *state.Tasks) error { return listTasks(c, t, asJSON) })
	}
	c := &cobra.Command{
		Use:   "tasks",
		Short: "Deep tasks, kept on disk: list, show, apply, cancel, steer",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return nil
		},
		RunE: list,
	}
	c.PersistentFlags().BoolVar(&asJSON, "json", false, "print JSON")
	c.AddCommand(
		&cobra.Command{Use: "list", Short: "List the tasks, newest first", Args: takes(0, 0), RunE: list},
		taskCommand("show ID", "Show a task, its steps and its result", 1, func(c *cobra.Command, _ *state.Tasks, task state.Task, _ []string) error {
			return showTask(c, task, asJSON)
		}),
		taskCommand("apply ID", "Write a finished task's result to its files", 1, applyTask),
		taskCommand("cancel ID", "Stop a running task", 1, cancelTask),
		taskCommand(`steer ID "TEXT"`, "Add a sentence to a running task", 2, steerTask),
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
				task, err := t.Find(args[0])
				if err != nil {
					return exit(exitFailed, err)
				}
				return do(c, t, task, args[1:])
			})
		},
	}
}

func listTasks(c *cobra.Command, t *state.Tasks, asJSON bool) error {
	tasks, failed := t.List()
	if failed != nil {
		fmt.Fprintln(c.ErrOrStderr(), clean(failed.Error()))
	}
	if asJSON {
		return printJSON(c, append([]state.Task{}, tasks...))
	}
	var rows [][]string
	for _, task := range tasks {
		rows = append(rows, []string{task.ID, task.State, task.Started.Local().Format(time.DateTime), fmt.Sprintf("$%.2f", task.CostUSD), task.Root, task.Title})
	}
	return printTable(c, rows)
}

func showTask(c *cobra.Command, task state.Task, asJSON bool) error {
	if asJSON {
		return printJSON(c, task)
	}
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s  %s  %s\n%s\n", task.ID, task.State, clean(task.Root), clean(task.Title))
	for _, s := range task.Steps {
		fmt.Fprintf(out, "  [%s] %s: %s\n", strings.ToUpper(s.Lane), s.State, clean(s.Title))
	}
	for _, text := range task.Steered {
		fmt.Fprintf(out, "  steered: %s\n", clean(text))
	}
	if task.Error != "" {
		fmt.Fprintln(out, clean(task.Error))
	}
	proposal, err := resultOf(task)
	if err != nil {
		fmt.Fprintln(c.ErrOrStderr(), clean(err.Error()))
		return nil
	}
	for _, f := range proposal.Files {
		diff, err := f.Unified()
		if err != nil {
			return exit(exitFailed, fmt.Errorf("print the change of %s: %w", f.Path, err))
		}
		fmt.Fprint(out, diff)
	}
	return nil
}

// resultOf returns a task's result for the current files. If a file has changed
// since, the error is an edits.Error with the code stale.
func resultOf(task state.Task) (*edits.Proposal, error) {
	p := &edits.Proposal{ID: task.ProposalID, Title: task.Title}
	root, err := disk.OpenRoot(task.Root)
	if err != nil {
		return nil, fmt.Errorf("the task's folder cannot be opened: %w", err)
	}
	defer root.Close()
	for _, change := range task.Result {
		var text []byte
		if !change.Create {
			if text, err = root.ReadFile(context.Background(), change.Path, disk.MaxNamed); err != nil {
				return nil, stale(change.Path, "cannot be read any more")
			}
			if workspace.HashOf(string(text)).String() != change.Base {
				return nil, stale(change.Path, "has changed since the task read it")
			}
		}
		p.Files = append(p.Files, edits.ProposedFile{Path: change.Path, Base: edits.NewText(string(text)), Edits: change.Edits, Create: change.Create, Delete: change.Delete})
	}
	return p, nil
}

func stale(path, why string) error {
	return &edits.Error{Code: edits.CodeStale, Message: fmt.Sprintf("%s %s, so the result does not fit; start the task again", path, why)}
}

func applyTask(c *cobra.Command, t *state.Tasks, task state.Task, _ []string) error {
	if len(task.Result) == 0 {
		return exit(exitFailed, fmt.Errorf("the task %s is %s and has no result to apply", task.ID, task.State))
	}
	p, err := resultOf(task)
	if err != nil {
		return coded(err)
	}
	if err := workspace.WriteProposal(task.Root, p, nil); err != nil {
		return coded(err)
	}
	fmt.Fprintf(c.ErrOrStderr(), "wrote %d file(s) below %s\n", len(p.Files), clean(task.Root))
	return nil
}

// cancelTask sends a message to the process that runs the task; a task that no
// process runs any more is only marked.
func cancelTask(c *cobra.Command, t *state.Tasks, task state.Task, _ []string) error {
	switch {
	case task.Running():
		if err := t.Send(task.ID, state.TaskMessage{Action: "cancel"}); err != nil {
			return exit(exitFailed, fmt.Errorf("the task cannot be told: %w", err))
		}
		fmt.Fprintln(c.ErrOrStderr(), "The task was told to stop.")
		return nil
	case task.State == "interrupted":
		task.State = "cancelled"
		if err := t.Save(task); err != nil {
			return exit(exitFailed, err)
		}
		fmt.Fprintln(c.ErrOrStderr(), "The interrupted task is cancelled.")
		return nil
	}
	return exit(exitFailed, fmt.Errorf("the task %s is already %s", task.ID, task.State))
}

func steerTask(c *cobra.Command, t *state.Tasks, task state.Task, args []string) error {
	if strings.TrimSpace(args[0]) == "" {
		return exit(exitUsage, errors.New("say in a sentence what the task should do differently"))
	}
	if !task.Running() {
		return exit(exitFailed, fmt.Errorf("the task %s is %s: only a running task can be steered", task.ID, task.State))
	}
	if err := t.Send(task.ID, state.TaskMessage{Action: "steer", Text: args[0]}); err != nil {
		return exit(exitFailed, fmt.Errorf("the task cannot be told: %w", err))
	}
	fmt.Fprintln(c.ErrOrStderr(), "The task was told.")
	return nil
}
