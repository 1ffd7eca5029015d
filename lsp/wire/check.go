package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
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
	kind    kind
	id      jsonrpc2.ID
	cancels bool   // it is $/cancelRequest
	params  []byte // borrowed from the frame
}

// A fault is why a frame was refused, with what the error response needs.
type fault struct {
	code   jsonrpc2.Code
	id     jsonrpc2.ID // invalid when the id could not be read
	reason string
}

// check validates a whole frame: JSON as in RFC 8259, no name twice in one
// object, bounded depth, and a JSON-RPC 2.0 envelope. Bytes that are not UTF-8 are
// accepted: the decoder makes U+FFFD of them.
func check(frame []byte) (message, *fault) {
	d := jsontext.NewDecoder(bytes.NewBuffer(frame), jsontext.AllowInvalidUTF8(true))
	kind := d.PeekKind()
	var e envelope
	var err error
	if kind == '{' {
		err = e.read(d, frame)
	} else {
		err = skipValue(d)
	}
	if err == nil {
		if _, err = d.ReadToken(); err == nil {
			err = errors.New("there is text after the message")
		}
	}
	switch {
	case err != io.EOF:
		return message{}, &fault{code: jsonrpc2.ParseError, reason: syntaxText(err, d.InputOffset())}
	case kind == '[':
		return message{}, &fault{code: jsonrpc2.InvalidRequest, reason: "batches are not part of LSP"}
	case kind != '{':
		return message{}, &fault{code: jsonrpc2.InvalidRequest, reason: "a message is a JSON object"}
	}
	return e.message()
}

var errDepth = errors.New("the nesting is too deep")

// skipValue reads one value with what is nested in it.
func skipValue(d *jsontext.Decoder) error {
	for outside := d.StackDepth(); ; {
		_, err := d.ReadToken()
		switch depth := d.StackDepth(); {
		case err == io.EOF:
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		case depth > maxDepth:
			return errDepth
		case depth == outside:
			return nil
		}
	}
}

// syntaxText says what is wrong with the JSON of a message, and where. It quotes no name
// and no more than a character of it.
func syntaxText(err error, at int64) string {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		err, at = syntax.Err, syntax.ByteOffset
	}
	return fmt.Sprintf("%v (byte %d)", err, at)
}

// An envelope holds the top-level members of a message, as written; nil when absent.
type envelope struct {
	version, id, method, params, result, err []byte
	lookalike                                string // a member that differs from an envelope member in case only
}

// read reads the members of the message that d is at.
func (e *envelope) read(d *jsontext.Decoder, frame []byte) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		name, start := token.String(), d.InputOffset()
		if err := skipValue(d); err != nil {
			return err
		}
		e.set(name, bytes.TrimLeft(frame[start:d.InputOffset()], ": \t\r\n"))
	}
	_, err := d.ReadToken() // the end of the object
	return err
}

// members are the names of an envelope's members.
var members = []string{"jsonrpc", "id", "method", "params", "result", "error"}

// set takes a member. One that differs in case is one that a lenient decoder would take
// for it.
func (e *envelope) set(name string, value []byte) {
	switch name {
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
		if slices.ContainsFunc(members, func(known string) bool { return strings.EqualFold(name, known) }) {
			e.lookalike = name
		}
	}
}

func (e *envelope) message() (message, *fault) {
	m := message{}
	id, idOK := decodeID(e.id)
	invalid := func(reason string) (message, *fault) {
		return message{}, &fault{code: jsonrpc2.InvalidRequest, id: id, reason: reason}
	}
	switch {
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
	method, err := jsontext.AppendUnquote(nil, e.method)
	m.id, m.params, m.cancels = id, e.params, err == nil && string(method) == cancelMethod
	if m.kind = kindRequest; e.id == nil {
		m.kind = kindNotification
	}
	return m, nil
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
