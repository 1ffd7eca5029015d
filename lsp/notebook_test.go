package lsp

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	installed "tandem/workspace/deps"
	"tandem/workspace/judge"
	known "tandem/workspace/names"
	"tandem/workspace/syntax"
)

// A book is a notebook of an editor.
type book struct {
	*observed
	uri   string
	cells []string
}

// openBook opens a notebook of cells; one that begins with "#" and a space is prose.
func openBook(o *observed, dir string, cells ...string) *book {
	b := &book{observed: o, uri: workspace.URIOf(filepath.Join(dir, "nb.ipynb"))}
	var order, texts []object
	for i, text := range cells {
		uri := "vscode-notebook-cell:" + strings.TrimPrefix(b.uri, "file://") + "#" + string(rune('a'+i))
		kind, language := 2, "python"
		if strings.HasPrefix(text, "# ") {
			kind, language = 1, "markdown"
		}
		b.cells = append(b.cells, uri)
		order = append(order, object{"kind": kind, "document": uri})
		texts = append(texts, object{"uri": uri, "languageId": language, "version": 1, "text": text})
		o.mu.Lock()
		o.docs[uri] = &document{1, text}
		o.books[uri] = b.uri
		o.mu.Unlock()
	}
	o.notify("notebookDocument/didOpen", object{"notebookDocument": object{"uri": b.uri, "cells": order}, "cellTextDocuments": texts})
	return b
}

// TestNotebookIsOneDocument: the cells of a notebook are one document, in which prose and
// commands to the kernel are comments; it follows changes of cells and of their order.
func TestNotebookIsOneDocument(t *testing.T) {
	o := observe(t, deps(t, &cassette{}), nil)
	o.initialize(fullClient(), t.TempDir())
	b := openBook(o, t.TempDir(), "# Title\nmore\n", "%matplotlib inline\nx = 1\n", "y = x")
	is := func(want string) {
		t.Helper()
		o.settled()
		list := o.session.Snapshot().Overlays()
		if len(list) != 1 || list[0].Text.String() != want || list[0].Name != b.uri {
			t.Fatalf("%d documents, %q, want %q", len(list), list[0].Text.String(), want)
		}
	}
	is("# # Title\n# more\n\n# %matplotlib inline\nx = 1\n\ny = x")
	change := func(cells object) {
		o.notify("notebookDocument/didChange", object{"notebookDocument": object{"uri": b.uri, "version": 2}, "change": object{"cells": cells}})
	}
	change(object{"textContent": []object{{"document": object{"uri": b.cells[2], "version": 2}, "changes": []object{{"range": wireRange{position{0, 4}, position{0, 5}}, "text": "x\nz = y"}}}}})
	is("# # Title\n# more\n\n# %matplotlib inline\nx = 1\n\ny = x\nz = y")
	change(object{"textContent": []object{{"document": object{"uri": b.cells[1], "version": 2}, "changes": []object{{"range": wireRange{position{0, 0}, position{1, 0}}, "text": ""}}}}})
	is("# # Title\n# more\n\nx = 1\n\ny = x\nz = y")
	change(object{"structure": object{"array": object{"start": 0, "deleteCount": 2, "cells": []object{{"kind": 2, "document": b.cells[1]}}}, "didClose": []object{{"uri": b.cells[0]}}}})
	is("x = 1\n\ny = x\nz = y")
	change(object{"structure": object{"didOpen": []object{{"uri": "untitled:c", "languageId": "python", "version": 1, "text": "last"}}}})
	is("x = 1\n\ny = x\nz = y\nlast")
	o.notify("notebookDocument/didClose", object{"notebookDocument": object{"uri": b.uri}, "cellTextDocuments": []object{}})
	o.settled()
	if n := len(o.session.Snapshot().Overlays()); n != 0 || len(o.server.notebooks.byCell) != 0 {
		t.Errorf("%d documents are open, %d cells are left", n, len(o.server.notebooks.byCell))
	}
}

