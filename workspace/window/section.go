package window

import (
	pathpkg "path"
	"strings"
	"unicode"
	"unicode/utf8"

	"tandem/workspace/tokens"
)

// A section is a part of a window in which each file has one heading, with its
// fragments below it. Headings begin and fragments end so that the counts of
// all parts add up exactly (tokens.SafeCut), with what a border adds.
type section struct {
	label     string // what headings show besides the path
	base      string // the folder that headings may be relative to; "" is none
	fragments []Fragment
	gaps      map[int]bool    // fragments above which gapMark stands
	headings  map[string]bool // paths that have one
	bytes     int
}

// gapMark is the line that stands for lines left out inside a definition.
const gapMark = "...\n"

// title is the heading of a file's fragments.
func (s *section) title(path string) string { return heading(relativePath(s.base, path), s.label) }

// relativePath is a path as seen from a folder, which begins with a dot, where that is
// shorter than the path itself.
func relativePath(folder, path string) string {
	if folder == "" || folder == "." {
		return path
	}
	up, shared := 0, folder
	for !strings.HasPrefix(path, shared) || len(path) == len(shared) || path[len(shared)] != '/' {
		up++
		if shared = pathpkg.Dir(shared); shared == "." || shared == "/" {
			return path
		}
	}
	short := "./" + path[len(shared)+1:]
	if up > 0 {
		short = strings.Repeat("../", up) + path[len(shared)+1:]
	}
	if len(short) >= len(path) {
		return path
	}
	return short
}

// heading is the line above the fragments of a file.
func heading(path, label string) string {
	path = cleanName(path)
	if label != "" {
		return "# " + path + " (" + label + ")\n"
	}
	return "# " + path + "\n"
}

// cleanName is a path that cannot break a line.
func cleanName(path string) string {
	if plain(path) {
		return path
	}
	return strings.Map(func(r rune) rune {
		if unprintable(r) {
			return '?'
		}
		return r
	}, tokens.Valid(path))
}

// plain reports whether a path is printable ASCII, as nearly all are.
func plain(path string) bool {
	for i := range len(path) {
		if c := path[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

func unprintable(r rune) bool {
	return r < ' ' || r >= 0x7f && (unicode.IsControl(r) || r == utf8.RuneError || r == '\u2028' || r == '\u2029')
}

// mark puts gapMark above the fragment that is added next.
func (s *section) mark() {
	if s.gaps == nil {
		s.gaps = map[int]bool{}
	}
	s.gaps[len(s.fragments)] = true
	s.bytes += len(gapMark)
}

// write writes the section; fragments of one path are next to each other.
func (s *section) write(to *strings.Builder) {
	last := ""
	for i, f := range s.fragments {
		if i == 0 || f.Path != last {
			to.WriteString(s.title(f.Path))
			last = f.Path
		} else if s.gaps[i] {
			to.WriteString(gapMark)
		}
		to.WriteString(f.Text)
	}
}

// body prepares text to follow a heading or another fragment: it ends its last
// line and begins so that no token crosses the border, unless it begins with a
// slash (border). Blank lines at its start are removed; skipped is their number.
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
	if text[0] != '/' && !tokens.SafeStart(text) {
		text = strings.TrimLeftFunc(text, notSafe)
	}
	return text, skipped
}

// notSafe reports whether SafeStart does not let a line begin with r.
func notSafe(r rune) bool { return unicode.IsSpace(r) || r < ' ' }

// above is the text that the next fragment of a path is written under.
func (s *section) above(path string) string {
	switch {
	case !s.headings[path]:
		return s.title(path)
	case s.gaps[len(s.fragments)]:
		return gapMark
	}
	return s.fragments[len(s.fragments)-1].Text
}

// add puts a fragment into a section if it and its heading fit into most
// tokens and into what is left of the budget; it returns what it took.
func (b *builder) add(s *section, f Fragment, most int) (taken int, ok bool) {
	text, skipped := body(f.Text)
	count, text := b.clean(text)
	if text == "" {
		return 0, false
	}
	count += b.costs.border(s.above(f.Path), text)
	f.StartLine += skipped
	f.Text, f.Tokens = text, count
	taken = count
	if !s.headings[f.Path] {
		title := s.title(f.Path)
		taken += b.costs.count(title)
		if taken <= most && taken <= b.left {
			s.head(f.Path, title)
		}
	}
	if taken > most || taken > b.left {
		return 0, false
	}
	b.left -= taken
	s.bytes += len(text)
	s.fragments = append(s.fragments, f)
	return taken, true
}

// head notes that a path has a heading.
func (s *section) head(path, title string) {
	if s.headings == nil {
		s.headings = map[string]bool{}
	}
	s.headings[path] = true
	s.bytes += len(title)
}

// clean returns text with its secrets replaced, prepared to follow another
// fragment, and its tokens.
func (b *builder) clean(text string) (int, string) {
	count, clean := b.costs.of(text)
	if clean {
		return count, text
	}
	text, _ = body(b.secrets.Redact(text))
	return b.costs.count(text), text
}
