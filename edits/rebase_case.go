package edits

// A UTF16Edit is an edit as callers outside this package write it: offsets from
// the start of the text in UTF-16 units.
type UTF16Edit struct {
	Start, End int
	New        string
}

// FromUTF16Edits turns a list of edits in UTF-16 units about t into bytes. An
// offset outside of t is an *Error with CodeOverlap.
func FromUTF16Edits(t Text, es []UTF16Edit) ([]Edit, error) {
	out := make([]Edit, len(es))
	for i, e := range es {
		if !(Span{e.Start, e.End}).Valid(t.LenUTF16()) {
			return nil, refuse(CodeOverlap, "edit %d, of UTF-16 units [%d,%d), does not fit a text of %d units", i+1, e.Start, e.End, t.LenUTF16())
		}
		out[i] = Edit{Span{t.FromUTF16(e.Start), t.FromUTF16(e.End)}, e.New}
	}
	return out, checkEdits(t.Len(), out)
}

// A RebaseCase is one call of Rebase with offsets in UTF-16 units.
type RebaseCase struct {
	Before     string
	Ours, User []UTF16Edit
	// Sequence means that each of Ours is about the text that those before it
	// made, as a model lists them, rather than all of them about Before. Their
	// real changes are then found by a diff of words, so that unchanged text
	// inside an edit does not conflict with typing.
	Sequence bool
	Policy   Policy
	// Window, if set, is the part of Before in which ours are valid: they are
	// stale when Caret, in the text with the user's edits, is outside of it.
	Window, Caret *Span // in UTF-16 units
}

// Run returns the text with the edits of both. A conflict wraps ErrStale.
func (c RebaseCase) Run() (after string, err error) {
	before := NewText(c.Before)
	user, err := FromUTF16Edits(before, c.User)
	if err != nil {
		return "", err
	}
	current, err := Apply(before, user)
	if err != nil {
		return "", err
	}
	if c.leftWindow(trimEach(before, user), before, current) {
		return "", refuse(CodeStale, "the caret left the part of the text that the change is about; ask again there")
	}
	ours, err := c.ours(before)
	if err != nil {
		return "", err
	}
	rebased, err := c.Policy.Rebase(before, ours, user)
	if err != nil {
		return "", err
	}
	result, err := Apply(current, rebased)
	if err != nil {
		return "", err
	}
	return result.String(), c.consistent(before, current, result, ours)
}

// consistent checks, where only agreement is taken, that the result is what
// ours alone make of the base.
func (c RebaseCase) consistent(before, current, result Text, ours []Edit) error {
	if !c.Sequence || !c.Policy.Alone || result.Equal(current) {
		return nil
	}
	meant, err := Apply(before, ours)
	if err != nil {
		return err
	}
	if !meant.Equal(result) {
		return refuse(CodeStale, "what was typed leads to another text than the change was meant to make; ask again")
	}
	return nil
}

func (c RebaseCase) ours(before Text) ([]Edit, error) {
	if !c.Sequence {
		return FromUTF16Edits(before, c.Ours)
	}
	var all []Edit
	text := before
	for i := range c.Ours {
		next, err := FromUTF16Edits(text, c.Ours[i:i+1])
		if err != nil {
			return nil, err
		}
		words := diffWords(text, next[0])
		all = Compose(all, words)
		if text, err = Apply(text, words); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// leftWindow reports whether the caret is outside the window after the user's edits.
func (c RebaseCase) leftWindow(user []Edit, before, current Text) bool {
	if c.Window == nil || c.Caret == nil {
		return false
	}
	start, ok1 := carry(before.FromUTF16(c.Window.Start), user)
	end, ok2 := carry(before.FromUTF16(c.Window.End), user)
	caret := Span{current.FromUTF16(c.Caret.Start), current.FromUTF16(c.Caret.End)}
	return !ok1 || !ok2 || !(Span{start, end}).Contains(caret)
}

// carry is where an offset is after edits; an insertion at the offset moves it
// forward. ok is false if the text around it was replaced.
func carry(offset int, es []Edit) (at int, ok bool) {
	at = offset
	for _, e := range es {
		if e.Start > offset {
			break
		}
		if offset < e.End {
			return 0, false
		}
		at += e.Delta()
	}
	return at, true
}

// diffWords returns what e changes of t, widened to whole words.
func diffWords(t Text, e Edit) []Edit {
	old := t.Slice(e.Span)
	narrow := Diff(old, e.New)
	var out []Edit
	for i, d := range narrow {
		wide := widen(old, d)
		if n := len(out); n > 0 && wide.Start <= out[n-1].End {
			out[n-1].New += old[narrow[i-1].End:d.Start] + d.New
			out[n-1].End = max(out[n-1].End, wide.End)
		} else {
			out = append(out, Edit{wide, old[wide.Start:d.Start] + d.New})
		}
		if last := &out[len(out)-1]; i+1 == len(narrow) || widen(old, narrow[i+1]).Start > last.End {
			last.New += old[d.End:last.End]
		}
	}
	for i := range out {
		out[i].Span = Span{out[i].Start + e.Start, out[i].End + e.Start}
	}
	return out
}

// widen extends the span of an edit of s over the words that it changes a part of.
func widen(s string, e Edit) Span {
	old, sp := s[e.Start:e.End], e.Span
	if startsInWord(old) || startsInWord(e.New) {
		for sp.Start > 0 && IsWordByte(s[sp.Start-1]) {
			sp.Start--
		}
	}
	if endsInWord(old) || endsInWord(e.New) {
		for sp.End < len(s) && IsWordByte(s[sp.End]) {
			sp.End++
		}
	}
	return sp
}

func startsInWord(s string) bool { return s != "" && IsWordByte(s[0]) }
func endsInWord(s string) bool   { return s != "" && IsWordByte(s[len(s)-1]) }
