package main

import (
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A sample is a blanked line and the definitions that are needed to write it.
type sample struct {
	path    string
	line    int      // from 1
	lines   []string // of the file, the line blanked
	targets []target
}

// A target is a name on the blanked line with the places that define it.
type target struct {
	name     string
	defs     []tag
	firstUse bool // the name occurs nowhere else in the file
}

const (
	maxDefs     = 10 // a name with more definitions is ambiguous
	maxLine     = 300
	maxFileSize = 20_000 // lines
)

// draw samples lines until count of them have a target, or tries run out.
func draw(t *tree, seed uint64, count int) []sample {
	random := rand.New(rand.NewPCG(seed, 0))
	files := slices.DeleteFunc(slices.Clone(t.files), func(p string) bool { return !t.real(p) })
	if len(files) == 0 {
		return nil
	}
	var out []sample
	for tries := 0; len(out) < count && tries < 200*count; tries++ {
		p := files[random.IntN(len(files))]
		lines := t.text(p)
		at := random.IntN(max(1, len(lines)))
		if s := t.sample(p, at); len(s.targets) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// languages holds the extensions of the files that lines are drawn from.
var languages = []string{".go", ".py", ".ts", ".tsx", ".js", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".cs"}

var testPath = regexp.MustCompile(`(^|/)(tests?|testdata|testing|vendor|third_party|node_modules|__tests__|fixtures)/|_test\.|\.test\.|\.spec\.|(^|/)test_|\.d\.ts$|generated|\.pb\.`)

// real reports whether a file was written by a person and is not a test.
func (t *tree) real(p string) bool {
	if !slices.Contains(languages, path.Ext(p)) || testPath.MatchString(p) {
		return false
	}
	lines := t.text(p)
	if len(lines) == 0 || len(lines) > maxFileSize {
		return false
	}
	head := strings.Join(lines[:min(len(lines), 30)], "\n")
	return !strings.Contains(head, "DO NOT EDIT") && !strings.Contains(head, "enerated by") && !strings.Contains(head, "\x00")
}

func (t *tree) sample(p string, at int) sample {
	lines := t.text(p)
	if at >= len(lines) || len(lines[at]) > maxLine {
		return sample{}
	}
	names := codeNames(lines, at, path.Ext(p))
	blanked := slices.Clone(lines)
	blanked[at] = ""
	s := sample{path: p, line: at + 1, lines: blanked}
	var rest string
	for _, name := range names {
		defs := t.sameLanguage(name, p)
		if len(defs) == 0 || len(defs) > maxDefs || t.inFile[p][name] {
			continue
		}
		if rest == "" {
			rest = strings.Join(blanked, "\n")
		}
		s.targets = append(s.targets, target{name, defs, !hasWord(rest, name)})
	}
	return s
}

// sameLanguage returns the definitions of a name in files of the language family
// of p, or in all files in the plain reading: a variable in a script does not
// define the name for a program in another language.
func (t *tree) sameLanguage(name, p string) []tag {
	var out []tag
	for _, d := range t.byName[name] {
		if t.plain || family(d.path) == family(p) {
			out = append(out, d)
		}
	}
	return out
}

// family returns one extension for all languages that can use each other's
// definitions.
func family(p string) string {
	switch ext := path.Ext(p); ext {
	case ".ts", ".tsx", ".js":
		return ".ts"
	case ".c", ".h", ".cc", ".cpp":
		return ".c"
	default:
		return ext
	}
}

var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// codeNames returns the distinct identifiers on a line, without keywords and names
// in strings or comments.
func codeNames(lines []string, at int, ext string) []string {
	if inComment(lines, at, ext) {
		return nil
	}
	line := stripped(lines[at], ext)
	var out []string
	for _, name := range word.FindAllString(line, -1) {
		if !keywords[name] && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

var (
	quoted      = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`")
	rustQuoted  = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'`)
	openQuote   = regexp.MustCompile("[\"`].*$")
	pairComment = regexp.MustCompile(`/\*.*?(\*/|$)`)
)

// stripped removes strings and comments from one line.
func stripped(line, ext string) string {
	if ext == ".rs" {
		line = rustQuoted.ReplaceAllString(line, " ")
	} else {
		line = quoted.ReplaceAllString(line, " ")
	}
	line = pairComment.ReplaceAllString(line, " ")
	mark := "//"
	if ext == ".py" {
		mark = "#"
	}
	if cut := strings.Index(line, mark); cut >= 0 {
		line = line[:cut]
	}
	return openQuote.ReplaceAllString(line, "")
}

// inComment reports whether a line lies in a block comment or a multi-line string.
func inComment(lines []string, at int, ext string) bool {
	if strings.HasPrefix(strings.TrimSpace(lines[at]), "*") && ext != ".py" {
		return true
	}
	before := strings.Join(lines[:at], "\n")
	switch ext {
	case ".py":
		return strings.Count(before, `"""`)%2 == 1 || strings.Count(before, `'''`)%2 == 1
	case ".go", ".ts", ".tsx", ".js":
		if strings.Count(before, "`")%2 == 1 {
			return true
		}
	}
	return strings.LastIndex(before, "/*") > strings.LastIndex(before, "*/")
}

// hasWord reports whether text has name as a whole word.
func hasWord(text, name string) bool {
	for {
		at := strings.Index(text, name)
		if at < 0 {
			return false
		}
		end := at + len(name)
		if (at == 0 || !wordByte(text[at-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
		text = text[end:]
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// keywords of the sampled languages, with the literals that look like names.
var keywords = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range strings.Fields(`break case chan const continue default defer else fallthrough for func go goto if import interface map package range return
select struct switch type var nil true false iota string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 byte rune bool error any float32 float64 len cap append make new panic
and as assert async await class def del elif except finally from global in is lambda None nonlocal not or pass raise True False try while with yield self cls print
abstract boolean catch debugger declare delete do enum export extends function get implements instanceof keyof let module namespace never null number object of private protected public readonly set static super symbol this throw typeof undefined unique unknown void
crate dyn extern fn impl loop match mod move mut pub ref Self trait unsafe use where usize isize i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 str char Some Ok Err Option Result Box Vec String
auto double float inline long register restrict short signed sizeof typedef union unsigned volatile template typename using virtual final native synchronized throws transient var record sealed params out internal override operator base checked decimal delegate event explicit fixed foreach implicit lock sbyte stackalloc ulong unchecked ushort`) {
		m[k] = true
	}
	return m
}()