// TestNotebookOwnsItsText: a cell's change is one of the text that its cells make, whatever the client
// sent as the text of the same document, or as the order of the cells.
func TestNotebookOwnsItsText(t *testing.T) {
	plain := func(uri string) object { return object{"kind": 2, "document": uri} }
	text := func(uri, text string) object {
		return object{"uri": uri, "languageId": "python", "version": 1, "text": text}
	}
	for name, c := range map[string]struct {
		send   func(o *observed)
		change object
		want   string
	}{
		"shorter by its other name": {
			func(o *observed) { o.open("untitled:n.py", "python", "z") },
			object{"range": wireRange{position{1, 4}, position{1, 5}}, "text": "2"},
			"x = 0\ny = 2",
		},
		"longer by its other name": {
			func(o *observed) { o.open("untitled:n.py", "python", "# not a cell\n# nor this\n") },
			object{"range": wireRange{position{1, 4}, position{1, 5}}, "text": "2"},
			"x = 0\ny = 2",
		},
		"a cell named twice": {
			func(o *observed) {
				o.notify("notebookDocument/didChange", object{"notebookDocument": object{"uri": "untitled:n.py", "version": 2}, "change": object{"cells": object{
					"structure": object{"array": object{"start": 1, "deleteCount": 0, "cells": []object{plain("untitled:c")}}}}}})
			},
			object{"text": "y"},
			"y\ny",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := deps(t, &cassette{})
			d.Log = slog.New(noErrors{t})
			o := observe(t, d, nil)
			o.initialize(fullClient())
			o.notify("notebookDocument/didOpen", object{"notebookDocument": object{"uri": "untitled:n.py", "cells": []object{plain("untitled:c")}}, "cellTextDocuments": []object{text("untitled:c", "x = 0\ny = 1")}})
			c.send(o)
			o.notify("notebookDocument/didChange", object{"notebookDocument": object{"uri": "untitled:n.py", "version": 3}, "change": object{"cells": object{
				"textContent": []object{{"document": object{"uri": "untitled:c", "version": 2}, "changes": []object{c.change, object{"range": wireRange{position{9, 9}, position{9, 9}}, "text": ""}}}}}}})
			o.settled()
			if list := o.session.Snapshot().Overlays(); len(list) != 1 || list[0].Text.String() != c.want {
				t.Errorf("%d documents, %q, want %q", len(list), list[0].Text.String(), c.want)
			}
		})
	}
}

// TestCellsOnTheWire: what is said of a cell is said of its document inside, and the other way.
func TestCellsOnTheWire(t *testing.T) {
	var n notebooks
	b := &notebook{uri: "u.ipynb", document: "u.ipynb.py", language: "python", version: 7}
	for _, text := range []string{"a = 1\n", "%run x\nb = a", "c = b"} {
		b.cells = append(b.cells, &cell{uri: "cell" + string(rune('1'+len(b.cells))), language: "python", version: 3, text: edits.NewText(text)})
	}
	b.joined()
	n.set(b, true)
	for in, want := range map[string]string{
		`{"textDocument":{"uri":"cell2","version":3},"position":{"line":1,"character":2}}`:                                           `{"position":{"character":2,"line":3},"textDocument":{"uri":"u.ipynb.py","version":7}}`,
		`{"textDocument":{"uri":"cell2","version":2},"position":{"line":0,"character":1}}`:                                           `{"position":{"character":3,"line":2},"textDocument":{"uri":"u.ipynb.py","version":6}}`,
		`{"arguments":[{"uri":"cell3","range":{"start":{"line":0,"character":0}}},{"uri":"x","position":{"line":0,"character":0}}]}`: `{"arguments":[{"range":{"start":{"character":0,"line":4}},"uri":"u.ipynb.py"},{"position":{"character":0,"line":0},"uri":"x"}]}`,
		`{"uri":"other"}`: `{"uri":"other"}`,
	} {
		if got, _, _ := n.inward([]byte(in)); string(got) != want {
			t.Errorf("inward %s\n got %s\nwant %s", in, got, want)
		}
	}
	edit := func(line, from, to int) string {
		return asJSON(t, object{"newText": "n", "range": wireRange{position{uint32(line), uint32(from)}, position{uint32(line), uint32(to)}}})
	}
	doc := func(uri, version string, list ...string) string {
		return `{"edits":[` + strings.Join(list, ",") + `],"textDocument":{"uri":"` + uri + `","version":` + version + `}}`
	}
	for in, want := range map[string]string{
		`{"documentChanges":[` + doc("u.ipynb.py", "7", edit(0, 0, 1), edit(3, 4, 5), edit(4, 4, 5)) + `]}`:                                          `{"documentChanges":[` + doc("cell1", "3", edit(0, 0, 1)) + `,` + doc("cell2", "3", edit(1, 4, 5)) + `,` + doc("cell3", "3", edit(0, 4, 5)) + `]}`,
		`{"changes":{"u.ipynb.py":[` + edit(0, 0, 1) + `,` + edit(4, 0, 1) + `]}}`:                                                                   `{"changes":{"cell1":[` + edit(0, 0, 1) + `],"cell3":[` + edit(0, 0, 1) + `]}}`,
		`{"uri":"u.ipynb.py","version":6,"range":{"start":{"line":2,"character":3},"end":{"line":2,"character":4}}}`:                                 `{"range":{"end":{"character":2,"line":0},"start":{"character":1,"line":0}},"uri":"cell2","version":2}`,
		`{"documentChanges":[` + doc("u.ipynb.py", "7", asJSON(t, object{"newText": "", "range": wireRange{position{0, 0}, position{3, 0}}})) + `]}`: `{"documentChanges":[]}`,
	} {
		if got := n.outward([]byte(in), nil, nil); asJSON(t, json.RawMessage(got)) != asJSON(t, json.RawMessage(want)) {
			t.Errorf("outward %s\n got %s\nwant %s", in, got, want)
		}
	}
	reply := `[{"range":{"start":{"line":3,"character":0},"end":{"line":3,"character":1}}},{"range":{"start":{"line":4,"character":0},"end":{"line":4,"character":1}}}]`
	if got := n.outward([]byte(reply), b, b.cells[1]); string(got) != `[{"range":{"end":{"character":1,"line":1},"start":{"character":0,"line":1}}}]` {
		t.Errorf("a reply about cell 2 is %s", got)
	}
}

