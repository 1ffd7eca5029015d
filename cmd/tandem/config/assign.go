package config

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// An Assignment is a value to write into a configuration file, by its full key.
type Assignment struct {
	Path  []string
	Value any // string, int or float64
}

// literal writes strings and numbers, which look the same in TOML and JSON.
func (a Assignment) literal() string {
	text, err := json.Marshal(a.Value)
	if err != nil {
		return `""`
	}
	return string(text)
}

// Assign returns the text of a configuration file in which each value is set. What else
// stands in the file, comments above all, stays as it is: a key that is there gets its
// value on its line, a key of a table that is there goes below its header, all others go to
// the beginning. Who writes the result reads it again first: a file may be in a form,
// such as a table in one line, that this leaves wrong.
func Assign(source []byte, values []Assignment) []byte {
	var top []string
	for _, a := range values {
		entries, _ := parse("", source, &problems{})
		lines := strings.SplitAfter(string(source), "\n")
		if i := slices.IndexFunc(entries, func(e entry) bool { return !e.table && slices.Equal(e.path, a.Path) }); i >= 0 {
			line := lines[entries[i].line-1]
			key, _, _ := strings.Cut(line, "=")
			lines[entries[i].line-1] = strings.TrimRight(key, " \t") + " = " + a.literal() + "\n"
		} else if header, rest := headerOf(entries, lines, a.Path); header > 0 {
			lines[header-1] = strings.TrimRight(lines[header-1], "\r\n") + "\n" + dotted(rest) + " = " + a.literal() + "\n"
		} else {
			top = append(top, dotted(a.Path)+" = "+a.literal()+"\n")
		}
		source = []byte(strings.Join(lines, ""))
	}
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	if len(top) > 0 && len(bytes.TrimSpace(source)) > 0 {
		top = append(top, "\n")
	}
	return append([]byte(strings.Join(top, "")), source...)
}

// headerOf returns the line of the longest table header that a path is under, 0 for none,
// and the key below it.
func headerOf(entries []entry, lines []string, path []string) (line int, rest []string) {
	rest = path
	for _, e := range entries {
		under := e.table && len(e.path) < len(path) && slices.Equal(e.path, path[:len(e.path)])
		if left := path[min(len(e.path), len(path)):]; under && len(left) < len(rest) && strings.HasPrefix(strings.TrimSpace(lines[e.line-1]), "[") {
			line, rest = e.line, left
		}
	}
	return line, rest
}
