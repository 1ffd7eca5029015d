package window

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/similar"
)

const (
	queryLines = 20  // on either side of the place whose words are looked for
	saidWeight = 2   // of a word of the user; one at the place has 1
	weakest    = 0.2 // of the best piece's score; less leads a model astray more often than it helps
	fewFiles   = 24  // whose text is compared for a small window
	perFile    = 500 // tokens for each further file of a larger one
	mostFiles  = 128
	gateLines  = 3  // before a cursor, whose names the file should explain
	longWhole  = 60 // lines of a function that is shown whole for a part of it
)

// strong is the least share of the query's weight in a piece that a completion shows.
const strong = 0.1

// pieces returns the pieces of other files that resemble the place and the user's words and have
// at least a share of the weight of all words.
func (f *fill) pieces(least float32) (out []Fragment) {
	var q similar.Query
	q.Add(f.place.before(queryLines)+f.place.text[f.place.at.Start:f.place.at.End]+f.place.after(queryLines), 1)
	for w := range strings.FieldsFuncSeq(f.req.Words, func(r rune) bool { return !wordRune(r) }) {
		if !plainWords[strings.ToLower(w)] {
			q.Add(w, saidWeight)
		}
	}
	list := similar.Rank(f.folder.ix, &q, min(fewFiles+f.left/perFile, mostFiles), f.textOf)
	for _, p := range list {
		if p.Part >= least && p.Score >= weakest*list[0].Score {
			out = append(out, Fragment{Path: f.folder.ix.Path(p.File), StartLine: p.First, EndLine: p.Last, Kind: FragmentCode, Reason: "similar code: shares " + strings.Join(p.Words, ", ")}.orFirstHalf())
		}
	}
	return out
}

// orFirstHalf returns the fragment with its first half to show if it does not fit.
func (c Fragment) orFirstHalf() Fragment {
	c.orElse = func() []Fragment {
		half := c
		if half.EndLine = (c.StartLine + c.EndLine) / 2; half.EndLine-half.StartLine < 2 {
			return nil
		}
		return []Fragment{half.orFirstHalf()}
	}
	return c
}

// resembling finds the code of other files that resembles the place and the user's words most.
func resembling(f *fill) []Fragment { return f.pieces(0) }

// wholeFunctions completes the short functions of which a source finds parts, since an answer
// about code needs all of it.
func wholeFunctions(of Source) Source {
	return func(f *fill) []Fragment {
		list := of(f)
		for i := range list {
			c := &list[i]
			id, _ := f.folder.ix.FileID(c.Path)
			if d, ok := f.folder.holder(id, (c.StartLine+c.EndLine)/2); ok && d.Kind.IsFunc() && d.EndLine-d.DocLine < longWhole {
				c.StartLine, c.EndLine = min(c.StartLine, d.DocLine), max(c.EndLine, d.EndLine)
			}
		}
		return list
	}
}

// unexplained finds code that strongly resembles the place of a completion if the lines before
// the cursor use a name that other files know and this one does not explain. In other places
// code of other files leads a model astray more often than it helps.
func unexplained(f *fill) []Fragment {
	if !f.place.indexed || f.place.text == "" {
		return nil
	}
	above, after := f.place.text[:lineStart(f.place.text, max(1, f.place.line()-gateLines))], f.place.text[f.place.at.End:]
	foreign := func(w word) bool {
		here := edits.IndexWord(above, w.text, 0) >= 0 || edits.IndexWord(after, w.text, 0) >= 0
		return !here && slices.ContainsFunc(f.folder.ix.Users(w.text), func(id index.FileID) bool { return id != f.place.file })
	}
	if !slices.ContainsFunc(nearest(f.place.before(gateLines), 0), foreign) {
		return nil
	}
	return f.pieces(strong)
}
