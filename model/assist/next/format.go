package next

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/answer"
	"tandem/model/assist/edit"
	"tandem/model/format"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/run"
	"tandem/workspace/window"
)

// inFormat asks a model that is made for next edits to rewrite the region around the
// cursor, in the format that it was trained on.
func (n *Editor) inFormat(ctx context.Context, snap *workspace.Snapshot, req Request, d *nextDoc, cfg model.ModelConfig, region regionWait) (changes []edits.FileChange, id, reason string, err error) {
	f := format.For(cfg.Format)
	r, err := region(ctx)
	if err != nil {
		return nil, "", "", err
	}
	if r == nil {
		return nil, "", "A secret spans the lines around the cursor, so no model is asked about them.", nil
	}
	r.in.History = historyOf(snap, r.window, req.URI)
	r.in.Previous = r.previous(snap, req.URI)
	r.in.Related = relatedIn(r.window, snap.Name(req.URI))
	prompt, err := promptWithin(f, r.in, cfg, model.Counter(cfg).Count)
	var forged *format.ForgedError
	if errors.As(err, &forged) {
		return nil, "", forged.Error(), nil
	}
	if err != nil {
		return nil, "", "", err
	}
	ask := model.NextEditRequest(cfg, f, prompt, r.in.Region, n.Prompts.NewID("r"))
	answer, err := n.Prompts.Stream(ctx, model.Fast, ask, nil)
	if err != nil {
		return nil, "", "", err
	}
	text, end := model.Came(answer)
	if !end.Whole() { // what it lacks would be deleted
		return nil, "", "The suggestion was held back: " + end.Reason() + ", so its end is missing.", nil
	}
	change, reason := r.read(f, text)
	if reason != "" {
		return nil, "", reason, nil
	}
	change.Path = snap.Name(req.URI)
	return []edits.FileChange{change}, ask.ID, "", nil
}

// A nextRegion is the region that a model rewrites: as the prompt has it, and as it is
// in the document.
type nextRegion struct {
	in     format.Input
	window *window.Window
	text   string     // the document's
	span   edits.Span // of the region in text
	crlf   bool
}

// A regionWait waits for a region that is being made, once.
type regionWait func(context.Context) (*nextRegion, error)

// regionAhead begins to make the region, which takes as long as to find out that the
// built-in engine has no edit. It is nil if the model has no format for next edits.
func (n *Editor) regionAhead(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *nextDoc) regionWait {
	cfg, reason := n.mayAsk(snap, req)
	if !format.NextEdits(cfg.Format) {
		return nil
	}
	region := func(ctx context.Context) (*nextRegion, error) {
		return n.regionFor(ctx, snap, o, req, cfg, format.For(cfg.Format))
	}
	if _, known := d.next.cached(o.Revision, o.Text.LineOf(req.Offset)); reason != "" || known {
		return region // when the model is asked after all
	}
	return run.Begin(n.editor.Docs.Group, "the region of a next edit", func() (*nextRegion, error) { return region(ctx) })
}

// regionFor builds the window at the cursor and cuts the region out of it. It is nil if
// the window hides text that the region's ends cut.
func (n *Editor) regionFor(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, cfg model.ModelConfig, f *format.Format) (*nextRegion, error) {
	counter := model.Counter(cfg)
	budget := min(model.Countable(cfg, n.Prompts.Budget(model.KindNextEdit.Window())), promptTokens(f, cfg))
	w, err := window.Build(ctx, snap, window.Request{
		URI: req.URI, Span: edits.Span{Start: req.Offset, End: req.Offset}, Budget: max(budget, window.MinBudget), Purpose: model.KindNextEdit.Window(),
		Counter: counter,
	})
	if err != nil {
		return nil, err
	}
	before, after := unixText(w.Before), unixText(redact.Join("", w.Selected, w.After))
	r := &nextRegion{window: w, text: o.Content()}
	line := o.Text.LineOf(req.Offset)
	cut := f.Cut(before.String(), after.String(), line+1-strings.Count(before.String(), "\n"), counter.Count)
	shown, start := redact.Join("", before, after), before.Len()-cut.Cursor
	end := start + len(cut.Region)
	r.in = format.Input{Path: w.Secrets.Redact(snap.Name(req.URI)), Before: shown.Slice(start-len(cut.Before), start), Region: shown.Slice(start, end),
		After: shown.Slice(end, end+len(cut.After)), Line: cut.Line, Cursor: cut.Cursor}
	up := strings.Count(cut.Region[:cut.Cursor], "\n")
	down := strings.Count(cut.Region[cut.Cursor:], "\n")
	if !strings.HasSuffix(cut.Region, "\n") {
		down++
	}
	r.span = edits.Span{Start: o.Text.LineStart(line - up), End: o.Text.LineStart(line + down)}
	raw := r.text[r.span.Start:r.span.End]
	r.crlf = strings.Contains(raw, "\r\n")
	if w.Secrets.Restore(cut.Region) != unix(raw) {
		return nil, nil
	}
	return r, nil
}

// promptTokens is how many tokens a prompt in a format may have for a model, as
// model.Counter counts them.
func promptTokens(f *format.Format, cfg model.ModelConfig) int {
	most := f.Trained
	if cfg.ContextWindow > 0 {
		most = min(most, cfg.ContextWindow*9/10-min(cfg.MaxOutputTokens, cfg.ContextWindow/4))
	}
	return model.Countable(cfg, most)
}

