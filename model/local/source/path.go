package source

import (
	"slices"
	"strings"
)

// Folder is a path's directory, "" at the root.
func Folder(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// Base is the last element of a path.
func Base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// Stem is the name of a file up to its first dot.
func Stem(path string) string {
	name, _, _ := strings.Cut(Base(path), ".")
	return name
}

// IsTest reports whether a file holds tests, by the naming conventions of many
// languages.
func IsTest(path string) bool {
	name, stem := Base(path), Stem(path)
	for _, end := range []string{"_test", "Test", "Tests", "_spec", "Spec"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	if strings.HasPrefix(stem, "test_") || stem == "tests" || stem == "conftest" || strings.Contains(name, ".test.") || strings.Contains(name, ".spec.") {
		return true
	}
	return slices.ContainsFunc(strings.Split(Folder(path), "/"), func(dir string) bool { return testFolders[dir] })
}

var testFolders = Set("test tests __tests__ testdata testing spec e2e")

// IsGenerated reports whether a file is written by a program or installed, by the
// conventions of many tools.
func IsGenerated(path string) bool {
	name, in := Base(path), "/"+path
	return strings.HasPrefix(name, "zz_generated") || strings.Contains(name, ".pb.") || strings.Contains(name, "_generated") || strings.Contains(name, ".gen.") ||
		strings.Contains(in, "/vendor/") || strings.Contains(in, "/node_modules/") || strings.Contains(in, "/dist/")
}

// LastPart returns the usual name of the package at a path.
func LastPart(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && IsDigit(last[1]) && strings.Trim(last[1:], "0123456789") == "" {
		last = parts[len(parts)-2]
	}
	return last
}
