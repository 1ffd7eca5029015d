package lsp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/inline"
	"tandem/workspace"
)

// goText is Go source of about n bytes.
func goText(n int) string {
	var out strings.Builder
	out.WriteString("package bench\n")
	for i := 0; out.Len() < n; i++ {
		fmt.Fprintf(&out, "\n// add%d adds.\nfunc add%d(a, b int) int {\n\tsum := a + b\n\treturn sum\n}\n", i, i)
	}
	return out.String()
}

var sizes = []struct {
	name  string
	bytes int
}{{"10KB", 10 << 10}, {"200KB", 200 << 10}, {"1MB", 1 << 20}}

func benchEditor(b *testing.B, completer func(Completer) Completer) *editor {
	d := deps(b, &cassette{none: true})
	d.Log = nil
	open := d.Open
	d.Open = func(ctx context.Context, setup Setup) (*workspace.Session, UseCases, error) {
		session, use, err := open(ctx, setup)
		if completer != nil && err == nil {
			use.Completer = completer(use.Completer)
		}
		return session, use, err
	}
	e := start(b, d)
	e.initialize(object{})
	return e
}

// BenchmarkChange is one incremental didChange in the middle of a document.
func BenchmarkChange(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			e := benchEditor(b, nil)
			text := goText(size.bytes)
			e.open("untitled:a.go", "go", text)
			line := strings.Count(text, "\n") / 2
			e.call("test/sync", nil)
			at := wireRange{position{uint32(line), 0}, position{uint32(line), 0}}
			one := wireRange{at.Start, position{uint32(line), 1}}
			b.ResetTimer()
			for i := range b.N {
				r, text := at, "x"
				if i%2 == 1 {
					r, text = one, ""
				}
				e.notify("textDocument/didChange", object{"textDocument": object{"uri": "untitled:a.go", "version": i + 2}, "contentChanges": []object{{"range": r, "text": text}}})
				if i%64 == 63 {
					e.call("test/sync", nil)
				}
			}
			e.call("test/sync", nil)
		})
	}
}

// An instant completer answers a completion without a model's delay.
type instant struct{ Completer }

func (instant) Complete(_ context.Context, snap *workspace.Snapshot, req inline.Request) (inline.Completions, error) {
	o, _ := snap.Overlay(req.URI)
	at := edits.Span{Start: req.Offset, End: req.Offset}
	return inline.Completions{Items: []inline.Completion{{ID: "1", URI: o.URI, Version: o.Version, Replace: at, Text: "sum"}}}, nil
}

// BenchmarkInline is one didChange and the completion after it: the protocol's
// part with an instant completer, and all of tandem's own with an instant model.
func BenchmarkInline(b *testing.B) {
	for _, kind := range []string{"protocol", "engine"} {
		for _, size := range sizes {
			b.Run(kind+"/"+size.name, func(b *testing.B) {
				var e *editor
				if kind == "protocol" {
					e = benchEditor(b, func(c Completer) Completer { return instant{c} })
				} else {
					d := deps(b, &cassette{answers: map[model.Purpose][]reply{model.Complete: {{text: "sum\n"}}}})
					d.Log = nil
					e = start(b, d)
					e.initialize(object{})
				}
				text := goText(size.bytes)
				e.open("untitled:a.go", "go", text)
				line := uint32(strings.Count(text[:len(text)/2], "\n"))
				b.ResetTimer()
				for i := range b.N {
					whole := wireRange{position{line, 0}, position{line, 1 << 20}}
					typed := fmt.Sprintf("\tv%d := ", i)
					e.notify("textDocument/didChange", object{"textDocument": object{"uri": "untitled:a.go", "version": i + 2}, "contentChanges": []object{{"range": whole, "text": typed}}})
					raw, err := e.call("textDocument/inlineCompletion", object{"textDocument": object{"uri": "untitled:a.go"}, "position": position{line, uint32(len(typed))}, "context": object{"triggerKind": 1}})
					if err != nil || !strings.Contains(string(raw), "sum") {
						b.Fatalf("%s %v", raw, err)
					}
				}
			})
		}
	}
}
