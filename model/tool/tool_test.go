package tool

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var file = Tool{Name: "file", About: "shows a file", Text: "path", Says: `its "path"`, Lines: true}
var step = Tool{Name: "step", About: "shows a step", Number: "step"}
var tests = Tool{Name: "tests", About: "runs the tests"}

func TestSchemasAreJSON(t *testing.T) {
	for _, c := range []Tool{file, step, tests} {
		var schema struct {
			Properties map[string]struct{ Type, Description string }
			Required   []string
		}
		if err := json.Unmarshal([]byte(c.Schema()), &schema); err != nil {
			t.Fatalf("%s: %v in %s", c.Name, err, c.Schema())
		}
		for _, name := range schema.Required {
			if schema.Properties[name].Type == "" {
				t.Errorf("%s requires %s, which it does not have", c.Name, name)
			}
		}
	}
}

// TestArguments holds that what a model wrote becomes the arguments it meant, or a reason.
func TestArguments(t *testing.T) {
	for _, c := range []struct {
		tool Tool
		text string
		want Args
		fail string
	}{
		{file, `{"path":" a.go ","first":3,"last":9}`, Args{Text: "a.go", First: 3, Last: 9}, ""},
		{file, `{"path":"a.go","first":"3","last":null,"more":true}`, Args{Text: "a.go", First: 3}, ""},
		{step, `{"step":2.0}`, Args{Number: 2}, ""},
		{tests, ``, Args{}, ""},
		{tests, `{}`, Args{}, ""},
		{file, `{"path":"a.go`, Args{}, "not a JSON object: unexpected end"},
		{file, `["a.go"]`, Args{}, "of type array"},
		{file, `{"path":7}`, Args{}, "needs path, a string"},
		{file, `{}`, Args{}, "needs path, a string"},
		{file, `{"path":"a","first":1.5}`, Args{}, "whole number"},
		{file, `{"path":"a","last":1e300}`, Args{}, "whole number"},
		{step, `{}`, Args{}, "needs step, a number"},
	} {
		got, err := c.tool.Decode(c.text)
		switch {
		case c.fail == "" && (err != nil || got != c.want):
			t.Errorf("%s %s: %+v, %v; want %+v", c.tool.Name, c.text, got, err, c.want)
		case c.fail != "" && (err == nil || !strings.Contains(err.Error(), c.fail)):
			t.Errorf("%s %s: %v, want an error with %q", c.tool.Name, c.text, err, c.fail)
		}
	}
}

// TestBothWaysMeanTheSame holds that a line of text and JSON arguments give the same call.
func TestBothWaysMeanTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.StringMatching(`[a-z/.]{1,12}( [a-z]{1,5})?`).Draw(t, "path")
		a := Args{Text: path}
		if rapid.Bool().Draw(t, "lines") {
			a.First, a.Last = rapid.IntRange(1, 99999).Draw(t, "first"), rapid.IntRange(1, 99999).Draw(t, "last")
		}
		parsed, err := file.Parse(file.Line(a))
		if err != nil || parsed != a {
			t.Fatalf("%q: %+v, %v; want %+v", file.Line(a), parsed, err, a)
		}
		body, _ := json.Marshal(map[string]any{"path": a.Text, "first": a.First, "last": a.Last})
		if decoded, err := file.Decode(string(body)); err != nil || decoded != a {
			t.Fatalf("%s: %+v, %v; want %+v", body, decoded, err, a)
		}
	})
}
