package rank

import (
	"unicode/utf8"

	"tandem/edits"
)

// A mention is how the text around a place uses one name.
type mention struct {
	name         nameID
	count        int
	above, below int32 // lines to the nearest use on either side; far when there is none
	line         int32 // of the nearest use, from 0
	dotted       bool  // the nearest use is a member's: after a dot, arrow or double colon
}

const far = 1 << 20

// scanNames finds the known names in text and where they are nearest to line.
func (m *Model) scanNames(s *scratch, text string, at int32) {
	s.slot.Reset(m.numNames())
	s.mentions = s.mentions[:0]
	line := int32(0)
	var lately recentNames
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			line++
			i++
		case identStart(c):
			end := i + 1
			for end < len(text) && edits.IsWordByte(text[end]) {
				end++
			}
			if id, ok := lately.name(m, text[i:end]); ok {
				s.mention(id, line, at, text, i)
			}
			i = end
		default:
			i++
		}
	}
}

// recentNames are the names that were looked up lately: a document has few different words.
type recentNames [1 << 10]struct {
	text string
	id   nameID
	ok   bool
}

// name is Model.name of a word that is not empty.
func (r *recentNames) name(m *Model, word string) (nameID, bool) {
	n := len(word)
	one := &r[(int(word[0])*31+int(word[n/2])*7+int(word[n-1])*131+n*17+int(word[n/3])*67)&(len(r)-1)]
	if one.text != word {
		one.text = word
		one.id, one.ok = m.name(word)
	}
	return one.id, one.ok
}

func identStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf }

func (s *scratch) mention(id nameID, line, at int32, text string, i int) {
	if !s.slot.Has(uint32(id)) {
		s.slot.Add(uint32(id), float32(len(s.mentions)))
		s.mentions = append(s.mentions, mention{name: id, above: far, below: far, line: -1})
	}
	m := &s.mentions[int(s.slot.Get(uint32(id)))]
	m.count++
	distance := line - at
	nearest := min(m.above, m.below)
	if distance <= 0 {
		m.above = min(m.above, -distance)
	} else {
		m.below = min(m.below, distance)
	}
	if min(m.above, m.below) < nearest {
		m.line = line
		m.dotted = i > 0 && (text[i-1] == '.' || text[i-1] == ':' || i > 1 && text[i-1] == '>' && text[i-2] == '-')
	}
}

func (m *mention) nearest() int32 { return min(m.above, m.below) }
