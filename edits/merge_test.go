package edits_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
)

// changedCode draws a text and a change of some of its lines.
func changedCode(t *rapid.T) (before, after string) {
	var from, to strings.Builder
	for i := range rapid.IntRange(1, 14).Draw(t, "lines") {
		line := fmt.Sprintf("x%d := %d\n", i, i)
		from.WriteString(line)
		switch rapid.IntRange(0, 5).Draw(t, "change") {
		case 0: // deleted
		case 1:
			fmt.Fprintf(&to, "changed%d()\n", i)
		case 2:
			fmt.Fprintf(&to, "%sadded%d()\n", line, i)
		default:
			to.WriteString(line)
		}
	}
	return from.String(), to.String()
}

// TestMergeAppliesNothingTwice: where the user's text holds the whole result, nothing is
// left; where it holds some hunks of it, the rest completes it.
func TestMergeAppliesNothingTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base, after := changedCode(t)
		f := edits.ProposedFile{Path: "a", Base: edits.NewText(base), Edits: edits.Diff(base, after)}
		taken := map[int]bool{}
		var user []edits.Edit
		for i, h := range f.Hunks() {
			if rapid.Bool().Draw(t, "taken") {
				taken[i] = true
				user = append(user, h.Edits...)
			}
		}
		now, err := edits.Apply(f.Base, user)
		if err != nil {
			t.Fatal(err)
		}
		if next, err := f.RebaseOn(user); err == nil { // stale is allowed, twice is not
			if got, err := next.After(); err != nil || got.String() != after {
				t.Fatalf("RebaseOn: %q with %v of %v accepted gives %q, %v, want %q", base, len(taken), len(f.Hunks()), got.String(), err, after)
			}
		}
		merged, stale := f.Merge(now)
		if len(stale) > 0 {
			return
		}
		if got, _ := merged.After(); got.String() != after {
			t.Fatalf("Merge: %q, then %q gives %q, want %q", base, now.String(), got.String(), after)
		}
	})
}

func TestMergeHunkByHunk(t *testing.T) {
	t.Parallel()
	base := "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	after := "ONE\ntwo\nthree\nFOUR\nfive\nsix\nSEVEN\n"
	f := edits.ProposedFile{Path: "a", Base: edits.NewText(base), Edits: edits.Diff(base, after)}
	for _, c := range []struct {
		name, now, want string
		stale           int
	}{
		{"unchanged", base, after, 0},
		{"changed elsewhere", "zero\n" + base, "zero\n" + after, 0},
		{"changed one place", strings.Replace(base, "four", "4 or so", 1), "ONE\ntwo\nthree\n4 or so\nfive\nsix\nSEVEN\n", 1},
		{"took one place", strings.Replace(base, "four", "FOUR", 1), after, 0},
		{"took all", after, after, 0},
		{"took all and typed", after + "more\n", after + "more\n", 0},
	} {
		next, stale := f.Merge(edits.NewText(c.now))
		got, err := next.After()
		if err != nil || got.String() != c.want || len(stale) != c.stale {
			t.Errorf("%s: %q with %d stale, %v; want %q with %d", c.name, got.String(), len(stale), err, c.want, c.stale)
		}
	}
}
