package answer

import (
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
)

// unwrap takes off what is around an answer: what the model thought, the JSON of a tool
// call, and the indentation of a list item. An answer in JSON may be a list of replacements.
func unwrap(format edits.Format, text string) (string, []edits.Replacement, error) {
	text, err := withoutThoughts(withoutColours(strings.TrimPrefix(text, "\ufeff")))
	if err != nil {
		return "", nil, err
	}
	if format != edits.FormatRewrite {
		inner, list, err := arguments(text)
		if err != nil || list != nil {
			return "", list, err
		}
		text = inner
	}
	return dedented(text), nil, nil
}

var (
	colour    = regexp.MustCompile(`\x1b\[[0-9;]*[mK]`)
	inColour  = regexp.MustCompile(`(?m)^\x1b\[[0-9;]*m`)
	quotation = regexp.MustCompile(`^\s*(?:>\s?)+`)
)

// withoutColours is a text as a terminal would show it, if lines of it begin with a colour.
func withoutColours(text string) string {
	if !inColour.MatchString(text) {
		return text
	}
	return colour.ReplaceAllString(text, "")
}

// marks begin what is an edit: no thoughts are looked for below the first of them.
var marks = []string{"```", "~~~", "<<<<<", "------- SEARCH", "*** Begin", "--- ", "diff --git", "@@", "<edit", "<old_", "<search"}

func markIn(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(line, m) })
}

var (
	thought = regexp.MustCompile(`^\s*<(think|thinking|thought|reasoning)>`)
	ends    = regexp.MustCompile(`</(think|thinking|thought|reasoning)>`)
	// tokenAtEnd ends the last message of a model that marks its channels.
	tokenAtEnd = regexp.MustCompile(`<\|(return|end)\|>\s*$`)
	endLine    = regexp.MustCompile(`(?m)^[ \t]*</(think|thinking|thought|reasoning)>`)
)

// withoutThoughts removes what a reasoning model wrote before its answer: up to the end
// mark, where the mark of the beginning may be missing.
func withoutThoughts(text string) (string, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "<|channel|>") {
		if _, said, found := strings.Cut(text, "<|channel|>final<|message|>"); found {
			return tokenAtEnd.ReplaceAllString(said, ""), nil
		}
		return "", &edits.Error{Code: edits.CodeTruncated, Message: "the answer stops in the model's thoughts"}
	}
	at := 0
	for line := range strings.Lines(text) {
		if thought.MatchString(line) {
			end := ends.FindStringIndex(text[at:])
			if end == nil {
				return "", &edits.Error{Code: edits.CodeTruncated, Message: "the answer stops in the model's thoughts"}
			}
			return withoutThoughts(text[:at] + text[at+end[1]:])
		}
		if markIn(line) {
			break
		}
		at += len(line)
	}
	if end := endLine.FindStringIndex(text); end != nil && !strings.Contains(text[:end[0]], "<th") && !strings.Contains(text[:end[0]], "<reasoning") {
		return text[end[1]:], nil
	}
	return text, nil
}

// withoutQuotation is a line without the signs of a quotation before it.
func withoutQuotation(line string) string { return line[len(quotation.FindString(line)):] }

// dedented removes what is before an answer whose first mark is indented, as in an item of a
// list, or quoted, as in a mail, if all lines up to the last mark have it.
func dedented(text string) string {
	lines := strings.SplitAfter(text, "\n")
	first := slices.IndexFunc(lines, func(line string) bool { return markIn(line) || markIn(withoutQuotation(line)) })
	if first < 0 {
		return text
	}
	indent := lines[first][:len(lines[first])-len(strings.TrimLeft(lines[first], " \t"))]
	if !markIn(lines[first]) {
		indent = quotation.FindString(lines[first])
	}
	if indent == "" {
		return text
	}
	last := first
	for i, line := range lines[first:] {
		if markIn(line) || markIn(strings.TrimPrefix(line, indent)) {
			last = first + i
		}
	}
	for i, line := range lines {
		rest, had := strings.CutPrefix(line, indent)
		if sign := strings.TrimRight(indent, " \t"); !had && sign != "" {
			rest, had = strings.CutPrefix(line, sign)
		}
		switch {
		case had:
			lines[i] = rest
		case strings.TrimSpace(line) == "" || i < first:
		case i <= last:
			return text
		default:
			return strings.Join(lines, "")
		}
	}
	return strings.Join(lines, "")
}

// A call is the arguments of a tool with which models edit, or a call that holds them, by
// the names of the common tools.
type call struct {
	path       string
	old, new   *string
	replaceAll bool
	line       int
	patch      string
	nested     []json.RawMessage
}

