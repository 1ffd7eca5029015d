package git

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"strings"

	"tandem/workspace/disk"
)

// A pack is a file of objects with its index. The index is searched on disk, so
// that its size costs no memory.
type pack struct {
	base  string // path without .idx and .pack
	files *disk.Reader
	idx   *os.File
	data  *os.File
	count uint32 // objects
	bad   error  // why it cannot be read

	inflater io.ReadCloser // kept, since many small streams are read

	cache map[int64]*object // objects that deltas were applied to, by offset
	bytes int               // of the cache
}

const (
	idxHeader = 8
	idxFanout = 256 * 4
	maxCache  = 32 << 20 // bytes of one pack's cache
)

// open opens the index the first time.
func (p *pack) open() error {
	if p.idx != nil || p.bad != nil {
		return p.bad
	}
	f, info, err := p.files.Open(p.base + ".idx")
	if err != nil {
		p.bad = err
		return err
	}
	var head [idxHeader + idxFanout]byte
	_, err = f.ReadAt(head[:], 0)
	p.count = binary.BigEndian.Uint32(head[len(head)-4:])
	if err != nil || !bytes.Equal(head[:8], []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}) || info.Size() < p.at(p.count, 28) {
		_ = f.Close() // it was only read
		p.bad = fmt.Errorf("the index of a pack: %w", errDamaged)
		return p.bad
	}
	p.idx = f
	return nil
}

// at is the place in the index after n entries of a width.
func (p *pack) at(n uint32, width int64) int64 { return idxHeader + idxFanout + int64(n)*width }

func (p *pack) name(i uint32) (hash oid) {
	if _, err := p.idx.ReadAt(hash[:], p.at(i, 20)); err != nil {
		return oid{}
	}
	return hash
}

// find returns the first entry that is not less than a hash.
func (p *pack) find(hash oid) uint32 {
	var around [8]byte // of the fanout: objects before this first byte, and up to it
	from, place := uint32(0), int64(idxHeader)+int64(hash[0])*4
	if hash[0] > 0 {
		if _, err := p.idx.ReadAt(around[:], place-4); err != nil {
			return p.count
		}
		from = min(binary.BigEndian.Uint32(around[:]), p.count)
	} else if _, err := p.idx.ReadAt(around[4:], place); err != nil {
		return p.count
	}
	to := min(binary.BigEndian.Uint32(around[4:]), p.count)
	n := sort.Search(int(max(to, from)-from), func(i int) bool {
		name := p.name(from + uint32(i))
		return bytes.Compare(name[:], hash[:]) >= 0
	})
	return from + uint32(n)
}

// offset returns where an object is in the pack.
func (p *pack) offset(hash oid) (offset int64, ok bool, err error) {
	if err := p.open(); err != nil {
		return 0, false, err
	}
	i := p.find(hash)
	if i >= p.count || p.name(i) != hash {
		return 0, false, nil
	}
	var word [8]byte
	if _, err := p.idx.ReadAt(word[:4], p.at(p.count, 24)+int64(i)*4); err != nil {
		return 0, false, errDamaged
	}
	short := binary.BigEndian.Uint32(word[:4])
	if short&(1<<31) == 0 {
		return int64(short), true, nil
	}
	if _, err := p.idx.ReadAt(word[:], p.at(p.count, 28)+int64(short&^(1<<31))*8); err != nil {
		return 0, false, errDamaged
	}
	long := binary.BigEndian.Uint64(word[:])
	return int64(long), long < 1<<62, nil
}

// withPrefix returns the objects whose hash begins with hexadecimal digits, at
// most two: more do not name one.
func (p *pack) withPrefix(prefix string) []oid {
	if p.open() != nil {
		return nil
	}
	var out []oid
	first, _ := parseOID(prefix + strings.Repeat("0", 40-len(prefix)))
	for i := p.find(first); i < p.count && len(out) < 2; i++ {
		name := p.name(i)
		if !strings.HasPrefix(name.String(), prefix) {
			break
		}
		out = append(out, name)
	}
	return out
}

