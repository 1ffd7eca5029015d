package edit

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/workspace"
)

const twoFunctions = "package main\n\nfunc one() int {\n\treturn 1\n}\n\nfunc two() int {\n\treturn 2\n}\n"

const makes22 = "<<<<<<< SEARCH\n\treturn 2\n=======\n\treturn 22\n>>>>>>> REPLACE\n"

func (b *bench) editTwo() *Proposal {
	b.T.Helper()
	p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "return 22"})
	if err != nil {
		b.T.Fatal(err)
	}
	return p
}

// result is the text that accepting a proposal would make of the document, or why it
// cannot be accepted.
func (b *bench) result(id, text string) (string, error) {
	b.T.Helper()
	list, err := b.engine.Editor.Accept(b.T.Context(), b.Session.Snapshot(), id, -1, false)
	if err != nil {
		return "", err
	}
	after, err := edits.Apply(edits.NewText(text), list[0].Edits)
	if err != nil {
		b.T.Fatal(err)
	}
	return after.String(), nil
}

// TestReopenedDocumentHasNoPast types a line, closes the document and opens it again,
// where its versions start at 1 again. An edit of it lands where it belongs.
func TestReopenedDocumentHasNoPast(t *testing.T) {
	for name, end := range assisttest.LineEnds {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, lanes{model.Fast: replies(makes22)}, strings.ReplaceAll(twoFunctions, "\n", end), nil)
			b.Edit(0, 0, "// typed"+end)
			text := b.Text()
			b.Close()
			b.Open(text)
			p := b.editTwo()
			got, err := b.result(p.ID, text)
			if want := strings.Replace(text, "return 2", "return 22", 1); err != nil || got != want {
				t.Errorf("%v\n%q, want\n%q", err, got, want)
			}
		})
	}
}

// TestProposalOutlivesItsDocument closes a document that a proposal is about and opens it
// again with another text, or leaves it closed.
func TestProposalOutlivesItsDocument(t *testing.T) {
	for _, c := range []struct {
		name, text string
		reopen     bool
		stale      bool
	}{
		{"the same text", twoFunctions, true, false},
		{"moved down", "// a\n// b\n" + twoFunctions, true, false},
		{"changed elsewhere", strings.Replace(twoFunctions, "return 1", "return 1 + 0", 1), true, false},
		{"changed at its place", strings.Replace(twoFunctions, "return 2", "return sum()", 1), true, true},
		{"closed, the same text", twoFunctions, false, false},
		{"closed, moved down", "// a\n// b\n" + twoFunctions, false, false},
		{"closed, changed at its place", strings.Replace(twoFunctions, "return 2", "return sum()", 1), false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, lanes{model.Fast: replies(makes22)}, twoFunctions, nil)
			p := b.editTwo()
			b.Edit(0, 0, "// lost\n")
			b.Close()
			if err := os.WriteFile(filepath.Join(b.Root, "main.go"), []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			b.Session.Update(workspace.DiskChanged{Paths: []string{filepath.Join(b.Root, "main.go")}})
			if err := b.Session.WaitIdle(context.Background()); err != nil {
				t.Fatal(err)
			}
			if c.reopen {
				b.Open(c.text)
			}
			got, err := b.result(p.ID, c.text)
			want := strings.Replace(c.text, "return 2", "return 22", 1)
			switch {
			case c.stale && (err == nil || !strings.Contains(err.Error(), "ask for it again")):
				t.Errorf("error %v, want that it is stale", err)
			case !c.stale && (err != nil || got != want):
				t.Errorf("%v\n%q, want\n%q", err, got, want)
			}
		})
	}
}

// TestReopenWhileAnEditStreams closes and reopens the document between an edit's request
// and its answer.
func TestReopenWhileAnEditStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := replies(makes22)
		slow.First = time.Second
		b := newBench(t, lanes{model.Fast: slow}, twoFunctions, nil)
		p, err := b.engine.Editor.Begin(b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "x"})
		if err != nil {
			t.Fatal(err)
		}
		b.Edit(0, 0, "// kept\n")
		text := b.Text()
		b.Close()
		b.Open(text)
		b.Edit(0, 0, "// more\n")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		got, err := b.result(p.ID, b.Text())
		if want := strings.Replace(b.Text(), "return 2", "return 22", 1); err != nil || got != want {
			t.Errorf("%v\n%q, want\n%q", err, got, want)
		}
	})
}

// TestPropertyLives types, closes and reopens at random, with texts changed in between:
// a proposal that can be accepted changes nothing but its own line.
func TestPropertyLives(t *testing.T) {
	for name, end := range assisttest.LineEnds {
		t.Run(name, func(t *testing.T) {
			start := strings.ReplaceAll(twoFunctions, "\n", end)
			rapid.Check(t, func(rt *rapid.T) {
				b := newBench(t, lanes{model.Fast: replies(makes22)}, start, nil)
				p := b.editTwo()
				text := start
				for range rapid.IntRange(1, 8).Draw(rt, "steps") {
					starts := assisttest.LineStarts(text)
					at := rapid.SampledFrom(starts).Draw(rt, "at")
					if strings.HasPrefix(text[at:], "\treturn") {
						at = 0
					}
					typed := rapid.SampledFrom([]string{"// a" + end, "b", ""}).Draw(rt, "typed")
					next := text[:at] + typed + text[at:]
					switch {
					case rapid.Bool().Draw(rt, "reopen"):
						b.Close()
						b.Open(next)
					case typed != "":
						b.Edit(at, at, typed)
					}
					text = next
				}
				got, err := b.result(p.ID, text)
				if want := strings.Replace(text, "return 2", "return 22", 1); err == nil && got != want {
					rt.Fatalf("%q, want %q", got, want)
				}
			})
		})
	}
}

// TestIDsOfAnotherProcess: an id of a server that has ended names nothing in the next one.
func TestIDsOfAnotherProcess(t *testing.T) {
	ids := map[string]bool{}
	for _, life := range []string{"one-", "two-"} {
		store := newProposals(life, func(*Proposal) {})
		for range 3 {
			ids[store.open(Proposal{}).ID] = true
		}
	}
	if len(ids) != 6 {
		t.Errorf("%d different ids of 6 proposals", len(ids))
	}
}
