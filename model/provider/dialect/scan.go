package dialect

import (
	"bytes"
	"iter"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A scan reads the members of one JSON object without building it: it decodes
// events that arrive a thousand times a second. Values that are not needed are
// skipped, not checked.
type scan struct {
	b    []byte
	at   int
	key  []byte // of the current member, unescaped
	val  []byte // of the current member, as written
	fail bool
}

// scanObject begins a scan of data, which must be exactly one object.
func scanObject(data []byte) scan {
	data = bytes.TrimSpace(data)
	if len(data) < 2 || data[0] != '{' || data[len(data)-1] != '}' {
		return scan{fail: true}
	}
	return scan{b: data, at: 1}
}

// next moves to the next member. It returns false at the end and on a fault.
func (s *scan) next() bool {
	if s.fail {
		return false
	}
	s.space()
	if s.peek() == '}' {
		s.fail = s.at != len(s.b)-1
		return false
	}
	if s.val != nil && !s.take(',') {
		return s.fault()
	}
	s.space()
	key, ok := s.value()
	if !ok || key[0] != '"' {
		return s.fault()
	}
	s.space()
	if !s.take(':') {
		return s.fault()
	}
	s.space()
	if s.val, ok = s.value(); !ok {
		return s.fault()
	}
	if s.key = key[1 : len(key)-1]; bytes.IndexByte(s.key, '\\') >= 0 {
		s.key = appendUnquoted(nil, key)
	}
	return true
}

// whole reports whether everything scanned so far was well formed.
func (s *scan) whole() bool { return !s.fail }

func (s *scan) fault() bool {
	s.fail = true
	return false
}

func (s *scan) peek() byte {
	if s.at < len(s.b) {
		return s.b[s.at]
	}
	return 0
}

func (s *scan) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

func (s *scan) space() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// value skips one value and returns it as written.
func (s *scan) value() ([]byte, bool) {
	start := s.at
	switch s.peek() {
	case '"':
		s.at = endOfString(s.b, s.at)
	case '{', '[':
		s.at = endOfNested(s.b, s.at)
	default:
		for s.at < len(s.b) && !endsValue[s.b[s.at]] {
			s.at++
		}
	}
	if s.at <= start || s.at > len(s.b) {
		return nil, false
	}
	return s.b[start:s.at], true
}

// endsValue are the bytes that end a number or a word.
var endsValue = [256]bool{',': true, '}': true, ']': true, ' ': true, '\t': true, '\r': true, '\n': true}

// endOfString is the offset after the string that begins at i, or -1.
func endOfString(b []byte, i int) int {
	for i++; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		end := i + n
		slashes := 0
		for end-slashes-1 >= i && b[end-slashes-1] == '\\' {
			slashes++
		}
		if i = end + 1; slashes%2 == 0 {
			return i
		}
	}
}

// endOfNested is the offset after the object or array that begins at i, or -1.
func endOfNested(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = endOfString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// elements are the elements of an array, as written; it ends at a fault.
func elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if len(array) < 3 || array[0] != '[' {
			return
		}
		for s := (scan{b: array, at: 1}); ; s.at++ {
			s.space()
			v, ok := s.value()
			if s.space(); !ok || s.peek() == 0 || !yield(v) || s.peek() != ',' {
				return
			}
		}
	}
}

// filled reports whether a value holds anything: not null, and not an empty
// string, list or object.
func filled(val []byte) bool { return len(val) > 2 && string(val) != "null" }

// Member is the value of an object's member, or nil.
func Member(object []byte, name string) []byte {
	for s := scanObject(object); s.next(); {
		if string(s.key) == name {
			return s.val
		}
	}
	return nil
}

// text is the value of a JSON string; "" for anything else.
func text(val []byte) string {
	if len(val) < 2 || val[0] != '"' {
		return ""
	}
	if inner := val[1 : len(val)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(bytes.ToValidUTF8(inner, []byte("\uFFFD")))
	}
	return string(appendUnquoted(nil, val))
}

// number is the value of a JSON number; ok is false for anything else.
func number(val []byte) (int, bool) {
	n, err := strconv.Atoi(string(val))
	return n, err == nil
}

// appendUnquoted appends the text of a JSON string, val, to dst. What is not
// UTF-8, and halves of surrogate pairs, become U+FFFD.
func appendUnquoted(dst, val []byte) []byte {
	if len(val) < 2 || val[0] != '"' {
		return dst
	}
	b := val[1 : len(val)-1]
	from := len(dst)
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 || i+1 >= len(b) {
			return validFrom(append(dst, b...), from)
		}
		dst = append(dst, b[:i]...)
		var n int
		dst, n = appendEscape(dst, b[i:])
		b = b[i+n:]
	}
}

// validFrom makes dst[from:] valid UTF-8.
func validFrom(dst []byte, from int) []byte {
	if utf8.Valid(dst[from:]) {
		return dst
	}
	return append(dst[:from], bytes.ToValidUTF8(bytes.Clone(dst[from:]), []byte("\uFFFD"))...)
}

// plainEscapes are the escapes that stand for one byte.
var plainEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendEscape appends what the escape at the start of b stands for, and
// returns how long the escape is.
func appendEscape(dst, b []byte) ([]byte, int) {
	if c := plainEscapes[b[1]]; c != 0 {
		return append(dst, c), 2
	}
	r, ok := hex4(b)
	if !ok {
		return utf8.AppendRune(dst, utf8.RuneError), 2
	}
	if utf16.IsSurrogate(r) {
		if low, ok := hex4(b[6:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return utf8.AppendRune(dst, both), 12
			}
		}
	}
	return utf8.AppendRune(dst, r), 6
}

// hex4 reads \uXXXX at the start of b.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}
