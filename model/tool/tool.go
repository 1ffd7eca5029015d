// Package tool describes what a model may call while it answers. A tool is defined once
// and can be asked for in two ways: by a function call with JSON arguments, and by a line
// of text, for models without function calls.
//
// Invariant: Args hold exactly the parameters of their tool, each of its kind, whatever
// the model wrote; all that is optional and left out is zero. Everything here is pure.
// There is deliberately nothing here that runs a tool.
package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A Tool is one function that a model may call.
type Tool struct {
	Name   constant
	About  constant // what it does, for the model: one sentence
	Text   constant // name of its parameter that is text; "" if it has none
	Says   constant // what that text is
	Lines  bool     // it takes the optional numbers first and last, of lines
	Number constant // name of its parameter that is a number; "" if it has none
}

// A constant is a type that only constants fit: a tool is sent as it is.
type constant string

// Args are the arguments of a call.
type Args struct {
	Text        string
	First, Last int // 0 where they are left out
	Number      int
}

// Schema is the JSON schema of the tool's parameters.
func (t Tool) Schema() string {
	var members, required []string
	add := func(name constant, kind string, about constant, need bool) {
		members = append(members, fmt.Sprintf(`%q:{"type":%q,"description":%s}`, name, kind, quoted(about)))
		if need {
			required = append(required, strconv.Quote(string(name)))
		}
	}
	if t.Text != "" {
		add(t.Text, "string", t.Says, true)
	}
	if t.Lines {
		add("first", "integer", "number of the first line to show; from 1", false)
		add("last", "integer", "number of the last line to show", false)
	}
	if t.Number != "" {
		add(t.Number, "integer", "number of the "+t.Number, true)
	}
	return `{"type":"object","properties":{` + strings.Join(members, ",") + `},"required":[` + strings.Join(required, ",") + `],"additionalProperties":false}`
}

func quoted(text constant) string {
	b, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(b)
}

// Decode reads the arguments of a function call. The error is for the model: what is
// wrong with them. Members that the tool does not have are ignored.
func (t Tool) Decode(arguments string) (Args, error) {
	members := map[string]json.RawMessage{}
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}"
	}
	if err := json.Unmarshal([]byte(arguments), &members); err != nil {
		return Args{}, fmt.Errorf("the arguments of %s are not a JSON object: %s; call it again with %s", t.Name, reason(err), t.example())
	}
	var a Args
	var err error
	if t.Text != "" {
		if err := json.Unmarshal(members[string(t.Text)], &a.Text); err != nil || strings.TrimSpace(a.Text) == "" {
			return Args{}, fmt.Errorf("%s needs %s, a string; call it again with %s", t.Name, t.Text, t.example())
		}
		a.Text = strings.TrimSpace(a.Text)
	}
	number := func(name constant, into *int) {
		raw, given := members[string(name)]
		if !given || string(raw) == "null" || err != nil {
			return
		}
		n, bad := strconv.ParseFloat(strings.Trim(string(raw), `" `), 64)
		if bad != nil || n != math.Trunc(n) || math.Abs(n) > math.MaxInt32 {
			err = fmt.Errorf("%s of %s must be a whole number; call it again with %s", name, t.Name, t.example())
			return
		}
		*into = int(n)
	}
	if t.Lines {
		number("first", &a.First)
		number("last", &a.Last)
	}
	if t.Number != "" {
		if _, given := members[string(t.Number)]; !given {
			return Args{}, fmt.Errorf("%s needs %s, a number; call it again with %s", t.Name, t.Number, t.example())
		}
		number(t.Number, &a.Number)
	}
	if err != nil {
		return Args{}, err
	}
	return a, nil
}

// reason is what is wrong with a JSON text, and where.
func reason(err error) string {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Sprintf("%s after %d bytes", syntax, syntax.Offset)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return "they are of type " + kind.Value
	}
	return err.Error()
}

// example is a call's arguments as they should be.
func (t Tool) example() string {
	switch {
	case t.Text != "":
		return fmt.Sprintf(`{%q: "…"}`, t.Text)
	case t.Number != "":
		return fmt.Sprintf(`{%q: 1}`, t.Number)
	}
	return "{}"
}

var lines = regexp.MustCompile(`^(\d{1,9})-(\d{1,9})$`)

// Parse reads the arguments as they stand in a line of text. The error says to the model
// what is wrong with them.
func (t Tool) Parse(rest string) (Args, error) {
	var a Args
	rest = strings.TrimSpace(rest)
	if i := strings.LastIndexByte(rest, ' '); t.Lines && i > 0 {
		if m := lines.FindStringSubmatch(rest[i+1:]); m != nil {
			a.First, _ = strconv.Atoi(m[1])
			a.Last, _ = strconv.Atoi(m[2])
			rest = strings.TrimSpace(rest[:i])
		}
	}
	if t.Number != "" {
		n, err := strconv.Atoi(rest)
		if err != nil {
			return Args{}, fmt.Errorf("%s needs the number of a %s", t.Name, t.Number)
		}
		a.Number = n
		return a, nil
	}
	if t.Text != "" && rest == "" {
		return Args{}, fmt.Errorf("%s needs %s", t.Name, t.Text)
	}
	a.Text = rest
	return a, nil
}

// Line writes arguments as Parse reads them.
func (t Tool) Line(a Args) string {
	out := a.Text
	if t.Number != "" {
		out = strconv.Itoa(a.Number)
	}
	if t.Lines && (a.First != 0 || a.Last != 0) {
		out += fmt.Sprintf(" %d-%d", a.First, a.Last)
	}
	return out
}

// Usages are the lines by which a model asks for tools without function calls.
func Usages(tools []Tool) string {
	var b strings.Builder
	for _, t := range tools {
		fmt.Fprintf(&b, "LOOK %s", t.Name)
		if t.Text != "" {
			b.WriteString(" " + strings.ToUpper(string(t.Text)))
		}
		if t.Lines {
			b.WriteString(" FIRST-LAST")
		}
		if t.Number != "" {
			b.WriteString(" NUMBER")
		}
		fmt.Fprintf(&b, "  (%s)\n", t.About)
	}
	return strings.TrimRight(b.String(), "\n")
}
