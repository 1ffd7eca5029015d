package next

import (
	"context"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/names"
)

// TestErrorsComeFirst holds that an error which the user has just caused is the next
// edit, before the model is asked, and that one from before is not.
func TestErrorsComeFirst(t *testing.T) {
	const text = "package m\n\nimport \"strings\"\n\nvar a = strings.ToUpper(\"\")\n\nvar b = a\n"
	b := newBench(t, lanes{}, text, map[string]string{"go.mod": "module m\n"})
	b.Edit(b.At("var b = "), b.At("var b = a"), "fmt.Sprint(a)")
	at := strings.Index(b.Text(), "fmt.")
	problem := workspace.Diagnostic{Span: edits.Span{Start: at, End: at + 3}, Severity: "error", Source: "compiler", Message: "undefined: fmt"}
	ask := func() (*Offer, string) {
		next, reason, err := b.engine.NextEdits.NextEdit(context.Background(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("Sprint")}, Version: b.Version})
		if err != nil {
			t.Fatal(err)
		}
		return next, reason
	}
	if next, _ := ask(); next != nil {
		t.Fatalf("offered before the error is known: %+v", next)
	}
	b.engine.Editor.Judge = judge.New(nil, nil)
	b.engine.NextEdits.Caused(b.URI, []workspace.Diagnostic{problem}, nil)
	next, reason := ask()
	if next == nil || !strings.Contains(next.Edit.New, "\"fmt\"") || !strings.Contains(next.From.Reason, "undefined: fmt") {
		t.Fatalf("offered %+v (%s), want the import of fmt", next, reason)
	}
	b.engine.NextEdits.Open.Rejected(next.ID)
	if again, _ := ask(); again != nil {
		t.Errorf("offered again after it was rejected: %+v", again)
	}
	b.engine.NextEdits.Caused(b.URI, nil, []workspace.Diagnostic{problem})
	if list := b.engine.NextEdits.caused.near(b.URI, 0); len(list) != 0 {
		t.Errorf("%d errors are left after it is gone", len(list))
	}
}

// TestErrorsOfOtherDocuments holds that an error in a document that the user has not changed is a
// consequence of what they did only where it is about that: a document brings older errors along.
func TestErrorsOfOtherDocuments(t *testing.T) {
	const other = "package m\n\nfunc g() {\n\tgreet(1)\n\tfmt.Println()\n}\n"
	for _, c := range []struct {
		what, at string
		changed  bool // by the user too
		want     bool
	}{
		{"an import that was missing before", "fmt", false, false},
		{"one that a change there may have taken", "fmt", true, true},
		{"a call of what was changed", "greet", false, true},
	} {
		b := newBench(t, lanes{}, "package m\n\nfunc greet(a int) {}\n", map[string]string{"go.mod": "module m\n", "other.go": other})
		uri := strings.TrimSuffix(b.URI, "main.go") + "other.go"
		b.Session.Update(workspace.Opened{URI: uri, Version: 1, Language: "go", Text: edits.NewText(other)})
		if c.changed {
			o, _ := b.Session.Snapshot().Overlay(uri)
			steps, err := workspace.Steps(o.Text, edits.Edit{Span: edits.Span{Start: len(other), End: len(other)}, New: "\nvar a = 1\n"})
			if err != nil {
				t.Fatal(err)
			}
			b.Session.Update(workspace.Edited{URI: uri, Version: 2, Steps: steps})
		}
		b.Edit(b.At("greet("), b.At("greet("), "b int, ")
		at := strings.Index(other, c.at)
		message := "undefined: " + c.at
		b.engine.NextEdits.Caused(uri, []workspace.Diagnostic{{Span: edits.Span{Start: at, End: at + len(c.at)}, Severity: "error", Message: message}}, nil)
		next, _, err := b.engine.NextEdits.NextEdit(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("greet(")}, Version: b.Version, Jumps: true})
		if offered := next != nil && next.URI == uri && next.Jump == message; err != nil || offered != c.want {
			t.Errorf("%s: offered %+v, %v", c.what, next, err)
		}
	}
}

// TestNearestErrorComesFirst: of the errors that the user caused, those of the document go
// before those of others, and the nearest first.
func TestNearestErrorComesFirst(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	problem := func(at int, message string) workspace.Diagnostic {
		return workspace.Diagnostic{Span: edits.Span{Start: at, End: at + 2}, Severity: "error", Message: message}
	}
	b.engine.NextEdits.Caused("file:///elsewhere/b.go", []workspace.Diagnostic{problem(10, "elsewhere")}, nil)
	b.engine.NextEdits.Caused(b.URI, []workspace.Diagnostic{problem(40, "behind"), problem(4, "far before"), problem(20, "near before")}, nil)
	for at, want := range map[int]string{0: "far before,near before,behind,elsewhere", 23: "near before,behind,far before,elsewhere", 40: "behind,near before,far before,elsewhere"} {
		var got []string
		for _, c := range b.engine.NextEdits.caused.near(b.URI, at) {
			got = append(got, c.error.Message)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("at %d: %q, want %s", at, got, want)
		}
	}
}

