package inert

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxHeld is how many bytes of a paragraph wait for markup to close before they
// are written as plain text.
const maxHeld = 2000

// A Stream makes markdown inert while it arrives. What it returns is final, and
// does not depend on how the source is cut into pieces. Words of a paragraph and
// lines of a block of code leave as soon as they are whole; lists, quotes, headings
// and everything else at their end. The zero Stream is ready to use.
type Stream struct {
	rest    string   // source that is not looked at yet
	mode    mode     // of the line at the start of rest
	inner   string   // words of the paragraph that wait for markup to close
	held    []string // lines of a block that is not over yet
	blank   bool     // held ends with an empty line
	mark    string   // what closes the open block of code
	lead    string   // what stands between what was returned and what comes next
	started bool     // something was returned
	out     strings.Builder
}

type mode int

const (
	atLineStart mode = iota
	inParagraph
	inCode
)

// Answer returns what a Stream makes of a whole answer.
func Answer(source string) string {
	var s Stream
	return s.Write(source) + s.Close()
}

// Write takes the next piece of the source and returns what is inert of it by now.
func (s *Stream) Write(piece string) string {
	s.rest += piece
	last := ""
	if strings.HasSuffix(s.rest, "\r") { // it may be half a line end
		s.rest, last = s.rest[:len(s.rest)-1], "\r"
	}
	s.rest = strings.ReplaceAll(strings.ReplaceAll(s.rest, "\r\n", "\n"), "\r", "\n")
	for s.step() {
	}
	s.rest += last
	return s.take()
}

// Close returns the rest; an open block of code is closed.
func (s *Stream) Close() string {
	if s.rest = strings.TrimSuffix(s.rest, "\r"); s.rest != "" {
		s.rest += "\n"
	}
	for s.step() {
	}
	s.endParagraph()
	s.endBlock()
	if s.mode == inCode {
		s.closeCode()
	}
	return s.take()
}

func (s *Stream) take() string {
	out := s.out.String()
	s.out.Reset()
	return out
}

// step consumes a word or a line; false: more source is needed.
func (s *Stream) step() bool {
	if s.mode == inParagraph {
		return s.word()
	}
	line, after, whole := strings.Cut(s.rest, "\n")
	if s.mode == atLineStart && plainStart(line, whole) == yes && s.openParagraph() {
		s.mode = inParagraph
		return true
	}
	if !whole {
		return false
	}
	s.rest = after
	if s.mode == inCode {
		s.codeLine(Text(line))
	} else {
		s.blockLine(Text(line))
	}
	return true
}

// word consumes the next word of a paragraph.
func (s *Stream) word() bool {
	i := strings.IndexAny(s.rest, " \n")
	if i < 0 {
		return false
	}
	between := s.rest[i : i+1]
	s.inner += Text(s.rest[:i])
	s.rest = s.rest[i+1:]
	if between == "\n" {
		s.mode = atLineStart
	}
	if !balanced(s.inner) && len(s.inner) < maxHeld {
		s.inner += between
		return true
	}
	s.endParagraph()
	s.lead = between
	return true
}

// openParagraph reports whether the line at hand is part of a paragraph that is
// written word by word, and not of a block that is held.
func (s *Stream) openParagraph() bool {
	if len(s.held) > 0 && !s.blank {
		return false
	}
	s.endBlock()
	return true
}

// blockLine consumes a line that is not written word by word.
func (s *Stream) blockLine(line string) {
	mark, info, opens := opensCode(line)
	switch {
	case strings.TrimSpace(line) == "":
		s.endParagraph()
		if len(s.held) > 0 {
			s.held, s.blank = append(s.held, ""), true
		}
		s.separate()
	case opens:
		s.endParagraph()
		s.endBlock()
		s.separate()
		s.write(mark + languageOf(info))
		s.mark, s.mode = mark, inCode
	default:
		s.endParagraph()
		s.held, s.blank = append(s.held, line), false
	}
}

