package redact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tandem/edits"
)

// A placeholder is "⟦redacted-" and a number and "⟧": no programming language
// has these brackets, and no placeholder is the start of another.
const (
	opening = "⟦redacted-"
	closing = "⟧"
)

// Placeholders returns the spans of all placeholders in text, in order, whatever
// their origin.
func Placeholders(text string) []edits.Span {
	var out []edits.Span
	for at := 0; ; {
		found := strings.Index(text[at:], opening)
		if found < 0 {
			return out
		}
		start := at + found
		at = start + len(opening)
		if end := placeholderEnd(text, at); end > 0 {
			out = append(out, edits.Span{Start: start, End: end})
			at = end
		}
	}
}

// placeholderEnd is the end of a placeholder whose number starts at, or 0.
func placeholderEnd(text string, at int) int {
	digits := at
	for digits < len(text) && isDigit(text[digits]) {
		digits++
	}
	if digits == at || digits-at > 9 || !strings.HasPrefix(text[digits:], closing) {
		return 0
	}
	return digits + len(closing)
}

// A Redactor makes the texts of one conversation: a secret has the same placeholder in
// all of them, and a placeholder never means another one. The zero value knows none. Its
// methods may be called from any goroutine.
type Redactor struct {
	mu      sync.Mutex // guards all below
	numbers map[string]int
	secrets []*secret // placeholder n stands for secrets[n-1]
}

// known returns where a text has the secrets that have a placeholder.
func (r *Redactor) known(text string) (found []edits.Span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.secrets {
		if len(one.text) >= leastKnown {
			found = append(found, quoted(text, one.text)...)
		}
	}
	return found
}

// Lines is lines of a source, from 1 and both included.
func (r *Redactor) Lines(s *Source, first, last int) Text { return r.Span(s, s.Lines(first, last)) }

// All is a whole source.
func (r *Redactor) All(s *Source) Text { return r.Span(s, edits.Span{End: len(s.text)}) }

// Span is a part of a source.
func (r *Redactor) Span(s *Source, sp edits.Span) Text { return r.hide(s, sp, s.found(sp)) }

// Diff is what changed in a file, as a unified diff.
func (r *Redactor) Diff(path string, before, after *Source) Text {
	return Text{edits.Unified(r.Redact(path).text, r.All(before).text, r.All(after).text)}
}

// Redact is a whole text that is no file: a message, a test's output, a subject. Those
// named are hidden in it as well, since it may quote a part of a file, and what the
// conversation has hidden before; its placeholders stay.
func (r *Redactor) Redact(text string, named ...string) Text {
	text = strings.ToValidUTF8(text, "\uFFFD")
	found := slices.DeleteFunc(Find(text), func(sp edits.Span) bool { return r.stands(text[sp.Start:sp.End]) })
	for _, secret := range named {
		if len(secret) >= leastNamed {
			found = append(found, quoted(text, secret)...)
		}
	}
	return r.hide(&Source{text: text}, edits.Span{End: len(text)}, joined(append(found, r.known(text)...)))
}

// User is what the user wrote: with its secrets if the user wants them to be sent.
func (r *Redactor) User(text string, secrets bool) Text {
	if secrets {
		return Text{text}
	}
	return r.Redact(text)
}

// Said is what a model said, with its placeholders.
func Said(text string) Text { return Text{text} }

// From which length on a secret is looked for in other texts: shorter ones are words.
const (
	leastNamed = 4
	leastKnown = 12
	leastPart  = 16
)

// quoted finds a secret in a text, and parts of it.
func quoted(text, secret string) (found []edits.Span) {
	for at := 0; secret != ""; {
		i := strings.Index(text[at:], secret)
		if i < 0 {
			break
		}
		found = append(found, edits.Span{Start: at + i, End: at + i + len(secret)})
		at += i + len(secret)
	}
	if len(secret) < leastPart {
		return found
	}
	for _, sp := range runs(text, 0, len(text), leastPart) {
		if strings.Contains(secret, text[sp.Start:sp.End]) {
			found = append(found, sp)
		}
	}
	return found
}

// hide is a span of a text with a placeholder in place of each secret. One that begins
// above the span belongs to where it begins.
func (r *Redactor) hide(source *Source, sp edits.Span, secrets []edits.Span) Text {
	text := source.text
	first, _ := slices.BinarySearchFunc(secrets, sp.Start, func(s edits.Span, at int) int { return cmp.Compare(s.End, at+1) })
	if first == len(secrets) || secrets[first].Start >= sp.End {
		return Text{text[sp.Start:sp.End]}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var out strings.Builder
	at := sp.Start
	for _, s := range secrets[first:] {
		if s.Start >= sp.End {
			break
		}
		if s.Start >= at {
			out.WriteString(text[at:s.Start])
			n := r.numbered(text[s.Start:s.End])
			if source.path != "" {
				r.secrets[n-1].found(Reference{source.path, source.hash(), s.Start, s.End})
			}
			out.WriteString(opening + strconv.Itoa(n) + closing)
		}
		at = min(s.End, sp.End)
	}
	out.WriteString(text[at:sp.End])
	return Text{out.String()}
}

// numbered returns the number of a secret's placeholder. It is called with mu held.
func (r *Redactor) numbered(text string) int {
	n, ok := r.numbers[text]
	if !ok {
		if r.numbers == nil {
			r.numbers = map[string]int{}
		}
		one := &secret{text: strings.Clone(text)}
		r.secrets = append(r.secrets, one)
		n = len(r.secrets)
		r.numbers[one.text] = n
	}
	return n
}

// stands reports whether a text is a placeholder of the conversation, or the mark of Kept.
func (r *Redactor) stands(text string) bool {
	if text == gone {
		return true
	}
	if len(Placeholders(text)) == 0 {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.number(text) > 0
}

// number is that of a placeholder with a secret, or 0. It is called with mu held.
func (r *Redactor) number(placeholder string) int {
	digits, _ := strings.CutPrefix(placeholder, opening)
	n, err := strconv.Atoi(strings.TrimSuffix(digits, closing))
	if err != nil || n < 1 || n > len(r.secrets) || digits[0] == '0' {
		return 0
	}
	return n
}

// Restore returns what a model wrote with the secrets in place of their placeholders.
func (r *Redactor) Restore(text string) string {
	spans := Placeholders(text)
	if len(spans) == 0 {
		return text
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	at := 0
	for _, sp := range spans {
		if n := r.number(text[sp.Start:sp.End]); n > 0 && !r.secrets[n-1].lost {
			b.WriteString(text[at:sp.Start])
			b.WriteString(r.secrets[n-1].text)
			at = sp.End
		}
	}
	b.WriteString(text[at:])
	return b.String()
}
