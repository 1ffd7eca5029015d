package language

import "strings"

var (
	markdown = &language{scan: scanMarkdown}
	goMod    = &language{scan: scanGoMod}
)

// scanMarkdown finds the headings of a document, each with the lines up to the
// next heading of its level.
func scanMarkdown(s *scan) {
	var open []section // headings whose section has not ended, by level
	fence, line := "", uint32(0)
	for rest := s.src; rest != ""; {
		var text string
		text, rest, _ = strings.Cut(rest, "\n")
		line++
		trimmed := strings.TrimLeft(text, " ")
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case strings.HasPrefix(text, "#"):
			rank := len(text) - len(strings.TrimLeft(text, "#"))
			if rank <= 6 && len(text) > rank && text[rank] == ' ' {
				open = s.heading(open, rank, strings.TrimSpace(strings.Trim(text, "# \r")), line)
			}
		}
	}
	for _, o := range open {
		s.defs[o.def].End = line
	}
}

// A section is a heading whose section has not ended.
type section struct{ def, rank int }

func (s *scan) heading(open []section, rank int, title string, line uint32) []section {
	for n := len(open); n > 0 && open[n-1].rank >= rank; n-- {
		s.defs[open[n-1].def].End = line - 1
		open = open[:n-1]
	}
	s.defs = append(s.defs, Found{Name: s.in.Intern(title), Kind: KindHeading, Exported: true, MinParams: Unknown, MaxParams: Unknown,
		Doc: line, Start: line, Sig: line, End: line})
	return append(open, section{len(s.defs) - 1, rank})
}

// scanGoMod reads the path of the module.
func scanGoMod(s *scan) {
	for rest := s.src; rest != ""; {
		var text string
		text, rest, _ = strings.Cut(rest, "\n")
		if path, ok := strings.CutPrefix(strings.TrimSpace(text), "module "); ok {
			s.declare(strings.Trim(strings.TrimSpace(path), "\""))
			return
		}
	}
}
