package git

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// deltaOf is a delta of bytes between two sizes.
func deltaOf(from, to int, ops ...byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(from)), uint64(to)), ops...)
}

// copyOp takes a part of the base, with every byte of its start and length written.
func copyOp(start, length int) []byte {
	return []byte{0xff, byte(start), byte(start >> 8), byte(start >> 16), byte(start >> 24), byte(length), byte(length >> 8), byte(length >> 16)}
}

func TestDeltaTable(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 0x11000/16)
	for name, c := range map[string]struct {
		base, delta []byte
		size        int64
		want        string // "" is damaged
	}{
		"new bytes":                 {[]byte("base"), deltaOf(4, 3, 3, 'n', 'e', 'w'), 3, "new"},
		"start and length left out": {large, deltaOf(len(large), 0x10000, 0x80), 0x10000, string(large[:0x10000])},
		"one byte of each":          {[]byte("base"), deltaOf(4, 2, 0x80|1|16, 1, 2), 2, "as"},
		"the second byte of both":   {large, deltaOf(len(large), 0x100, 0x80|2|32, 1, 1), 0x100, string(large[0x100:0x200])},
		"another base":              {[]byte("base!"), deltaOf(4, 3, 3, 'n', 'e', 'w'), 3, ""},
		"no base":                   {nil, nil, 0, ""},
		"the reserved operation":    {[]byte("base"), deltaOf(4, 0, 0), 0, ""},
		"cut new bytes":             {[]byte("base"), deltaOf(4, 3, 3, 'n'), 3, ""},
		"cut part":                  {[]byte("base"), deltaOf(4, 2, 0x80|1|16, 1), 2, ""},
		"beyond the base":           {[]byte("base"), deltaOf(4, 4, copyOp(1, 4)...), 4, ""},
		"far beyond the base":       {[]byte("base"), deltaOf(4, 4, copyOp(1<<31, 4)...), 4, ""},
		"more than announced":       {[]byte("base"), deltaOf(4, 3, copyOp(0, 4)...), 3, ""},
		"less than announced":       {[]byte("base"), deltaOf(4, 5, copyOp(0, 4)...), 5, ""},
	} {
		got, err := applyDelta(c.base, c.delta, c.size)
		if string(got) != c.want || (err != nil) != (c.want == "") || err != nil && !errors.Is(err, errDamaged) {
			t.Errorf("%s: %.20q, %v", name, got, err)
		}
	}
}

// TestPropertyDelta: pieces of a base and new bytes come together as they were written, and a damaged
// delta never makes more than was announced.
func TestPropertyDelta(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		base := rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(rt, "base")
		var want, ops []byte
		for range rapid.IntRange(0, 8).Draw(rt, "operations") {
			if fresh := rapid.SliceOfN(rapid.Byte(), 1, 127).Draw(rt, "new"); rapid.Bool().Draw(rt, "is new") {
				want, ops = append(want, fresh...), append(append(ops, byte(len(fresh))), fresh...)
				continue
			}
			start := rapid.IntRange(0, len(base)-1).Draw(rt, "start")
			length := rapid.IntRange(1, len(base)-start).Draw(rt, "length")
			want, ops = append(want, base[start:start+length]...), append(ops, copyOp(start, length)...)
		}
		delta := deltaOf(len(base), len(want), ops...)
		if got, err := applyDelta(base, delta, int64(len(want))); err != nil || !bytes.Equal(got, want) {
			rt.Fatalf("%q, %v; want %q", got, err, want)
		}
		delta[rapid.IntRange(0, len(delta)-1).Draw(rt, "at")] ^= rapid.ByteMin(1).Draw(rt, "flipped")
		if got, err := applyDelta(base, delta, int64(len(want))); err == nil && len(got) != len(want) {
			rt.Fatalf("%d bytes, %d announced", len(got), len(want))
		}
	})
}

func TestPackEntries(t *testing.T) {
	pack := func(entry ...byte) []byte { return append(make([]byte, packHeader+300), entry...) }
	const at = packHeader + 300
	for name, c := range map[string]struct {
		entry []byte
		want  packEntry // the zero one is damaged
	}{
		"short":              {[]byte{byte(blobKind) << 4}, packEntry{kind: blobKind, data: at + 1}},
		"long":               {[]byte{0x80 | byte(treeKind)<<4 | 5, 0x81, 1}, packEntry{kind: treeKind, size: 5 + 1<<4 + 1<<11, data: at + 3}},
		"back by one byte":   {[]byte{byte(offsetDelta)<<4 | 2, 100}, packEntry{kind: offsetDelta, size: 2, base: at - 100, data: at + 2}},
		"back by two":        {[]byte{byte(offsetDelta) << 4, 0x80, 0}, packEntry{kind: offsetDelta, base: at - 128, data: at + 3}},
		"of a named object":  {append([]byte{byte(objectDelta) << 4}, bytes.Repeat([]byte{7}, 20)...), packEntry{kind: objectDelta, baseID: oid(bytes.Repeat([]byte{7}, 20)), data: at + 21}},
		"its own base":       {[]byte{byte(offsetDelta) << 4, 0}, packEntry{}},
		"the first entry":    {[]byte{byte(offsetDelta) << 4, 0x81, 44}, packEntry{kind: offsetDelta, base: packHeader, data: at + 3}},
		"base in the header": {[]byte{byte(offsetDelta) << 4, 0x81, 45}, packEntry{}},
		"unknown kind":       {[]byte{5 << 4}, packEntry{}},
		"cut size":           {[]byte{0x80 | byte(blobKind)<<4}, packEntry{}},
		"endless size":       {append([]byte{0x80 | byte(blobKind)<<4}, bytes.Repeat([]byte{0xff}, 30)...), packEntry{}},
		"endless distance":   {append([]byte{byte(offsetDelta) << 4}, bytes.Repeat([]byte{0xff}, 30)...), packEntry{}},
		"cut name":           {[]byte{byte(objectDelta) << 4, 1, 2}, packEntry{}},
		"nothing":            {nil, packEntry{}},
	} {
		got, err := readEntry(bytes.NewReader(pack(c.entry...)), at)
		if (err != nil) != (c.want == packEntry{}) || err == nil && got != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
