package config

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"tandem/workspace/language"
)

// An entry is one element of a file: a value, or (table set) a table.
type entry struct {
	path  []string
	value any // string, int64, float64, bool, []any; other for a type that no setting has
	table bool
	line  int
}

// other is a value of a type that no setting has: a date, a nested table in a list.
type other struct{ kind string }

// maxSyntaxErrors bounds how many invalid lines of one file are reported.
const maxSyntaxErrors = 20

// parse reads a TOML document into entries. Invalid lines are reported and
// skipped, so that one typing error does not hide the next; whole reports
// whether there was none.
func parse(file string, source []byte, ps *problems) (entries []entry, whole bool) {
	broken := false
	source = bytes.Clone(bytes.TrimPrefix(source, []byte("\ufeff")))
	if err := language.Parsable("toml", string(source)); err != nil {
		ps.add(file, 1, "cannot be read: %v", err)
		return nil, false
	}
	for range maxSyntaxErrors {
		es, failure := parseOnce(source)
		if failure == nil {
			return es, !broken
		}
		broken = true
		ps.add(file, failure.line, "%s", failure.message)
		if !blank(source, failure.line) {
			return nil, false
		}
	}
	return nil, false
}

type syntaxError struct {
	line    int
	message string
}

func parseOnce(source []byte) ([]entry, *syntaxError) {
	var p unstable.Parser
	p.Reset(source)
	r := reader{parser: &p}
	for p.NextExpression() {
		r.expression(p.Expression())
	}
	if err := p.Error(); err != nil {
		return nil, locate(&p, err)
	}
	return r.entries, nil
}

func locate(p *unstable.Parser, err error) *syntaxError {
	out := &syntaxError{line: 1, message: "not valid TOML: " + err.Error()}
	if strings.Contains(out.message, "at start of value") {
		out.message += "; a value is a number, true, false, a list, or text in quotes"
	}
	var at *unstable.ParserError
	if errors.As(err, &at) && at.Highlight != nil {
		start := p.Shape(p.Range(at.Highlight)).Start
		out.line = start.Line
		// The parser reports what is missing at a line's end on the newline or after it.
		if start.Column == 1 && start.Line > 1 && !bytes.HasPrefix(at.Highlight, []byte("[")) {
			out.line = lastFull(p.Data(), start.Line)
		}
	}
	return out
}

// lastFull returns line if it has text, else the nearest line before it that has text.
func lastFull(source []byte, line int) int {
	lines := bytes.Split(source, []byte("\n"))
	for n := min(line, len(lines)); n > 0; n-- {
		if len(bytes.TrimSpace(lines[n-1])) > 0 {
			return n
		}
	}
	return line
}

// blank overwrites a line with spaces; if it is a table's header, the section
// under it too. It reports whether there was anything to overwrite.
func blank(source []byte, line int) bool {
	start := 0
	for range line - 1 {
		i := bytes.IndexByte(source[start:], '\n')
		if i < 0 {
			return false
		}
		start += i + 1
	}
	end := lineEnd(source, start)
	if bytes.HasPrefix(bytes.TrimSpace(source[start:end]), []byte("[")) {
		for end < len(source) && !bytes.HasPrefix(bytes.TrimSpace(source[end+1:lineEnd(source, end+1)]), []byte("[")) {
			end = lineEnd(source, end+1)
		}
	}
	changed := false
	for i := start; i < end; i++ {
		if source[i] != '\n' && source[i] != ' ' {
			source[i], changed = ' ', true
		}
	}
	return changed
}

func lineEnd(source []byte, start int) int {
	if start >= len(source) {
		return len(source)
	}
	if i := bytes.IndexByte(source[start:], '\n'); i >= 0 {
		return start + i
	}
	return len(source)
}

// A reader turns expressions into entries with full paths.
type reader struct {
	parser  *unstable.Parser
	table   []string // of the last header
	entries []entry
}

func (r *reader) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.Table:
		path, line := r.key(n)
		r.table = path
		r.entries = append(r.entries, entry{path: path, table: true, line: line})
	case unstable.ArrayTable:
		path, line := r.key(n)
		r.table = path
		r.entries = append(r.entries, entry{path: path, value: other{"a list of tables"}, line: line})
	case unstable.KeyValue:
		r.keyValue(r.table, n)
	}
}

func (r *reader) keyValue(under []string, n *unstable.Node) {
	key, line := r.key(n)
	path := slices.Concat(under, key)
	value := n.Value()
	if value.Kind != unstable.InlineTable {
		r.entries = append(r.entries, entry{path: path, value: scalar(value), line: line})
		return
	}
	r.entries = append(r.entries, entry{path: path, table: true, line: line})
	for it := value.Children(); it.Next(); {
		r.keyValue(path, it.Node())
	}
}

func (r *reader) key(n *unstable.Node) (path []string, line int) {
	for it := n.Key(); it.Next(); {
		part := it.Node()
		if line == 0 {
			line = r.parser.Shape(part.Raw).Start.Line
		}
		path = append(path, string(part.Data))
	}
	return path, line
}

func scalar(n *unstable.Node) any {
	text := string(n.Data)
	switch n.Kind {
	case unstable.String:
		return text
	case unstable.Bool:
		return text == "true"
	case unstable.Integer:
		if v, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 0, 64); err == nil {
			return v
		}
		return other{"one this large"}
	case unstable.Float:
		v, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return other{"not a finite number"}
		}
		return v
	case unstable.Array:
		list := []any{}
		for it := n.Children(); it.Next(); {
			list = append(list, scalar(it.Node()))
		}
		return list
	case unstable.InlineTable:
		return other{"a table"}
	}
	return other{"a date or time"}
}
