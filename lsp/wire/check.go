package wire

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
)

// maxDepth bounds the nesting of arrays and objects in a message.
const maxDepth = 200

// A kind is what a message is.
type kind uint8

const (
	kindRequest kind = iota
	kindNotification
	kindResponse
)

// A message is the result of check for a frame.
type message struct {
	kind   kind
	id     jsonrpc2.ID
	method string // known only for $/cancelRequest and for names with escapes
	params []byte // borrowed from the frame
}

// A fault is why a frame was refused, with what the error response needs.
type fault struct {
	code   jsonrpc2.Code
	id     jsonrpc2.ID // invalid when the id could not be read
	reason string
}

// check validates a whole frame: JSON as in RFC 8259, no name twice in one
// object, bounded depth, and a JSON-RPC 2.0 envelope.
func check(frame []byte) (message, *fault) {
	c := checker{b: frame}
	c.space()
	if c.at < len(frame) && frame[c.at] == '[' {
		return message{}, c.invalidOr("batches are not part of LSP")
	}
	if c.value(0); c.bad == "" {
		if c.space(); c.at != len(frame) {
			c.fail("there is text after the message")
		}
	}
	if c.bad != "" {
		return message{}, &fault{code: jsonrpc2.ParseError, reason: c.bad}
	}
	return c.env.message()
}

// invalidOr is an invalid request if the frame is JSON at all.
func (c *checker) invalidOr(reason string) *fault {
	if c.value(0); c.bad != "" {
		return &fault{code: jsonrpc2.ParseError, reason: c.bad}
	}
	return &fault{code: jsonrpc2.InvalidRequest, reason: reason}
}

// An envelope holds the top-level members of a message, as written; nil when absent.
type envelope struct {
	version, id, method, params, result, err []byte
	isObject                                 bool
	lookalike                                string // a member that differs from an envelope member in case only
}

func (e *envelope) message() (message, *fault) {
	m := message{}
	id, idOK := decodeID(e.id)
	invalid := func(reason string) (message, *fault) {
		return message{}, &fault{code: jsonrpc2.InvalidRequest, id: id, reason: reason}
	}
	switch {
	case !e.isObject:
		return invalid("a message is a JSON object")
	case e.lookalike != "":
		return invalid(fmt.Sprintf("the member %q is written in another case than JSON-RPC has it", e.lookalike))
	case string(e.version) != `"2.0"`:
		return invalid(`the member "jsonrpc" is not "2.0"`)
	case e.method == nil:
		return e.response(id, idOK)
	case len(e.method) < 3 || e.method[0] != '"':
		return invalid("the method is not a name")
	case e.id != nil && !idOK:
		return invalid("the id is neither a whole number nor a string")
	case e.params != nil && e.params[0] != '{' && e.params[0] != '[' && e.params[0] != 'n':
		return invalid("the params are neither an object nor an array")
	case e.result != nil || e.err != nil:
		return invalid("a message is either a request or a response")
	}
	m.id, m.method, m.params = id, methodName(e.method[1:len(e.method)-1]), e.params
	if m.kind = kindRequest; e.id == nil {
		m.kind = kindNotification
	}
	return m, nil
}

// methodName avoids an allocation for the one name that this package knows.
func methodName(raw []byte) string {
	if string(raw) == cancelMethod {
		return cancelMethod
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return ""
	}
	return unescape(raw)
}

func (e *envelope) response(id jsonrpc2.ID, idOK bool) (message, *fault) {
	wellFormed := e.err == nil || bytes.HasPrefix(e.err, []byte("{"))
	if (e.result == nil) == (e.err == nil) || !wellFormed || !idOK && string(e.id) != "null" {
		return message{}, &fault{code: jsonrpc2.InvalidRequest, id: id, reason: "the message has no method and is no response"}
	}
	return message{kind: kindResponse, id: id}, nil
}

// decodeID reads an id as written. Numbers are whole and fit 64 bits.
func decodeID(raw []byte) (jsonrpc2.ID, bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return jsonrpc2.ID{}, false
	}
	v, err := jsonrpc2.ScanMessageView(append(append([]byte(`{"jsonrpc":"2.0","method":"i","id":`), raw...), '}'))
	if err != nil {
		return jsonrpc2.ID{}, false
	}
	return v.ID.ID()
}

