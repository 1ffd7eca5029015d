package window

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"

	"tandem/workspace/tokens"
)

// costs remembers how many tokens texts have, so that a window is made of stored numbers. It is a table of fixed size in
// which a text has two slots, one of which the newest text replaces; a slot
// distinguishes texts by 64 bits of a hash that has a new seed in each process.
type costs struct {
	counter tokens.Counter
	lines   maphash.Seed                 // of what is counted alone
	slots   [1 << slotBits]atomic.Uint64 // hash without its low bits | tokens
}

const (
	slotBits   = 18
	mostStored = 1<<slotBits - 1 // tokens
)

func newCosts(c tokens.Counter) *costs {
	return &costs{counter: c, lines: maphash.MakeSeed()}
}

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

// count is the number of tokens of text, at least. Its lines are counted and remembered
// apart: most texts are put together of lines of others.
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

// border returns by how much the tokens of two texts together differ from their sum: a
// comment's first slashes are taken along by the symbols that end the text above it.
func (c *costs) border(above, text string) int {
	if text[0] != '/' {
		return 0
	}
	from, to := len(above)-1, 1
	for from > 0 && !tokens.SafeCut(above, from) {
		from--
	}
	for to < len(text) && !tokens.SafeCut(text, to) {
		to++
	}
	above, text = above[from:], text[:to]
	return c.count(above+text) - c.count(above) - c.count(text)
}

// mostBorder is the most that border returns for a text, whatever stands above it: what it
// costs to cut the text after its first slashes, and one token because the symbols above are
// divided into other tokens with the slashes; two where the slashes have line ends.
func (c *costs) mostBorder(text string) int {
	if !strings.HasPrefix(text, "/") {
		return 0
	}
	slashes := slashRun(text)
	end := len(text)
	if i := strings.IndexByte(text[slashes:], '\n'); i >= 0 {
		end = slashes + i + slashRun(text[slashes+i:])
	}
	most := 1 + max(0, c.count(text[:slashes])+c.count(text[slashes:end])-c.count(text[:end]))
	if strings.Contains(text[:slashes], "\n") {
		most++
	}
	return most
}

// slashRun is the length of the slashes and line ends that a text begins with, which symbols
// above them take along.
func slashRun(text string) int { return len(text) - len(strings.TrimLeft(text, "/\r\n")) }

func (c *costs) line(text string) int {
	hash := maphash.String(c.lines, text)
	count, known := c.load(hash)
	if !known {
		count = c.counter.Count(text)
		c.store(hash, count)
	}
	return count
}

func (c *costs) load(hash uint64) (count int, known bool) {
	tag, at := hash&^(1<<slotBits-1), hash&(1<<slotBits-1)
	for _, i := range [2]uint64{at, at ^ 1} {
		if v := c.slots[i].Load(); v != 0 && v&^(1<<slotBits-1) == tag {
			return int(v) & mostStored, true
		}
	}
	return 0, false
}

// store puts a text's numbers into its second slot and, where that is taken,
// into the first.
func (c *costs) store(hash uint64, count int) {
	if count > mostStored {
		return
	}
	tag, at := hash&^(1<<slotBits-1), hash&(1<<slotBits-1)
	v := tag | uint64(count)
	if c.slots[at^1].Load() == 0 {
		at ^= 1
	}
	c.slots[at].Store(v)
}
