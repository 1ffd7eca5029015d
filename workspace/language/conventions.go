package language

import (
	"path"
	"slices"
	"strings"
)

// Family names the languages whose code can use each other's names, and has similar
// lines, by one of them.
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

var (
	testEndings = []string{"_test", "_tests", ".test", ".tests", ".spec", "_spec", "Test", "Tests"}
	testFolders = []string{"test", "tests", "__tests__", "testdata", "spec", "specs", "fixtures", "e2e", "benches"}
)

// IsTest reports whether a file holds tests or what only they use, by the naming
// conventions of many languages. The path is relative, with slashes.
func IsTest(file string) bool {
	base := path.Base(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if slices.ContainsFunc(testEndings, func(end string) bool { return strings.HasSuffix(stem, end) }) ||
		strings.HasPrefix(stem, "test_") || stem == "conftest" || stem == "tests" {
		return true
	}
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(dir string) bool { return slices.Contains(testFolders, dir) })
}