// A checker parses JSON once. bad describes the first error found.
type checker struct {
	b     []byte
	at    int
	bad   string
	env   envelope
	names []span // the names of the objects that are open, innermost last
}

type span struct{ start, end int }

func (c *checker) fail(reason string) {
	if c.bad == "" {
		c.bad = fmt.Sprintf("%s (byte %d)", reason, c.at)
		c.at = len(c.b)
	}
}

func (c *checker) space() {
	for c.at < len(c.b) {
		switch c.b[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// value parses the value at the cursor, at the given depth.
func (c *checker) value(depth int) {
	c.space()
	if c.at >= len(c.b) {
		c.fail("the message ends too early")
		return
	}
	switch b := c.b[c.at]; {
	case b == '{':
		c.object(depth + 1)
	case b == '[':
		c.array(depth + 1)
	case b == '"':
		c.str()
	case b == '-' || b >= '0' && b <= '9':
		c.number()
	default:
		c.literal()
	}
}

func (c *checker) object(depth int) {
	if depth > maxDepth {
		c.fail("the nesting is too deep")
		return
	}
	c.env.isObject = c.env.isObject || depth == 1
	c.at++
	first := len(c.names)
	var seen map[string]struct{} // only for objects with many names
	for c.more('}', len(c.names) == first) {
		name, ok := c.name()
		if !ok {
			return
		}
		if c.repeated(first, name, &seen) {
			c.fail("an object has the same name twice")
			return
		}
		c.names = append(c.names, name)
		c.space()
		start := c.at
		c.value(depth)
		if depth == 1 && c.bad == "" {
			c.env.set(c.b[name.start:name.end], c.b[start:c.at])
		}
	}
	c.names = c.names[:first]
}

// name reads an object's name and the colon after it.
func (c *checker) name() (span, bool) {
	start := c.at
	if c.at >= len(c.b) || c.b[c.at] != '"' {
		c.fail("an object's name is not a string")
		return span{}, false
	}
	c.str()
	name := span{start + 1, c.at - 1}
	c.space()
	if c.bad != "" || c.at >= len(c.b) || c.b[c.at] != ':' {
		c.fail("there is no colon after an object's name")
		return span{}, false
	}
	c.at++
	return name, true
}

// manyNames is the size from which an object's names are kept in a map.
const manyNames = 24

// repeated reports whether name is already among the names of its object.
func (c *checker) repeated(first int, name span, seen *map[string]struct{}) bool {
	open := c.names[first:]
	if len(open) < manyNames {
		for _, other := range open {
			if c.sameName(other, name) {
				return true
			}
		}
		return false
	}
	if *seen == nil {
		*seen = make(map[string]struct{}, 2*manyNames)
		for _, other := range open {
			(*seen)[c.plain(other)] = struct{}{}
		}
	}
	_, repeated := (*seen)[c.plain(name)]
	(*seen)[c.plain(name)] = struct{}{}
	return repeated
}

func (c *checker) sameName(a, b span) bool {
	x, y := c.b[a.start:a.end], c.b[b.start:b.end]
	if bytes.IndexByte(x, '\\') < 0 && bytes.IndexByte(y, '\\') < 0 {
		return bytes.Equal(x, y)
	}
	return c.plain(a) == c.plain(b)
}

// plain is a name with its escapes decoded.
func (c *checker) plain(s span) string {
	raw := c.b[s.start:s.end]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	return unescape(raw)
}

func (c *checker) array(depth int) {
	if depth > maxDepth {
		c.fail("the nesting is too deep")
		return
	}
	c.at++
	for first := true; c.more(']', first); first = false {
		c.value(depth)
	}
}

// more moves to the next element of an array or object, and reports false
// after its closing bracket.
func (c *checker) more(closing byte, first bool) bool {
	c.space()
	switch {
	case c.bad != "":
		return false
	case c.at >= len(c.b):
		c.fail("the message ends too early")
		return false
	case c.b[c.at] == closing:
		c.at++
		return false
	case first:
		return true
	case c.b[c.at] != ',':
		c.fail("a comma is missing")
		return false
	}
	c.at++
	if c.space(); c.at < len(c.b) && c.b[c.at] == closing {
		c.fail("a comma stands before a closing bracket")
		return false
	}
	return true
}

// str parses a string. Bytes that are not UTF-8 are accepted: the decoder makes U+FFFD of them.
func (c *checker) str() {
	for c.at++; c.at < len(c.b); c.at++ {
		switch b := c.b[c.at]; {
		case b == '"':
			c.at++
			return
		case b == '\\':
			if !c.escape() {
				c.fail("a string has an escape that JSON does not know")
				return
			}
		case b < ' ':
			c.fail("a string has a control character")
			return
		}
	}
	c.fail("a string does not end")
}

// escape moves to the last byte of the escape at the cursor.
func (c *checker) escape() bool {
	c.at++
	if c.at >= len(c.b) {
		return false
	}
	if c.b[c.at] != 'u' {
		return strings.IndexByte(`"\/bfnrt`, c.b[c.at]) >= 0
	}
	if c.at+4 >= len(c.b) {
		return false
	}
	for _, h := range c.b[c.at+1 : c.at+5] {
		if hexDigit(h) < 0 {
			return false
		}
	}
	c.at += 4
	return true
}

func (c *checker) number() {
	start := c.at
	if c.b[c.at] == '-' {
		c.at++
	}
	intStart := c.at
	ok := c.digits()
	ok = ok && (c.at == intStart+1 || c.b[intStart] != '0')
	if ok && c.at < len(c.b) && c.b[c.at] == '.' {
		c.at++
		ok = c.digits()
	}
	if ok && c.at < len(c.b) && (c.b[c.at]|0x20) == 'e' {
		if c.at++; c.at < len(c.b) && (c.b[c.at] == '+' || c.b[c.at] == '-') {
			c.at++
		}
		ok = c.digits()
	}
	if !ok {
		c.at = start
		c.fail("a number is not written as JSON has it")
	}
}

func (c *checker) digits() bool {
	start := c.at
	for c.at < len(c.b) && c.b[c.at] >= '0' && c.b[c.at] <= '9' {
		c.at++
	}
	return c.at > start
}

func (c *checker) literal() {
	for _, word := range []string{"true", "false", "null"} {
		if len(c.b)-c.at >= len(word) && string(c.b[c.at:c.at+len(word)]) == word {
			c.at += len(word)
			return
		}
	}
	c.fail("there is something that is not JSON")
}

func (e *envelope) set(name, value []byte) {
	switch string(name) {
	case "jsonrpc":
		e.version = value
	case "id":
		e.id = value
	case "method":
		e.method = value
	case "params":
		e.params = value
	case "result":
		e.result = value
	case "error":
		e.err = value
	default:
		e.other(name)
	}
}

// other records a member that a lenient decoder would take for one of the
// envelope's: one in another case, or with escapes.
func (e *envelope) other(name []byte) {
	plain := unescape(name)
	for _, known := range []string{"jsonrpc", "id", "method", "params", "result", "error"} {
		if strings.EqualFold(plain, known) {
			e.lookalike = plain
		}
	}
}

// unescape decodes the escapes of a checked string; halves of surrogate pairs
// stay separate, which is enough to compare names.
func unescape(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 >= len(raw) {
			out = append(out, raw[i])
			continue
		}
		i++
		if raw[i] == 'u' && i+4 < len(raw) {
			r := rune(0)
			for _, h := range raw[i+1 : i+5] {
				r = r<<4 | rune(hexDigit(h))
			}
			out = utf8.AppendRune(out, r)
			i += 4
			continue
		}
		if at := strings.IndexByte("bfnrt", raw[i]); at >= 0 {
			out = append(out, "\b\f\n\r\t"[at])
			continue
		}
		out = append(out, raw[i])
	}
	return string(out)
}

func hexDigit(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b|0x20 >= 'a' && b|0x20 <= 'f':
		return int(b|0x20-'a') + 10
	}
	return -1
}
