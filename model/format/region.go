package format

import "strings"

// A Region is which part of a file a prompt shows and which part of that the answer
// rewrites, as line counts around the cursor.
type Region struct {
	Before, Region, After string
	Cursor                int // offset in Region
	Line                  int // 1-based line where Before begins
}

// Cut chooses the region around a cursor. before and after are the text on each side
// of it; line is the 1-based line where before begins. count measures tokens.
func (f *Format) Cut(before, after string, line int, count func(string) int) Region {
	above, below := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	current := above[len(above)-1] + below[0]
	cursor := len(above[len(above)-1])
	above, below = above[:len(above)-1], below[1:]
	if n := len(below); n > 0 && below[n-1] == "" {
		below = below[:n-1]
	}
	up, down := f.Above, f.Below
	if f.Editable > 0 {
		up, down = grow(above, below, f.Editable-count(current), count)
	}
	up, down = min(up, len(above)), min(down, len(below))
	r := Region{Region: strings.Join(above[len(above)-up:], "")}
	r.Cursor = len(r.Region) + cursor
	r.Region += current + strings.Join(below[:down], "")
	above, below = above[:len(above)-up], below[down:]
	var first, last int
	switch {
	case f.Chunk > 0:
		begin := line - 1 + len(above) - chunkStride/2 // in the file
		first = max(0, begin/chunkStride*chunkStride-(line-1))
		last = min(len(below), max(0, f.Chunk-(len(above)-first)-up-down-1))
	case f.Around > 0:
		lead, _ := grow(above, nil, f.Around, count)
		_, last = grow(nil, below, f.Around, count)
		first = len(above) - lead
	default:
		first, last = len(above), 0
	}
	r.Before, r.After = strings.Join(above[first:], ""), strings.Join(below[:last], "")
	r.Line = line + first
	return r
}

// grow returns how many lines above and below fit into a number of tokens, taken in
// turns from the nearest on.
func grow(above, below []string, tokens int, count func(string) int) (up, down int) {
	moreUp, moreDown := len(above) > 0, len(below) > 0
	for moreUp || moreDown {
		if moreUp {
			n := count(above[len(above)-1-up])
			if moreUp = n <= tokens; moreUp {
				tokens -= n
				up++
				moreUp = up < len(above)
			}
		}
		if moreDown {
			n := count(below[down])
			if moreDown = n <= tokens; moreDown {
				tokens -= n
				down++
				moreDown = down < len(below)
			}
		}
	}
	return up, down
}
