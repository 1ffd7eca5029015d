package window

import (
	pathpkg "path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tandem/workspace/redact"
	"tandem/workspace/tokens"
)

// A section is a part of a window in which each file has one heading, with its
// fragments below it. Headings begin and fragments end so that the counts of
// all parts add up exactly (tokens.SafeCut), with what a border adds.
type section struct {
	label     string // what headings show besides the path
	base      string // the folder that headings may be relative to; "" is none
	fragments []Fragment
	gaps      []int // fragments above which gapMark stands
}

// gapMark is the line that stands for lines left out inside a definition.
const gapMark = "...\n"

// title is the heading of a file's fragments.
func (b *builder) title(s *section, path string) redact.Text {
	return heading(b.secrets, relativePath(s.base, path), s.label)
}

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
func heading(secrets *redact.Redactor, path, label string) redact.Text {
	path = cleanName(path)
	if label != "" {
		path += " (" + label + ")"
	}
	return redact.Format("# %s\n", secrets.Redact(path))
}

// cleanName is a path that cannot break a line.
func cleanName(path string) string {
	return strings.Map(func(r rune) rune {
		if unprintable(r) {
			return '?'
		}
		return r
	}, tokens.Valid(path))
}

func unprintable(r rune) bool {
	return r < ' ' || r >= 0x7f && (unicode.IsControl(r) || r == utf8.RuneError || r == '\u2028' || r == '\u2029')
}

// written is the section's text; fragments of one path are next to each other.
func (b *builder) written(s *section) (out []redact.Text) {
	last := ""
	for i, f := range s.fragments {
		if i == 0 || f.Path != last {
			out = append(out, b.title(s, f.Path))
			last = f.Path
		} else if slices.Contains(s.gaps, i) {
			out = append(out, redact.Const(gapMark))
		}
		out = append(out, f.Text)
	}
	return out
}

// body prepares text to follow a heading or another fragment: it ends its last
// line and begins so that no token crosses the border, unless it begins with a
// slash (border). Blank lines at its start are removed; skipped is their number.
func body(text redact.Text) (fit redact.Text, skipped int) {
	rest := text.String()
	if tokens.SafeStart(rest) && rest[len(rest)-1] == '\n' {
		return text, 0
	}
	for {
		end := strings.IndexByte(rest, '\n')
		if end < 0 || strings.TrimSpace(rest[:end]) != "" {
			break
		}
		rest = rest[end+1:]
		skipped++
	}
	if strings.TrimLeftFunc(rest, notSafe) == "" {
		return redact.Text{}, skipped
	}
	if rest[0] != '/' && !tokens.SafeStart(rest) {
		rest = strings.TrimLeftFunc(rest, notSafe)
	}
	text = text.Slice(text.Len()-len(rest), text.Len())
	if !strings.HasSuffix(rest, "\n") {
		text = redact.Format("%s\n", text)
	}
	return text, skipped
}

// notSafe reports whether SafeStart does not let a line begin with r.
func notSafe(r rune) bool { return unicode.IsSpace(r) || r < ' ' }

// add puts a fragment into a section if it and its heading fit into most
// tokens and into what is left of the budget; it returns what it took.
func (b *builder) add(s *section, f Fragment, most int) (taken int, ok bool) {
	text, skipped := body(f.Text)
	if text.Len() == 0 {
		return 0, false
	}
	above, heading := b.title(s, f.Path).String(), 0
	if slices.ContainsFunc(s.fragments, func(old Fragment) bool { return old.Path == f.Path }) {
		above = s.fragments[len(s.fragments)-1].Text.String()
	} else {
		heading = b.costs.count(above)
	}
	f.StartLine += skipped
	f.Text, f.Tokens = text, b.costs.count(text.String())+b.costs.border(above, text.String())
	if taken = f.Tokens + heading; taken > most || taken > b.left {
		return 0, false
	}
	b.left -= taken
	s.fragments = append(s.fragments, f)
	return taken, true
}
