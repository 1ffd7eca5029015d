package lsp

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/language"
)

// notebooks are the open notebooks. Each is one document, whose text is that of its cells, one
// after another, and its cells are ranges of it: the client knows the cells, all else the
// document.
type notebooks struct {
	mu     sync.RWMutex // guards all below
	byCell map[string]*notebook
	byURI  map[string]*notebook // as the client names the notebook
	byName map[string]*notebook // as the document is known
}

// A notebook is an open one. It is changed on the read loop alone.
type notebook struct {
	uri, document string
	language      string
	enc           encoding
	version       int32
	cells         []*cell
	last          *cell // that the client named last
}

// A cell is a part of a notebook. What is no code of the notebook's language, such as a cell of
// prose or a command to the kernel, is a comment of its document.
type cell struct {
	uri, language string
	prose         bool
	version       int32
	text          edits.Text

	first int    // its first line in the document
	marks []bool // by line: it is a comment there
}

// commentMark begins a comment of a notebook's language.
func (b *notebook) commentMark() string {
	switch b.language {
	case "python", "julia", "r", "ruby", "shellscript", "":
		return "# "
	case "lua":
		return "-- "
	}
	return "// "
}

// shown is a cell's text in the document, and which of its lines are comments there.
func (b *notebook) shown(c *cell) (text string, marks []bool) {
	var out strings.Builder
	whole := c.prose || c.language != b.language
	for i := range c.text.LineCount() {
		line := c.text.Slice(edits.Span{Start: c.text.LineStart(i), End: c.text.LineStart(i + 1)})
		if i == 0 && foreign(line) {
			whole = true
		}
		marked := strings.TrimSpace(line) != "" && (whole || toKernel(b.language, line))
		marks = append(marks, marked)
		if marked {
			out.WriteString(b.commentMark())
		}
		out.WriteString(line)
	}
	return out.String(), marks
}

// foreign reports whether a cell that begins with a line is of another language.
func foreign(line string) bool {
	name, ok := strings.CutPrefix(line, "%%")
	if !ok {
		return false
	}
	name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
	return !slices.Contains([]string{"time", "timeit", "capture", "prun", "memit", "debug"}, name)
}