// promptWithin writes the prompt. What does not fit is left out: the least relevant code
// of other files first, then the oldest changes.
func promptWithin(f *format.Format, in format.Input, cfg model.ModelConfig, count func(string) int) (redact.Text, error) {
	most := promptTokens(f, cfg)
	for {
		prompt, err := f.Prompt(in)
		if err != nil || prompt.Len() <= most || count(prompt.String()) <= most {
			return prompt, err
		}
		switch {
		case len(in.Related) > 0:
			in.Related = in.Related[1:]
		case len(in.History) > 0:
			in.History = in.History[1:]
		default:
			return redact.Text{}, &model.Error{Code: model.CodeContextLength, Model: cfg.Name, Message: "The lines around the cursor are too long for " + cfg.Name + "."}
		}
	}
}

// historyOf are the recent edits, as far as models may see them, oldest first.
func historyOf(snap *workspace.Snapshot, w *window.Window, uri string) []format.Change {
	var out []format.Change
	for _, e := range snap.RecentEdits(uri) {
		out = append(out, format.Change{Path: w.Secrets.Redact(e.Path), Old: unixText(w.Secrets.Redact(e.Old, e.Secrets...)),
			New: unixText(w.Secrets.Redact(e.New, e.Secrets...)), Hunk: unixText(w.Secrets.Redact(e.Hunk, e.Secrets...)), Accepted: e.Accepted})
	}
	return out
}

// relatedIn is the code of other files that a window shows, the most relevant last.
func relatedIn(w *window.Window, path string) []format.Snippet {
	var out []format.Snippet
	for _, f := range w.Fragments {
		switch f.Kind {
		case window.FragmentDefinition, window.FragmentCode, window.FragmentCaller, window.FragmentTest:
		default:
			continue
		}
		if f.Path == path {
			continue
		}
		path := w.Secrets.Redact(f.Path)
		if i := slices.IndexFunc(out, func(s format.Snippet) bool { return s.Path == path }); i >= 0 {
			above := out[i].Text
			out[i].Text = redact.Join("\n", above.Slice(0, len(strings.TrimRight(above.String(), "\n"))), unixText(f.Text))
			continue
		}
		out = append(out, format.Snippet{Path: path, Text: unixText(f.Text)})
	}
	slices.Reverse(out)
	return out
}

// previous is the region before the last change of it, or "".
func (r *nextRegion) previous(snap *workspace.Snapshot, uri string) redact.Text {
	for _, e := range slices.Backward(snap.RecentEdits(uri)) {
		if e.URI != uri || !e.Placed {
			continue
		}
		if e.Place.Start < r.span.Start || e.Place.End > r.span.End {
			break
		}
		was := redact.NewSource(r.text[:e.Place.Start] + e.Old + r.text[e.Place.End:])
		return unixText(r.window.Secrets.Span(was, edits.Span{Start: r.span.Start, End: r.span.End + len(was.Text()) - len(r.text)}))
	}
	return redact.Text{}
}

// read turns an answer into a change of the document, or returns why it is none.
func (r *nextRegion) read(f *format.Format, text string) (edits.FileChange, string) {
	a := f.Answer(r.in.Region.String(), r.in.After.String(), text)
	if a.None {
		return edits.FileChange{}, nothingNext
	}
	if !edit.SameSecrets(r.in.Region.String(), a.Region) {
		return edits.FileChange{}, "The suggestion was held back: it adds, moves or loses a secret that was hidden from the model."
	}
	region := r.window.Secrets.Restore(a.Region)
	if r.crlf {
		region = strings.ReplaceAll(region, "\n", "\r\n")
	}
	after := r.text[:r.span.Start] + region + r.text[r.span.End:]
	if after == r.text {
		return edits.FileChange{}, nothingNext
	}
	if reason := r.sloppy(a.Region, after); reason != "" {
		return edits.FileChange{}, "The suggestion was held back: " + reason + "."
	}
	return edits.FileChange{Before: r.text, After: after, Edits: edits.Diff(r.text, after)}, ""
}

func unixText(text redact.Text) redact.Text { return text.Replace("\r\n", redact.Const("\n")) }

// sloppy is what shows that an answer ends before the region does, or has lines of it again,
// or what else no model means, or "". What an answer lacks at its end would be deleted.
// Noise tells what is there already and nothing else.
func (r *nextRegion) sloppy(region, text string) string {
	in := r.in
	before, after := edits.SplitLines(strings.TrimRight(in.Region.String(), "\n")), edits.SplitLines(strings.TrimRight(region, "\n"))
	hunks := edits.LineHunks(strings.Join(before, "\n"), strings.Join(after, "\n"))
	if list := edits.Diff(r.text, text); len(list) == 1 && repeatsNext(r.text, list[0], r.text[list[0].Start:list[0].End]) {
		return ""
	}
	if n := len(hunks); n > 0 {
		last := hunks[n-1]
		for len(last.Lines) == 0 && last.End < len(before) && before[last.Start] == before[last.End] {
			last.Start, last.End = last.Start+1, last.End+1 // the same deletion, further down
		}
		was, is := before[len(before)-1], after[len(after)-1]
		if last.End == len(before) && (len(last.Lines) < last.End-last.Start || strings.HasPrefix(was, is) && is != was) {
			return "the model's answer ends before the lines that it rewrites do"
		}
	}
	had := map[string]int{}
	for _, line := range slices.Concat(before, edits.SplitLines(in.After.String()), edits.SplitLines(in.Before.String())) {
		had[strings.TrimSpace(line)]++
	}
	now := maps.Clone(had)
	again, added := 0, 0
	for _, h := range hunks {
		for _, line := range before[h.Start:h.End] {
			now[strings.TrimSpace(line)]--
		}
		for _, line := range h.Lines {
			if line = strings.TrimSpace(line); len(line) > 3 {
				added++
				if now[line]++; had[line] > 0 && now[line] > had[line] {
					again++
				}
			}
		}
	}
	if again > 1 && again*2 >= added {
		return "the model's answer repeats lines that are there"
	}
	return answer.Judge(in.Path.String(), r.text, text)
}

func unix(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
