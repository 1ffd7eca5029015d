package names

import (
	"strings"

	"tandem/workspace/language"
)

// imports are what the import and export statements of a text bind.
func (t scriptText) imports() []scriptImport {
	var out []scriptImport
	tried := 0 // up to where a try and its catch reach
	for i := range t.toks {
		word := t.s(i)
		if word == "try" && t.s(i+1) == "{" || word == "catch" && i == tried {
			end := i + 1
			for ; t.s(end) == "(" || t.s(end) == "{"; end++ {
				end = t.closing(end)
			}
			tried = max(tried, end)
		}
		if prev := t.s(i - 1); word == "import" && prev != "." && t.s(i+1) != "(" && t.s(i+1) != "." || word == "export" && (t.s(i+1) == "*" || t.s(i+1) == "{" || t.s(i+1) == "type" && (t.s(i+2) == "{" || t.s(i+2) == "*")) {
			out = append(out, t.importAt(i)...)
		}
		if word == "require" && t.s(i+1) == "(" && t.s(i+3) == ")" && i+2 < len(t.toks) && t.toks[i+2].Kind == language.String {
			out = append(out, scriptImport{module: strings.Trim(t.s(i+2), "\"'`"), mod: i + 2, tok: i + 2, tried: i < tried})
		}
	}
	return out
}

func (t scriptText) importAt(i int) []scriptImport {
	export := t.s(i) == "export"
	var out []scriptImport
	j := i + 1
	for ; j < len(t.toks) && j < i+2000; j++ {
		s := t.s(j)
		switch {
		case t.toks[j].Kind == language.String:
			module := strings.Trim(s, "\"'`")
			if len(out) == 0 {
				out = append(out, scriptImport{tok: j})
			}
			for k := range out {
				out[k].module, out[k].mod, out[k].export = module, j, export
			}
			return out
		case s == "{":
			end := t.closing(j)
			out = append(out, t.named(j, end)...)
			j = end
			if export && t.s(j+1) != "from" {
				for k := range out {
					out[k].export = true
				}
				return out
			}
		case s == "*":
			im := scriptImport{name: "*", tok: j}
			if t.s(j+1) == "as" {
				im.local = t.s(j + 2)
				j += 2
			}
			out = append(out, im)
		case s == "from" || s == ",":
		case s == "type" && t.s(j+1) != "from" && t.s(j+1) != ",":
		case t.isName(j) && t.s(j+1) == "=":
			return nil // import x = require()
		case t.isName(j):
			out = append(out, scriptImport{name: "default", local: s, tok: j})
		default:
			return nil
		}
	}
	return nil
}

// named are the names between braces.
func (t scriptText) named(open, end int) []scriptImport {
	var out []scriptImport
	for j := open + 1; j < end; j++ {
		if !t.isName(j) {
			continue
		}
		if t.s(j) == "type" && t.isName(j+1) && t.s(j+1) != "as" {
			continue
		}
		im := scriptImport{name: t.s(j), local: t.s(j), tok: j}
		if t.s(j+1) == "as" {
			im.local = t.s(j + 2)
			j += 2
		}
		out = append(out, im)
	}
	return out
}

// scriptFacts are the facts of a script, or of a piece of one. declares is whether the file
// only declares, checked whether it is checked itself.
func scriptFacts(scan *language.FileScan, text string, declares, checked bool) (*facts, []language.Token) {
	m, t := factsOf(scan), readScript(text)
	imports := t.imports()
	if checked {
		m.imports, m.uses, m.begins, m.ends = imports, t.uses(), t.begins(), t.ends()
	}
	exported := m.bound
	for _, d := range scan.Defs {
		if atTop(d) && (d.Exported || declares) {
			exported[d.Name] = true
		}
	}
	for _, im := range imports {
		switch {
		case !im.export:
			m.links = append(m.links, link{im.local, im.module, im.name, 0})
		case im.name == "*" && im.local == "":
			m.stars = append(m.stars, im.module)
		case im.module == "":
			exported[im.local] = true
			m.links = append(m.links, link{im.local, "", im.name, 1})
		default:
			exported[im.local] = true
			m.links = append(m.links, link{im.local, im.module, im.name, 1})
		}
	}
	for i := range t.toks {
		switch t.s(i) {
		case "export":
			switch t.s(i + 1) {
			case "default":
				exported["default"] = true
			case "=", "as", "import":
				m.open = true
			case "const", "let", "var":
				if next := t.s(i + 2); next == "{" || next == "[" {
					for j := i + 3; j < t.closing(i+2); j++ {
						exported[t.s(j)] = true
					}
				}
				t.restOfList(i+2, exported)
			case "declare", "async", "abstract", "function", "class", "type", "interface", "enum", "namespace":
				for j := i + 2; j < i+6; j++ {
					exported[t.s(j)] = true
				}
			}
		case "module", "exports", "require", "define":
			m.open = m.open || t.s(i-1) != "." && (t.s(i+1) == "." || t.s(i+1) == "[" || t.s(i+1) == "=") || t.s(i) == "define" && t.s(i+1) == "("
		case "declare":
			m.open = m.open || t.s(i+1) == "module" || t.s(i+1) == "namespace" && declares
		}
	}
	return m, t.toks
}

// restOfList records the further names of "export const a = 1, b = 2".
func (t scriptText) restOfList(i int, out map[string]bool) {
	for ; i < len(t.toks) && t.s(i) != ";" && t.s(i) != "export" && t.s(i) != "import"; i++ {
		switch t.s(i) {
		case "(", "[", "{":
			i = t.closing(i)
		case ",":
			if t.isName(i + 1) {
				out[t.s(i+1)] = true
			}
		case "=>":
			return
		}
	}
}
