package edits

import "strings"

// compared is how many bytes are compared at once.
const compared = 4 << 10

// CommonPrefix is how many bytes two texts begin with in common.
func CommonPrefix(a, b string) int {
	n, most := 0, min(len(a), len(b))
	for n+compared <= most && a[n:n+compared] == b[n:n+compared] {
		n += compared
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// CommonSuffix is how many bytes two texts end with in common.
func CommonSuffix(a, b string) int {
	n, most := 0, min(len(a), len(b))
	for n+compared <= most && a[len(a)-n-compared:len(a)-n] == b[len(b)-n-compared:len(b)-n] {
		n += compared
	}
	for n < most && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// IsWordByte reports whether b may stand in a name; every character beyond ASCII may.
func IsWordByte(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// IndexWord is the offset, from another one on, at which text has name as a whole word, or -1.
// The empty name is no word.
func IndexWord(text, name string, from int) int {
	for name != "" {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return -1
		}
		start, end := from+i, from+i+len(name)
		if (start == 0 || !IsWordByte(text[start-1])) && (end == len(text) || !IsWordByte(text[end])) {
			return start
		}
		from = end
	}
	return -1
}
