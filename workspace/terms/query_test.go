package terms

import (
	"slices"
	"strings"
	"testing"
)

func TestStemsJoinTheFormsOfAWord(t *testing.T) {
	t.Parallel()
	for _, forms := range [][]string{
		{"parse", "parser", "parsers", "parsing", "parsed", "parses"},
		{"cache", "caches", "cached", "caching"},
		{"validate", "validation", "validations", "validating", "validator"},
		{"query", "queries"},
		{"create", "creating", "creation", "creates"},
		{"cookie", "cookies"},
		{"batch", "batches", "batching"},
	} {
		for _, form := range forms[1:] {
			for _, name := range []string{form, "my_" + form, "x2" + form, "HTTP" + strings.ToUpper(form[:1]) + form[1:] + "2", "MY_" + strings.ToUpper(form)} {
				if NewQuery(forms[0], nil).Match(name) == 0 {
					t.Errorf("%s has no term of %s", name, forms[0])
				}
			}
			if got, want := string(Stem([]byte(form))), string(Stem([]byte(forms[0]))); got != want {
				t.Errorf("the stem of %s is %s, of %s %s", form, got, forms[0], want)
			}
		}
	}
	for _, pair := range [][2]string{{"string", "stripe"}, {"user", "use"}, {"create", "cream"}} {
		if string(Stem([]byte(pair[0]))) == string(Stem([]byte(pair[1]))) {
			t.Errorf("%s and %s have one stem", pair[0], pair[1])
		}
	}
}

func TestQueryMatchesNames(t *testing.T) {
	t.Parallel()
	q := NewQuery("why does parseHeaders lose Cookies?", map[string]bool{"why": true, "does": true})
	for name, want := range map[string][]string{
		"HeaderParser": {"headers", "parse"},
		"parseHeaders": {"headers", "parse", "parseHeaders"},
		"cookie_jar":   {"cookies"},
		"does":         nil,
	} {
		got := q.Words(q.Match(name), 9)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", name, got, want)
		}
	}
}
