package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// formats are the formats in which each change is written.
var formats = []string{"apply_patch", "search_replace", "str_replace", "unified_diff", "rewrite"}

// render writes the edit in its format, with whatever a kind has done to its lines.
func (e *edit) render() string {
	switch e.format {
	case "apply_patch":
		return e.patch()
	case "search_replace":
		return e.blocks()
	case "str_replace":
		return e.replacements()
	case "unified_diff":
		return e.diff()
	}
	text := strings.ReplaceAll(e.after, "\r\n", "\n")
	if strings.HasSuffix(text, "`") {
		text += "\n" // or the fence would be a part of that line
	}
	return e.path + "\n````\n" + text + "````\n"
}

func (e *edit) patch() string {
	var s strings.Builder
	s.WriteString("*** Begin Patch\n")
	if e.created {
		fmt.Fprintf(&s, "*** Add File: %s\n", e.path)
	} else {
		fmt.Fprintf(&s, "*** Update File: %s\n", e.path)
	}
	for _, h := range e.hunks {
		if !e.created {
			s.WriteString(strings.TrimSpace("@@ " + h.section))
			s.WriteByte('\n')
		}
		s.WriteString(h.body())
	}
	s.WriteString("*** End Patch\n")
	return s.String()
}

func (h *hunk) body() string {
	var s strings.Builder
	for _, l := range h.lines {
		if !l.bare {
			s.WriteByte(l.op)
		}
		s.WriteString(l.text)
		s.WriteByte('\n')
	}
	return s.String()
}

// side is the hunk's text before or after it.
func (h *hunk) side(without byte) string {
	var s strings.Builder
	for _, l := range h.lines {
		if l.op != without {
			s.WriteString(l.text)
			s.WriteByte('\n')
		}
	}
	return s.String()
}

func (e *edit) blocks() string {
	var s strings.Builder
	for _, h := range e.hunks {
		fmt.Fprintf(&s, "%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n\n", e.path, h.side('+'), h.side('-'))
	}
	return s.String()
}

func (e *edit) replacements() string {
	type replacement struct {
		Path string `json:"path"`
		Old  string `json:"old"`
		New  string `json:"new"`
	}
	list := []replacement{}
	for _, h := range e.hunks {
		list = append(list, replacement{e.path, h.side('+'), h.side('-')})
	}
	data, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		panic(err) // strings only
	}
	return string(data)
}

func (e *edit) diff() string {
	var s strings.Builder
	if e.header != "" {
		s.WriteString(e.header)
	} else if e.created {
		fmt.Fprintf(&s, "--- /dev/null\n+++ b/%s\n", e.path)
	} else {
		fmt.Fprintf(&s, "--- a/%s\n+++ b/%s\n", e.path, e.path)
	}
	for _, h := range e.hunks {
		if e.unnumbered {
			s.WriteString("@@ ... @@\n")
		} else {
			fmt.Fprintf(&s, "@@ -%d,%d +%d,%d @@", h.oldStart, e.announced(h.count('+')), h.newStart, e.announced(h.count('-')))
			if h.section != "" {
				s.WriteString(" " + h.section)
			}
			s.WriteByte('\n')
		}
		s.WriteString(h.body())
	}
	return s.String()
}

// announced is the count that a hunk's header gives.
func (e *edit) announced(n int) int { return max(n+e.miscount, 0) }
