package edits

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A rebaseRow marks its text: ‹old|new› is an edit of ours, «old|new» one of
// the user's. want is the result, or "" for a conflict.
type rebaseRow struct{ name, text, want string }

// marked reads a row's text into the base and both lists of edits.
func marked(text string) (base string, ours, user []Edit) {
	for text != "" {
		i := strings.IndexAny(text, "‹«")
		if i < 0 {
			return base + text, ours, user
		}
		base += text[:i]
		list, end := &ours, "›"
		if strings.HasPrefix(text[i:], "«") {
			list, end = &user, "»"
		}
		body, rest, _ := strings.Cut(text[i+len("‹"):], end)
		if end == "»" {
			body, rest, _ = strings.Cut(text[i+len("«"):], end)
		}
		old, new, _ := strings.Cut(body, "|")
		*list = append(*list, Edit{Span{len(base), len(base) + len(old)}, new})
		base += old
		text = rest
	}
	return base, ours, user
}

var rebaseRows = []rebaseRow{
	{"typing before", "«|x»ab‹c|d›", "xabd"},
	{"typing behind", "‹a|bb›c«|x»d", "bbcxd"},
	{"deleting before", "«abc|»d‹e|f›", "df"},
	{"typing on both sides", "«|x»a‹b|c›d«|y»", "xacdy"},
	{"the beginning is typed", "if ok«|re»‹|return nil›", "if okreturn nil"},
	{"all of it is typed", "a«|bc»‹|bc›", "abc"},
	{"typed with a gap", "a«|turn»‹|return›", "areturn"},
	{"ten characters in", "a«|h»‹|0123456789h›", "a0123456789h"},
	{"eleven characters in", "a«|h»‹|0123456789Ah›", ""},
	{"much typed late", "a«|hhhhhh»‹|xhhhhhhh›", ""},
	{"a pair the editor closed", "f«|()»‹|(n int) {›", "f(n int) {"},
	{"another pair", "f«|[]»‹|(n int) {›", ""},
	{"half a pair that is not there", "f«|{»‹|(n int)›", ""},
	{"another word", "a«|x»‹|bc›", ""},
	{"deleting what is replaced", "a«bc|»‹|d›", ""},
	{"behind the same text", "ab«|c1»c‹|1c›d", "abc1cd"},
	{"sent as one change", "«|»‹foo|bar›(a)", "bar(a)"},
	{"runes", "ä«|é»‹|éà›€", "äéà€"},
	{"line ends", "a\r\n«|x»b\r\n‹|y›c", "a\r\nxb\r\nyc"},
}

