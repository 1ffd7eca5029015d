package edit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// apply makes the changes of documents as an editor does: in main.go, which is open, and on disk.
func (b *bench) apply(list []core.DocumentEdit) {
	b.T.Helper()
	for _, d := range list {
		key := workspace.Key(d.URI)
		if d.URI == b.URI {
			shift := 0
			for _, e := range d.Edits {
				b.Edit(e.Start+shift, e.End+shift, e.New)
				shift += len(e.New) - e.Len()
			}
			continue
		}
		after, err := edits.Apply(d.Base, d.Edits)
		if err != nil {
			b.T.Fatal(err)
		}
		if d.Delete {
			err = os.Remove(key)
		} else {
			err = os.WriteFile(key, []byte(after.String()), 0o644)
		}
		if err != nil {
			b.T.Fatal(err)
		}
		b.Session.Reread(b.T.Context(), key)
	}
}

// TestTakenBack: of thirty accepted changes over two to six files, each is taken back whole with
// what the user has written since kept; where a line of it was changed since, on disk too, nothing
// is taken back and the place is named.
func TestTakenBack(t *testing.T) {
	random := rand.New(rand.NewPCG(52, 1))
	for round := range 30 {
		names := []string{"main.go"}
		others, before := map[string]string{}, map[string]string{}
		for i := range 1 + random.IntN(5) {
			names = append(names, fmt.Sprintf("f%d.txt", i))
		}
		for _, name := range names {
			var text strings.Builder
			for n := range 30 {
				fmt.Fprintf(&text, "line %d of %s\n", n, name)
			}
			before[name] = text.String()
			if name != "main.go" {
				others[name] = text.String()
			}
		}
		b := newBench(t, lanes{}, before["main.go"], others)
		var changes []edits.FileChange
		at := 5 + random.IntN(15)
		for _, name := range names {
			after := strings.Replace(before[name], fmt.Sprintf("line %d of", at), fmt.Sprintf("changed %d of", at), 1)
			changes = append(changes, edits.FileChange{Path: name, Before: before[name], After: after, Edits: edits.Diff(before[name], after)})
		}
		changes = append(changes, edits.FileChange{Path: "new.txt", After: "new\n", AbsentBefore: true, Edits: edits.Diff("", "new\n")})
		p, err := b.engine.Editor.ProposeChanges(t.Context(), b.Session.Snapshot(), changes, Proposal{Proposal: edits.Proposal{Title: "change a line"}})
		if err != nil {
			t.Fatal(err)
		}
		list, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, -1, true)
		if err != nil {
			t.Fatal(err)
		}
		b.apply(list)
		b.engine.Editor.Wrote(p.ID)

		last := names[len(names)-1]
		text := func(name string) string {
			if name == "main.go" {
				return b.Text()
			}
			data, _ := os.ReadFile(filepath.Join(b.Root, name))
			return string(data)
		}
		b.Edit(0, 0, "typed\n")
		conflict := round%6 == 5
		changed := strings.Replace(text(last), "line 28 of", "own 28 of", 1)
		if conflict {
			changed = strings.Replace(changed, fmt.Sprintf("changed %d of", at), "my own of", 1)
		}
		if err := os.WriteFile(filepath.Join(b.Root, last), []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		b.Session.Reread(t.Context(), filepath.Join(b.Root, last))

		back, err := b.engine.Editor.TakeBack(b.Session.Snapshot(), "")
		if conflict {
			if place := fmt.Sprintf("%s:%d", last, at+1); err == nil || !strings.Contains(err.Error(), place) || len(back.Edits) > 0 {
				t.Errorf("round %d: a change of a line that the user wrote is taken back, or %s is not named: %v", round, place, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		b.apply(back.Edits)
		b.engine.Editor.TookBack(back.ID)
		before["main.go"] = "typed\n" + before["main.go"]
		before[last] = strings.Replace(before[last], "line 28 of", "own 28 of", 1)
		for _, name := range names {
			if got := text(name); got != before[name] {
				t.Errorf("round %d: %s is\n%s", round, name, got)
			}
		}
		if _, err := os.Stat(filepath.Join(b.Root, "new.txt")); err == nil {
			t.Errorf("round %d: the new file is still there", round)
		}
		if _, err := b.engine.Editor.TakeBack(b.Session.Snapshot(), ""); err == nil {
			t.Errorf("round %d: it is taken back twice", round)
		}
	}
}

// TestSeriesTakenBack: next edits that follow each other are taken back together, and those before
// something that was typed are not.
func TestSeriesTakenBack(t *testing.T) {
	b := newBench(t, lanes{}, "one\ntwo\nthree\nfour\n", nil)
	tab := func(old, text string) {
		t.Helper()
		at := b.At(old) - len(old)
		steps, err := workspace.Steps(edits.NewText(b.Text()), edits.Edit{Span: edits.Span{Start: at, End: at + len(old)}, New: text})
		if err != nil {
			t.Fatal(err)
		}
		steps[0].Accepted = true
		b.Version++
		b.Follow.Changed(b.Session.Update(workspace.Edited{URI: b.URI, Version: b.Version, Steps: steps}), b.URI, steps)
	}
	tab("one", "1")
	b.Edit(0, 0, "#\n")
	tab("two", "2")
	tab("three", "3")
	b.Edit(b.At("four"), b.At("four"), "teen")
	for _, want := range []string{"#\n1\ntwo\nthree\nfourteen\n", "#\none\ntwo\nthree\nfourteen\n"} {
		back, err := b.engine.Editor.TakeBack(b.Session.Snapshot(), "")
		if err != nil {
			t.Fatal(err)
		}
		b.apply(back.Edits)
		b.engine.Editor.TookBack(back.ID)
		if b.Text() != want {
			t.Errorf("the text is %q, want %q", b.Text(), want)
		}
	}
}
