package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist"
	"tandem/model/assist/edit"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/state"
)

// A taskReport is what edit --deep --json prints: for a person's script, and for CI.
type taskReport struct {
	ID        string           `json:"id"`
	State     string           `json:"state"`
	Title     string           `json:"title"`
	Plan      string           `json:"plan"`
	Steps     []reportedStep   `json:"steps"`
	Checks    []reportedCheck  `json:"checks"`
	Verdict   *reportedVerdict `json:"verdict,omitempty"`
	Review    string           `json:"review,omitempty"`
	Estimate  reportedPrice    `json:"estimate"`
	Tokens    int              `json:"prompt_tokens"`
	CostUSD   float64          `json:"cost_usd"`
	FastUSD   float64          `json:"fast_usd"`
	DeepUSD   float64          `json:"deep_usd"`
	Ms        int64            `json:"ms"`
	Patch     string           `json:"patch"`
	Conflicts []edits.Conflict `json:"conflicts,omitempty"`
	Error     string           `json:"error,omitempty"`
}

type reportedStep struct {
	Title   string   `json:"title"`
	Lane    string   `json:"lane"`
	Model   string   `json:"model,omitempty"`
	State   string   `json:"state"`
	Files   []string `json:"files"`
	Checks  []string `json:"checks,omitempty"` // what refused earlier attempts
	CostUSD float64  `json:"cost_usd"`
	Ms      int64    `json:"ms"`
	Error   string   `json:"error,omitempty"`
}

type reportedVerdict struct {
	State  string   `json:"state"` // passed, failed or not_judged
	Reason string   `json:"reason,omitempty"`
	Breaks []string `json:"breaks,omitempty"` // what it breaks in other files, as PATH:LINE
}

type reportedCheck struct {
	Kind     string   `json:"kind"`
	OK       bool     `json:"ok"`
	Findings []string `json:"findings,omitempty"`
	Unknown  []string `json:"unknown,omitempty"`
}

type reportedPrice struct {
	Tokens  int     `json:"tokens"`
	CostUSD float64 `json:"cost_usd"`
}

// followInterval is how often the state of a task is read while a command waits for it.
const followInterval = 25 * time.Millisecond

// A taskRun is a command that waits for a task.
type taskRun struct {
	session       *workspace.Session
	engine        *assist.Engine
	asJSON, write bool // write the result to disk
	consent       edits.Consent
}

// follow prints the progress of a task until it is over, then its result.
func (a *taskRun) follow(c *cobra.Command, id string) error {
	said := ""
	for {
		t, err := a.engine.Tasks.Get(id)
		if err != nil {
			return coded(err)
		}
		if line := taskProgress(t.Record); line != said {
			said = line
			fmt.Fprintln(c.ErrOrStderr(), edits.OneLine(line))
		}
		if !t.Record.Running() {
			return a.report(c, t.Record)
		}
		select {
		case <-time.After(followInterval):
		case <-c.Context().Done():
			return exit(exitFailed, fmt.Errorf("interrupted; tandem tasks resume %s goes on", id))
		}
	}
}

// taskProgress is a task's state in one line.
func taskProgress(t state.Task) string {
	done, line := 0, ""
	for i, s := range t.Steps {
		switch s.State {
		case task.Done:
			done++
		case task.Running:
			line += fmt.Sprintf("; %d. [%s] %s", i+1, s.Lane, s.Title)
		}
	}
	if len(t.Steps) == 0 {
		return fmt.Sprintf("%s %s", t.ID, t.State)
	}
	return fmt.Sprintf("%s %s: %d of %d steps done%s", t.ID, t.State, done, len(t.Steps), line)
}

