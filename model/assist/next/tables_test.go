package next

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/format"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/window"
)

// separateFunctions is a text with a change in each of two functions.
const separateFunctions = "package main\n\nfunc a() {\n\tone()\n}\n\n\n\nfunc b() {\n\ttwo()\n}\n"

// TestHunkToOffer: of a model's changes the nearest to the cursor in the document is offered,
// else the first of another file, and what made the others impossible is said.
func TestHunkToOffer(t *testing.T) {
	b := newBench(t, lanes{}, separateFunctions, map[string]string{"b.go": "package main\n\nvar x = 1\n"})
	n, snap := b.engine.NextEdits, b.Session.Snapshot()
	o, _ := snap.Overlay(b.URI)
	f, err := snap.File("b.go")
	if err != nil {
		t.Fatal(err)
	}
	here := assisttest.ChangeOf("main.go", separateFunctions, "one()", "uno()", "two()", "dos()")
	other := assisttest.ChangeOf("b.go", "package main\n\nvar x = 1\n", "1", "2")
	other2 := assisttest.ChangeOf("b.go", "package main\n\nvar x = 1\n", "1", "3")
	created := edits.FileChange{Path: "c.go", After: "package c\n", AbsentBefore: true, Edits: edits.Diff("", "package c\n")}
	gone := edits.FileChange{Path: "b.go", Before: "package main\n\nvar x = 1\n", AbsentAfter: true, Edits: edits.Diff("package main\n\nvar x = 1\n", "")}
	missing := assisttest.ChangeOf("missing.go", "x = 1\n", "1", "2")
	spaces := assisttest.ChangeOf("main.go", separateFunctions, "one()", "one ( )")
	one, two := strings.Index(separateFunctions, "one"), strings.Index(separateFunctions, "two")
	for _, c := range []struct {
		name    string
		changes []edits.FileChange
		cursor  int
		want    string // new text|line|path|what it replaces
		why     string
	}{
		{"the nearest, above", []edits.FileChange{here}, one, "uno|3|main.go|one", ""},
		{"the nearest, below", []edits.FileChange{here}, two, "dos|9|main.go|two", ""},
		{"the first of two as near", []edits.FileChange{here}, (one + 3 + two) / 2, "uno|3|main.go|one", ""},
		{"another file", []edits.FileChange{other}, 0, "2|2|b.go|1", ""},
		{"the first of another file", []edits.FileChange{other, other2}, 0, "2|2|b.go|1", ""},
		{"the document before another file", []edits.FileChange{other, here}, two, "dos|9|main.go|two", ""},
		{"another file after the document", []edits.FileChange{here, other}, two, "dos|9|main.go|two", ""},
		{"none", nil, 0, "", nothingNext},
		{"a file that comes", []edits.FileChange{created}, 0, "", nothingNext},
		{"a file that goes", []edits.FileChange{gone}, 0, "", nothingNext},
		{"a file that cannot be read", []edits.FileChange{missing}, 0, "", nothingNext},
		{"noise", []edits.FileChange{spaces}, one, "", "The suggestion was held back: it " + NoiseFormatting + "."},
		{"noise, and more", []edits.FileChange{spaces, other}, one, "2|2|b.go|1", ""},
	} {
		next, old, why := n.pick(snap, o, c.changes, c.cursor, n.Open.Of(o))
		got := ""
		if why == "" {
			got = fmt.Sprintf("%s|%d|%s|%s", next.Edit.New, next.Line, snap.Name(next.URI), old)
			if want := map[bool]workspace.Hash{true: o.Hash(), false: f.Hash()}[next.URI == b.URI]; next.Base != want || next.Version != map[bool]int32{true: 1}[next.URI == b.URI] {
				t.Errorf("%s: for version %d", c.name, next.Version)
			}
		}
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") || why != c.why {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, got, why, c.want, c.why)
		}
	}
	if got := joined("0123456789", []edits.Edit{{Span: edits.Span{Start: 1, End: 2}, New: "a"}, {Span: edits.Span{Start: 4, End: 4}, New: "b"}, {Span: edits.Span{Start: 6, End: 8}, New: ""}}); got != (edits.Edit{Span: edits.Span{Start: 1, End: 8}, New: "a23b45"}) {
		t.Errorf("as one edit: %+v", got)
	}
	for at, want := range map[int]int{0: 5, 4: 1, 5: 0, 6: 0, 8: 0, 9: 1, 20: 12} {
		if got := distance(edits.Span{Start: 5, End: 8}, at); got != want {
			t.Errorf("%d is %d away, want %d", at, got, want)
		}
	}
	read := 0
	again, done := once(func(yield func(int) bool) {
		for i := range 3 {
			if read++; !yield(i) {
				return
			}
		}
	})
	for range again {
		break
	}
	if all := slices.Collect(again); !slices.Equal(all, []int{0, 1, 2}) || !slices.Equal(slices.Collect(again), all) || read != 3 {
		t.Errorf("%v, read %d", all, read)
	}
	done()
}

