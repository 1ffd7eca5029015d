package index

import "strings"

// The words that some scanner compares by number. Every interner begins with
// them, so a token's name is compared with these constants.
const (
	_ nameID = iota
	kwAbstract
	kwAlias
	kwAs
	kwAsync
	kwAwait
	kwCase
	kwChan
	kwClass
	kwConst
	kwConstexpr
	kwConstructor
	kwCrate
	kwDeclare
	kwDef
	kwDefault
	kwDelegate
	kwDo
	kwElse
	kwEnum
	kwEvent
	kwExport
	kwExtends
	kwExtern
	kwFinal
	kwFn
	kwFor
	kwFrom
	kwFunc
	kwFunction
	kwGet
	kwGlobal
	kwIf
	kwImpl
	kwImplements
	kwImport
	kwIn
	kwInternal
	kwInterface
	kwLet
	kwMacroRules
	kwMod
	kwModule
	kwMut
	kwNamespace
	kwNew
	kwNoexcept
	kwOperator
	kwPackage
	kwPrivate
	kwProtected
	kwPub
	kwPublic
	kwRecord
	kwReturn
	kwSelf
	kwSet
	kwStatic
	kwStruct
	kwSuper
	kwTemplate
	kwThis
	kwThrows
	kwTrait
	kwTry
	kwType
	kwTypedef
	kwUnion
	kwUnsafe
	kwUse
	kwUsing
	kwVar
	kwVoid
	kwWhere
	kwWhile
	kwWith
	numNamed
)

var named = [numNamed]string{
	kwAbstract: "abstract", kwAlias: "alias", kwAs: "as", kwAsync: "async", kwAwait: "await", kwCase: "case", kwChan: "chan",
	kwClass: "class", kwConst: "const", kwConstexpr: "constexpr", kwConstructor: "constructor", kwCrate: "crate",
	kwDeclare: "declare", kwDef: "def", kwDefault: "default", kwDelegate: "delegate", kwDo: "do", kwElse: "else", kwEnum: "enum",
	kwEvent: "event", kwExport: "export", kwExtends: "extends", kwExtern: "extern", kwFinal: "final", kwFn: "fn", kwFor: "for",
	kwFrom: "from", kwFunc: "func", kwFunction: "function", kwGet: "get", kwGlobal: "global", kwIf: "if", kwImpl: "impl",
	kwImplements: "implements", kwImport: "import", kwIn: "in", kwInternal: "internal", kwInterface: "interface", kwLet: "let",
	kwMacroRules: "macro_rules", kwMod: "mod", kwModule: "module", kwMut: "mut", kwNamespace: "namespace", kwNew: "new",
	kwNoexcept: "noexcept", kwOperator: "operator", kwPackage: "package", kwPrivate: "private", kwProtected: "protected",
	kwPub: "pub", kwPublic: "public", kwRecord: "record", kwReturn: "return", kwSelf: "self", kwSet: "set", kwStatic: "static",
	kwStruct: "struct", kwSuper: "super", kwTemplate: "template", kwThis: "this", kwThrows: "throws", kwTrait: "trait", kwTry: "try", kwType: "type",
	kwTypedef: "typedef", kwUnion: "union", kwUnsafe: "unsafe", kwUse: "use", kwUsing: "using", kwVar: "var", kwVoid: "void",
	kwWhere: "where", kwWhile: "while", kwWith: "with",
}

// The words that each language reserves: they do not count as uses of
// identifiers.
const (
	goWords = "break case chan const continue default defer else fallthrough for func go goto if import interface map " +
		"package range return select struct switch type var"
	pythonWords = "False None True and as assert async await break class continue def del elif else except finally for " +
		"from global if import in is lambda nonlocal not or pass raise return try while with yield self cls"
	scriptWords = "await break case catch class const continue debugger default delete do else enum export extends false " +
		"finally for function if implements import in instanceof interface let new null of package private protected public " +
		"return static super switch this throw true try typeof var void while with yield async as any boolean declare " +
		"infer is keyof namespace never number readonly string symbol undefined unknown abstract"
	javaWords = "abstract assert boolean break byte case catch char class const continue default do double else enum " +
		"extends final finally float for goto if implements import instanceof int interface long native new package private " +
		"protected public return short static strictfp super switch synchronized this throw throws transient try void " +
		"volatile while true false null var"
	rustWords = "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod " +
		"move mut pub ref return self Self static struct super trait true type unsafe use where while"
	cWords = "alignas alignof asm auto bool break case catch char class const constexpr consteval constinit const_cast " +
		"continue decltype default delete do double dynamic_cast else enum explicit export extern false float for friend " +
		"goto if inline int long mutable namespace new noexcept nullptr operator private protected public register " +
		"reinterpret_cast restrict return short signed sizeof static static_assert static_cast struct switch template this " +
		"thread_local throw true try typedef typeid typename union unsigned using virtual void volatile while concept requires"
	csharpWords = "abstract as base bool break byte case catch char checked class const continue decimal default delegate " +
		"do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface " +
		"internal is lock long namespace new null object operator out override params private protected public readonly ref " +
		"return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong " +
		"unchecked unsafe ushort using virtual void volatile while var async await get set value yield"
	otherWords = "and begin break case class def default do else elsif elif end endif enum esac extends false fi for from " +
		"func function if import in interface let local module nil not null or override package private protected public " +
		"return self static struct super then this throw true try until val var void while fun object trait echo export done"
)

// keywords is the beginning of every interner, after the empty name: the named
// words, then the other words that any language reserves.
var keywords = allKeywords()

func allKeywords() []string {
	seen := map[string]bool{}
	var out []string
	lists := []string{goWords, pythonWords, scriptWords, javaWords, rustWords, cWords, csharpWords, otherWords}
	for _, word := range append(named[1:], strings.Fields(strings.Join(lists, " "))...) {
		if !seen[word] {
			seen[word] = true
			out = append(out, word)
		}
	}
	return out
}

// wordSet marks, by number, the words of a space-separated list.
func wordSet(list string) []bool {
	out := make([]bool, len(keywords)+1)
	reserved := map[string]bool{}
	for _, word := range strings.Fields(list) {
		reserved[word] = true
	}
	for i, word := range keywords {
		out[i+1] = reserved[word]
	}
	return out
}
