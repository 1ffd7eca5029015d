package window

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/redact"
	"tandem/workspace/similar"
	"tandem/workspace/terms"
	"tandem/workspace/tokens"
)

// A place is what a window is made around: a cursor or a selection in a document. It never
// changes. A question about the workspace is asked at a place without name and text.
type place struct {
	uri     string // of the document, or of the folder that a question is about
	name    string // of the document, as Snapshot.Name returns it
	text    string // of the document, valid UTF-8
	source  *redact.Source
	at      edits.Span   // in text
	rel     string       // the document's path below its folder's root; "" outside every folder
	file    index.FileID // the document in the folder's index
	indexed bool         // the index has it
}

// path is the document's path in the folder, or else its name.
func (p *place) path() string { return cmp.Or(p.rel, p.name) }

// about returns the root of the folder that a question without a document is about: the one that
// uses most of its words.
func about(s *workspace.Snapshot, words string) string {
	root, most := "", -1
	for _, view := range s.Views() {
		known, ix := 0, view.Index()
		eachWord(words, func(w word, _ int) { known += min(1, ix.DocFreq(w.text)) })
		if known > most {
			root, most = view.Root, known
		}
	}
	return root
}

// openPlace reads the document through the gate. A question without one is asked of the folder whose
// root is named.
func openPlace(s *workspace.Snapshot, uri string, at edits.Span) (*place, error) {
	p := &place{source: redact.NewSource("")}
	for _, view := range s.Views() {
		if uri == view.Root {
			p.uri = view.Root
			return p, nil
		}
	}
	p.uri = s.Resolve(uri)
	p.name = s.Name(p.uri)
	f, err := s.File(p.uri)
	switch {
	case err != nil:
		return p, refusal(s, p.uri, err)
	case f.Binary():
		return p, &Error{Code: "binary", Message: p.name + " is binary: it holds no text to show"}
	case f.Large():
		return p, &Error{Code: "large", Message: p.name + " has more than 5 MB: nothing of it is shown to models"}
	}
	p.at = clampSpan(at, f.Raw().Len())
	p.text = f.Content()
	if valid := tokens.Valid(p.text); valid != p.text {
		p.at = edits.Span{Start: len(tokens.Valid(p.text[:p.at.Start])), End: len(tokens.Valid(p.text[:p.at.End]))}
		p.text = valid
		p.at = clampSpan(p.at, len(valid))
	}
	p.at.Start, p.at.End = runeStart(p.text, p.at.Start), runeStart(p.text, p.at.End)
	if p.source = f.Source(); p.source.Text() != p.text {
		p.source = redact.NewSource(p.text)
	}
	if v := s.View(p.uri); v != nil {
		path, _ := workspace.PathOf(p.uri)
		at, _ := v.Rel(path)
		p.rel = at.String()
		p.file, p.indexed = v.FileID(p.uri)
	}
	return p, nil
}

func clampSpan(sp edits.Span, length int) edits.Span {
	start := min(max(sp.Start, 0), length)
	return edits.Span{Start: start, End: min(max(sp.End, start), length)}
}

// refusal turns the gate's answer into an *Error.
func refusal(s *workspace.Snapshot, uri string, err error) error {
	code := "not_found"
	if ok, _ := s.Allowed(uri); !ok {
		code = "refused"
	}
	if path, isFile := workspace.PathOf(uri); isFile && s.View(path) == nil {
		code = "outside"
	}
	return &Error{Code: code, Message: err.Error(), err: err}
}

// line returns the line on which the place begins, from 1.
func (p *place) line() int { return 1 + strings.Count(p.text[:p.at.Start], "\n") }

// String returns the place as path:line.
func (p *place) String() string { return p.name + ":" + strconv.Itoa(p.line()) }

// A lineRange is lines of a file, from 1, the last one included.
type lineRange struct{ first, last int }

// lines returns those of the selection, or the line of the cursor.
func (p *place) lines() lineRange {
	first := p.line()
	return lineRange{first, first + strings.Count(strings.TrimSuffix(p.text[p.at.Start:p.at.End], "\n"), "\n")}
}

// before returns the text from some lines above the place up to it, and after the text from it
// on. Both leave out the word that is being typed, which means nothing yet.
func (p *place) before(lines int) string {
	start, end := strings.LastIndexByte(p.text[:p.at.Start], '\n')+1, p.at.Start
	for range lines {
		start = nextLine(p.text, start, up)
	}
	for p.at.Len() == 0 && end > start && edits.IsWordByte(p.text[end-1]) {
		end--
	}
	return p.text[start:end]
}

func (p *place) after(lines int) string {
	start := p.at.End
	for p.at.Len() == 0 && start < len(p.text) && edits.IsWordByte(p.text[start]) {
		start++
	}
	end := start
	for range lines {
		end = nextLine(p.text, end, down)
	}
	return p.text[start:end]
}

// nearLines is the number of lines on either side of a place whose names it may be about.
const nearLines = 60

// A word is a name in code, with the name before its dot.
type word struct{ qualifier, text string }

// nearest returns the names of a text, each once, those nearest to a line first. Lines count
// from 0.
func nearest(text string, line int) []word {
	distance := map[word]int{}
	eachWord(text, func(w word, at int) {
		far := max(at-line, line-at)
		if before, seen := distance[w]; !seen || far < before {
			distance[w] = far
		}
	})
	return slices.SortedFunc(maps.Keys(distance), func(x, y word) int {
		return cmp.Or(cmp.Compare(distance[x], distance[y]), cmp.Compare(x.text, y.text), cmp.Compare(x.qualifier, y.qualifier))
	})
}

// eachWord calls do with the names of three letters and more in a text, and their lines from 0.
func eachWord(text string, do func(w word, line int)) {
	before, end, line := "", 0, 0 // the name before, and where it ended
	similar.EachName(text, func(from, to int) {
		line += strings.Count(text[end:from], "\n")
		w := word{text: text[from:to]}
		if before != "" && slices.Contains(qualifying, text[end:from]) {
			w.qualifier = before
		}
		if before, end = w.text, to; len(w.text) > 2 {
			do(w, line)
		}
	})
}

// qualifying lists what separates a qualifier from its name.
var qualifying = []string{".", "?.", "!.", "::", "->"}

func wordRune(r rune) bool { return r >= 0x80 || strings.ContainsRune(terms.ASCII+"_", r) }
