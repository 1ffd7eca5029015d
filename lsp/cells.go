package lsp

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
)

// What the client says of a cell is said of its notebook's document before anything else reads
// it, and what is sent of the document is sent of its cells: this is the one place that knows
// both. A JSON object is about the cell or document that its uri, or its textDocument's, names,
// and so is all in it that names no other.

// inward rewrites params of the client from cells to their documents. It returns the cell that
// they are about.
func (n *notebooks) inward(raw []byte) (rewritten []byte, b *notebook, c *cell) {
	n.mu.Lock() // of a notebook, which cell was named last
	defer n.mu.Unlock()
	if len(n.byCell) == 0 {
		return raw, nil, nil
	}
	value, ok := parsed(raw)
	if !ok {
		return raw, nil, nil
	}
	var named bool
	value = n.in(value, nil, nil, func(of *notebook, one *cell) {
		named = true
		if b == nil {
			b, c, of.last = of, one, one
		}
	})
	if !named {
		return raw, nil, nil
	}
	return printed(value, raw), b, c
}

func (n *notebooks) in(value any, b *notebook, c *cell, named func(*notebook, *cell)) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = n.in(v[i], b, c, named)
		}
	case map[string]any:
		if at, ok := placeOf(v); ok {
			if c != nil {
				putPlace(v, b.inside(c, at))
			}
			return v
		}
		uri := uriOf(v)
		if of := n.byCell[uri]; of != nil {
			b, c = of, of.cell(uri)
			named(b, c)
		} else if uri != "" {
			b, c = nil, nil
		}
		for key, one := range v {
			v[key] = n.in(one, b, c, named)
		}
		if own, _ := v["uri"].(string); c != nil && own == c.uri {
			v["uri"] = b.document
			if at, ok := v["version"].(json.Number); ok {
				v["version"] = json.Number(strconv.Itoa(int(b.versionOf(c, at))))
			}
		}
	}
	return value
}

// versionOf is the document's version where the client names the newest one of a cell, else an
// older one.
func (b *notebook) versionOf(c *cell, version json.Number) int32 {
	if at, err := version.Int64(); err == nil && int32(at) == c.version {
		return b.version
	}
	return b.version - 1
}

// outward rewrites what is sent to the client from documents to cells; c is the cell that a
// reply is about, or nil.
func (n *notebooks) outward(raw []byte, b *notebook, c *cell) []byte {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if len(n.byName) == 0 {
		return raw
	}
	value, ok := parsed(raw)
	if !ok {
		return raw
	}
	out := n.out(value, b, c)
	if len(out) == 0 {
		return []byte("null")
	}
	return printed(out[0], raw)
}

// out are the values that a value becomes: one that is about several cells is one for each, and
// one of another cell than a reply is about is none.
func (n *notebooks) out(value any, b *notebook, c *cell) []any {
	switch v := value.(type) {
	case []any:
		out := make([]any, 0, len(v))
		for _, one := range v {
			out = append(out, n.out(one, b, c)...)
		}
		return []any{out}
	case map[string]any:
		return n.outObject(v, b, c)
	}
	return []any{value}
}

func (n *notebooks) outObject(v map[string]any, b *notebook, c *cell) []any {
	if at, ok := placeOf(v); ok {
		if c != nil {
			putPlace(v, b.outside(c, at))
		}
		return []any{v}
	}
	uri := uriOf(v)
	of := n.byName[uri]
	switch list, isEdit := v["edits"].([]any); {
	case of != nil && isEdit:
		return n.outEdits(v, list, of)
	case of != nil:
		b, c = of, of.about(v)
	case uri != "":
		b, c = nil, nil
	case c != nil:
		if at, ok := firstPlace(v); ok && b.at(int(at.Line)) != c {
			return nil
		}
	}
	for key, one := range maps.Clone(v) {
		delete(v, key)
		if in := n.byName[key]; in != nil { // the changes of documents by their URIs
			list, _ := one.([]any)
			for _, part := range n.outEdits(map[string]any{"uri": key}, list, in) {
				part := part.(map[string]any)
				v[part["uri"].(string)] = part["edits"]
			}
			continue
		}
		if out := n.out(one, b, c); len(out) > 0 {
			v[key] = out[0]
		}
	}
	if own, _ := v["uri"].(string); c != nil && own == b.document {
		v["uri"] = c.uri
		if at, ok := v["version"].(json.Number); ok {
			v["version"] = json.Number(strconv.Itoa(int(b.cellVersion(c, at))))
		}
	}
	return []any{v}
}

// A cellEdit is an edit of a document that lies in one cell.
type cellEdit struct {
	in   *cell
	edit any
}

