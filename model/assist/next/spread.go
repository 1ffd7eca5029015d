package next

import (
	"sync"
	"tandem/model/assist/core"
)

// A spread counts the accepted next edits of each change of the user's.
type spread struct {
	mu    sync.Mutex // guards count
	count map[string]int
}

// spreadsAfter is how many accepted places of a change show that it is meant everywhere,
// and maxSpreads bounds the changes that are counted.
const (
	spreadsAfter = 2
	maxSpreads   = 64
)

// Spreads reports that the user accepts an offered next edit, before Completer.Accepted
// ends the offer. It returns where the edit is and true once for each change, when so
// many of its places were accepted that all remaining ones should be proposed.
func (n *Editor) Spreads(id string) (core.Place, bool) {
	for _, d := range n.Open.All() {
		next, ok := d.next.byID(id)
		if !ok || next.Jump != "" || next.From.Lane != core.BuiltIn || next.Change == "" {
			continue
		}
		n.spread.mu.Lock()
		defer n.spread.mu.Unlock()
		if n.spread.count == nil || len(n.spread.count) > maxSpreads {
			n.spread.count = map[string]int{}
		}
		n.spread.count[next.Change]++
		return core.Place{URI: next.URI, Offset: next.Edit.Start}, n.spread.count[next.Change] == spreadsAfter
	}
	return core.Place{}, false
}
