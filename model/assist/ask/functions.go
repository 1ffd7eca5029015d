package ask

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/cut"
	"tandem/workspace/language"
	"tandem/workspace/tokens"
	"tandem/workspace/window"
)

// headingShare is the divisor of the part of a budget that headings have, about.
const headingShare = 40

// Functions returns the code that a request's words or place are about, mostly whole functions,
// each written with its heading: first what the words name, then what is like them, the likest
// first. It has at most so many tokens, and is "" if there is nothing; left is what was not searched.
func Functions(ctx context.Context, snap *workspace.Snapshot, req window.Request, most int, write func(f window.Fragment) string) (text string, left cut.Cut, err error) {
	if req.Purpose == "" {
		req.Purpose = "context"
	}
	for req.Budget = max(most-most/headingShare, window.MinBudget); ; {
		w, err := window.Build(ctx, snap, req)
		if err != nil {
			return "", left, err
		}
		slices.SortStableFunc(w.Fragments, func(a, b window.Fragment) int { return cmp.Or(rank(a)-rank(b), a.Chosen-b.Chosen) })
		var out strings.Builder
		for _, f := range w.Fragments {
			if strings.TrimSpace(f.Text.String()) != "" {
				out.WriteString(write(f))
			}
		}
		over := tokens.Count(out.String()) - most
		if over <= 0 || req.Budget == window.MinBudget {
			return out.String(), w.Left, nil
		}
		req.Budget = max(req.Budget-2*over, window.MinBudget) // one more window is nearly always enough
	}
}

// rank is 0 for a definition that was named, 1 for other code.
func rank(f window.Fragment) int {
	if f.Kind == window.FragmentDefinition {
		return 0
	}
	return 1
}

// Plain writes code as an agent reads it, below its path and lines.
func Plain(f window.Fragment) string {
	return fmt.Sprintf("%s:%d-%d\n%s\n", edits.OneLine(f.Path), f.StartLine, f.EndLine, strings.TrimRight(f.Text.String(), "\n"))
}

// marked writes code as markdown, below its path, its lines and why it is there.
func marked(f window.Fragment) string {
	text, mark := strings.TrimRight(f.Text.String(), "\n"), "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	lang := language.OfFile(path.Base(f.Path))
	if lang == "plaintext" {
		lang = ""
	}
	return fmt.Sprintf("\n%s: %s\n%s%s\n%s\n%s\n", quoted(fmt.Sprintf("%s:%d-%d", edits.OneLine(f.Path), f.StartLine, f.EndLine)), f.Reason, mark, lang, text, mark)
}

// reader writes code for a person: what the words name and, if they name something, of what is
// like them only the code that uses it. A few functions are read, a list of twenty is not.
func reader() func(window.Fragment) string {
	var names []string
	return func(f window.Fragment) string {
		if rest, ok := strings.CutPrefix(f.Reason, "defines "); ok {
			name, _, _ := strings.Cut(rest, ",")
			names = append(names, name)
			return marked(f)
		}
		uses := func(name string) bool { return strings.Contains(f.Text.String(), name) }
		if len(names) > 0 && !slices.ContainsFunc(names, uses) {
			return ""
		}
		return marked(f)
	}
}

// quoted writes a place as code if Markdown would make its name bold, as that of __init__.py.
func quoted(place string) string {
	if strings.HasPrefix(place, "_") || strings.Contains(place, "/_") {
		return "`" + place + "`"
	}
	return place
}

// mostAlone is how many tokens of code a person gets to read as an answer without a model.
const mostAlone = 3_000

// pointing is a word that means the place from which a question comes.
var pointing = regexp.MustCompile(`(?i)\b(this|here|it)\b`)

// askAlone answers without a model: what the index alone can answer, else with the functions
// that the words are about, or the one at the place if the words name nothing else.
func (a *Asker) askAlone(ctx context.Context, snap *workspace.Snapshot, req Request) (Answer, error) {
	needs := a.Prompts.NeedsModel("answer this question")
	if _, ok := a.Prompts.Models.Config(model.Fast); ok || req.Explains { // it is the deep model that is missing, or code is to be explained
		return Answer{}, needs
	}
	text, ok := answered(ctx, snap, req.URI, req.words(snap))
	if !ok {
		about := window.Request{Words: req.words(snap), Search: a.Prompts.Search}
		if view := snap.View(req.URI); view != nil {
			about.URI = view.Root
		}
		var err error
		var left cut.Cut
		if text, left, err = Functions(ctx, snap, about, mostAlone, reader()); err == nil && text == "" {
			if f, missing := snap.File(req.URI); missing == nil && pointing.MatchString(about.Words) {
				about.At = fmt.Sprintf("%s:%d", snap.Name(req.URI), f.Raw().LineOf(req.Offset)+1)
				text, _, err = Functions(ctx, snap, about, mostAlone, marked)
			}
		}
		if err != nil {
			return Answer{}, err
		}
		if text == "" {
			none := *needs
			none.Message = snap.Absent("Nothing here has the words of the question.", left) + " " + needs.Message
			return Answer{}, &none
		}
		text = "Without a model, these are the functions that the question is most likely about:\n" + text
		if left = cut.Join(snap.Unread(), left); !left.None() {
			text = "Of a part of the workspace: " + left.String() + ".\n\n" + text
		}
		if a.Prompts.Mistake() != "" {
			text = needs.Message + "\n\n" + text
		}
	}
	return Answer{Text: req.say(text), End: model.Ended(model.WhyWhole, ""), Citations: citations(snap, text), From: edits.Provenance{Lane: core.BuiltIn, Model: "built-in", Reason: "no model is configured"}}, nil
}
