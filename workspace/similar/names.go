package similar

import (
	"path"
	"strings"
)

// shortPart is the length from which a part of a name is significant.
const shortPart = 3

// eachPart calls do with the words that a name is made of, in small letters:
// getHTTPServer_v2 is get, http and server.
func eachPart(name string, do func(part string)) {
	var buffer [64]byte
	part := buffer[:0]
	flush := func() {
		if len(part) >= shortPart {
			do(string(part))
		}
		part = part[:0]
	}
	for i := range len(name) {
		c := name[i]
		upper := c >= 'A' && c <= 'Z'
		switch {
		case !upper && !(c >= 'a' && c <= 'z') && c < 0x80:
			flush()
			continue
		case upper && i > 0 && !(name[i-1] >= 'A' && name[i-1] <= 'Z'):
			flush()
		case upper && i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z':
			flush()
		}
		if upper {
			c |= 0x20
		}
		part = append(part, c)
	}
	flush()
}

// testPath reports whether a file holds tests, by the customs of its language.
func testPath(rel string) bool {
	base := path.Base(rel)
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, end := range []string{"_test", "_tests", ".test", ".tests", ".spec", "_spec", "Test", "Tests"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	if strings.HasPrefix(stem, "test_") || stem == "conftest" {
		return true
	}
	for _, dir := range strings.Split(path.Dir(rel), "/") {
		switch dir {
		case "test", "tests", "__tests__", "testdata", "spec", "specs", "fixtures", "e2e", "benches":
			return true
		}
	}
	return false
}

// family is the languages whose code can use each other's names.
func family(language string) string {
	switch language {
	case "typescript", "typescriptreact", "javascript", "javascriptreact", "vue", "svelte":
		return "script"
	case "c", "cpp", "objective-c", "objective-cpp":
		return "c"
	case "java", "kotlin", "scala", "groovy":
		return "jvm"
	}
	return language
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
