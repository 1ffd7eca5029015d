package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// arguments decodes what a model gives to a tool. Models say null for what they leave out, and
// a number, a list or an object as a text: what is meant is plain. Arguments that the tool does
// not have are ignored, since clients add some for themselves.
func arguments[In any](tool string, schema *jsonschema.Schema, sent json.RawMessage) (in In, err error) {
	if len(sent) == 0 {
		return in, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(sent, &given); err != nil {
		return in, fmt.Errorf("the arguments of %s have to be an object", tool)
	}
	for name, value := range given {
		property := schema.Properties[name]
		if property == nil || string(value) == "null" {
			continue // clients add arguments of their own
		}
		one, err := json.Marshal(map[string]json.RawMessage{name: meant(property.Type, value)})
		if err != nil {
			return in, err
		}
		if json.Unmarshal(one, &in) != nil {
			return in, fmt.Errorf("the argument %s of %s has to be %s", name, tool, typeNames[property.Type])
		}
	}
	return in, nil
}

// typeNames are the types of arguments in words.
var typeNames = map[string]string{"string": "a text", "integer": "a whole number", "boolean": "true or false", "array": "a list of texts", "object": "texts by path"}

// meant is a value as its type has it, where it is plainly that.
func meant(typ string, value json.RawMessage) json.RawMessage {
	var text string
	isText := json.Unmarshal(value, &text) == nil
	switch {
	case (typ == "array" || typ == "object") && isText && holds(typ, text):
		return json.RawMessage(text)
	case typ == "array" && isText:
		return slices.Concat(json.RawMessage("["), value, json.RawMessage("]"))
	case typ == "boolean" && (text == "true" || text == "false"):
		return json.RawMessage(text)
	case typ == "integer":
		if !isText {
			text = string(value)
		}
		if n, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && n == float64(int32(n)) {
			return json.RawMessage(strconv.Itoa(int(n)))
		}
	}
	return value
}

// holds reports whether a text is a list or an object in JSON.
func holds(typ, text string) bool {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	if typ == "array" {
		return json.Unmarshal([]byte(text), &list) == nil
	}
	return json.Unmarshal([]byte(text), &object) == nil
}
