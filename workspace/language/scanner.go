package language

import (
	"iter"
	"sync"
)

// A Found is a definition as a scanner records it: Def with names as numbers.
type Found struct {
	Name                 NameID
	Kind                 Kind
	Exported, Local      bool
	callable             bool  // has a parameter list
	MinParams, MaxParams int16 // as in Def
	Doc, Start, Sig, End uint32
	Params, NumParams    uint32 // Numbered.Params[Params:][:NumParams]
	Container, Type      string
}

// Numbered is the content of one file with names as numbers. It belongs to the
// Scanner that made it and is valid until the next Scan; texts share the memory
// of the file's.
type Numbered struct {
	Language string
	Package  string
	Lines    int
	Defs     []Found
	Params   []NameID
	Imports  []Import
}

// A Scanner scans one file after the other and keeps the numbers that it gave
// to names. It serves one goroutine.
type Scanner struct{ scan scan }

// NewScanner returns a Scanner that knows only the reserved words. It copies
// the names it keeps, so the texts it scans may be overwritten.
func NewScanner() *Scanner { return &Scanner{scan{lexer: lexer{in: newInterner(true)}}} }

// Names are the names that the files so far contain.
func (s *Scanner) Names() *Interner { return s.scan.in }

// Scan is the package's Scan with names as numbers.
func (s *Scanner) Scan(lang, path, src string) Numbered {
	lang = Of(lang, path, src)
	s.scan.run(languageOf(lang), path, src)
	return Numbered{Language: lang, Package: s.scan.pkg, Lines: lineCount(src, s.scan.line),
		Defs: s.scan.defs, Params: s.scan.params, Imports: s.scan.imports}
}

// Idents are the identifiers of the file scanned last, in order of first use,
// and how often it uses each.
func (s *Scanner) Idents() iter.Seq2[NameID, uint32] { return s.scan.in.used }

// A Word is an identifier or a reserved word of a file's code.
type Word struct {
	Name     NameID
	Line     uint32 // from 1
	Reserved bool   // by the language
}

// Words are the words of the file scanned last in their order; those of strings
// and comments are not among them.
func (s *Scanner) Words(yield func(Word) bool) {
	lang := s.scan.lang
	for i := range s.scan.toks {
		t := &s.scan.toks[i]
		if t.kind != tIdent {
			continue
		}
		reserved := lang != nil && int(t.name) < len(lang.words) && lang.words[t.name]
		if !yield(Word{t.name, t.line, reserved}) {
			return
		}
	}
}

// scanners keeps interners and buffers between calls of Scan.
var scanners = sync.Pool{New: func() any { return &Scanner{scan{lexer: lexer{in: newInterner(false)}}} }}

// Scan reads one file. It never fails: text that it does not understand is
// skipped. lang is an editor's language id; where it is "" or unknown, the
// language is derived from the path and the text.
func Scan(lang, path, src string) *FileScan {
	s := scanners.Get().(*Scanner)
	defer scanners.Put(s)
	return s.read(lang, path, src)
}

// read is the package's Scan. The scanner forgets the names of the file.
func (s *Scanner) read(lang, path, src string) *FileScan {
	n := s.Scan(lang, path, src)
	out := &FileScan{Language: n.Language, Package: n.Package, Imports: n.Imports, Lines: n.Lines, Defs: make([]Def, len(n.Defs))}
	for i := range n.Defs {
		out.Defs[i] = s.def(&n.Defs[i])
	}
	for id, count := range s.Idents() {
		out.Idents = append(out.Idents, Ident{s.Names().Name(id), int(count)})
	}
	s.scan.src = ""
	s.scan.in.Reset()
	return out
}

// Take is Scan for a file that was scanned before: its names get numbers, and it is the
// file scanned last for Idents, but not for Words.
func (s *Scanner) Take(file *FileScan) Numbered {
	s.scan.begin(plain, "", "")
	n := Numbered{Language: file.Language, Package: file.Package, Lines: file.Lines, Imports: file.Imports}
	for i := range file.Defs {
		d := &file.Defs[i]
		s.scan.defs = append(s.scan.defs, Found{Name: s.Names().Intern(d.Name), Kind: d.Kind, Exported: d.Exported, Local: d.Local,
			MinParams: int16(d.MinParams), MaxParams: int16(d.MaxParams), Doc: uint32(d.DocLine), Start: uint32(d.StartLine), Sig: uint32(d.SigEndLine), End: uint32(d.EndLine),
			Params: uint32(len(s.scan.params)), NumParams: uint32(len(d.Params)), Container: d.Container, Type: d.Type})
		for _, name := range d.Params {
			s.scan.params = append(s.scan.params, s.Names().Intern(name))
		}
	}
	for _, id := range file.Idents {
		s.Names().useMany(s.Names().Intern(id.Name), uint32(id.Count))
	}
	n.Defs, n.Params = s.scan.defs, s.scan.params
	return n
}

func (s *Scanner) def(d *Found) Def {
	out := Def{Name: s.Names().Name(d.Name), Kind: d.Kind, Container: d.Container, Exported: d.Exported, Local: d.Local,
		DocLine: int(d.Doc), StartLine: int(d.Start), SigEndLine: int(d.Sig), EndLine: int(d.End),
		MinParams: int(d.MinParams), MaxParams: int(d.MaxParams), Type: d.Type}
	for _, id := range s.scan.params[d.Params:][:d.NumParams] {
		out.Params = append(out.Params, s.Names().Name(id))
	}
	return out
}