// A link is one delta on the way to an object.
type link struct {
	packEntry
	offset int64
}

// object reads the object at an offset.
func (p *pack) object(ctx context.Context, offset, limit int64) (*object, error) {
	if p.data == nil {
		f, _, err := p.files.Open(p.base + ".pack")
		if err != nil {
			return nil, err
		}
		p.data = f
	}
	base, chain, err := p.chain(ctx, offset, limit)
	if err != nil {
		return nil, err
	}
	work := int64(len(base.content))
	for i := len(chain) - 1; i >= 0; i-- {
		delta, err := p.inflate(ctx, chain[i].packEntry)
		if err != nil {
			return nil, err
		}
		most := int64(maxBase)
		if i == 0 {
			most = limit
		}
		size, ok := targetSize(delta)
		switch work += size; {
		case !ok:
			return nil, errDamaged
		case size > most || work > maxWork:
			return nil, errBig
		}
		content, err := applyDelta(base.content, delta, size)
		if err != nil {
			return nil, err
		}
		base = &object{kind: base.kind, content: content}
		p.store(chain[i].offset, base)
	}
	if int64(len(base.content)) > limit {
		return nil, errBig
	}
	return base, nil
}

// chain follows the deltas from an object to one that is whole, which it
// returns. Only headers are read before the sizes are known to be small enough.
func (p *pack) chain(ctx context.Context, offset, limit int64) (*object, []link, error) {
	var deltas []link
	for len(deltas) <= maxChain {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if kept := p.cache[offset]; kept != nil {
			return kept, deltas, nil
		}
		e, err := readEntry(p.data, offset)
		if err != nil {
			return nil, nil, err
		}
		if e.kind == offsetDelta || e.kind == objectDelta {
			if e.size > maxBase {
				return nil, nil, errBig
			}
			deltas = append(deltas, link{e, offset})
			if offset = e.base; e.kind == objectDelta {
				var ok bool
				if offset, ok, err = p.offset(e.baseID); err != nil || !ok {
					return nil, nil, errDamaged
				}
			}
			continue
		}
		most := limit
		if len(deltas) > 0 {
			most = maxBase
		}
		if e.size > most {
			return nil, nil, errBig
		}
		content, err := p.inflate(ctx, e)
		if err != nil {
			return nil, nil, err
		}
		whole := &object{kind: e.kind, content: content}
		if len(deltas) > 0 {
			p.store(offset, whole)
		}
		return whole, deltas, nil
	}
	return nil, nil, errDamaged
}

// inflate reads the data of an entry, whose size was announced.
func (p *pack) inflate(ctx context.Context, e packEntry) ([]byte, error) {
	stream := bufio.NewReader(io.NewSectionReader(p.data, e.data, math.MaxInt64-e.data))
	if p.inflater == nil {
		z, err := zlib.NewReader(stream)
		if err != nil {
			return nil, errDamaged
		}
		p.inflater = z
	} else if p.inflater.(zlib.Resetter).Reset(stream, nil) != nil {
		return nil, errDamaged
	}
	return inflated(ctx, p.inflater, e.size)
}

// targetSize is the size of what a delta makes.
func targetSize(delta []byte) (int64, bool) {
	_, n := binary.Uvarint(delta) // the size of its base
	if n <= 0 {
		return 0, false
	}
	size, m := binary.Uvarint(delta[n:])
	return int64(size), m > 0 && size < 1<<62
}

// store remembers what further deltas may be applied to.
func (p *pack) store(offset int64, o *object) {
	if len(o.content) > maxCache/4 {
		return
	}
	if p.bytes += len(o.content); p.bytes > maxCache {
		clear(p.cache)
		p.bytes = len(o.content)
	}
	p.cache[offset] = o
}
