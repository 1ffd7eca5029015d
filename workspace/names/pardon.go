package names

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/deps"
)

// What a text itself says about names that no checker can know.
var (
	// pardoned is a comment by which checkers are to pass over a line.
	pardoned = regexp.MustCompile(`#\s*(?:type:\s*ignore|noqa|pyright:|pylint:\s*disable|mypy:|ty:\s*ignore|pyre-)|(?://|/\*)\s*(?:@ts-(?:ignore|expect-error)|eslint-disable\S*\s*(?:\*/|--|$|.*(?:undef|unresolved|missing))|biome-ignore|deno-lint-ignore)`)
	// passesOver is such a comment that lists what is passed over, and naming what it lists of names.
	passesOver = regexp.MustCompile(`#\s*(?:(?:type|ty|pyright):\s*ignore\s*\[[^\]]*\]|noqa:[\w ,]*|pylint:\s*disable=[\w ,-]*)`)
	naming     = regexp.MustCompile(`name-defined|unresolved-reference|reportUndefined|undefined-variable|F82|F401`)
	// conditional is a condition on all tests of a file.
	conditional = regexp.MustCompile(`(?m)^pytestmark\s*=.*(?:skip|xfail)`)
	// depends is a condition on what is installed or runs.
	depends = regexp.MustCompile(`sys\.(version|platform|implementation)|version_info|\w*VERSION\b|platform\.\w+\(|python_implementation|os\.name|TYPE_CHECKING|\bPY\d|PYPY|\bHAS_|\bHAVE_|_AVAILABLE|\bVersion\(|__version__`)
	// skips is a decorator of what may not run, and versioned one of a test that may not: a
	// command has @click.version_option.
	skips     = regexp.MustCompile(`skip|xfail`)
	versioned = regexp.MustCompile(`version`)
	// comment is a line of one, or an empty line.
	comment = regexp.MustCompile(`^\s*(?:$|//|/?\*)`)
	// compared is what follows a member that is compared, or is a condition.
	compared = regexp.MustCompile(`^(?:\)|&&|\?[^.]|[!=]=)`)
	// expects is a block whose code is meant to fail.
	expects = regexp.MustCompile(`raises|assertRaises|suppress|warns`)
	// excepts is a handler of code that may lack a name, or have another version of it.
	excepts = regexp.MustCompile(`^except\s*(?::|\(?.*(?:ImportError|ModuleNotFoundError|AttributeError|NameError|TypeError))`)
)

// pardonsNames reports whether a line's comment has checkers pass over names that are bound nowhere.
func pardonsNames(line string) bool {
	return pardoned.MatchString(passesOver.ReplaceAllStringFunc(line, func(comment string) string {
		if naming.MatchString(comment) {
			return comment
		}
		return ""
	}))
}

// inString reports whether a string of a text mentions a name: a path that is added to
// sys.path, a file that a test writes, an attribute that is set by its name.
func inString(text, name string) bool {
	return anyWord(text, name, func(before, _ string) bool {
		line := lineBefore(text, len(before))
		return (strings.Count(line, `"`)%2 == 1 || strings.Count(line, "'")%2 == 1) && !inField(line)
	})
}

// quoted reports whether a string of a text is a name, or ends in it as the path of an attribute
// does: as setattr and patches of tests name what they set.
func quoted(text, name string) bool {
	return anyWord(text, name, func(before, after string) bool {
		return endsIn(before, "\"'.") && beginsWith(after, "\"'")
	})
}

// inField reports whether what follows the beginning of a line that ends in a string is code in
// it, as in f"{a.b}".
func inField(line string) bool {
	open := strings.LastIndexByte(line, '{')
	if open < 0 || strings.ContainsAny(line[open:], "}\"'") {
		return false
	}
	quote := strings.LastIndexAny(line[:open], "\"'")
	return quote > 0 && strings.Contains("fFtT", line[quote-1:quote])
}

// stored reports whether a text assigns to an attribute of a name.
func stored(text, name string) bool {
	return anyWord(text, name, func(before, after string) bool {
		next := strings.TrimLeft(after, " \t")
		return strings.HasSuffix(before, ".") && (isAssigned(next) || strings.HasPrefix(next, ":"))
	})
}

// isAssigned reports whether what follows a name assigns to it.
func isAssigned(next string) bool {
	return strings.HasPrefix(next, "=") && !strings.HasPrefix(next, "==")
}

// anyWord reports whether a place where a text has a name, as a word, is as is says, by what stands
// before it and after it.
func anyWord(text, name string, is func(before, after string) bool) bool {
	for at := edits.IndexWord(text, name, 0); at >= 0; at = edits.IndexWord(text, name, at+len(name)) {
		if is(text[:at], text[at+len(name):]) {
			return true
		}
	}
	return false
}

// endsIn and beginsWith report whether the last, or the first, byte of a text is one of some.
func endsIn(text, bytes string) bool {
	return text != "" && strings.IndexByte(bytes, text[len(text)-1]) >= 0
}