func (c *call) UnmarshalJSON(data []byte) error {
	var written map[string]json.RawMessage
	if err := json.Unmarshal(data, &written); err != nil {
		return err
	}
	fields := map[string]json.RawMessage{}
	for name, raw := range written {
		fields[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = raw
	}
	for _, of := range []struct {
		to    any
		names []string // the first that there is
	}{
		{&c.path, []string{"path", "filepath", "file", "filename"}},
		{&c.old, []string{"old", "oldstring", "oldstr", "oldtext", "oldcode", "search", "find"}},
		{&c.new, []string{"new", "newstring", "newstr", "newtext", "newcode", "replace", "replacement"}},
		{&c.replaceAll, []string{"replaceall"}}, {&c.line, []string{"line"}},
	} {
		for _, name := range of.names {
			raw, ok := fields[name]
			if !ok || string(raw) == "null" {
				continue
			}
			if err := json.Unmarshal(raw, of.to); err != nil {
				return err
			}
			break
		}
	}
	for _, name := range []string{"patch", "input", "diff", "command", "cmd", "arguments", "parameters", "function", "edits", "replacements", "changes"} {
		raw, ok := fields[name]
		if !ok {
			continue
		}
		var words []string
		var text string
		switch {
		case json.Unmarshal(raw, &text) == nil:
		case json.Unmarshal(raw, &words) == nil && len(words) > 0:
			text = words[len(words)-1]
		default:
			c.nested = append(c.nested, raw)
			continue
		}
		if begins := strings.TrimSpace(text); strings.HasPrefix(begins, "{") || strings.HasPrefix(begins, "[") {
			c.nested = append(c.nested, json.RawMessage(begins))
		} else {
			c.patch = text
		}
	}
	return nil
}

// replacement is the one that a call asks for, or nil.
func (c *call) replacement() (*edits.Replacement, error) {
	if c.old == nil {
		return nil, nil
	}
	if c.new == nil {
		return nil, &edits.Error{Code: edits.CodeParse, Message: "a replacement in the answer has no new text"}
	}
	return &edits.Replacement{Path: c.path, Old: *c.old, New: *c.new, All: c.replaceAll, LineHint: c.line}, nil
}

// arguments reads an answer that is the JSON of a tool: a patch, or a list of replacements.
// Any other text is returned as it is.
func arguments(text string) (string, []edits.Replacement, error) {
	inner := strings.TrimSpace(text)
	inner = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(inner, "<tool_call>"), "</tool_call>"))
	if fenced, found := strings.CutPrefix(inner, "```"); found {
		_, fenced, _ = strings.Cut(fenced, "\n")
		inner = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(fenced), "```"))
	}
	edit := slices.ContainsFunc([]string{`*** Begin Patch\`, `<<<<<<< SEARCH\`, `\n@@ `, `"old`, `\"old`, `"search`, `"find`}, func(sign string) bool { return strings.Contains(inner, sign) })
	if !strings.HasPrefix(inner, "[") && !strings.HasPrefix(inner, "{") || !edit {
		return text, nil, nil
	}
	var list []edits.Replacement
	var patches []string
	if err := gather(json.RawMessage(inner), "", 0, &list, &patches); err != nil {
		return "", nil, err
	}
	switch {
	case len(patches) == 1 && list == nil:
		return patches[0], nil, nil
	case len(patches) > 0:
		return "", nil, &edits.Error{Code: edits.CodeAmbiguous, Message: "the answer has several patches in JSON"}
	case list == nil:
		return text, nil, nil
	}
	return "", list, nil
}

// inJSON finds strings, and commas that nothing follows.
var inJSON = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|,\s*[\]}]`)

// withoutLastCommas is JSON without the commas behind its last members.
func withoutLastCommas(text string) string {
	return inJSON.ReplaceAllStringFunc(text, func(part string) string { return strings.TrimPrefix(part, ",") })
}

// deepest bounds how calls hold each other.
const deepest = 4

func gather(raw json.RawMessage, path string, depth int, list *[]edits.Replacement, patches *[]string) error {
	text := string(raw)
	if strings.HasPrefix(text, "{") {
		text = "[" + text + "]"
	}
	var calls []call
	err := json.Unmarshal([]byte(text), &calls)
	if err != nil {
		err = json.Unmarshal([]byte(withoutLastCommas(text)), &calls)
	}
	if err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok && syntax.Error() == "unexpected end of JSON input" {
			return &edits.Error{Code: edits.CodeTruncated, Message: "the list of replacements stops before its end"}
		}
		return &edits.Error{Code: edits.CodeParse, Message: "the list of replacements is no JSON list: " + err.Error()}
	}
	for i := range calls {
		c := &calls[i]
		c.path = cmp.Or(c.path, path)
		one, err := c.replacement()
		if err != nil {
			return err
		}
		if one != nil {
			*list = append(*list, *one)
		}
		if c.patch != "" {
			*patches = append(*patches, c.patch)
		}
		for _, inner := range c.nested {
			if depth < deepest {
				if err := gather(inner, c.path, depth+1, list, patches); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
