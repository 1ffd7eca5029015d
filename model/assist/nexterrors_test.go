package assist

import (
	"context"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/names"
)

// TestErrorsComeFirst holds that an error which the user has just caused is the next
// edit, before the model is asked, and that one from before is not.
func TestErrorsComeFirst(t *testing.T) {
	const text = "package m\n\nimport \"strings\"\n\nvar a = strings.ToUpper(\"\")\n\nvar b = a\n"
	b := newBench(t, lanes{}, text, map[string]string{"go.mod": "module m\n"})
	checker := names.New(names.Options{Private: true})
	b.engine.NextEdits.Names = func(s *workspace.Snapshot) edits.Names { return checker.For(names.Of(s)) }
	b.edit(b.at("var b = "), b.at("var b = a"), "fmt.Sprint(a)")
	at := strings.Index(b.text(), "fmt.")
	problem := workspace.Diagnostic{Span: edits.Span{Start: at, End: at + 3}, Severity: "error", Source: "compiler", Message: "undefined: fmt"}
	ask := func() (*NextEdit, string) {
		next, reason, err := b.engine.NextEdits.NextEdit(context.Background(), b.session.Snapshot(), NextEditRequest{Place: Place{URI: b.uri, Offset: b.at("Sprint")}, Version: b.version})
		if err != nil {
			t.Fatal(err)
		}
		return next, reason
	}
	if next, _ := ask(); next != nil {
		t.Fatalf("offered before the error is known: %+v", next)
	}
	b.engine.NextEdits.Caused(b.uri, []workspace.Diagnostic{problem}, nil)
	next, reason := ask()
	if next == nil || !strings.Contains(next.Edit.New, "\"fmt\"") || !strings.Contains(next.From.Reason, "undefined: fmt") {
		t.Fatalf("offered %+v (%s), want the import of fmt", next, reason)
	}
	b.engine.Rejected(next.ID)
	if again, _ := ask(); again != nil {
		t.Errorf("offered again after it was rejected: %+v", again)
	}
	b.engine.NextEdits.Caused(b.uri, nil, []workspace.Diagnostic{problem})
	if list := b.engine.NextEdits.errorsFor(b.uri, 0); len(list) != 0 {
		t.Errorf("%d errors are left after it is gone", len(list))
	}
}

// TestNearestErrorComesFirst: of the errors that the user caused, those of the document go
// before those of others, and the nearest first.
func TestNearestErrorComesFirst(t *testing.T) {
	b := newBench(t, lanes{}, source, nil)
	problem := func(at int, message string) workspace.Diagnostic {
		return workspace.Diagnostic{Span: edits.Span{Start: at, End: at + 2}, Severity: "error", Message: message}
	}
	b.engine.NextEdits.Caused("file:///elsewhere/b.go", []workspace.Diagnostic{problem(10, "elsewhere")}, nil)
	b.engine.NextEdits.Caused(b.uri, []workspace.Diagnostic{problem(40, "behind"), problem(4, "far before"), problem(20, "near before")}, nil)
	for at, want := range map[int]string{0: "far before,near before,behind,elsewhere", 23: "near before,behind,far before,elsewhere", 40: "behind,near before,far before,elsewhere"} {
		var got []string
		for _, c := range b.engine.NextEdits.errorsFor(b.uri, at) {
			got = append(got, c.error.Message)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("at %d: %q, want %s", at, got, want)
		}
	}
}
