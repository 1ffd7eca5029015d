package index

import (
	"hash/crc32"
	"math"
	"strings"
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
	scan    *scan
	texts   *interner
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
	p := &packer{scan: &scan{lexer: lexer{in: newInterner(true)}}, texts: &interner{slots: make([]uint32, 1024), keep: true}}
	p.texts.intern("")
	return p
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

// add scans a file and packs the result. lang is "" to derive it from the path;
// the text is not kept.
func (p *packer) add(lang, path, text string, st stamp) {
	lang = languageFor(lang, path, text)
	s := p.scan
	s.run(languageOf(lang), path, text)
	p.row(fileRow{size: st.size, modTime: st.modTime, hash: st.hash, lines: uint32(lineCount(text, s.line)),
		path: p.text(path), lang: p.text(lang), pkg: p.text(s.pkg)})
	p.addDefs(text)
	for _, im := range s.imports {
		p.imports = append(p.imports, importRow{p.text(im.Path), p.text(im.Name), p.text(im.Alias), uint32(im.Line)})
	}
	for _, id := range s.in.touched {
		p.uses = append(p.uses, use{uint32(id), uint8(min(s.in.counts[id], math.MaxUint8))})
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

func (p *packer) text(s string) uint32 { return uint32(p.texts.intern(s)) }

// addDefs packs the definitions of the scan, and the lines of their signatures.
func (p *packer) addDefs(text string) {
	if len(p.scan.defs) == 0 {
		return
	}
	p.findLines(text)
	region, covered := uint32(0), uint32(0) // first and last line of the text packed last
	base := uint32(len(p.sigs))
	for i := range p.scan.defs {
		d := &p.scan.defs[i]
		d.sig = min(d.sig, d.start+math.MaxUint16)
		if d.start > covered {
			region, base = d.start, uint32(len(p.sigs))
			covered = d.start - 1
		}
		if d.sig > covered {
			p.sigs = append(p.sigs, text[p.starts[covered]:p.starts[d.sig]]...)
			covered = d.sig
		}
		p.addDef(d, base+p.starts[d.start-1]-p.starts[region-1], p.starts[d.sig]-p.starts[d.start-1])
	}
}

// findLines fills starts with the offset at which each line begins, and one
// more for the end.
func (p *packer) findLines(text string) {
	p.starts = append(p.starts[:0], 0)
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		p.starts = append(p.starts, uint32(at))
	}
	if last := p.starts[len(p.starts)-1]; int(last) < len(text) || len(p.starts) == 1 {
		p.starts = append(p.starts, uint32(len(text)))
	}
}

func (p *packer) addDef(d *found, sigAt, sigLen uint32) {
	row := defRow{name: uint32(d.name), container: p.text(d.container), typ: p.text(d.typ), params: uint32(len(p.params)),
		start: d.start, end: d.end, sigAt: sigAt, sigLen: sigLen,
		doc: uint16(min(d.start-d.doc, math.MaxUint16)), sig: uint16(d.sig - d.start),
		numParams: uint16(min(d.numParams, math.MaxUint16)), min: d.min, max: d.max, kind: d.kind}
	if d.exported {
		row.flags |= flagExported
	}
	if d.local {
		row.flags |= flagLocal
	}
	for _, id := range p.scan.params[d.params : d.params+uint32(row.numParams)] {
		p.params = append(p.params, uint32(id))
	}
	if d.container != "" {
		p.scan.in.intern(lastPart(d.container)) // merge finds members by it
	}
	p.defs = append(p.defs, row)
}
