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
		key, err := marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, key...), ':'), value...)
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