func TestRebase(t *testing.T) {
	t.Parallel()
	for _, row := range rebaseRows {
		base, ours, user := marked(row.text)
		rebased, err := Rebase(NewText(base), ours, user)
		if row.want == "" {
			if !errors.Is(err, ErrStale) {
				t.Errorf("%s: got %v and error %v, want ErrStale", row.name, rebased, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if got := mustApply(t, mustApply(t, base, user), rebased); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}

func TestRebaseShrinksToWhatIsLeft(t *testing.T) {
	t.Parallel()
	base, ours, user := marked("a = «|ge»‹|getPet()›\n")
	rebased, err := Rebase(NewText(base), ours, user)
	want := []Edit{{Span{6, 6}, "tPet()"}}
	if err != nil || !slices.Equal(rebased, want) {
		t.Errorf("got %v, %v, want %v", rebased, err, want)
	}
}

func TestRebaseReadsOneChangeAsTwo(t *testing.T) {
	t.Parallel()
	base := "one two three\n"
	ours := []Edit{{Span{4, 7}, "2"}}
	user := []Edit{{Span{0, 13}, "One two thrEe"}}
	rebased, err := Rebase(NewText(base), ours, user)
	if err != nil {
		t.Fatal(err)
	}
	if got := mustApply(t, mustApply(t, base, user), rebased); got != "One 2 thrEe\n" {
		t.Errorf("got %q", got)
	}
}

func TestRebaseRefusesWhatCrossesABorder(t *testing.T) {
	t.Parallel()
	base := NewText("abcdefgh")
	ours := []Edit{{Span{1, 4}, "XYZ"}}
	for _, user := range [][]Edit{
		{{Span{3, 6}, ""}},
		{{Span{0, 2}, ""}},
		{{Span{1, 1}, "X"}, {Span{3, 6}, ""}},
		{{Span{0, 8}, ""}},
	} {
		if got, err := Rebase(base, ours, user); !errors.Is(err, ErrStale) {
			t.Errorf("user %v: got %v, %v, want ErrStale", user, got, err)
		}
	}
}

// isSubsequence reports whether the characters of part stand in s in that order.
func isSubsequence(part, s string) bool {
	for _, r := range part {
		i := strings.IndexRune(s, r)
		if i < 0 {
			return false
		}
		s = s[i+len(string(r)):]
	}
	return true
}

// meanings are all texts that a rebase may result in: our edits together with
// the user's, without those of the user's that ours already contain.
func meanings(base string, ours, user []Edit) []string {
	var out []string
	for mask := range 1 << len(user) {
		all := slices.Clone(ours)
		for i, e := range user {
			if mask>>i&1 == 1 {
				all = append(all, e)
			}
		}
		slices.SortStableFunc(all, func(a, b Edit) int { return a.Start - b.Start })
		if checkEdits(len(base), all) == nil {
			out = append(out, spliced(base, all))
		}
	}
	return out
}

var (
	baseText = rapid.StringOfN(rapid.RuneFrom([]rune("abc\n€")), 0, 24, -1)
	userText = rapid.StringOfN(rapid.RuneFrom([]rune("XY()😀")), 0, 3, -1)
	ourText  = rapid.StringOfN(rapid.RuneFrom([]rune("abcXY()😀\n")), 0, 8, -1)
)

// onRunes moves the ends of edits to starts of runes.
func onRunes(s string, es []Edit) []Edit {
	text := NewText(s)
	for i, e := range es {
		es[i].Span = Span{text.RuneStart(e.Start), text.RuneStart(e.End)}
	}
	return es
}

// TestRebaseKeepsWhatIsTyped draws any edits of both sides. Run it with
// -rapid.checks=100000 for the long run.
func TestRebaseKeepsWhatIsTyped(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := baseText.Draw(t, "base")
		ours := onRunes(base, anyEdits(t, "ours", base, 3, ourText))
		user := onRunes(base, anyEdits(t, "user", base, 3, userText))
		rebased, err := Rebase(NewText(base), ours, user)
		separate := !slices.ContainsFunc(user, func(u Edit) bool {
			return slices.ContainsFunc(ours, func(o Edit) bool { return o.touches(u.Span) })
		})
		if errors.Is(err, ErrStale) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		result := mustApply(t, mustApply(t, base, user), rebased)
		var typed string
		for _, u := range user {
			typed += u.New
		}
		if !isSubsequence(typed, result) {
			t.Fatalf("typed %q, and it is not all in %q", typed, result)
		}
		if want := meanings(base, ours, detail(NewText(base), user)); !slices.Contains(want, result) {
			t.Fatalf("result %q is none of %q", result, want)
		}
		if all := meanings(base, ours, user); separate && result != all[len(all)-1] && !slides(base, ours, user) {
			t.Fatalf("the edits are apart, and the result %q is not both: %q", result, all[len(all)-1])
		}
	})
}

// slides reports whether an edit of ours has the same result at the place of one
// of the user's.
func slides(base string, ours, user []Edit) bool {
	for i, o := range ours {
		for _, u := range user {
			r := rebaser{base: NewText(base), ours: ours[i:]}
			if r.slide(o, u) != o {
				return true
			}
		}
	}
	return false
}

// TestTypingDuringStreams types one character at a time while a proposal grows
// piece by piece, and checks each step: what the proposal leads to is what it
// led to before with the key's character in it, or already had it.
func TestTypingDuringStreams(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := baseText.Draw(t, "base")
		full := onRunes(base, anyEdits(t, "ours", base, 3, ourText))
		f := ProposedFile{Path: "a", Base: NewText(base)}
		var typed string
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			if len(full) > 0 && rapid.Bool().Draw(t, "model's turn") {
				rebasedAll, err := Rebase(NewText(base), full[:1], Diff(base, f.Base.String()))
				if err != nil {
					return // the user typed the piece before it arrived
				}
				joined := append(slices.Clone(f.Edits), rebasedAll...)
				full = full[1:]
				if checkEdits(f.Base.Len(), joined) == nil {
					f.Edits = joined
				}
				continue
			}
			at := f.Base.RuneStart(rapid.IntRange(0, f.Base.Len()).Draw(t, "at"))
			key := Edit{Span{at, at}, rapid.SampledFrom([]string{"X", "Y", "(", "()"}).Draw(t, "key")}
			before, err := f.After()
			if err != nil {
				t.Fatal(err)
			}
			next, err := f.RebaseOn([]Edit{key})
			if errors.Is(err, ErrStale) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			after, err := next.After()
			if err != nil {
				t.Fatal(err)
			}
			with := meanings(f.Base.String(), f.Edits, []Edit{key})
			if !after.Equal(before) && !slices.Contains(with, after.String()) {
				t.Fatalf("key %v: the proposal led to %q and leads to %q", key, before, after)
			}
			f, typed = next, typed+key.New
			if !containsAll(after.String(), typed) {
				t.Fatalf("typed %q, not all in %q", typed, after)
			}
		}
	})
}

