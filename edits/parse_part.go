package edits

import "strings"

// ParsePart reads what came of an answer that was cut, and returns the blocks that are whole.
// The last one is left out unless its own mark ends it.
func ParsePart(format Format, answer string) ([]Block, error) {
	p := NewParser(format)
	p.Write(answer)
	if p.pending.held > 0 {
		if last := p.pending.take(); endsBlock(strings.TrimSpace(last)) {
			p.take(last)
		}
	}
	if p.out.err == nil {
		whole(p.dialect)
	}
	switch {
	case p.out.err != nil:
		return nil, p.out.err
	case len(p.out.blocks) == 0:
		return nil, refuse(CodeTruncated, "the answer stops before its first block is whole")
	}
	return p.out.blocks, nil
}

// endsBlock reports whether a line is the mark at the end of a block, of whatever format.
func endsBlock(line string) bool {
	return replaceMarker(line) || line == patchEnd || line == "```" || strings.HasPrefix(line, "</") && strings.HasSuffix(line, ">") && tagIn(line) != ""
}

// whole drops a block that only a following line would have shown to be whole, and completes
// one that has as many lines as it announced.
func whole(d dialect) {
	switch d := d.(type) {
	case *autoDialect:
		whole(d.chosen)
	case *searchDialect:
		if d.ended {
			d.out.blocks = d.out.blocks[:len(d.out.blocks)-1]
		}
	case *diffDialect:
		if d.inHunk && d.nHeld == 0 && d.fulfilled() {
			d.endHunk()
		}
	}
}
