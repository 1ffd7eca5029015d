package language

import (
	"slices"
	"strings"

	"tandem/workspace/terms"
)

// The words that some scanner compares by number. Every interner begins with
// them, so a token's name is compared with these constants.
const (
	_ NameID = iota
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

// keywords is the beginning of every interner, after the empty name: the named
// words, then the other words that any language reserves.
var keywords = allKeywords()

func allKeywords() []string {
	seen := map[string]bool{}
	var out []string
	add := func(list []string) {
		for _, word := range list {
			if !seen[word] {
				seen[word] = true
				out = append(out, word)
			}
		}
	}
	add(named[1:])
	for _, r := range table {
		if r.read != nil {
			add(strings.Fields(r.read.reserved))
		}
	}
	return out
}

// IsKeyword reports whether any language reserves a word.
func IsKeyword(word string) bool { return slices.Contains(keywords, word) }

// wordSet marks, by number, the words of a space-separated list.
func wordSet(list string) []bool {
	out := make([]bool, len(keywords)+1)
	reserved := terms.Set(list)
	for i, word := range keywords {
		out[i+1] = reserved[word]
	}
	return out
}
