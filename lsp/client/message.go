package client

import (
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// A Message is what is sent: params of a message that the editor takes, or the result of its request.
type Message struct{ value any }

// ErrNotAnnounced is what a message meets for which the editor has not announced a capability.
var ErrNotAnnounced = errors.New("the editor has not announced that it takes this message")

// Params are those of a request or notification of the server.
func (c *Client) Params(method string, value any) (Message, error) {
	if !c.Takes(method) {
		return Message{}, ErrNotAnnounced
	}
	return Message{value}, nil
}

// Result is the result of a request of the editor.
func (c *Client) Result(value any) Message { return Message{value} }

// Encode encodes a Message, and nothing else, with the protocol's own encoders; one that is encoded
// already is left as it is.
func Encode(v any) ([]byte, error) {
	m, passed := v.(Message)
	if !passed {
		return nil, fmt.Errorf("%T has not passed the client's value", v)
	}
	if raw, encoded := m.value.(jsonrpc2.RawMessage); encoded {
		return raw, nil
	}
	return protocol.Marshal(m.value)
}
