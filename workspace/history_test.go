package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tandem/edits"
)

// typed opens a document and applies edits, each "position|deleted|inserted"
// given as spans of the text before it.
func typed(t testing.TB, s *Session, text string, list ...edits.Edit) *Snapshot {
	t.Helper()
	snap := s.Update(Opened{URI: "untitled:x", Version: 1, Text: edits.NewText(text)})
	for i, e := range list {
		snap = s.Update(editedBy(s, "untitled:x", int32(i+2), e))
	}
	return snap
}

// editedBy is one edit of a document as the session has it. An edit outside the text
// comes with the text as it was.
func editedBy(s *Session, uri string, version int32, e edits.Edit) Edited {
	o, open := s.Snapshot().Overlay(uri)
	if !open {
		return Edited{URI: uri, Version: version, Steps: []Step{{Edit: e}}}
	}
	steps, err := Steps(o.Text, e)
	if err != nil {
		steps = []Step{{Edit: e, After: o.Text}}
	}
	return Edited{URI: uri, Version: version, Steps: steps}
}

func insert(at int, text string) edits.Edit {
	return edits.Edit{Span: edits.Span{Start: at, End: at}, New: text}
}

const ten = "l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\nl10\n"

// A historyCase is what a user does to a text and the hunks that are kept of it.
type historyCase struct {
	name string
	text string
	list []edits.Edit
	want []string
}

func (c historyCase) run(t *testing.T) {
	s := openSession(t, Options{ClientWatches: true})
	var got []string
	for _, e := range typed(t, s, c.text, c.list...).RecentEdits("untitled:x") {
		got = append(got, e.Hunk)
	}
	if diff := cmp.Diff(c.want, got); diff != "" {
		t.Errorf("hunks (-want +got):\n%s", diff)
	}
}

func TestRecentEditsCoalesce(t *testing.T) {
	for _, c := range []historyCase{
		{"keystrokes on a line", ten, []edits.Edit{insert(5, "a"), insert(6, "b"), insert(7, "c")},
			[]string{"@@ -1,3 +1,3 @@\n l1\n-l2\n+l2abc\n l3\n"}},
		{"typed and taken back", ten, []edits.Edit{insert(5, "a"), {Span: edits.Span{Start: 5, End: 6}}}, nil},
		{"new line", ten, []edits.Edit{insert(3, "new\n")}, []string{"@@ -1,3 +1,4 @@\n l1\n+new\n l2\n l3\n"}},
		{"line removed", ten, []edits.Edit{{Span: edits.Span{Start: 3, End: 6}}}, []string{"@@ -1,4 +1,3 @@\n l1\n-l2\n l3\n l4\n"}},
		{"whole document replaced, then edited elsewhere", ten, []edits.Edit{{Span: edits.Span{End: len(ten)}, New: strings.Replace(ten, "l9", "l9b", 1)}, insert(0, "A")},
			[]string{"@@ -8,3 +8,3 @@\n l8\n-l9\n+l9b\n l10\n", "@@ -1,2 +1,2 @@\n-l1\n+Al1\n l2\n"}},
		{"beside what is too large to be kept", ten, []edits.Edit{insert(3, strings.Repeat("x", hunkMaxBytes)+"\n"), insert(0, "A")}, []string{"@@ -1,2 +1,2 @@\n-l1\n+Al1\n " + strings.Repeat("x", hunkMaxBytes) + "\n"}},
		{"far apart", ten, []edits.Edit{insert(0, "A"), insert(len(ten)+1, "Z")},
			[]string{"@@ -1,2 +1,2 @@\n-l1\n+Al1\n l2\n", "@@ -10,1 +10,2 @@\n l10\n+Z\n"}},
		{"lines between that are as they were", ten, []edits.Edit{insert(2, "a"), insert(9, "c"), insert(16, "e")},
			[]string{"@@ -1,6 +1,6 @@\n-l1\n+l1a\n l2\n-l3\n+l3c\n l4\n-l5\n+l5e\n l6\n"}},
		{"empty document", "", []edits.Edit{insert(0, "x")}, []string{"@@ -0,0 +1,1 @@\n+x\n"}},
	} {
		t.Run(c.name, c.run)
	}
}

