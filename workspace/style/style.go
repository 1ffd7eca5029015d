// Package style finds how a document is written: what its .editorconfig files say, else what
// its text shows, else what its language prescribes.
//
// Invariant: it reads no disk. Who knows the files passes their texts.
package style

import (
	"path"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
)

// sample is how much of a text shows how it is indented and ends its lines, in bytes.
const sample = 64 << 10

// Of returns the style of a text at a path, with the properties that .editorconfig files
// give it.
func Of(file, text string, p Properties) edits.Style {
	start := text[:strings.LastIndexByte(text[:min(len(text), sample)], '\n')+1]
	if len(text) <= sample {
		start = text
	}
	s := edits.Style{Unit: edits.IndentUnit(start), EOL: eolOf(start), FinalNewline: text == "" || strings.HasSuffix(text, "\n"), Head: Head(file, text)}
	if unit := p.unit(); unit != "" {
		s.Unit = unit
	}
	if eol, ok := map[string]string{"lf": "\n", "crlf": "\r\n"}[p["end_of_line"]]; ok {
		s.EOL = eol
	}
	if final := p["insert_final_newline"]; final != "" {
		s.FinalNewline = final == "true"
	}
	lang := language.Of("", file, text)
	if unit, ok := prescribed[lang]; ok && (s.Unit == "" || lang == "makefile") {
		s.Unit = unit
	}
	if lang == "yaml" && s.Unit == "\t" {
		s.Unit = "  "
	}
	return s
}

// prescribed is the unit of languages whose grammar or formatter leaves no choice.
var prescribed = map[string]string{"go": "\t", "go.mod": "\t", "makefile": "\t", "python": "    ", "rust": "    ", "yaml": "  ", "dart": "  ", "elixir": "  ", "ruby": "  "}

// eolOf is what most lines of a text end with.
func eolOf(text string) string {
	lines, crlf := strings.Count(text, "\n"), strings.Count(text, "\r\n")
	switch {
	case lines == 0:
		return ""
	case crlf*2 > lines:
		return "\r\n"
	}
	return "\n"
}

// Properties are what .editorconfig files say of one file, in lower case.
type Properties map[string]string

// unit is one level of indentation, "" if the properties leave it open.
func (p Properties) unit() string {
	size := p["indent_size"]
	if size == "tab" || size == "" {
		size = p["tab_width"]
	}
	switch {
	case p["indent_style"] == "tab":
		return "\t"
	case p["indent_style"] == "space" && len(size) == 1 && size[0] >= '1' && size[0] <= '8':
		return strings.Repeat(" ", int(size[0]-'0'))
	}
	return ""
}

// At returns the style of a text at a path below a folder, with what the .editorconfig files there
// say. read returns the text of such a file by its path below that folder, if there is one.
func At(name, text string, read func(name string) (string, bool)) edits.Style {
	var texts, below []string
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if config, ok := read(path.Join(dir, ".editorconfig")); ok {
			texts, below = append(texts, config), append(below, strings.TrimPrefix(name, dir+"/"))
		}
		if dir == "." || dir == "/" {
			return Of(name, text, Configured(texts, below))
		}
	}
}

// Configured returns what .editorconfig files say of a file below the folder of the last of
// them. texts are the files' texts, that of the innermost folder first, and rel is the path of
// the file below each folder, with slashes.
func Configured(texts, rel []string) Properties {
	out := Properties{}
	for i, text := range texts {
		root, inner := read(text, rel[i])
		for k, v := range inner {
			if _, ok := out[k]; !ok {
				out[k] = v
			}
		}
		if root {
			break
		}
	}
	return out
}

// read returns what one .editorconfig says of a file, and whether those of outer folders say
// nothing.
func read(text, rel string) (root bool, p Properties) {
	p = Properties{}
	section, applies := "", false
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
			continue
		case line[0] == '[' && line[len(line)-1] == ']':
			section = line[1 : len(line)-1]
			applies = matches(section, rel)
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.ToLower(strings.TrimSpace(value))
		switch {
		case section == "" && key == "root":
			root = value == "true"
		case applies:
			p[key] = value
		}
	}
	return root, p
}

// matches reports whether a section's pattern is about a file.
func matches(pattern, rel string) bool {
	if !strings.Contains(pattern, "/") {
		rel = path.Base(rel)
	}
	for _, one := range alternatives(strings.TrimPrefix(pattern, "/"), mostAlternatives) {
		if wild(one, rel) {
			return true
		}
	}
	return false
}

// mostAlternatives bounds what braces in a pattern stand for.
const mostAlternatives = 64

// alternatives are the patterns without braces that one with {a,b} stands for.
func alternatives(pattern string, most int) []string {
	open := strings.IndexByte(pattern, '{')
	if open < 0 {
		return []string{pattern}
	}
	end := strings.IndexByte(pattern[open:], '}')
	if end < 0 {
		return []string{pattern}
	}
	var out []string
	for _, choice := range strings.Split(pattern[open+1:open+end], ",") {
		if len(out) >= most {
			break
		}
		out = append(out, alternatives(pattern[:open]+choice+pattern[open+end+1:], most-len(out))...)
	}
	return out
}

// wild matches a name with *, which is any text without a slash, and **, which is any.
func wild(pattern, name string) bool {
	switch {
	case strings.HasPrefix(pattern, "**"):
		for i := range len(name) + 1 {
			if wild(pattern[2:], name[i:]) {
				return true
			}
		}
		return false
	case strings.HasPrefix(pattern, "*"):
		for i := 0; ; i++ {
			if wild(pattern[1:], name[i:]) {
				return true
			}
			if i == len(name) || name[i] == '/' {
				return false
			}
		}
	case pattern == "" || name == "":
		return pattern == name
	}
	one := pattern[:1]
	if end := strings.IndexByte(pattern, ']'); one == "[" && end > 0 {
		one = strings.Replace(pattern[:end+1], "[!", "[^", 1)
	}
	ok, err := path.Match(one, name[:1])
	return err == nil && ok && wild(pattern[len(one):], name[1:])
}
