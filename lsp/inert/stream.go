package inert

import (
	"regexp"
	"strings"
)

// A Stream makes markdown inert while it arrives. Each block leaves when it ends, and each line
// of a block of code at once. What left is final, and does not depend on how the source is cut
// into pieces, since every block is rendered alone: to render the whole source again would
// change earlier text, such as "[a]", once a later line says what it links to. The zero Stream
// is ready to use.
type Stream struct {
	rest  string   // the line that is not whole yet
	block []string // lines of the block that may continue
	mark  string   // closes the open block of code
	out   strings.Builder
	began bool // something was written
}

// Answer returns what a Stream makes of a whole answer.
func Answer(source string) string {
	var s Stream
	return s.Write(source) + s.Close()
}

// Write takes the next piece of the source and returns what is inert of it by now.
func (s *Stream) Write(piece string) string {
	s.rest += piece
	for {
		end := strings.IndexAny(s.rest, "\r\n")
		if end < 0 || s.rest[end:] == "\r" { // it may be half a line end
			return s.take()
		}
		line := s.rest[:end]
		s.rest = strings.TrimPrefix(s.rest[end:], "\r")
		s.rest = strings.TrimPrefix(s.rest, "\n")
		s.line(Text(line))
	}
}

// Close returns the rest; an open block of code is closed.
func (s *Stream) Close() string {
	if rest := strings.TrimSuffix(s.rest, "\r"); rest != "" {
		s.line(Text(rest))
	}
	s.endBlock()
	if s.mark != "" {
		s.out.WriteString("\n" + s.mark)
	}
	*s = Stream{out: s.out}
	return s.take()
}

func (s *Stream) take() string {
	out := s.out.String()
	s.out.Reset()
	return out
}

// listItem is the beginning of a line that continues a list after an empty one.
var listItem = regexp.MustCompile(`^\s*([-*+]|\d{1,9}[.)])(\s|$)|^\s`)

func (s *Stream) line(line string) {
	mark, info, opens := opensCode(line)
	inList := len(s.block) > 0 && listItem.MatchString(s.block[0])
	switch {
	case s.mark != "" && closesCode(line, s.mark):
		s.out.WriteString("\n" + s.mark)
		s.mark = ""
	case s.mark != "":
		s.out.WriteString("\n" + line)
	case opens:
		s.endBlock()
		s.begin(mark + languageOf(info))
		s.mark = mark
	case strings.TrimSpace(line) == "" && !inList:
		s.endBlock()
	case inList && s.block[len(s.block)-1] == "" && line != "" && !listItem.MatchString(line):
		s.endBlock()
		s.block = []string{line}
	default:
		s.block = append(s.block, strings.TrimRight(line, " \t"))
	}
}

// endBlock writes the block that is whole now.
func (s *Stream) endBlock() {
	if text := Markdown(strings.Join(s.block, "\n")); text != "" {
		s.begin(text)
	}
	s.block = nil
}

// begin writes the beginning of a block.
func (s *Stream) begin(text string) {
	if s.began {
		s.out.WriteString("\n\n")
	}
	s.began = true
	s.out.WriteString(text)
}

// opensCode reports whether a line opens a block of code, with what and for which
// language. An indented one belongs to what it is indented for.
func opensCode(line string) (mark, info string, ok bool) {
	for _, c := range []string{"`", "~"} {
		info = strings.TrimLeft(line, c)
		if n := len(line) - len(info); n >= 3 && !(c == "`" && strings.Contains(info, c)) {
			info, _, _ = strings.Cut(strings.TrimSpace(info), " ")
			return line[:n], info, true
		}
	}
	return "", "", false
}

// closesCode reports whether a line closes the block of code that mark opened.
func closesCode(line, mark string) bool {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return false
	}
	trimmed = strings.TrimRight(trimmed, " \t")
	return len(trimmed) >= len(mark) && strings.Trim(trimmed, mark[:1]) == ""
}
