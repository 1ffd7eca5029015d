package edits

import "strings"

// A wordRole is what a word does to blocks of lines.
type wordRole uint8

const (
	closes    wordRole = 1 << iota // it ends a block
	clause                         // it begins another part of a statement, behind a block
	onward                         // it goes on with a statement, and may begin a line at its level
	mayOpen                        // the lines behind the one that it begins may be indented more
	condition                      // a condition in brackets may follow it, and then one statement or a block
	opensLast                      // the lines behind the one that it ends are indented more
	leaves                         // nothing follows its statement in the block
	ofMake                         // it is a condition of make, below which lines begin anywhere
)

// wordRoles are the roles of words in many languages.
var wordRoles = map[string]wordRole{
	"end": closes, "fi": closes, "done": closes, "esac": closes, "endif": closes,

	"else": clause | mayOpen | opensLast, "elif": clause | mayOpen, "elsif": clause | mayOpen, "elseif": clause,
	"except": clause | mayOpen, "finally": clause | mayOpen, "catch": clause, "rescue": clause, "ensure": clause,

	"when": onward | mayOpen, "case": onward | mayOpen, "default": onward, "until": onward, "and": onward, "or": onward,
	"then": onward | opensLast, "do": onward | mayOpen | opensLast, "while": onward | mayOpen | condition,

	"if": mayOpen | condition, "for": mayOpen | condition, "foreach": condition,
	"def": mayOpen, "class": mayOpen, "module": mayOpen, "function": mayOpen, "local": mayOpen, "begin": mayOpen, "try": mayOpen,
	"with": mayOpen, "unless": mayOpen, "switch": mayOpen, "async": mayOpen, "match": mayOpen,

	"ifeq": ofMake, "ifneq": ofMake, "ifdef": ofMake, "ifndef": ofMake,

	"return": leaves, "break": leaves, "continue": leaves, "exit": leaves, "raise": leaves, "throw": leaves, "goto": leaves,
}

// is reports whether a word has one of some roles.
func (r wordRole) is(word string) bool { return wordRoles[word]&r != 0 }

// mayBecome reports whether a word that has not ended may become one with one of some roles.
func (r wordRole) mayBecome(begun string) bool {
	for word, roles := range wordRoles {
		if roles&r != 0 && strings.HasPrefix(word, begun) {
			return true
		}
	}
	return false
}

func firstWord(code string) string {
	for i := range len(code) {
		if c := code[i] | 0x20; c < 'a' || c > 'z' {
			return code[:i]
		}
	}
	return code
}

func lastWord(code string) string { return code[strings.LastIndexAny(code, " \t")+1:] }
