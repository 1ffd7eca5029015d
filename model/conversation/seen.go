package conversation

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/redact"
)

// A Piece is what an item shows of a file: lines of the text that the file had then.
type Piece struct {
	Path        string
	First, Last int         // from 1, inclusive
	Text        redact.Text // as shown; not all lines where it is an outline
	Base        string      // the whole file's text
	Moved       int         // how many lines down it is from where it was last shown
}

// Whole reports whether a piece shows each of its lines.
func (p Piece) Whole() bool {
	return strings.Count(strings.TrimSuffix(p.Text.String(), "\n"), "\n") == p.Last-p.First
}

// A File is what a model last saw of a file.
type File struct {
	Base   string  // the text of the file at that time
	Pieces []Piece // in the order in which they were shown, by the lines of Base
}

// Seen returns what was last shown of each path. What a later item shows anew replaces what it
// has changed from.
func (r Record) Seen() map[string]File {
	out := map[string]File{}
	for _, item := range r.items {
		for _, p := range item.Shown {
			f, known := out[p.Path]
			if known && f.Base != p.Base {
				f.Pieces, _ = f.Now(p.Base)
				for i := range f.Pieces {
					f.Pieces[i].Moved = 0
				}
			}
			f.Base = p.Base
			f.Pieces = append(f.Pieces, p)
			out[p.Path] = f
		}
	}
	return out
}

// Now returns which pieces still stand in the text that the file has now, by its lines, and what
// the lines of others have become, with no Text yet. An outline of which a line is gone is neither.
func (f File) Now(text string) (same, changed []Piece) {
	if text == f.Base {
		return f.Pieces, nil
	}
	before, after := edits.NewText(f.Base), edits.NewText(text)
	list := edits.Diff(f.Base, text)
	for _, p := range f.Pieces {
		from := linesOf(before, p)
		to, touched := from, false
		for _, e := range list {
			switch {
			case above(f.Base, e, from):
				to.Start, to.End = to.Start+e.Delta(), to.End+e.Delta()
			case e.Start < from.End || e.Start == before.Len() && from.End == e.Start && !strings.HasSuffix(f.Base, "\n"):
				to.Start, to.End, touched = min(to.Start, to.Start+e.Start-from.Start), to.End+e.Delta()+max(0, e.End-from.End), true
			}
		}
		whole := p.Whole()
		p.Base = text
		switch to.End = max(to.End, to.Start); {
		case !whole && !p.stands():
			continue
		case whole && touched:
			if to.Len() > 0 {
				p.First, p.Last, p.Text = after.LineOf(to.Start)+1, after.LineOf(to.End-1)+1, redact.Text{}
				changed = append(changed, p)
			}
			continue
		}
		first := after.LineOf(to.Start) + 1
		p.First, p.Last, p.Moved = first, first+p.Last-p.First, first-p.First
		same = append(same, p)
	}
	return same, slices.CompactFunc(changed, func(a, b Piece) bool { return a.First == b.First && a.Last == b.Last })
}

// linesOf is the span of a piece's lines in its text.
func linesOf(text edits.Text, p Piece) edits.Span {
	end := text.Len()
	if p.Last < text.LineCount() {
		end = text.LineStart(p.Last)
	}
	return edits.Span{Start: text.LineStart(min(p.First, text.LineCount()) - 1), End: end}
}

// above reports whether an edit changes only what precedes the lines at a span.
func above(base string, e edits.Edit, lines edits.Span) bool {
	if e.End != lines.Start {
		return e.End < lines.Start
	}
	return strings.HasSuffix(e.New, "\n") || e.New == "" && (e.Start == 0 || base[e.Start-1] == '\n')
}

// stands reports whether the text of an outline still is in its file, but for line numbers.
func (p Piece) stands() bool {
	for line := range strings.Lines(p.Text.String()) {
		if number, code, ok := strings.Cut(line, "\t"); ok && strings.Trim(number, "0123456789") == "" {
			line = code
		}
		if line = strings.TrimSpace(line); line != "..." && !strings.Contains(p.Base, line) {
			return false
		}
	}
	return true
}

// bytes are those of the lines of a piece.
func (p Piece) bytes() int {
	return linesOf(edits.NewText(p.Base), p).Len()
}

// mostStale is the share of what was shown, in percent, from which on a conversation begins anew
// when so much has changed since.
const mostStale = 30

// Stale reports whether too much of what was shown is no longer so to show the rest again; now
// returns the text of a file, "" of one that is gone.
func (r Record) Stale(now func(path string) string) bool {
	shown, stale := 0, 0
	for path, f := range r.Seen() {
		for _, p := range f.Pieces {
			shown += p.bytes()
			stale += p.bytes()
		}
		same, _ := f.Now(now(path))
		for _, p := range same {
			stale -= p.bytes()
		}
	}
	return stale*100 > shown*mostStale
}
