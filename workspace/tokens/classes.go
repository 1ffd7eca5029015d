package tokens

import (
	_ "embed"
	"encoding/binary"
	"unicode/utf8"
)

// A class is a group of code points that the splitters distinguish.
type class uint8

// The numbers are part of classes.bin.
const (
	classOther   class = iota // punctuation, symbols, controls, unassigned
	classUpper                // Lu, Lt
	classLower                // Ll
	classLetter               // Lm, Lo: letters without case
	classMark                 // M
	classNumber               // N
	classSpace                // White_Space but \r and \n
	classNewline              // \r, \n
)

// runClasses holds the class of every code point as run lengths: a byte
// class<<5 | length, where length 0 means that a uvarint with the length
// follows. It is written by tools/oracle/classes.mjs from Unicode 16.0, which
// the reference tokenizer uses, and must not follow the Go release's tables.
//
//go:embed classes.bin
var runClasses string

const (
	bmpSize = 0x10000
	lastRun = utf8.MaxRune + 1
)

// classes finds the class of a code point: a table for the Basic Multilingual
// Plane, a binary search among runs above it.
type classes struct {
	ascii [utf8.RuneSelf]class
	bmp   [bmpSize]class
	from  []rune // first code point of each run above the BMP
	class []class
}

func newClasses() *classes {
	t := &classes{}
	data := []byte(runClasses)
	for at := rune(0); at < lastRun && len(data) > 0; {
		c, length := class(data[0]>>5), rune(data[0]&31)
		data = data[1:]
		if length == 0 {
			long, n := binary.Uvarint(data)
			length, data = rune(long), data[n:]
		}
		t.add(c, at, at+length)
		at += length
	}
	copy(t.ascii[:], t.bmp[:])
	return t
}

// add records that the code points of [from, to) have class c.
func (t *classes) add(c class, from, to rune) {
	for r := from; r < min(to, bmpSize); r++ {
		t.bmp[r] = c
	}
	if to > bmpSize {
		t.from = append(t.from, max(from, bmpSize))
		t.class = append(t.class, c)
	}
}

// of returns the class of r.
func (t *classes) of(r rune) class {
	if r < bmpSize {
		return t.bmp[r]
	}
	low, high := 0, len(t.from)
	for high-low > 1 {
		if mid := (low + high) / 2; t.from[mid] <= r {
			low = mid
		} else {
			high = mid
		}
	}
	return t.class[low]
}

// at returns the class and the length in bytes of the code point at s[i].
func (t *classes) at(s string, i int) (class, int) {
	if b := s[i]; b < utf8.RuneSelf {
		return t.ascii[b], 1
	}
	return t.wide(s, i)
}

func (t *classes) wide(s string, i int) (class, int) {
	r, n := utf8.DecodeRuneInString(s[i:])
	return t.of(r), n
}