// TestEditsTakenBack holds that what the user takes back is no change any more, however far
// from it, and that an edit of lines which were changed before is a part of that change.
func TestEditsTakenBack(t *testing.T) {
	back := func(at int) edits.Edit { return edits.Edit{Span: edits.Span{Start: at, End: at + 1}} }
	far := insert(25, "b")
	for _, c := range []historyCase{
		{"both, the last one first", ten, []edits.Edit{insert(1, "a"), insert(26, "b"), back(26), back(1)}, nil},
		{"both, the first one first", ten, []edits.Edit{insert(1, "a"), insert(26, "b"), back(1), back(25)}, nil},
		{"the first one", ten, []edits.Edit{insert(1, "a"), insert(26, "b"), back(1)}, []string{"@@ -8,3 +8,3 @@\n l8\n-l9\n+lb9\n l10\n"}},
		{"and changed otherwise", ten, []edits.Edit{insert(1, "a"), insert(26, "b"), back(26), back(1), insert(1, "c")},
			[]string{"@@ -1,2 +1,2 @@\n-l1\n+lc1\n l2\n"}},
		{"the same lines again", ten, []edits.Edit{insert(1, "a"), insert(26, "b"), insert(1, "c")},
			[]string{"@@ -8,3 +8,3 @@\n l8\n-l9\n+lb9\n l10\n", "@@ -1,2 +1,2 @@\n-l1\n+lca1\n l2\n"}},
		{"before what is there already", ten, []edits.Edit{insert(1, "a"), insert(26, "b"), insert(0, "// ")},
			[]string{"@@ -8,3 +8,3 @@\n l8\n-l9\n+lb9\n l10\n", "@@ -1,2 +1,2 @@\n-l1\n+// la1\n l2\n"}},
		{"behind the last line's end", "l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8", []edits.Edit{insert(22, "a"), insert(0, "b"), insert(25, "c")},
			[]string{"@@ -1,2 +1,2 @@\n-l1\n+bl1\n l2\n", "@@ -7,2 +7,2 @@\n l7\n-l8\n+la8c\n"}},
		{"by as many bytes", ten, []edits.Edit{{Span: edits.Span{Start: 1, End: 2}, New: "X"}, far, {Span: edits.Span{Start: 1, End: 2}, New: "1"}},
			[]string{"@@ -8,3 +8,3 @@\n l8\n-l9\n+lb9\n l10\n"}},
		{"a removed line", ten, []edits.Edit{{Span: edits.Span{Start: 3, End: 6}}, insert(22, "b"), insert(3, "l2\n")},
			[]string{"@@ -7,3 +7,3 @@\n l8\n-l9\n+lb9\n l10\n"}},
		{"what removed two changes", ten, []edits.Edit{insert(1, "a"), far, {Span: edits.Span{End: 29}}, insert(0, "la1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nlb9\n"), back(1), back(25)}, nil},
		{"nothing", ten, []edits.Edit{insert(1, "a"), {Span: edits.Span{End: len(ten) + 1}, New: "la1" + ten[2:]}, insert(2, "b")},
			[]string{"@@ -1,2 +1,2 @@\n-l1\n+lab1\n l2\n"}},
	} {
		t.Run(c.name, c.run)
	}
}

