package lsp

import (
	"go.lsp.dev/protocol"

	"tandem/lsp/client"
)

// A codec encodes what the client's value has let pass. All that is sent passes it, so that
// documents have the client's names.
type codec struct {
	names     *names
	notebooks *notebooks
}

func (c codec) Marshal(v any) ([]byte, error) {
	raw, err := client.Encode(v)
	return c.outward(raw), err
}

func (c codec) outward(raw []byte) []byte {
	return c.names.outward(c.notebooks.outward(raw, nil, nil))
}

func (codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }
