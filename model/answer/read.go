package answer

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/terms"
)

// A Reader reads answers about files.
type Reader struct {
	Format edits.Format
	// Files are the texts that an answer is about, and Open, which may be nil, returns those
	// of other files that it names, if there are such.
	Files map[string]string
	Open  func(path string) (text string, ok bool)
	// Rel, which may be nil, returns how the workspace names a file that is named by its whole
	// path.
	Rel func(path string) string
	// Executable, which may be nil, reports whether a file that the answer moves or copies can be run.
	Executable func(path string) bool
	// Cut is what cut the answer, as a clause, with its kind: its whole blocks are read then, and
	// doubted. Its zero value is an answer that is whole.
	Cut edits.Doubt
	edits.Options
}

// A Result is what an answer makes of files. Both maps hold all files that were read.
type Result struct {
	Before, After map[string]string
	Forms         map[string]edits.Form
	Fits          map[string]edits.Fitting
	Tiers         []string // how each block was located
	// Doubts are why a file's new text may not be meant, by path: what a whole text leaves out.
	Doubts map[string][]edits.Doubt
}

// Read reads an answer, or the whole blocks of one that was cut. On an error, an *edits.Error, nothing of it may be applied.
func (r Reader) Read(text string) (*Result, error) {
	before := maps.Clone(r.Files)
	if before == nil {
		before = map[string]string{}
	}
	r.add(before, r.Here)
	blocks, err := r.parse(r.formatOf(text, before), text)
	if err != nil {
		return nil, said(err, text)
	}
	for i := range blocks {
		blocks[i].Path, blocks[i].MoveTo = r.rel(blocks[i].Path), r.rel(blocks[i].MoveTo)
	}
	for _, path := range edits.PathsIn(blocks) {
		r.add(before, path)
	}
	applied, err := edits.ApplyBlocks(blocks, before, r.Options)
	if err != nil {
		return nil, said(err, text)
	}
	after := applied.After
	if refusal := guard(text, r.Here, blocks, before, after); refusal != nil {
		return nil, refusal
	}
	if refusal := r.lostComments(blocks, before, after); refusal != nil {
		return nil, refusal
	}
	out := &Result{Before: before, After: after, Forms: r.moded(applied.Forms), Fits: applied.Fits, Tiers: applied.Tiers, Doubts: r.unasked(blocks, before, after)}
	if r.Cut != (edits.Doubt{}) {
		out.doubtPart(blocks, r.Cut)
	}
	return out, nil
}

// moded are forms with the mode of what is moved or copied.
func (r Reader) moded(forms map[string]edits.Form) map[string]edits.Form {
	for path, f := range forms {
		if f.From != "" && f.Mode == edits.Unsaid && r.Executable != nil && r.Executable(f.From) {
			f.Mode = edits.Executable
			forms[path] = f
		}
	}
	return forms
}

func (r Reader) rel(path string) string {
	if r.Rel == nil || path == "" || !filepath.IsAbs(path) {
		return path
	}
	return r.Rel(path)
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

// parse is Parse, of the blocks that are whole if the answer was cut.
func (r Reader) parse(format edits.Format, text string) ([]edits.Block, error) {
	if r.Cut == (edits.Doubt{}) {
		return Parse(format, text)
	}
	text, list, err := unwrap(format, text)
	switch {
	case err != nil:
		return nil, err
	case list != nil:
		return edits.ReplacementBlocks(list), nil
	}
	return edits.ParsePart(format, text)
}

// doubtPart records that the texts are made by a part of an answer. A definition or a file that
// the part takes away may be one that the rest puts elsewhere.
func (r *Result) doubtPart(blocks []edits.Block, cut edits.Doubt) {
	part := edits.Doubt{Why: terms.Counted(len(blocks), "block") + ", then " + cut.Why, Kind: cut.Kind}
	left := map[string]int{} // how many definitions of a name there are more than before
	for path, text := range r.After {
		count(left, path, text, 1)
	}
	for path, text := range r.Before {
		count(left, path, text, -1)
	}
	if r.Doubts == nil {
		r.Doubts = map[string][]edits.Doubt{}
	}
	for _, path := range slices.Sorted(maps.Keys(r.names())) {
		before, existed := r.Before[path]
		after, exists := r.After[path]
		if existed == exists && before == after {
			continue
		}
		doubts := []edits.Doubt{part}
		lost := map[string]bool{}
		for _, name := range defined(path, before) {
			if left[name] < 0 && !lost[name] {
				lost[name] = true
				doubts = append(doubts, edits.Doubt{Why: "the part takes away " + name + ", which the rest may have put elsewhere", Kind: edits.Lost})
			}
		}
		moved := slices.ContainsFunc(blocks, func(b edits.Block) bool { return b.MoveTo != "" && b.Path == path })
		if existed && !exists && !moved && len(lost) == 0 {
			doubts = append(doubts, edits.Doubt{Why: "the part deletes " + path + ", which the rest may have put elsewhere", Kind: edits.Lost})
		}
		r.Doubts[path] = append(doubts, r.Doubts[path]...)
	}
}

// Changes lists the files that differ afterwards, in the order of their paths. restored is a text with
// the secrets that stood in for.
func (r *Result) Changes(restored func(text string) string) []edits.FileChange {
	var out []edits.FileChange
	for _, name := range slices.Sorted(maps.Keys(r.names())) {
		old, had := r.Before[name]
		next, has := r.After[name]
		next = restored(next)
		if had == has && old == next && r.Forms[name] == (edits.Form{}) {
			continue
		}
		out = append(out, edits.FileChange{Path: name, Before: old, After: next, AbsentBefore: !had, AbsentAfter: !has, Form: r.Forms[name], Edits: edits.Diff(old, next), Fitting: r.Fits[name], Doubts: r.Doubts[name]})
	}
	return out
}

// names are the files that there are before or after.
func (r *Result) names() map[string]string {
	all := maps.Clone(r.Before)
	maps.Copy(all, r.After)
	return all
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
