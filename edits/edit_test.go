package edits

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyEdits draws a list of edits about a text, of the given new texts.
func anyEdits(t *rapid.T, label, s string, most int, news *rapid.Generator[string]) []Edit {
	var out []Edit
	at := 0
	for range rapid.IntRange(0, most).Draw(t, label) {
		start := rapid.IntRange(at, len(s)).Draw(t, label+" start")
		end := min(len(s), start+rapid.IntRange(0, 6).Draw(t, label+" length"))
		out = append(out, Edit{Span{start, end}, news.Draw(t, label+" new")})
		at = end
	}
	return out
}

func mustApply(t interface{ Fatalf(string, ...any) }, s string, es []Edit) string {
	out, err := Apply(NewText(s), es)
	if err != nil {
		t.Fatalf("Apply(%q, %v): %v", s, es, err)
	}
	return out.String()
}

// spliced is the specification of Apply.
func spliced(s string, es []Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range es {
		b.WriteString(s[at:e.Start] + e.New)
		at = e.End
	}
	return b.String() + s[at:]
}

func TestApplyComposeInvertNormalize(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anyText(t, "text")
		first := anyEdits(t, "first", s, 6, pieces)
		after := mustApply(t, s, first)
		if want := spliced(s, first); after != want {
			t.Fatalf("Apply = %q, want %q", after, want)
		}
		second := anyEdits(t, "second", after, 6, pieces)
		final := mustApply(t, after, second)
		if got := mustApply(t, s, Compose(first, second)); got != final {
			t.Fatalf("Compose(%v, %v) makes %q, want %q", first, second, got, final)
		}
		if got := mustApply(t, after, Invert(NewText(s), first)); got != s {
			t.Fatalf("Invert(%v) gives %q back, want %q", first, got, s)
		}
		normal := Normalize(NewText(s), first)
		if got := mustApply(t, s, normal); got != after {
			t.Fatalf("Normalize(%v) = %v makes %q, want %q", first, normal, got, after)
		}
		end := -1
		for _, e := range normal {
			if e.Start == end || e.Len() == 0 && e.New == "" {
				t.Fatalf("Normalize(%v) = %v is not in the least edits", first, normal)
			}
			end = e.End
		}
	})
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	for name, es := range map[string][]Edit{
		"beyond":   {{Span{2, 9}, ""}},
		"negative": {{Span{-1, 0}, ""}},
		"reversed": {{Span{2, 1}, ""}},
		"overlap":  {{Span{0, 2}, "x"}, {Span{1, 3}, "y"}},
		"order":    {{Span{2, 2}, "x"}, {Span{1, 1}, "y"}},
	} {
		_, err := Apply(NewText("abc"), es)
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != CodeOverlap {
			t.Errorf("%s: error %v, want code %s", name, err, CodeOverlap)
		}
	}
}

func TestSpanOver(t *testing.T) {
	t.Parallel()
	s := Span{4, 8}
	for _, c := range []struct {
		edit    Edit
		want    Span
		touched bool
	}{
		{Edit{Span{9, 9}, "abc"}, Span{4, 8}, false},
		{Edit{Span{0, 3}, "abcde"}, Span{6, 10}, false},
		{Edit{Span{0, 3}, ""}, Span{1, 5}, false},
		{Edit{Span{8, 9}, "abc"}, Span{4, 11}, true},
		{Edit{Span{2, 4}, ""}, Span{2, 6}, true},
		{Edit{Span{5, 6}, "abc"}, Span{4, 10}, true},
		{Edit{Span{2, 10}, "a"}, Span{2, 3}, true},
	} {
		if now, touched := s.Over(c.edit); now != c.want || touched != c.touched {
			t.Errorf("%v over %v is %v, %v; want %v, %v", s, c.edit, now, touched, c.want, c.touched)
		}
	}
}
