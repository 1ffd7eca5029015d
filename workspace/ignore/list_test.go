package ignore

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTableFindsTheLastMatch: the pattern found by its ends and starts is the one that a look at
// each pattern, the last first, finds.
func TestTableFindsTheLastMatch(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "b", "A", ".py", "ab", "*", "**", "/", "?", "[ab]", "[!a]", "[a-", "\\", "x1"})
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(1, 12).Draw(t, "patterns") {
			lines = append(lines, rapid.SampledFrom([]string{"", "!"}).Draw(t, "sign")+strings.Join(rapid.SliceOfN(piece, 1, 5).Draw(t, "pattern"), "")+rapid.SampledFrom([]string{"", "/"}).Draw(t, "end"))
		}
		l := parseList(strings.Join(lines, "\n"), "f", 0, rapid.Bool().Draw(t, "fold"), false)
		path := strings.Trim(strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "A", ".py", "ab", "/", "x1"}), 1, 6).Draw(t, "path"), ""), "/")
		name := path[strings.LastIndexByte(path, '/')+1:]
		if name == "" {
			return
		}
		isDir := rapid.Bool().Draw(t, "folder")
		var want *pattern
		for i := range l.patterns {
			p := &l.patterns[i]
			subject := name
			if p.anchor {
				subject = path
			}
			if (isDir || !p.dirOnly) && p.matches(subject, l.fold) {
				want = p
			}
		}
		if got := l.find(path, name, isDir); got != want {
			t.Fatalf("%q in %q: %+v, want %+v", path, lines, got, want)
		}
	})
}

// TestManyPatterns: a file of many patterns is as quick as one of a few where names tell which
// may match, and else hides what it is about with a sentence.
func TestManyPatterns(t *testing.T) {
	var different, alike strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&different, "name%d\n*.e%d\n/dir%d/\n", i, i, i)
		fmt.Fprintf(&alike, "a*%d*.py\n", i)
	}
	l := parseList(different.String(), "f", 0, false, false)
	for name, want := range map[string]bool{"name99999": true, "x.e7": true, "name": false, "dir1": false} {
		if hidden, why := l.hides(name, name, false); hidden != want {
			t.Errorf("%s is hidden %v: %s", name, hidden, why)
		}
	}
	if most := max(l.names.alike(), l.paths.alike()); most > 1 {
		t.Errorf("%d patterns are tried for one name", most)
	}
	if hidden, why := parseList(alike.String(), "f", 0, false, false).hides("z", "z", false); !hidden || !strings.Contains(why, "more than 5000 patterns") {
		t.Errorf("hidden %v: %q", hidden, why)
	}
}
