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

// IsGenerated reports whether a file is written by a program or installed, by the
// conventions of many tools.
func IsGenerated(path string) bool {
	name, in := Base(path), "/"+path
	return strings.HasPrefix(name, "zz_generated") || strings.Contains(name, ".pb.") || strings.Contains(name, "_generated") || strings.Contains(name, ".gen.") ||
		strings.Contains(in, "/vendor/") || strings.Contains(in, "/node_modules/") || strings.Contains(in, "/dist/")
}

// Written reports whether a tool writes a file: what it holds follows from another one.
func Written(path, src string) bool {
	base, ext := Base(path), path[strings.LastIndexByte(path, '.')+1:]
	if slices.Contains([]string{"lock", "golden", "snap", "sum", "map", "min.js"}, ext) || base == "package-lock.json" || base == "pnpm-lock.yaml" || base == "npm-shrinkwrap.json" {
		return true
	}
	head := src[:min(len(src), 1<<10)]
	return strings.Contains(head, "Code generated ") || strings.Contains(head, "@generated") || strings.Contains(head, "DO NOT EDIT")
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
