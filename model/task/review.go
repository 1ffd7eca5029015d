package task

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/prompt"
	record "tandem/model/conversation"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// Bounds of a review.
const (
	maxReviewDiff = 96 << 10 // bytes of the diff that a reviewer is shown
	maxReviewText = 4 << 10  // bytes of its findings that are kept
	reviewBudget  = 6000     // tokens of context beside the diff
)

// review lets the deep lane, or the agent named reviewer, read the diff of the whole where
// risk asks for it. What it finds is shown with the result; a review that fails is said
// and holds up nothing.
func (w worker) review(ctx context.Context, run *taskRun, changes []edits.FileChange) error {
	why := w.reviewReason(run, changes)
	if why == "" {
		return nil
	}
	phase, over := run.mail.phase(ctx)
	defer over()
	q := prompt.Question{Kind: model.KindReview, Lane: model.Deep, Words: run.wanted(), Record: record.Record{Secrets: run.secrets},
		Request: run.secrets.User(run.record().Instruction, run.record().SendSecrets), Diff: diffOf(run.secrets, changes), Budget: reviewBudget}
	for _, a := range w.costs.settings().Agents {
		if a.Name == "reviewer" {
			cfg := a.Model
			q.Lane, q.Config, q.Agent = a.Lane, &cfg, a.Instructions
		}
	}
	came, _, err := w.asker.ask(phase, run, -1, run.snap.Supposing(run.texts()), q, nil)
	answer, end := model.Came(came)
	switch {
	case phase.Err() != nil:
		return causeOf(ctx, phase)
	case err != nil && errors.Is(err, context.Canceled):
		return err
	case err != nil:
		answer = "The review failed: " + err.Error()
	case !end.Whole():
		answer = strings.TrimSpace(answer) + "\n" + end.Sentence()
	}
	found := strings.TrimSpace(answer)
	if strings.EqualFold(strings.Trim(found, ".` "), "none") {
		found = "nothing found"
	}
	run.set(func(rec *state.Task) {
		rec.Review = fmt.Sprintf("Reviewed, since %s: %s", why, found[:min(len(found), maxReviewText)])
	})
	return nil
}

// reviewReason is why the whole result is reviewed, or "".
func (w worker) reviewReason(run *taskRun, changes []edits.FileChange) string {
	switch w.costs.settings().Review {
	case "never":
		return ""
	case "always":
		return "the configuration asks for it"
	}
	rec := run.record()
	words := []string{rec.Instruction}
	for i, s := range rec.Steps {
		if len(s.Checks) > 0 {
			return fmt.Sprintf("step %d was done again", i+1)
		}
		words = append(words, s.Title)
	}
	var paths []string
	for _, c := range changes {
		if c.AbsentAfter {
			return c.Path + " is deleted"
		}
		paths = append(paths, c.Path)
	}
	if d := model.Choose(model.Signals{Purpose: model.Edit, Instruction: strings.Join(words, "\n"), Paths: paths}); d.Lane == model.Deep {
		return d.Reason
	}
	return ""
}

// diffOf is the diff of all changes, bounded.
func diffOf(r *redact.Redactor, changes []edits.FileChange) redact.Text {
	var out redact.Text
	for _, c := range changes {
		diff := r.Diff(c.Path, redact.NewSource(c.Before), redact.NewSource(c.After))
		if out.Len()+diff.Len() > maxReviewDiff {
			diff = redact.Format("(the change of %s is too long to show)\n", r.Redact(c.Path))
		}
		out = redact.Join("", out, diff)
	}
	return out
}