// TestWideEditsAreTheirChanges: what replaces more than a hunk may have is a change of a few lines
// where it says the same of the others, and takes back what it puts back.
func TestWideEditsAreTheirChanges(t *testing.T) {
	var lines []string
	for i := range 2000 {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	text := strings.Join(lines, "\n") + "\n"
	change := func(from, to string) edits.Edit {
		at := strings.Index(text, from)
		return edits.Edit{Span: edits.Span{Start: at, End: at + len(from)}, New: to}
	}
	first, last := change("line 3\n", "line x\n"), change("line 1990\n", "line 199y\n")
	both := strings.NewReplacer("line 3\n", "line x\n", "line 1990\n", "line 199y\n").Replace(text)
	all := edits.Edit{Span: edits.Span{End: len(text)}}
	with := func(text string) edits.Edit { all.New = text; return all }
	for _, c := range []historyCase{
		{"a formatter", text, []edits.Edit{with(both)}, []string{
			"@@ -1990,3 +1990,3 @@\n line 1989\n-line 1990\n+line 199y\n line 1991\n", "@@ -3,3 +3,3 @@\n line 2\n-line 3\n+line x\n line 4\n"}},
		{"back to the disk", text, []edits.Edit{first, last, with(text)}, nil},
		{"one of two back", text, []edits.Edit{first, last, with(strings.Replace(text, "line 3\n", "line x\n", 1))}, []string{"@@ -3,3 +3,3 @@\n line 2\n-line 3\n+line x\n line 4\n"}},
		{"all lines", text, []edits.Edit{first, with(strings.ReplaceAll(text, "line", "        line"))}, []string{"@@ -3,3 +3,3 @@\n line 2\n-line 3\n+line x\n line 4\n"}},
	} {
		t.Run(c.name, c.run)
	}
}

// TestHistoryFollowsTheText holds that after any edits each hunk turns the text before it into
// the one after it, that its lines are where its place is, and that once all edits are undone
// there is no hunk.
func TestHistoryFollowsTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := edits.NewText(strings.Repeat("line\n", rapid.IntRange(0, 40).Draw(t, "lines")) + rapid.SampledFrom([]string{"", "end"}).Draw(t, "end"))
		text, o := first, &Overlay{key: "k"}
		var h history
		apply := func(e edits.Edit) {
			after := text.Replace(e.Span, e.New)
			h, text = h.record(o, text, Step{Edit: e, After: after}, time.Unix(0, 0)), after
			for i, k := range h {
				if !k.after.Replace(k.now, k.before.Slice(k.was)).Equal(k.before) {
					t.Fatalf("hunk %d of %d is not the change of its texts", i, len(h))
				}
				if lines := k.after.Slice(wholeLines(k.after, k.now)); k.placed && (!k.place.Valid(text.Len()) || text.Slice(k.place) != lines) {
					t.Fatalf("hunk %d of %d is not at %v: %q", i, len(h), k.place, lines)
				}
			}
			h.edits()
		}
		var back []edits.Edit
		for range rapid.IntRange(1, 12).Draw(t, "edits") {
			start := rapid.IntRange(0, text.Len()).Draw(t, "start")
			e := edits.Edit{Span: edits.Span{Start: start, End: min(text.Len(), start+rapid.SampledFrom([]int{0, 0, 1, 5, 12}).Draw(t, "removed"))},
				New: rapid.SampledFrom([]string{"", "a", "\n", "x\ny", "z\n", "\r\n", "é"}).Draw(t, "new")}
			back = append(back, edits.Edit{Span: edits.Span{Start: start, End: start + len(e.New)}, New: text.Slice(e.Span)})
			apply(e)
		}
		for _, e := range slices.Backward(back) {
			apply(e)
		}
		if left := h.edits(); !text.Equal(first) || len(left) > 0 {
			t.Fatalf("%d hunks are left of what was undone: %q", len(left), left[0].Hunk)
		}
	})
}

// TestAcceptedEditIsMarked holds that an accepted edit is marked where it is a hunk by itself,
// and that one which joins the user's own, or which the user goes on with, is theirs.
func TestAcceptedEditIsMarked(t *testing.T) {
	for _, c := range []struct {
		before, after int // where the user's edits are
		want          []bool
	}{{1, 0, []bool{true, false}}, {22, 1, []bool{false, false}}, {1, 22, []bool{false, false}}} {
		s := openSession(t, Options{ClientWatches: true})
		typed(t, s, ten, insert(c.before, "a"))
		edit := editedBy(s, "untitled:x", 9, insert(25, "b"))
		edit.Steps[0].Accepted = true
		s.Update(edit)
		var got []bool
		for _, e := range s.Update(editedBy(s, "untitled:x", 10, insert(c.after, "c"))).RecentEdits("untitled:x") {
			got = append(got, e.Accepted)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("user at %d and %d: marked %v, want %v", c.before, c.after, got, c.want)
		}
	}
}

func TestIdleTimeStartsAHunk(t *testing.T) {
	s := openSession(t, Options{ClientWatches: true})
	now := time.Unix(0, 0)
	s.now = func() time.Time { return now }
	typed(t, s, ten, insert(5, "a"))
	now = now.Add(2 * hunkIdle)
	next := s.Update(editedBy(s, "untitled:x", 9, insert(6, "b")))
	if got := len(next.RecentEdits("untitled:x")); got != 2 {
		t.Errorf("%d hunks, want 2", got)
	}
	now = now.Add(2 * hunkIdle)
	back := edits.Edit{Span: edits.Span{Start: 6, End: 7}}
	if got := s.Update(editedBy(s, "untitled:x", 10, back)).RecentEdits("untitled:x"); len(got) != 1 || got[0].New != "l2a\n" {
		t.Errorf("the last one was taken back: %+v", got)
	}
}

