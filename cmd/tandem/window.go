package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/model/assist"
	"tandem/workspace"
	"tandem/workspace/window"
)

func windowCommand(g *globals) *cobra.Command {
	var r windowRequest
	var asJSON, jsonl bool
	c := &cobra.Command{
		Use:   "window [FILE:LINE:COL]",
		Short: "Show the context window for a place, explained",
		Long: `Show what a model would be shown for a place: every fragment, its tokens and why it is there.

With --json the answer has the window's text too. With --jsonl each line on stdin is a request,
{"id":"1","file":"a.go","line":10,"column":5,"budget":8000,"purpose":"complete"}, answered by a line on stdout.`,
		Args: takes(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := knownPurpose(r.Purpose); err != nil {
				return exit(exitUsage, err)
			}
			if jsonl && len(args) > 0 || !jsonl && len(args) == 0 && r.Words == "" {
				return exit(exitUsage, errors.New("name one place, FILE:LINE:COL, or give --words, or requests on stdin with --jsonl"))
			}
			at := "."
			if len(args) > 0 {
				at = args[0]
			}
			return withApp(c, g, at, func(a *app, p place) error {
				if jsonl {
					return a.windows().serve(c.Context(), c.InOrStdin(), c.OutOrStdout())
				}
				if len(args) == 0 {
					p.file = ""
				}
				return a.windows().print(c.Context(), c.OutOrStdout(), p, r, asJSON)
			})
		},
	}
	f := c.Flags()
	f.IntVar(&r.Budget, "budget", 0, "at most `N` tokens (default: the purpose's)")
	f.StringVar(&r.Purpose, "purpose", "", "`PURPOSE`: "+strings.Join(window.Purposes(), ", ")+" (default: complete, or ask without a place)")
	f.StringVar(&r.Words, "words", "", "what you would ask: the names, places and quoted errors in `TEXT` are shown first")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.BoolVar(&jsonl, "jsonl", false, "answer JSON lines of stdin")
	return c
}

// A windowRequest is a line of window --jsonl.
type windowRequest struct {
	ID      json.RawMessage   `json:"id,omitempty"`
	File    string            `json:"file"`
	Line    int               `json:"line"`
	Column  int               `json:"column"`
	Budget  int               `json:"budget"`
	Purpose string            `json:"purpose"`
	Words   string            `json:"words"`
	Overlay map[string]string `json:"overlay"`
	Text    bool              `json:"text"`
}

// A windowAnswer is a window as JSON.
type windowAnswer struct {
	ID        json.RawMessage  `json:"id,omitempty"`
	Tokens    int              `json:"tokens"`
	Budget    int              `json:"budget"`
	Encoding  string           `json:"encoding"`
	MS        float64          `json:"ms"`
	Text      *string          `json:"text,omitempty"`
	Fragments []windowFragment `json:"fragments"`
}

type windowFragment struct {
	Path      string              `json:"path"`
	StartLine int                 `json:"start_line"`
	EndLine   int                 `json:"end_line"`
	Tokens    int                 `json:"tokens"`
	Kind      window.FragmentKind `json:"kind"`
	Reason    string              `json:"reason"`
}

// A windowBuilder builds context windows as the engine would for a model.
type windowBuilder struct {
	session *workspace.Session
	made    assist.Deps
	budget  func(purpose string) int
}

func (a *app) windows() windowBuilder { return windowBuilder{a.session, a.made, a.budget} }

func (a windowBuilder) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return serveLines(in, out, func(r windowRequest) any {
		answer, err := a.answer(ctx, r)
		if err != nil {
			return failedLine{r.ID, windowFault(err)}
		}
		return answer
	})
}

// windowFault returns the code and message of a failed request.
func windowFault(err error) lineError {
	var refused *window.Error
	if errors.As(err, &refused) {
		return lineError{refused.Code, refused.Message}
	}
	return lineError{"failed", err.Error()}
}

// answer builds one window. Files are below the workspace folder, or
// absolute.
func (a windowBuilder) answer(ctx context.Context, r windowRequest) (*windowAnswer, error) {
	absolute := func(file string) string {
		if filepath.IsAbs(file) {
			return filepath.Clean(file)
		}
		return a.session.Snapshot().Resolve(filepath.ToSlash(file))
	}
	if r.File == "" && r.Words == "" {
		return nil, &window.Error{Code: "parse", Message: `the request names no "file" and has no "words"`}
	}
	texts := make(map[string]edits.Text, len(r.Overlay))
	for file, text := range r.Overlay {
		texts[absolute(file)] = edits.NewText(text)
	}
	start := time.Now()
	snap := a.session.Snapshot()
	if len(texts) > 0 {
		snap = snap.Supposing(texts)
	}
	file := ""
	if r.File != "" {
		file = absolute(r.File)
	}
	w, err := a.at(ctx, snap, file, r)
	took := time.Since(start)
	if err != nil {
		return nil, err
	}
	return newWindowAnswer(r, w, took), nil
}

