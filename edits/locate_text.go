package edits

// Locate finds the one place in text where the lines of old stand, by the
// strictest tier that finds them anywhere. hint is the 1-based line at which
// they probably start, or 0; it only decides between several places.
// The span is whole lines, with their terminators. The error is an *Error with
// CodeNotFound or CodeAmbiguous.
func Locate(text, old string, hint int) (Span, Tier, error) {
	b := Block{Number: 1, LineHint: hint, search: true}
	b.Lines = appendAll(nil, Remove, splitLines(plainText(old)))
	if len(b.Lines) == 0 {
		return Span{}, "", b.refuse(CodeNotFound, "there is no text to look for")
	}
	d := newDoc(text)
	l := &locator{doc: d, block: &b}
	p, refusal := l.locate()
	if refusal != nil {
		return Span{}, "", refusal
	}
	from, to := p.span()
	return d.bytes(from, to), p.tier, nil
}

// bytes is where lines [from, to) stand in the text that d was made of.
func (d *doc) bytes(from, to int) Span {
	at := len(d.bom)
	var sp Span
	for i := range to {
		if i == from {
			sp.Start = at
		}
		at += len(d.lines[i]) + len(d.ends[i])
	}
	sp.End = at
	return sp
}
