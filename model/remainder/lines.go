package remainder

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tabWidth is how many columns a tab counts for.
const tabWidth = 4

func first(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func words(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return !isWord(r) })
}

// lead is the first word of a line, or its first character.
func lead(line string) string {
	line = strings.TrimLeft(line, " \t")
	end := strings.IndexFunc(line, func(r rune) bool { return !isWord(r) })
	switch {
	case end > 0:
		return line[:end]
	case end < 0:
		return line
	}
	_, n := utf8.DecodeRuneInString(line)
	return line[:n]
}

func indent(line string) int {
	n := 0
	for _, r := range line {
		switch r {
		case ' ':
			n++
		case '\t':
			n += tabWidth
		default:
			return n
		}
	}
	return n
}

// comments reports whether a line without its indentation is a comment, or ends with one.
func comments(line string) bool {
	for _, mark := range []string{"//", "#", "* ", "*/", "/*", "--", ";", "<!--", `"""`} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return line == "*" || strings.Contains(line, " // ") || strings.Contains(line, "  # ")
}

// isProse reports whether a line is mostly words with a space between.
func isProse(line string) bool {
	list := words(line)
	return len(list) > 4 && len(line)-len(strings.Join(list, "")) <= len(list)+3
}

// leads are the kinds of what a line begins with, by its first word.
var leads = map[string]int{}

func init() {
	for kind, list := range []string{
		1:  "func def fn function fun sub",
		2:  "type class struct enum interface trait impl namespace module mod union",
		3:  "import from use package require include using",
		4:  "return yield raise throw panic break continue goto await",
		5:  "if elif while for switch match case else default try except catch finally with select when loop unless do",
		6:  "const var let val static final mut auto",
		7:  "pub export public private protected abstract async override internal inline unsafe extern",
		8:  "assert expect test it describe t require",
		9:  "self this super",
		10: "defer go del pass nil null None true false new",
	} {
		for _, word := range strings.Fields(list) {
			leads[word] = kind
		}
	}
}

// kindOf is what kind of first word or first character a line has.
func kindOf(line string) int {
	line = strings.TrimLeft(line, " \t")
	word := lead(line)
	if kind := leads[word]; kind > 0 && len(word) < len(line) {
		return kind
	}
	r, _ := utf8.DecodeRuneInString(word)
	switch {
	case word == "":
		return 0
	case comments(line):
		return 11
	case strings.ContainsRune(")]}", r):
		return 12
	case r == '@' || r == '#':
		return 13
	case strings.ContainsRune("\"'`", r):
		return 14
	case r == '.' || r == '&' || r == '|':
		return 15
	case r == '-' || r == '*':
		return 16
	case r == '<' || r == '[' || r == '{' || r == '(':
		return 17
	case unicode.IsUpper(r):
		return 18
	case isWord(r):
		return 19
	}
	return 20
}

// lastClass is the kind of a line's last character. model/assist has other kinds (classOf):
// it has one for space and one for commas and semicolons, and none for the marks of comments.
// Both sets of numbers stay as they are: the forest here was grown on these, and the outcomes
// that users keep hold the others.
func lastClass(line string) int {
	line = strings.TrimRight(line, " \t\r")
	r, n := utf8.DecodeLastRuneInString(line)
	switch {
	case n == 0:
		return 0
	case isWord(r):
		return 1
	case r == '.':
		return 2
	case r == '(' || r == '[':
		return 3
	case r == '{':
		return 4
	case r == ')' || r == ']' || r == '}':
		return 5
	case r == ',':
		return 6
	case r == '=':
		return 7
	case r == ':':
		return 8
	case r == '"' || r == '\'' || r == '`':
		return 9
	case r == ';':
		return 10
	case r == '/' || r == '#' || r == '*' || r == '-':
		return 12
	}
	return 11
}

// documentKind is what a language is for: code 0 (languages with braces) and 1 (by
// indentation), prose 2, data 3, markup 4, else 5.
func documentKind(language string) int {
	switch language {
	case "go", "rust", "java", "c", "cpp", "csharp", "javascript", "typescript", "javascriptreact", "typescriptreact", "kotlin", "swift", "scala", "php":
		return 0
	case "python", "ruby", "lua", "shellscript", "elixir":
		return 1
	case "markdown", "plaintext", "restructuredtext", "latex", "":
		return 2
	case "json", "jsonc", "yaml", "toml", "ini", "dockerfile", "makefile", "properties", "xml":
		return 3
	case "html", "css", "scss", "vue", "svelte":
		return 4
	}
	return 5
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