func beginsWith(text, bytes string) bool {
	return text != "" && strings.IndexByte(bytes, text[0]) >= 0
}

// askedFor reports whether a script looks whether a member is there, as in
// typeof x.name === "function", before it calls it.
func askedFor(text, name string) bool {
	return anyWord(text, name, func(before, after string) bool {
		return strings.HasSuffix(before, ".") && compared.MatchString(strings.TrimLeft(after, " \t\n"))
	})
}

// pardonedAbove reports whether a script's line is pardoned by the lines above it: the nearest, or a
// comment with nothing but comments and empty lines between.
func pardonedAbove(text string, at int) bool {
	for range maxComments {
		at -= len(lineBefore(text, at)) + 1
		if at < 0 {
			return false
		}
		above := lineBefore(text, at)
		if pardoned.MatchString(above) {
			return true
		}
		if !comment.MatchString(above) {
			return false
		}
	}
	return false
}

// maxComments bounds the lines of comments that are read above a line.
const maxComments = 20

// lineBefore is what stands on a line before an offset, and the end of that in a long line.
func lineBefore(text string, at int) string {
	from := max(at-4096, 0)
	return text[from+strings.LastIndexByte(text[from:at], '\n')+1 : at]
}

// lineAround is the line that holds an offset; of a line that nobody wrote by hand, what stands
// within 1,000 bytes.
func lineAround(text string, at int) string {
	from, to := max(at-1000, 0), min(at+1000, len(text))
	from += strings.LastIndexByte(text[from:at], '\n') + 1
	if end := strings.IndexByte(text[at:to], '\n'); end >= 0 {
		to = at + end
	}
	return text[from:to]
}

// guardedPython reports whether Python code between two offsets runs only under a condition
// on what there is, is meant to fail, or is one that checkers are to pass over.
func guardedPython(text, name string, start, end int) bool {
	depending := func(line string) bool {
		return depends.MatchString(line) || strings.Contains(line, `"`+name+`"`) || strings.Contains(line, "'"+name+"'")
	}
	first := lineAround(text, start)
	if pardoned.MatchString(first) || depending(withoutCondition(first, name)) || strings.Contains(text[start:end], "\n") && pardoned.MatchString(lineAround(text, end)) {
		return true
	}
	lines := strings.Split(text, "\n")
	at := strings.Count(text[:start], "\n")
	within := indentOf(lines[at])
	for i := at - 1; i >= 0 && within > 0; i-- {
		line := strings.TrimSpace(lines[i])
		if line == "" || line[0] == '#' || indentOf(lines[i]) >= within {
			continue
		}
		within = indentOf(lines[i])
		word, _, _ := strings.Cut(strings.TrimSuffix(line, ":"), " ")
		switch word {
		case "if", "elif", "while":
			if depending(line) {
				return true
			}
		case "else":
			if i := ifAbove(lines, i, "if", "elif"); i >= 0 && depending(lines[i]) {
				return true
			}
		case "with", "async":
			if expects.MatchString(line) {
				return true
			}
		case "try":
			for _, below := range lines[i+1:] {
				if trimmed := strings.TrimSpace(below); trimmed != "" && indentOf(below) <= within {
					if excepts.MatchString(trimmed) {
						return true
					}
					if indentOf(below) < within || !strings.HasPrefix(trimmed, "except") {
						break
					}
				}
			}
		case "def", "class":
			test := strings.HasPrefix(strings.ToLower(strings.TrimSpace(line[len(word):])), "test")
			for k := i - 1; k >= 0 && strings.HasPrefix(strings.TrimSpace(lines[k]), "@"); k-- {
				if skips.MatchString(lines[k]) || test && versioned.MatchString(lines[k]) {
					return true
				}
			}
		}
	}
	return false
}

// withoutCondition is a line without the conditions that a name is part of: sys.version_info needs
// sys, whatever it is.
func withoutCondition(line, name string) string {
	return depends.ReplaceAllStringFunc(line, func(condition string) string {
		if hasWord(condition, name) {
			return ""
		}
		return condition
	})
}

// ifAbove is the line above i at its indentation that begins with one of the words, or -1.
func ifAbove(lines []string, i int, words ...string) int {
	for k := i - 1; k >= 0; k-- {
		if strings.TrimSpace(lines[k]) == "" || indentOf(lines[k]) > indentOf(lines[i]) {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimSpace(lines[k]), " ")
		if indentOf(lines[k]) < indentOf(lines[i]) {
			return -1
		}
		if slices.Contains(words, word) {
			return k
		}
	}
	return -1
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// generated reports whether a file that is not there may be one that a build makes: one that
// the workspace hides.
func generated(r *deps.Resolver, paths []string, endings ...string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		return slices.ContainsFunc(endings, func(ending string) bool { return r.Hides(path + filepath.FromSlash(ending)) })
	})
}
