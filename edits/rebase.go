package edits

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// ErrStale means that a text changed in a way that a proposal cannot follow. It
// is an *Error with CodeStale; errors that wrap it state where.
var ErrStale error = &Error{Code: CodeStale, Message: "the text changed since the model saw it"}

// A Policy is how much of a user's typing a rebase accepts as agreement with the
// proposal.
type Policy struct {
	// AgreementOffset is how many characters into an edit's new text the user's
	// own text may start, and LateAgreement how many characters of it may agree
	// where it does not start at the front. Negative means any number.
	AgreementOffset, LateAgreement int
	// ClosingPairs absorbs a pair like "()" that an editor completes, where both
	// characters stand in the new text in that order.
	ClosingPairs bool
	// Alone refuses typing in other places than the edits.
	Alone bool
}

// DefaultPolicy is the one that Rebase follows. StrictPolicy takes no other
// typing than agreement. LenientPolicy takes agreement wherever it stands.
var (
	DefaultPolicy = Policy{AgreementOffset: 10, LateAgreement: 5, ClosingPairs: true}
	StrictPolicy  = Policy{AgreementOffset: 10, LateAgreement: 5, Alone: true}
	LenientPolicy = Policy{AgreementOffset: -1, LateAgreement: -1}
)

// Rebase carries ours over the edits that the user made since: both lists are
// about base, and the result is about base with the user's edits applied.
//
// Typing elsewhere shifts an edit. Typing that an edit would have brought
// anyway is absorbed: the edit shrinks to what is left, or is gone. Any other
// typing that touches an edit, and deleting what it builds on, is a conflict:
// the error wraps ErrStale and names the text. No character that the user typed
// is ever lost.
func Rebase(base Text, ours, user []Edit) ([]Edit, error) {
	current, err := Apply(base, user)
	if err != nil {
		return nil, err
	}
	out, err := DefaultPolicy.Rebase(base, ours, detail(base, user))
	if err != nil {
		return nil, err
	}
	return Normalize(current, out), nil
}

// detail finds out what edits really change. An editor may send two changes and
// the text between them as one edit.
func detail(t Text, es []Edit) []Edit {
	var out []Edit
	for _, e := range es {
		for _, d := range Diff(t.Slice(e.Span), e.New) {
			out = append(out, Edit{Span{d.Start + e.Start, d.End + e.Start}, d.New})
		}
	}
	return out
}

// Rebase is the function Rebase under another policy. What it returns is not
// normalized.
func (p Policy) Rebase(base Text, ours, user []Edit) ([]Edit, error) {
	if err := checkEdits(base.Len(), ours); err != nil {
		return nil, err
	}
	if err := checkEdits(base.Len(), user); err != nil {
		return nil, err
	}
	r := rebaser{policy: p, base: base, ours: ours, user: trimEach(base, user)}
	return r.run()
}

// trimEach trims every edit and drops those that change nothing. It does not
// join edits: each stands for one thing the user did.
func trimEach(t Text, es []Edit) []Edit {
	var out []Edit
	for _, e := range es {
		if e = trimEdit(t, e); e.Len() > 0 || e.New != "" {
			out = append(out, e)
		}
	}
	return out
}

// A rebaser walks through both lists at once.
type rebaser struct {
	policy     Policy
	base       Text
	ours, user []Edit
	shift      int // how much longer the user's edits so far made the text
	out        []Edit
}

func (r *rebaser) run() ([]Edit, error) {
	for len(r.ours) > 0 {
		var err error
		switch {
		case len(r.user) == 0:
			r.carry(r.ours[0])
		case r.meets(r.slide(r.ours[0], r.user[0])):
			err = r.absorb(r.slide(r.ours[0], r.user[0]))
		case r.ours[0].Start < r.user[0].Start:
			r.carry(r.ours[0])
		default:
			err = r.pass()
		}
		if err != nil {
			return nil, err
		}
	}
	if len(r.user) > 0 && r.policy.Alone {
		return nil, stale(r.base, r.user[0], "elsewhere")
	}
	return r.out, nil
}

// carry takes an edit of ours that the user's typing does not touch.
func (r *rebaser) carry(e Edit) {
	e.Span = Span{e.Start + r.shift, e.End + r.shift}
	r.out = append(r.out, e)
	r.ours = r.ours[1:]
}

// pass steps over an edit of the user's that touches none of ours.
func (r *rebaser) pass() error {
	if r.policy.Alone {
		return stale(r.base, r.user[0], "elsewhere")
	}
	r.shift += r.user[0].Delta()
	r.user = r.user[1:]
	return nil
}

