// Package role says by a file's name alone what reads the file: nothing but what names it, or
// programs and models that look for such a name by themselves.
//
// Invariant: what is known to be read by name alone is listed, and every other name counts as
// one that makes programs run or decides what models see. There is no I/O: whether there is
// such a file, and what is beside it, is decided behind it.
package role

import (
	"path"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"tandem/edits"
	"tandem/workspace/terms"
)

// A Role is what a file does beside being read by what names it.
type Role uint8

// The roles of files, from the one that asks most of whoever writes it.
const (
	Unknown Role = iota // nothing says what reads it
	Runs                // a tool or an agent finds it by its name, runs it or obeys it
	Data                // prose, or settings where no tool looks for any
	Source              // a text of a programming language
)

// Ordinary reports whether nothing reads a file of this role by itself.
func (r Role) Ordinary() bool { return r >= Data }

// Of is the role of the file at a slash-separated path below the top of a workspace. It
// recognises the spellings that file systems treat as the same name: letter case, Unicode forms
// and invisible characters, trailing dots and spaces, streams (":name"). A short name (GIT~1)
// may be that of any file.
func Of(name string) Role {
	parts := Parts(name)
	if len(parts) == 0 {
		return Unknown
	}
	for i, part := range parts {
		if part[0] == '.' || shortName(part) {
			return Runs
		}
		if folder := i < len(parts)-1; folder && (strings.HasSuffix(part, ".d") || readFolders[part]) {
			return Runs
		}
	}
	base := parts[len(parts)-1]
	if matches(finders, parts) || matches(rules, parts) {
		return Runs
	}
	extension := strings.TrimPrefix(path.Ext(base), ".")
	switch {
	case sources[extension]:
		return Source
	case prose[extension], extension == "" && proseNames[first(base)]:
		return Data
	case settings[extension] && len(parts) > 1:
		return Data
	}
	return Unknown
}

// first is a name up to a dash: LICENSE-MIT is a licence.
func first(base string) string {
	head, _, _ := strings.Cut(base, "-")
	return head
}

// Settings reports whether a file is of a form in which tools keep their settings, which they look
// for beside the manifest of a package too.
func Settings(name string) bool {
	parts := Parts(name)
	return len(parts) > 0 && settings[strings.TrimPrefix(path.Ext(parts[len(parts)-1]), ".")]
}

// Manifests are the files that make a folder the top of a package.
var Manifests = terms.Set("package.json go.mod cargo.toml pyproject.toml setup.py setup.cfg pom.xml build.gradle build.gradle.kts composer.json mix.exs gemfile pubspec.yaml deno.json package.swift build.sbt rebar.config stack.yaml dune-project cmakelists.txt")

// matches reports whether a pattern fits the end of a path: as many of its parts as the pattern has.
func matches(patterns []string, parts []string) bool {
	for _, p := range patterns {
		p, top := strings.CutPrefix(p, "/")
		n := strings.Count(p, "/") + 1
		if n > len(parts) || top && n < len(parts) {
			continue
		}
		if ok, _ := path.Match(p, strings.Join(parts[len(parts)-n:], "/")); ok { // the patterns are well-formed
			return true
		}
	}
	return false
}

// Parts divides a path into its parts, each as the most forgiving file system would understand it.
func Parts(name string) []string {
	var parts []string
	for _, part := range strings.Split(strings.ReplaceAll(name, `\`, "/"), "/") {
		if part = plain(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func plain(part string) string {
	part = norm.NFKC.String(part)
	part = strings.Map(func(r rune) rune {
		if edits.HiddenKind(r) != "" || edits.VariationSelector(r) || unicode.IsControl(r) { // a file system may ignore it
			return -1
		}
		return unicode.ToLower(r)
	}, part)
	if i := strings.IndexByte(part, ':'); i > 0 {
		part = part[:i]
	}
	return strings.TrimRight(strings.TrimLeft(part, " "), " .")
}

// shortName reports whether a name has the form of the 8.3 names that Windows gives to files.
func shortName(part string) bool {
	stem, extension, _ := strings.Cut(part, ".")
	head, number, ok := strings.Cut(stem, "~")
	return ok && len(stem) <= 8 && len(extension) <= 3 && head != "" && number != "" && strings.Trim(number, "0123456789") == ""
}

// sources, prose and settings are extensions of names.
var (
	sources = terms.Set("go py pyi pyw js jsx mjs cjs ts tsx mts cts java kt kts scala rs c h cc cpp cxx hh hpp hxx inl ipp m mm cu cuh cs fs fsx vb " +
		"swift rb php dart lua pl pm ex exs erl hrl hs lhs ml mli clj cljs cljc jl r zig nim cr d v sv vhd vhdl f f90 f95 pas ada adb ads asm s elm purs gleam rkt scm lisp " +
		"vue svelte astro css scss sass less html htm sql proto thrift graphql gql sol move wgsl glsl vert frag hlsl metal sh bash zsh fish ps1 psm1 bat cmd")
	prose = terms.Set("md markdown mdx rst adoc asciidoc txt tex bib org csv tsv svg puml mmd dot po pot strings xlf xliff resx ftl " +
		"tmpl gotmpl tpl j2 jinja jinja2 erb haml slim ejs hbs mustache pug liquid twig cshtml razor heex eex leex " +
		"golden snap txtar out expected feature http diff patch jsonl ndjson geojson log template help 1 2 3 4 5 6 7 8")
	settings   = terms.Set("json json5 jsonc yaml yml toml xml properties")
	proseNames = terms.Set("readme license licence unlicense copying notice authors contributors changelog changes history news todo copyright patents maintainers version install thanks")
)
