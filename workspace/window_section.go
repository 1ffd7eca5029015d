package workspace

import (
	"strings"
	"unicode"

	"tandem/workspace/tokens"
)

// A section is a part of a window in which each file has one heading, with its
// fragments below it. Headings begin and fragments end so that the counts of
// all parts add up exactly (tokens.SafeCut).
type section struct {
	label     string // what headings say besides the path
	fragments []Fragment
	headings  map[string]bool // paths that have one
	bytes     int
}

// heading is the line above the fragments of a file.
func heading(path, label string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return '?'
		}
		return r
	}, tokens.Valid(path))
	if label != "" {
		clean += " (" + label + ")"
	}
	return "# " + clean + "\n"
}

// write writes the section; fragments of one path are next to each other.
func (s *section) write(to *strings.Builder) {
	last := ""
	for i, f := range s.fragments {
		if i == 0 || f.Path != last {
			to.WriteString(heading(f.Path, s.label))
			last = f.Path
		}
		to.WriteString(f.Text)
	}
}

// body makes text fit to stand below a heading or another fragment: it ends
// its last line and begins so that no token reaches over the border. Lines
// are taken off its start where they are blank; skipped says how many.
func body(text string) (fit string, skipped int) {
	if tokens.SafeStart(text) && text[len(text)-1] == '\n' {
		return text, 0
	}
	text = tokens.Valid(text)
	for {
		end := strings.IndexByte(text, '\n')
		if end < 0 || strings.TrimSpace(text[:end]) != "" {
			break
		}
		text = text[end+1:]
		skipped++
	}
	if strings.TrimLeftFunc(text, notSafe) == "" {
		return "", skipped
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if text[0] == '/' {
		return " " + text, skipped
	}
	if !tokens.SafeStart(text) {
		text = strings.TrimLeftFunc(text, notSafe)
	}
	return text, skipped
}

// notSafe says which characters SafeStart does not let a line begin with.
func notSafe(r rune) bool { return unicode.IsSpace(r) || r < ' ' }

// add puts a fragment into a section if it and its heading fit into most
// tokens and into what is left of the budget; it returns what it took.
func (b *builder) add(s *section, f Fragment, most int) (taken int, ok bool) {
	text, skipped := body(f.Text)
	if text == "" {
		return 0, false
	}
	count, clean := b.costs.of(text)
	if !clean {
		if text, _ = body(b.secrets.Redact(text)); text == "" {
			return 0, false
		}
		count = b.costs.counter.Count(text)
	}
	f.StartLine += skipped
	f.Text, f.Tokens = text, count
	taken = count
	title := ""
	if !s.headings[f.Path] {
		title = heading(f.Path, s.label)
		taken += b.costs.count(title)
	}
	if taken > most || taken > b.left {
		return 0, false
	}
	if title != "" {
		if s.headings == nil {
			s.headings = map[string]bool{}
		}
		s.headings[f.Path] = true
	}
	b.left -= taken
	s.bytes += len(text) + len(title)
	s.fragments = append(s.fragments, f)
	return taken, true
}
