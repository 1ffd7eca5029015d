package index

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tandem/workspace/language"
)

// merge makes one segment from the content of the packers, and says of which of their files each
// row is.
func merge(packers ...*packer) (*segment, []source) {
	m := merger{packers: packers, seg: &segment{made: time.Now()}}
	m.names()
	m.texts()
	m.rows()
	m.postDefs()
	m.postUses()
	m.seg.ids = make([]FileID, m.seg.numFiles())
	return m.seg, m.order
}

// A source is a file's position: its packer, and its row there.
type source struct{ packer, row int }

type merger struct {
	packers []*packer
	seg     *segment
	nameMap [][]uint32 // by packer: its numbers to the segment's
	textMap [][]uint32
	order   []source // of the segment's files
}

// names numbers all names in sorted order.
func (m *merger) names() {
	sorted := make([][]uint32, len(m.packers))
	total, bytes := 0, 0
	for i, p := range m.packers {
		names := p.scanner.Names().Names()
		sorted[i] = make([]uint32, len(names))
		for id := range names {
			sorted[i][id] = uint32(id)
			bytes += len(names[id])
		}
		slices.SortFunc(sorted[i], func(a, b uint32) int { return cmp.Compare(names[a], names[b]) })
		m.nameMap = append(m.nameMap, make([]uint32, len(names)))
		total += len(names)
	}
	m.seg.nameAt = make([]uint32, 0, total+1)
	m.seg.nameBytes = make([]byte, 0, bytes)
	for {
		name, any := m.least(sorted)
		if !any {
			break
		}
		id := uint32(len(m.seg.nameAt))
		m.seg.nameAt = append(m.seg.nameAt, uint32(len(m.seg.nameBytes)))
		m.seg.nameBytes = append(m.seg.nameBytes, name...)
		for i, list := range sorted {
			if len(list) > 0 && m.packers[i].scanner.Names().Name(language.NameID(list[0])) == name {
				m.nameMap[i][list[0]] = id
				sorted[i] = list[1:]
			}
		}
	}
	m.seg.nameAt = append(m.seg.nameAt, uint32(len(m.seg.nameBytes)))
	m.slots()
}

// least is the smallest name that is left in any of the sorted lists.
func (m *merger) least(sorted [][]uint32) (name string, any bool) {
	for i, list := range sorted {
		if len(list) > 0 {
			if n := m.packers[i].scanner.Names().Name(language.NameID(list[0])); !any || n < name {
				name, any = n, true
			}
		}
	}
	return name, any
}

func (m *merger) slots() {
	size := 16
	for size < 2*m.seg.numNames() {
		size *= 2
	}
	slots, mask := make([]uint32, size), uint32(size-1)
	for id := range m.seg.numNames() {
		at := language.Hash(m.seg.name(uint32(id))) & mask
		for slots[at] != 0 {
			at = (at + 1) & mask
		}
		slots[at] = uint32(id) + 1
	}
	m.seg.nameSlots = slots
}

// texts numbers all texts: the first packer's keep their numbers.
func (m *merger) texts() {
	all := m.packers[0].texts
	for _, p := range m.packers {
		mapped := make([]uint32, len(p.texts.Names()))
		for id, text := range p.texts.Names() {
			mapped[id] = uint32(all.Intern(text))
		}
		m.textMap = append(m.textMap, mapped)
	}
	bytes := 0
	for _, text := range all.Names() {
		bytes += len(text)
	}
	m.seg.textAt, m.seg.textBytes = make([]uint32, 0, all.Len()+1), make([]byte, 0, bytes)
	for _, text := range all.Names() {
		m.seg.textAt = append(m.seg.textAt, uint32(len(m.seg.textBytes)))
		m.seg.textBytes = append(m.seg.textBytes, text...)
	}
	m.seg.textAt = append(m.seg.textAt, uint32(len(m.seg.textBytes)))
}

// rows copies files, definitions, parameters, imports and signatures in the
// order of paths.
func (m *merger) rows() {
	defs, params, imports, sigs := 0, 0, 0, 0
	for i, p := range m.packers {
		for row := range p.files {
			m.order = append(m.order, source{i, row})
		}
		defs, params = defs+len(p.defs), params+len(p.params)
		imports, sigs = imports+len(p.imports), sigs+len(p.sigs)
	}
	path := func(s source) string { p := m.packers[s.packer]; return p.texts.Names()[p.files[s.row].path] }
	slices.SortFunc(m.order, func(a, b source) int {
		return cmp.Or(strings.Compare(path(a), path(b)), a.packer-b.packer, a.row-b.row)
	})
	m.seg.files = make([]fileRow, 0, len(m.order)+1)
	m.seg.defs = make([]defRow, 0, defs)
	m.seg.params = make([]uint32, 0, params)
	m.seg.imports = make([]importRow, 0, imports)
	m.seg.sigs = make([]byte, 0, sigs)
	for _, s := range m.order {
		m.file(s)
	}
	m.seg.files = append(m.seg.files, fileRow{defs: uint32(len(m.seg.defs)), imports: uint32(len(m.seg.imports))})
}

