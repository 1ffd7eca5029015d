package task

import (
	"slices"
	"strings"

	"tandem/workspace/redact"
)

// beside tells a model that is asked for something else which tasks of this session are at work, what
// each step does, and which files it writes; empty where none is.
func (t *Tasks) beside(secrets *redact.Redactor) redact.Text {
	var out []redact.Text
	for _, one := range t.runs.Range {
		run := one.(*taskRun)
		rec := run.record()
		hidden := func(text string) redact.Text { return secrets.Redact(run.secrets.Restore(text)) } // by this conversation's placeholders
		if !rec.Running() {
			continue
		}
		out = append(out, redact.Format("A task of the deep model is %s: %s", secrets.Redact(rec.State), hidden(rec.Title)))
		for n, s := range rec.Steps {
			files := s.Writes
			if len(s.Result) > 0 {
				files = s.Files()
			}
			line := redact.Format("%s. %s: %s", redact.Int(n+1), secrets.Redact(s.State), hidden(s.Title))
			if len(files) > 0 {
				line = redact.Format("%s (writes %s)", line, hidden(strings.Join(slices.Compact(files), ", ")))
			}
			out = append(out, line)
		}
	}
	if len(out) == 0 {
		return redact.Text{}
	}
	return redact.Join("\n", append(out, redact.Const("Its changes are in no file before the person accepts them."))...)
}
