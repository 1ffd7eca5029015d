package lsp

import (
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// A codec encodes payloads with the protocol's own encoders; those of notifications are
// encoded already. All that is sent passes it, so that documents have the client's names.
type codec struct {
	names     *names
	notebooks *notebooks
}

func (c codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		return c.outward(raw), nil
	}
	raw, err := protocol.Marshal(v)
	return c.outward(raw), err
}

func (c codec) outward(raw []byte) []byte {
	return c.names.outward(c.notebooks.outward(raw, nil, nil))
}

func (codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }
