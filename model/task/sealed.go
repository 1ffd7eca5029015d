package task

import (
	"slices"

	"tandem/edits"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// sealed returns a record without the secrets in its texts, and with their places.
func sealed(r *redact.Redactor, rec state.Task) state.Task {
	hide := func(texts ...*string) {
		for _, text := range texts {
			*text = r.Redact(*text).String()
		}
	}
	hide(&rec.Title, &rec.Instruction, &rec.Partial, &rec.Error, &rec.Review)
	rec.Steps = slices.Clone(rec.Steps)
	for i := range rec.Steps {
		s := &rec.Steps[i]
		hide(&s.Title, &s.Done, &s.Partial, &s.Error)
		s.Checks, s.Result = slices.Clone(s.Checks), slices.Clone(s.Result)
		for j := range s.Checks {
			hide(&s.Checks[j])
		}
		for j := range s.Result {
			s.Result[j].Doubts = slices.Clone(s.Result[j].Doubts)
			for k := range s.Result[j].Doubts {
				hide(&s.Result[j].Doubts[k])
			}
		}
	}
	rec.Messages = slices.Clone(rec.Messages)
	for i := range rec.Messages {
		hide(&rec.Messages[i].Text)
	}
	rec.Calls = slices.Clone(rec.Calls)
	for i := range rec.Calls {
		hide(&rec.Calls[i].Args, &rec.Calls[i].Error)
	}
	if text, err := rec.Verdict.MarshalText(); err == nil && r.Redact(string(text)).String() != string(text) {
		_ = rec.Verdict.UnmarshalText([]byte(r.Redact(string(text)).String())) // its reason has a secret
	}
	rec.Hidden = r.References()
	return rec
}

// restoreWords puts the secrets back into what the user wrote, if they are in a file that has not changed.
func restoreWords(r *redact.Redactor, rec *state.Task) {
	rec.Title, rec.Instruction = r.Restore(rec.Title), r.Restore(rec.Instruction)
	rec.Messages = slices.Clone(rec.Messages)
	for i := range rec.Messages {
		rec.Messages[i].Text = r.Restore(rec.Messages[i].Text)
	}
}

// complete takes out of the results the files into which a placeholder would be written whose
// secret is lost, and returns these as conflicts.
func complete(r *redact.Redactor, results map[int][]edits.FileChange) (conflicts []edits.Conflict) {
	lost := map[string]bool{}
	for _, changes := range results {
		for _, c := range changes {
			if r.Lost(c.After) > r.Lost(c.Before) && !lost[c.Path] {
				lost[c.Path] = true
				conflicts = append(conflicts, state.LostSecret(c.Path))
			}
		}
	}
	for i, changes := range results {
		results[i] = slices.DeleteFunc(slices.Clone(changes), func(c edits.FileChange) bool { return lost[c.Path] })
	}
	return conflicts
}
