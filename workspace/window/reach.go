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

// reaches reports whether a name in a file can mean a definition, as far as the definition's
// file, its language and its visibility say.
func (f *folder) reaches(from index.FileID, d definition) bool {
	to := d.id.File()
	if to == from {
		return true
	}
	rel, family := f.ix.Path(to), f.family(from)
	inFolder := path.Dir(rel) == path.Dir(f.ix.Path(from))
	switch {
	case f.family(to) != family || language.IsTest(rel) && (!language.IsTest(f.ix.Path(from)) || family == "go" && !inFolder):
		return false
	case builtins[family][d.Name] || d.Local:
		return false
	}
	return family != "go" || inFolder || d.Exported && capital(d.Name)
}

// capital reports whether a name is exported by Go's rule.
func capital(name string) bool {
	first := strings.ToUpper(name[:min(1, len(name))])
	return name != "" && (name[0] >= 0x80 || first == name[:1] && name[0] != '_' && (name[0] < '0' || name[0] > '9'))
}
