package task

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tandem/workspace/state"
)

// The lanes that a step may name besides an agent.
const (
	Fast = "fast"
	Deep = "deep"
)

// maxLines bounds how much of a model's answer is read as a plan.
const maxLines = 4000

var (
	stepLine  = regexp.MustCompile("^[\\s>*•`_-]*(?:(?:step\\s+)?(\\d+)\\s*[.):]\\s*)?[\\s*`_]*\\[([A-Za-z][\\w-]*)\\][\\s*`_:]*(.*)$")
	fieldLine = regexp.MustCompile("(?i)^[\\s>*•`|-]*(reads?|writes?|edits?|creates?|after|depends on|done(?: when)?)\\s*:\\s*(.*)$")
)

// Parse reads the steps of a plan, one a line:
//
//  1. [FAST] title | read: a.go | write: b.go | after: 2, 3 | done: sentence
//
// Numbers, bullets and emphasis may be missing or there, fields may stand on lines of
// their own below a step, and other lines are skipped. A line whose tag names neither a
// lane nor one of agents is a step only if it has a number.
func Parse(text string, agents ...string) []state.Step {
	var out []state.Step
	var numbers []int // as they are written, 0 where there is none
	var after [][]int
	read := 0
	for line := range strings.Lines(text) {
		if read++; read > maxLines {
			break
		}
		line = strings.TrimRight(line, "\r\n")
		if m := stepLine.FindStringSubmatch(line); m != nil {
			lane := strings.ToLower(m[2])
			isLane := lane == Fast || lane == Deep || slices.Contains(agents, lane)
			parts := splitFields(m[3])
			title := plain(parts[0])
			if title == "" || !isLane && (m[1] == "" || len(lane) == 1) { // [x] is a box that is ticked
				continue
			}
			number, _ := strconv.Atoi(m[1])
			out, numbers, after = append(out, state.Step{Lane: lane, Title: title}), append(numbers, number), append(after, nil)
			for _, part := range parts[1:] {
				setField(&out[len(out)-1], &after[len(after)-1], part)
			}
			continue
		}
		if len(out) > 0 && fieldLine.MatchString(line) {
			for _, part := range splitFields(line) {
				setField(&out[len(out)-1], &after[len(after)-1], part)
			}
		}
	}
	index := byNumber(numbers)
	for i := range out {
		for _, n := range after[i] {
			out[i].After = append(out[i].After, index(n))
		}
	}
	return out
}

// splitFields divides a step's line at its bars.
func splitFields(s string) []string { return strings.Split(s, "|") }

// byNumber returns what a number in "after" means: the step that has it, or where the
// numbers are missing or repeat, the position. A number without a step is -1.
func byNumber(numbers []int) func(int) int {
	written := map[int]int{}
	unique := true
	for i, n := range numbers {
		if _, twice := written[n]; n == 0 || twice {
			unique = false
		}
		written[n] = i
	}
	return func(n int) int {
		if unique {
			if i, ok := written[n]; ok {
				return i
			}
			return -1
		}
		if n < 1 || n > len(numbers) {
			return -1
		}
		return n - 1
	}
}

func setField(s *state.Step, after *[]int, part string) {
	m := fieldLine.FindStringSubmatch(part)
	if m == nil {
		return
	}
	switch name := strings.ToLower(m[1]); {
	case strings.HasPrefix(name, "read"):
		s.Reads = append(s.Reads, paths(m[2])...)
	case name == "after", name == "depends on":
		for _, word := range strings.FieldsFunc(m[2], func(r rune) bool { return r < '0' || r > '9' }) {
			if n, err := strconv.Atoi(word); err == nil {
				*after = append(*after, n)
			}
		}
	case strings.HasPrefix(name, "done"):
		s.Done = plain(m[2])
	default:
		s.Writes = append(s.Writes, paths(m[2])...)
	}
}

var (
	lineSuffix = regexp.MustCompile(`:\d+(?:[-:]\d+)*$`)
	remark     = regexp.MustCompile(`\s+\([^)]*\)$`)
)

// paths reads a list of files.
func paths(list string) []string {
	var out []string
	for _, name := range strings.FieldsFunc(strings.ReplaceAll(list, " and ", ","), func(r rune) bool { return r == ',' || r == ';' }) {
		name = strings.Trim(remark.ReplaceAllString(strings.TrimSpace(name), ""), "`*\"' \t")
		name = strings.TrimPrefix(lineSuffix.ReplaceAllString(name, ""), "./")
		switch strings.ToLower(strings.Trim(name, ".")) {
		case "", "none", "nothing", "-", "n/a":
			continue
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func plain(s string) string { return strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "`*_")) }

// Format prints steps as Parse reads them.
func Format(steps []state.Step) string {
	var b strings.Builder
	for i, s := range steps {
		fmt.Fprintf(&b, "%d. %s\n", i+1, lineOf(s))
	}
	return b.String()
}

// lineOf prints a step without its number.
func lineOf(s state.Step) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s] %s", strings.ToUpper(s.Lane), s.Title)
	for _, f := range []struct {
		name string
		list []string
	}{{"read", s.Reads}, {"write", s.Writes}} {
		if len(f.list) > 0 {
			fmt.Fprintf(&b, " | %s: %s", f.name, strings.Join(f.list, ", "))
		}
	}
	if len(s.After) > 0 {
		numbers := make([]string, len(s.After))
		for i, n := range s.After {
			numbers[i] = strconv.Itoa(n + 1)
		}
		fmt.Fprintf(&b, " | after: %s", strings.Join(numbers, ", "))
	}
	if s.Done != "" {
		fmt.Fprintf(&b, " | done: %s", s.Done)
	}
	return b.String()
}
