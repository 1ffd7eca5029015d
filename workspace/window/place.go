package window

import (
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/redact"
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

// openPlace reads the document through the gate. A question's window depends on the question's
// text alone, in the first folder.
func openPlace(s *workspace.Snapshot, uri string, at edits.Span) (*place, error) {
	p := &place{source: redact.NewSource("")}
	if uri == "" && len(s.Views()) > 0 {
		p.uri = s.Views()[0].Root
		return p, nil
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
		p.rel = p.name
		p.file, p.indexed = v.Index().FileID(p.rel)
	}
	return p, nil
}

func clampSpan(sp edits.Span, length int) edits.Span {
	start := min(max(sp.Start, 0), length)
	return edits.Span{Start: start, End: min(max(sp.End, start), length)}
}

// refusal turns the gate's answer into an error.
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

// line is the line on which the place begins, from 1.
func (p *place) line() int { return 1 + strings.Count(p.text[:p.at.Start], "\n") }

// String is the place as path:line.
func (p *place) String() string { return p.name + ":" + strconv.Itoa(p.line()) }

// lines are those of the selection, or the line of the cursor.
func (p *place) lines() lineRange {
	first := p.line()
	return lineRange{first, first + strings.Count(strings.TrimSuffix(p.text[p.at.Start:p.at.End], "\n"), "\n")}
}

// near is the text around the place, at most so many bytes on either side, and the place in it.
// The word that is being typed is left out: it means nothing yet.
func (p *place) near(most int) (text string, at int) {
	start, end := p.at.Start, p.at.Start
	for p.at.Len() == 0 && start > max(0, p.at.Start-most) && edits.IsWordByte(p.text[start-1]) {
		start--
	}
	for start < p.at.Start && end < len(p.text) && edits.IsWordByte(p.text[end]) {
		end++
	}
	before := p.text[runeStart(p.text, max(0, start-most)):start]
	return before + p.text[end:runeStart(p.text, min(len(p.text), end+most))], len(before)
}

const (
	nearBytes   = 3000     // on either side of a place: words that it is probably about
	largeMargin = 16 << 10 // bytes around the place that are read for names
	nearLines   = 40       // how far from the place a use of a name counts
)

// names are the words of the lines near the place, the nearest first, each once.
func (p *place) names() []string {
	up, down := border{text: p.text, up: true}, border{text: p.text}
	before := p.text[max(up.outward(p.at.Start, nearLines), p.at.Start-largeMargin):p.at.Start]
	after := p.text[p.at.End:min(down.outward(p.at.End, nearLines), p.at.End+largeMargin)]
	words := func(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return !wordRune(r) }) }
	left, right := words(before), words(after)
	slices.Reverse(left)
	seen := map[string]bool{}
	var out []string
	for i := range max(len(left), len(right)) {
		for _, side := range [][]string{left, right} {
			if i < len(side) && !seen[side[i]] {
				seen[side[i]] = true
				out = append(out, side[i])
			}
		}
	}
	return out
}

func wordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0x80
}
