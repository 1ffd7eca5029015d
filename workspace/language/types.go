package language

// A Kind is the kind of a definition.
type Kind uint8

// The kinds of definition, for every language alike.
const (
	KindUnknown     Kind = iota
	KindFunc             // function outside any type
	KindMethod           // function that belongs to a type
	KindConstructor      // constructor of a class
	KindClass            // class, Kotlin or Scala object, Swift actor
	KindStruct           // struct, union, record
	KindInterface        // interface, trait, protocol
	KindEnum
	KindEnumMember
	KindType     // alias or any other named type
	KindField    // data member of a type
	KindProperty // member with accessors
	KindVar
	KindConst
	KindNamespace // namespace, module, package declared inside a file
	KindMacro
	KindHeading // heading of a document
	KindOther   // found by the fallback, which knows no more specific kind
	numKinds
)

var kindNames = [numKinds]string{"unknown", "func", "method", "constructor", "class", "struct", "interface",
	"enum", "enum member", "type", "field", "property", "var", "const", "namespace", "macro", "heading", "other"}

// String is the name of the kind, for users.
func (k Kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return kindNames[KindUnknown]
}

// IsType reports whether a definition of this kind has members of its own.
func (k Kind) IsType() bool { return k >= KindClass && k <= KindType && k != KindEnumMember }

// IsFunc reports whether a definition of this kind can be called directly.
func (k Kind) IsFunc() bool { return k >= KindFunc && k <= KindConstructor || k == KindMacro }

// Variadic is the MaxParams of a function that takes any number of arguments,
// and Unknown the MinParams and MaxParams of what has no parameter list.
const (
	Variadic = -1
	Unknown  = -1
)

// A Def is one definition. Lines are whole, counted from 1, and
// DocLine <= StartLine <= SigEndLine <= EndLine.
type Def struct {
	Name      string
	Kind      Kind
	Container string // the type, namespace or function it belongs to, outermost first, joined by "."; "" at top level

	DocLine    int // first line of the comment, decorators or attributes directly above; StartLine if there are none
	StartLine  int // line of the definition itself
	SigEndLine int // a function: where its body opens; a type: its 12th line at most; anything else: its end
	EndLine    int // last line of the body

	Exported bool // visible outside its file or package by the language's own rule
	Local    bool // inside a function's body

	Params    []string // parameter names as written, without the receiver; a nameless one is ""
	MinParams int      // how many arguments a call must have; Unknown when it has no parameter list
	MaxParams int      // how many it may have; Variadic when there is no limit, Unknown as MinParams
	Type      string   // result of a function, type of a field or variable, base of a type, as written; "" unknown
}

// Qualified is the name after that of its container.
func (d Def) Qualified() string {
	if d.Container == "" {
		return d.Name
	}
	return d.Container + "." + d.Name
}

// Owner is the innermost part of Container: the type a member belongs to.
func (d Def) Owner() string { return LastPart(d.Container) }

// An Import is one name or module that a file imports.
type Import struct {
	Path  string // as written, without quotes; relative paths stay relative
	Name  string // the one name taken from Path; "" for the module itself, "*" for all of them
	Alias string // what the file calls it; "" when it is not renamed
	Line  int    // counted from 1
}

// An Ident is an identifier and how often the code of a file uses it, strings
// and comments not counted.
type Ident struct {
	Name  string
	Count int
}

// A FileScan is the content of one file, in source order. Its strings share the
// memory of the text that was scanned.
type FileScan struct {
	Language string
	Package  string // package, module or namespace that the file declares
	Defs     []Def
	Imports  []Import
	Idents   []Ident // in order of first use
	Lines    int
}
