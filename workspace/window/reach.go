package window

import (
	"path"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// builtins are names that each family's language defines itself: no file of a
// workspace defines what they mean.
var builtins = map[string]map[string]bool{
	"go": terms.Set("any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr"),
	"python": terms.Set("ArithmeticError AssertionError AttributeError BaseException Exception False ImportError IndexError KeyError KeyboardInterrupt LookupError NameError None NotImplemented NotImplementedError OSError RuntimeError StopIteration SyntaxError SystemExit True TypeError UnicodeDecodeError ValueError ZeroDivisionError " +
		"abs all any bool bytearray bytes callable chr classmethod dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round self set setattr slice sorted staticmethod str sum super tuple type vars zip cls"),
	"script": terms.Set("Array Boolean Date Error Function Infinity JSON Map Math NaN Number Object Promise Proxy Reflect RegExp Set String Symbol TypeError WeakMap WeakSet any boolean console document false globalThis never null number object string symbol this true undefined unknown void window Partial Record Required Readonly Pick Omit"),
	"rust":   terms.Set("Box Clone Copy Debug Default Err Fn FnMut FnOnce From Into Iterator None Ok Option Result Self Some String ToString Vec bool char false f32 f64 i128 i16 i32 i64 i8 isize self str true u128 u16 u32 u64 u8 usize"),
	"jvm":    terms.Set("Boolean Byte Character Class Double Exception Float Integer Long Object Override String System boolean byte char double false float int long null short super this true void"),
}

// reachable reports whether a name at the place can mean a definition, as far as
// its file, its language and its visibility say.
func (b *builder) reachable(id index.DefID, d index.Brief) bool {
	if b.text == "" {
		return true
	}
	r, known := b.reach[id.File()]
	if !known {
		r = b.reachOf(b.rel, id.File())
		b.reach[id.File()] = r
	}
	return r.allows(d)
}

// reachableFrom is reachable for a place in another file.
func (b *builder) reachableFrom(from string, id index.DefID, d index.Brief) bool {
	r := b.reachOf(from, id.File())
	return r.allows(d)
}

// A reach says which definitions of a file a place in another one can mean.
type reach struct {
	all, none bool
	family    string // of both
	folder    bool   // both are in it
}

func (b *builder) reachOf(from string, to index.FileID) reach {
	rel := b.ix.Path(to)
	if rel == from {
		return reach{all: true}
	}
	file, _ := b.ix.FileID(from)
	r := reach{family: language.Family(b.ix.Language(file)), folder: path.Dir(rel) == path.Dir(from)}
	r.none = language.Family(b.ix.Language(to)) != r.family || language.IsTest(rel) && (!language.IsTest(from) || r.family == "go" && !r.folder)
	return r
}

func (r *reach) allows(d index.Brief) bool {
	switch {
	case r.all || r.none:
		return r.all
	case builtins[r.family][d.Name] || d.Local:
		return false
	}
	return r.family != "go" || r.folder || d.Exported && capital(d.Name)
}

// capital reports whether a name is exported by Go's rule.
func capital(name string) bool {
	first := strings.ToUpper(name[:min(1, len(name))])
	return name != "" && (name[0] >= 0x80 || first == name[:1] && name[0] != '_' && (name[0] < '0' || name[0] > '9'))
}
