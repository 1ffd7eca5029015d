package answer

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"tandem/edits"
)

// A Reader reads answers about files.
type Reader struct {
	Format edits.Format
	// Files are the texts that an answer is about, and Open, which may be nil, returns those
	// of other files that it names, if there are such.
	Files map[string]string
	Open  func(path string) (text string, ok bool)
	// Request are the words that were answered; "" is none, as where an answer is applied alone.
	Request string
	edits.Options
}

// A Result is what an answer makes of files. Both maps hold all files that were read.
type Result struct {
	Before, After map[string]string
	Tiers         []string // how each block was located
	// Doubts are why a file's new text may not be meant, by path: what a whole text leaves out.
	Doubts map[string][]string
}

// Read reads a whole answer. On an error, an *edits.Error, nothing of it may be applied.
func (r Reader) Read(text string) (*Result, error) {
	before := maps.Clone(r.Files)
	if before == nil {
		before = map[string]string{}
	}
	r.add(before, r.Here)
	blocks, err := Parse(r.formatOf(text, before), text)
	if err != nil {
		return nil, said(err, text)
	}
	for _, path := range edits.PathsIn(blocks) {
		r.add(before, path)
	}
	after, tiers, err := edits.ApplyBlocks(blocks, before, r.Options)
	if err != nil {
		return nil, said(err, text)
	}
	if refusal := guard(text, r.Here, blocks, before, after); refusal != nil {
		return nil, refusal
	}
	return &Result{before, after, tiers, r.unasked(blocks, before, after)}, nil
}

func (r Reader) add(files map[string]string, path string) {
	if _, known := files[path]; known || path == "" || r.Open == nil {
		return
	}
	if text, ok := r.Open(path); ok {
		files[path] = text
	}
}

// formatOf is the format that an answer is in: a model that is asked for a whole new text
// may answer with blocks, unless the text itself has their marks.
func (r Reader) formatOf(text string, files map[string]string) edits.Format {
	if r.Format != edits.FormatRewrite {
		return r.Format
	}
	for _, mark := range []string{"<<<<<<< SEARCH\n", "*** Begin Patch\n", "*** Update File: "} {
		if strings.Contains(text, mark) && !strings.Contains(files[r.Here], mark) {
			return edits.FormatAuto
		}
	}
	return r.Format
}

// Parse unwraps and parses an answer.
func Parse(format edits.Format, text string) ([]edits.Block, error) {
	text, list, err := unwrap(format, text)
	if err != nil {
		return nil, err
	}
	if list != nil {
		return edits.ReplacementBlocks(list), nil
	}
	return edits.Parse(format, text)
}

// said adds to a refusal the words of an answer that has no edit: a model says why it cannot
// do what was asked.
func said(err error, text string) error {
	if refused, ok := errors.AsType[*edits.Error](err); ok && refused.Code == edits.CodeParse && !slices.ContainsFunc(strings.Split(text, "\n"), markIn) && strings.TrimSpace(text) != "" {
		refused.Message += "; it says: " + quoted(text)
	}
	return err
}

// quoted is the beginning of what a model says, on one line.
func quoted(text string) string {
	const most = 240
	words := []rune(strings.Join(strings.Fields(text), " "))
	if len(words) > most {
		words = append(words[:most], '…')
	}
	return "“" + string(words) + "”"
}