// TestErrorsOfAnEdit: which errors are remembered, which places they judge, and where a jump
// leads.
func TestErrorsOfAnEdit(t *testing.T) {
	b := newBench(t, lanes{}, separateFunctions, nil)
	n, snap := b.engine.NextEdits, b.Session.Snapshot()
	problem := func(line int, severity, message string) workspace.Diagnostic {
		text := edits.NewText(separateFunctions)
		return workspace.Diagnostic{Span: edits.Span{Start: text.LineStart(line), End: text.LineStart(line) + 1}, Severity: severity, Message: message}
	}
	n.Caused(b.URI, []workspace.Diagnostic{problem(3, "warning", "w"), problem(3, "error", "e"), problem(3, "hint", "h")}, nil)
	if list := n.caused.near(b.URI, 0); len(list) != 1 || list[0].error.Message != "e" {
		t.Errorf("remembered %+v", list)
	}
	n.Caused("untitled:other", nil, []workspace.Diagnostic{problem(3, "error", "e")})
	if len(n.caused.near(b.URI, 0)) != 1 {
		t.Error("an error of another document has gone")
	}
	n.caused.closed("untitled:other")
	if len(n.caused.near(b.URI, 0)) != 1 {
		t.Error("an error of another document has ended")
	}
	n.caused.closed(b.URI)
	if len(n.caused.near(b.URI, 0)) != 0 {
		t.Error("an error outlives its document")
	}
	var many []workspace.Diagnostic
	for i := range maxCaused + 2 {
		many = append(many, problem(3, "error", fmt.Sprint(i)))
	}
	n.Caused(b.URI, many, nil)
	if list := n.caused.near(b.URI, 0); len(list) != maxCaused || list[0].error.Message != "2" {
		t.Errorf("%d are remembered, from %s", len(list), list[0].error.Message)
	}
	n.caused.closed(b.URI)
	for _, c := range []struct {
		a, b workspace.Diagnostic
		want bool
	}{
		{workspace.Diagnostic{Message: "m", Code: "1", Source: "s", Span: edits.Span{End: 3}}, workspace.Diagnostic{Message: "m", Code: "1", Source: "s"}, true},
		{workspace.Diagnostic{Message: "m"}, workspace.Diagnostic{Message: "n"}, false}, {workspace.Diagnostic{Code: "1"}, workspace.Diagnostic{Code: "2"}, false}, {workspace.Diagnostic{Source: "s"}, workspace.Diagnostic{}, false},
	} {
		if sameMessage(c.a, c.b) != c.want {
			t.Errorf("%+v and %+v are the same: %v", c.a, c.b, !c.want)
		}
	}
	text := edits.NewText(separateFunctions)
	lines := causedError{uri: b.URI, error: workspace.Diagnostic{Span: edits.Span{Start: text.LineStart(2), End: text.LineStart(4)}}}
	far := causedError{uri: b.URI, error: workspace.Diagnostic{Span: edits.Span{Start: 0, End: 1000}}}
	elsewhere := causedError{uri: "untitled:closed", error: lines.error}
	for _, c := range []struct {
		c    causedError
		uri  string
		line int
		want bool
	}{{lines, b.URI, 1, false}, {lines, b.URI, 2, true}, {lines, b.URI, 3, true}, {lines, b.URI, 4, true}, {lines, b.URI, 5, false}, {lines, "untitled:x", 3, false}, {far, b.URI, 3, false}, {elsewhere, "untitled:closed", 3, false}} {
		if got := onLines(snap, c.c, Offer{URI: c.uri, Line: c.line}); got != c.want {
			t.Errorf("line %d of %s on the lines of the error: %v", c.line, c.uri, got)
		}
	}
	for _, c := range []struct {
		caused []causedError
		line   int
		want   bool
	}{{nil, 3, false}, {[]causedError{lines}, 3, false}, {[]causedError{lines}, 9, true}, {[]causedError{elsewhere}, 9, false}, {[]causedError{elsewhere, lines}, 9, true}} {
		if got := clean(snap, Offer{URI: b.URI, Line: c.line}, c.caused); got != c.want {
			t.Errorf("line %d is judged to be right: %v", c.line, got)
		}
	}
	o, _ := snap.Overlay(b.URI)
	d := n.Open.Of(o)
	places := func(list ...Offer) func(func(Item) bool) {
		return func(yield func(Item) bool) {
			for _, o := range list {
				if !yield(Item{Offer: o}) {
					return
				}
			}
		}
	}
	jump := func(cursor int, list ...Offer) string {
		next, ok := n.jump(snap, Request{Place: core.Place{URI: b.URI, Offset: cursor}}, nil, places(list...))
		if !ok {
			return "none"
		}
		return fmt.Sprintf("%s at %d, line %d, %q", next.Jump, next.Edit.Start, next.Line, next.Edit.New)
	}
	n.caused.list = []causedError{elsewhere, far, {uri: b.URI, error: problem(3, "error", "no one")}}
	at3 := text.LineStart(3)
	if got, want := jump(0), fmt.Sprintf("no one at %d, line 3, \"\"", at3); got != want {
		t.Errorf("a jump leads to %s, want %s", got, want)
	}
	place := Offer{URI: b.URI, Line: 9, Jump: "two", Change: "two", From: edits.Provenance{Model: local.Name}, Edit: edits.Edit{Span: edits.Span{Start: text.LineStart(9), End: text.LineStart(9)}}}
	if got := jump(at3); got != "none" {
		t.Errorf("from its own line it leads to %s", got)
	}
	if got := jump(at3, place); got != "none" {
		t.Errorf("it leads to a line that the compiler found right: %s", got)
	}
	n.caused.list = nil
	if got := jump(at3, Offer{URI: b.URI, Line: 9}, place); got != fmt.Sprintf("two at %d, line 9, \"\"", place.Edit.Start) {
		t.Errorf("it leads to %s", got)
	}
	if got := jump(text.LineStart(9), place); got != "none" {
		t.Errorf("it leads to the cursor's line: %s", got)
	}
	n.Open.Accepted(n.offer(snap, d, place).ID)
	if got := jump(at3, place); got != "none" {
		t.Errorf("it leads twice to %s", got)
	}
	if next, ok := n.repeatedAt(snap, []causedError{lines}, places(Offer{URI: b.URI, Line: 3, Jump: "j"}, Offer{URI: b.URI, Line: 9}, Offer{URI: b.URI, Line: 4, Title: "it"})); !ok || next.Title != "it" {
		t.Errorf("on a line with an error: %+v, %v", next, ok)
	}
	if _, ok := n.jump(snap, Request{Place: core.Place{URI: "untitled:closed"}}, nil, places(place)); ok {
		t.Error("a jump from a document that is not open")
	}
}

