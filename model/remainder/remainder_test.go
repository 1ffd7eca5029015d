package remainder

import (
	"strings"
	"testing"
)

const document = `package store

import "errors"

var errGone = errors.New("gone")

func (s *Store) first(key string) (string, error) {
	value, ok := s.values[key]
	if !ok {
		return "", errGone
	}
	return value, nil
}

func (s *Store) second(key string) (string, error) {
	value, ok := s.values[key]
	if !ok {
		return "", errGone
	}
	§return value, nil
}

// count has the number of values that are kept.
func (s *Store) count() int { return len(s.values) }
`

// at is the estimate with the cursor after some text typed in place of a line.
func at(typed, language string) float64 {
	before, after, _ := strings.Cut(document, "§")
	_, after, _ = strings.Cut(after, "\n")
	return Familiar(before+typed, "\n"+after, language)
}

// TestKnownCodeIsFamiliar: code like that above is more familiar than a comment, a
// declaration or prose.
func TestKnownCodeIsFamiliar(t *testing.T) {
	code := at("return va", "go")
	for typed, estimate := range map[string]float64{
		"a comment":     at("// The caller will", "go"),
		"a declaration": at("func ", "go"),
		"prose":         at("The caller will ", "markdown"),
	} {
		if code < 0.6 || estimate > 0.5 {
			t.Errorf("code is familiar by %.2f, %s by %.2f", code, typed, estimate)
		}
	}
}

// TestEstimatesOfAnyText: no text is too short, too long or too strange.
func TestEstimatesOfAnyText(t *testing.T) {
	for _, text := range []string{"", "\n", "\xff\xfe", strings.Repeat("x", 3*NearBytes), strings.Repeat("\n", NearBytes), strings.Repeat("é (", NearBytes), "\r\n\t\r\n"} {
		for _, after := range []string{"", "\n", text} {
			if p := Familiar(text, after, "go"); !(p > 0 && p < 1) {
				t.Errorf("%.20q: %v", text, p)
			}
		}
	}
}

// TestReadsWhatIsNear: text farther away than NearBytes changes nothing.
func TestReadsWhatIsNear(t *testing.T) {
	near := strings.Repeat("value := s.values[key]\n", NearBytes/23+1)
	far := strings.Repeat("// something else\n", 1000)
	if a, b := Familiar(far+near+"va", "\n"+near, "go"), Familiar(near+"va", "\n"+near+far, "go"); a != b {
		t.Errorf("%v with far text above, %v with it below", a, b)
	}
}

func BenchmarkFamiliar(b *testing.B) {
	text := strings.Repeat(document, 20)
	for b.Loop() {
		Familiar(text+"return va", "\n"+text, "go")
	}
}
