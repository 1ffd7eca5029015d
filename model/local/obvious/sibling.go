package obvious

import (
	"slices"
	"strings"

	"tandem/model/local/source"
)

// Siblings are the fields in the document's other literals that have keys of this one.
type siblings struct {
	keys     []string // that follow the previous key, the nearest first
	follows  map[string]int
	followed int
	values   map[string][]siblingValue // by key, the most frequent first
	total    map[string]int
}

// A siblingValue is a value that a key has elsewhere in the document.
type siblingValue struct {
	text  string
	count int
	lines int // from the cursor to the nearest
}

// maxSiblingValues bounds the values of one key that are offered.
const maxSiblingValues = 6

// siblings collects the fields of the document's other literals, line by line.
func (s *site) siblings(l *literal) siblings {
	out := siblings{follows: map[string]int{}, values: map[string][]siblingValue{}, total: map[string]int{}}
	collect := func(text string, backwards bool) {
		all := strings.Split(text, "\n")
		was := ""
		for i, line := range all {
			key, value := keyed(line)
			before := was
			was = key
			if key == "" {
				continue
			}
			away := i
			if backwards {
				away = len(all) - i
			}
			if before != "" && before == l.previous {
				out.followed++
				out.follows[key]++
				if !slices.Contains(out.keys, key) {
					out.keys = append(out.keys, key)
				}
			}
			if value != "" && !slices.Contains(l.used, key) {
				out.total[key]++
				out.note(key, value, away)
			}
		}
	}
	collect(s.before, true)
	collect(s.after, false)
	for key, values := range out.values {
		slices.SortStableFunc(values, func(a, b siblingValue) int {
			if a.count != b.count {
				return b.count - a.count
			}
			return a.lines - b.lines
		})
		out.values[key] = values[:min(len(values), maxSiblingValues)]
	}
	return out
}

// note counts a value of a key.
func (sb *siblings) note(key, value string, away int) {
	values := sb.values[key]
	for i := range values {
		if values[i].text == value {
			values[i].count++
			values[i].lines = min(values[i].lines, away)
			return
		}
	}
	sb.values[key] = append(values, siblingValue{value, 1, away})
}

// keyed returns the key and the value of a line of a literal; the value is "" if it does
// not end on the line.
func keyed(line string) (key, value string) {
	line = strings.TrimSpace(line)
	if line == "" || !source.IsWordByte(line[0]) || source.IsDigit(line[0]) {
		return "", ""
	}
	n := source.WordEnd(line)
	rest, ok := strings.CutPrefix(line[n:], ":")
	if !ok || rest == "" || rest[0] != ' ' {
		return "", ""
	}
	rest = strings.TrimSpace(rest)
	if strings.HasSuffix(rest, "{") || strings.HasSuffix(rest, "(") {
		return line[:n], ""
	}
	value, ok = strings.CutSuffix(rest, ",")
	if !ok {
		return "", ""
	}
	return line[:n], value
}

// describe sets the features of a value for a key that the other literals show.
func (sb *siblings) describe(o *option, key, value, previous string) {
	o.evidence[featFollows] = float64(sb.follows[key]) / float64(max(sb.followed, 1))
	o.evidence[featFollowed] = float64(min(sb.followed, 10))
	o.evidence[featSiblings] = float64(min(sb.total[key], 20))
	o.evidence[featSiblingLines] = 300
	for _, v := range sb.values[key] {
		if v.text == value {
			o.evidence[featSiblingShare] = float64(v.count) / float64(sb.total[key])
			o.evidence[featSiblingCount] = float64(min(v.count, 20))
			o.evidence[featSiblingLines] = float64(min(v.lines, 300))
		}
	}
}