func (r *rebaser) meets(e Edit) bool { return e.touches(r.user[0].Span) }

// slide moves e, without changing its result, so far that it contains u, if the
// text between them allows it: inserting "1c" after a "c" is the same as
// inserting "c1" before it.
func (r *rebaser) slide(e, u Edit) Edit {
	switch {
	case e.Contains(u.Span):
	case u.Start < e.Start:
		passed := r.base.Slice(Span{u.Start, e.Start})
		end := e.End - len(passed)
		if moved, ok := strings.CutSuffix(passed+e.New, r.base.Slice(Span{end, e.End})); ok {
			return Edit{Span{u.Start, end}, moved}
		}
	case len(r.ours) == 1 && e.End < u.End:
		passed := r.base.Slice(Span{e.End, u.End})
		start := e.Start + len(passed)
		if moved, ok := strings.CutPrefix(e.New+passed, r.base.Slice(Span{e.Start, start})); ok {
			return Edit{Span{start, u.End}, moved}
		}
	}
	return e
}

// absorb treats the user's edits inside e, an edit of ours, as part of it. The
// new text of e must contain what the user made of the old one, piece by piece;
// e becomes edits between and after those pieces, so that the pieces stay the
// user's.
func (r *rebaser) absorb(e Edit) error {
	rest, from, absorbed := e.New, e.Start, false
	for len(r.user) > 0 && e.Contains(r.user[0].Span) {
		u := r.user[0]
		left := r.base.Slice(Span{from, u.Start})
		if at := r.policy.agreement(rest, left+u.New); at >= 0 {
			r.emit(from, from, rest[:at])
			rest = rest[at+len(left)+len(u.New):]
		} else if opens, closes := r.policy.pair(rest, u.New); opens >= 0 {
			r.emit(from, u.Start, rest[:opens])
			r.emit(u.Start+1, u.Start+1, rest[opens+1:closes])
			rest = rest[closes+1:]
		} else {
			return stale(r.base, u, "in the middle of a suggested change")
		}
		from, absorbed = u.End, true
		r.shift += u.Delta()
		r.user = r.user[1:]
	}
	if !absorbed || len(r.user) > 0 && r.user[0].Start < max(e.End, r.ours[0].End) {
		return stale(r.base, r.user[0], "across the border of a suggested change")
	}
	r.emit(from, e.End, rest)
	r.ours = r.ours[1:]
	return nil
}

// emit adds an edit of the current text, given in offsets of the base before
// the shift that is due.
func (r *rebaser) emit(start, end int, new string) {
	if start < end || new != "" {
		r.out = append(r.out, Edit{Span{start + r.shift, end + r.shift}, new})
	}
}

// agreement is where in the rest of an edit's new text the user's own stands,
// or -1 if it is not there or too far in. Typed begins with the text that the
// user left alone.
func (p Policy) agreement(rest, typed string) int {
	at := strings.Index(rest, typed)
	if at < 0 || !p.near(rest[:at], typed) {
		return -1
	}
	return at
}

// pair is where the characters of a pair that an editor closed stand in the
// rest of an edit's new text, or -1.
func (p Policy) pair(rest, typed string) (opens, closes int) {
	if !p.ClosingPairs || !isPair(typed) {
		return -1, -1
	}
	opens = strings.IndexByte(rest, typed[0])
	if opens < 0 {
		return -1, -1
	}
	closes = strings.IndexByte(rest[opens+1:], typed[1])
	if closes < 0 {
		return -1, -1
	}
	return opens, opens + 1 + closes
}

func (p Policy) near(skipped, typed string) bool {
	switch {
	case skipped == "":
		return true
	case p.AgreementOffset >= 0 && utf8.RuneCountInString(skipped) > p.AgreementOffset:
		return false
	}
	return p.LateAgreement < 0 || utf8.RuneCountInString(typed) <= p.LateAgreement
}

// isPair reports whether s is what editors insert when one of a pair is typed.
func isPair(s string) bool {
	return slices.Contains([]string{"()", "[]", "{}", "<>", `""`, "''", "``"}, s)
}

// stale describes what the user did and where, in one sentence.
func stale(base Text, u Edit, where string) error {
	did := fmt.Sprintf("typing %q", clip(u.New))
	if u.New == "" {
		did = fmt.Sprintf("deleting %q", clip(base.Slice(u.Span)))
	}
	return fmt.Errorf("%w: line %d, %s %s; ask again", ErrStale, base.LineOf(u.Start)+1, did, where)
}

// clip shortens s for a message.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return s[:cut(s, most)] + "…"
}