// TestOffersOfADocument: what is remembered of offered, rejected and accepted edits, and how
// they follow the text.
func TestOffersOfADocument(t *testing.T) {
	var n nextOffers
	at := func(id string, start, end int, text string) Offer {
		return Offer{ID: id, URI: "untitled:a", Edit: edits.Edit{Span: edits.Span{Start: start, End: end}, New: text}}
	}
	for i := range maxOffered + 1 {
		n.offer(at(fmt.Sprint("n", i), 5, 5, fmt.Sprint(i)))
	}
	if _, ok := n.byID("n0"); ok || len(n.offered) != maxOffered {
		t.Errorf("%d offers are remembered", len(n.offered))
	}
	n.offer(at("n5", 7, 7, "again"))
	if next, ok := n.byID("n5"); !ok || next.Edit.New != "again" || len(n.offered) != maxOffered {
		t.Errorf("offered again: %+v", next)
	}
	if _, ok := n.take("n5"); !ok || len(n.offered) != maxOffered-1 {
		t.Error("what is decided about is offered still")
	}
	text := edits.NewText("one two three")
	n = nextOffers{}
	n.offer(Offer{ID: "w", URI: "untitled:a", Edit: edits.Edit{Span: edits.Span{Start: 0, End: 7}, New: "one 2"}})
	n.offer(Offer{ID: "j", URI: "untitled:a", Edit: edits.Edit{Span: edits.Span{Start: 8, End: 13}, New: "3"}, Jump: "go"})
	two := edits.Edit{Span: edits.Span{Start: 4, End: 7}, New: "2"}
	for _, c := range []struct {
		uri  string
		e    edits.Edit
		want bool
	}{{"untitled:a", two, true}, {"untitled:b", two, false}, {"untitled:a", edits.Edit{Span: two.Span, New: "3"}, false}, {"untitled:a", edits.Edit{Span: edits.Span{Start: 8, End: 13}, New: "3"}, false}} {
		if got := n.offers(c.uri, text, c.e); got != c.want {
			t.Errorf("%+v of %s was offered: %v", c.e, c.uri, got)
		}
	}

	n = nextOffers{}
	for _, p := range []prediction{{}, {revision: 3, line: 4, valid: true}, {revision: 3, line: -1, valid: true}} {
		for _, c := range []struct {
			revision uint64
			line     int
		}{{3, 4}, {3, 5}, {4, 4}} {
			n.store(p)
			want := p.valid && c.revision == 3 && (c.line == 4 || p.line < 0)
			if _, ok := n.cached(c.revision, c.line); ok != want {
				t.Errorf("%+v is the answer at %+v: %v", p, c, ok)
			}
		}
	}
	for _, c := range []struct {
		start, end int
		new        string
		offered    edits.Span
	}{
		{0, 0, "xx", edits.Span{Start: 12, End: 17}}, {0, 2, "", edits.Span{Start: 8, End: 13}}, {8, 10, "x", edits.Span{Start: 9, End: 14}}, {10, 10, "x", edits.Span{Start: 11, End: 16}},
		{9, 11, "", edits.Span{Start: 10, End: 15}}, {12, 12, "x", edits.Span{Start: 10, End: 15}}, {15, 15, "x", edits.Span{Start: 10, End: 15}}, {16, 16, "x", edits.Span{Start: 10, End: 15}},
	} {
		n = nextOffers{offered: []Offer{at("o", 10, 15, "t")}}
		n.move("untitled:a", []edits.Edit{{Span: edits.Span{Start: c.start, End: c.end}, New: c.new}})
		if n.offered[0].Edit.Span != c.offered {
			t.Errorf("%d to %d by %q: offered %v", c.start, c.end, c.new, n.offered[0].Edit.Span)
		}
	}
	next := at("o", 10, 15, "t")
	n = nextOffers{offered: []Offer{next}, last: prediction{valid: true, next: &next}}
	if n.move("untitled:a", []edits.Edit{{New: "xx"}}); n.offered[0].Edit.Start != 10 {
		t.Error("what follows with the prediction is moved twice")
	}

	o := assisttest.DocumentOf("0123456789")
	o.Version, o.Revision = 7, 9
	for _, c := range []struct {
		name       string
		uri        string
		start, end int
		new        string
		want       string // edit, version, revision, line of the prediction
	}{
		{"typed along", "untitled:a", 5, 5, "ab", `{[7,7) c} 7 9 -1`}, {"elsewhere, before", "untitled:a", 0, 0, "x", `{[6,6) abc} 7 2 4`}, {"elsewhere, behind", "untitled:a", 8, 8, "x", `{[5,5) abc} 7 2 4`},
		{"something else there", "untitled:a", 5, 5, "z", "over"}, {"all of it", "untitled:a", 5, 5, "abc", "over"}, {"of another document, from a text that is gone", "untitled:b", 5, 5, "z", "over"},
	} {
		next := Offer{ID: "o", URI: c.uri, Version: 1, Edit: edits.Edit{Span: edits.Span{Start: 5, End: 5}, New: "abc"}}
		n = nextOffers{offered: []Offer{next}, last: prediction{revision: 2, line: 4, valid: true, next: &next}}
		n.follow(o, []edits.Edit{{Span: edits.Span{Start: c.start, End: c.end}, New: c.new}})
		got := "over"
		if n.last.valid {
			got = fmt.Sprintf("{%v %s} %d %d %d", n.last.next.Edit.Span, n.last.next.Edit.New, n.last.next.Version, n.last.revision, n.last.line)
			if n.offered[0].Edit != n.last.next.Edit {
				t.Errorf("%s: offered is %+v", c.name, n.offered[0].Edit)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestPredictionForTheTextNow: an answer that came while the user typed is one for the text as
// it is now, or none.
func TestPredictionForTheTextNow(t *testing.T) {
	for _, c := range []struct {
		name  string
		uri   string
		typed string
		at    int
		want  string // edit and version, or why not
	}{
		{"nothing was typed", "", "", 0, "[14,14) abc 1"}, {"its beginning", "", "ab", 14, "[16,16) c 2"}, {"elsewhere", "", "x", 0, "[15,15) abc 2"}, {"something else", "", "z", 14, "The text has moved on since the question."},
		{"in another document", "untitled:b", "z", 14, "[14,14) abc 1"},
	} {
		b := newBench(t, lanes{}, assisttest.Source, nil)
		o, _ := b.Session.Snapshot().Overlay(b.URI)
		n, d := b.engine.NextEdits, b.engine.NextEdits.Open.Of(o)
		p := prediction{revision: o.Revision, valid: true, next: &Offer{ID: "n1", URI: b.URI, Version: 1, Base: o.Hash(), Edit: edits.Edit{Span: edits.Span{Start: 14, End: 14}, New: "abc"}}}
		if c.uri != "" {
			p.next.URI = c.uri
		}
		if c.typed != "" {
			b.Edit(c.at, c.at, c.typed)
		}
		next, reason, err := n.now(o, d, p)
		got := reason
		if next != nil {
			got = fmt.Sprintf("%v %s %d", next.Edit.Span, next.Edit.New, next.Version)
			now, _ := b.Session.Snapshot().Overlay(b.URI)
			if base := map[bool]workspace.Hash{true: now.Hash(), false: o.Hash()}[next.URI == b.URI]; next.Base != base {
				t.Errorf("%s: it is for another text", c.name)
			}
			if offered, ok := d.next.byID("n1"); c.typed != "" && (!ok || offered.Edit != next.Edit) {
				t.Errorf("%s: offered %+v", c.name, offered)
			}
		}
		if got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
	b := newBench(t, lanes{}, assisttest.Source, nil)
	o, _ := b.Session.Snapshot().Overlay(b.URI)
	if next, reason, err := b.engine.NextEdits.now(o, b.engine.NextEdits.Open.Of(o), prediction{reason: "why", valid: true, revision: o.Revision}); next != nil || reason != "why" || err != nil {
		t.Errorf("no answer: %v, %q, %v", next, reason, err)
	}
}

// TestCodeOfOtherFiles: which parts of a window a model made for next edits is shown, in its
// order, and what is left out where the prompt is too long.
func TestCodeOfOtherFiles(t *testing.T) {
	w := &window.Window{Secrets: &redact.Redactor{}, Fragments: []window.Fragment{
		{Kind: window.FragmentCursor, Path: "a.go", Text: redact.Said("cursor")}, {Kind: window.FragmentDefinition, Path: "b.go", Text: redact.Said("one\r\n")}, {Kind: window.FragmentMap, Path: "c.go", Text: redact.Said("map")},
		{Kind: window.FragmentCode, Path: "a.go", Text: redact.Said("own")}, {Kind: window.FragmentCaller, Path: "d.go", Text: redact.Said("caller")}, {Kind: window.FragmentTest, Path: "b.go", Text: redact.Said("two\n\n")},
		{Kind: window.FragmentCaller, Path: "b.go", Text: redact.Said("three\n")}, {Kind: window.FragmentRule, Path: "f.md", Text: redact.Said("rule")},
	}}
	if got, want := fmt.Sprintf("%q", relatedIn(w, "a.go")), fmt.Sprintf("%q", []format.Snippet{{Path: redact.Said("d.go"), Text: redact.Said("caller")}, {Path: redact.Said("b.go"), Text: redact.Said("one\ntwo\nthree\n")}}); got != want {
		t.Errorf("shown %s, want %s", got, want)
	}
	f := format.For(format.Zeta2)
	for _, c := range []struct{ window, output, want int }{{0, 0, f.Trained}, {1 << 30, 1000, f.Trained}, {1000, 100, 800}, {1000, 900, 650}} {
		if got := promptTokens(f, model.ModelConfig{ContextWindow: c.window, MaxOutputTokens: c.output}); got != model.Countable(model.ModelConfig{}, c.want) {
			t.Errorf("%+v: %d tokens, want %d", c, got, c.want)
		}
	}
	in := format.Input{Path: redact.Said("a.go"), Region: redact.Said("x\n"), Related: []format.Snippet{{Path: redact.Said("b.go"), Text: redact.Said(strings.Repeat("b ", 600))}, {Path: redact.Said("c.go"), Text: redact.Said("near")}}, History: []format.Change{{Path: redact.Said("a.go"), Hunk: redact.Said("@@ -1 +1 @@\n-x\n+" + strings.Repeat("h ", 600) + "\n")}, {Path: redact.Said("a.go"), Hunk: redact.Said("@@ -1 +1 @@\n-x\n+late\n")}}}
	count := func(s string) int { return len(s) }
	all := func(cfg model.ModelConfig) string {
		prompt, err := promptWithin(f, in, cfg, count)
		if err != nil {
			var failed *model.Error
			if !errors.As(err, &failed) || failed.Code != model.CodeContextLength {
				t.Error(err)
			}
			return "error"
		}
		out := ""
		for _, part := range []string{"b b b", "near", "h h h", "late"} {
			if strings.Contains(prompt.String(), part) {
				out += part[:1]
			}
		}
		return out
	}
	whole, err := f.Prompt(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bytes int
		want  string
	}{{len(whole.String()) + 10, "bnhl"}, {len(whole.String()) - 10, "nhl"}, {len(whole.String()) - 1300, "l"}, {100, "error"}} {
		cfg := model.ModelConfig{Name: "m"}
		cfg.ContextWindow = int(float64(c.bytes)*model.Margin(cfg)*10/9) + 2
		if got := all(cfg); got != c.want {
			t.Errorf("within %d bytes: %q, want %q", c.bytes, got, c.want)
		}
	}
}

// TestJumpsAreTheLastResort: a place to go to is offered where no edit is, to a client that
// shows such places.
func TestJumpsAreTheLastResort(t *testing.T) {
	answer := assisttest.Swap("main.go", "\treturn 2", "\treturn 22")
	for _, c := range []struct {
		model, jumps bool
		want         string // what it goes to, or writes
	}{{false, false, "none"}, {false, true, "no alpha"}, {true, false, "22"}, {true, true, "22"}} {
		l := lanes{}
		if c.model {
			l[model.Fast] = replies(answer)
		}
		b := newBench(t, l, assisttest.Source, nil)
		b.Edit(b.At("return 1"), b.At("return 1"), "1")
		at := strings.Index(b.Text(), "func alpha")
		b.engine.NextEdits.Caused(b.URI, []workspace.Diagnostic{{Span: edits.Span{Start: at, End: at + 4}, Severity: "error", Message: "no alpha"}}, nil)
		next, _, err := b.engine.NextEdits.NextEdit(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("return 11")}, Jumps: c.jumps})
		got := "none"
		if next != nil {
			got = next.Jump + next.Edit.New
		}
		if err != nil || !strings.Contains(c.want, got) || got == "" {
			t.Errorf("with a model %v, jumps %v: %q, %v; want %q", c.model, c.jumps, got, err, c.want)
		}
	}
}
