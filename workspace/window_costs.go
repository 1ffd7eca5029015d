package workspace

import (
	"hash/maphash"
	"sync"
	"sync/atomic"

	"tandem/workspace/redact"
	"tandem/workspace/tokens"
)

// costs remembers how many tokens short texts have and that they hold no secret,
// so that a window is made of stored numbers. It is a table of fixed size in
// which a text has two slots, one of which the newest text replaces; a slot
// distinguishes texts by 64 bits of a hash that has a new seed in each process.
type costs struct {
	counter tokens.Counter
	seed    maphash.Seed
	slots   [1 << slotBits]atomic.Uint64 // hash without its low bits | tokens<<1 | clean
}

const (
	slotBits   = 19
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
	tag, at := hash&^(1<<slotBits-1), hash&(1<<slotBits-1)
	for _, i := range [2]uint64{at, at ^ 1} {
		if v := c.slots[i].Load(); v != 0 && v&^(1<<slotBits-1) == tag {
			return int(v>>1) & mostStored, v&1 == 1
		}
	}
	count, clean = c.counter.Count(text), len(redact.Find(text)) == 0
	if count <= mostStored {
		c.store(tag, at, count, clean)
	}
	return count, clean
}

// store puts a text's numbers into its second slot and, where that is taken,
// into the first.
func (c *costs) store(tag, at uint64, count int, clean bool) {
	v := tag | uint64(count)<<1
	if clean {
		v |= 1
	}
	if c.slots[at^1].Load() == 0 {
		at ^= 1
	}
	c.slots[at].Store(v)
}

// count is of without the secrets: for text that has none.
func (c *costs) count(text string) int {
	n, _ := c.of(text)
	return n
}