// report prints what a task that is over has done, and gives it its exit code.
func (a *taskRun) report(c *cobra.Command, t state.Task) error {
	snap := a.session.Snapshot()
	p, failed := a.engine.Tasks.Propose(c.Context(), snap, t.ID)
	r := reportOf(t)
	if failed == nil {
		var err error
		if r.Patch, err = patchOf(p.Files); err != nil {
			return exit(exitFailed, err)
		}
		r.Conflicts = p.Task.Conflicts
		verdict := p.Judged()
		r.Verdict = &reportedVerdict{State: verdict.State(), Reason: verdict.Reason()}
		for _, f := range verdict.Breaks() {
			r.Verdict.Breaks = append(r.Verdict.Breaks, fmt.Sprintf("%s:%d", f.Path, f.Line))
		}
		for _, check := range verdict.Checks() {
			r.Checks = append(r.Checks, reportedCheckOf(check))
		}
	}
	if a.asJSON {
		if err := printJSON(c, r); err != nil {
			return err
		}
	} else {
		fmt.Fprint(exact(c), r.Patch)
		fmt.Fprintf(c.ErrOrStderr(), "%s %s · %d prompt tokens · $%.4f (fast $%.4f, deep $%.4f) · %d ms\n", t.ID, t.State, r.Tokens, r.CostUSD, r.FastUSD, r.DeepUSD, r.Ms)
		if r.Review != "" {
			fmt.Fprintln(c.ErrOrStderr(), r.Review)
		}
	}
	printConflicts(c, r.Conflicts)
	if a.write && failed == nil && t.State == task.Done {
		if err := a.save(c, snap, t, p); err != nil {
			return err
		}
	}
	return taskExit(t, failed)
}

func (a *taskRun) save(c *cobra.Command, snap *workspace.Snapshot, t state.Task, p *edit.Proposal) error {
	asked, err := unattended(c.Context(), a.engine.Editor.Judge, snap, &p.Proposal, p.Request.Asked(snap))
	if err != nil {
		return err
	}
	if err := writeProposal(c, t.Root, &p.Proposal, snap.Writes(asked), a.consent); err != nil {
		return err
	}
	a.engine.Editor.Wrote(p.ID)
	a.engine.Tasks.Resolved(t.ID, "accepted")
	if len(p.Task.Conflicts) > 0 {
		return exit(exitRefused, fmt.Errorf("%d change(s) do not fit the files as they are now; they were left out", len(p.Task.Conflicts)))
	}
	return nil
}

// taskExit is the exit code of a task: by what stopped it, if something did.
func taskExit(t state.Task, failed error) error {
	if t.State == task.Done {
		if failed != nil {
			return coded(failed)
		}
		return nil
	}
	err := errors.New(t.Error)
	switch code := model.Code(t.Code); {
	case code == model.CodeDailyLimit:
		return exit(exitDailyLimit, err)
	case code == model.CodeRefused:
		return exit(exitRefused, err)
	case t.State == task.Interrupted && code != "" && code != model.CodeCancelled:
		return exit(exitNoModel, err)
	}
	return exit(exitFailed, err)
}

func reportOf(t state.Task) taskReport {
	r := taskReport{ID: t.ID, State: t.State, Title: t.Title, Plan: task.Format(t.Steps), Steps: []reportedStep{}, Checks: []reportedCheck{}, Review: t.Review,
		Estimate: reportedPrice{t.EstimateTokens, t.EstimateUSD}, Tokens: t.PromptTokens, CostUSD: t.CostUSD, FastUSD: t.FastUSD, DeepUSD: t.CostUSD - t.FastUSD, Ms: t.Ms, Error: t.Error}
	for _, s := range t.Steps {
		r.Steps = append(r.Steps, reportedStep{s.Title, s.Lane, s.Model, s.State, append([]string{}, s.Files()...), s.Checks, s.CostUSD, s.Ms, s.Error})
	}
	return r
}

func reportedCheckOf(check edits.Check) reportedCheck {
	r := reportedCheck{Kind: string(check.Kind), OK: check.OK(), Unknown: check.Unknown}
	for _, f := range check.Findings {
		r.Findings = append(r.Findings, f.Told())
	}
	return r
}
