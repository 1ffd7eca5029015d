package edit

import (
	"strings"
	"sync"

	"tandem/edits"
	"tandem/model/assist/prompt"
	"tandem/workspace/redact"
)

// A Draft is what an edit makes of its document so far, for a host that shows it there
// while it is written. Its methods may be called from any goroutine.
type Draft struct {
	URI     string
	Version int32 // of the text whose lines Hunks counts

	secrets *redact.Redactor
	mu      sync.Mutex // guards answer
	answer  *edits.Draft
}

// draft returns the draft of a run, or nil where none can be shown: the model was shown
// other lines than the document has, because a secret of several lines is hidden.
func (r *editRun) draft(ask *prompt.Request, path string) *Draft {
	text := r.overlay.Text.String()
	shown := ask.Secrets.All(redact.NewSource(text)).String()
	span := r.req.Span
	if shown != text {
		if strings.Count(shown, "\n") != strings.Count(text, "\n") || ask.Format == edits.FormatRewrite && span.Len() > 0 {
			return nil
		}
	}
	answer := edits.NewDraft(ask.Format, path, shown, span)
	if answer == nil {
		return nil
	}
	return &Draft{URI: r.overlay.URI, Version: r.overlay.Version, secrets: ask.Secrets, answer: answer}
}

func (d *Draft) write(piece string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answer.Write(piece)
}

// Hunks returns the changes of the document's lines so far, with the original text in
// place of what was hidden from the model.
func (d *Draft) Hunks() []edits.LineHunk {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.answer.Hunks()
	for i := range list {
		for n, line := range list[i].Lines {
			list[i].Lines[n] = d.secrets.Restore(line)
		}
	}
	return list
}
