package index

import (
	"hash/crc32"
	"math"
	"strings"
	"sync"

	"tandem/workspace/language"
	"tandem/workspace/mapped"
	"tandem/workspace/redact"
)

// A use is one entry of a file's list of identifiers.
type use struct {
	name  uint32
	count uint8
}

// A packer collects the scans of files, one goroutine's share of a segment. Its
// names and texts have its own numbers until merge replaces them by the
// segment's.
type packer struct {
	scanner *language.Scanner
	texts   *language.Interner
	files   []fileRow
	uses    []use
	useEnd  []uint32 // by file, where its uses end
	sigEnd  []uint32
	defs    []defRow
	params  []uint32
	imports []importRow
	sigs    []byte
	held    []string
	starts  []uint32 // offsets of the current text's lines
}

func newPacker() *packer {
	return &packer{scanner: language.NewScanner(), texts: language.NewInterner()}
}

// packers keeps the memory of packers between calls of With: what an open document's
// packer needs is several times its text.
var packers = sync.Pool{New: func() any { return newPacker() }}

// reset forgets everything that was packed; nothing may refer to it any more.
func (p *packer) reset() {
	p.scanner.Names().Reset()
	p.texts.Reset()
	p.files, p.uses, p.useEnd, p.sigEnd = p.files[:0], p.uses[:0], p.useEnd[:0], p.sigEnd[:0]
	p.defs, p.params, p.imports, p.sigs = p.defs[:0], p.params[:0], p.imports[:0], p.sigs[:0]
	clear(p.held)
	p.held = p.held[:0]
}

// A stamp distinguishes one state of a file from another.
type stamp struct {
	size    uint64
	modTime int64
	hash    uint64
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// hashOf distinguishes texts; it does not protect against deliberate
// collisions.
func hashOf(text []byte) uint64 {
	return uint64(crc32.Checksum(text, castagnoli))<<32 | uint64(crc32.ChecksumIEEE(text))
}

// add scans a file and packs the result; the text is not kept. What is packed may be stored, so
// that the secrets are taken out before.
func (p *packer) add(path, text string, st stamp) {
	text = redact.Masked(text)
	p.addScan(p.scanner.Scan("", path, text), path, text, st)
}

// addScan packs the scan of a file, the scanner's last.
func (p *packer) addScan(found language.Numbered, path, text string, st stamp) {
	p.row(fileRow{size: st.size, modTime: st.modTime, hash: st.hash, lines: uint32(found.Lines),
		path: p.text(path), lang: p.text(found.Language), pkg: p.text(found.Package)})
	p.addDefs(text, found)
	for _, im := range found.Imports {
		p.imports = append(p.imports, importRow{p.text(im.Path), p.text(im.Name), p.text(im.Alias), uint32(im.Line)})
	}
	for id, count := range p.scanner.Idents() {
		p.uses = append(p.uses, use{uint32(id), uint8(min(count, math.MaxUint8))})
	}
	p.closeFile("")
}

func (p *packer) row(f fileRow) {
	f.defs, f.imports = uint32(len(p.defs)), uint32(len(p.imports))
	p.files = append(p.files, f)
}

func (p *packer) closeFile(held string) {
	p.useEnd = append(p.useEnd, uint32(len(p.uses)))
	p.sigEnd = append(p.sigEnd, uint32(len(p.sigs)))
	p.held = append(p.held, held)
}

// size bounds the bytes and the rows of each kind that were packed.
func (p *packer) size() int {
	return len(p.sigs) + len(p.uses) + len(p.params) + p.texts.Bytes() + p.scanner.Names().Bytes()
}

func (p *packer) text(s string) uint32 { return uint32(p.texts.Intern(s)) }

// addDefs packs the definitions of a file, and the lines of their signatures.
func (p *packer) addDefs(text string, file language.Numbered) {
	if len(file.Defs) == 0 {
		return
	}
	p.starts = LineStarts(text, p.starts)
	region, covered := uint32(0), uint32(0) // first and last line of the text packed last
	base := uint32(len(p.sigs))
	for i := range file.Defs {
		d := &file.Defs[i]
		d.Sig = min(d.Sig, d.Start+math.MaxUint16)
		if d.Start > covered {
			region, base = d.Start, uint32(len(p.sigs))
			covered = d.Start - 1
		}
		if d.Sig > covered {
			p.sigs = append(p.sigs, text[p.starts[covered]:p.starts[d.Sig]]...)
			covered = d.Sig
		}
		params := file.Params[d.Params:][:min(d.NumParams, math.MaxUint16)]
		p.addDef(d, params, base+p.starts[d.Start-1]-p.starts[region-1], p.starts[d.Sig]-p.starts[d.Start-1])
	}
}

// LineStarts are the offsets at which the lines of a text begin, and its length, in the memory
// of buf.
func LineStarts(text string, buf []uint32) []uint32 {
	out := append(buf[:0], 0)
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		out = append(out, uint32(at))
	}
	if last := out[len(out)-1]; int(last) < len(text) || len(out) == 1 {
		out = append(out, uint32(len(text)))
	}
	return out
}

func (p *packer) addDef(d *language.Found, params []language.NameID, sigAt, sigLen uint32) {
	row := defRow{name: uint32(d.Name), container: p.text(d.Container), typ: p.text(d.Type), params: uint32(len(p.params)),
		start: d.Start, end: d.End, sigAt: sigAt, sigLen: sigLen,
		doc: uint16(min(d.Start-d.Doc, math.MaxUint16)), sig: uint16(d.Sig - d.Start),
		numParams: uint16(len(params)), min: d.MinParams, max: d.MaxParams, kind: d.Kind}
	if d.Exported {
		row.flags |= flagExported
	}
	if d.Local {
		row.flags |= flagLocal
	}
	for _, id := range params {
		p.params = append(p.params, uint32(id))
	}
	if d.Container != "" {
		p.scanner.Names().Intern(language.LastPart(d.Container)) // merge finds members by it
	}
	p.defs = append(p.defs, row)
}

// change packs one change. It keeps the text of an open buffer, since no file
// has it.
func (p *packer) change(c Change) {
	st := stamp{size: uint64(len(c.Text)), hash: hashOf(mapped.Bytes(c.Text))}
	if !c.ModTime.IsZero() {
		st.modTime = c.ModTime.UnixNano()
	}
	if len(c.Parts) == 1 {
		p.addScan(p.scanner.Take(c.Parts[0].Scan), c.Path.String(), c.Text, st)
	} else {
		p.add(c.Path.String(), c.Text, st)
	}
	if st.modTime == 0 {
		p.held[len(p.held)-1] = c.Text
	}
}
