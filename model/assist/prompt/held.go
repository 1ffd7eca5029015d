package prompt

import (
	"maps"
	"slices"

	"tandem/edits"
	"tandem/model"
	"tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/window"
)

// holdings are what a conversation holds of the workspace, as that is now.
type holdings struct {
	lines   []window.Fragment    // shown as they are; nil where the conversation begins
	place   bool                 // the place of the question is among them
	changed redact.Text          // what has changed since it was shown, as it is now
	again   []conversation.Piece // what changed shows
}

// holdings compares what the conversation of a question shows with the workspace.
func (q Question) holdings(snap *workspace.Snapshot) (h holdings) {
	seen, now := q.Record.Seen(), textIn(snap)
	if len(seen) == 0 {
		return h
	}
	h.lines = []window.Fragment{}
	var texts []redact.Text
	for _, path := range slices.Sorted(maps.Keys(seen)) {
		text := now(path)
		source, name := redact.NewSource(text), q.Record.Secrets.Redact(edits.OneLine(path))
		same, changed := seen[path].Now(text)
		for i := range changed {
			p := &changed[i]
			p.Text = q.Record.Secrets.Lines(source, p.First, p.Last)
			shown := p.Text
			if q.cites() {
				shown, _, _ = numbered(p.First, p.Text, redact.Text{}, redact.Text{})
			}
			texts = append(texts, redact.Format("# %s (as it is now)\n%s\n", name, shown.TrimRight("\n")))
		}
		h.again = append(h.again, changed...)
		for _, p := range same {
			if p.Moved != 0 && q.cites() {
				texts = append(texts, redact.Format("# %s: what was shown as lines %s-%s are its lines %s-%s now\n", name,
					redact.Int(p.First-p.Moved), redact.Int(p.Last-p.Moved), redact.Int(p.First), redact.Int(p.Last)))
				h.again = append(h.again, p)
			}
		}
		for _, p := range slices.Concat(same, changed) {
			if p.Whole() {
				h.lines = append(h.lines, window.Fragment{Path: path, StartLine: p.First, EndLine: p.Last, Kind: window.FragmentCode})
			}
		}
	}
	h.changed = redact.Join("", texts...)
	h.place = q.URI == "" || h.holds(snap, q)
	return h
}

// holds reports whether the lines of a question's place are shown.
func (h holdings) holds(snap *workspace.Snapshot, q Question) bool {
	f, err := snap.File(q.URI)
	if err != nil {
		return true // a question about the workspace
	}
	text, name := f.Raw(), snap.Name(q.URI)
	for n := text.LineOf(min(q.Span.Start, text.Len())); n <= text.LineOf(min(max(q.Span.End-1, q.Span.Start), text.Len())); n++ {
		if !slices.ContainsFunc(h.lines, func(f window.Fragment) bool { return f.Path == name && f.StartLine <= n+1 && n+1 <= f.EndLine }) {
			return false
		}
	}
	return true
}

// tokens are those of what is shown again, which its conversation may have besides its bound.
func (h holdings) tokens(m model.ModelConfig) int { return model.Counter(m).Count(h.changed.String()) }

// textIn returns the text of a file of a snapshot that may be shown; "" where there is none.
func textIn(snap *workspace.Snapshot) func(path string) string {
	return func(path string) string {
		f, err := snap.File(path)
		if err != nil || f.Binary() || f.Large() {
			return ""
		}
		return f.Content()
	}
}

// piecesOf is what a window shows of files.
func piecesOf(snap *workspace.Snapshot, w *window.Window) (out []conversation.Piece) {
	now := textIn(snap)
	for _, f := range w.Fragments {
		switch f.Kind {
		case window.FragmentRecentEdit, window.FragmentDiagnostic, window.FragmentMap:
			continue
		}
		if text := now(f.Path); f.Path != "" && text != "" && f.Text.Len() > 0 {
			out = append(out, conversation.Piece{Path: f.Path, First: f.StartLine, Last: f.EndLine, Text: f.Text, Base: text})
		}
	}
	return out
}
