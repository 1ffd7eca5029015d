package clones

import (
	"path"
	"regexp"
	"strings"
)

// A language is what the rules need to know of one: how comments and strings
// look, its keywords, and what opens a definition.
type Language struct {
	Family   string // languages of one family can use each other's definitions
	line     []string
	block    [2]string
	quotes   string
	long     []string // quotes that may span lines
	Keywords map[string]bool
	defines  *regexp.Regexp
}

func keywordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, k := range strings.Fields(list) {
		set[k] = true
	}
	return set
}

var slashes, slashStars = []string{"//"}, [2]string{"/*", "*/"}

const javaWords = `abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if
implements import instanceof int interface long native new null package private protected public return short static strictfp super switch synchronized this
throw throws transient true false try var void volatile while record sealed permits yield`

// The keywords are those of the language with the names that are always there.
var (
	Golang = &Language{Family: "go", line: slashes, block: slashStars, quotes: `"'`, long: []string{"`"},
		Keywords: keywordSet(`break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct
switch type var nil true false iota string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr byte rune bool error any comparable float32 float64 complex64
complex128 len cap append make new panic recover copy delete close min max clear print println real imag complex`),
		defines: regexp.MustCompile(`^\s*(?:func\s+(?:\([^)]*\)\s*)?(\w+)|(?:type|const|var)\s+(\w+))`)}
	Python = &Language{Family: "python", line: []string{"#"}, quotes: `"'`, long: []string{`"""`, `'''`},
		Keywords: keywordSet(`and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass
raise return try while with yield None True False self cls print len str int float bool list dict set tuple object type super isinstance range`),
		defines: regexp.MustCompile(`^\s*(?:async\s+)?(?:def|class)\s+(\w+)`)}
	script = &Language{Family: "script", line: slashes, block: slashStars, quotes: `"'`, long: []string{"`"},
		Keywords: keywordSet(`abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false
finally for from function get if implements import in infer instanceof interface is keyof let module namespace never new null number object of package private protected
public readonly require return satisfies set static string super switch symbol this throw true try type typeof undefined unique unknown using var void while with yield`),
		defines: regexp.MustCompile(`^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:(?:function\*?|class|interface|type|enum|namespace)\s+(\w+)|(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\(|<|\w+\s*=>))` +
			`|^\s+(?:(?:public|private|protected|static|readonly|override|async|get|set)\s+)*#?(\w+)\s*(?:<[^>]*>)?\([^'"=]*\)\s*(?::[^=]+)?\{\s*$`)}
	Rust = &Language{Family: "rust", line: slashes, block: slashStars, quotes: `"`,
		Keywords: keywordSet(`as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self
static struct super trait true type unsafe use where while yield usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 bool char str Some None Ok Err Option Result
Box Vec String`),
		defines: regexp.MustCompile(`^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+"[^"]*"\s+)?(?:(?:fn|struct|enum|trait|type|mod|union|static|const)\s+(\w+)|macro_rules!\s*(\w+)|impl\b[^{]*?(\w+)(?:<[^{]*)?\s*\{)`)}
	Java = &Language{Family: "jvm", line: slashes, block: slashStars, quotes: `"'`, long: []string{`"""`}, Keywords: keywordSet(javaWords),
		defines: regexp.MustCompile(`^\s*(?:(?:public|protected|private|static|final|abstract|synchronized|native|default|sealed|strictfp)\s+)*(?:(?:class|interface|enum|record|@interface)\s+(\w+)|(?:<[^(]*>\s+)?[\w.<>\[\]?, ]+\s+(\w+)\s*\([^;]*[{,(]\s*$)`)}
	Kotlin = &Language{Family: "jvm", line: slashes, block: slashStars, quotes: `"'`, long: []string{`"""`},
		Keywords: keywordSet(javaWords + ` as fun in is object typealias val when by companion constructor data get init inline inner internal lateinit open operator out
override set suspend vararg Int String Boolean Long Unit Any`),
		defines: regexp.MustCompile(`^\s*(?:[a-z]+\s+)*(?:fun|class|interface|object)\s+(?:<[^>]*>\s*)?(?:\w+\.)?(\w+)`)}
	clang = &Language{Family: "c", line: slashes, block: slashStars, quotes: `"'`,
		Keywords: keywordSet(javaWords + ` auto extern inline register restrict signed sizeof struct typedef union unsigned constexpr decltype delete explicit friend mutable
namespace noexcept nullptr operator override template typename using virtual define include ifdef ifndef endif bool`),
		defines: regexp.MustCompile(`^(?:\w[\w\s*&:<>,]*\s[*&]*(\w+)\s*\([^;]*$|(?:typedef\s+)?(?:struct|enum|union|class)\s+(\w+))`)}
	csharp = &Language{Family: "csharp", line: slashes, block: slashStars, quotes: `"'`, Keywords: keywordSet(javaWords + ` as base bool decimal delegate event explicit
fixed foreach implicit in internal is lock namespace object operator out override params readonly ref sbyte sealed sizeof stackalloc string struct typeof uint ulong
unchecked unsafe ushort using virtual async await get set`), defines: Java.defines}
	shell = &Language{Family: "shell", line: []string{"#"}, quotes: `"'`, Keywords: keywordSet("if then else elif fi for in do done while case esac function return local export echo"),
		defines: regexp.MustCompile(`^\s*(?:function\s+)?(\w+)\s*\(\)`)}
	ruby = &Language{Family: "ruby", line: []string{"#"}, quotes: `"'`, Keywords: keywordSet("def end class module if else elsif unless return do while begin rescue self nil true false require"),
		defines: regexp.MustCompile(`^\s*(?:def|class|module)\s+(?:self\.)?(\w+)`)}
)

var languages = map[string]*Language{
	".go": Golang, ".py": Python, ".pyi": Python, ".ts": script, ".tsx": script, ".mts": script, ".cts": script, ".js": script, ".jsx": script,
	".mjs": script, ".cjs": script, ".vue": script, ".svelte": script, ".rs": Rust, ".java": Java, ".kt": Kotlin, ".kts": Kotlin, ".scala": Kotlin, ".groovy": Kotlin,
	".c": clang, ".h": clang, ".cc": clang, ".cpp": clang, ".hpp": clang, ".cs": csharp, ".proto": clang, ".swift": Kotlin, ".php": clang,
	".sh": shell, ".rb": ruby,
}

// LanguageOf is nil for what is no source code.
func LanguageOf(file string) *Language { return languages[path.Ext(file)] }

// placed are the languages that places are taken from.
var placed = []*Language{Golang, Python, script, Rust, Java, Kotlin}

var (
	testPath   = regexp.MustCompile(`(?i)(^|/)(tests?|testdata|testing|__tests__|__mocks__|specs?|fixtures?|testutils?|testsuite|benches|e2e|conftest\.py)(/|$)|_test\.|\.tests?\.|\.spec\.|(^|/)test_|_tests?\.rs$|Tests?\.(java|kt)$`)
	vendorPath = regexp.MustCompile(`(^|/)(vendor|third_party|node_modules|dist|build|out|target|\.yarn)/|\.min\.|\.d\.ts$|\.pb\.|_pb2|(^|/)zz_generated|\.gen\.|_generated\.|(^|/)generated/`)
)

// Written reports whether a person wrote the file, and not as a test.
func Written(file, text string) bool {
	if testPath.MatchString(file) || vendorPath.MatchString(file) {
		return false
	}
	head := text[:min(len(text), 2000)]
	return !strings.Contains(head, "DO NOT EDIT") && !strings.Contains(head, "enerated by") && !strings.Contains(head, "@generated")
}