// TestNothingIsBroughtBack: a fix that writes the lines which the user has just taken away is no
// consequence, nor is an error in a name that they are writing over.
func TestNothingIsBroughtBack(t *testing.T) {
	b := newBench(t, lanes{}, "import io\nimport os\n\nx = io.open(os.name)\n", nil)
	b.Edit(0, len("import io\n"), "")
	fix := Offer{URI: b.URI, Edit: assisttest.Insert(0, "import io\n")}
	found := causedError{uri: b.URI, found: edits.Finding{Kind: names.UnknownName, Name: "os"}, error: workspace.Diagnostic{Span: b.Selection("os.name")}}
	at := func(what string) Request { return Request{Place: core.Place{URI: b.URI, Offset: b.At(what)}} }
	leaves := func() bool { return found.leaves(b.Session.Snapshot(), at("x = "), fix) }
	if leaves() {
		t.Error("the import that was taken away is written again")
	}
	if fix.Edit.New = "import ios\n"; !leaves() {
		t.Error("another import is none that was taken away")
	}
	b.Edit(b.At("import "), b.At("import "), "p")
	if !found.underHand(b.Session.Snapshot(), at("import p")) {
		t.Error("a name is being written over, and its uses are led to")
	}
}

// overTwo is a text with two functions, far apart.
var overTwo = "package m\n\nimport (\n\t\"io\"\n\t\"os\"\n)\n\nfunc first(a int) int {\n\tb := a\n\treturn start(io)\n}\n" + strings.Repeat("\n// more\n", 20) + "\nfunc second(a int) int {\n\treturn first(io)\n}\n" + strings.Repeat("\n// more\n", 20) + "\n// last\n"

// found is what the judge finds of a name after an edit, and another one far below.
func (b *bench) found(kind, name, at, from, to string) causedError {
	span := b.Selection(from)
	b.Edit(span.Start, span.End, to)
	b.Edit(b.At("// last"), b.At("// last"), ".")
	return causedError{uri: b.URI, found: edits.Finding{Kind: kind, Name: name}, error: workspace.Diagnostic{Span: b.Selection(at)}}
}

// TestUnderHand: the user is not led to what lacks a name that they are typing, or that they took out of
// the function or the imports where they still are: it may come back there.
func TestUnderHand(t *testing.T) {
	for _, c := range []struct {
		what, from, to string // the edit
		name, at       string
		behind         bool // the cursor is behind the name
		want           bool
	}{
		{"in the function that lost its name", "first(a int)", "other(a int)", "first", "return start", false, true},
		{"in another function", "first(a int)", "other(a int)", "first", "return first", false, false},
		{"among the imports", "\t\"io\"\n", "", "io", "\"os\"", false, true},
		{"below them", "\t\"io\"\n", "", "io", "return start", false, false},
		{"right behind the name", "b := a", "b := c", "first", "first(io)", true, true},
		{"before the name", "b := a", "b := c", "first", "first(io)", false, false},
	} {
		b := newBench(t, lanes{}, overTwo, nil)
		found := b.found(names.UnknownName, c.name, "first(io)", c.from, c.to)
		cursor := b.Selection(c.at).Start
		if c.behind {
			cursor = b.Selection(c.at).End
		}
		if got := found.underHand(b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: cursor}}); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// TestLeads: the user is not led to what the function that they write lacks, but to what uses there a name
// that they took away elsewhere.
func TestLeads(t *testing.T) {
	for _, c := range []struct {
		what, from, to, kind, name, at string
		want                           bool
	}{
		{"a statement that it lacks", "b := a", "b := c", "type", "}", "b := c", false},
		{"from another function", "b := a", "b := c", "type", "}", "return first", true},
		{"a name that came", "b := a", "b := c", names.UnknownName, "start", "b := c", false},
		{"a name that an import gave", "\t\"io\"\n", "", names.UnknownName, "io", "b := a", true},
	} {
		b := newBench(t, lanes{}, overTwo, nil)
		found := b.found(c.kind, c.name, "start(io)", c.from, c.to)
		if got := found.leads(b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.Selection(c.at).Start}}); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}
