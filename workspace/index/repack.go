package index

// repack adds some files of a segment to a packer.
func (p *packer) repack(seg *segment, current func(row int) bool) {
	names := make([]uint32, seg.numNames())
	for id := range names {
		names[id] = uint32(p.scanner.Names().Intern(seg.name(uint32(id))))
	}
	uses := usesByFile(seg, names)
	for row := range seg.numFiles() {
		if current(row) {
			p.copyFile(seg, row, names, uses(row))
		}
	}
}

// usesByFile converts the lists of files by name into lists of names by file.
func usesByFile(seg *segment, names []uint32) func(row int) []use {
	at := make([]uint32, seg.numFiles()+1)
	for _, file := range seg.useFile {
		at[file]++
	}
	starts(at)
	all := make([]use, len(seg.useFile))
	for id := seg.numNames() - 1; id >= 0; id-- {
		for k := seg.useAt[id]; k < seg.useAt[id+1]; k++ {
			file := seg.useFile[k]
			at[file]--
			all[at[file]] = use{names[id], seg.useCount[k]}
		}
	}
	return func(row int) []use { return all[at[row]:at[row+1]] }
}

func (p *packer) copyFile(seg *segment, row int, names []uint32, uses []use) {
	f := seg.files[row]
	defs := seg.defs[f.defs:seg.files[row+1].defs]
	imports := seg.imports[f.imports:seg.files[row+1].imports]
	f.path, f.lang, f.pkg = p.text(seg.text(f.path)), p.text(seg.text(f.lang)), p.text(seg.text(f.pkg))
	p.row(f)
	if len(defs) > 0 {
		p.copyDefs(seg, defs, names)
	}
	for _, r := range imports {
		p.imports = append(p.imports, importRow{p.text(seg.text(r.path)), p.text(seg.text(r.name)), p.text(seg.text(r.alias)), r.line})
	}
	p.uses = append(p.uses, uses...)
	held := ""
	if seg.held != nil {
		held = seg.held[row]
	}
	p.closeFile(held)
}

// copyDefs copies the definitions of one file. Their signatures are contiguous
// in the segment.
func (p *packer) copyDefs(seg *segment, defs []defRow, names []uint32) {
	first, last := defs[0].sigAt, defs[0].sigAt
	for i := range defs {
		last = max(last, defs[i].sigAt+defs[i].sigLen)
	}
	base := uint32(len(p.sigs))
	p.sigs = append(p.sigs, seg.sigs[first:last]...)
	for _, d := range defs {
		params := seg.params[d.params : d.params+uint32(d.numParams)]
		d.name, d.container, d.typ = names[d.name], p.text(seg.text(d.container)), p.text(seg.text(d.typ))
		d.params, d.sigAt = uint32(len(p.params)), d.sigAt-first+base
		for _, id := range params {
			p.params = append(p.params, names[id])
		}
		p.defs = append(p.defs, d)
	}
}
