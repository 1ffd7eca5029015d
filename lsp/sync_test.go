package lsp

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tandem/edits"
	"tandem/workspace"
)

// A reference is a document as []uint16 with a simple implementation of changes.
type reference []uint16

// offset clamps a position: to the end of its line, to the end of the text,
// and to the start of the character it is in.
func (r reference) offset(p position) int {
	at := unitOffset(r, p)
	if at > 0 && at < len(r) && utf16.IsSurrogate(rune(r[at])) && r[at] >= 0xDC00 && r[at-1] >= 0xD800 && r[at-1] < 0xDC00 {
		at--
	}
	return at
}

func (r reference) change(c contentChange) reference {
	text := utf16.Encode([]rune(c.Text))
	if c.Range == nil {
		return text
	}
	start, end := r.offset(c.Range.Start), r.offset(c.Range.End)
	if start > end {
		start, end = end, start
	}
	out := append(reference{}, r[:start]...)
	return append(append(out, text...), r[end:]...)
}

// texts draws text with the characters that make position counting difficult.
func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "word ", "é", "😀", "\n", "\r\n", "\r", "\t", "𝒳y", "\u2028", "한", "\x00"}), 0, 12).Draw(t, "pieces")
		return strings.Join(pieces, "")
	})
}

func positions() *rapid.Generator[position] {
	return rapid.Custom(func(t *rapid.T) position {
		return position{
			rapid.SampledFrom([]uint32{0, 0, 1, 2, 3, 5, 1 << 31}).Draw(t, "line"),
			rapid.SampledFrom([]uint32{0, 1, 2, 3, 4, 7, 1 << 31, 1<<32 - 1}).Draw(t, "character"),
		}
	})
}

func contentChanges() *rapid.Generator[contentChange] {
	return rapid.Custom(func(t *rapid.T) contentChange {
		c := contentChange{Text: texts().Draw(t, "text")}
		if rapid.IntRange(0, 5).Draw(t, "whole") > 0 {
			c.Range = &wireRange{positions().Draw(t, "start"), positions().Draw(t, "end")}
		}
		return c
	})
}

// TestFoldedSteps: steps as one edit lead to the same text.
func TestFoldedSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := edits.NewText(texts().Draw(t, "text"))
		steps := utf16Units.apply(text, rapid.SliceOfN(contentChanges(), 1, 6).Draw(t, "changes"))
		one, ok := folded(steps)
		if !ok || !one.Edit.Valid(text.Len()) {
			t.Fatalf("%v as one: %v, %v", steps, one.Edit, ok)
		}
		want := steps[len(steps)-1].After
		if got := text.Replace(one.Edit.Span, one.Edit.New); !got.Equal(want) || !one.After.Equal(want) {
			t.Errorf("%v leads to %q, want %q", one.Edit, got, want)
		}
	})
	for _, n := range []int{maxFolded, maxFolded + 1} {
		end := edits.NewText(strings.Repeat("x", n))
		if _, ok := folded([]workspace.Step{{After: edits.NewText("x")}, {After: end, Edit: edits.Edit{New: end.String()}}}); ok != (n == maxFolded) {
			t.Errorf("steps that span %d bytes are one: %v", n, ok)
		}
	}
}

// TestTextFollowsTheClient runs random sequences of open, change and close,
// well-formed or not, against the reference, and compares after every step.
func TestTextFollowsTheClient(t *testing.T) {
	e := start(t, deps(t, &cassette{none: true}))
	e.initialize(object{})
	atLeast(t, "rapid.checks", 2000)
	serial := 0
	rapid.Check(t, func(t *rapid.T) {
		serial++
		uri := fmt.Sprintf("untitled:%d", serial)
		var want reference
		open, version := false, 0
		for range rapid.IntRange(1, 15).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"open", "change", "change", "change", "change", "close"}).Draw(t, "step") {
			case "open":
				text := texts().Draw(t, "text")
				version++
				e.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "x", "version": version, "text": text}})
				want, open = utf16.Encode([]rune(text)), true
			case "change":
				version += rapid.SampledFrom([]int{1, 1, 1, 5, 0, -3}).Draw(t, "version")
				list := rapid.SliceOfN(contentChanges(), 0, 3).Draw(t, "changes")
				e.notify("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": version}, "contentChanges": list})
				for _, c := range list {
					if open {
						want = want.change(c)
					}
				}
			case "close":
				e.notify("textDocument/didClose", object{"textDocument": object{"uri": uri}})
				open = false
			}
			raw, err := e.call("test/text", object{"uri": uri})
			var got *string
			if err != nil || json.Unmarshal(raw, &got) != nil {
				t.Fatalf("%s %v", raw, err)
			}
			if (got != nil) != open || open && *got != string(utf16.Decode(want)) {
				t.Fatalf("the server has %q, want %q (open: %v)", raw, string(utf16.Decode(want)), open)
			}
		}
	})
}

