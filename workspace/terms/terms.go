// Package terms takes names apart into the words that they are made of, writes sets and
// counts of words, and selects the least of a list.
//
// Invariant: what a name is made of depends on its letters alone. Deliberately absent: what
// names mean, and which of them count.
package terms

// ASCII are the letters and digits of which names of machines are made.
const ASCII = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// ShortPart is the length from which a part of a name is significant.
const ShortPart = 3

// EachPart calls do with the words that a name is made of, in small letters:
// getHTTPServer_v2 is get, http and server. do must not keep part.
func EachPart(name string, do func(part []byte)) {
	var buffer [64]byte
	part := buffer[:0]
	flush := func() {
		if len(part) >= ShortPart {
			do(part)
		}
		part = part[:0]
	}
	for i := range len(name) {
		c := name[i]
		upper := c >= 'A' && c <= 'Z'
		switch {
		case !upper && !(c >= 'a' && c <= 'z') && c < 0x80:
			flush()
			continue
		case upper && i > 0 && !(name[i-1] >= 'A' && name[i-1] <= 'Z'):
			flush()
		case upper && i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z':
			flush()
		}
		if upper {
			c |= 0x20
		}
		part = append(part, c)
	}
	flush()
}
