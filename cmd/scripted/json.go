package main

import (
	"bytes"
	"encoding/json"
)

// An obj is a JSON object whose members keep their order, as servers send them.
type obj []kv

type kv struct {
	key   string
	value any
}

// MarshalJSON writes the members in order.
func (o obj) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		v, err := marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(appendString(b, m.key), ':'), v...)
	}
	return append(b, '}'), nil
}

// json is the object's text; what is put in here can always be marshalled.
func (o obj) json() []byte {
	b, err := o.MarshalJSON()
	if err != nil {
		panic(err)
	}
	return b
}

func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(buf.Bytes(), "\n"), err
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string. It is written by hand because it runs a
// thousand times a second.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