// split returns an edit of the document as edits that each lie in one cell: itself if it does, else
// one for each line that it changes. It returns nil if the edit spans cells and adds or removes
// lines: which of them is of which cell is not known then.
func (b *notebook) split(edit any) []cellEdit {
	start, ok := firstPlace(edit)
	if !ok {
		return nil
	}
	first := b.at(int(start.Line))
	end, ranged := lastPlace(edit)
	if !ranged || b.at(int(end.Line)) == first {
		return []cellEdit{{first, edit}}
	}
	text, _ := edit.(map[string]any)["newText"].(string)
	lines := strings.Split(text, "\n")
	if len(lines) != int(end.Line-start.Line)+1 {
		return nil
	}
	var out []cellEdit
	for i, after := range lines {
		at := int(start.Line) + i
		line := b.line(at)
		span := edits.Span{End: line.Len()}
		if i == 0 {
			span.Start = b.enc.positionOffset(line, position{Character: start.Character})
		}
		if i == len(lines)-1 {
			span.End = b.enc.positionOffset(line, position{Character: end.Character})
		}
		whole := line.String()
		for _, e := range edits.Diff(whole, whole[:span.Start]+after+whole[span.End:]) {
			r := b.enc.spanRange(line, e.Span)
			r.Start.Line, r.End.Line = uint32(at), uint32(at)
			part := copied(edit).(map[string]any)
			part["newText"], part["range"] = e.New, map[string]any{"start": placed(r.Start), "end": placed(r.End)}
			out = append(out, cellEdit{b.at(at), part})
		}
	}
	return out
}

// line is a line of the document without its end.
func (b *notebook) line(at int) edits.Text {
	c := b.at(at)
	i := at - c.first
	text := strings.TrimRight(c.text.Slice(edits.Span{Start: c.text.LineStart(i), End: c.text.LineStart(i + 1)}), "\r\n")
	if c.marks[i] {
		text = b.commentMark() + text
	}
	return edits.NewText(text)
}

// outEdits are the edits of a notebook as those of its cells. None is sent if one cannot be split.
func (n *notebooks) outEdits(v map[string]any, list []any, b *notebook) (out []any) {
	byCell := map[*cell][]any{}
	for _, one := range list {
		parts := b.split(one)
		if parts == nil {
			return nil
		}
		for _, p := range parts {
			byCell[p.in] = append(byCell[p.in], p.edit)
		}
	}
	if len(list) == 0 {
		byCell[b.about(nil)] = []any{}
	}
	for _, c := range b.cells {
		some, has := byCell[c]
		if !has {
			continue
		}
		part := copied(v).(map[string]any)
		part["edits"] = some
		names := []map[string]any{part}
		if doc, ok := part["textDocument"].(map[string]any); ok {
			names = append(names, doc)
		}
		for _, named := range names {
			if named["uri"] != nil {
				named["uri"] = c.uri
			}
			if at, ok := named["version"].(json.Number); ok {
				named["version"] = json.Number(strconv.Itoa(int(b.cellVersion(c, at))))
			}
		}
		for key, one := range part {
			if out := n.out(one, b, c); len(out) > 0 {
				part[key] = out[0]
			}
		}
		out = append(out, part)
	}
	return out
}

// cellVersion is the newest version of a cell where the document's is named, else an older one.
func (b *notebook) cellVersion(c *cell, version json.Number) int32 {
	if at, err := version.Int64(); err == nil && int32(at) == b.version {
		return c.version
	}
	return c.version - 1
}

// about is the cell that an object is about: that of its first place, else the one that the
// client named last.
func (b *notebook) about(value any) *cell {
	if at, ok := firstPlace(value); ok {
		return b.at(int(at.Line))
	}
	if b.last != nil && slices.Contains(b.cells, b.last) {
		return b.last
	}
	if len(b.cells) == 0 {
		return &cell{uri: b.uri, text: edits.NewText("")}
	}
	return b.cells[0]
}

func uriOf(v map[string]any) string {
	if uri, ok := v["uri"].(string); ok {
		return uri
	}
	if doc, ok := v["textDocument"].(map[string]any); ok {
		uri, _ := doc["uri"].(string)
		return uri
	}
	return ""
}

// placeOf is the position that an object is.
func placeOf(v map[string]any) (position, bool) {
	line, hasLine := v["line"].(json.Number)
	character, hasCharacter := v["character"].(json.Number)
	if !hasLine || !hasCharacter {
		return position{}, false
	}
	a, errA := strconv.ParseUint(line.String(), 10, 32)
	b, errB := strconv.ParseUint(character.String(), 10, 32)
	return position{uint32(a), uint32(b)}, errA == nil && errB == nil
}

func placed(at position) map[string]any {
	v := map[string]any{}
	putPlace(v, at)
	return v
}

func putPlace(v map[string]any, at position) {
	v["line"], v["character"] = json.Number(strconv.Itoa(int(at.Line))), json.Number(strconv.Itoa(int(at.Character)))
}

// firstPlace is the first position in a value: its own place before those of its parts.
func firstPlace(value any) (position, bool) {
	v, ok := value.(map[string]any)
	if !ok {
		return position{}, false
	}
	if at, ok := placeOf(v); ok {
		return at, true
	}
	for _, key := range []string{"position", "start", "range"} {
		if at, ok := firstPlace(v[key]); ok {
			return at, true
		}
	}
	return position{}, false
}

func lastPlace(value any) (position, bool) {
	v, _ := value.(map[string]any)
	r, _ := v["range"].(map[string]any)
	return firstPlace(r["end"])
}

// copied is a copy of a JSON value, which can be changed by itself.
func copied(value any) any {
	switch v := value.(type) {
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = copied(out[i])
		}
		return out
	case map[string]any:
		out := maps.Clone(v)
		for key := range out {
			out[key] = copied(out[key])
		}
		return out
	}
	return value
}