// toKernel reports whether a line is a command to the kernel of a notebook and no code.
func toKernel(language, line string) bool {
	line = strings.TrimSpace(line)
	if language != "python" || line == "" {
		return false
	}
	isName := func(s string) bool { return s != "" && (s[0] == '%' || s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') }
	switch line[0] {
	case '%':
		return isName(line[1:])
	case '!', '?':
		return !strings.HasPrefix(line, "!=")
	}
	return strings.HasSuffix(line, "?") && !strings.ContainsAny(line, "#'\"")
}

// joined lays the cells out one after another and returns the document's text.
func (b *notebook) joined() edits.Text {
	texts, line := make([]string, len(b.cells)), 0
	for i, c := range b.cells {
		texts[i], c.marks = b.shown(c)
		c.first = line
		line += len(c.marks)
	}
	return edits.NewText(strings.Join(texts, "\n"))
}

// inside is the place in the document of a place in a cell.
func (b *notebook) inside(c *cell, p position) position {
	if line := min(int(p.Line), len(c.marks)-1); line >= 0 && c.marks[line] {
		p.Character += uint32(len(b.commentMark()))
	}
	p.Line += uint32(c.first)
	return p
}

// outside is the place in a cell of a place in the document; one behind the cell is its end.
func (b *notebook) outside(c *cell, p position) position {
	line := int(p.Line) - c.first
	switch {
	case line < 0:
		return position{}
	case line >= len(c.marks):
		return b.enc.offsetPosition(c.text, c.text.Len())
	}
	if c.marks[line] {
		p.Character -= min(p.Character, uint32(len(b.commentMark())))
	}
	p.Line = uint32(line)
	return p
}

// at is the cell that has a line of the document.
func (b *notebook) at(line int) *cell {
	for _, c := range slices.Backward(b.cells) {
		if line >= c.first {
			return c
		}
	}
	return nil
}

func (b *notebook) cell(uri string) *cell {
	for _, c := range b.cells {
		if c.uri == uri {
			return c
		}
	}
	return nil
}

// set makes the cells of a notebook known; with open false it forgets the notebook.
func (n *notebooks) set(b *notebook, open bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byURI == nil {
		n.byCell, n.byURI, n.byName = map[string]*notebook{}, map[string]*notebook{}, map[string]*notebook{}
	}
	for uri, of := range n.byCell {
		if of == b {
			delete(n.byCell, uri)
		}
	}
	delete(n.byURI, b.uri)
	delete(n.byName, b.document)
	if !open {
		return
	}
	n.byURI[b.uri], n.byName[b.document] = b, b
	for _, c := range b.cells {
		n.byCell[c.uri] = b
	}
}

type notebookCell struct {
	Kind     int    `json:"kind"` // 1: prose
	Document string `json:"document"`
}

type didOpenNotebookParams struct {
	NotebookDocument struct {
		URI   string         `json:"uri"`
		Cells []notebookCell `json:"cells"`
	} `json:"notebookDocument"`
	CellTextDocuments []openedDocument `json:"cellTextDocuments"`
}

const proseKind = 1

// arranged are cells in the order of a notebook, of which some are opened and some known.
func arranged(order []notebookCell, opened []openedDocument, known func(uri string) *cell) (out []*cell) {
	for _, o := range order {
		i := slices.IndexFunc(opened, func(d openedDocument) bool { return d.URI == o.Document && d.URI != "" })
		if i >= 0 {
			d := opened[i]
			out = append(out, &cell{uri: d.URI, language: d.LanguageID, version: d.Version, text: edits.NewText(d.Text), prose: o.Kind == proseKind})
		} else if c := known(o.Document); c != nil {
			c.prose = o.Kind == proseKind
			out = append(out, c)
		}
	}
	return out
}

func (d *documents) didOpenNotebook(p *didOpenNotebookParams) error {
	if p.NotebookDocument.URI == "" {
		return errNoURI
	}
	order := p.NotebookDocument.Cells
	if len(order) == 0 {
		for _, c := range p.CellTextDocuments {
			order = append(order, notebookCell{Document: c.URI})
		}
	}
	b := &notebook{uri: p.NotebookDocument.URI, enc: d.enc, version: 1}
	b.cells = arranged(order, p.CellTextDocuments, func(string) *cell { return nil })
	b.language = b.mainLanguage()
	b.document = language.Named(b.uri, b.language)
	text := b.joined()
	if text.Len() > maxDocument {
		d.tooLarge(b.uri, text.Len())
		return nil
	}
	d.notebooks.set(b, true)
	snap := d.session.Update(workspace.Opened{URI: b.document, Name: b.uri, Language: b.language, Version: b.version, Text: text})
	d.use.Engine.Opened(snap, b.document)
	d.use.Completer.Warm(snap, b.document)
	return nil
}

// mainLanguage is the language of most cells that are code.
func (b *notebook) mainLanguage() (most string) {
	count := map[string]int{}
	for _, c := range b.cells {
		if c.prose {
			continue
		}
		if count[c.language]++; count[c.language] > count[most] {
			most = c.language
		}
	}
	return cmp.Or(most, "python")
}

type didChangeNotebookParams struct {
	NotebookDocument documentID `json:"notebookDocument"`
	Change           struct {
		Cells *changedCells `json:"cells"`
	} `json:"change"`
}

type changedCells struct {
	Structure *struct {
		Array struct {
			Start       int            `json:"start"`
			DeleteCount int            `json:"deleteCount"`
			Cells       []notebookCell `json:"cells"`
		} `json:"array"`
		DidOpen  []openedDocument `json:"didOpen"`
		DidClose []documentID     `json:"didClose"`
	} `json:"structure"`
	Data        []notebookCell `json:"data"`
	TextContent []struct {
		Document versionedID     `json:"document"`
		Changes  []contentChange `json:"changes"`
	} `json:"textContent"`
}

func (d *documents) didChangeNotebook(p *didChangeNotebookParams) error {
	d.notebooks.mu.RLock()
	b := d.notebooks.byURI[p.NotebookDocument.URI]
	d.notebooks.mu.RUnlock()
	if p.Change.Cells == nil || b == nil {
		return nil
	}
	o, ok := d.session.Snapshot().Overlay(b.document)
	if !ok {
		return nil
	}
	steps := d.notebooks.change(b, o.Text, p.Change.Cells)
	d.notebooks.set(b, true)
	return d.edited(o, b.version, steps)
}

// change makes the changes of a notebook's cells, and returns the steps from its document's text to that
// of the cells. The first need not be what the cells were: a client may have sent the document by its
// other name.
func (n *notebooks) change(b *notebook, text edits.Text, changed *changedCells) []workspace.Step {
	n.mu.Lock()
	defer n.mu.Unlock()
	b.version++
	if s := changed.Structure; s != nil {
		from := min(max(s.Array.Start, 0), len(b.cells))
		to := min(from+max(s.Array.DeleteCount, 0), len(b.cells))
		cells := slices.Replace(slices.Clone(b.cells), from, to, arranged(s.Array.Cells, s.DidOpen, b.cell)...)
		b.cells = slices.DeleteFunc(cells, func(c *cell) bool { return slices.Contains(s.DidClose, documentID{c.uri}) })
		for _, o := range s.DidOpen { // a client that names no order adds them at the end
			if b.cell(o.URI) == nil {
				b.cells = append(b.cells, arranged([]notebookCell{{Document: o.URI}}, s.DidOpen, b.cell)...)
			}
		}
	}
	for _, one := range changed.Data {
		if c := b.cell(one.Document); c != nil {
			c.prose = one.Kind == proseKind
		}
	}
	steps := step(nil, &text, b.joined(), edits.Edit{})
	for _, content := range changed.TextContent {
		c := b.cell(content.Document.URI)
		if c == nil {
			continue
		}
		c.version++
		if v := content.Document.Version; v != nil {
			c.version = *v
		}
		at := text.LineStart(c.first)
		for _, typed := range b.enc.apply(c.text, content.Changes) {
			c.text = typed.After
			typed.Start, typed.End = typed.Start+at, typed.End+at
			steps = step(steps, &text, b.joined(), typed.Edit)
		}
	}
	return steps
}

// step adds the step from a text to another one, if they differ. Its edit is what the client typed if
// that leads there, else the least one: a line may be a comment in the document.
func step(steps []workspace.Step, text *edits.Text, after edits.Text, typed edits.Edit) []workspace.Step {
	was, is := text.String(), after.String()
	if was == is {
		return steps
	}
	if made, err := edits.Apply(*text, []edits.Edit{typed}); err != nil || !made.Equal(after) {
		lead := edits.CommonPrefix(was, is)
		trail := edits.CommonSuffix(was[lead:], is[lead:])
		typed = edits.Edit{Span: edits.Span{Start: lead, End: len(was) - trail}, New: is[lead : len(is)-trail]}
	}
	*text = after
	return append(steps, workspace.Step{Edit: typed, After: after})
}

type didCloseNotebookParams struct {
	NotebookDocument documentID `json:"notebookDocument"`
}

func (d *documents) didCloseNotebook(p *didCloseNotebookParams) error {
	d.notebooks.mu.RLock()
	b := d.notebooks.byURI[p.NotebookDocument.URI]
	d.notebooks.mu.RUnlock()
	if b != nil {
		d.notebooks.set(b, false)
		d.close(b.document)
	}
	return nil
}
