package similar

import (
	"path"
	"strings"

	"tandem/workspace/terms"
)

const shortPart = terms.ShortPart

// eachPart is terms.EachPart with texts.
func eachPart(name string, do func(part string)) {
	terms.EachPart(name, func(part []byte) { do(string(part)) })
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

// Family is the languages whose code can use each other's names, by one of them.
func Family(language string) string {
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
