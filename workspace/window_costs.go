package workspace

import (
	"hash/maphash"
	"sync"
	"sync/atomic"

	"tandem/workspace/redact"
	"tandem/workspace/tokens"
)

// costs remembers of short texts how many tokens they have and that they hold
// no secret, so that a window is made of stored numbers. It is a table of
// fixed size in which the newest text wins its slot; a slot tells texts apart
// by 64 bits of a hash that is seeded anew in each process.
type costs struct {
	counter tokens.Counter
	seed    maphash.Seed
	slots   [1 << slotBits]atomic.Uint64 // hash without its low bits | tokens<<1 | clean
}

const (
	slotBits   = 18
	mostStored = 1<<(slotBits-1) - 1 // tokens
)

func newCosts(c tokens.Counter) *costs { return &costs{counter: c, seed: maphash.MakeSeed()} }

var costTables sync.Map // tokens.Counter's name -> *costs

// costsOf returns the table of a tokenizer; nil is o200k_base.
func costsOf(c tokens.Counter) *costs {
	if c == nil {
		c = tokens.O200k
	}
	if known, ok := costTables.Load(c.Name()); ok {
		return known.(*costs)
	}
	made, _ := costTables.LoadOrStore(c.Name(), newCosts(c))
	return made.(*costs)
}

// of returns the number of tokens of text, and whether it holds no secret.
func (c *costs) of(text string) (count int, clean bool) {
	hash := maphash.String(c.seed, text)
	slot := &c.slots[hash&(1<<slotBits-1)]
	tag := hash &^ (1<<slotBits - 1)
	if v := slot.Load(); v != 0 && v&^(1<<slotBits-1) == tag {
		return int(v>>1) & mostStored, v&1 == 1
	}
	count, clean = c.counter.Count(text), len(redact.Find(text)) == 0
	if count <= mostStored {
		v := tag | uint64(count)<<1
		if clean {
			v |= 1
		}
		slot.Store(v)
	}
	return count, clean
}

// count is of without the secrets: for text that has none.
func (c *costs) count(text string) int {
	n, _ := c.of(text)
	return n
}
