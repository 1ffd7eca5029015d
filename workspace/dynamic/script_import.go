package dynamic

import (
	"strings"

	"tandem/workspace/language"
)

// An Import is one name that an import statement binds, or that an export statement passes on.
type Import struct {
	Module      string // as written, with leading dots in Python
	Name        string // there; "" for the module itself, or its effects alone, "*" for all, "default"
	Local       string // what the file calls it
	ModuleToken int    // first token of the module's name, -1 for none
	NameToken   int    // token of Name, or of the module
	Export      bool   // it is exported
	Tried       bool   // by code that goes on without it
	Depth       int    // of the block it is in, in Python
}

// Imports are what the import and export statements of a text bind.
func (t Script) Imports() []Import {
	var out []Import
	tried := 0 // up to where a try and its catch reach
	for i := range t.Tokens {
		word := t.Word(i)
		if word == "try" && t.Word(i+1) == "{" || word == "catch" && i == tried {
			end := i + 1
			for ; t.Word(end) == "(" || t.Word(end) == "{"; end++ {
				end = t.Closing(end)
			}
			tried = max(tried, end)
		}
		of := i + 1 // what is exported
		if t.Word(of) == "type" {
			of++
		}
		imports := word == "import" && t.Word(i-1) != "." && !t.is(i+1, "(", ".")
		if imports || word == "export" && t.is(of, "{", "*") {
			out = append(out, t.importAt(i)...)
		}
		if word == "require" && t.onlyText(i+1) {
			out = append(out, Import{Module: strings.Trim(t.Word(i+2), "\"'`"), ModuleToken: i + 2, NameToken: i + 2, Tried: i < tried})
		}
	}
	return out
}

// onlyText reports whether the brackets that open at i hold one text and nothing else.
func (t Script) onlyText(i int) bool {
	return t.Word(i) == "(" && t.Kind(i+1) == language.String && t.Word(i+2) == ")"
}

func (t Script) importAt(i int) []Import {
	export := t.Word(i) == "export"
	var out []Import
	j := i + 1
	for ; j < len(t.Tokens) && j < i+2000; j++ {
		s := t.Word(j)
		switch {
		case t.Tokens[j].Kind == language.String:
			module := strings.Trim(s, "\"'`")
			if len(out) == 0 {
				out = append(out, Import{NameToken: j})
			}
			for k := range out {
				out[k].Module, out[k].ModuleToken, out[k].Export = module, j, export
			}
			return out
		case s == "{":
			end := t.Closing(j)
			out = append(out, t.named(j, end)...)
			j = end
			if export && t.Word(j+1) != "from" {
				for k := range out {
					out[k].Export = true
				}
				return out
			}
		case s == "*":
			im := Import{Name: "*", NameToken: j}
			if t.Word(j+1) == "as" {
				im.Local = t.Word(j + 2)
				j += 2
			}
			out = append(out, im)
		case s == "from" || s == ",":
		case s == "type" && t.Word(j+1) != "from" && t.Word(j+1) != ",":
		case t.IsName(j) && t.Word(j+1) == "=":
			return nil // import x = require()
		case t.IsName(j):
			out = append(out, Import{Name: "default", Local: s, NameToken: j})
		default:
			return nil
		}
	}
	return nil
}

// named are the names between braces.
func (t Script) named(open, end int) []Import {
	var out []Import
	for j := open + 1; j < end; j++ {
		if !t.IsName(j) {
			continue
		}
		if t.Word(j) == "type" && t.IsName(j+1) && t.Word(j+1) != "as" {
			continue
		}
		im := Import{Name: t.Word(j), Local: t.Word(j), NameToken: j}
		if t.Word(j+1) == "as" {
			im.Local = t.Word(j + 2)
			j += 2
		}
		out = append(out, im)
	}
	return out
}

// Exports are the names that a text exports by the statements that declare or assign them; open is
// whether there may be others. declares is whether its file only declares.
func (t Script) Exports(declares bool) (exported map[string]bool, open bool) {
	exported = map[string]bool{}
	for i := range t.Tokens {
		switch t.Word(i) {
		case "export":
			switch t.Word(i + 1) {
			case "default":
				exported["default"] = true
			case "=", "as", "import":
				open = true
			case "const", "let", "var":
				if next := t.Word(i + 2); next == "{" || next == "[" {
					for j := i + 3; j < t.Closing(i+2); j++ {
						exported[t.Word(j)] = true
					}
				}
				t.restOfList(i+2, exported)
			case "declare", "async", "abstract", "function", "class", "type", "interface", "enum", "namespace":
				for j := i + 2; j < i+6; j++ {
					exported[t.Word(j)] = true
				}
			}
		case "module", "exports", "require", "define":
			open = open || t.Word(i-1) != "." && t.is(i+1, ".", "[", "=") || t.Word(i) == "define" && t.Word(i+1) == "("
		case "declare":
			open = open || t.Word(i+1) == "module" || t.Word(i+1) == "namespace" && declares
		}
	}
	return exported, open
}

// restOfList records the further names of "export const a = 1, b = 2".
func (t Script) restOfList(i int, out map[string]bool) {
	for ; i < len(t.Tokens) && !t.is(i, ";", "export", "import"); i++ {
		switch t.Word(i) {
		case "(", "[", "{":
			i = t.Closing(i)
		case ",":
			if t.IsName(i + 1) {
				out[t.Word(i+1)] = true
			}
		case "=>":
			return
		}
	}
}