// at builds the window at a request's line and column, which are clamped
// to the text; without a file, the window for the request's words.
func (a windowBuilder) at(ctx context.Context, snap *workspace.Snapshot, file string, r windowRequest) (*window.Window, error) {
	if r.Purpose == "" && file == "" {
		r.Purpose = "ask"
	}
	if err := knownPurpose(r.Purpose); err != nil {
		return nil, err
	}
	if file != "" && snap.View(file) == nil { // also one whose text came with the request
		return nil, &window.Error{Code: "outside", Message: file + " lies outside the workspace, whose files alone are shown to models"}
	}
	req := a.request(file, edits.Span{}, r.Budget, r.Purpose)
	req.Words = r.Words
	if f, err := snap.File(file); file != "" && err == nil {
		at := offsetAt(f.Raw(), r.Line, r.Column)
		req.Span = edits.Span{Start: at, End: at}
	}
	return window.Build(ctx, snap, req)
}

// knownPurpose refuses a purpose that no window has.
func knownPurpose(purpose string) error {
	if purpose == "" || slices.Contains(window.Purposes(), purpose) {
		return nil
	}
	return &window.Error{Code: "parse", Message: fmt.Sprintf("%q is no purpose: it is one of %s", purpose, strings.Join(window.Purposes(), ", "))}
}

// request returns the request that the engine would make for a model.
func (a windowBuilder) request(uri string, span edits.Span, budget int, purpose string) window.Request {
	req := window.Request{URI: uri, Span: span, Budget: budget, Purpose: purpose, Search: a.made.Search}
	if budget == 0 {
		req.Budget = a.budget(cmp.Or(purpose, "complete"))
		if purpose == "ask" || purpose == "debug" {
			req.Most = a.budget("ask_max")
		}
	}
	return req
}

// offsetAt returns the offset of a line and a column in bytes, both from 1.
func offsetAt(text edits.Text, line, column int) int {
	line = min(max(line, 1), text.LineCount())
	start, end := text.LineStart(line-1), text.LineEnd(line-1)
	return min(start+max(column, 1)-1, end)
}

func newWindowAnswer(r windowRequest, w *window.Window, took time.Duration) *windowAnswer {
	answer := &windowAnswer{ID: r.ID, Tokens: w.Tokens, Budget: w.Budget, Encoding: w.Encoding,
		MS: math.Round(took.Seconds()*1e6) / 1e3, Fragments: make([]windowFragment, len(w.Fragments))}
	for i, f := range w.Fragments {
		answer.Fragments[i] = windowFragment{f.Path, f.StartLine, f.EndLine, f.Tokens, f.Kind, f.Reason}
	}
	if r.Text {
		text := w.Text().String()
		answer.Text = &text
	}
	return answer
}

func (a windowBuilder) print(ctx context.Context, out io.Writer, p place, r windowRequest, asJSON bool) error {
	file := ""
	if p.file != "" {
		abs, err := filepath.Abs(p.file)
		if err != nil {
			return fmt.Errorf("find %s: %w", p.file, err)
		}
		file = abs
	}
	r.Line, r.Column, r.Text = p.line, p.column, asJSON
	start := time.Now()
	w, err := a.at(ctx, a.session.Snapshot(), file, r)
	if err != nil {
		return windowFailed(err)
	}
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(newWindowAnswer(r, w, time.Since(start)))
	}
	return printWindowTable(out, w)
}

// windowFailed gives the error of a window its exit code: an impossible place
// or budget is a usage error.
func windowFailed(err error) error {
	switch windowFault(err).Code {
	case "budget", "not_found":
		return exit(exitUsage, err)
	}
	return exit(exitFailed, err)
}

// printWindowTable prints a window for a person.
func printWindowTable(out io.Writer, w *window.Window) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TOKENS\tKIND\tWHERE\tWHY")
	for _, f := range w.Fragments {
		where := fmt.Sprintf("%s:%d-%d", f.Path, f.StartLine, f.EndLine)
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\n", f.Tokens, strings.ReplaceAll(string(f.Kind), "_", " "), edits.OneLine(where), edits.OneLine(f.Reason))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	bound := ""
	if !w.Exact {
		bound = ", an upper bound"
	}
	_, err := fmt.Fprintf(out, "\n%d fragments, %d of %d tokens (%s%s)\n", len(w.Fragments), w.Tokens, w.Budget, w.Encoding, bound)
	return err
}