// from is the start of the part of a file that ends at ends[row].
func from(ends []uint32, row int) uint32 {
	if row == 0 {
		return 0
	}
	return ends[row-1]
}

func (m *merger) file(s source) {
	p, names, texts, seg := m.packers[s.packer], m.nameMap[s.packer], m.textMap[s.packer], m.seg
	f := p.files[s.row]
	defs, imports := p.defs[f.defs:], p.imports[f.imports:]
	if s.row+1 < len(p.files) {
		next := p.files[s.row+1]
		defs, imports = p.defs[f.defs:next.defs], p.imports[f.imports:next.imports]
	}
	if held := p.held[s.row]; held != "" {
		if seg.held == nil {
			seg.held = make([]string, len(m.order))
		}
		seg.held[len(seg.files)] = held
	}
	f.path, f.lang, f.pkg = texts[f.path], texts[f.lang], texts[f.pkg]
	f.defs, f.imports = uint32(len(seg.defs)), uint32(len(seg.imports))
	seg.files = append(seg.files, f)
	moved := uint32(len(seg.sigs)) - from(p.sigEnd, s.row)
	seg.sigs = append(seg.sigs, p.sigs[from(p.sigEnd, s.row):p.sigEnd[s.row]]...)
	for _, d := range defs {
		params := p.params[d.params : d.params+uint32(d.numParams)]
		d.name, d.container, d.typ = names[d.name], texts[d.container], texts[d.typ]
		d.params, d.sigAt = uint32(len(seg.params)), d.sigAt+moved
		for _, id := range params {
			seg.params = append(seg.params, names[id])
		}
		seg.defs = append(seg.defs, d)
	}
	for _, r := range imports {
		seg.imports = append(seg.imports, importRow{texts[r.path], texts[r.name], texts[r.alias], r.line})
	}
}

// postDefs lists the definitions of each name, and the members of each type.
func (m *merger) postDefs() {
	seg := m.seg
	owners := make([]uint32, len(seg.textAt)) // text of a container -> name+1
	key := func(d *defRow) (uint32, bool) {
		if d.container == 0 {
			return 0, false
		}
		if owners[d.container] == 0 {
			id, ok := seg.nameID(language.LastPart(seg.text(d.container)))
			if !ok {
				return 0, false
			}
			owners[d.container] = id + 1
		}
		return owners[d.container] - 1, true
	}
	seg.defAt, seg.byName = group(seg.numNames(), seg.defs, func(d *defRow) (uint32, bool) { return d.name, true })
	seg.memberAt, seg.byType = group(seg.numNames(), seg.defs, key)
}

// group lists, for each of n keys, the rows that have it.
func group(n int, rows []defRow, key func(*defRow) (uint32, bool)) (at, list []uint32) {
	at = make([]uint32, n+1)
	for i := range rows {
		if k, ok := key(&rows[i]); ok {
			at[k]++
		}
	}
	starts(at)
	list = make([]uint32, at[n])
	for i := len(rows) - 1; i >= 0; i-- {
		if k, ok := key(&rows[i]); ok {
			at[k]--
			list[at[k]] = uint32(i)
		}
	}
	return at, list
}

// starts replaces counts by ends; filling from the back changes the ends to
// starts.
func starts(at []uint32) {
	sum := uint32(0)
	for i := range at {
		sum += at[i]
		at[i] = sum
	}
}

// postUses lists the files that use each name.
func (m *merger) postUses() {
	seg := m.seg
	at := make([]uint32, seg.numNames()+1)
	for i, p := range m.packers {
		for _, u := range p.uses {
			at[m.nameMap[i][u.name]]++
		}
	}
	starts(at)
	seg.useFile = make([]uint32, at[len(at)-1])
	seg.useCount = make([]uint8, at[len(at)-1])
	for row := len(m.order) - 1; row >= 0; row-- {
		s := m.order[row]
		p := m.packers[s.packer]
		for _, u := range p.uses[from(p.useEnd, s.row):p.useEnd[s.row]] {
			k := m.nameMap[s.packer][u.name]
			at[k]--
			seg.useFile[at[k]], seg.useCount[at[k]] = uint32(row), u.count
		}
	}
	seg.useAt = at
}
