package dialect

import "bytes"

// shaped adds to the batch a value that holds text in any of the shapes in which servers write
// it: a string, a list of parts, an object with a member that is one of these. What a part
// says that the model thought becomes reasoning.
func (b *Batch) shaped(val []byte, thought bool) {
	if len(val) < 2 {
		return
	}
	switch val[0] {
	case '"':
		if thought {
			b.Reasoning = appendUnquoted(b.Reasoning, val)
		} else {
			b.Text = appendUnquoted(b.Text, val)
		}
	case '[':
		for part := range elements(val) {
			b.shaped(part, thought)
		}
	case '{':
		b.part(val, thought)
	}
}

// part adds a part of a list: {"type":"text","text":…}, {"type":"reasoning","summary":[…]},
// {"thought":true,"text":…}, {"value":…}.
func (b *Batch) part(val []byte, thought bool) {
	var said [4][]byte
	n := 0
	for s := scanObject(val); s.next(); {
		switch string(s.key) {
		case "type":
			switch kind := Unquoted(s.val); {
			case bytes.Contains(kind, []byte("reasoning")), bytes.Contains(kind, []byte("thinking")), bytes.Contains(kind, []byte("thought")):
				thought = true
			case bytes.HasPrefix(kind, []byte("tool")), string(kind) == "refusal":
				return
			}
		case "thought":
			thought = thought || string(s.val) == "true"
		case "text", "value", "content", "output_text", "parts":
			if n < len(said) {
				said[n] = s.val
				n++
			}
		case "thinking", "reasoning", "reasoning_text", "summary", "summary_text":
			b.shaped(s.val, true)
		}
	}
	for _, text := range said[:n] {
		b.shaped(text, thought)
	}
}

// The pieces of an answer are cumulative when each begins with all text before it, for so many
// pieces that grow and so many bytes.
const (
	cumulativePieces = 3
	cumulativeBytes  = 20
	// surelyRepeated is a first piece that no model writes twice, for answers of two pieces.
	surelyRepeated = 8
)

// sums finds out whether the pieces of an answer repeat what came before them, and takes each
// text once. What may be either is held until it is known; the first piece never is.
type sums struct {
	text  []byte // of the answer, as far as it was taken
	last  []byte // the last piece, if all of them may be cumulative
	held  []byte // pieces that are not taken yet, one after another
	grown int    // pieces that were longer than the one before
	first int    // the length of the first piece
	state sumState
	whole bool // the pieces come as whole messages
}

// A sumState is what is known of the pieces.
type sumState int

const (
	notYet     sumState = iota
	separate            // each is new text
	cumulative          // each is the text so far
)

// take takes a piece that was added to dst behind the offset from: dst then ends with what of
// it is new.
func (s *sums) take(dst []byte, from int) []byte {
	piece := dst[from:]
	if len(piece) == 0 {
		return dst
	}
	if s.state == separate {
		s.text = append(s.text, piece...)
		return dst
	}
	fresh := s.fresh(piece)
	s.text = append(s.text, fresh...)
	return append(dst[:from], fresh...)
}

// fresh is what is new in a piece, together with what was held.
func (s *sums) fresh(piece []byte) []byte {
	switch begins := bytes.HasPrefix(piece, s.last); {
	case s.state == cumulative && begins:
		rest := bytes.Clone(piece[len(s.last):])
		s.last = append(s.last[:0], piece...)
		return rest
	case s.state == cumulative && bytes.HasPrefix(s.last, piece):
		return nil // said again
	case s.state == cumulative:
		s.last = append(s.last, piece...)
		return bytes.Clone(piece)
	case s.last == nil:
		s.last, s.grown, s.first = bytes.Clone(piece), 1, len(piece)
		return s.last
	case !begins:
		s.state, s.last = separate, nil
		return s.release(piece)
	}
	if len(piece) > len(s.last) {
		s.grown++
	}
	s.held = append(s.held, piece...)
	s.last = append(s.last[:0], piece...)
	if s.grown >= cumulativePieces && len(piece) >= cumulativeBytes {
		return s.sum()
	}
	return nil
}

func (s *sums) release(piece []byte) []byte {
	out := append(s.held, piece...)
	s.held = nil
	return out
}

// sum decides that the pieces are cumulative, and is what the first one had not.
func (s *sums) sum() []byte {
	s.state, s.held = cumulative, nil
	return bytes.Clone(s.last[s.first:])
}

// end is what was held when the answer has ended.
func (s *sums) end() []byte {
	if len(s.held) == 0 {
		return nil
	}
	if s.grown > 1 && (s.whole || s.first >= surelyRepeated) {
		return s.sum()
	}
	s.state = separate
	return s.release(nil)
}

// again reports whether a last piece is all of the text once more, which no answer is.
func (s *sums) again(piece []byte) bool {
	return s.state == separate && len(piece) >= cumulativeBytes && bytes.Equal(piece, s.text)
}

// snapshot takes the whole text, which a server gives besides the pieces: what is missing of it
// is new.
func (s *sums) snapshot(dst []byte, from int) []byte {
	rest, ok := bytes.CutPrefix(dst[from:], s.text)
	if !ok || len(s.held) > 0 {
		return dst[:from]
	}
	s.text = append(s.text, rest...)
	return append(dst[:from], bytes.Clone(rest)...)
}