// containsAll reports whether s has every character of typed as often.
func containsAll(s, typed string) bool {
	for _, r := range typed {
		if strings.Count(s, string(r)) < strings.Count(typed, string(r)) {
			return false
		}
	}
	return true
}

func FuzzRebase(f *testing.F) {
	f.Add("abc def", "new", "n", 3, 4, 3, 3)
	f.Fuzz(func(t *testing.T, base, ours, user string, a, b, c, d int) {
		o, u := Edit{Span{a, b}, ours}, Edit{Span{c, d}, user}
		if !o.Valid(len(base)) || !u.Valid(len(base)) {
			return
		}
		rebased, err := Rebase(NewText(base), []Edit{o}, []Edit{u})
		if err != nil {
			if !errors.Is(err, ErrStale) {
				t.Fatal(err)
			}
			return
		}
		result := mustApply(t, mustApply(t, base, []Edit{u}), rebased)
		if both := meanings(base, []Edit{o}, []Edit{u}); !o.touches(u.Span) && !slides(base, []Edit{o}, []Edit{u}) && result != both[len(both)-1] {
			t.Fatalf("result %q, want %q", result, both[len(both)-1])
		}
	})
}

func TestRebaseCase(t *testing.T) {
	t.Parallel()
	before := "function fib\n"
	ours := []UTF16Edit{
		{0, 12, "function fib(n: number): number {"},
		{34, 34, "    return fib(n - 1)\n}\n"},
	}
	window, inside, away := &Span{0, 12}, &Span{13, 13}, &Span{15, 15}
	want := "function fib(n: number): number {\n    return fib(n - 1)\n}\n"
	pairs := StrictPolicy
	pairs.ClosingPairs = true
	for _, c := range []struct {
		name   string
		user   []UTF16Edit
		policy Policy
		caret  *Span
		want   string
	}{
		{"pair absorbed", []UTF16Edit{{12, 12, "()"}}, pairs, inside, want},
		{"pair refused", []UTF16Edit{{12, 12, "()"}}, StrictPolicy, inside, ""},
		{"caret away", []UTF16Edit{{12, 12, "()"}}, pairs, away, ""},
		{"elsewhere, strict", []UTF16Edit{{0, 0, "// 😀\n"}}, StrictPolicy, nil, ""},
		{"elsewhere, lenient", []UTF16Edit{{0, 0, "// 😀\n"}}, LenientPolicy, nil, "// 😀\n" + want},
	} {
		got, err := RebaseCase{Before: before, Ours: ours, User: c.user, Sequence: true, Policy: c.policy, Window: window, Caret: c.caret}.Run()
		var refused *Error
		if c.want == "" && (!errors.As(err, &refused) || refused.Code != CodeStale) {
			t.Errorf("%s: got %q, %v, want code %s", c.name, got, err, CodeStale)
		}
		if c.want != "" && (err != nil || got != c.want) {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestDiffWordsIsApplied(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := baseText.Draw(t, "base")
		text := NewText(base)
		start := text.RuneStart(rapid.IntRange(0, len(base)).Draw(t, "start"))
		e := Edit{Span{start, len(base)}, ourText.Draw(t, "new")}
		if got, want := mustApply(t, base, diffWords(text, e)), spliced(base, []Edit{e}); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func BenchmarkRebase(b *testing.B) {
	before, after := scattered(5000, 10)
	text, ours := NewText(before), Diff(before, after)
	user := []Edit{{Span{0, 0}, "x"}}
	for b.Loop() {
		if _, err := Rebase(text, ours, user); err != nil {
			b.Fatal(err)
		}
	}
}
