package main

import (
	"path"
	"strings"

	"tandem/tools/bench/clones"
)

// Waste is how the tokens of windows' context (all but the region) are spent
// on what helps nobody.
type waste struct {
	Context     int `json:"context_tokens"`
	Unreachable int `json:"unreachable"` // definitions that the place cannot mean
	Headings    int `json:"headings"`    // lines of no file
	Repeated    int `json:"repeated"`    // further definitions of a name
}

func (w *waste) add(other waste) {
	w.Context += other.Context
	w.Unreachable += other.Unreachable
	w.Headings += other.Headings
	w.Repeated += other.Repeated
}

// wasteOf counts one window. lines returns the lines of a shown file.
func wasteOf(w *clones.Window, p *clones.Place, lines func(path string) []string) waste {
	out := waste{Context: w.Tokens - w.Region()}
	seen := map[string]bool{}
	read, real := map[string]bool{}, map[string]bool{}
	for _, f := range w.Fragments {
		if !read[f.Path] {
			read[f.Path] = true
			for _, line := range lines(f.Path) {
				real[strings.TrimSpace(line)] = true
			}
		}
		name := definedName(f)
		if name == "" {
			continue
		}
		if cannotMean(p.Path, p.Lang, f.Path, name) {
			out.Unreachable += f.Tokens
		}
		if seen[name] {
			out.Repeated += f.Tokens
		}
		seen[name] = true
	}
	out.Headings = headingTokens(w.Text, real)
	return out
}

// definedName is the name that a fragment is shown for: of a fragment that is
// there as an example or a consequence it is "".
func definedName(f clones.Fragment) string {
	rest, ok := strings.CutPrefix(f.Reason, "defines ")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, " ")
	return strings.TrimRight(name, ",;:")
}

// cannotMean reports whether a name at a place cannot mean a definition in
// another file, by what the files' places alone tell.
func cannotMean(from string, lang *clones.Language, to, name string) bool {
	if clones.LanguageOf(to) == nil || clones.LanguageOf(to).Family != lang.Family {
		return true
	}
	if lang.Keywords[name] {
		return true // a builtin is defined by no file of the workspace
	}
	if lang != clones.Golang {
		return false
	}
	if strings.HasSuffix(to, "_test.go") && !strings.HasSuffix(from, "_test.go") {
		return true
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	return path.Dir(from) != path.Dir(to) && !exported(last)
}

func exported(name string) bool {
	return name != "" && strings.ToUpper(name[:1]) == name[:1] && name[0] != '_'
}

// headingTokens counts lines of a text that are no line of a shown file,
// whatever number or mark stands before them.
func headingTokens(text string, real map[string]bool) int {
	n := 0
	for _, line := range strings.Split(text, "\n") {
		if trimmed := strings.TrimSpace(line); trimmed != "" && !real[trimmed] && !real[clones.Unnumbered(trimmed)] {
			n += clones.Count(line + "\n")
		}
	}
	return n
}
