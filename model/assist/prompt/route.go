package prompt

import (
	"path"
	"regexp"
	"strings"
	"unicode"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/index"
)

// Route chooses the lane for what a person asks about a place, and returns it with the reason.
func (m *Maker) Route(snap *workspace.Snapshot, purpose model.Purpose, wanted model.Lane, words, uri string, span edits.Span) model.Decision {
	fast, hasFast := m.Models.Config(model.Fast)
	_, hasDeep := m.Models.Config(model.Deep)
	signals := model.Signals{
		Purpose: purpose, Instruction: words, Override: wanted,
		FastWindow: fast.ContextWindow, NoFast: !hasFast, FillOnly: fast.FillOnly, NoDeep: !hasDeep,
	}
	if f, err := snap.File(uri); err == nil && span.Valid(f.Raw().Len()) {
		signals.WindowTokens = model.Sized(fast, f.Raw().Slice(span))
		if model.Small(fast) {
			signals.WriteTokens, signals.FastOutput = signals.WindowTokens, fast.MaxOutputTokens
		}
	}
	if uri != "" {
		signals.Paths = []string{snap.Name(uri)}
	}
	if purpose == model.Edit && wanted == "" && len(words) <= longestCounted {
		signals.Named = counted(snap, uri, words, span.Start)
	}
	return model.Choose(signals)
}

// Bounds on what is counted for a request: longer ones are routed by their words alone, and a
// name of more definitions is no name of one thing.
const (
	longestCounted = 4 << 10
	mostMeanings   = 4
)

var writtenAsCode = regexp.MustCompile("`?[\\pL_$][\\pL\\pN_$]*(?:(?:\\.|::|#|->)[\\pL_$][\\pL\\pN_$]*)*(?:\\(|`)?")

// counted is what the index of a document's folder sees for what a request names: the names that
// are written as code, the function at the place of a request that names none, and what "every",
// "all" or "each" stands before.
func counted(snap *workspace.Snapshot, uri, words string, at int) (out []model.Named) {
	view := snap.View(uri)
	if view == nil || !view.Ready() {
		return nil
	}
	ix := view.Index()
	for _, text := range writtenAsCode.FindAllString(words, -1) {
		parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("`(.:#->", r) })
		if len(parts) == 0 {
			continue
		}
		name := parts[len(parts)-1]
		qualified := len(parts) > 1 || strings.ContainsAny(text, "`(")
		if defs := len(ix.LookupIDs(name)); defs == 0 || defs > mostMeanings {
			continue
		}
		if qualified || mixedCase(name) {
			out = append(out, model.Named{Name: name, Files: len(ix.Users(name))})
		}
	}
	if f, err := snap.File(uri); err == nil && len(out) == 0 {
		file, known := view.FileID(uri)
		for _, d := range ix.Enclosing(file, f.Raw().LineOf(min(at, f.Raw().Len()))+1) {
			if known && d.Kind.IsFunc() && len(ix.LookupIDs(d.Name)) <= mostMeanings {
				out = append(out, model.Named{Name: d.Name, Here: true, Files: len(ix.Users(d.Name))})
			}
		}
	}
	for _, noun := range model.Quantified(words) {
		out = append(out, model.Named{Name: noun, Each: each(ix, noun)})
	}
	return out
}

// mixedCase reports whether a word is written as names are, and not as prose.
func mixedCase(name string) bool {
	return strings.ContainsAny(name, "_$0123456789") || strings.IndexFunc(name[1:], unicode.IsUpper) > 0
}

// each is how many things a noun stands for: what implements the type of that name, or the files
// of the folder of that name.
func each(ix *index.Index, noun string) (most int) {
	one := strings.TrimSuffix(noun, "s")
	for _, name := range []string{noun, one, capitalised(noun), capitalised(one)} {
		if len(ix.LookupIDs(name)) > 0 {
			most = max(most, len(index.Implementations(ix, name)))
		}
	}
	for dir := range ix.Dirs() {
		base := path.Base(dir)
		if base != one && base != noun && base != one+"s" {
			continue
		}
		kinds := len(ix.Dir(dir))
		for below := range ix.Dirs() {
			if path.Dir(below) == dir {
				kinds++
			}
		}
		most = max(most, kinds)
	}
	return most
}

func capitalised(word string) string {
	r := []rune(word)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}
