package redact

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
)

// A placeholder is "⟦redacted-" and a number and "⟧": no programming language
// has these brackets, and no placeholder is the start of another.
const (
	opening = "⟦redacted-"
	closing = "⟧"
)

// A Map maps each placeholder to the secret it replaces. The zero Map is empty.
type Map struct{ secrets []string } // placeholder n stands for secrets[n-1]

// Restore returns text with every placeholder of the map replaced by the bytes
// it stands for.
func (m Map) Restore(text string) string {
	var b strings.Builder
	at := 0
	for _, sp := range Placeholders(text) {
		secret, ok := m.lookup(text[sp.Start:sp.End])
		if !ok {
			continue
		}
		b.WriteString(text[at:sp.Start])
		b.WriteString(secret)
		at = sp.End
	}
	if at == 0 {
		return text
	}
	b.WriteString(text[at:])
	return b.String()
}

// lookup returns the bytes that one placeholder stands for.
func (m Map) lookup(placeholder string) (string, bool) {
	digits := placeholder[len(opening) : len(placeholder)-len(closing)]
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > len(m.secrets) || digits[0] == '0' {
		return "", false
	}
	return m.secrets[n-1], true
}

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

// A Redactor redacts the texts of one window: a secret has the same
// placeholder in all of them. It is not for concurrent use.
type Redactor struct {
	numbers map[string]int
	secrets []string
}

// Clone returns a redactor with the same placeholders, to which others may be added.
func (r *Redactor) Clone() *Redactor {
	return &Redactor{maps.Clone(r.numbers), slices.Clone(r.secrets)}
}

// Redact returns text with its secrets replaced.
func (r *Redactor) Redact(text string) string {
	spans := Find(text)
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, sp := range spans {
		b.WriteString(text[at:sp.Start])
		b.WriteString(r.placeholder(text[sp.Start:sp.End]))
		at = sp.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// Map returns the secrets of all placeholders made so far.
func (r *Redactor) Map() Map { return Map{slices.Clone(r.secrets)} }

func (r *Redactor) placeholder(secret string) string {
	n, ok := r.numbers[secret]
	if !ok {
		if r.numbers == nil {
			r.numbers = map[string]int{}
		}
		r.secrets = append(r.secrets, strings.Clone(secret))
		n = len(r.secrets)
		r.numbers[r.secrets[n-1]] = n
	}
	return opening + strconv.Itoa(n) + closing
}

// Redact returns text with its secrets replaced by placeholders, and the map of
// those placeholders.
func Redact(text string) (clean string, secrets Map) {
	var r Redactor
	clean = r.Redact(text)
	return clean, r.Map()
}

// Hide returns the placeholder of a secret that Find found.
func (r *Redactor) Hide(secret string) string { return r.placeholder(secret) }