// TestPropertySession drives a session with random documents and compares it
// with plain strings; recent edits must match what really happened.
func TestPropertySession(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n", "b.go": "package b\n"})
	uris := []string{URIOf(filepath.Join(root, "a.go")), URIOf(filepath.Join(root, "b.go")), "untitled:one"}
	rapid.Check(t, func(rt *rapid.T) {
		s, err := Open(context.Background(), Options{Folders: []string{root}, ClientWatches: true})
		if err != nil {
			rt.Fatal(err)
		}
		defer s.Close()
		model := map[string]string{}
		version := int32(0)
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			version++
			uri := rapid.SampledFrom(uris).Draw(rt, "uri")
			text, open := model[uri]
			before := s.Snapshot() // once: the index may be published at any time
			id := before.ID()
			switch rapid.IntRange(0, 5).Draw(rt, "op") {
			case 0:
				model[uri] = rapid.StringOfN(rapid.RuneFrom([]rune("ab\n\r漢😀")), 0, 80, -1).Draw(rt, "text")
				s.Update(Opened{URI: uri, Version: version, Text: edits.NewText(model[uri])})
			case 1:
				delete(model, uri)
				s.Update(Closed{URI: uri})
			default:
				start := rapid.IntRange(0, len(text)+1).Draw(rt, "start")
				end := rapid.IntRange(start, len(text)+1).Draw(rt, "end")
				e := edits.Edit{Span: edits.Span{Start: start, End: end}, New: rapid.StringOfN(rapid.RuneFrom([]rune("xy\n")), 0, 8, -1).Draw(rt, "new")}
				if open && end <= len(text) {
					model[uri] = text[:start] + e.New + text[end:]
				}
				s.Update(editedBy(s, uri, version, e))
			}
			if before.ID() != id || s.Snapshot().ID() <= id {
				rt.Fatal("a snapshot's id changed, or the next one's is not higher")
			}
			check(rt, s.Snapshot(), model)
		}
	})
}

func check(t *rapid.T, s *Snapshot, model map[string]string) {
	if len(s.Overlays()) != len(model) {
		t.Fatalf("%d documents are open, want %d", len(s.Overlays()), len(model))
	}
	for uri, want := range model {
		o, ok := s.Overlay(uri)
		if !ok || o.Text.String() != want {
			t.Fatalf("%s has %q, want %q", uri, o.Text.String(), want)
		}
		if o.Hash() != HashOf(want) {
			t.Fatalf("%s: hash of another text", uri)
		}
	}
	for _, h := range s.history {
		if e, ok := h.render(); ok && (!strings.Contains(h.after.String(), e.New) || !strings.Contains(h.before.String(), e.Old)) {
			t.Fatalf("hunk of texts that never were: %+v", e)
		}
		was := h.before.String()
		if got := was[:h.was.Start] + h.after.Slice(h.now) + was[h.was.End:]; got != h.after.String() {
			t.Fatalf("the hunk turns %q into %q, not %q", was, got, h.after.String())
		}
	}
}

// TestRecentEditsAreWhereTheyStand: what is typed above an edit moves its line along.
func TestRecentEditsAreWhereTheyStand(t *testing.T) {
	s := openSession(t, Options{})
	s.Update(Opened{URI: "untitled:x", Version: 1, Text: edits.NewText("a\nb\nc\n" + strings.Repeat("\n", 40))})
	s.Update(editedBy(s, "untitled:x", 2, edits.Edit{Span: edits.Span{Start: 2, End: 3}, New: "B"}))
	snap := s.Update(editedBy(s, "untitled:x", 3, edits.Edit{Span: edits.Span{Start: 30, End: 30}, New: "far\n"}))
	for i, want := range []int{2, 28} {
		if got := snap.RecentEdits("untitled:x")[i].Line; got != want {
			t.Errorf("edit %d is at line %d, want %d", i, got, want)
		}
	}
	snap = s.Update(editedBy(s, "untitled:x", 4, edits.Edit{New: "one\ntwo\n"}))
	for i, want := range []int{4, 30} {
		if got := snap.RecentEdits("untitled:x")[i].Line; got != want {
			t.Errorf("after two lines above, edit %d is at line %d, want %d", i, got, want)
		}
	}
}