// codeLine consumes a line of an open block of code.
func (s *Stream) codeLine(line string) {
	if closesCode(line, s.mark) {
		s.closeCode()
		return
	}
	s.lead = "\n"
	if line == "" {
		s.out.WriteString("\n")
		return
	}
	s.write(line)
}

func (s *Stream) closeCode() {
	s.lead = "\n"
	s.write(s.mark)
	s.mode = atLineStart
	s.separate()
}

// endParagraph writes the words that wait.
func (s *Stream) endParagraph() {
	if inner := s.inner; inner != "" {
		s.inner = ""
		s.write(inline(inner))
	}
}

// endBlock writes the block that is held.
func (s *Stream) endBlock() {
	if len(s.held) == 0 {
		return
	}
	block := Markdown(strings.Join(s.held, "\n"))
	s.held, s.blank = nil, false
	s.separate()
	s.write(block)
	s.separate()
}

// separate puts an empty line before what comes next.
func (s *Stream) separate() { s.lead = "\n\n" }

// write returns text to the caller, after what stands between it and the text before.
func (s *Stream) write(text string) {
	if text == "" {
		return
	}
	if s.started {
		s.out.WriteString(s.lead)
	}
	s.started, s.lead = true, ""
	s.out.WriteString(text)
}

// inline is the inert form of text inside a paragraph: code, if it has no other. A
// letter before it keeps it from beginning a block.
func inline(source string) string {
	if strings.Trim(source, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789,.;?'()") == "" {
		return source
	}
	const letter = "a "
	if out, ok := inertForm(letter + source); ok && strings.HasPrefix(out, letter) {
		return strings.TrimLeft(out[len(letter):], " ")
	}
	return codeSpan(strings.ReplaceAll(source, "`", "'"))
}

type answer int

const (
	unknown answer = iota // more of the line decides
	yes
	no
)

// plainStart reports whether a line begins with text and not with markup of a block.
// whole says that the line is all there.
func plainStart(line string, whole bool) answer {
	first, size := utf8.DecodeRuneInString(line)
	second, _ := utf8.DecodeRuneInString(line[size:])
	switch {
	case line == "":
		return undecided(whole)
	case first == utf8.RuneError && size <= 1:
		return undecided(whole)
	case unicode.IsDigit(first):
		after := strings.TrimLeft(line, "0123456789")
		switch {
		case after == "":
			return undecided(whole)
		case after[0] == '.' || after[0] == ')':
			return no
		}
		return yes
	case first == '*' || first == '_':
		marks := strings.TrimLeft(line, "*_ ")
		switch {
		case marks == "":
			return undecided(whole) // a rule, perhaps
		case second == ' ' || second == '\t':
			return no
		}
		return yes
	case first == '`':
		after := strings.TrimLeft(line, "`")
		switch {
		case after == "":
			return undecided(whole)
		case len(line)-len(after) >= 3:
			return no
		}
		return yes
	case unicode.IsLetter(first), first == '"', first == '\'', first == '(':
		return yes
	}
	return no
}

func undecided(whole bool) answer {
	if whole {
		return no
	}
	return unknown
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

// balanced reports whether no markup is open at the end of text inside a paragraph, so
// that what follows a space cannot change what stands before it.
func balanced(s string) bool {
	brackets, stars, bars := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '`':
			run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
			end := closingRun(s[i+run:], run)
			if end < 0 {
				return false
			}
			i += run + end - 1
		case '\\':
			i++
		case '[':
			brackets++
		case ']':
			brackets--
		case '<':
			if i+1 < len(s) && s[i+1] != ' ' && !strings.Contains(s[i:], ">") {
				return false
			}
		case '*':
			stars++
		case '_':
			if i == 0 || i+1 == len(s) || !wordByte(s[i-1]) || !wordByte(s[i+1]) {
				bars++
			}
		}
	}
	return brackets <= 0 && stars%2 == 0 && bars%2 == 0
}

// closingRun is the end of the first run of exactly n backticks in s, or -1.
func closingRun(s string, n int) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == n {
			return i + run
		}
		i += run - 1
	}
	return -1
}

func wordByte(c byte) bool {
	return c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