// atLeast raises a test flag to n for one test.
func atLeast(t *testing.T, name string, n int) {
	f := flag.Lookup(name)
	before := f.Value.String()
	if now, err := strconv.Atoi(before); err == nil && now < n {
		_ = f.Value.Set(strconv.Itoa(n))
		t.Cleanup(func() { _ = f.Value.Set(before) })
	}
}

func FuzzPosition(f *testing.F) {
	f.Add("a😀b\r\nc\rd\n", uint32(0), uint32(2), true)
	f.Add("é\n𝒳", uint32(1), uint32(1), false)
	f.Fuzz(func(t *testing.T, text string, line, character uint32, bytes bool) {
		text = strings.ToValidUTF8(text, "\ufffd") // as the decoder leaves documents
		enc := utf16Units
		if bytes {
			enc = utf8Bytes
		}
		doc := edits.NewText(text)
		offset := enc.positionOffset(doc, position{line, character})
		if offset < 0 || offset > len(text) || offset < len(text) && !utf8.RuneStart(text[offset]) {
			t.Fatalf("position %d:%d of %q is offset %d, which is no place in it", line, character, text, offset)
		}
		if !bytes {
			if want := (reference)(utf16.Encode([]rune(text))).offset(position{line, character}); offset != len(string(utf16.Decode(utf16.Encode([]rune(text))[:want]))) {
				t.Fatalf("position %d:%d of %q is offset %d, which is not unit %d", line, character, text, offset, want)
			}
		}
		if back := enc.positionOffset(doc, enc.offsetPosition(doc, offset)); back != offset {
			t.Fatalf("offset %d of %q comes back as %d", offset, text, back)
		}
	})
}

// A following engine takes every edit for one that it offered, if offered is set, and records
// what it is notified of documents.
type following struct {
	Engine
	offered  bool
	mu       sync.Mutex
	notified []string
}

func (f *following) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notified = append(f.notified, fmt.Sprintf(format, args...))
}

func (f *following) Offered(*workspace.Overlay, edits.Edit) bool { return f.offered }

func (f *following) Opened(snap *workspace.Snapshot, uri string) {
	f.note("opened %s", uri)
	f.Engine.Opened(snap, uri)
}

func (f *following) Changed(snap *workspace.Snapshot, uri string, steps []workspace.Step) {
	for _, s := range steps {
		f.note("%s: %v %q, accepted %v", uri, s.Edit.Span, s.Edit.New, s.Accepted)
	}
	f.Engine.Changed(snap, uri, steps)
}

func (f *following) Closed(uri string) {
	f.note("closed %s", uri)
	f.Engine.Closed(uri)
}

// TestChangesReachTheEngine: an edit that was offered counts as accepted, in one step however the
// editor splits it; an older version begins another life; what is closed ends.
func TestChangesReachTheEngine(t *testing.T) {
	for _, offered := range []bool{false, true} {
		f := &following{offered: offered}
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { f.Engine = use.Engine; use.Engine = f })
		o.initialize(fullClient())
		const uri = "untitled:a.go"
		change := func(version int, changes ...object) {
			o.notify("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": version}, "contentChanges": changes})
		}
		insert := func(at uint32, text string) object {
			return object{"range": wireRange{position{0, at}, position{0, at}}, "text": text}
		}
		o.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "go", "version": 5, "text": "package a\n"}})
		change(6, insert(9, "b"), insert(10, "c"))
		change(2, insert(11, "d"))
		o.settled()
		if text, ok := o.session.Snapshot().Overlay(uri); !ok || text.Text.String() != "package abcd\n" || text.Version != 2 {
			t.Errorf("the document is %+v", text)
		}
		o.notify("textDocument/didClose", object{"textDocument": object{"uri": uri}})
		o.settled()
		if _, ok := o.session.Snapshot().Overlay(uri); ok {
			t.Error("the document is open after it was closed")
		}
		steps := []string{`untitled:a.go: [9,9) "b", accepted false`, `untitled:a.go: [10,10) "c", accepted false`}
		if offered {
			steps = []string{`untitled:a.go: [9,9) "bc", accepted true`}
		}
		f.mu.Lock()
		got := f.notified
		f.mu.Unlock()
		if want := slices.Concat([]string{"opened " + uri}, steps, []string{"opened " + uri, "closed " + uri}); !slices.Equal(got, want) {
			t.Errorf("notified %q, want %q", got, want)
		}
	}
}