// TestCellPlaces: a place of a cell comes back as it was, whatever stands in the cells.
func TestCellPlaces(t *testing.T) {
	line := rapid.SampledFrom([]string{"a = 1", "%time a", "!ls", "é = '𝛼'", "", "  b", "%%bash", "help?"})
	rapid.Check(t, func(t *rapid.T) {
		b := &notebook{language: "python"}
		for range rapid.IntRange(1, 4).Draw(t, "cells") {
			text := strings.Join(rapid.SliceOfN(line, 0, 4).Draw(t, "lines"), "\n")
			b.cells = append(b.cells, &cell{language: rapid.SampledFrom([]string{"python", "sql"}).Draw(t, "language"), text: edits.NewText(text)})
		}
		text := b.joined()
		c := rapid.SampledFrom(b.cells).Draw(t, "cell")
		at := b.enc.offsetPosition(c.text, rapid.IntRange(0, c.text.Len()).Draw(t, "offset"))
		in := b.inside(c, at)
		if b.at(int(in.Line)) != c || b.outside(c, in) != at {
			t.Fatalf("%v of a cell is %v in %q, and comes back as %v", at, in, text.String(), b.outside(c, in))
		}
		rest := c.text.Slice(edits.Span{Start: b.enc.positionOffset(c.text, at), End: c.text.LineEnd(int(at.Line))})
		if got := text.Slice(edits.Span{Start: b.enc.positionOffset(text, in), End: text.LineEnd(int(in.Line))}); got != rest {
			t.Fatalf("behind the place stands %q, in the document %q", rest, got)
		}
	})
}

// TestNotebookIsJudgedAsAFile: in a notebook of 20 cells names of other cells are known, made-up ones
// are held back, and a new name reaches all cells, as in a file of the same code.
func TestNotebookIsJudgedAsAFile(t *testing.T) {
	cells := []string{"def clean(rows):\n    return [r for r in rows if r]"}
	for i := 1; i < 19; i++ {
		cells = append(cells, fmt.Sprintf("v%d = clean([%d])", i, i))
	}
	cells = append(cells, "last = v")
	for _, kind := range []string{"a notebook", "a file"} {
		t.Run(kind, func(t *testing.T) {
			models := &cassette{builtIn: true, judge: &judge.Judge{Syntax: syntax.Parsers{}, Names: judge.OfNames(known.New(known.Options{Deps: installed.New(installed.Options{Getenv: func(string) string { return "" }})}))}}
			o := observe(t, deps(t, models), nil)
			dir := t.TempDir()
			o.initialize(fullClient(), dir)
			place := func(cell, line, character int) (string, position) {
				return workspace.URIOf(filepath.Join(dir, "a.py")), position{uint32(strings.Count(strings.Join(cells[:cell], "\n")+"\n", "\n")*min(cell, 1) + line), uint32(character)}
			}
			if kind == "a notebook" {
				b := openBook(o, dir, cells...)
				place = func(cell, line, character int) (string, position) {
					return b.cells[cell], position{uint32(line), uint32(character)}
				}
			} else {
				uri, _ := place(0, 0, 0)
				o.open(uri, "python", strings.Join(cells, "\n"))
			}
			o.settled()
			for _, c := range []struct {
				answer string
				shown  bool
			}{{"_made_up(v18)", false}, {"1 + clean(v18)", true}} {
				models.mu.Lock()
				models.answers, models.requests = map[model.Purpose][]reply{model.Complete: {{text: c.answer}}}, nil
				models.mu.Unlock()
				uri, at := place(19, 0, len("last = v"))
				raw, err := o.call("textDocument/inlineCompletion", object{"textDocument": object{"uri": uri}, "position": at, "context": object{"triggerKind": 1}})
				if shown := strings.Contains(string(raw), "18)"); err != nil || shown != c.shown {
					t.Errorf("%q is shown: %t, want %t: %s, %v", c.answer, shown, c.shown, raw, err)
				}
				models.mu.Lock()
				asked := ""
				for _, m := range models.requests[len(models.requests)-1].Input {
					asked += m.Text.String()
				}
				models.mu.Unlock()
				if !strings.Contains(asked, cells[0]+"\n"+cells[1]) {
					t.Errorf("the cells above are not shown to the model: %s", asked)
				}
			}
			uri, at := place(0, 0, len("def "))
			o.change(uri, wireRange{at, position{at.Line, at.Character + uint32(len("clean"))}}, "tidy")
			o.settled()
			if _, err := o.command("tandem.nextEditAll", nil, object{"uri": uri, "position": at}); err != nil {
				t.Fatal(err)
			}
			for i := range cells[:19] {
				uri, _ := place(i, 0, 0)
				if text := o.text(uri); strings.Contains(text, "clean") || !strings.Contains(text, "tidy") {
					t.Errorf("cell %d has the old name: %q", i, text)
				}
			}
		})
	}
}
