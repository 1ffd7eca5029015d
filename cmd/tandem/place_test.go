package main

import (
	"testing"

	"tandem/edits"
)

func TestParsePlace(t *testing.T) {
	cases := []struct {
		arg  string
		want place
		bad  bool
	}{
		{"a.go", place{file: "a.go"}, false},
		{"a.go:3", place{file: "a.go", line: 3}, false},
		{"a.go:3:7", place{file: "a.go", line: 3, column: 7}, false},
		{"a.go:3-9", place{file: "a.go", line: 3, lastLine: 9}, false},
		{`C:\a.go:3:7`, place{file: `C:\a.go`, line: 3, column: 7}, false},
		{"with:colon", place{file: "with:colon"}, false},
		{"a.go:0", place{}, true},
		{"a.go:0:1", place{}, true},
		{"a.go:3-0", place{}, true},
	}
	for _, c := range cases {
		got, err := parsePlace(c.arg)
		if (err != nil) != c.bad || err == nil && got != c.want {
			t.Errorf("parsePlace(%q) = %+v, %v", c.arg, got, err)
		}
	}
}

func TestPlaceSpan(t *testing.T) {
	text := edits.NewText("one\ntwö\nthree")
	cases := []struct {
		place place
		want  edits.Span
		bad   bool
	}{
		{place{}, edits.Span{}, false},
		{place{line: 2}, edits.Span{Start: 4, End: 4}, false},
		{place{line: 2, column: 3}, edits.Span{Start: 6, End: 6}, false},
		{place{line: 2, column: 4}, edits.Span{Start: 6, End: 6}, false}, // inside ö: its start
		{place{line: 2, column: 5}, edits.Span{Start: 8, End: 8}, false},
		{place{line: 2, column: 6}, edits.Span{}, true},
		{place{line: 1, lastLine: 2}, edits.Span{Start: 0, End: 9}, false},
		{place{line: 2, lastLine: 1}, edits.Span{}, true},
		{place{line: 9}, edits.Span{}, true},
	}
	for _, c := range cases {
		got, err := c.place.span(text)
		if (err != nil) != c.bad || err == nil && got != c.want {
			t.Errorf("%+v.span = %v, %v, want %v", c.place, got, err, c.want)
		}
	}
}
