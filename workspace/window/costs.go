package window

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"

	"tandem/workspace/tokens"
)

// costs remembers the token counts of texts in a table of fixed size. The newest text takes its
// slot; a slot tells texts apart by the bits of a hash that has a new seed in each process.
type costs struct {
	counter tokens.Counter
	seed    maphash.Seed
	slots   [1 << slotBits]atomic.Uint64 // hash without its low bits | tokens
}

const (
	slotBits   = 18
	mostStored = 1<<slotBits - 1 // tokens
)

var costTables sync.Map // tokens.Counter's name -> *costs

// costsOf returns the table of a tokenizer; nil means o200k_base.
func costsOf(c tokens.Counter) *costs {
	if c == nil {
		c = tokens.O200k
	}
	if known, ok := costTables.Load(c.Name()); ok {
		return known.(*costs)
	}
	made, _ := costTables.LoadOrStore(c.Name(), &costs{counter: c, seed: maphash.MakeSeed()})
	return made.(*costs)
}

// count returns the tokens of a text. Lines are counted and remembered one by one, since most
// texts consist of lines of others.
func (c *costs) count(text string) (sum int) {
	for start, at := 0, 0; start < len(text); {
		i := strings.IndexByte(text[at:], '\n')
		if at += i + 1; i < 0 {
			at = len(text)
		}
		if tokens.SafeCut(text, at) {
			sum += c.line(text[start:at])
			start = at
		}
	}
	return sum
}

// below returns the tokens that a text adds to the one above it. The first slashes of a comment
// can share a token with the end of the text above.
func (c *costs) below(above, text string) int {
	if text[0] != '/' {
		return c.count(text)
	}
	return c.count(above+text) - c.count(above)
}

func (c *costs) line(text string) int {
	hash := maphash.String(c.seed, text)
	tag, slot := hash&^mostStored, &c.slots[hash&mostStored]
	if v := slot.Load(); v != 0 && v&^mostStored == tag {
		return int(v & mostStored)
	}
	count := c.counter.Count(text)
	if count <= mostStored {
		slot.Store(tag | uint64(count))
	}
	return count
}
