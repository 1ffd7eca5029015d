package workspace

import (
	"fmt"
	"slices"

	"tandem/workspace/cut"
)

// Around returns the folders, that of a document first: a search that the document does not bound
// goes through all of them.
func (s *Snapshot) Around(uri string) []*View {
	out, own := s.Views(), s.View(uri)
	slices.SortStableFunc(out, func(a, b *View) int {
		switch own {
		case a:
			return -1
		case b:
			return 1
		}
		return 0
	})
	return out
}

// Cut is what the indexes of all folders lack of the code in the languages of a family, or in all
// (""): files that were not read, yet or for a bound.
func (s *Snapshot) Cut(family string) cut.Cut {
	var cuts []cut.Cut
	for _, v := range s.Views() {
		c := v.Cut(family)
		if !c.None() && len(s.views) > 1 {
			c = cut.Because("of " + v.Name() + ", " + c.String())
		}
		cuts = append(cuts, c)
	}
	return cut.Join(cuts...)
}

// Unread is the part of Cut that ends by itself: folders that are being read.
func (s *Snapshot) Unread() cut.Cut {
	var cuts []cut.Cut
	for _, v := range s.Views() {
		if !v.Ready() {
			cuts = append(cuts, v.Cut(""))
		}
	}
	return cut.Join(cuts...)
}

// Absent returns a claim, as a sentence, that something is nowhere in the workspace. As long as a
// file of any folder is not read that may have it, or more is left out of what the claim is made
// of, it returns that in its place. No other function may make such a claim.
func (s *Snapshot) Absent(claim string, more ...cut.Cut) string {
	if left := cut.Join(append(more, s.Cut(""))...); !left.None() {
		return fmt.Sprintf("Nothing was found in what is read, and it may be there all the same: %s.", left)
	}
	return claim
}
