package localtest

import (
	"fmt"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/rel"
)

// A Memory is a corpus in memory. Tests may change its fields between two requests.
type Memory struct {
	Indexed *index.Index
	Texts   map[string]string      // by path
	Secret  map[string]bool        // paths whose text is withheld
	Recent  []workspace.RecentEdit // oldest first
}

// New returns a corpus of files.
func New(files map[string]string) *Memory {
	m := &Memory{Indexed: index.New(), Texts: map[string]string{}, Secret: map[string]bool{}}
	for path, text := range files {
		m.Write(path, text)
	}
	return m
}

// Write adds or replaces a file, as if on disk.
func (m *Memory) Write(path, text string) {
	m.Texts[path] = text
	m.Indexed = m.Indexed.With(index.Change{Path: rel.Must(path), Text: text, ModTime: time.Unix(1, 0)})
}

// Root names the folder.
func (m *Memory) Root() string { return "/mem" }

// Index is the folder's index.
func (m *Memory) Index() *index.Index { return m.Indexed }

// Text returns a file's text unless it is withheld.
func (m *Memory) Text(path string) (string, bool) {
	text, ok := m.Texts[path]
	return text, ok && !m.Secret[path]
}

// ReplaceLine edits the first line whose trimmed text is from, as a user would.
func (m *Memory) ReplaceLine(path, from, to string) {
	lines := strings.SplitAfter(m.Texts[path], "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != from {
			continue
		}
		now := strings.Replace(line, from, to, 1)
		if to == "" {
			now = ""
		}
		hunk := fmt.Sprintf("@@ -%d +%d @@\n", i+1, i+1)
		if i > 0 {
			hunk += " " + lines[i-1]
		}
		hunk += "-" + line
		if now != "" {
			hunk += "+" + now
		}
		if i+1 < len(lines) && lines[i+1] != "" {
			hunk += " " + lines[i+1]
		}
		lines[i] = now
		m.Write(path, strings.Join(lines, ""))
		at := len(strings.Join(lines[:i], ""))
		for j := range m.Recent {
			if r := &m.Recent[j]; r.Path == path && at <= r.Place.Start {
				r.Place.Start, r.Place.End = r.Place.Start+len(now)-len(line), r.Place.End+len(now)-len(line)
				r.Line += strings.Count(now, "\n") - strings.Count(line, "\n")
			}
		}
		m.Recent = append(m.Recent, workspace.RecentEdit{Place: edits.Span{Start: at, End: at + len(now)}, Placed: true, Path: path, Time: time.Unix(int64(len(m.Recent)), 0), Line: i + 1, Old: line, New: now, Hunk: hunk})
		return
	}
	panic("no line " + from)
}
