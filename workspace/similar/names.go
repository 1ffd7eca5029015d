package similar

import "tandem/workspace/terms"

const shortPart = terms.ShortPart

// eachPart is terms.EachPart with texts.
func eachPart(name string, do func(part string)) {
	terms.EachPart(name, func(part []byte) { do(string(part)) })
}

// isCode reports whether files of a language hold code to learn from: prose,
// data and settings do not.
func isCode(language string) bool {
	switch language {
	case "", "plaintext", "markdown", "restructuredtext", "go.mod", "yaml", "json", "jsonc", "toml", "xml", "html", "css", "scss", "less", "ini", "dockerfile", "makefile", "properties", "csv", "diff", "latex", "asciidoc":
		return false
	}
	return true
}
